package doc

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/field"
	"assay/ui/hex"
	"assay/ui/table"
	"assay/ui/wording"
)

// hitsMax is how many results are listed.
const hitsMax = 10_000

// way is a way to read what is searched for.
type way struct {
	name    string
	hint    string
	pattern func(text string, matchCase bool) (*find.Pattern, error)
}

func textWay(name string, e find.Encoding) way {
	return way{name, "Text to find", func(text string, c bool) (*find.Pattern, error) { return find.Text(text, e, c) }}
}

func numberWay(name string, n find.Numeric) way {
	return way{name, "Number to find, such as 1024, 0x400 or -1.5", func(text string, _ bool) (*find.Pattern, error) { return find.Number(text, n) }}
}

var ways = []way{
	textWay("Text", find.AnyText),
	textWay("Text UTF-8", find.UTF8),
	textWay("Text UTF-16 LE", find.UTF16LE),
	textWay("Text UTF-16 BE", find.UTF16BE),
	{"Bytes", "Bytes to find, such as 7f 45 ?? 46", func(text string, _ bool) (*find.Pattern, error) { return find.Hex(text) }},
	numberWay("Integer", find.AnyInteger),
	numberWay("Integer 8 bit", find.Integer8),
	numberWay("Integer 16 bit", find.Integer16),
	numberWay("Integer 32 bit", find.Integer32),
	numberWay("Integer 64 bit", find.Integer64),
	numberWay("Float", find.AnyFloat),
	numberWay("Float 32 bit", find.Float32),
	numberWay("Float 64 bit", find.Float64),
}

// search is the bar above the hex view that finds, and the one that goes to an offset.
type search struct {
	p       *Pane
	field   *field.Field
	kind    *widget.Select
	exact   *hintedCheck
	info    *answered
	findBar fyne.CanvasObject

	goField *field.Field
	goInfo  *answered
	goBar   fyne.CanvasObject

	present model.Span // the hit that is shown
}

func (s *search) init(p *Pane) {
	s.p = p
	s.field = field.New(parts{p: p}, ways[0].hint)
	s.field.OnKey = s.fieldKey
	var names []string
	for _, w := range ways {
		names = append(names, w.name)
	}
	s.kind = widget.NewSelect(names, func(string) { s.field.SetPlaceHolder(s.way().hint) })
	s.kind.SetSelectedIndex(0)
	s.exact = newHintedCheck("Aa", "Match case", p.hint)
	s.info = newAnswered(s.field)
	all := widget.NewButton("Find All", p.FindAll)
	shut := func() fyne.CanvasObject {
		return newHintedButton(theme.CancelIcon(), "Close (Esc)", p.hint, p.closeTools)
	}
	buttons := container.NewHBox(s.exact,
		newHintedButton(theme.MoveUpIcon(), "Find the one before (Shift+Enter)", p.hint, p.FindPrevious),
		newHintedButton(theme.MoveDownIcon(), "Find the next one (Enter)", p.hint, p.FindNext), all)
	s.findBar = newBar(&line{lead: s.kind, main: s.info.box, tail: buttons, end: shut(), least: findLeast})

	s.goField = field.New(parts{p: p}, "Offset: 0x1a4, 420, +16, -0x10, end-16, 50%")
	s.goInfo = newAnswered(s.goField)
	s.goField.OnChanged = func(string) { s.previewOffset() }
	s.goField.OnKey = s.goKey
	s.goBar = newBar(&line{lead: widget.NewLabel("Go to"), main: s.goInfo.box, end: shut()})
}

func (s *search) way() way { return ways[max(0, s.kind.SelectedIndex())] }

func (s *search) fieldKey(ev *fyne.KeyEvent, shift bool) bool {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if shift {
			s.p.FindPrevious()
		} else {
			s.p.FindNext()
		}
		return true
	case fyne.KeyF3:
		if shift {
			s.p.FindPrevious()
		} else {
			s.p.FindNext()
		}
		return true
	case fyne.KeyEscape:
		s.p.closeTools()
		return true
	}
	return false
}

