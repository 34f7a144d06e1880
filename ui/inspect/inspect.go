// Package inspect shows the bytes at an offset as numbers, times, identifiers and text, in both byte orders.
package inspect

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/table"
)

// Inspector is the panel.
type Inspector struct {
	host  host.Host
	table *table.Table
	lines lines
}

// New makes an inspector of nothing.
func New(h host.Host, style *paint.Style) *Inspector {
	p := &Inspector{host: h, lines: Read(nil)}
	p.table = table.New(h, style, &p.lines, table.Options{Header: true, MinSize: fyne.NewSize(120, 60), Shares: []float32{0.24, 0.38, 0.38}},
		table.Column{Title: "Read as", Min: 56}, table.Column{Title: "Little endian"}, table.Column{Title: "Big endian"})
	p.table.OnActivate = func(row int) {
		if text := p.lines.Copied(row); text != "" {
			h.Copy(text)
		}
	}
	return p
}

// Title is the panel's name.
func (p *Inspector) Title() string { return "Inspector" }

// Content is what goes into the window.
func (p *Inspector) Content() fyne.CanvasObject { return p.table }

// Show reads bytes in all ways.
func (p *Inspector) Show(b []byte) {
	p.lines = Read(b[:min(len(b), Window)])
	p.table.Refresh()
}

type lines []Line

// Len is the number of ways.
func (l *lines) Len() int { return len(*l) }

// Copied is a value as it is copied.
func (l *lines) Copied(row int) string { return (*l)[row].Little }

// Cell gives one of them.
func (l *lines) Cell(row, column int) table.Cell {
	line := (*l)[row]
	mono := row == 0
	switch column {
	case 0:
		return table.Cell{Text: line.Name, Tone: table.Dim}
	case 1:
		if line.Little == "" {
			return table.Cell{Text: "–", Tone: table.Dim}
		}
		return table.Cell{Text: line.Little, Mono: mono}
	}
	return table.Cell{Text: line.Big, Mono: mono}
}
