// Package assets displays the assets of a document as a file manager does: folders and files with details, as a list of
// names, or as thumbnails.
package assets

import (
	"cmp"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Options are the settings of the panel.
type Options struct {
	thumbnail.Options
	// Word is the word for an asset; the default is "asset".
	Word string
	// Beside is an object beside the choice of groups. It may be nil.
	Beside fyne.CanvasObject
	// Read returns the assets of a document that this panel shares with others. If it is nil, the panel reads them.
	Read func() *archive.Shared
	// Tone is the tone of the i-th asset's name; nil: as text.
	Tone func(i int) paint.Tone
	// Noted returns the flag and the text of the notes on the i-th asset. It may be nil.
	Noted func(i int) (flag rows.Mark, tip string)
	// Sign returns the sign before the name of the i-th asset. If it is nil, there is an icon.
	Sign func(i int) string
	// Columns are the names of the columns, in order; nil: all columns that are not empty.
	Columns []string
	// Grouping is the name of the first grouping; the default is by folders.
	Grouping string
	// Keep is the number of columns, from the first one, that stay in view; the default is up to the sizes.
	Keep int
	// Tall makes rows tall enough for a thumbnail.
	Tall bool
	// OnSelect is called when the user selects assets, with the current node and all selected ones.
	OnSelect func(path model.Path, all doc.Nodes)
	// OnGroup is called after OnSelect if the current row is a group. name is the name of the group if it is the only
	// selected row, else "". assets are all selected assets, with those in groups.
	OnGroup func(d *model.Document, name string, assets []int, facts archive.Facts)
	// OnUp is called when the user selects the row "..". It may be nil.
	OnUp func()
	// OnCopy is called to copy assets as files, some of them in folders.
	OnCopy func(d *model.Document, all doc.Nodes, folders ...string)
	// OnMenu opens the menu of the selected assets.
	OnMenu func(pos fyne.Position)
	// OnOpen is called to open the selected asset, OnPreview to bring its preview into view.
	OnOpen, OnPreview func()
}

// Host is the host of a list of assets.
type Host interface {
	host.Host
	// Drag returns the drag of assets, some of them in folders, or nil if they cannot be dragged.
	Drag(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag
}

// Panel is a panel of a document's pane.
type Panel struct {
	Host
	Options

	document *model.Document
	style    *paint.Style
	group    *work.Group
	reading  *work.Lane
	lane     *work.Lane // arranges the listing
	choosing *work.Lane // selects in the other panels
	finding  *work.Lane // follows selections in the other panels
	checking *work.Lane // verifies checksums

	rows           *rows.Rows
	names          *rows.Grid
	tiles          *rows.Grid
	loader         *thumbnail.Loader
	filter         *control.Filter
	filterField    *control.Field // field of filter
	crumbs         *fyne.Container
	count          *control.Caption
	head           *fyne.Container // the path, the count, and the groups
	modeChoice     *control.Select
	orderButton    *control.Button // menu of sort orders, in modes without a header
	sizeSlider     *control.Slider // size of the thumbnails
	sizeBox        *fyne.Container // container of sizeSlider
	groupingChoice *control.Select
	body           *fyne.Container
	content        fyne.CanvasObject

	requested        bool
	complete         bool
	listedOnce       bool // all assets were listed once; from then on the user chooses the group
	archive          *archive.Archive
	tree             *archive.Tree // tree that the listing displays
	treeOutdated     bool          // tree is about to be replaced
	listing          listing
	currentGroup     int             // index of the group in view
	groupToReopen    []string        // the names of the group that was in view before another document
	groupingName     string          // name of the chosen grouping
	closed           map[string]bool // the collapsed folders of the tree, by path
	columns          []int
	sortColumn       int // sort column of the archive; -1: unsorted
	sortOrder        rows.Order
	mode             mode
	settings         listSettings           // the settings of lists in this type of tab
	smallSide        int                    // side of the pictures in a list of names or in tiles, in pixels
	reportedPath     model.Path             // the node that was last selected here
	node             *model.Node            // the node that was last selected in another panel
	revealAsset      int                    // the asset to select after the listing was arranged, or -1
	countSums        map[int]int64          // sums of the column of counts, by group
	reportReveal     bool                   // report revealAsset as selected by the user
	toggledRow       int64                  // the row of the tree that was opened or closed and stays current, or -1
	rowBeforeFilter  int64                  // the current row before the filter, or -1
	opensGroup       bool                   // the user opened a group, and its listing is not displayed yet
	history          host.History[[]string] // the groups that the user entered, by the names on the way from the root
	historyOf        string                 // the grouping of history
	previousSubgroup int                    // the subgroup from which the user went up into that group, or -1
}

var (
	_ doc.Panel    = (*Panel)(nil)
	_ doc.Selector = (*Panel)(nil)
)

// New returns the panel of a document's assets. They are read on the first call of Content.
func New(h Host, style *paint.Style, group *work.Group, d *model.Document, o Options) *Panel {
	p := &Panel{Host: h, Options: o, document: d, style: style, group: group, reading: group.Lane(), lane: group.Lane(),
		choosing: group.Lane(), finding: group.Lane(), checking: group.Lane(), sortColumn: archive.Name,
		sortOrder: rows.Ascending, revealAsset: -1, toggledRow: -1, rowBeforeFilter: -1}
	if p.Word == "" {
		p.Word = "asset"
	}
	p.loadSettings()
	p.rows = rows.New(p, style, (*rowSource)(p), p.rowOptions())
	p.rows.Events = rows.Events{OnCurrent: func(int64) { p.selectionChanged() }, OnSelection: p.selectionChanged,
		OnActivate: p.activate, OnExpand: p.expand, OnCollapse: p.collapse,
		OnResize: func(int, float32) { p.saveWidths() },
		OnMenu:   p.menu, OnDrag: p.drag, OnTypeAhead: p.typeAhead, OnSort: p.sort, BeforeKey: p.handleKey,
		BeforeShortcut: p.copy, AllFrom: p.allFrom}
	p.loader = thumbnail.New(group, o.Options)
	p.names, p.tiles = p.newGrid(0), p.newGrid(p.settings.Side)
	p.tiles.OnVisible, p.names.OnVisible = p.requestTiles, p.requestSmall
	p.tiles.OnZoom = func(steps int) { p.setSide(p.settings.Side * float32(math.Pow(1.25, float64(steps)))) }
	p.loader.OnLoad = func() { p.view().Refresh() }
	p.addTools()
	return p
}

// addTools creates the widgets above the listing, and the content.
func (p *Panel) addTools() {
	p.filter = control.NewFilter(p, "Filter: name, *.png, or a condition", func() *query.List {
		if p.archive == nil {
			return nil
		}
		return query.TableColumns(p.archive.Table())
	}, func() { p.update(filterDelay) })
	p.filter.SetOnLeave(p.leaveFilter)
	p.filterField = p.filter.Field
	p.count = control.NewCaption(p.ShowHint)
	p.modeChoice = control.NewSelect(p.Key, modeNames, nil)
	p.orderButton = control.NewButton(p.Key, "Sort", theme.MenuDropDownIcon(), p.openOrderMenu)
	p.orderButton.Importance, p.orderButton.IconPlacement = widget.LowImportance, widget.ButtonIconTrailingText
	p.sizeSlider = control.NewSlider(p.Key, minSide, maxSide)
	p.sizeSlider.SetValue(float64(p.settings.Side))
	p.sizeSlider.OnChanged = func(side float64) { p.setSide(float32(side)) }
	sliderSize := func(minSize fyne.Size) fyne.Size { return fyne.NewSize(sliderWidth, minSize.Height) }
	p.sizeBox = container.New(paint.StackMinSize(sliderSize), p.sizeSlider)
	p.mode = p.settings.Mode
	p.modeChoice.SetSelectedIndex(int(p.mode))
	p.modeChoice.OnChanged = func(string) { p.setMode(mode(p.modeChoice.SelectedIndex())) }
	p.groupingName = cmp.Or(p.Grouping, fixedGroupings[0].name)
	p.groupingChoice = control.NewSelect(p.Key, []string{p.groupingName}, nil)
	p.groupingChoice.SetSelectedIndex(0)
	p.groupingChoice.OnChanged = func(name string) {
		p.SetGrouping(name)
		p.Focus()
	}
	p.crumbs = container.New(layout.NewCustomPaddedHBoxLayout(0))
	p.body = container.NewStack(p.view())
	paint.SetVisible(p.sizeBox, p.mode == tileMode)
	paint.SetVisible(p.orderButton, p.mode != detailsMode)
	var grouping fyne.CanvasObject = p.groupingChoice
	if p.Beside != nil {
		grouping = container.NewHBox(p.Beside, p.groupingChoice)
	}
	p.head = container.New(headLayout{}, container.NewHScroll(p.crumbs), p.count, grouping)
	buttons := container.NewHBox(p.orderButton, p.sizeBox, p.modeChoice)
	tools := container.NewBorder(nil, nil, nil, buttons, p.filterField)
	p.content = p.filter.WithPopup(container.NewBorder(container.NewVBox(tools, p.head), nil, nil, nil, p.body))
}

// rowOptions returns the options of the rows with details.
func (p *Panel) rowOptions() rows.Options {
	options := rows.Options{Header: true, Multi: true, Grow: 420, Keep: archive.Size + 1, Empty: func() string {
		if p.listing.filtered {
			return host.NoMatches
		}
		return ""
	}}
	if p.Columns != nil {
		options.Keep = 2
	}
	options.Keep = cmp.Or(p.Keep, options.Keep)
	if p.Tall {
		options.Height = func(scale float32) int { return int(tallRow*scale + .5) }
	}
	return options
}

// sliderWidth is the width of the slider for the size of thumbnails.
const sliderWidth = 90

func (p *Panel) tone(i int) paint.Tone {
	switch {
	case p.archive.HasProblem(i):
		return paint.Error
	case p.Tone != nil:
		return p.Tone(i)
	}
	return paint.Normal
}

// Title returns the title of the panel.
func (p *Panel) Title() string { return "Assets" }

// Content returns the object to add to the pane.
func (p *Panel) Content() fyne.CanvasObject {
	if !p.requested {
		p.requested = true
		p.read()
	}
	return p.content
}

// Focus gives the keyboard focus to the assets.
func (p *Panel) Focus() { p.view().Focus() }

// FocusFilter gives the keyboard focus to the filter.
func (p *Panel) FocusFilter() { p.filterField.Focus(p.body) }

// List lists the assets of another document and selects one as the user does, unless current is -1. The group of the
// same name stays open.
func (p *Panel) List(d *model.Document, current int) {
	if p.tree != nil {
		p.groupToReopen = p.tree.Names(p.currentGroup)
	}
	p.document, p.archive, p.tree, p.listing = d, nil, nil, listing{}
	p.revealAsset, p.reportReveal = current, current >= 0
	p.loader.Forget()
	p.lane.Stop()
	p.relist()
	if p.requested {
		p.read()
	}
}

// Select follows a selection in another panel.
func (p *Panel) Select(s doc.Selection) {
	p.node = s.Node
	if s.Document != nil && s.Document != p.document {
		p.List(s.Document, -1)
	}
	if s.Node == nil || p.archive == nil || p.reportedPath != nil && p.reportedPath.Equal(s.Node.Path()) {
		return
	}
	p.selectAssetOf(s.Node)
}

// Refresh updates the cells.
func (p *Panel) Refresh() {
	p.countSums = nil
	p.rows.Refresh()
	p.names.Refresh()
	p.tiles.Refresh()
}

// Redraw draws the thumbnails again.
func (p *Panel) Redraw() {
	p.loader.Forget()
	p.Refresh()
}

// relist displays another listing from its beginning.
func (p *Panel) relist() {
	p.countSums = nil
	p.rows.SetSource((*rowSource)(p))
	p.names.Reset()
	p.tiles.Reset()
}

// showCrumbs displays the path of the group. A click on a step enters that group.
func (p *Panel) showCrumbs() {
	p.crumbs.RemoveAll()
	defer p.head.Refresh()
	if len(p.tree.Groups) == 1 || p.listing.lines != nil {
		return
	}
	var steps []int
	for g := p.currentGroup; g >= 0; g = p.tree.Groups[g].Parent {
		steps = append(steps, g)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		name := p.tree.Groups[steps[i]].Name
		if steps[i] == 0 {
			name = model.OneLine(p.document.Source.Name(), 40)
		}
		b := control.NewButton(p.Key, model.OneLine(name, 40), nil, func() { p.enter(steps[i]) })
		b.Importance = widget.LowImportance
		p.crumbs.Add(b)
		if i > 0 {
			p.crumbs.Add(widget.NewLabel("/"))
		}
	}
}

// mode is how assets are listed.
type mode int

const (
	detailsMode mode = iota
	listMode
	tileMode
)

var modeNames = []string{"Details", "List", "Thumbnails"}

func (p *Panel) newGrid(side float32) *rows.Grid {
	g := rows.NewGrid(p, p.style, (*tileSource)(p), side)
	g.GridEvents = rows.GridEvents{OnSelection: p.selectionChanged, OnActivate: p.activate, OnMenu: p.menu,
		OnDrag: p.drag, OnTypeAhead: p.typeAhead, BeforeKey: p.handleKey, BeforeShortcut: p.copy,
		AllFrom: p.allFrom}
	return g
}

func (p *Panel) setMode(m mode) {
	selected, current := p.selection()
	p.mode, p.settings.Mode = m, m
	p.saveSettings()
	paint.SetVisible(p.sizeBox, m == tileMode)
	paint.SetVisible(p.orderButton, m != detailsMode)
	p.body.Objects = []fyne.CanvasObject{p.view()}
	p.offerGroupings()
	if p.groupingName == treeGrouping {
		p.update(0) // tiles show one folder
	}
	p.view().Select(current, selected)
	p.body.Refresh()
	p.Focus()
}

// view is the widget of a mode.
type view interface {
	fyne.CanvasObject
	Focus()
	Current() int64
	Selection() rows.Intervals
	// Select selects rows, makes one of them current and scrolls to it. It calls no event.
	Select(current int64, selection rows.Intervals)
}

func (p *Panel) view() view {
	return [...]view{detailsMode: p.rows, listMode: p.names, tileMode: p.tiles}[p.mode]
}

// selection returns the selected rows and the current one in the current mode.
func (p *Panel) selection() (selected rows.Intervals, current int64) {
	return p.view().Selection(), p.view().Current()
}

// allFrom returns the first row that is not "..".
func (p *Panel) allFrom() int64 {
	if g, ok := p.listing.group(0); ok && g < 0 {
		return 1
	}
	return 0
}

// setSelection selects only a row, without an event.
func (p *Panel) setSelection(row int64) {
	p.view().Select(row, rows.SingleRow(row))
}
