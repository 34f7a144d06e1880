package details

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/uitest"
)

func pages() []*model.Page {
	long := model.Section{Title: "Header", Text: "It begins the file.", Source: "Published: HEADER."}
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
		long.Terms = append(long.Terms, model.Term{Title: name, Text: "Field " + name + " of the header."})
	}
	return []*model.Page{
		{Name: "box", Title: "A box", Text: "Holds things.\n\n    name = value", Sections: []model.Section{long,
			{Title: "Thing", Terms: []model.Term{{Title: "kind", Text: "What it is made of.", Source: "Not published.",
				Values: []model.NamedNumber{{Number: 1, Name: "wood"}, {Number: 2, Name: "stone"}}}}}}},
		{Name: "case", Title: "A case", Sections: []model.Section{
			{Title: "Lid", Terms: []model.Term{{Title: "angle", Text: "How far it is open."}}}}},
	}
}

func show(t *testing.T) (m *Manual, lines func() string) {
	t.Helper()
	test.NewTempApp(t)
	style := paint.NewStyle()
	m = NewManual(host.None{}, style, pages())
	w := test.NewTempWindow(t, m.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(700, 300))
	return m, func() string {
		return strings.Join(slices.Concat(uitest.Lines(t, style, m.contents), uitest.Lines(t, style, m.text)), "\n")
	}
}

func at(p *model.Page, section, term int) model.Meaning {
	return model.Meaning{Page: p, Section: &p.Sections[section], Term: &p.Sections[section].Terms[term]}
}

func TestManualOpensAtAField(t *testing.T) {
	m, lines := show(t)
	assert.Contains(t, lines(), "A box\n  Header\n  Thing\nA case\n", "the contents")
	assert.Contains(t, lines(), "Holds things.")
	assert.NotContains(t, lines(), "wood")
	m.Show(at(m.pages[0], 1, 0))
	assert.Contains(t, lines(), "1 wood, 2 stone")
	assert.NotContains(t, lines(), "Holds things.")
	m.Show(model.Meaning{Page: m.pages[1], Section: &m.pages[1].Sections[0]})
	assert.Contains(t, lines(), "How far it is open.")
	assert.Equal(t, "case", m.Page().Name)

	other := &model.Page{Name: "box", Title: "A box", Text: "Read anew."}
	m.Show(model.Meaning{Page: other})
	assert.Contains(t, lines(), "Read anew.")
	assert.Len(t, m.pages, 2, "another reading takes the place of the one before")
	m.Show(model.Meaning{})
	assert.Same(t, other, m.Page(), "no page is nowhere to go")
}

func TestManualFindsWordsOnAllPages(t *testing.T) {
	m, lines := show(t)
	m.filter.Field.SetText("FAR open")
	assert.Contains(t, lines(), "A case\nLid, angle")
	assert.NotContains(t, lines(), "Field")
	m.filter.Field.SetText("stone")
	assert.Contains(t, lines(), "Thing, kind", "the values of an enum are found, too")
	m.filter.Field.SetText("begins the file")
	assert.Contains(t, lines(), "Header", "what is said of a type is found, too")
	m.filter.Field.SetText("format = case field = angle or value = sto*")
	assert.Contains(t, lines(), "Lid, angle")
	assert.Contains(t, lines(), "Thing, kind")
	assert.NotContains(t, lines(), "Header, a")
	m.filter.Field.SetText("size > ")
	assert.NotEmpty(t, m.filter.Problem())
	m.filter.Field.SetText("no such words")
	assert.Contains(t, lines(), "No matches")
	m.Show(at(m.pages[1], 0, 0))
	assert.Empty(t, m.filter.Field.Text)
	assert.Contains(t, lines(), "How far it is open.")
	m.filter.Field.SetText("box")
	m.filter.Field.SetText("")
	assert.Contains(t, lines(), "A case", "the page is there again")
}

func TestManualGoesBackAndForward(t *testing.T) {
	m, lines := show(t)
	m.Show(at(m.pages[0], 1, 0))
	m.Show(at(m.pages[1], 0, 0))
	m.Back()
	assert.Equal(t, "box", m.Page().Name)
	assert.Contains(t, lines(), "1 wood, 2 stone")
	m.Back()
	assert.Contains(t, lines(), "Holds things.", "the first page, from its beginning")
	m.Back()
	m.Forward()
	m.Forward()
	assert.Equal(t, "case", m.Page().Name)
}
