package doc

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/control"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// maxHits is the maximum number of listed matches.
const maxHits = 10_000

// search is the bar above the hex view for finding bytes.
type search struct {
	pane    *Pane
	lane    *work.Lane
	hits    *hits
	matches searchMatches

	field           *control.Field
	interpretations *control.Select
	matchCase       *control.Check
	annotated       *annotatedField
	bar             fyne.CanvasObject

	kindChosen, settingKind bool // the user chose the interpretation; the program is setting it
}

// minFindWidth is the minimum width of the field beside the other controls, in device-independent pixels.
const minFindWidth = 170

func newSearch(p *Pane) *search {
	s := &search{pane: p, lane: p.group.Lane(), hits: p.hits}
	s.field = control.NewField(p, find.Interpretations[0].Hint)
	s.field.OnKey = s.key
	var names []string
	for _, w := range find.Interpretations {
		names = append(names, w.Name)
	}
	s.interpretations = control.NewSelect(s.key, names, func(string) {
		s.field.SetPlaceHolder(s.interpretation().Hint)
		s.kindChosen = !s.settingKind
	})
	s.setInterpretation(0)
	s.field.OnChanged = s.typed
	s.matchCase = control.NewCheck(s.key, "Aa", nil).SetHint("Match case", p.ShowHint)
	s.annotated = newAnnotatedField(p, s.field)
	buttons := container.NewHBox(s.matchCase,
		control.NewIcon(p, theme.MoveUpIcon(), "Find previous (Shift+Enter)", s.FindPrevious),
		control.NewIcon(p, theme.MoveDownIcon(), "Find next (Enter)", s.FindNext),
		control.NewButton(p.Key, "Find All", nil, s.FindAll))
	closeButton := control.NewIcon(p, theme.CancelIcon(), "Close (Esc)", p.closeTools)
	s.bar = newBar(&fieldRow{lead: s.interpretations, main: s.annotated.box, tail: buttons, end: closeButton,
		minWidth: minFindWidth})
	return s
}

// typed selects the interpretation of the pattern: bytes if it looks like hex, until the user chooses one.
func (s *search) typed(text string) {
	if s.kindChosen {
		return
	}
	i := 0
	if find.LooksHex(text) {
		i = slices.IndexFunc(find.Interpretations, func(w find.Interpretation) bool { return w.ID == find.HexID })
	}
	if i != s.interpretations.SelectedIndex() {
		s.setInterpretation(i)
	}
}

// setInterpretation sets the interpretation.
func (s *search) setInterpretation(i int) {
	s.settingKind = true
	s.interpretations.SetSelectedIndex(i)
	s.settingKind = false
}

func (s *search) interpretation() *find.Interpretation {
	return &find.Interpretations[max(0, s.interpretations.SelectedIndex())]
}

func (s *search) key(ev *fyne.KeyEvent, shift bool) bool {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if shift {
			s.FindPrevious()
		} else {
			s.FindNext()
		}
		return true
	case fyne.KeyEscape:
		s.pane.closeTools()
		return true
	}
	return false
}

// pattern returns the search pattern. It returns nil and notifies the user if there is none or it is invalid.
func (s *search) pattern() *find.Pattern {
	if s.field.Text == "" {
		s.pane.Find()
		return nil
	}
	pattern, err := s.interpretation().Pattern(s.field.Text, find.PatternOptions{MatchCase: s.matchCase.Checked})
	if err != nil {
		s.annotated.setCaption(host.Sentence(err))
		s.pane.ShowHint(host.Sentence(err)) // the bar may cut the message off
		return nil
	}
	s.annotated.setCaption("")
	return pattern
}

// FindNext selects the next match. After the last one it continues at the start.
func (s *search) FindNext() {
	caret := s.pane.bytes.hex.Caret()
	if s.hits.current.Size > 0 && s.hits.current.Offset == caret {
		caret++
	}
	s.find((*find.Pattern).Next, caret, 0, "Wrapped to the start")
}

// FindPrevious selects the previous match. Before the first one it continues at the end.
func (s *search) FindPrevious() {
	s.find((*find.Pattern).Previous, s.pane.bytes.hex.Caret(), s.hits.doc.Source.Size(), "Wrapped to the end")
}

// finder is a search in one direction.
type finder func(p *find.Pattern, ctx context.Context, data find.Data, offset int64,
	progress model.Progress) (model.Span, bool, error)

