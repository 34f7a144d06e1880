// Package assets shows the assets of a document as a file manager does: folders and files with details, as a list of
// names, or as small pictures.
package assets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
	"assay/model/table"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/filter"
	"assay/ui/grid"
	"assay/ui/look"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/wording"
	"assay/ui/work"
)

// Options are what the panel is made with.
type Options struct {
	thumbnail.Options
	// Word is what one of them is called; empty is "asset".
	Word string
	// Beside stands beside the choice of groups; nil is nothing.
	Beside fyne.CanvasObject
	// Read reads the assets of a document for this panel and others; nil: the panel reads them for itself.
	Read func() *archive.Shared
	// Tone is the tone of the i-th asset's name; nil: that of a text.
	Tone func(i int) paint.Tone
	// Sign stands before the name of the i-th asset; nil: an icon does.
	Sign func(i int) string
	// Columns are the names of the columns that are shown, in their order; nil: all that tell something.
	Columns []string
	// Grouping is the name of the groups that are shown first; empty: folders.
	Grouping string
	// Tall makes rows tall enough for a small picture of each asset.
	Tall bool
	// OnSelect is called when the user goes to an asset: its node, and those of all that are selected.
	OnSelect func(at model.Path, all doc.Nodes)
	// OnGroup is called after that when the user goes to a group, with all assets that are in it.
	OnGroup func(d *model.Document, name string, assets []int)
	// OnCopy is called to copy assets as files.
	OnCopy func(d *model.Document, all doc.Nodes)
	// OnOpen is called for an asset that was selected and is to be opened; OnPreview is to bring its preview into view.
	OnOpen, OnPreview func()
}

// mode is how assets are shown.
type mode int

const (
	details mode = iota
	list
	pictures
)

var modeNames = []string{"Details", "List", "Thumbnails"}

// Panel is a panel of a document's pane.
type Panel struct {
	doc.Host
	Options

	document *model.Document
	style    *paint.Style
	group    *work.Group
	reading  *work.Lane
	lane     *work.Lane // arranges what is shown
	choosing *work.Lane // selects in the other panels
	finding  *work.Lane // follows them
	checking *work.Lane

	rows   *rows.Rows
	names  *grid.Grid
	tiles  *grid.Grid
	loader *thumbnail.Loader
	typing *filter.Filter
	filter *control.Field // of that
	way    *fyne.Container
	count  *control.Caption
	head   *fyne.Container // the way, the count, and the groups
	modes  *control.Select
	sides  *control.Slider // of thumbnails
	zoom   *fyne.Container // that
	by     *control.Select
	body   *fyne.Container
	whole  fyne.CanvasObject

	asked    bool
	complete bool
	archive  *archive.Archive
	tree     *archive.Tree // that of what is shown
	stale    bool          // and another one is being made
	shown    listing
	at       int             // the group that is shown
	grouping string          // the name of one of all
	closed   map[string]bool // the folders of the tree that are closed, by their paths
	columns  []int
	column   int // of the archive that is sorted by; -1: none
	order    rows.Order
	mode     mode
	last     remembered // how such lists are shown
	small    int        // pixels of the pictures in a list of names
	places   *model.AssetIndex
	went     model.Path  // what was selected here last
	node     *model.Node // what was selected elsewhere last
	wanted   int         // the asset that is to be shown as soon as it is there; -1: none
	stepping bool        // and that the user is said to have gone to
	kept     int64       // the row of the tree that was opened or closed, and stays current; -1: none
	before   int64       // the row that was current before there was a filter; -1: none
	entered  bool        // a group was entered from the group cameFrom, -1 if that is not in it
	cameFrom int
}

var (
	_ doc.Panel    = (*Panel)(nil)
	_ doc.Selector = (*Panel)(nil)
)

