// Package text displays a text with line numbers and syntax colors. It can wrap lines, indent JSON and XML, and find
// words. The selection is reported as bytes of the file.
package text

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/text"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// View is the widget with its tools.
type View struct {
	// OnSelect is called with the bytes in the file that the user selected, with length 0 at the caret. It may be nil.
	OnSelect func(offset, length int64)

	group      *work.Group
	lane       *work.Lane // colors, or the indented text
	finding    *work.Lane
	host       host.Host
	style      *paint.Style
	setCaption func(text string)
	page       *page
	rows       *rows.Rows
	find       *control.Field
	matchLabel *widget.Label
	wrap       *control.Check
	indent     *control.Check
	content    fyne.CanvasObject

	text         *text.Text
	hits         []span
	current      int  // index of the current match; -1: no match
	anchor, head int  // the selection: where the user began, and the caret
	selectedNode span // the text of the selected node
	showsHint    bool // the hint of the line under the pointer is displayed
	problems     []model.Problem
	notes        []Note
	coloringFrom int // the first line in view that is being colored
}

// maxHits is the maximum number of matches.
const maxHits = 100_000

// New returns an empty view. Its work ends with the group. setCaption is called with a description of each text that is
// set.
func New(h host.Host, style *paint.Style, group *work.Group, setCaption func(text string)) *View {
	v := &View{group: group, lane: group.Lane(), finding: group.Lane(), host: h, style: style, setCaption: setCaption,
		page: &page{wrap: true, lines: linesOf(""), revealIndex: -1}, current: -1}
	v.page.view = v
	v.rows = rows.New(h, style, v.page, rows.Options{Plain: true, Cursor: desktop.TextCursor,
		MinSize: fyne.NewSize(80, 60)})
	v.rows.Events = rows.Events{OnPress: v.press, OnPull: v.pull, OnRelease: v.reportSelection, OnMenu: v.menu,
		OnHover: v.hover, BeforeKey: v.key, BeforeShortcut: v.shortcut,
		OnActivate: func(int64) { v.selectWord() }}
	v.page.rows = v.rows
	v.find = control.NewField(h, "Find")
	v.find.OnChanged = func(string) { v.search() }
	v.find.OnKey = func(key *fyne.KeyEvent, shift bool) bool {
		if key.Name != fyne.KeyReturn && key.Name != fyne.KeyEnter {
			return false
		}
		if shift {
			v.Next(-1)
		} else {
			v.Next(1)
		}
		return true
	}
	v.matchLabel = widget.NewLabel("")
	v.matchLabel.Importance = widget.LowImportance
	v.wrap = control.NewCheck(h.Key, "Wrap", func(on bool) {
		v.page.wrap, v.page.columns = on, 0
		v.rows.Refresh()
	})
	v.wrap.Checked = true
	v.indent = control.NewCheck(h.Key, "Indent", func(bool) { v.showText() })
	v.indent.Hide()
	tools := container.NewBorder(nil, nil, nil, container.NewHBox(v.matchLabel, v.indent, v.wrap), v.find)
	v.content = container.NewBorder(tools, nil, nil, nil, v.rows)
	return v
}

// Content returns the object to add to a panel.
func (v *View) Content() fyne.CanvasObject { return v.content }

// Focus gives the keyboard focus to the text.
func (v *View) Focus() { v.rows.Focus() }

// FocusFind gives the keyboard focus to the search field.
func (v *View) FocusFind() { v.find.Focus(v.rows) }

// Ready is a text that is prepared for display.
type Ready struct {
	text    *text.Text
	lines   lines
	colored [][]text.Piece // colored words of the first lines
}

// Load prepares a text, off the UI thread.
func Load(ctx context.Context, t *text.Text) *Ready {
	return &Ready{t, linesOf(t.Text), text.ColoredFirst(ctx, t.Language, t.Text)}
}

// Show displays a text from its beginning.
func (v *View) Show(r *Ready) {
	t := r.text
	v.text, v.problems, v.notes = t, nil, nil
	v.indent.Checked = false
	paint.SetVisible(v.indent, t.Language == text.JSON || t.Language == text.XML)
	v.indent.Refresh()
	v.set(r.lines)
	v.page.colored = r.colored
	v.setCaption(Describe(t))
	v.color(t.Text)
}