// find selects the next match from offset start or, if there is none, from offset wrapStart. It then displays wrapNote.
func (s *search) find(next finder, start, wrapStart int64, wrapNote string) {
	data, pattern := s.hits.doc.Source, s.pattern()
	if pattern == nil {
		return
	}
	all := s.currentMatches()
	s.lane.Go(func(ctx context.Context) func() {
		progress := s.progress(ctx)
		hit, ok, err := next(pattern, ctx, data, start, progress)
		suffix := ""
		if !ok && ctx.Err() == nil && start != wrapStart {
			suffix = " · " + wrapNote
			hit, ok, _ = next(pattern, ctx, data, wrapStart, progress)
		}
		if ok {
			s.pane.group.Do(ctx, func() { s.pane.ShowHit(hit) }) // before all matches are counted
			if all.spans == nil {
				all.spans, all.truncated, _ = pattern.All(ctx, data, maxHits, progress)
			}
		}
		return func() {
			s.pane.Busy("", 0, nil)
			switch {
			case ok:
				s.matches = all
				s.annotated.setCaption(all.ordinal(hit) + suffix)
			case err != nil:
				notifyError(s.pane, err)
			default:
				s.hits.current = model.Span{}
				s.annotated.setCaption("No matches")
			}
		}
	})
}

// searchMatches is the matches of a search; the first maxHits are known.
type searchMatches struct {
	data           *model.Source
	text           string
	interpretation *find.Interpretation
	matchCase      bool

	spans     []model.Span
	truncated bool
}

// currentMatches returns the matches of the current search, without spans if they are not counted yet.
func (s *search) currentMatches() searchMatches {
	c := searchMatches{data: s.hits.doc.Source, text: s.field.Text, interpretation: s.interpretation(),
		matchCase: s.matchCase.Checked}
	if a := s.matches; a.data == c.data && a.text == c.text && a.interpretation == c.interpretation &&
		a.matchCase == c.matchCase {
		return a
	}
	return c
}

// ordinal returns the number of a match among all, such as "3 of 17", or its offset if it is not among the known ones.
func (c searchMatches) ordinal(hit model.Span) string {
	i, ok := slices.BinarySearchFunc(c.spans, hit.Offset, func(s model.Span, offset int64) int {
		return cmp.Compare(s.Offset, offset)
	})
	if !ok {
		return fmt.Sprintf("%#x", hit.Offset)
	}
	text := host.Number(i+1) + " of " + host.Number(len(c.spans))
	if c.truncated {
		text += "+"
	}
	return text
}

func (s *search) progress(ctx context.Context) model.Progress {
	return s.pane.group.Progress(ctx, func(done, total int64) {
		s.pane.Busy("Searching", float64(done)/float64(max(1, total)), s.stop)
	})
}

func (s *search) stop() {
	s.lane.Stop()
	s.pane.Busy("", 0, nil)
}

// FindAll lists the matches, at most maxHits.
func (s *search) FindAll() {
	data, pattern := s.hits.doc.Source, s.pattern()
	if pattern == nil {
		return
	}
	s.lane.Go(func(ctx context.Context) func() {
		hits, truncated, err := pattern.All(ctx, data, maxHits, s.progress(ctx))
		return func() {
			s.pane.Busy("", 0, nil)
			if err != nil && len(hits) == 0 {
				notifyError(s.pane, err)
				return
			}
			text := host.Count(len(hits), "match")
			switch {
			case len(hits) == 0:
				text = "No matches"
			case truncated:
				text = "First " + text
			}
			s.annotated.setCaption(text)
			s.hits.set(hits, truncated)
			if s.hits.rows.Len() > 0 || s.pane.bottom.isOpen() {
				s.pane.bottom.open(&s.hits.list)
			}
			s.pane.bytes.hex.Refresh()
		}
	})
}

// hits lists the matches of a search. The bytes of a row are read once it is visible.
type hits struct {
	list
	rows *rows.List[model.Span]
	doc  *model.Document

	truncated bool
	texts     *work.Lookup[model.Span, [2]string] // the bytes of a match, and their position
	current   model.Span                          // the selected match
}

