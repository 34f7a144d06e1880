// Package inspect shows the bytes at an offset as numbers, times, identifiers and text, in both byte orders.
package inspect

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/paint"
	"assay/ui/table"
)

// Inspector is the panel.
type Inspector struct {
	table *table.Table
	lines lines

	// OnShortcut is told of shortcuts that the panel does not use.
	OnShortcut func(s fyne.Shortcut) bool
	OnKey      func(key *fyne.KeyEvent) bool
	// OnCopy is told what to copy.
	OnCopy func(text string)
}

// New makes an inspector of nothing.
func New(style *paint.Style) *Inspector {
	p := &Inspector{lines: Read(nil)}
	p.table = table.New(style, &p.lines, table.Options{Header: true, MinSize: fyne.NewSize(120, 60), Shares: []float32{0.24, 0.38, 0.38}},
		table.Column{Title: "Read as", Min: 56}, table.Column{Title: "Little endian"}, table.Column{Title: "Big endian"})
	p.table.OnKey = func(k *fyne.KeyEvent) bool { return p.OnKey != nil && p.OnKey(k) }
	p.table.OnShortcut = p.shortcut
	p.table.OnActivate = func(row int) { p.copy(row) }
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

func (p *Inspector) shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		if row := p.table.Current(); row >= 0 {
			p.copy(row)
		}
		return true
	}
	if _, ok := s.(*desktop.CustomShortcut); !ok {
		return false
	}
	return p.OnShortcut != nil && p.OnShortcut(s)
}

func (p *Inspector) copy(row int) {
	if p.OnCopy == nil {
		return
	}
	l := p.lines[row]
	if l.Little == "" {
		return
	}
	p.OnCopy(l.Little)
}

type lines []Line

// Len is the number of ways.
func (l *lines) Len() int { return len(*l) }

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
