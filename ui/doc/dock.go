package doc

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/ui/paint"
	"assay/ui/tabs"
)

// Dock is a place for panels, of which one is in view, with a row of tabs above them.
type Dock struct {
	row      *tabs.Tabs
	style    *paint.Style
	at       *fyne.Container
	panels   []Panel
	selected func() Selection
}

func newDock(style *paint.Style, selected func() Selection, first Panel) *Dock {
	d := &Dock{row: tabs.New(style), style: style, at: container.NewStack(), panels: []Panel{first}, selected: selected}
	d.row.OnSelect = d.show
	d.show(0)
	return d
}

// Add puts a panel beside the others.
func (d *Dock) Add(p Panel) {
	d.panels = append(d.panels, p)
	d.show(d.row.Selected())
	tell(p, d.selected())
}

// Lead puts a panel before the others and shows it.
func (d *Dock) Lead(p Panel) {
	d.panels = slices.Insert(d.panels, 0, p)
	d.show(0)
	tell(p, d.selected())
}

// Remove takes a panel away, if it is here and others stay.
func (d *Dock) Remove(p Panel) {
	if i := slices.Index(d.panels, p); i >= 0 && len(d.panels) > 1 {
		at := d.row.Selected()
		d.panels = slices.Delete(d.panels, i, i+1)
		if at > i || at == len(d.panels) {
			at--
		}
		d.show(at)
	}
}

// Panel is the one in view.
func (d *Dock) Panel() Panel { return d.panels[d.row.Selected()] }

// Show brings a panel into view.
func (d *Dock) Show(p Panel) {
	if i := slices.Index(d.panels, p); i >= 0 && i != d.row.Selected() {
		d.show(i)
	}
}

// ShowTitled brings the panel with a title into view, if there is one.
func (d *Dock) ShowTitled(title string) {
	if i := slices.IndexFunc(d.panels, func(p Panel) bool { return p.Title() == title }); i >= 0 {
		d.Show(d.panels[i])
	}
}

func (d *Dock) show(i int) {
	var titles []tabs.Tab
	for _, p := range d.panels {
		titles = append(titles, tabs.Tab{Title: p.Title()})
	}
	d.row.SetTabs(titles)
	d.row.SetSelected(i)
	d.at.Objects = []fyne.CanvasObject{d.panels[i].Content()}
	d.at.Refresh()
}

// tell tells all panels what is selected.
func (d *Dock) tell(s Selection) {
	for _, p := range d.panels {
		tell(p, s)
	}
}

func tell(p Panel, s Selection) {
	if f, ok := p.(Selector); ok {
		f.Select(s)
	}
}

// width is what the tabs want.
func (d *Dock) width() float32 {
	width := float32(0)
	for _, p := range d.panels {
		width += fyne.MeasureText(p.Title(), d.style.Size(), fyne.TextStyle{}).Width + 26
	}
	return width
}
