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
	p := &Pane{host: owner, group: group, lane: group.Lane()}
	for i := range p.Views {
		h := hex.New(owner, style, p.group, nil)
		h.OnScroll = func() { p.Views[1-i].Follow(h) }
		h.OnSelect = func(offset int64) {
			p.Views[1-i].SetCaret(offset)
			p.Views[1-i].Follow(h)
		}
		h.OnRange = func(offset, length int64) { p.Views[1-i].SetRange(offset, length) }
		h.Marks = func(offset, length int64) []hex.Mark {
			if p.current == nil {
				return nil
			}
			reader := sideReader{a: p.current, side: i, src: []*model.Document{p.c.Old, p.c.New}[i].Source}
			return append(reader.notes(p.notes[i], offset, length), reader.marks(offset, length)...)
		}
		h.OnError = func(err error) { p.OnError(err) }
		p.Views[i] = h
	}
	choices := []string{bytesOfSelection, bytesOfFiles}
	p.choice = widget.NewRadioGroup(choices, func(s string) { p.choose(s == bytesOfFiles) })
	p.choice.Horizontal = true
	p.choice.Required = true
	p.choice.Selected = bytesOfSelection
	p.info = widget.NewLabel("")
	p.info.Truncation = fyne.TextTruncateEllipsis
	title := widget.NewLabelWithStyle("Bytes", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head := paint.NewHeader(container.NewBorder(nil, nil, title, p.choice, p.info))
	p.Content = container.NewBorder(head, nil, nil, nil, container.NewGridWithColumns(2, p.Views[0], p.Views[1]))
	return p
}

// Set shows another comparison.
func (p *Pane) Set(c *compare.Comparison) {
	p.lane.Stop()
	p.c, p.pair, p.wholeAlignment, p.whenAligned, p.notes = c, nil, nil, nil, [2]*notes.Placement{}
	p.show(nil)
	if c.BytesOnly {
		p.setWhole(true)
	}
}

// SetNotes marks the notes of both sides.
func (p *Pane) SetNotes(placed [2]*notes.Placement) {
	p.notes = placed
	for _, h := range p.Views {
		h.Refresh()
	}
}

func (p *Pane) choose(wholeFiles bool) {
	if wholeFiles != p.showsWhole {
		p.showsWhole = wholeFiles
		p.Refresh()
	}
}

// setWhole switches to the files as a whole or back.
func (p *Pane) setWhole(wholeFiles bool) {
	p.showsWhole = wholeFiles
	p.choice.Selected = bytesOfSelection
	if wholeFiles {
		p.choice.Selected = bytesOfFiles
	}
	p.choice.Refresh()
}

// SelectPair shows the bytes of a pair.
func (p *Pane) SelectPair(pair *compare.Pair) {
	p.pair = pair
	p.Refresh()
}

// ShowOffset switches to the whole files and shows a byte of one.
func (p *Pane) ShowOffset(side int, offset int64) {
	p.setWhole(true)
	p.whenAligned = func(a *Alignment) { p.GoTo(a.ViewOffset(side, offset)) }
	p.Refresh()
}

// spans returns the spans of the selected pair in both files.
func (p *Pane) spans() (old, new model.Span) {
	if p.pair == nil {
		return model.Span{Size: p.c.Old.Source.Size()}, model.Span{Size: p.c.New.Source.Size()}
	}
	spanIn := func(n *model.Node, src *model.Source) model.Span {
		if n == nil {
			return model.Span{}
		}
		from := min(max(n.Offset, 0), src.Size())
		return model.Span{Offset: from, Size: min(max(n.Size, 0), src.Size()-from)}
	}
	return spanIn(p.pair.Old, p.c.Old.Source), spanIn(p.pair.New, p.c.New.Source)
}