// New makes the panel of a document's assets. They are read when it is shown for the first time.
func New(h doc.Host, style *paint.Style, group *work.Group, d *model.Document, o Options) *Panel {
	p := &Panel{Host: h, Options: o, document: d, style: style, group: group, reading: group.Lane(), lane: group.Lane(),
		choosing: group.Lane(), finding: group.Lane(), checking: group.Lane(), column: archive.Name,
		order: rows.Ascending, wanted: -1, kept: -1, before: -1}
	if p.Word == "" {
		p.Word = "asset"
	}
	shape := rows.Options{Header: true, Multi: true, Grow: 420, Keep: archive.Size + 1}
	p.recall()
	if o.Columns != nil {
		shape.Keep = 2
	}
	if o.Tall {
		shape.Height = func(scale float32) int { return int(tallRow*scale + .5) }
	}
	p.rows = rows.New(p, style, (*body)(p), shape)
	p.rows.Events = rows.Events{OnCurrent: func(int64) { p.selected() }, OnSelection: p.selected,
		OnActivate: p.activate, OnExpand: p.open, OnCollapse: p.close,
		OnResize: func(int, float32) { p.rememberWidths() },
		OnMenu:   p.menu, OnDrag: p.drag, OnTypeAhead: p.typed, OnSort: p.sort, BeforeKey: p.typedKey,
		BeforeShortcut: p.copy}
	p.loader = thumbnail.New(group, o.Options)
	p.names, p.tiles = p.newGrid(0), p.newGrid(p.last.Side)
	p.tiles.OnVisible, p.names.OnVisible = p.wantPictures, p.wantSmall
	p.tiles.OnZoom = func(by int) { p.setSide(p.last.Side * float32(math.Pow(1.25, float64(by)))) }
	p.loader.OnLoad = func() { p.view().Refresh() }
	p.typing = filter.New(p, "Part of a name, *.png, or a condition", func() *query.List {
		if p.archive == nil {
			return nil
		}
		return table.List(p.archive.Table())
	}, func() { p.arrange(filterDelay) })
	p.typing.Leave(p.leaveFilter)
	p.filter = p.typing.Field
	p.count = control.NewCaption(p.Tell)
	p.modes = control.NewSelect(h.Key, modeNames, nil)
	p.sides = control.NewSlider(h.Key, sideLeast, sideMost)
	p.sides.SetValue(float64(p.last.Side))
	p.sides.OnChanged = func(side float64) { p.setSide(float32(side)) }
	wide := func(least fyne.Size) fyne.Size { return fyne.NewSize(sliderWide, least.Height) }
	p.zoom = container.New(look.Sized(wide), p.sides)
	p.mode = p.last.Mode
	p.modes.SetSelectedIndex(int(p.mode))
	p.modes.OnChanged = func(string) { p.setMode(mode(p.modes.SelectedIndex())) }
	p.grouping = cmp.Or(o.Grouping, groupings[0].name)
	p.by = control.NewSelect(h.Key, []string{p.grouping}, nil)
	p.by.SetSelectedIndex(0)
	p.by.OnChanged = p.SetGrouping
	p.way = container.New(layout.NewCustomPaddedHBoxLayout(0))
	p.body = container.NewStack(p.view())
	look.Show(p.zoom, p.mode == pictures)
	var by fyne.CanvasObject = p.by
	if o.Beside != nil {
		by = container.NewHBox(o.Beside, p.by)
	}
	p.head = container.New(wayLayout{}, container.NewHScroll(p.way), p.count, by)
	tools := container.NewBorder(nil, nil, nil, container.NewHBox(p.zoom, p.modes), p.filter)
	p.whole = p.typing.Over(container.NewBorder(container.NewVBox(tools, p.head), nil, nil, nil, p.body))
	return p
}

// sliderWide is the width of the slider for the size of thumbnails.
const sliderWide = 90

func (p *Panel) newGrid(side float32) *grid.Grid {
	g := grid.New(p, p.style, (*tiles)(p), side)
	g.Events = grid.Events{OnSelection: p.selected, OnActivate: p.activate, OnMenu: p.menu, OnDrag: p.drag,
		OnTypeAhead: p.typed, BeforeKey: p.typedKey, BeforeShortcut: p.copy}
	return g
}

// tone is the tone of an asset's name.
func (p *Panel) tone(i int) paint.Tone {
	switch {
	case p.archive.Troubled(i):
		return paint.Error
	case p.Tone != nil:
		return p.Tone(i)
	}
	return paint.Normal
}

// Title is the panel's.
func (p *Panel) Title() string { return "Assets" }

// Content is what goes into the pane.
func (p *Panel) Content() fyne.CanvasObject {
	if !p.asked {
		p.asked = true
		p.read()
	}
	return p.whole
}

// Focus returns the assets the keyboard.
func (p *Panel) Focus() { p.view().Focus() }

// FocusFilter puts the keyboard into the filter.
func (p *Panel) FocusFilter() { p.filter.Focus(p.body) }

