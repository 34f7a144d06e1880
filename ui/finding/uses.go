package finding

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/graph"
	"assay/model/search"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/work"
)

// UsesOptions are the options of a Uses.
type UsesOptions struct {
	Style *paint.Style
	Group *work.Group // closed by the tab
	// Open decodes the content of an asset, and OpenFile a file on disk. Opens reports whether a file with that name
	// may refer to others.
	Open     model.Opener
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Opens    func(name string) bool
}

// Uses is the tab with the dependencies between files.
type Uses struct {
	host.Files
	UsesOptions
	root         string
	lane         *work.Lane
	fillLane     *work.Lane
	graph        *graph.Graph
	section      *control.Select
	filter       *control.Filter
	caption      *control.Caption
	list         *rows.List[row]
	listedGraph  *graph.Graph // graph that the list displays
	listsMissing bool         // the list has the missing items
	neighbors    *neighbors
	content      fyne.CanvasObject

	pendingItem int32  // the item to select after the list was filled, or -1
	file        string // file to select once the graph is read
	reading     bool
	visited     []int32 // items, for Back and Forward
	visitIndex  int     // index in visited
}

// NewUses returns the tab of a folder, or of a package.
func NewUses(h host.Files, root string, o UsesOptions) *Uses {
	u := &Uses{Files: h, UsesOptions: o, root: root, lane: o.Group.Lane(), fillLane: o.Group.Lane(),
		graph: new(graph.Graph), pendingItem: -1, visitIndex: -1}
	u.list = rows.NewList(u, o.Style, rows.Options{Header: true, MinSize: fyne.NewSize(200, 80)},
		u.itemColumns()...)
	u.list.TitleOf = row.sectionTitle
	u.list.OnCurrent = func(row int) { u.show(u.list.Items[row].item) }
	u.list.OnActivate = func(row int) { u.open(u.list.Items[row]) }
	u.list.OnMenu = func(row int, pos fyne.Position) { u.menu(u.list.Items[row], pos) }
	u.neighbors = newNeighbors(u)
	u.caption = control.NewCaption(u.ShowHint)
	u.section = control.NewSelect(u.Key, u.sections(), func(string) {
		u.fill()
		if u.section.Focused() { // the user chose it
			u.list.Focus()
		}
	})
	u.filter = control.NewFilter(u, "Name, *.png, needs > 3, size > 1 MB", filterColumns(u.graph).List, u.fill)
	u.filter.SetOnLeave(func(bool) { u.list.Focus() })
	save := control.NewIcon(u, theme.DocumentSaveIcon(), "Save graph as DOT (Graphviz)", u.SaveDOT)
	sectionBox := container.New(paint.MinWidth(sectionWidth), u.section)
	head := paint.NewHeader(container.NewVBox(container.NewBorder(nil, nil, sectionBox, save, u.filter.Field),
		u.caption))
	split := container.NewHSplit(u.list.Table, u.neighbors.content)
	split.SetOffset(0.55)
	u.content = u.filter.WithPopup(container.NewBorder(head, nil, nil, nil, split))
	return u
}

// sectionWidth is the width of the longest name of a section with its number, in device-independent pixels.
const sectionWidth = 190

// Begin starts reading the files. path is the file to select when they were read; it may be empty.
func (u *Uses) Begin(path string) {
	u.file, u.reading = path, true
	u.setMessage("Reading…")
	u.lane.Go(func(ctx context.Context) func() {
		progress := u.Group.Progress(ctx, func(files, _ int64) {
			u.Busy("Finding dependencies", -1, u.Stop)
			u.setMessage(host.Count(files, "file") + " read…")
		})
		b := graph.Builder{OpenFile: u.OpenFile, Open: u.Open, Opens: u.Opens, FindDuplicates: true,
			Progress: func(files int64) { progress(files, 0) }}
		g, err := b.Build(ctx, u.root)
		return func() { u.finish(g, err) }
	})
}

// Stop ends the reading.
func (u *Uses) Stop() {
	if u.reading {
		u.lane.Stop()
		u.reading = false
		u.Busy("", 0, nil)
		u.setMessage("Stopped. Press " + u.Keys().Text("file.reload") + " to start again.")
	}
}

// Reload reads all files again.
func (u *Uses) Reload() { u.Begin(u.currentPath()) }

func (u *Uses) finish(g *graph.Graph, err error) {
	u.reading = false
	u.Busy("", 0, nil)
	if err != nil {
		u.setMessage(host.Sentence(err))
		return
	}
	u.graph, u.visited, u.visitIndex = g, nil, -1
	u.section.Options = u.sections()
	first := allSection
	if u.file == "" {
		for _, s := range []int{missingSection, unusedSection, duplicatesSection} {
			if u.count(s) > 0 {
				first = s
				break
			}
		}
	}
	u.section.SetSelectedIndex(first)
	u.setMessage(u.summary())
	u.SelectFile(u.file)
}

