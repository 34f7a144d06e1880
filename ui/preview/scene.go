package preview

import (
	"context"
	"sync/atomic"

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
	host     host.Host
	viewport *viewport.Viewport
	model    atomic.Pointer[render.Model] // that is shown
	document *model.Document
	byOffset map[int64]*scene.Node
}

var (
	_ viewer   = (*scenes)(nil)
	_ follower = (*scenes)(nil)
)

func newScenes(h host.Host, group *work.Group, say func(text string)) *scenes {
	s := &scenes{host: h, viewport: viewport.New(h, group, say)}
	s.viewport.OnSelect = s.selected
	return s
}

// Content is what goes into the panel.
func (s *scenes) Content() fyne.CanvasObject { return s.viewport.Content() }

// Load prepares a scene. One that is shown already stays as it is.
func (s *scenes) Load(ctx context.Context, v model.View) (show func(), err error) {
	of := v.(*scene.Scene)
	if m := s.model.Load(); m != nil && m.Scene() == of {
		return func() {}, nil
	}
	m, err := render.Load(ctx, of)
	if m == nil || m.Empty() {
		return nil, err
	}
	byOffset := make(map[int64]*scene.Node)
	of.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Offset != 0 && byOffset[n.Offset] == nil {
			byOffset[n.Offset] = n
		}
	})
	return func() {
		s.byOffset = byOffset
		s.model.Store(m)
		s.viewport.SetModel(m)
	}, err
}

// Leave is called when another viewer takes its place.
func (s *scenes) Leave() {
	s.model.Store(nil)
	s.viewport.SetModel(nil)
}

// Follow outlines the node of the scene that the selected node of the document is, or is a part of.
func (s *scenes) Follow(d *model.Document, n *model.Node) {
	s.document = d
	for ; n != nil; n = n.Parent {
		if found := s.byOffset[n.Offset]; found != nil && found.Name == n.Key && n.Key != "" {
			s.viewport.Select(found)
			return
		}
	}
	s.viewport.Select(nil)
}

// selected selects the node of the document that a node of the scene is made of.
func (s *scenes) selected(n *scene.Node) {
	if n == nil || n.Offset == 0 || s.document == nil {
		return
	}
	for at := s.document.Owner(n.Offset); at != nil; at = at.Parent {
		if at.Offset == n.Offset && at.Key == n.Name {
			s.host.Reveal(s.document, at)
			return
		}
	}
}
