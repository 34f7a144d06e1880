package doc

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/tabs"
)

// Sizes in device-independent pixels. minCenterWidth fits eight bytes in the hex view, minCompactCenter is its minimum
// in a compact pane, and maxSideWidth is the largest width reserved for the panels below the details. The height of a
// large panel is at least minLargeHeight.
const (
	minCenterWidth   = 345
	minCompactCenter = 150
	maxSideWidth     = 272
	minLargeHeight   = 120
)

// compactBelow is the width below which a pane is compact, in sizes of letters: the columns of the tree, eight bytes
// and the details do not fit beside each other. lowBelow is the height below which a pane is low: the bytes and a large
// panel do not fit below each other.
const (
	compactBelow = 80
	lowBelow     = 34
)

// arrangement is the arrangement of the parts of a pane: the tree, the bytes with the large panel above them, and the
// details over the side. In a compact pane, the side, with the details as a panel, is below the tree. In a low pane,
// the large panel is a tab beside the bytes.
type arrangement struct {
	pane     *Pane
	style    *paint.Style
	shares   Layout
	compact  bool
	low      bool
	enlarged Panel // the large panel; may be nil

	left        *container.Split // tree | main
	main        *container.Split // middle | right
	right       *container.Split // details over side
	compactSide *container.Split // tree over side
	center      *container.Split // large panel over bytes
	bytesOnly   fyne.CanvasObject
	middle      *fyne.Container // one of center and bytesOnly
	side        fyne.CanvasObject
	fitted      *fyne.Container
	detailsName *tabs.Tabs
}

// Layout is the division of a pane's space, in shares of 1.
type Layout struct {
	TreeWidth         float64 `json:"Left"`
	BytesWidth        float64 `json:"Main"`   // width of the bytes, beside the details
	DetailsHeight     float64 `json:"Right"`  // height of the details, above the side
	AboveBottom       float64 `json:"Drawer"` // height of everything above the bottom panel
	LargeHeight       float64 `json:"Large"`  // height of the large panel, above the bytes
	CompactTreeWidth  float64 `json:"Tree"`   // width of the tree and the side in a compact pane
	CompactTreeHeight float64 `json:"Below"`  // height of the tree, above the side, in a compact pane
}

// DefaultLayout is the layout at first.
var DefaultLayout = Layout{TreeWidth: 0.3, BytesWidth: 0.64, DetailsHeight: 0.42, AboveBottom: 0.72, LargeHeight: 0.56,
	CompactTreeWidth: 0.42, CompactTreeHeight: 0.52}

func newArrangement(p *Pane, style *paint.Style) arrangement {
	p.Center, p.Side, p.Large = newDock(style, p.Selection, p.bytes), newDock(style, p.Selection, p.inspector),
		newDock(style, p.Selection)
	a := arrangement{pane: p, style: style, shares: DefaultLayout, detailsName: tabs.New(style)}
	a.bytesOnly = p.Center.content()
	a.middle = container.New(atLeast(func() float32 {
		if p.compact {
			return minCompactCenter
		}
		return minCenterWidth
	}), a.bytesOnly)
	a.detailsName.SetTabs([]tabs.Tab{{Title: "Details"}})
	a.detailsName.SetSelected(0)
	a.side = container.New(atLeast(func() float32 { return min(p.Side.width(), maxSideWidth) }), p.Side.content())
	a.center = container.NewVSplit(container.New(paint.StackMinSize(func(minSize fyne.Size) fyne.Size {
		return minSize.Max(fyne.NewSize(0, minLargeHeight))
	}), p.Large.content()), placeholder())
	a.right = container.NewVSplit(placeholder(), placeholder())
	a.compactSide = container.NewVSplit(placeholder(), placeholder())
	a.main = container.NewHSplit(placeholder(), a.right)
	a.left = container.NewHSplit(placeholder(), a.main)
	p.bottom.setContent(a.left, &p.problems.list, &p.hits.list, &p.notes.list)
	a.fitted = container.New(fitting{p}, p.bottom.content)
	a.arrange()
	a.applyShares()
	return a
}

// placeholder returns a placeholder for a part that is elsewhere.
func placeholder() fyne.CanvasObject { return container.NewStack() }

// arrange puts the parts where they belong in a wide or compact pane.
func (a *arrangement) arrange() {
	p := a.pane
	sidePanel, tree := detailsPanel{p.details}, p.structure.content
	for _, s := range []*container.Split{a.right, a.compactSide} { // no part may be in two containers
		s.Leading, s.Trailing = placeholder(), placeholder()
	}
	if a.compact {
		panel := p.Side.Panel()
		p.Side.AddFirst(sidePanel)
		if panel != Panel(p.inspector) {
			p.Side.Show(panel)
		}
		a.compactSide.Leading, a.compactSide.Trailing = tree, a.side
		a.main.Leading, a.left.Leading, a.left.Trailing = placeholder(), a.compactSide, a.middle
	} else {
		p.Side.Remove(sidePanel)
		a.right.Leading = container.NewBorder(a.detailsName, nil, nil, nil, p.details)
		a.right.Trailing = a.side
		a.main.Leading, a.left.Leading, a.left.Trailing = a.middle, tree, a.main
	}
	for _, s := range []*container.Split{a.right, a.compactSide, a.main, a.left} {
		s.Refresh()
	}
}

