// Package bytes shows the bytes of both sides of a comparison: two hex views that scroll in step, and a strip that
// shows the positions of the changes in both files.
package bytes

import (
	"context"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/comparison/compared"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Pane is two hex views that scroll in step.
type Pane struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	c     *compare.Comparison
	pair  *compare.Pair

	Views          [2]*hex.Hex
	current        *Alignment
	notes          [2]*notes.Placement
	wholeAlignment *Alignment // alignment of the whole files; nil until requested
	showsWhole     bool
	whenAligned    func(a *Alignment) // called once the alignment is ready

	choice  *widget.RadioGroup
	info    *widget.Label
	Content fyne.CanvasObject

	OnError func(err error)
	// OnAligned is called with each displayed alignment. wholeFiles is true for that of the whole files.
	OnAligned func(a *Alignment, wholeFiles bool)
}

// selectionPause is the time after a selection before its bytes are read.
const selectionPause = 60 * time.Millisecond

// maxUnasked is the maximum number of bytes that are aligned without a request.
const maxUnasked = 512 << 20

const (
	bytesOfSelection = "Selection"
	bytesOfFiles     = "Whole files"
)

// NewPane returns two hex views, which are empty until a comparison is set.
func NewPane(owner host.Host, style *paint.Style, group *work.Group) *Pane {
	b := &Pane{host: owner, group: group, lane: group.Lane()}
	for i := range b.Views {
		h := hex.New(owner, style, b.group, nil)
		h.OnScroll = func() { b.Views[1-i].Follow(h) }
		h.OnSelect = func(offset int64) {
			b.Views[1-i].SetCaret(offset)
			b.Views[1-i].Follow(h)
		}
		h.OnRange = func(offset, length int64) { b.Views[1-i].SetRange(offset, length) }
		h.Marks = func(offset, length int64) []hex.Mark {
			if b.current == nil {
				return nil
			}
			reader := sideReader{a: b.current, side: i, src: []*model.Document{b.c.Old, b.c.New}[i].Source}
			return append(reader.notes(b.notes[i], offset, length), reader.marks(offset, length)...)
		}
		h.OnError = func(err error) { b.OnError(err) }
		b.Views[i] = h
	}
	choices := []string{bytesOfSelection, bytesOfFiles}
	b.choice = widget.NewRadioGroup(choices, func(s string) { b.choose(s == bytesOfFiles) })
	b.choice.Horizontal = true
	b.choice.Required = true
	b.choice.Selected = bytesOfSelection
	b.info = widget.NewLabel("")
	b.info.Truncation = fyne.TextTruncateEllipsis
	title := widget.NewLabelWithStyle("Bytes", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head := paint.NewHeader(container.NewBorder(nil, nil, title, b.choice, b.info))
	b.Content = container.NewBorder(head, nil, nil, nil, container.NewGridWithColumns(2, b.Views[0], b.Views[1]))
	return b
}

// Set shows another comparison.
func (b *Pane) Set(c *compare.Comparison) {
	b.lane.Stop()
	b.c, b.pair, b.wholeAlignment, b.whenAligned, b.notes = c, nil, nil, nil, [2]*notes.Placement{}
	b.show(nil)
	if c.BytesOnly {
		b.setWhole(true)
	}
}

// SetNotes marks the notes of both sides.
func (b *Pane) SetNotes(placed [2]*notes.Placement) {
	b.notes = placed
	for _, h := range b.Views {
		h.Refresh()
	}
}

func (b *Pane) choose(wholeFiles bool) {
	if wholeFiles != b.showsWhole {
		b.showsWhole = wholeFiles
		b.Refresh()
	}
}

// setWhole switches to the files as a whole or back.
func (b *Pane) setWhole(wholeFiles bool) {
	b.showsWhole = wholeFiles
	b.choice.Selected = bytesOfSelection
	if wholeFiles {
		b.choice.Selected = bytesOfFiles
	}
	b.choice.Refresh()
}

// SelectPair shows the bytes of a pair.
func (b *Pane) SelectPair(p *compare.Pair) {
	b.pair = p
	b.Refresh()
}

// ShowOffset switches to the whole files and shows a byte of one.
func (b *Pane) ShowOffset(side int, offset int64) {
	b.setWhole(true)
	b.whenAligned = func(a *Alignment) { b.GoTo(a.ViewOffset(side, offset)) }
	b.Refresh()
}

// spans returns the spans of the selected pair in both files.
func (b *Pane) spans() (old, new model.Span) {
	if b.pair == nil {
		return model.Span{Size: b.c.Old.Source.Size()}, model.Span{Size: b.c.New.Source.Size()}
	}
	spanIn := func(n *model.Node, src *model.Source) model.Span {
		if n == nil {
			return model.Span{}
		}
		from := min(max(n.Offset, 0), src.Size())
		return model.Span{Offset: from, Size: min(max(n.Size, 0), src.Size()-from)}
	}
	return spanIn(b.pair.Old, b.c.Old.Source), spanIn(b.pair.New, b.c.New.Source)
}

// Refresh aligns the current bytes in the background.
func (b *Pane) Refresh() {
	if b.c == nil {
		return
	}
	c, wholeFiles := b.c, b.showsWhole
	old, new := b.spans()
	if wholeFiles {
		if b.wholeAlignment != nil {
			b.lane.Stop()
			b.show(b.wholeAlignment)
			b.highlightPair(old, new)
			return
		}
		old, new = model.Span{Size: c.Old.Source.Size()}, model.Span{Size: c.New.Source.Size()}
	} else if old.Size > 0 && new.Size > 0 && old.Size+new.Size > maxUnasked {
		b.lane.Stop()
		b.show(nil)
		b.info.SetText(compared.SpanText(old) + ", " + compared.SpanText(new) + ": too large to align; choose “" + bytesOfFiles + "”")
		return
	}
	b.lane.Go(func(ctx context.Context) func() {
		if !b.group.Pause(ctx, selectionPause) {
			return nil
		}
		a, err := alignBytes(ctx, c, old, new, b.group.Progress(ctx, func(done, total int64) {
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
				b.OnError(err)
				return
			}
			if wholeFiles {
				b.wholeAlignment = a
			}
			b.show(a)
			if wholeFiles {
				b.highlightPair(b.spans())
			} else {
				b.showFirst(a)
			}
		}
	})
}

// show displays an alignment.
func (b *Pane) show(a *Alignment) {
	if a == b.current && a != nil {
		return
	}
	b.current = a
	if a == nil {
		b.Views[0].SetData(nil)
		b.Views[1].SetData(nil)
		b.info.SetText("")
		return
	}
	b.Views[0].SetData(sideReader{a, b.c.Old.Source, 0})
	b.Views[1].SetData(sideReader{a, b.c.New.Source, 1})
	b.info.SetText(a.Summary())
	b.OnAligned(a, a == b.wholeAlignment)
}

// Displayed returns the displayed alignment, which may be nil, and whether it is of the whole files.
func (b *Pane) Displayed() (a *Alignment, wholeFiles bool) {
	return b.current, b.current != nil && b.current == b.wholeAlignment
}

// GoTo moves to a position of the view.
func (b *Pane) GoTo(at int64) { b.showSpan(at, 1) }

func (b *Pane) showSpan(at, n int64) {
	for _, h := range b.Views {
		h.SetCaret(at)
	}
	b.Views[0].ScrollToSpan(at, n)
	b.Views[1].Follow(b.Views[0])
}

// showFirst shows the first difference.
func (b *Pane) showFirst(a *Alignment) {
	for at, sides := range a.Differences() {
		b.showSpan(at, max(sides[0].Size, sides[1].Size))
		return
	}
}

// Step moves to the next or previous range of bytes that differ. With wrap it starts at the other end. It returns false
// if there is none.
func (b *Pane) Step(step int, wrap bool) bool {
	if b.current == nil {
		return false
	}
	caret, target, length := b.Views[0].Caret(), int64(-1), int64(0)
	for at, sides := range b.current.Differences() {
		if step > 0 && (wrap || at > caret) || step < 0 && (wrap || at < caret) {
			target, length = at, max(sides[0].Size, sides[1].Size)
			if step > 0 {
				break
			}
		}
	}
	if target < 0 {
		return false
	}
	b.showSpan(target, length)
	return true
}

// highlightPair highlights the selected pair among all bytes, and scrolls to it.
func (b *Pane) highlightPair(old, new model.Span) {
	a := b.current
	if b.whenAligned != nil {
		b.whenAligned(a)
		b.whenAligned = nil
		return
	}
	for i, s := range []model.Span{old, new} {
		if s.Size == 0 {
			b.Views[i].Highlight(0, 0)
			continue
		}
		position := a.ViewOffset(i, s.Offset)
		b.Views[i].Highlight(position, a.ViewOffset(i, s.End()-1)+1-position)
	}
	side, s := 1, new
	if s.Size == 0 {
		side, s = 0, old
	}
	if s.Size == 0 || b.pair == nil || b.pair.Parent() == nil {
		b.showFirst(a)
		return
	}
	b.GoTo(a.ViewOffset(side, s.Offset))
}

// Summary returns the amount of differences as text.
func (a *Alignment) Summary() string {
	s := fmt.Sprintf("%s, %s", compared.SpanText(a.Old), compared.SpanText(a.New))
	switch {
	case a.Old.Size == 0 && a.New.Size == 0:
		return "no bytes"
	case a.Old.Size == 0:
		return "only in the new file: " + compared.SpanText(a.New)
	case a.New.Size == 0:
		return "only in the old file: " + compared.SpanText(a.Old)
	case a.Old == a.New:
		s = compared.SpanText(a.New)
	}
	if a.Edits == 0 {
		return s + ": identical bytes"
	}
	return fmt.Sprintf("%s: %s in %s", s, bytesDiffer(a.differentBytes), host.Count(a.Edits, "place"))
}

func bytesDiffer(n int64) string {
	if n == 1 {
		return "1 byte differs"
	}
	return host.Number(n) + " bytes differ"
}

// Close stops the reading of both views.
func (b *Pane) Close() {
	for _, h := range b.Views {
		h.Close()
	}
}
