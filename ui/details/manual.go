package details

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Manual is the widget of the format reference: the contents, a page, and a filter for all pages.
type Manual struct {
	host.History[model.Meaning] // the visited sections

	pages    []*model.Page
	page     *model.Page // page in view
	contents *Panel
	text     *Panel
	filter   *control.Filter
	content  fyne.CanvasObject
	// lines has the first lines of the *model.Sections and *model.Terms of the page. It is nil while matches are
	// displayed.
	lines map[any]int
}

// Widths in device-independent pixels: the minimum of the contents, and the maximum of field names.
const (
	minContentsWidth = 130
	maxNameWidth     = 190
)

// NewManual returns a manual of pages, opened at the first one.
func NewManual(h host.Host, style *paint.Style, pages []*model.Page) *Manual {
	m := &Manual{pages: slices.Clone(pages)}
	m.contents = NewPanel(h, style, rows.Options{MinSize: fyne.NewSize(minContentsWidth, 80)}, rows.Column{})
	m.text = NewPanel(h, style, rows.Options{MinSize: fyne.NewSize(200, 80)}, rows.Column{Width: maxNameWidth},
		rows.Column{Share: 1})
	m.filter = control.NewFilter(h, "Search all formats: words, field = size, type ~ mesh", passageColumns.List, m.find)
	m.filter.SetOnLeave(func(bool) { m.text.Focus() })
	split := container.NewHSplit(m.contents, m.text)
	split.SetOffset(0.22)
	m.content = m.filter.WithPopup(container.NewBorder(m.filter.Field, nil, nil, nil, split))
	if len(m.pages) > 0 {
		m.open(m.pages[0], nil, nil)
	}
	return m
}

// Content returns the object to add to the window.
func (m *Manual) Content() fyne.CanvasObject { return m.content }

// Page returns the page in view. It may be nil.
func (m *Manual) Page() *model.Page { return m.page }

// Focus gives the keyboard focus to the text.
func (m *Manual) Focus() { m.text.Focus() }

// FocusFilter gives the keyboard focus to the filter.
func (m *Manual) FocusFilter() { m.filter.Field.Focus(m.content) }

// Show opens the page of a meaning at its section. A new page replaces an earlier one of the same format.
func (m *Manual) Show(meaning model.Meaning) {
	if meaning.Page == nil {
		return
	}
	if !slices.Contains(m.pages, meaning.Page) {
		m.pages = append(slices.DeleteFunc(m.pages, func(p *model.Page) bool {
			return p.Name == meaning.Page.Name && p.Title == meaning.Page.Title
		}), meaning.Page)
	}
	m.open(meaning.Page, meaning.Section, meaning.Term)
}

// Back and Forward display the section that was visited before and after.
func (m *Manual) Back()    { m.step(-1) }
func (m *Manual) Forward() { m.step(1) }

func (m *Manual) step(step int) {
	if to, ok := m.Step(step); ok {
		m.display(to.Page, to.Section, to.Term)
	}
}

// open displays a page as display does, and records that it was visited.
func (m *Manual) open(p *model.Page, section *model.Section, term *model.Term) {
	m.Visit(model.Meaning{Page: p, Section: section, Term: term}, func(a, b model.Meaning) bool {
		return a.Page == b.Page && a.Section == b.Section && a.Term == b.Term
	})
	m.display(p, section, term)
}

// display displays a page with a section or a term near the top, or from its beginning if both are nil. It clears the
// filter.
func (m *Manual) display(p *model.Page, section *model.Section, term *model.Term) {
	if m.filter.Field.Text != "" {
		m.filter.Field.SetText("")
	}
	if m.page != p || m.lines == nil {
		m.page = p
		m.text.Set(m.pageLines(p), nil)
	}
	line, ok := m.lines[term]
	if !ok {
		line = m.lines[section]
	}
	m.text.Reveal(line)
	m.listSections(section)
}

// listSections lists the titles of the pages, and of the sections of the page in view.
func (m *Manual) listSections(current *model.Section) {
	var lines []Line
	entry := func(cell rows.Cell, highlighted bool, open func()) {
		if highlighted {
			cell.Tone = paint.Primary
		}
		line := Text(cell)
		line.MaxRows, line.Link, line.On = 1, true, open
		lines = append(lines, line)
	}
	line := 0
	for _, p := range m.pages {
		entry(rows.Cell{Text: p.Title, Bold: true}, p == m.page, func() { m.open(p, nil, nil) })
		if p != m.page {
			continue
		}
		line = len(lines) - 1
		for i := range p.Sections {
			s := &p.Sections[i]
			entry(rows.Cell{Text: s.Title, Indent: 12}, s == current, func() { m.open(p, s, nil) })
			if s == current {
				line = len(lines) - 1
			}
		}
	}
	m.contents.Set(lines, nil)
	m.contents.Reveal(line)
}

