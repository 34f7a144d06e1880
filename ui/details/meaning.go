package details

import (
	"fmt"

	"assay/model"
	"assay/ui/paint"
	"assay/ui/rows"
)

// leadLines is how many lines the first sentence about a node may take, so that its value stays in view.
const leadLines = 3

// lead shows the first sentence of what a node means.
func (t *text) lead(m model.Meaning) {
	first, _ := m.Lead()
	if first == "" {
		return
	}
	line := Text(rows.Cell{Text: model.OneLine(first, textMax)})
	line.Most = leadLines
	t.lines = append(t.lines, line)
}

// meaning shows all numbers that the value can have, the present one lit, and the rest of what the node means.
func (t *text) meaning(n *model.Node, m model.Meaning) {
	all, has := m.Choices(n)
	if len(all) > 0 {
		t.head("All values")
	}
	form := numberForm(all)
	for _, c := range all {
		name := rows.Cell{Text: c.Name, Tone: paint.Dim}
		if has(c) {
			name.Tone, name.Bold = paint.Primary, true
		}
		t.add(fmt.Sprintf(form, c.Number), name)
	}
	_, rest := m.Lead()
	if rest == "" && m.Source == "" && m.Page == nil {
		return
	}
	t.head("Meaning")
	if rest != "" {
		t.lines = append(t.lines, Text(rows.Cell{Text: rest[:min(len(rest), textMax)]}))
	}
	if m.Source != "" {
		t.lines = append(t.lines, Text(rows.Cell{Text: m.Source, Tone: paint.Dim}))
	}
	if m.Page != nil && t.of.OnPage != nil {
		t.lines = append(t.lines, Line{Cells: []rows.Cell{{Text: "Open format reference", Tone: paint.Primary,
			Span: columnsMost}}, Link: true, On: t.of.OnPage})
	}
}

// numberForm returns how the numbers of an enumeration are written: in hex where some of them need two bytes.
func numberForm(all []model.NamedNumber) string {
	if len(all) > 0 && all[len(all)-1].Number > 0xff {
		return "%#x"
	}
	return "%d"
}