// splits returns the divisions of a pane with their shares.
func (a *arrangement) splits() map[*container.Split]*float64 {
	shareOf := map[*container.Split]*float64{a.main: &a.shares.BytesWidth, a.right: &a.shares.DetailsHeight,
		a.center: &a.shares.LargeHeight, a.compactSide: &a.shares.CompactTreeHeight, a.left: &a.shares.TreeWidth}
	if a.compact {
		shareOf[a.left] = &a.shares.CompactTreeWidth
	}
	return shareOf
}

// storeShares reads the shares from the divisions that the user can move.
func (a *arrangement) storeShares() {
	for s, share := range a.splits() {
		*share = s.Offset
	}
	a.shares.AboveBottom = a.pane.bottom.share
}

func (a *arrangement) applyShares() {
	for s, share := range a.splits() {
		s.SetOffset(*share)
	}
}

// Layout returns the current division of the space.
func (p *Pane) Layout() Layout {
	p.storeShares()
	return p.shares
}

// SetLayout applies a division of the space. Invalid and absent shares stay as they are.
func (p *Pane) SetLayout(l Layout) {
	s := &p.shares
	for share, value := range map[*float64]float64{&s.TreeWidth: l.TreeWidth, &s.BytesWidth: l.BytesWidth,
		&s.DetailsHeight: l.DetailsHeight, &s.LargeHeight: l.LargeHeight, &s.CompactTreeWidth: l.CompactTreeWidth,
		&s.CompactTreeHeight: l.CompactTreeHeight} {
		if value > 0.02 && value < 0.98 {
			*share = value
		}
	}
	p.applyShares()
	if l.AboveBottom > 0.1 && l.AboveBottom < 0.95 {
		p.bottom.share = l.AboveBottom
	}
}

// Enlarge puts a panel of the side above the bytes, or back.
func (p *Pane) Enlarge(panel Panel, large bool) {
	if (p.enlarged == panel) == large {
		return
	}
	p.storeShares()
	if large {
		p.Side.Remove(panel)
		p.enlarged = panel
	} else {
		p.Large.Remove(panel)
		p.Center.Remove(panel)
		p.enlarged = nil
		p.Side.AddFirst(panel)
	}
	p.placeLarge()
	if large {
		p.Side.Show(detailsPanel{p.details}) // in a compact pane
	}
}

// placeLarge puts the large panel above the bytes, or beside them in a low pane.
func (a *arrangement) placeLarge() {
	p := a.pane
	above := a.enlarged != nil && !a.low
	if a.enlarged != nil {
		from, to := p.Large, p.Center
		if above {
			from, to = to, from
		}
		from.Remove(a.enlarged)
		if !to.Has(a.enlarged) {
			to.AddFirst(a.enlarged)
		}
	}
	a.center.Trailing = placeholder()
	a.middle.Objects = []fyne.CanvasObject{a.bytesOnly}
	if above {
		a.center.Trailing = a.bytesOnly
		a.middle.Objects = []fyne.CanvasObject{a.center}
	}
	a.center.Refresh()
	a.middle.Refresh()
}

// Has reports whether a panel is in the pane.
func (p *Pane) Has(panel Panel) bool {
	return p.Side.Has(panel) || p.Large.Has(panel) || p.Center.Has(panel)
}

// detailsPanel is the details as a panel of the side.
type detailsPanel struct{ *details.Details }

func (detailsPanel) Title() string { return "Details" }

func (d detailsPanel) Content() fyne.CanvasObject { return d.Details }

// fitting is the layout of a pane. It decides whether the pane is compact or low.
type fitting struct{ p *Pane }

// Layout arranges the parts for the size.
func (f fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if low := size.Height < lowBelow*f.p.style.Size(); low != f.p.low {
		f.p.storeShares()
		f.p.low = low
		f.p.placeLarge()
		f.p.applyShares()
	}
	if compact := size.Width < compactBelow*f.p.style.Size(); compact != f.p.compact {
		f.p.storeShares()
		f.p.compact = compact
		f.p.arrange()
		f.p.applyShares()
	}
	objects[0].Resize(size)
}

// MinSize returns the size of a compact pane, which is narrower than others.
func (f fitting) MinSize(objects []fyne.CanvasObject) fyne.Size {
	minSize := objects[0].MinSize()
	left := max(f.p.structure.content.MinSize().Width, f.p.side.MinSize().Width)
	return fyne.NewSize(min(minSize.Width, left+minCompactCenter+splitBar), minSize.Height)
}

// splitBar is the width of the bar of a division, with a reserve.
const splitBar = 12

// atLeast is a layout with a minimum width.
func atLeast(width func() float32) paint.StackMinSize {
	return func(minSize fyne.Size) fyne.Size { return minSize.Max(fyne.NewSize(width(), 0)) }
}

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