// pageLines returns the lines of a page, and stores the first lines of its sections and terms in m.lines.
func (m *Manual) pageLines(p *model.Page) []Line {
	lines := []Line{Title(p.Title)}
	m.lines = map[any]int{}
	text := func(text string, tone paint.Tone) {
		for part := range strings.SplitSeq(text, "\n\n") {
			if part != "" {
				cell := rows.Cell{Text: part, Tone: tone, Mono: strings.HasPrefix(part, "    ")}
				lines = append(lines, Text(cell))
			}
		}
	}
	text(p.Text, paint.Normal)
	for i := range p.Sections {
		s := &p.Sections[i]
		m.lines[s] = len(lines)
		lines = append(lines, Title(s.Title))
		text(s.Text, paint.Normal)
		text(s.Source, paint.Dim)
		for j := range s.Terms {
			t := &s.Terms[j]
			m.lines[t] = len(lines)
			lines = append(lines, termLines(t.Title, t)...)
		}
	}
	return lines
}

// termLines returns a term with its name, and all values that it can have.
func termLines(name string, t *model.Term) []Line {
	about := Fact(name, rows.Cell{Text: t.Text})
	about.Cells[0].Tone, about.Cells[0].Bold = paint.Name, true
	lines := []Line{about}
	if t.Source != "" {
		lines = append(lines, Fact("", rows.Cell{Text: t.Source, Tone: paint.Dim}))
	}
	var values []string
	for _, v := range t.Values {
		values = append(values, fmt.Sprintf("%d %s", v.Number, v.Name))
	}
	if len(values) > 0 {
		lines = append(lines, Fact("", rows.Cell{Text: strings.Join(values, ", "), Tone: paint.Number}))
	}
	return lines
}

// find displays the passages of all pages that match the filter, or the current page if the filter is empty.
func (m *Manual) find() {
	filter, ok := m.filter.Parse()
	if !ok {
		return
	}
	m.lines = nil
	if filter.Empty() {
		m.display(m.page, nil, nil)
		return
	}
	var lines []Line
	for _, p := range m.pages {
		title := Title(p.Title)
		add := func(name string, meaning model.Meaning, t *model.Term) {
			if !passageColumns.Match(filter, passage{meaning, t}) {
				return
			}
			if title.Cells != nil {
				lines = append(lines, title)
				title.Cells = nil
			}
			for _, l := range termLines(name, t) {
				l.On = func() { m.Show(meaning) }
				lines = append(lines, l)
			}
		}
		for i := range p.Sections {
			s := &p.Sections[i]
			add(s.Title, model.Meaning{Page: p, Section: s}, &model.Term{Text: s.Text, Source: s.Source})
			for j := range s.Terms {
				t := &s.Terms[j]
				add(s.Title+", "+t.Title, model.Meaning{Page: p, Section: s, Term: t}, t)
			}
		}
	}
	if len(lines) == 0 {
		lines = append(lines, Text(rows.Cell{Text: "No matches", Tone: paint.Dim}))
	}
	m.text.Set(lines, nil)
}

// passage is the description of a type or of a field.
type passage struct {
	meaning model.Meaning
	about   *model.Term
}

// passageColumns are the columns of passages in filters.
var passageColumns = query.ItemColumns[passage]{Columns: []query.ItemColumn[passage]{
	{Column: query.Column{Name: "format"},
		Value: func(p passage) any { return []string{p.meaning.Page.Name, p.meaning.Page.Title} }},
	{Column: query.Column{Name: "type"},
		Value: func(p passage) any { return strings.Split(p.meaning.Section.Title, ", ") }},
	{Column: query.Column{Name: "field"}, Value: func(p passage) any { return strings.Split(p.about.Title, ", ") }},
	{Column: query.Column{Name: "value"}, Value: func(p passage) any { return p.values() }},
}, Words: func(p passage, contains func(text string) bool) bool {
	return contains(p.meaning.Section.Title) || contains(p.about.Title) || contains(p.about.Text) ||
		slices.ContainsFunc(p.values(), contains)
}}

// values returns the names of the values of the field.
func (p passage) values() (names []string) {
	for _, v := range p.about.Values {
		names = append(names, v.Name)
	}
	return names
}
