package comparison

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/content"
	"assay/ui/doc"
	"assay/ui/picture"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/wording"
	"assay/ui/work"
)

// looks are the ways to look at two pictures.
var looks = []string{"Side by Side", "Blink", "Difference"}

const (
	besides = iota
	blinks
	differs

	blinkEvery = 600 * time.Millisecond
	gain       = 4 // how much stronger differences are drawn than they are
)

// pictures shows what the selected pair looks like on both sides: scenes with one camera, pictures with their
// difference.
type pictures struct {
	c       *Comparison
	sides   [2]*preview.Preview
	between *picture.View
	looker  *content.Looker
	caption *widget.Label
	way     *widget.Select
	stage   *fyne.Container
	content fyne.CanvasObject

	visible   bool
	pair      *compare.Pair
	comparing *work.Lane
	blinking  *work.Lane
}

func newPictures(c *Comparison, open SourceOpener) *pictures {
	v := &pictures{c: c, looker: &content.Looker{Open: open}, caption: widget.NewLabel(""), stage: container.NewStack(),
		comparing: c.Group.Lane(), blinking: c.Group.Lane()}
	v.caption.Truncation = fyne.TextTruncateEllipsis
	v.caption.Importance = widget.LowImportance
	for i := range v.sides {
		v.sides[i] = preview.New(c, c.Style, c.Group, thumbnail.Options{Open: open})
		v.sides[i].Fixed()
	}
	for i, p := range v.sides {
		other := v.sides[1-i].Viewport()
		p.Viewport().OnPose = other.SetPose
	}
	v.between = picture.New(c, c.Style, c.Group, func(string) {}) // the caption says how much differs
	v.way = widget.NewSelect(looks, func(string) { v.arrange() })
	v.way.SetSelectedIndex(besides)
	v.content = container.NewBorder(nil, container.NewBorder(nil, nil, v.way, nil, v.caption), nil, nil, v.stage)
	return v
}

// arrange puts the pictures as they are wanted.
func (v *pictures) arrange() {
	v.blinking.Stop()
	a, b := v.sides[0].Content(), v.sides[1].Content()
	a.Show()
	b.Show()
	v.caption.SetText("")
	switch v.way.SelectedIndex() {
	case blinks:
		v.stage.Objects = []fyne.CanvasObject{a, b}
		v.blink()
	case differs:
		v.stage.Objects = []fyne.CanvasObject{v.between.Content()}
		v.difference()
	default:
		v.stage.Objects = []fyne.CanvasObject{container.NewHSplit(a, b)}
	}
	v.stage.Refresh()
}

// blink shows one side after the other.
func (v *pictures) blink() {
	if v.c.Group.AtOnce() { // without a clock, there is nothing to wait for
		return
	}
	v.blinking.Go(func(ctx context.Context) func() {
		for at := 0; ctx.Err() == nil; at = 1 - at {
			v.c.Group.Show(ctx, func() {
				if ctx.Err() != nil {
					return
				}
				v.sides[1-at].Content().Hide()
				v.sides[at].Content().Show()
				v.caption.SetText([]string{"Old", "New"}[at])
			})
			if !v.c.Group.Pause(ctx, blinkEvery) {
				return nil
			}
		}
		return nil
	})
}

// show brings the pictures into view, or takes them away.
func (v *pictures) show(on bool) {
	v.visible = on
	if !on {
		v.blinking.Stop()
		return
	}
	v.arrange()
	v.load()
}

// selectPair shows another pair.
func (v *pictures) selectPair(p *compare.Pair) {
	v.pair = p
	v.load()
}

// load shows the pair, if it is seen. What one side does not have is shown with what it is in.
func (v *pictures) load() {
	if !v.visible || v.pair == nil {
		return
	}
	old, new := v.nodes()
	v.sides[0].Select(doc.Selection{Document: v.c.c.Old, Node: old})
	v.sides[1].Select(doc.Selection{Document: v.c.c.New, Node: new})
	if v.way.SelectedIndex() == differs {
		v.difference()
	}
}

func (v *pictures) nodes() (old, new *model.Node) {
	for p := v.pair; p != nil && (old == nil || new == nil); p = p.Parent() {
		if old == nil {
			old = p.Old
		}
		if new == nil {
			new = p.New
		}
	}
	return old, new
}

// difference draws where two pictures differ.
func (v *pictures) difference() {
	if v.pair == nil || v.c.c == nil {
		return
	}
	found := v.c.c
	old, new := v.nodes()
	v.comparing.Go(func(ctx context.Context) func() {
		r, text := v.subtract(ctx, found, old, new)
		return func() {
			if r == nil {
				v.between.Clear()
			} else {
				v.between.Show(r)
			}
			v.caption.SetText(text)
		}
	})
}

// subtract computes the difference of two pictures, and says how much they differ.
func (v *pictures) subtract(ctx context.Context, found *compare.Comparison, old, new *model.Node) (*picture.Ready,
	string) {
	var both [2]model.Picture
	for i, d := range []*model.Document{found.Old, found.New} {
		n := []*model.Node{old, new}[i]
		if n == nil {
			return nil, "There is nothing on the other side to compare this with."
		}
		seen, err := v.looker.Look(ctx, d, n)
		if err != nil {
			return nil, wording.Sentence(err)
		}
		defer seen.Close()
		p, ok := seen.View.(model.Picture)
		if !ok || p.Image == nil {
			return nil, "A difference is drawn of two pictures: of scenes, look at both sides or let them blink."
		}
		both[i] = p
	}
	text := compare.PictureChange(both[0].Image, both[1].Image)
	r, err := picture.Load(ctx, model.Picture{Image: compare.DifferenceImage(both[0].Image, both[1].Image, gain),
		Drawn: true})
	if err != nil {
		return nil, err.Error()
	}
	return r, text
}

// drawn reports whether both sides are of formats that draw something.
func drawn(c *compare.Comparison) bool {
	return !c.BytesOnly && c.Old.View != nil && c.New.View != nil
}
