package contents

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/content"
	"assay/model/text"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// TextsView shows two texts line by line side by side, with the differences highlighted.
type TextsView struct {
	rows      *rows.Rows
	found     *contents.Diff
	views     [2]*text.Text
	rules     compare.TextRules
	comparing *work.Lane
}

// The columns of two texts.
const (
	oldLine = iota
	oldText
	newLine
	newText
)

// NewTexts returns a view without texts.
func NewTexts(h host.Host, style *paint.Style, group *work.Group) *TextsView {
	t := &TextsView{comparing: group.Lane()}
	t.rows = rows.New(h, style, t, rows.Options{Multi: true, Header: true, MinSize: fyne.NewSize(160, 60),
		ColumnWidths: shareTexts})
	number := rows.Column{Width: lineNumberWidth, Align: paint.AlignRight}
	t.rows.SetColumns(number, rows.Column{Title: "Old", Min: 60}, number, rows.Column{Title: "New", Min: 60})
	return t
}

const lineNumberWidth = 48

func shareTexts(width float32) []float32 {
	half := max(60, (width-2*lineNumberWidth)/2)
	return []float32{lineNumberWidth, half, lineNumberWidth, half}
}

// Content returns the list of lines.
func (t *TextsView) Content() fyne.CanvasObject { return t.rows }

// Clear removes the texts.
func (t *TextsView) Clear() {
	t.views = [2]*text.Text{}
	t.comparing.Stop()
}

// SetRules sets the rules for comparing texts.
func (t *TextsView) SetRules(rules compare.TextRules) {
	if rules != t.rules {
		t.rules, t.views = rules, [2]*text.Text{}
	}
}

// Step moves to the next or previous lines that differ. With wrap it starts at the other end. It returns false at the
// end.
func (t *TextsView) Step(step int, wrap bool) bool {
	if t.found == nil {
		return false
	}
	row := int(t.rows.Current())
	switch {
	case step > 0 && wrap:
		row = t.found.Next(-1)
	case step > 0:
		row = t.found.Next(row)
	case wrap:
		row = t.found.Previous(t.found.Len())
	default:
		row = t.found.Previous(row)
	}
	if row < 0 {
		return false
	}
	t.rows.GoTo(int64(row))
	return true
}

// Reveal scrolls to the line of the first letter at or after an offset of the old or the new file.
func (t *TextsView) Reveal(offset int64, ofNew bool) {
	view := t.views[0]
	if ofNew {
		view = t.views[1]
	}
	if t.found == nil || view == nil {
		return
	}
	start := view.IndexAt(offset)
	line := view.Text[start:]
	start += len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
	if row := t.found.RowOf(1+strings.Count(view.Text[:start], "\n"), ofNew); row >= 0 {
		t.rows.GoTo(int64(row))
	}
}

// Show compares two texts; onSummary is called with the number of lines that differ.
func (t *TextsView) Show(old, new *text.Text, onSummary func(summary string)) {
	texts := [2]*text.Text{old, new}
	if texts == t.views {
		return
	}
	t.views = texts
	rules := t.rules
	t.comparing.Go(func(ctx context.Context) func() {
		found := contents.CompareTexts(ctx, texts[0], texts[1], rules)
		return func() {
			t.found = found
			t.rows.SetFirst(0)
			t.rows.Refresh()
			onSummary(summary(found, texts))
			if at := found.Next(-1); at >= 0 {
				t.rows.GoTo(int64(at))
			}
		}
	})
}

// summary returns the differences of two texts as a sentence.
func summary(found *contents.Diff, texts [2]*text.Text) string {
	s := contents.LineSummary(found)
	if found.NewEnds != "" {
		s += ", line ends were " + found.OldEnds + " and are " + found.NewEnds
	}
	if n := max(texts[0].Left, texts[1].Left); n > 0 {
		s += ", of the first " + host.Count(text.MaxBytes, "byte")
	}
	return s
}

// Len returns the number of rows.
func (t *TextsView) Len() int64 {
	if t.found == nil {
		return 0
	}
	return int64(t.found.Len())
}

// Cell implements rows.Cells.
func (t *TextsView) Cell(row int64, column int) rows.Cell {
	r := t.found.Row(int(row))
	tone := compared.StatusTone(r.Status)
	line, pieces := r.Old, r.OldText
	if column >= newLine {
		line, pieces = r.New, r.NewText
	}
	if line == 0 {
		return rows.Cell{}
	}
	if column == oldLine || column == newLine {
		return rows.Cell{Text: strconv.Itoa(line), Tone: paint.Dim, Mono: true}
	}
	c := rows.Cell{Pieces: compared.PaintPieces(pieces), HighlightTone: tone, Mono: true}
	if r.Status == compare.Added || r.Status == compare.Removed {
		c.Tone = tone
	}
	return c
}

// Pane shows the lines of two text files, with a summary of the differences above them.
type Pane struct {
	*TextsView
	reading *work.Lane
	result  *compare.Comparison
	visible bool
	read    *compare.Comparison // the comparison with the displayed lines
	info    *widget.Label
	content fyne.CanvasObject
}

// NewPane returns a pane without texts.
func NewPane(h host.Host, style *paint.Style, group *work.Group) *Pane {
	p := &Pane{TextsView: NewTexts(h, style, group), reading: group.Lane(), info: widget.NewLabel("")}
	p.info.Truncation = fyne.TextTruncateEllipsis
	title := widget.NewLabelWithStyle("Text", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.content = container.NewBorder(paint.NewHeader(container.NewBorder(nil, nil, title, nil, p.info)), nil, nil, nil,
		p.TextsView.Content())
	return p
}

// Content returns the content of the panel below the tree.
func (p *Pane) Content() fyne.CanvasObject { return p.content }

// Texts reports whether both files of a comparison are texts.
func Texts(c *compare.Comparison) bool {
	return content.KindOf(c.Old.Source).Text && content.KindOf(c.New.Source).Text
}

// Set sets another comparison.
func (p *Pane) Set(result *compare.Comparison) {
	p.result = result
	p.SetRules(result.Options.Texts)
	p.load()
}

// SetVisible sets whether the pane is visible.
func (p *Pane) SetVisible(visible bool) {
	p.visible = visible
	p.load()
}

// SelectPair scrolls to the lines of a pair of nodes, unless it is the root.
func (p *Pane) SelectPair(pair *compare.Pair) {
	if n := pair.Node(); n.Parent != nil && p.read == p.result {
		p.Reveal(n.Offset, pair.New != nil)
	}
}

// load reads and compares both files if the pane is visible.
func (p *Pane) load() {
	result := p.result
	if !p.visible || result == nil || p.read == result {
		return
	}
	p.reading.Go(func(ctx context.Context) func() {
		var texts [2]*text.Text
		for i, d := range []*model.Document{result.Old, result.New} {
			var err error
			if texts[i], err = text.Open(ctx, d.Source); err != nil {
				return func() { p.info.SetText(host.Sentence(err)) }
			}
		}
		return func() {
			p.read = result
			p.Show(texts[0], texts[1], p.info.SetText)
		}
	})
}