// Find shows the bar for finding bytes.
func (p *Pane) Find() {
	p.showTools(p.search.findBar)
	p.search.field.Focus(p.tree)
}

// GoToOffset shows the bar for going to an offset.
func (p *Pane) GoToOffset() {
	p.showTools(p.search.goBar)
	p.search.goField.Focus(p.tree)
	p.search.previewOffset()
}

func (p *Pane) showTools(bar fyne.CanvasObject) {
	p.showHex()
	if len(p.tools.Objects) == 1 && p.tools.Objects[0] == bar {
		return
	}
	p.tools.Objects = []fyne.CanvasObject{bar}
	p.tools.Refresh()
	p.centreAt.Refresh()
	for _, o := range p.centreAt.Objects {
		o.Refresh()
	}
}

func (p *Pane) closeTools() {
	p.finding.Stop()
	p.busy("", 0, nil)
	p.tools.Objects = nil
	p.tools.Refresh()
	for _, o := range p.centreAt.Objects {
		o.Refresh()
	}
	p.hex.Focus()
}

// wanted is what is searched for; nil if that has yet to be said, and the user is told so.
func (s *search) wanted() *find.Pattern {
	if s.field.Text == "" {
		s.p.Find()
		return nil
	}
	pattern, err := s.way().pattern(s.field.Text, s.exact.Checked)
	if err != nil {
		s.say(wording.Sentence(err))
		s.p.hint(wording.Sentence(err)) // whole: there is little room in the bar
		return nil
	}
	return pattern
}

// FindNext goes to the next hit, from the beginning again behind the last one.
func (p *Pane) FindNext() { p.findFrom(true) }

// FindPrevious goes to the hit before, from the end again before the first one.
func (p *Pane) FindPrevious() { p.findFrom(false) }

func (p *Pane) findFrom(forward bool) {
	s, data := &p.search, p.doc.Source
	pattern := s.wanted()
	if pattern == nil {
		return
	}
	at := p.hex.Caret()
	if s.present.Size > 0 && s.present.Offset == at && forward {
		at++
	}
	s.say("")
	p.finding.Go(func(ctx context.Context) func() {
		progress := p.searching(ctx)
		var hit model.Span
		var ok, wrapped bool
		var err error
		if forward {
			hit, ok, err = pattern.Next(ctx, data, at, progress)
			if !ok && ctx.Err() == nil && at > 0 {
				wrapped = true
				hit, ok, _ = pattern.Next(ctx, data, 0, progress)
			}
		} else {
			hit, ok, err = pattern.Previous(ctx, data, at, progress)
			if !ok && ctx.Err() == nil {
				wrapped = true
				hit, ok, _ = pattern.Previous(ctx, data, data.Size(), progress)
			}
		}
		return func() {
			p.busy("", 0, nil)
			switch {
			case !ok && err != nil:
				p.complain(err)
			case !ok:
				s.present = model.Span{}
				s.say("Not found")
			default:
				p.showSpan(hit)
				s.say(fmt.Sprintf("%#x", hit.Offset))
				if wrapped && forward {
					s.say("From the start")
				} else if wrapped {
					s.say("From the end")
				}
			}
		}
	})
}

func (p *Pane) searching(ctx context.Context) model.Progress {
	return p.group.Progress(ctx, func(done, total int64) {
		p.busy("Searching", float64(done)/float64(max(1, total)), func() {
			p.finding.Stop()
			p.busy("", 0, nil)
		})
	})
}

// showSpan shows a hit and selects the leaf that owns it.
func (p *Pane) showSpan(hit model.Span) {
	p.search.present = hit
	p.showHex()
	p.hex.SetCaret(hit.Offset)
	p.hex.ScrollToSpan(hit.Offset, hit.Size)
	p.chooseByte(hit.Offset)
	p.hex.Refresh()
}

