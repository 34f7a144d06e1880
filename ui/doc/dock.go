package doc

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
)

// Dock displays one of several panels below a row of tabs. Only a large panel's may be empty.
type Dock struct {
	row      *tabs.Tabs
	style    *paint.Style
	body     *fyne.Container
	panels   []Panel
	selected func() Selection
}

func newDock(style *paint.Style, selected func() Selection, panels ...Panel) *Dock {
	d := &Dock{row: tabs.New(style), style: style, body: container.NewStack(), panels: panels, selected: selected}
	d.row.OnSelect = d.show
	d.show(0)
	return d
}

// content returns the panels below their tabs.
func (d *Dock) content() *fyne.Container { return container.NewBorder(d.row, nil, nil, nil, d.body) }

// Add appends a panel.
func (d *Dock) Add(p Panel) {
	d.panels = append(d.panels, p)
	d.show(d.row.Selected())
	selectIn(p, d.selected())
}

// AddFirst inserts a panel before the others and selects it.
func (d *Dock) AddFirst(p Panel) {
	d.panels = slices.Insert(d.panels, 0, p)
	d.show(0)
	selectIn(p, d.selected())
}

// Remove removes a panel.
func (d *Dock) Remove(p Panel) {
	if i := slices.Index(d.panels, p); i >= 0 {
		selected := d.row.Selected()
		d.panels = slices.Delete(d.panels, i, i+1)
		if selected > i || selected == len(d.panels) {
			selected--
		}
		d.show(selected)
	}
}

// Panel returns the selected panel, or nil if there is none.
func (d *Dock) Panel() Panel {
	if len(d.panels) == 0 {
		return nil
	}
	return d.panels[d.row.Selected()]
}

// Has reports whether the dock holds a panel.
func (d *Dock) Has(p Panel) bool { return slices.Contains(d.panels, p) }

// Show selects a panel.
func (d *Dock) Show(p Panel) {
	if i := slices.Index(d.panels, p); i >= 0 && i != d.row.Selected() {
		d.show(i)
	}
}

// ShowTitled selects the panel with a title, if there is one.
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
	d.body.Objects = nil
	if len(d.panels) > 0 {
		d.row.SetSelected(i)
		d.body.Objects = []fyne.CanvasObject{d.panels[i].Content()}
	}
	d.body.Refresh()
}

// setSelection passes the selection to all panels.
func (d *Dock) setSelection(s Selection) {
	for _, p := range d.panels {
		selectIn(p, s)
	}
}

func selectIn(p Panel, s Selection) {
	if f, ok := p.(Selector); ok {
		f.Select(s)
	}
}

// width returns the width that the tabs need, in device-independent pixels.
func (d *Dock) width() float32 {
	width := float32(0)
	for _, p := range d.panels {
		width += fyne.MeasureText(p.Title(), d.style.Size(), fyne.TextStyle{}).Width + 26
	}
	return width
}

// list is one of the lists of a drawer.
type list struct {
	title   string
	table   *rows.Table
	content fyne.CanvasObject // the rows, or a message instead of them
	badge   func() string     // returns the number of rows, or "" if it is unknown
}

// bottomPanel is the lower part of a pane: lists across the whole width. It is closed at first.
type bottomPanel struct {
	Host
	lists      []*list
	selected   *list
	share      float64
	focusBytes func() // focuses the hex view

	tabs    *tabs.Tabs
	content *fyne.Container // above, and the lists if the drawer is open
	main    fyne.CanvasObject
	split   *container.Split
	body    *fyne.Container
}

func newBottomPanel(h Host, style *paint.Style, focusBytes func()) *bottomPanel {
	d := &bottomPanel{Host: h, share: 0.72, focusBytes: focusBytes, tabs: tabs.New(style), body: container.NewStack(),
		content: container.NewStack()}
	d.tabs.OnSelect = func(i int) { d.show(d.lists[i]) }
	closeButton := widget.NewButtonWithIcon("", theme.CancelIcon(), d.close)
	closeButton.Importance = widget.LowImportance
	end := container.NewStack(paint.NewBackdrop(theme.ColorNameHeaderBackground),
		container.New(stripLayout{style}, closeButton))
	d.split = container.NewVSplit(container.NewStack(),
		container.NewBorder(container.NewBorder(nil, nil, nil, end, d.tabs), nil, nil, nil, d.body))
	return d
}

// setContent sets the object above the drawer, and the lists.
func (d *bottomPanel) setContent(main fyne.CanvasObject, lists ...*list) {
	d.main, d.lists, d.selected = main, lists, lists[0]
	d.content.Objects = []fyne.CanvasObject{main}
}

// Key implements host.Host: Escape closes the lists, and the pane handles other keys.
func (d *bottomPanel) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		d.close()
		d.focusBytes()
		return true
	}
	return d.Host.Key(k, shift)
}

func (d *bottomPanel) isOpen() bool { return d.content.Objects[0] == fyne.CanvasObject(d.split) }

func (d *bottomPanel) open(l *list) {
	if !d.isOpen() {
		d.split.Leading = d.main
		d.split.SetOffset(d.share)
		d.content.Objects = []fyne.CanvasObject{d.split}
		d.content.Refresh()
	}
	d.show(l)
}

func (d *bottomPanel) show(l *list) {
	d.selected = l
	d.updateTitles()
	d.body.Objects = []fyne.CanvasObject{l.content}
	d.body.Refresh()
}

func (d *bottomPanel) updateTitles() {
	var titles []tabs.Tab
	selected := 0
	for i, l := range d.lists {
		titles = append(titles, tabs.Tab{Title: l.title, Badge: l.badge()})
		if l == d.selected {
			selected = i
		}
	}
	d.tabs.SetTabs(titles)
	d.tabs.SetSelected(selected)
}

// close hides the lists.
func (d *bottomPanel) close() {
	if !d.isOpen() {
		return
	}
	d.share = d.split.Offset
	d.split.Leading = container.NewStack()
	d.content.Objects = []fyne.CanvasObject{d.main}
	d.content.Refresh()
}

// toggle opens a list and focuses it, or closes the lists.
func (d *bottomPanel) toggle(l *list) {
	if d.isOpen() && d.selected == l {
		d.close()
		return
	}
	d.open(l)
	l.table.Focus()
}

// stripLayout is a layout that gives its only object the height of a row of tabs.
type stripLayout struct{ style *paint.Style }

func (s stripLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := min(size.Height, objects[0].MinSize().Height)
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(size.Width, h))
}

func (s stripLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, tabs.Height(s.style))
}
