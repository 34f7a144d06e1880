package comparison

import (
	"context"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/viewport"
	"assay/ui/work"
)

// scenes shows two scenes in the colors of what changed, with one camera: beside each other or in one picture.
type scenes struct {
	v       *pictures
	both    *viewport.Viewport
	colored *widget.Check
	legend  *legend
	tools   *fyne.Container

	at    atomic.Pointer[looked]         // what is selected
	plain atomic.Bool                    // the colors are those of the materials
	found atomic.Pointer[compare.Scenes] // what was compared last

	mu   sync.Mutex // while scenes are compared
	last [2]*scene.Scene

	overlaying *work.Lane
	over       *compare.Scenes // that both shows
}

// looked is a pair of nodes that is looked at.
type looked struct {
	c     *compare.Comparison
	nodes [2]*model.Node
}

func newScenes(v *pictures) *scenes {
	s := &scenes{v: v, overlaying: v.c.Group.Lane(), legend: newLegend()}
	s.both = viewport.New(v.c, v.c.Group, func(string) {})
	s.both.OnSelect = s.clicked
	all := []*viewport.Viewport{v.sides[0].Viewport(), v.sides[1].Viewport(), s.both}
	for i, own := range all {
		own.Keep = true
		own.OnPose = func(p viewport.Pose) {
			for k, o := range all {
				if k != i {
					o.SetPose(p)
				}
			}
		}
	}
	for i := range 2 {
		all[i].OnModel = func() {
			all[0].FrameWith(all[1])
			all[1].FrameWith(all[0])
		}
		v.sides[i].Instead = func(ctx context.Context, _ *model.Node, view model.View) model.View {
			return s.instead(ctx, i, view)
		}
	}
	s.colored = widget.NewCheck("Color changes", func(on bool) {
		s.plain.Store(!on)
		for _, p := range v.sides {
			p.Again()
		}
	})
	s.colored.Checked = true
	s.tools = container.NewHBox(s.colored, s.legend.content)
	return s
}

// instead returns a scene in the colors of what changed.
func (s *scenes) instead(ctx context.Context, side int, view model.View) model.View {
	at := s.at.Load()
	if _, is := view.(*scene.Scene); !is || at == nil {
		return view
	}
	found := s.compare(ctx, at)
	switch {
	case found == nil || found.Counts.Differences() == 0 || s.plain.Load():
		return view
	case side == 0:
		return found.Old
	}
	return found.New
}

// compare compares the scenes of two nodes, once for both sides; nil if they are not two scenes.
func (s *scenes) compare(ctx context.Context, at *looked) *compare.Scenes {
	s.mu.Lock()
	defer s.mu.Unlock()
	var both [2]*scene.Scene
	for i, d := range []*model.Document{at.c.Old, at.c.New} {
		if at.nodes[i] == nil {
			return nil
		}
		seen, err := s.v.lookers[i].Look(ctx, d, at.nodes[i])
		if err != nil {
			return nil
		}
		defer seen.Close()
		of, is := seen.View.(*scene.Scene)
		if !is {
			return nil
		}
		both[i] = of
	}
	if found := s.found.Load(); found != nil && s.last == both {
		return found
	}
	found, err := at.c.Scenes(ctx, both[0], both[1])
	if err != nil {
		return nil
	}
	s.last = both
	s.found.Store(found)
	return found
}

// arrange shows the tools, and the picture of both scenes if it is wanted.
func (s *scenes) arrange(on bool) {
	if !on {
		s.tools.Hide()
		return
	}
	s.tools.Show()
	found := s.found.Load()
	s.legend.set(found)
	if found == nil || s.v.way.Selected != overlay || s.over == found {
		return
	}
	s.over = found
	s.overlaying.Go(func(ctx context.Context) func() {
		m, err := render.Load(ctx, found.Both)
		if err != nil {
			return nil
		}
		return func() {
			pose := s.v.sides[1].Viewport().Pose()
			s.both.SetModel(m)
			s.both.SetPose(pose)
		}
	})
}

// clicked selects the pair of a node of the picture of both scenes.
func (s *scenes) clicked(n *scene.Node) {
	if n == nil || n.Offset == 0 || s.over == nil || s.v.c.c == nil {
		return
	}
	d := s.v.c.c.New
	if s.over.FromOld(n) {
		d = s.v.c.c.Old
	}
	for at := d.Owner(n.Offset); at != nil; at = at.Parent {
		if at.Offset == n.Offset && at.Key == n.Name {
			s.v.c.Reveal(d, at)
			return
		}
	}
}