// SelectFile selects the file at a path, if the list has it.
func (u *Uses) SelectFile(path string) {
	if i := slices.Index(u.graph.Paths, path); i >= 0 {
		u.Select(u.graph.FileAt(int32(i)))
	}
}

// selectRow selects a row.
func (u *Uses) selectRow(row int) {
	u.list.SetCurrent(row)
	u.show(u.list.Items[row].item)
}

// rowOf returns the first row of an item, or -1.
func (u *Uses) rowOf(item int32) int {
	return slices.IndexFunc(u.list.Items, func(r row) bool { return r.item == item && item >= 0 })
}

// summary returns the number of files, assets and problems.
func (u *Uses) summary() string {
	files, assets, problems := 0, 0, 0
	for i := range int32(u.graph.Len()) {
		switch item := u.graph.Item(i); {
		case !item.IsFile():
			assets++
		case item.Problem != "":
			problems++
			files++
		default:
			files++
		}
	}
	text := host.Count(files, "file")
	if assets > 0 {
		text += ", " + host.Count(assets, "asset")
	}
	text += ", " + host.Count(len(u.graph.Uses), "use")
	if n := u.graph.SavedBytes(); n > 0 {
		text += " · " + host.Size(n) + " in duplicates"
	}
	if problems > 0 {
		text += " · " + host.Count(problems, "file") + " unreadable"
	}
	return text
}

// fill lists the items of the section that match the filter.
func (u *Uses) fill() {
	f, ok := u.filter.Parse()
	if !ok {
		return
	}
	g, section := u.graph, u.section.SelectedIndex()
	u.fillLane.Go(func(ctx context.Context) func() {
		columns := filterColumns(g)
		matching := rowsOf(g, section, func(r row) bool { return ctx.Err() == nil && columns.Match(f, r) })
		return func() { u.showRows(g, section == missingSection, matching) }
	})
}

// showRows displays rows of g and selects the pending item, or the item that was selected before.
func (u *Uses) showRows(g *graph.Graph, missing bool, all []row) {
	u.listedGraph = g
	if u.listsMissing != missing {
		columns := u.itemColumns()
		if missing {
			columns = u.missingColumns()
		}
		u.listsMissing = missing
		u.list.SetColumns(columns...)
	}
	u.list.Set(all)
	row := u.rowOf(u.pendingItem)
	if row < 0 {
		row = u.rowOf(u.neighbors.item)
	}
	if row < 0 {
		row = slices.IndexFunc(all, hasItem)
	}
	u.pendingItem = -1
	if row < 0 {
		u.show(-1)
		return
	}
	u.selectRow(row)
}

// show displays the references of an item, or of no item if it is negative.
func (u *Uses) show(item int32) {
	u.neighbors.set(item)
	if item >= 0 && (u.visitIndex < 0 || u.visited[u.visitIndex] != item) {
		u.visited = append(u.visited[:u.visitIndex+1], item)
		u.visitIndex++
	}
	paint.SetEnabled(u.neighbors.back, u.visitIndex > 0)
	paint.SetEnabled(u.neighbors.forward, u.visitIndex+1 < len(u.visited))
	u.Changed()
}

// Select selects an item. If this section does not list it, it changes to the list of all items.
func (u *Uses) Select(item int32) {
	if row := u.rowOf(item); row >= 0 && u.listedGraph == u.graph {
		u.selectRow(row)
		return
	}
	u.pendingItem = item
	u.filter.Field.SetText("")
	u.section.SetSelectedIndex(allSection)
}

// Back selects the previous item.
func (u *Uses) Back() { u.step(-1) }

// Forward reverts Back.
func (u *Uses) Forward() { u.step(1) }

func (u *Uses) step(delta int) {
	if to := u.visitIndex + delta; to >= 0 && to < len(u.visited) {
		u.visitIndex = to // before Select, which then appends no item
		u.Select(u.visited[to])
	}
}

// open opens the node of a reference, or the item of a row.
func (u *Uses) open(r row) {
	switch {
	case r.key != "":
		u.openItem(r.item, r.key)
	case r.use != nil:
		u.openUse(*r.use)
	case r.item >= 0:
		u.openItem(r.item, "")
	}
}

// openItem opens a file, at the node with a key if that is not empty, or the file of an asset at the asset.
func (u *Uses) openItem(item int32, key string) {
	target := u.graph.Item(item)
	hit := search.Hit{Node: key, Span: model.Span{Size: -1}}
	if !target.IsFile() {
		hit.Span = target.Stored
	}
	u.OpenHit(u.graph.Paths[target.FileIndex], hit)
}