// FindAll lists every hit.
func (p *Pane) FindAll() {
	s, data := &p.search, p.doc.Source
	pattern := s.wanted()
	if pattern == nil {
		return
	}
	s.say("")
	p.finding.Go(func(ctx context.Context) func() {
		hits, more, err := pattern.All(ctx, data, hitsMax, p.searching(ctx))
		return func() {
			p.busy("", 0, nil)
			if err != nil && len(hits) == 0 {
				p.complain(err)
				return
			}
			s.say(wording.Count(len(hits), "hit"))
			if more {
				s.say("First " + wording.Count(len(hits), "hit"))
			}
			p.drawer.hits.set(hits, more)
			p.drawer.results.SetData(p.drawer.hits)
			if len(hits) > 0 || p.drawer.isOpen() {
				p.drawer.open(resultList)
			}
			p.hex.Refresh()
		}
	})
}

func (p *Pane) showHit(row int) {
	if row >= 0 && row < len(p.drawer.hits.spans) {
		p.showSpan(p.drawer.hits.spans[row])
	}
}

func (s *search) say(text string) { s.info.say(text) }

func (s *search) forget() {
	s.present = model.Span{}
	if s.p.drawer != nil {
		s.p.drawer.hits.set(nil, false)
	}
}

// marks gives the hits in a range.
func (s *search) marks(from, to int64) []hex.Mark {
	var out []hex.Mark
	hits := s.p.drawer.hits.spans
	for i := sort.Search(len(hits), func(i int) bool { return hits[i].End() > from }); i < len(hits) && hits[i].Offset < to; i++ {
		out = append(out, hex.Mark{Offset: hits[i].Offset, Length: hits[i].Size, Kind: hex.Hit})
	}
	if h := s.present; h.Size > 0 && h.Offset < to && h.End() > from {
		out = append(out, hex.Mark{Offset: h.Offset, Length: h.Size, Kind: hex.CurrentHit})
	}
	return out
}

func (s *search) previewOffset() {
	if strings.TrimSpace(s.goField.Text) == "" {
		s.goInfo.say("")
		return
	}
	off, err := find.Offset(s.goField.Text, s.p.hex.Caret(), s.p.doc.Source.Size())
	if err != nil {
		s.goInfo.say("")
		return
	}
	s.goInfo.say(fmt.Sprintf("%#x", off))
}

func (s *search) goKey(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		s.p.closeTools()
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		off, err := find.Offset(s.goField.Text, s.p.hex.Caret(), s.p.doc.Source.Size())
		if err != nil {
			s.p.complain(err)
			return true
		}
		s.p.closeTools()
		s.p.GoTo(off)
		return true
	}
	return false
}

// hitList is what a search found, as a table sees it. What a row shows of the bytes is read when it is in view.
type hitList struct {
	p     *Pane
	spans []model.Span
	more  bool
	texts map[int][2]string
}

func (h *hitList) set(spans []model.Span, more bool) {
	h.spans, h.more = spans, more
	h.texts = make(map[int][2]string)
}

// Len is the number of hits.
func (h *hitList) Len() int { return len(h.spans) }

// Cell gives one of them.
func (h *hitList) Cell(row, column int) table.Cell {
	span := h.spans[row]
	if column == 0 {
		return table.Cell{Text: fmt.Sprintf("%x", span.Offset), Mono: true}
	}
	t, ok := h.texts[row]
	if !ok {
		h.describe(row)
		t = h.texts[row]
	}
	return table.Cell{Text: t[column-1], Mono: column == 1, Tone: table.Dim}
}

// describe finds in the background what a row shows.
func (h *hitList) describe(row int) {
	if len(h.texts) > 2000 {
		clear(h.texts)
	}
	h.texts[row] = [2]string{}
	span, d, texts := h.spans[row], h.p.doc, h.texts
	h.p.group.Go(func(context.Context) func() {
		from := max(0, span.Offset-4)
		around := model.Span{Offset: from, Size: min(24, d.Source.Size()-from)}
		b, _ := d.Source.Bytes(around)
		where := ""
		if n := d.Owner(span.Offset); n != nil {
			where = model.OneLine(n.PathText(), 300)
		}
		return func() {
			texts[row] = [2]string{asText(b), where}
			h.p.drawer.results.Refresh()
		}
	})
}

// asText shows bytes as a hex view's text column does.
func asText(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		out[i] = c
	}
	return string(out)
}
