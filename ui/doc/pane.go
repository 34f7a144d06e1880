package doc

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/find"
	"assay/ui/details"
	"assay/ui/field"
	"assay/ui/hex"
	"assay/ui/inspect"
	"assay/ui/look"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/tree"
	"assay/ui/work"
)

// Pane shows one document.
type Pane struct {
	Events

	doc   *model.Document
	style *paint.Style
	group *work.Group

	tree      *tree.Tree
	hex       *hex.Hex
	details   *details.Details
	inspector *inspect.Inspector
	filter    *field.Field
	matches   *answered       // the filter and how many it finds
	choices   *fyne.Container // groups and switches
	head      *fyne.Container // above the tree: the filter and the choices
	treeAt    *fyne.Container // that and the tree

	centre     *tabs.Tabs // Hex, and what others add
	centreAll  []Panel
	centreAt   *fyne.Container
	side       *tabs.Tabs // Inspector, and what others add
	sideAll    []Panel
	sideAt     *fyne.Container
	tools      *fyne.Container // above the hex view: finding, going to
	drawer     *drawer
	left, main *container.Split // tree | rest, centre | details
	right      *container.Split // details over side
	content    fyne.CanvasObject

	node    *model.Node
	offset  int64
	length  int64
	history history

	report   *model.Report
	marks    marks
	search   search
	grouping int // 0: as the file has it, else the group's number + 1

	owning, reading, filtering, finding, going, choosing *work.Lane
}

// Widths in device-independent pixels: what the filter and the field of a search want beside other controls, what
// eight bytes want in the hex view, and the most that is kept for the panels below the details.
const (
	filterLeast = 170
	findLeast   = 170
	centreLeast = 345
	sideMost    = 320
)

// New makes a pane for a document. Its work ends with the group, which the pane owns from now on.
func New(d *model.Document, style *paint.Style, group *work.Group) *Pane {
	p := &Pane{style: style, group: group}
	for _, l := range []**work.Lane{&p.owning, &p.reading, &p.filtering, &p.finding, &p.going, &p.choosing} {
		*l = group.Lane()
	}
	p.marks.lane = group.Lane()
	in := parts{p: p}
	p.tree = tree.New(in, style, group)
	p.hex = hex.New(in, style, nil)
	p.details = details.New(in, style)
	p.inspector = inspect.New(in, style)
	p.filter = field.New(in, "Name, type or value")
	p.filter.Icon = theme.SearchIcon()
	p.matches = newAnswered(p.filter)
	p.drawer = newDrawer(p)
	p.search.init(p)
	p.wire()
	p.content = p.layout()
	p.setDocument(d)
	return p
}

// wire connects the widgets.
func (p *Pane) wire() {
	p.tree.Events = tree.Events{
		OnSelect:   func(n *model.Node) { p.choose(n, fromTree) },
		OnActivate: p.activate,
		OnMenu:     p.nodeMenu,
		OnDrag: func(at fyne.Position) rows.Drag {
			if p.OnDrag == nil {
				return nil
			}
			return p.OnDrag(at)
		},
	}
	p.hex.Events = hex.Events{
		Tint:       p.tint,
		OnSelect:   p.chooseByte,
		OnRange:    p.ranged,
		OnActivate: func(int64) { p.followCurrent() },
		OnMenu:     p.byteMenu,
		OnError:    p.complain,
	}
	p.details.Events = details.Events{
		OnGo:     func(n *model.Node) { p.choose(n, fromElsewhere) },
		OnFollow: func(n *model.Node) { p.follow(n) },
		OnOffset: func(off int64) { p.GoTo(off) },
	}
	p.filter.OnChanged = func(string) { p.refilter() }
	p.filter.OnKey = p.filterKey
}

// layout puts the widgets in their places.
func (p *Pane) layout() fyne.CanvasObject {
	p.choices = container.NewHBox()
	p.centre, p.side = tabs.New(p.style), tabs.New(p.style)
	p.centreAt, p.sideAt = container.NewStack(), container.NewStack()
	p.tools = container.NewStack()
	p.centre.OnSelect = p.showCentre
	p.side.OnSelect = p.showSide
	p.centreAll = []Panel{hexPanel{p}}
	p.sideAll = []Panel{p.inspector}

	p.head = newLine(&line{main: p.matches.box, tail: p.choices, least: filterLeast, height: func() float32 { return tabs.Height(p.style) }})
	p.treeAt = container.New(above{}, container.NewStack(look.NewBackdrop(theme.ColorNameHeaderBackground), p.head), p.tree)
	middle := container.New(atLeast(func() float32 { return centreLeast }), container.NewBorder(p.centre, nil, nil, nil, p.drawer.around(p.centreAt)))
	title := tabs.New(p.style)
	title.SetTabs([]tabs.Tab{{Title: "Details"}})
	title.SetSelected(0)
	about := container.NewBorder(title, nil, nil, nil, p.details)
	below := container.New(atLeast(p.sideLeast), container.NewBorder(p.side, nil, nil, nil, p.sideAt))
	p.right = container.NewVSplit(about, below)
	p.right.SetOffset(0.56)
	p.main = container.NewHSplit(middle, p.right)
	p.main.SetOffset(0.67)
	p.left = container.NewHSplit(p.treeAt, p.main)
	p.left.SetOffset(0.33)
	p.showCentre(0)
	p.showSide(0)
	return p.left
}

// strip is as high as a row of tabs.
func (p *Pane) strip(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(look.NewBackdrop(theme.ColorNameHeaderBackground), container.New(strip{p.style}, o))
}

// strip gives its only object the height of a row of tabs.
type strip struct{ style *paint.Style }