// openUse opens the node that contains a reference.
func (u *Uses) openUse(use graph.Use) {
	user := u.graph.Item(use.From)
	if use.Path == "" {
		u.openItem(use.From, "")
		return
	}
	hit := search.Hit{Path: use.Path, Span: use.Span}
	if !user.IsFile() && use.Nested {
		hit.Assets, hit.Expanded = []search.Asset{{Name: user.Name, Key: user.Key, Index: int(user.Asset)}}, 1
	}
	u.OpenHit(u.graph.Paths[user.FileIndex], hit)
}

func (u *Uses) menu(r row, pos fyne.Position) {
	if r.item < 0 {
		return
	}
	path, title := u.graph.Paths[u.graph.Item(r.item).FileIndex], u.graph.Title(r.item)
	items := []*fyne.MenuItem{fyne.NewMenuItem("Open", func() { u.openItem(r.item, r.key) })}
	if r.use != nil {
		items = append(items, fyne.NewMenuItem("Go to Reference", func() { u.openUse(*r.use) }))
	}
	u.Menu(fyne.NewMenu("", append(items,
		fyne.NewMenuItem("Show in Folder", func() { u.ShowInFolder(path) }),
		fyne.NewMenuItem("Copy Name", func() { u.Copy(title) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Save All as JSON…", u.SaveJSON),
		fyne.NewMenuItem("Save Graph as DOT…", u.SaveDOT))...), pos)
}

// SaveJSON saves all parts of the graph.
func (u *Uses) SaveJSON() {
	g := u.graph
	u.Save(folderName(u.root)+" uses.json", func(out io.Writer) error { return g.WriteJSON(out, graph.Parts) })
}

// SaveDOT saves the graph in the language of Graphviz.
func (u *Uses) SaveDOT() {
	g := u.graph
	u.Save(folderName(u.root)+" uses.dot", g.WriteDOT)
}

// folderName returns the name of a folder without a separator, also of a root.
func folderName(path string) string {
	return strings.TrimSuffix(model.FileName(path), string(filepath.Separator))
}

// Root returns the path of the folder.
func (u *Uses) Root() string { return u.root }

// Title returns the title of the tab.
func (u *Uses) Title() string { return "Dependencies: " + model.OneLine(folderName(u.root), 30) }

// Hint returns the description of the tab.
func (u *Uses) Hint() string { return "Dependencies in " + model.OneLine(u.root, 600) }

// Content returns the lists.
func (u *Uses) Content() fyne.CanvasObject { return u.content }

// Focus gives the keyboard focus to the list.
func (u *Uses) Focus() { u.list.Focus() }

// FocusFilter gives the keyboard focus to the filter. neighbor is an object of the same window.
func (u *Uses) FocusFilter(neighbor fyne.CanvasObject) { u.filter.Field.Focus(neighbor) }

// Status returns the name of the selected item.
func (u *Uses) Status() (path, facts []tabs.Segment) {
	location := u.Hint()
	if i := u.neighbors.item; i >= 0 {
		location = model.OneLine(u.graph.Title(i), 1000)
	}
	return []tabs.Segment{{Text: location}}, nil
}

// Close ends the reading.
func (u *Uses) Close() { u.Group.Close() }

// usesSaved is the stored state of the tab.
type usesSaved struct {
	File string `json:"file"`
}

// Saved returns the state of the tab to store.
func (u *Uses) Saved() json.RawMessage {
	b, _ := json.Marshal(usesSaved{u.currentPath()}) // texts can always be encoded
	return b
}

// Restore reads the files again, with the state of a tab of an earlier session.
func (u *Uses) Restore(view json.RawMessage) {
	var s usesSaved
	_ = json.Unmarshal(view, &s) // an invalid state is empty
	u.Begin(s.File)
}

// currentPath returns the path of the file of the selected item.
func (u *Uses) currentPath() string {
	if i := u.neighbors.item; i >= 0 {
		return u.graph.Paths[u.graph.Item(i).FileIndex]
	}
	return u.file
}

// Key stops reading with Escape.
func (u *Uses) Key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape && u.reading {
		u.Stop()
		return true
	}
	return u.Files.Key(ev, shift)
}

func (u *Uses) setMessage(text string) {
	u.caption.SetText(text)
	u.Changed()
}

// sections returns the titles of the sections.
func (u *Uses) sections() []string {
	names := make([]string, len(sectionNames))
	for s, name := range sectionNames {
		names[s] = fmt.Sprintf("%s (%s)", name, host.Number(u.count(s)))
	}
	return names
}