// read reads the assets and shows the first of them at once.
func (p *Panel) read() {
	p.count.SetText("Reading…")
	d := p.document
	read := func(ctx context.Context, grown func(a *archive.Archive)) (*archive.Archive, error) {
		return archive.Read(ctx, d, grown)
	}
	if p.Read != nil {
		read = p.Read().Read
	}
	p.reading.Go(func(ctx context.Context) func() {
		show := func(a *archive.Archive, complete bool) {
			if p.document == d {
				p.grown(a, complete)
			}
		}
		grown := func(a *archive.Archive) { p.group.Show(ctx, func() { show(a, false) }) }
		a, err := read(ctx, grown)
		return func() {
			if err != nil {
				p.count.SetText(wording.Sentence(err))
				return
			}
			show(a, true)
		}
	})
}

// grown shows the assets that have been read so far.
func (p *Panel) grown(a *archive.Archive, complete bool) {
	first := p.archive == nil
	var names []string
	if p.tree != nil {
		names = p.tree.Names(p.at)
	}
	p.archive, p.complete = a, complete
	if first {
		p.recallOrder()
	}
	if first && a.Total > sortedMost {
		p.column, p.order = -1, rows.Unsorted
	}
	p.setColumns()
	if complete {
		p.offerGroupings()
		p.filter.SetPlaceHolder(p.example())
	}
	p.regroup(names, 0)
	if complete && p.node != nil && p.went == nil {
		p.follow(p.node)
	}
}

// sortedMost is the number of assets up to which they are sorted by name without being asked for it.
const sortedMost = 100_000

const filterDelay = 120 * time.Millisecond // after the last letter

// setColumns shows the columns of the archive that have something in them.
func (p *Panel) setColumns() {
	var columns []int
	for i := range p.archive.Columns() {
		if p.Columns == nil && p.archive.Has(i) {
			columns = append(columns, i)
		}
	}
	for _, name := range p.Columns {
		i := slices.IndexFunc(p.archive.Columns(), func(c model.Column) bool { return c.Name == name })
		columns = append(columns, i)
	}
	if slices.Equal(columns, p.columns) {
		return
	}
	p.columns = columns
	var shown []rows.Column
	for _, i := range columns {
		c := p.archive.Columns()[i]
		column := rows.Column{Title: strings.ToUpper(c.Name[:1]) + c.Name[1:], Sortable: true, Width: 48, Min: 48}
		if c.Numeric {
			column.Align = paint.Trailing
		}
		if i == archive.Name {
			column.Width, column.Min = 160, 120
			if p.Tall {
				column.Min += tallRow
			}
		}
		shown = append(shown, column)
	}
	p.rows.SetColumns(shown...)
	p.recallWidths()
}

// example is what belongs into the filter, with this file's own columns and values.
func (p *Panel) example() string {
	text := "Part of a name, *" + extension(p.archive)
	if p.archive.Len() > 0 {
		text += ", size > 1 MB"
		cell := p.archive.Table().Cell(0, archive.Type)
		text += fmt.Sprintf(", type = %v", cell)
	}
	return text
}

// extension is that of the first asset which has one.
func extension(a *archive.Archive) string {
	for i := range min(a.Len(), 100) {
		if base := a.Base(i); strings.LastIndexByte(base, '.') > 0 {
			return base[strings.LastIndexByte(base, '.'):]
		}
	}
	return ".png"
}

// List lists the assets of another document, and goes to one of them as the user does; -1: to none.
func (p *Panel) List(d *model.Document, current int) {
	p.document, p.archive, p.tree, p.places, p.shown = d, nil, nil, nil, listing{}
	p.wanted, p.stepping = current, current >= 0
	p.loader.Forget()
	p.lane.Stop()
	p.refresh()
	if p.asked {
		p.read()
	}
}

// Select follows what is selected elsewhere.
func (p *Panel) Select(s doc.Selection) {
	p.node = s.Node
	if s.Document != nil && s.Document != p.document {
		p.List(s.Document, -1)
	}
	if s.Node == nil || p.archive == nil || p.went != nil && p.went.Equal(s.Node.Path()) {
		return
	}
	p.follow(s.Node)
}

func (p *Panel) setMode(m mode) {
	selected, current := p.selection()
	p.mode, p.last.Mode = m, m
	p.remember()
	look.Show(p.zoom, m == pictures)
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
	one := rows.Intervals{}
	if row >= 0 {
		one.Add(row, row+1)
	}
	p.view().Select(row, one)
}

