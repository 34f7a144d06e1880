package contents

import (
	"context"
	"fmt"
	"image"
	"slices"

	"assay/model"
	"assay/model/compare/contents"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/picture"
	"assay/ui/work"
)

// images shows two pictures in one view: on both sides of a line, one over the other, or their difference.
type images struct {
	v        *Previews
	combined *picture.View

	comparing *work.Lane
	displayed [2]model.View
	mode      control.ViewMode
	regions   []image.Rectangle // the different regions of the pictures, from the top down
	region    int               // the current region, or -1
}

func newImages(v *Previews) *images {
	m := &images{v: v, region: -1, comparing: v.group.Lane()}
	// the caption has the number of different pixels
	m.combined = picture.New(v.host, v.style, v.group, func(string) {})
	v.sides[0].LinkPictures(v.sides[1])
	return m
}

// arrange compares two pictures if the mode or the pictures changed. Without two pictures it stops comparing.
func (m *images) arrange(areImages bool) {
	mode := m.v.chosenMode()
	if !areImages {
		m.displayed, m.regions, m.region = [2]model.View{}, nil, -1
		m.comparing.Stop()
		return
	}
	if mode == m.mode && sameView(m.displayed[0], m.v.views[0]) && sameView(m.displayed[1], m.v.views[1]) {
		return
	}
	m.displayed, m.mode = m.v.views, mode
	m.compare(mode)
}

// sameView reports whether two views are the same picture.
func sameView(a, b model.View) bool {
	p, ok := a.(model.Picture)
	if !ok {
		return false
	}
	q, ok := b.(model.Picture)
	return ok && p.Image == q.Image
}

// recompare compares the displayed images again.
func (m *images) recompare() {
	if m.displayed[0] != nil {
		m.compare(m.mode)
	}
}

// step moves to the next or previous region that differs. With wrap it starts at the other end. It returns false at the
// end.
func (m *images) step(delta int, wrap bool) bool {
	to, ok := stepFrom(m.region, delta, len(m.regions), wrap)
	if !ok {
		return false
	}
	m.region = to
	r := m.regions[to]
	for _, side := range m.v.sides {
		side.RevealPart(r)
	}
	m.combined.Reveal(r)
	m.v.host.ShowHint(fmt.Sprintf("Region %d of %d: %d × %d pixels at %d, %d", to+1, len(m.regions), r.Dx(), r.Dy(), r.Min.X,
		r.Min.Y))
	return true
}

// stepFrom returns the index among n that is delta, 1 or -1, after current. From -1, and with wrap, it is the first or
// the last index. ok is false past the ends.
func stepFrom(current, delta, n int, wrap bool) (to int, ok bool) {
	to = current + delta
	if wrap || current < 0 {
		to = 0
		if delta < 0 {
			to = n - 1
		}
	}
	return to, to >= 0 && to < n
}

// compare compares two pictures, and displays the result.
func (m *images) compare(mode control.ViewMode) {
	old, new := m.displayed[0].(model.Picture), m.displayed[1].(model.Picture)
	gain, share := m.v.mixer.gain(), m.v.mixer.share()
	if mode != control.Blink {
		m.v.setCaption("")
	}
	m.comparing.Go(func(ctx context.Context) func() {
		show, err := m.prepare(ctx, mode, old, new, gain, share)
		text := ""
		var regions []image.Rectangle
		if ctx.Err() == nil {
			regions = contents.Regions(old.Image, new.Image)
		}
		if err != nil {
			text = host.Sentence(err)
		} else if mode != control.Blink && !old.Drawn && ctx.Err() == nil {
			text = contents.PictureSummary(old.Image, new.Image)
		}
		return func() {
			if !slices.Equal(regions, m.regions) {
				m.regions, m.region = regions, -1
			}
			if show != nil {
				show()
			}
			if mode != control.Blink {
				m.v.setCaption(text)
			}
		}
	})
}

// prepare loads both pictures for a mode with one view, and returns the func that shows them; nil for modes with two
// views.
func (m *images) prepare(ctx context.Context, mode control.ViewMode, old, new model.Picture, gain int,
	share float64) (show func(), err error) {
	if mode == control.Difference {
		img, pixels := contents.Difference(old.Image, new.Image, gain)
		p := model.Picture{Image: img, Drawn: true}
		if pixels.Changed > 0 {
			p.Boxes = []model.Box{{Rectangle: pixels.Region, Name: "changed"}}
		}
		r, err := picture.Load(ctx, p)
		if err != nil {
			return nil, err
		}
		return func() {
			m.combined.Show(r)
			m.combined.ShowOutlines()
		}, nil
	}
	if mode != control.Swipe && mode != control.Overlay {
		return nil, nil
	}
	a, err := picture.Load(ctx, old)
	if err != nil {
		return nil, err
	}
	b, err := picture.Load(ctx, new)
	if err != nil {
		return nil, err
	}
	return func() { m.combined.ShowTwo(a, b, mode, share, m.v.mixer.setShare) }, nil
}