// HighlightLine highlights a line, from 1, and scrolls to it; 0 removes the highlight. isError marks the line as an
// error.
func (v *View) HighlightLine(line int, isError bool) {
	v.page.highlighted, v.page.isError = line, isError
	if line > 0 && line <= v.page.count() {
		v.page.revealIndex = v.page.starts[line-1]
	}
	v.rows.Refresh()
}

// HighlightBytes highlights the characters of a span of the file. An empty span removes the highlight.
func (v *View) HighlightBytes(bytes model.Span) {
	if v.selectedNode = (span{}); v.text == nil || v.indent.Checked {
		return
	}
	if bytes.Size > 0 {
		v.selectedNode = span{v.text.IndexAt(bytes.Offset), v.text.IndexAt(bytes.End())}
	}
	v.rows.Refresh()
}

// SetCaret selects length bytes of the file from offset, with the caret at their end, and scrolls to their start.
func (v *View) SetCaret(offset, length int64) {
	if v.text == nil || v.indent.Checked {
		return
	}
	v.anchor, v.head = v.text.IndexAt(offset), v.text.IndexAt(offset+length)
	v.page.revealIndex = v.anchor
	v.rows.Refresh()
}

// SetProblems marks the lines with problems.
func (v *View) SetProblems(all []model.Problem) {
	v.problems = all
	v.setMarks()
}

// Note is a user note on bytes of the file.
type Note struct {
	Span model.Span
	Sign rows.Mark
	Text string
}

// SetNotes marks the first lines of notes, and underlines their characters.
func (v *View) SetNotes(all []Note) {
	v.notes = all
	v.setMarks()
}

// setMarks sets the mark of each line: the worst problem and the first note.
func (v *View) setMarks() {
	p := v.page
	p.marks, p.underlined = make(map[int]lineMark), nil
	if v.text == nil || v.indent.Checked {
		return
	}
	for _, problem := range v.problems {
		line := p.lineAt(v.text.IndexAt(problem.Span.Offset))
		if m, ok := p.marks[line]; !ok || problem.Severity > m.severity {
			sign := rows.Mark{Paint: (*paint.Canvas).Dot, Tone: paint.SeverityTone(problem.Severity)}
			p.marks[line] = lineMark{problem: sign, severity: problem.Severity, message: problem.Message}
		}
	}
	for _, n := range v.notes {
		noted := span{v.text.IndexAt(n.Span.Offset), v.text.IndexAt(n.Span.End())}
		p.underlined = append(p.underlined, underline{noted, n.Sign.Tone})
		m := p.marks[p.lineAt(noted.from)]
		if m.note.Paint == nil {
			m.note = n.Sign
		}
		m.message = strings.TrimPrefix(m.message+" · "+n.Text, " · ")
		p.marks[p.lineAt(noted.from)] = m
	}
	v.rows.Refresh()
}

// Clear removes the text.
func (v *View) Clear() {
	v.lane.Stop()
	v.text = nil
	v.set(linesOf(""))
}

func (v *View) set(l lines) {
	v.page.set(l)
	v.anchor, v.head, v.selectedNode = 0, 0, span{}
	v.rows.SetSource(v.page)
	v.search()
}

// color colors the displayed text.
func (v *View) color(s string) {
	language := v.text.Language
	if len(s) > text.MaxColored { // colorInView does it as the user scrolls
		return
	}
	v.lane.Go(func(ctx context.Context) func() {
		colored := text.Colored(ctx, language, s)
		return func() {
			v.page.colored = colored
			v.rows.Refresh()
		}
	})
}

// SetIndented indents JSON or XML, or displays the text unchanged.
func (v *View) SetIndented(indented bool) {
	if v.indent.Visible() && indented != v.indent.Checked {
		v.indent.SetChecked(indented)
	}
}

// IsOneLine reports whether the displayed text is one line.
func (v *View) IsOneLine() bool { return v.page.count() <= 2 && strings.Count(v.page.text, "\n") <= 1 }