// Layout is called by Fyne.
func (s strip) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		h := min(size.Height, o.MinSize().Height)
		o.Move(fyne.NewPos(0, (size.Height-h)/2))
		o.Resize(fyne.NewSize(size.Width, h))
	}
}

// MinSize is called by Fyne.
func (s strip) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w := float32(0)
	for _, o := range objects {
		w = max(w, o.MinSize().Width)
	}
	return fyne.NewSize(w, tabs.Height(s.style))
}

// hexPanel is the hex view as a panel, with the tools above it.
type hexPanel struct{ p *Pane }

// Title is the panel's name.
func (h hexPanel) Title() string { return "Hex" }

// Content is what goes into the window.
func (h hexPanel) Content() fyne.CanvasObject {
	return container.New(above{}, h.p.tools, h.p.hex)
}

// AddCentre puts a panel beside the hex view; first says that it comes before it.
func (p *Pane) AddCentre(panel Panel, first bool) {
	if first {
		p.centreAll = append([]Panel{panel}, p.centreAll...)
	} else {
		p.centreAll = append(p.centreAll, panel)
	}
	p.showCentre(0)
	p.tellPanels()
}

// AddSide puts a panel beside the inspector.
func (p *Pane) AddSide(panel Panel) {
	p.sideAll = append(p.sideAll, panel)
	p.showSide(p.side.Selected())
	p.tellPanels()
}

// LeadSide puts a panel before those beside the inspector, and shows it.
func (p *Pane) LeadSide(panel Panel) {
	p.sideAll = append([]Panel{panel}, p.sideAll...)
	p.showSide(0)
	p.tellPanels()
}

// ShowInspector brings the inspector into view.
func (p *Pane) ShowInspector() {
	for i, panel := range p.sideAll {
		if panel == Panel(p.inspector) {
			p.showSide(i)
		}
	}
}

func (p *Pane) showCentre(i int) { show(p.centre, p.centreAt, p.centreAll, i) }
func (p *Pane) showSide(i int)   { show(p.side, p.sideAt, p.sideAll, i) }

// sideLeast is the width that the tabs of the panels below the details want.
func (p *Pane) sideLeast() float32 {
	width := float32(0)
	for _, panel := range p.sideAll {
		width += fyne.MeasureText(panel.Title(), p.style.Size(), fyne.TextStyle{}).Width + 26
	}
	return min(width, sideMost)
}

func show(row *tabs.Tabs, at *fyne.Container, all []Panel, i int) {
	var t []tabs.Tab
	for _, panel := range all {
		t = append(t, tabs.Tab{Title: panel.Title()})
	}
	row.SetTabs(t)
	row.SetSelected(i)
	at.Objects = []fyne.CanvasObject{all[i].Content()}
	at.Refresh()
}

// showHex brings the hex view into view.
func (p *Pane) showHex() {
	for i, panel := range p.centreAll {
		if _, ok := panel.(hexPanel); ok && p.centre.Selected() != i {
			p.showCentre(i)
		}
	}
}

// Content is what goes into the window.
func (p *Pane) Content() fyne.CanvasObject { return p.content }

// Document is what is shown.
func (p *Pane) Document() *model.Document { return p.doc }

// Focus gives the tree the keyboard.
func (p *Pane) Focus() { p.tree.Focus() }

// Close ends the pane's work and lets go of the file.
func (p *Pane) Close() {
	p.group.Close()
	p.hex.Close()
	src := p.doc.Source
	go func() { // what still reads finishes first
		p.group.Wait()
		src.Close()
	}()
}

// setDocument shows a document from its beginning.
func (p *Pane) setDocument(d *model.Document) {
	p.doc = d
	p.node, p.offset, p.length = nil, 0, 0
	p.report = nil
	p.marks.forget()
	p.search.forget()
	p.grouping = 0
	if p.group.AtOnce() {
		p.hex.SetData(hex.AtOnce{Data: d.Source})
	} else {
		p.hex.SetData(d.Source)
	}
	p.tree.SetTrouble(nil)
	p.tree.SetRoot(d.Source.Name(), d.Root(), nil)
	p.showChoices()
	p.drawer.setReport(nil)
	p.choose(d.Root(), fromElsewhere)
	p.check()
}

func (p *Pane) key(k *fyne.KeyEvent) bool { return p.OnKey != nil && p.OnKey(k) }

func (p *Pane) shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok && p.tree.Focused() {
		p.CopyValue()
		return true
	}
	return p.OnShortcut != nil && p.OnShortcut(s)
}

func (p *Pane) hint(text string) {
	if p.OnHint != nil {
		p.OnHint(text)
	}
}

func (p *Pane) busy(what string, share float64, stop func()) {
	if p.OnBusy != nil {
		p.OnBusy(what, share, stop)
	}
}

func (p *Pane) status() {
	if p.OnStatus != nil {
		p.OnStatus()
	}
}

// query is the filter's text as a query.
func (p *Pane) query() find.Query { return find.NewQuery(p.filter.Text) }

// FocusHex gives the hex view the keyboard.
func (p *Pane) FocusHex() {
	p.showHex()
	p.hex.Focus()
}

// FocusDetails gives the details the keyboard.
func (p *Pane) FocusDetails() { p.details.Focus() }

// ExpandAll opens everything below the current row of the tree.
func (p *Pane) ExpandAll() { p.tree.ExpandCurrent() }

// CollapseAll closes everything but the root.
func (p *Pane) CollapseAll() { p.tree.CollapseAll() }

// SetColumns sets how many bytes a row of the hex view has; 0 is as many as fit.
func (p *Pane) SetColumns(n int) {
	p.showHex()
	p.hex.SetColumns(n)
}
