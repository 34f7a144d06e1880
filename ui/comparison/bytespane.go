package comparison

import (
	"context"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/look"
	"assay/ui/paint"
	"assay/ui/wording"
	"assay/ui/work"
)

// bytesPane is two hex views that scroll in step.
type bytesPane struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	c     *compare.Comparison
	pair  *compare.Pair

	views   [2]*hex.Hex
	present *alignment
	whole   *alignment // of the files as a whole, once it was asked for
	inWhole bool
	going   func(a *alignment) // what to do once the alignment is there

	choice  *widget.RadioGroup
	info    *widget.Label
	content fyne.CanvasObject

	onError func(err error)
	// onAligned is told of every alignment that is shown, and whether it is of the files as a whole.
	onAligned func(a *alignment, whole bool)
	onByte    func(side int, offset int64) // the user went to a byte
}

// pauseBefore is how long the selection stays before something is read for it.
const pauseBefore = 60 * time.Millisecond

// unaskedMost is how many bytes are aligned without being asked to.
const unaskedMost = 512 << 20

const (
	bytesOfSelection = "Selection"
	bytesOfFiles     = "Whole files"
)

func newBytesPane(in host.Host, style *paint.Style, group *work.Group) *bytesPane {
	b := &bytesPane{host: in, group: group, lane: group.Lane()}
	for i := range b.views {
		h := hex.New(in, style, nil)
		h.OnScroll = func() { b.views[1-i].Follow(h) }
		h.OnSelect = func(offset int64) {
			b.views[1-i].SetCaret(offset)
			b.views[1-i].Follow(h)
			if b.present != nil && b.onByte != nil {
				if at, _, there := (half{a: b.present, side: i}).Place(offset); there {
					b.onByte(i, at)
				}
			}
		}
		h.OnRange = func(offset, length int64) { b.views[1-i].SetRange(offset, length) }
		h.Tint = func(offset, length int64) []hex.Mark {
			if b.present == nil {
				return nil
			}
			return half{a: b.present, side: i}.marks(offset, length)
		}
		h.OnError = func(err error) {
			if b.onError != nil {
				b.onError(err)
			}
		}
		b.views[i] = h
	}
	choices := []string{bytesOfSelection, bytesOfFiles}
	b.choice = widget.NewRadioGroup(choices, func(s string) { b.choose(s == bytesOfFiles) })
	b.choice.Horizontal = true
	b.choice.Required = true
	b.choice.Selected = bytesOfSelection
	b.info = widget.NewLabel("")
	b.info.Truncation = fyne.TextTruncateEllipsis
	title := widget.NewLabelWithStyle("Bytes", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head := look.Head(container.NewBorder(nil, nil, title, b.choice, b.info))
	b.content = container.NewBorder(head, nil, nil, nil, container.NewGridWithColumns(2, b.views[0], b.views[1]))
	return b
}

// set shows another comparison.
func (b *bytesPane) set(c *compare.Comparison) {
	b.lane.Stop()
	b.c, b.pair, b.whole, b.going = c, nil, nil, nil
	b.show(nil)
	if c != nil && c.BytesOnly {
		b.choice.Selected, b.inWhole = bytesOfFiles, true
		b.choice.Refresh()
	}
}

func (b *bytesPane) choose(whole bool) {
	if whole == b.inWhole {
		return
	}
	b.inWhole = whole
	b.refresh()
}

// setWhole switches to the files as a whole or back.
func (b *bytesPane) setWhole(whole bool) {
	b.inWhole = whole
	b.choice.Selected = bytesOfSelection
	if whole {
		b.choice.Selected = bytesOfFiles
	}
	b.choice.Refresh()
}

// selectPair shows the bytes of a pair.
func (b *bytesPane) selectPair(p *compare.Pair) {
	b.pair = p
	b.refresh()
}

// showOffset shows a byte of one of the files, among all of them.
func (b *bytesPane) showOffset(side int, offset int64) {
	b.setWhole(true)
	b.going = func(a *alignment) {
		at := a.place(side, offset)
		b.views[side].SetCaret(at)
		b.views[1-side].SetCaret(at)
		b.views[side].ScrollTo(at)
		b.views[1-side].Follow(b.views[side])
	}
	b.refresh()
}

// spans of a pair in both files.
func (b *bytesPane) spans() (old, new model.Span) {
	if b.pair == nil {
		return model.Span{Size: b.c.Old.Source.Size()}, model.Span{Size: b.c.New.Source.Size()}
	}
	in := func(n *model.Node, src *model.Source) model.Span {
		if n == nil {
			return model.Span{}
		}
		from := min(max(n.Offset, 0), src.Size())
		return model.Span{Offset: from, Size: min(max(n.Size, 0), src.Size()-from)}
	}
	return in(b.pair.Old, b.c.Old.Source), in(b.pair.New, b.c.New.Source)
}

// refresh aligns what is to be shown, in the background.
func (b *bytesPane) refresh() {
	if b.c == nil {
		return
	}
	c, whole := b.c, b.inWhole
	old, new := b.spans()
	if whole {
		if b.whole != nil {
			b.lane.Stop()
			b.show(b.whole)
			b.light(old, new)
			return
		}
		old, new = model.Span{Size: c.Old.Source.Size()}, model.Span{Size: c.New.Source.Size()}
	} else if old.Size > 0 && new.Size > 0 && old.Size+new.Size > unaskedMost {
		b.lane.Stop()
		b.show(nil)
		b.info.SetText(where(old) + ", " + where(new) + ": choose “" + bytesOfFiles + "” to align as much")
		return
	}
	b.lane.Go(func(ctx context.Context) func() {
		if !b.group.Pause(ctx, pauseBefore) {
			return nil
		}
		a, err := alignSpans(ctx, c, old, new, b.group.Progress(ctx, func(done, total int64) {
			b.host.Busy("Aligning bytes", float64(done)/float64(max(1, total)), func() {
				b.lane.Stop()
				b.host.Busy("", 0, nil)
				b.setWhole(false)
			})
		}))
		return func() {
			b.host.Busy("", 0, nil)
			if err != nil {
				b.show(nil)
				if b.onError != nil {
					b.onError(err)
				}
				return
			}
			if whole {
				b.whole = a
			}
			b.show(a)
			if whole {
				b.light(b.spans())
			} else {
				b.first(a)
			}
		}
	})
}

// show puts an alignment into the views.
func (b *bytesPane) show(a *alignment) {
	if a == b.present && a != nil {
		return
	}
	b.present = a
	if a == nil {
		b.views[0].SetData(nil)
		b.views[1].SetData(nil)
		b.info.SetText("")
		return
	}
	b.views[0].SetData(half{a, b.c.Old.Source, 0, b.group.AtOnce()})
	b.views[1].SetData(half{a, b.c.New.Source, 1, b.group.AtOnce()})
	b.info.SetText(a.summary())
	if b.onAligned != nil {
		b.onAligned(a, a == b.whole)
	}
}

// showPlace goes to a place of the view.
func (b *bytesPane) showPlace(at int64) {
	for _, h := range b.views {
		h.SetCaret(at)
	}
	b.views[0].ScrollTo(at)
	b.views[1].Follow(b.views[0])
}

// first shows the first difference.
func (b *bytesPane) first(a *alignment) {
	for _, s := range a.stretches {
		if !s.same {
			for _, h := range b.views {
				h.SetCaret(s.at)
			}
			b.views[0].ScrollToSpan(s.at, s.n)
			b.views[1].Follow(b.views[0])
			return
		}
	}
}

// light marks the selected pair among all bytes, and goes to it.
func (b *bytesPane) light(old, new model.Span) {
	a := b.present
	if b.going != nil {
		b.going(a)
		b.going = nil
		return
	}
	for i, s := range []model.Span{old, new} {
		if s.Size == 0 {
			b.views[i].Light(0, 0)
			continue
		}
		at := a.place(i, s.Offset)
		b.views[i].Light(at, a.place(i, s.End()-1)+1-at)
	}
	side, s := 1, new
	if s.Size == 0 {
		side, s = 0, old
	}
	if s.Size == 0 || b.pair == nil || b.pair.Parent() == nil {
		b.first(a)
		return
	}
	at := a.place(side, s.Offset)
	b.showPlace(at)
}

// summary says how much differs.
func (a *alignment) summary() string {
	s := fmt.Sprintf("%s, %s", where(a.old), where(a.new))
	switch {
	case a.old.Size == 0 && a.new.Size == 0:
		return "no bytes"
	case a.old.Size == 0:
		return "only in the new file: " + where(a.new)
	case a.new.Size == 0:
		return "only in the old file: " + where(a.old)
	case a.old == a.new:
		s = where(a.new)
	}
	if a.edits == 0 {
		return s + ": the same bytes"
	}
	return fmt.Sprintf("%s: %s in %s", s, bytesDiffer(a.differ), wording.Count(int64(a.edits), "place"))
}

func bytesDiffer(n int64) string {
	if n == 1 {
		return "1 byte differs"
	}
	return wording.Number(n) + " bytes differ"
}

func where(s model.Span) string {
	return fmt.Sprintf("%s at %#x", wording.Count(s.Size, "byte"), s.Offset)
}

func (b *bytesPane) close() {
	for _, h := range b.views {
		h.Close()
	}
}