// Refresh shows what is known now.
func (p *Panel) Refresh() { p.refreshCells() }

// Redraw has the pictures drawn again.
func (p *Panel) Redraw() {
	p.loader.Forget()
	p.refreshCells()
}

func (p *Panel) refresh() {
	p.rows.SetSource((*body)(p))
	p.names.Top()
	p.tiles.Top()
}

// grouping is a way to put assets into groups.
type grouping struct {
	name string
	make func(ctx context.Context, a *archive.Archive) (*archive.Tree, error)
}

// treeGrouping shows all folders with what is in them, as far as they are open.
const treeGrouping = "Tree"

// Flat is the name of no groups.
const Flat = "No folders"

func byFolders(ctx context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Folders(ctx) }

var groupings = []grouping{
	{"Folders", byFolders}, {treeGrouping, byFolders},
	{Flat, func(_ context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Whole(), nil }},
}

// all are the ways that this archive has: by its folders, by nothing, by the columns that tell classes of assets.
func (p *Panel) all() []grouping {
	all := groupings[:len(groupings):len(groupings)]
	if p.archive == nil {
		return all
	}
	for i, c := range p.archive.Columns() {
		if c.Class && p.archive.Has(i) {
			all = append(all, grouping{"By " + c.Name,
				func(ctx context.Context, a *archive.Archive) (*archive.Tree, error) {
					return a.By(ctx, i)
				}})
		}
	}
	return all
}

func (p *Panel) offerGroupings() {
	var names []string
	for _, g := range p.all() {
		names = append(names, g.name)
	}
	p.by.SetOptions(names)
}

// SetGrouping groups the assets in the way with a name.
func (p *Panel) SetGrouping(name string) {
	if name != p.grouping {
		p.grouping = name
		p.regroup(nil, 0)
	}
}

// chosenGrouping is the one that was chosen, or the first where the assets have no such groups.
func (p *Panel) chosenGrouping() grouping {
	all := p.all()
	return all[max(0, slices.IndexFunc(all, func(g grouping) bool { return g.name == p.grouping }))]
}

// enter shows a group: the one below it that was shown before is selected then, else the first thing in it.
func (p *Panel) enter(g int) {
	p.entered, p.cameFrom = true, -1
	for from := p.at; from > 0 && from != g; from = p.tree.Groups[from].Parent {
		if p.tree.Groups[from].Parent == g {
			p.cameFrom = from
		}
	}
	p.at = g
	if p.filter.Text != "" {
		p.filter.SetText("")
		return
	}
	p.arrange(0)
}

// regroup makes the groups anew and shows the one with the names on the way down.
func (p *Panel) regroup(names []string, delay time.Duration) {
	p.stale = true
	p.show(names, delay)
}

func (p *Panel) arrange(delay time.Duration) {
	var names []string
	if p.stale && p.tree != nil {
		names = p.tree.Names(p.at)
	}
	p.show(names, delay)
}

// show finds, sorts and shows what is in the group or meets the filter, off the UI thread.
func (p *Panel) show(names []string, delay time.Duration) {
	a := p.archive
	if a == nil {
		return
	}
	t := a.Table()
	filter, err := query.Parse(p.filter.Text, table.List(t))
	if p.typing.Wrong(err); err != nil {
		p.lane.Stop()
		p.count.SetText("")
		return
	}
	group, tree, at, column, order := p.chosenGrouping(), p.tree, p.at, p.column, p.order
	if p.stale {
		tree = nil
	}
	var closed func(folder string) bool
	if p.isTree() {
		at = 0
		shut := maps.Clone(p.closed)
		closed = func(folder string) bool { return shut[folder] }
	}
	p.lane.Go(func(ctx context.Context) func() {
		if delay > 0 && !p.group.Pause(ctx, delay) {
			return nil
		}
		var err error
		if tree == nil {
			if tree, err = group.make(ctx, a); err == nil {
				at = tree.Find(names)
			}
		}
		var shown listing
		if err == nil {
			shown, err = arranged(ctx, a, t, tree, at, filter, column, order, closed)
			shown.scattered = shown.filtered || group.name != groupings[0].name && shown.lines == nil
		}
		return func() {
			if err != nil {
				p.count.SetText(wording.Sentence(err))
				return
			}
			p.arranged(tree, at, shown)
		}
	})
}