// showText displays the text unchanged, or indented.
func (v *View) showText() {
	t := v.text
	if t == nil {
		return
	}
	if !v.indent.Checked {
		v.set(linesOf(t.Text))
		v.setMarks()
		v.setCaption(Describe(t))
		v.color(t.Text)
		return
	}
	v.lane.Go(func(ctx context.Context) func() {
		s, err := t.Indent()
		if err != nil {
			return func() {
				v.indent.SetChecked(false)
				v.setCaption(host.Sentence(err))
			}
		}
		colored, all := text.Colored(ctx, t.Language, s), linesOf(s)
		return func() {
			v.set(all)
			v.page.colored = colored
			v.rows.Refresh()
		}
	})
}

// Describe returns a description of the text: its number of lines, encoding, line ends and unread bytes.
func Describe(t *text.Text) string {
	parts := []string{host.Count(int64(text.LineCount(t.Text)), "line")}
	encoding := t.Encoding
	if t.Guessed {
		encoding += " (guessed)"
	}
	parts = append(parts, encoding)
	if t.Ends != "" {
		parts = append(parts, t.Ends)
	}
	if t.Language != "" {
		parts = append(parts, t.Language)
	}
	if t.Left > 0 {
		parts = append(parts, fmt.Sprintf("%s not displayed", host.Count(t.Left, "byte")))
	}
	return strings.Join(parts, " · ")
}

// search finds all matches of the search field, off the UI thread.
func (v *View) search() {
	word, s := v.find.Text, v.page.text
	v.hits, v.current = nil, -1
	if word == "" {
		v.finding.Stop()
		v.matchLabel.SetText("")
		v.rows.Refresh()
		return
	}
	v.finding.Go(func(ctx context.Context) func() {
		hits := find(ctx, s, word)
		return func() {
			v.hits = hits
			v.Next(1)
		}
	})
}

// find returns the first maxHits ranges that contain word. It ignores case, unless lower case has another length.
func find(ctx context.Context, s, word string) (hits []span) {
	if lower := strings.ToLower(s); len(lower) == len(s) { // lower case has the same indexes
		s, word = lower, strings.ToLower(word)
	}
	for from := 0; len(hits) < maxHits; {
		i := strings.Index(s[from:], word)
		if i < 0 || len(hits)%1024 == 0 && ctx.Err() != nil {
			break
		}
		from += i + len(word)
		hits = append(hits, span{from - len(word), from})
	}
	return hits
}

// Next moves by matches forward, or backward if step is negative, and wraps around.
func (v *View) Next(step int) {
	if len(v.hits) == 0 {
		v.matchLabel.SetText("No matches")
		v.rows.Refresh()
		return
	}
	v.current = (v.current + step + len(v.hits)) % len(v.hits)
	v.matchLabel.SetText(fmt.Sprintf("%s of %s", host.Number(v.current+1), host.Number(len(v.hits))))
	v.rows.Refresh()
	v.rows.ScrollTo(v.page.rowOf(v.hits[v.current].from))
}

// The lines around the visible ones that are colored with them in a text that is too long to color as a whole. A
// comment that begins farther above has no color.
const (
	colorBefore = 60
	colorAfter  = 200
)

// colorInView colors the lines in view of a text that is too long to be colored as a whole.
func (v *View) colorInView() {
	p := v.page
	if v.text == nil || len(p.text) <= text.MaxColored || p.numbers != nil || p.count() == 0 {
		return
	}
	from, _ := p.lineOf(min(v.rows.First(), p.Len()-1))
	to, _ := p.lineOf(min(v.rows.First()+v.rows.Page(), p.Len()-1))
	if p.colored == nil {
		p.colored = make([][]text.Piece, p.count())
		v.coloringFrom = -1
	}
	if p.colored[from] != nil && p.colored[to] != nil || v.coloringFrom == from {
		return
	}
	v.coloringFrom = from
	from, to = max(0, from-colorBefore), min(p.count(), to+colorAfter)
	part, language, coloredLines := p.text[p.starts[from]:p.starts[to]], v.text.Language, p.colored
	if len(part) > text.MaxColored {
		return
	}
	v.lane.Go(func(ctx context.Context) func() {
		colored := text.Colored(ctx, language, part)
		return func() {
			if len(colored) == 0 || &p.colored[0] != &coloredLines[0] {
				return
			}
			copy(p.colored[from:to], colored)
			v.rows.Refresh()
		}
	})
}
