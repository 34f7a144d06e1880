package assets

import (
	"fyne.io/fyne/v2"

	"assay/ui/paint"
	"assay/ui/rows"
)

// mode is how assets are shown.
type mode int

const (
	details mode = iota
	list
	pictures
)

var modeNames = []string{"Details", "List", "Thumbnails"}

func (p *Panel) newGrid(side float32) *rows.Grid {
	g := rows.NewGrid(p, p.style, (*tiles)(p), side)
	g.GridEvents = rows.GridEvents{OnSelection: p.selected, OnActivate: p.activate, OnMenu: p.menu, OnDrag: p.drag,
		OnTypeAhead: p.typed, BeforeKey: p.typedKey, BeforeShortcut: p.copy}
	return g
}

func (p *Panel) setMode(m mode) {
	selected, current := p.selection()
	p.mode, p.last.Mode = m, m
	p.remember()
	paint.Show(p.zoom, m == pictures)
	p.body.Objects = []fyne.CanvasObject{p.view()}
	if p.grouping == treeGrouping {
		p.arrange(0) // tiles are of one folder
	}
	p.view().Select(current, selected)
	p.body.Refresh()
	p.Focus()
}

// view is what shows the assets in a mode.
type view interface {
	fyne.CanvasObject
	Focus()
	Current() int64
	Selection() rows.Intervals
	// Select selects rows, of which one is current, and brings that into view. It calls no event.
	Select(current int64, selection rows.Intervals)
}

func (p *Panel) view() view {
	return [...]view{details: p.rows, list: p.names, pictures: p.tiles}[p.mode]
}

// selection is what is selected in the mode that is shown.
func (p *Panel) selection() (selected rows.Intervals, current int64) {
	return p.view().Selection(), p.view().Current()
}

// setSelection goes to a row alone, without an event.
func (p *Panel) setSelection(row int64) {
	p.view().Select(row, rows.Just(row))
}