// arranged shows what was found.
func (p *Panel) arranged(tree *archive.Tree, at int, shown listing) {
	keep, wanted := p.Current(), p.wanted
	if p.wanted = -1; wanted >= 0 {
		keep = wanted
	}
	_, row := p.selection()
	if shown.filtered && !p.shown.filtered {
		p.before = row
	}
	unfiltered := p.shown.filtered && !shown.filtered && row < 0 && p.tree != nil && at == p.at
	p.tree, p.stale, p.at, p.shown = tree, false, at, shown
	p.showWay()
	p.count.SetText(p.counted())
	first := p.rows.First()
	p.refresh()
	p.rows.SetSort(slices.Index(p.columns, p.column), p.order)
	if p.kept >= 0 {
		p.rows.SetFirst(first)
		p.setSelection(p.kept)
		p.kept = -1
		return
	}
	switch entered := p.entered && !shown.filtered; {
	case entered && wanted < 0:
		p.entered = false
		p.goTo(p.landing())
	case keep >= 0:
		if row := p.shown.row(keep); row >= 0 {
			p.setSelection(row)
		} else if wanted >= 0 {
			p.reveal(wanted)
		}
	case unfiltered && p.before < p.shown.Len():
		p.setSelection(p.before)
	}
	if p.stepping && keep == p.Current() {
		p.stepping = false
		p.selected()
	}
}

// landing is the row that is selected where a group was entered; -1 where it has none.
func (p *Panel) landing() int64 {
	first := int64(0)
	if p.shown.up && p.shown.Len() > 1 {
		first = 1
	}
	for row := first; p.cameFrom >= 0 && row < p.shown.Len(); row++ {
		if g, ok := p.shown.group(row); ok && g == p.cameFrom {
			return row
		}
	}
	return min(first, p.shown.Len()-1)
}

// counted says how much is shown.
func (p *Panel) counted() string {
	files := int64(len(p.shown.rows))
	text := wording.Count(files, p.Word)
	if n := len(p.shown.groups); n > 0 && !p.shown.filtered {
		groups := wording.Count(n, p.groupWord())
		if files == 0 {
			text = groups
		} else {
			text = groups + ", " + text
		}
	}
	switch {
	case p.shown.filtered && files == 0:
		return "No matches"
	case !p.complete:
		text += fmt.Sprintf(" – reading %s", wording.Count(p.archive.Total, p.Word))
	case p.shown.filtered:
		return p.found(files)
	}
	return text
}

// found says how much a filter found, and where if that is not what one thinks of first.
func (p *Panel) found(files int64) string {
	in := p.at
	if p.shown.outside {
		in = 0
	}
	text := fmt.Sprintf("%s of %s", wording.Number(files), wording.Count(p.tree.Groups[in].Count, p.Word))
	if len(p.shown.by) > 0 {
		text += ", by " + strings.Join(p.shown.by, " or ")
	}
	if p.shown.outside {
		text += ", none in " + model.OneLine(p.tree.Groups[p.at].Name, 40)
	}
	return text
}

func (p *Panel) groupWord() string {
	if name := p.chosenGrouping().name; name == groupings[0].name || name == treeGrouping {
		return "folder"
	}
	return "group"
}

// showWay shows the way to the group: each step leads there.
func (p *Panel) showWay() {
	p.way.RemoveAll()
	defer p.head.Refresh()
	if len(p.tree.Groups) == 1 || p.shown.lines != nil {
		return
	}
	var steps []int
	for g := p.at; g >= 0; g = p.tree.Groups[g].Parent {
		steps = append(steps, g)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		name := p.tree.Groups[steps[i]].Name
		if steps[i] == 0 {
			name = model.OneLine(p.document.Source.Name(), 40)
		}
		b := widget.NewButton(model.OneLine(name, 40), func() { p.enter(steps[i]) })
		b.Importance = widget.LowImportance
		p.way.Add(b)
		if i > 0 {
			p.way.Add(widget.NewLabel("/"))
		}
	}
}

// sort sorts by a column.
func (p *Panel) sort(column int, order rows.Order) {
	if p.archive == nil {
		return
	}
	p.column, p.order = p.columns[column], order
	if order == rows.Unsorted {
		p.column = -1
	}
	p.rememberOrder()
	p.arrange(0)
}