func newHits(h host.Host, style *paint.Style, group *work.Group, show func(s model.Span)) *hits {
	l := new(hits)
	l.rows = rows.NewList(h, style, listOptions,
		rows.ListColumn[model.Span]{Title: "Offset", Width: 72, Align: paint.AlignRight,
			Cell: func(s model.Span) rows.Cell { return rows.Cell{Text: fmt.Sprintf("%#x", s.Offset), Mono: true} }},
		rows.ListColumn[model.Span]{Title: "Bytes", Width: 230,
			Cell: func(s model.Span) rows.Cell {
				return rows.Cell{Text: l.textsOf(s)[0], Mono: true, Tone: paint.Dim}
			}},
		rows.ListColumn[model.Span]{Title: "In", Width: 200,
			Cell: func(s model.Span) rows.Cell { return rows.Cell{Text: l.textsOf(s)[1], Tone: paint.Dim} }})
	table := l.rows.Table
	table.OnCurrent = func(row int) { show(l.rows.Items[row]) }
	table.OnActivate = table.OnCurrent
	l.texts = work.NewLookup[model.Span, [2]string](group, table.Refresh)
	l.list = list{"Results", table, table, l.count}
	return l
}

func (l *hits) count() string {
	switch n := l.rows.Len(); {
	case n == 0:
		return ""
	case l.truncated:
		return host.Number(n) + "+"
	default:
		return host.Number(n)
	}
}

func (l *hits) set(spans []model.Span, truncated bool) {
	l.truncated = truncated
	l.texts.Forget()
	l.rows.Set(spans)
}

func (l *hits) setDocument(d *model.Document) {
	l.doc, l.current = d, model.Span{}
	l.set(nil, false)
}

// marks returns the hits in a range.
func (l *hits) marks(from, to int64) []hex.Mark {
	var out []hex.Mark
	spans := l.rows.Items
	for i := sort.Search(len(spans), func(i int) bool { return spans[i].End() > from }); i < len(spans) &&
		spans[i].Offset < to; i++ {
		out = append(out, hex.Mark{Offset: spans[i].Offset, Length: spans[i].Size, Kind: hex.Hit})
	}
	if h := l.current; h.Size > 0 && h.Offset < to && h.End() > from {
		out = append(out, hex.Mark{Offset: h.Offset, Length: h.Size, Kind: hex.CurrentHit})
	}
	return out
}

// textsOf returns the bytes of a match with their context, and their position; "" until they are known.
func (l *hits) textsOf(span model.Span) [2]string {
	d := l.doc
	return l.texts.Of(span, func() [2]string {
		from := max(0, span.Offset-4)
		b, _ := d.Source.Bytes(model.Span{Offset: from, Size: min(24, d.Source.Size()-from)})
		location := ""
		if n := d.Owner(span.Offset); n != nil {
			location = model.OneLine(n.TitlePath(), 300)
		}
		return [2]string{host.ASCII(b), location}
	})
}

// goToBar is the bar above the hex view for going to an offset.
type goToBar struct {
	pane      *Pane
	field     *control.Field
	annotated *annotatedField
	bar       fyne.CanvasObject
}

func newGoToBar(p *Pane) *goToBar {
	g := &goToBar{pane: p, field: control.NewField(p, "Offset: 0x1a4, 420, +16, -0x10, end-16, 50%")}
	g.annotated = newAnnotatedField(p, g.field)
	g.field.OnChanged = func(string) { g.preview() }
	g.field.OnKey = g.key
	closeButton := control.NewIcon(p, theme.CancelIcon(), "Close (Esc)", p.closeTools)
	g.bar = newBar(&fieldRow{lead: widget.NewLabel("Go to"), main: g.annotated.box, end: closeButton})
	return g
}

func (g *goToBar) offset() (int64, error) {
	return find.ParseOffset(g.field.Text, g.pane.bytes.hex.Caret(), g.pane.doc.Source.Size())
}

// goToNotice is the ID of the notice about a wrong offset.
const goToNotice = "go to offset"

// preview displays the offset that the text means.
func (g *goToBar) preview() {
	g.pane.Notify(host.Notice{ID: goToNotice})
	text := ""
	if strings.TrimSpace(g.field.Text) != "" {
		if offset, err := g.offset(); err == nil {
			text = fmt.Sprintf("%#x", offset)
		}
	}
	g.annotated.setCaption(text)
}

func (g *goToBar) key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		g.pane.Notify(host.Notice{ID: goToNotice})
		g.pane.closeTools()
	case fyne.KeyReturn, fyne.KeyEnter:
		offset, err := g.offset()
		if err != nil {
			g.pane.Notify(host.Notice{ID: goToNotice, Level: host.Error, Text: host.Sentence(err)})
			return true
		}
		g.pane.closeTools()
		g.pane.GoTo(offset)
	default:
		return false
	}
	return true
}