// Refresh aligns the current bytes in the background.
func (p *Pane) Refresh() {
	if p.c == nil {
		return
	}
	c, wholeFiles := p.c, p.showsWhole
	old, new := p.spans()
	if wholeFiles {
		if p.wholeAlignment != nil {
			p.lane.Stop()
			p.show(p.wholeAlignment)
			p.highlightPair(old, new)
			return
		}
		old, new = model.Span{Size: c.Old.Source.Size()}, model.Span{Size: c.New.Source.Size()}
	} else if old.Size > 0 && new.Size > 0 && old.Size+new.Size > maxUnasked {
		p.lane.Stop()
		p.show(nil)
		p.info.SetText(compared.SpanText(old) + ", " + compared.SpanText(new) + ": too large to align; choose “" + bytesOfFiles + "”")
		return
	}
	p.lane.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, selectionPause) {
			return nil
		}
		a, err := alignBytes(ctx, c, old, new, p.group.Progress(ctx, func(done, total int64) {
			p.host.Busy("Aligning bytes", float64(done)/float64(max(1, total)), func() {
				p.lane.Stop()
				p.host.Busy("", 0, nil)
				p.setWhole(false)
			})
		}))
		return func() {
			p.host.Busy("", 0, nil)
			if err != nil {
				p.show(nil)
				p.OnError(err)
				return
			}
			if wholeFiles {
				p.wholeAlignment = a
			}
			p.show(a)
			if wholeFiles {
				p.highlightPair(p.spans())
			} else {
				p.showFirst(a)
			}
		}
	})
}

// show displays an alignment.
func (p *Pane) show(a *Alignment) {
	if a == p.current && a != nil {
		return
	}
	p.current = a
	if a == nil {
		p.Views[0].SetData(nil)
		p.Views[1].SetData(nil)
		p.info.SetText("")
		return
	}
	p.Views[0].SetData(sideReader{a, p.c.Old.Source, 0})
	p.Views[1].SetData(sideReader{a, p.c.New.Source, 1})
	p.info.SetText(a.Summary())
	p.OnAligned(a, a == p.wholeAlignment)
}

// Displayed returns the displayed alignment, which may be nil, and whether it is of the whole files.
func (p *Pane) Displayed() (a *Alignment, wholeFiles bool) {
	return p.current, p.current != nil && p.current == p.wholeAlignment
}

// GoTo moves to a position of the view.
func (p *Pane) GoTo(at int64) { p.showSpan(at, 1) }

func (p *Pane) showSpan(at, n int64) {
	for _, h := range p.Views {
		h.SetCaret(at)
	}
	p.Views[0].ScrollToSpan(at, n)
	p.Views[1].Follow(p.Views[0])
}

// showFirst shows the first difference.
func (p *Pane) showFirst(a *Alignment) {
	for at, sides := range a.Differences() {
		p.showSpan(at, max(sides[0].Size, sides[1].Size))
		return
	}
}

// Step moves to the next or previous range of bytes that differ. With wrap it starts at the other end. It returns false
// if there is none.
func (p *Pane) Step(step int, wrap bool) bool {
	if p.current == nil {
		return false
	}
	caret, target, length := p.Views[0].Caret(), int64(-1), int64(0)
	for at, sides := range p.current.Differences() {
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
	p.showSpan(target, length)
	return true
}

// highlightPair highlights the selected pair among all bytes, and scrolls to it.
func (p *Pane) highlightPair(old, new model.Span) {
	a := p.current
	if p.whenAligned != nil {
		p.whenAligned(a)
		p.whenAligned = nil
		return
	}
	for i, s := range []model.Span{old, new} {
		if s.Size == 0 {
			p.Views[i].Highlight(0, 0)
			continue
		}
		position := a.ViewOffset(i, s.Offset)
		p.Views[i].Highlight(position, a.ViewOffset(i, s.End()-1)+1-position)
	}
	side, s := 1, new
	if s.Size == 0 {
		side, s = 0, old
	}
	if s.Size == 0 || p.pair == nil || p.pair.Parent() == nil {
		p.showFirst(a)
		return
	}
	p.GoTo(a.ViewOffset(side, s.Offset))
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
func (p *Pane) Close() {
	for _, h := range p.Views {
		h.Close()
	}
}
