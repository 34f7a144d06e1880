package viewport

import (
	"sync"

	"assay/model/render"
)

// Changes is where two versions of a scene differ.
type Changes struct {
	mu    sync.Mutex
	model *render.Model // of what differs
}

// NewChanges returns the place of what differs, which a model has without the rest.
func NewChanges(m *render.Model) *Changes { return &Changes{model: m} }

// framing is the place, in a scene in which z or else y points up.
func (c *Changes) framing(zUp bool) render.Framing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model.ZUp() != zUp {
		c.model.SetUp(zUp)
		c.model.Update()
		c.model.Frame()
	}
	return c.model.Framing()
}

// SetChanges tells where the scene differs from another version of it; nil: it is not known. Another model has none,
// until it is told.
func (v *Viewport) SetChanges(c *Changes) { v.changes = c }

// FrameChanges shows where the scene differs from another version of it, with room around it, in all viewports that
// show their scenes together.
func (v *Viewport) FrameChanges() { v.together((*Viewport).frameChanges) }

func (v *Viewport) frameChanges() {
	if v.model != nil && v.changes != nil {
		v.fit()
		v.camera.Camera = nil
		v.placeChanges()
	}
}

// placeChanges makes the picture one of the place that differs.
func (v *Viewport) placeChanges() {
	c := v.changes
	v.onChanges = true
	v.change(func(m *render.Model) {
		m.Frame()
		m.SetFraming(c.framing(m.ZUp()).Around(m.Framing()))
	})
}

// FrameAs makes the picture one of the place that differs if that of another viewport is. The camera stays.
func (v *Viewport) FrameAs(o *Viewport) {
	if v.changes = o.changes; v.model != nil && v.changes != nil && o.onChanges {
		v.placeChanges()
	}
}

// compares reports whether it is known where the scene differs from another version of it.
func (v *Viewport) compares() bool { return v.changes != nil }
