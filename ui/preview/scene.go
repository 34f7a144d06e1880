package preview

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/host"
	"assay/ui/viewport"
	"assay/ui/work"
)

// scenes shows scenes in a viewport.
type scenes struct {
	viewport *viewport.Viewport
}

var _ viewer = (*scenes)(nil)

func newScenes(h host.Host, group *work.Group, say func(text string)) *scenes {
	return &scenes{viewport.New(h, group, say)}
}

// Content is what goes into the panel.
func (s *scenes) Content() fyne.CanvasObject { return s.viewport.Content() }

// Load prepares a scene.
func (s *scenes) Load(ctx context.Context, v model.View) (show func(), err error) {
	m, err := render.Load(ctx, v.(*scene.Scene))
	if m == nil || m.Empty() {
		return nil, err
	}
	return func() {
		s.viewport.SetModel(m)
	}, err
}

// Leave is called when another viewer takes its place.
func (s *scenes) Leave() { s.viewport.SetModel(nil) }
