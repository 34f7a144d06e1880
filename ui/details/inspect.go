package details

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Inspector shows the bytes at an offset as numbers, times, identifiers and text, in both byte orders.
type Inspector struct {
	host  host.Host
	panel *Panel
}

// NewInspector makes an inspector of nothing.
func NewInspector(h host.Host, style *paint.Style) *Inspector {
	p := &Inspector{host: h}
	options := rows.Options{Header: true, MinSize: fyne.NewSize(120, 60), Share: orders}
	p.panel = NewPanel(h, style, options, rows.Column{Title: "Interpret as", Min: 56},
		rows.Column{Title: "Little endian", Short: "LE"}, rows.Column{Title: "Big endian", Short: "BE"})
	p.Show(nil)
	return p
}

// orders returns both byte orders the room that the names leave.
func orders(width float32) []float32 {
	name := min(92, width*0.34)
	return []float32{name, (width - name) / 2, (width - name) / 2}
}

// Title is the panel's name.
func (p *Inspector) Title() string { return "Inspector" }

// Content is what goes into the window.
func (p *Inspector) Content() fyne.CanvasObject { return p.panel }

// Show reads bytes in all ways.
func (p *Inspector) Show(b []byte) {
	var lines []Line
	for _, l := range Read(b[:min(len(b), InspectedMost)]) {
		lines = append(lines, p.lines(l)...)
	}
	p.panel.Update(lines)
}

// lines shows both byte orders beside one another, or one below the other where the values are long.
func (p *Inspector) lines(l Value) []Line {
	switch l.Shape {
	case Once:
		return []Line{p.line(l.Name, l.Little)}
	case Below:
		little, big := p.line(l.Name, l.Little), p.line("", l.Big)
		little.Cells[1].Hint, big.Cells[1].Hint = "LE", "BE"
		return []Line{little, big}
	}
	line := p.line(l.Name, l.Little)
	line.Cells[1].Span = 0
	line.Cells = append(line.Cells, valueCell(l.Big))
	return []Line{line}
}

// line is a value, which Enter copies.
func (p *Inspector) line(name, value string) Line {
	l := Fact(name, valueCell(value))
	l.Copy = value
	l.On = func() {
		if value != "" {
			p.host.Copy(value)
		}
	}
	return l
}

func valueCell(value string) rows.Cell {
	if value == "" {
		return rows.Cell{Text: "–", Tone: paint.Dim}
	}
	return rows.Cell{Text: value}
}
