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
	t := &Uses{Files: h, UsesOptions: o, root: root, lane: o.Group.Lane(), fillLane: o.Group.Lane(),
		graph: new(graph.Graph), pendingItem: -1, visitIndex: -1}
	t.list = rows.NewList(t, o.Style, rows.Options{Header: true, MinSize: fyne.NewSize(200, 80)},
		t.itemColumns()...)
	t.list.TitleOf = row.sectionTitle
	t.list.OnCurrent = func(row int) { t.show(t.list.Items[row].item) }
	t.list.OnActivate = func(row int) { t.open(t.list.Items[row]) }
	t.list.OnMenu = func(row int, pos fyne.Position) { t.menu(t.list.Items[row], pos) }
	t.neighbors = newNeighbors(t)
	t.caption = control.NewCaption(t.ShowHint)
	t.section = control.NewSelect(t.Key, t.sections(), func(string) {
		t.fill()
		if t.section.Focused() { // the user chose it
			t.list.Focus()
		}
	})
	t.filter = control.NewFilter(t, "Name, *.png, needs > 3, size > 1 MB", filterColumns(t.graph).List, t.fill)
	t.filter.SetOnLeave(func(bool) { t.list.Focus() })
	save := control.NewIcon(t, theme.DocumentSaveIcon(), "Save graph as DOT (Graphviz)", t.SaveDOT)
	sectionBox := container.New(paint.MinWidth(sectionWidth), t.section)
	head := paint.NewHeader(container.NewVBox(container.NewBorder(nil, nil, sectionBox, save, t.filter.Field),
		t.caption))
	split := container.NewHSplit(t.list.Table, t.neighbors.content)
	split.SetOffset(0.55)
	t.content = t.filter.WithPopup(container.NewBorder(head, nil, nil, nil, split))
	return t
}

// sectionWidth is the width of the longest name of a section with its number, in device-independent pixels.
const sectionWidth = 190

// Begin starts reading the files. path is the file to select when they were read; it may be empty.
func (t *Uses) Begin(path string) {
	t.file, t.reading = path, true
	t.setMessage("Reading…")
	t.lane.Go(func(ctx context.Context) func() {
		progress := t.Group.Progress(ctx, func(files, _ int64) {
			t.Busy("Finding dependencies", -1, t.Stop)
			t.setMessage(host.Count(files, "file") + " read…")
		})
		b := graph.Builder{OpenFile: t.OpenFile, Open: t.Open, Opens: t.Opens, FindDuplicates: true,
			Progress: func(files int64) { progress(files, 0) }}
		g, err := b.Build(ctx, t.root)
		return func() { t.finish(g, err) }
	})
}

// Stop ends the reading.
func (t *Uses) Stop() {
	if t.reading {
		t.lane.Stop()
		t.reading = false
		t.Busy("", 0, nil)
		t.setMessage("Stopped. Press " + t.Keys().Text("file.reload") + " to start again.")
	}
}

// Reload reads all files again.
func (t *Uses) Reload() { t.Begin(t.currentPath()) }

func (t *Uses) finish(g *graph.Graph, err error) {
	t.reading = false
	t.Busy("", 0, nil)
	if err != nil {
		t.setMessage(host.Sentence(err))
		return
	}
	t.graph, t.visited, t.visitIndex = g, nil, -1
	t.section.Options = t.sections()
	first := allSection
	if t.file == "" {
		for _, s := range []int{missingSection, unusedSection, duplicatesSection} {
			if t.count(s) > 0 {
				first = s
				break
			}
		}
	}
	t.section.SetSelectedIndex(first)
	t.setMessage(t.summary())
	t.SelectFile(t.file)
}

// SelectFile selects the file at a path, if the list has it.
func (t *Uses) SelectFile(path string) {
	if i := slices.Index(t.graph.Paths, path); i >= 0 {
		t.Select(t.graph.FileAt(int32(i)))
	}
}

// selectRow selects a row.
func (t *Uses) selectRow(row int) {
	t.list.SetCurrent(row)
	t.show(t.list.Items[row].item)
}

// rowOf returns the first row of an item, or -1.
func (t *Uses) rowOf(item int32) int {
	return slices.IndexFunc(t.list.Items, func(r row) bool { return r.item == item && item >= 0 })
}

// summary returns the number of files, assets and problems.
func (t *Uses) summary() string {
	files, assets, problems := 0, 0, 0
	for i := range int32(t.graph.Len()) {
		switch item := t.graph.Item(i); {
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
	text += ", " + host.Count(len(t.graph.Uses), "use")
	if n := t.graph.SavedBytes(); n > 0 {
		text += " · " + host.Size(n) + " in duplicates"
	}
	if problems > 0 {
		text += " · " + host.Count(problems, "file") + " unreadable"
	}
	return text
}

// fill lists the items of the section that match the filter.
func (t *Uses) fill() {
	f, ok := t.filter.Parse()
	if !ok {
		return
	}
	g, section := t.graph, t.section.SelectedIndex()
	t.fillLane.Go(func(ctx context.Context) func() {
		columns := filterColumns(g)
		matching := rowsOf(g, section, func(r row) bool { return ctx.Err() == nil && columns.Match(f, r) })
		return func() { t.showRows(g, section == missingSection, matching) }
	})
}

// showRows displays rows of g and selects the pending item, or the item that was selected before.
func (t *Uses) showRows(g *graph.Graph, missing bool, all []row) {
	t.listedGraph = g
	if t.listsMissing != missing {
		columns := t.itemColumns()
		if missing {
			columns = t.missingColumns()
		}
		t.listsMissing = missing
		t.list.SetColumns(columns...)
	}
	t.list.Set(all)
	row := t.rowOf(t.pendingItem)
	if row < 0 {
		row = t.rowOf(t.neighbors.item)
	}
	if row < 0 {
		row = slices.IndexFunc(all, hasItem)
	}
	t.pendingItem = -1
	if row < 0 {
		t.show(-1)
		return
	}
	t.selectRow(row)
}

// show displays the references of an item, or of no item if it is negative.
func (t *Uses) show(item int32) {
	t.neighbors.set(item)
	if item >= 0 && (t.visitIndex < 0 || t.visited[t.visitIndex] != item) {
		t.visited = append(t.visited[:t.visitIndex+1], item)
		t.visitIndex++
	}
	paint.SetEnabled(t.neighbors.back, t.visitIndex > 0)
	paint.SetEnabled(t.neighbors.forward, t.visitIndex+1 < len(t.visited))
	t.Changed()
}

// Select selects an item. If this section does not list it, it changes to the list of all items.
func (t *Uses) Select(item int32) {
	if row := t.rowOf(item); row >= 0 && t.listedGraph == t.graph {
		t.selectRow(row)
		return
	}
	t.pendingItem = item
	t.filter.Field.SetText("")
	t.section.SetSelectedIndex(allSection)
}

// Back selects the previous item.
func (t *Uses) Back() { t.step(-1) }

// Forward reverts Back.
func (t *Uses) Forward() { t.step(1) }

func (t *Uses) step(delta int) {
	if to := t.visitIndex + delta; to >= 0 && to < len(t.visited) {
		t.visitIndex = to // before Select, which then appends no item
		t.Select(t.visited[to])
	}
}

// open opens the node of a reference, or the item of a row.
func (t *Uses) open(r row) {
	switch {
	case r.key != "":
		t.openItem(r.item, r.key)
	case r.use != nil:
		t.openUse(*r.use)
	case r.item >= 0:
		t.openItem(r.item, "")
	}
}

// openItem opens a file, at the node with a key if that is not empty, or the file of an asset at the asset.
func (t *Uses) openItem(item int32, key string) {
	target := t.graph.Item(item)
	hit := search.Hit{Node: key, Span: model.Span{Size: -1}}
	if !target.IsFile() {
		hit.Span = target.Stored
	}
	t.OpenHit(t.graph.Paths[target.FileIndex], hit)
}

// openUse opens the node that contains a reference.
func (t *Uses) openUse(u graph.Use) {
	user := t.graph.Item(u.From)
	if u.Path == "" {
		t.openItem(u.From, "")
		return
	}
	hit := search.Hit{Path: u.Path, Span: u.Span}
	if !user.IsFile() && u.Nested {
		hit.Assets, hit.Expanded = []search.Asset{{Name: user.Name, Key: user.Key, Index: int(user.Asset)}}, 1
	}
	t.OpenHit(t.graph.Paths[user.FileIndex], hit)
}

func (t *Uses) menu(r row, pos fyne.Position) {
	if r.item < 0 {
		return
	}
	path, title := t.graph.Paths[t.graph.Item(r.item).FileIndex], t.graph.Title(r.item)
	items := []*fyne.MenuItem{fyne.NewMenuItem("Open", func() { t.openItem(r.item, r.key) })}
	if r.use != nil {
		items = append(items, fyne.NewMenuItem("Go to Reference", func() { t.openUse(*r.use) }))
	}
	t.Menu(fyne.NewMenu("", append(items,
		fyne.NewMenuItem("Show in Folder", func() { t.ShowInFolder(path) }),
		fyne.NewMenuItem("Copy Name", func() { t.Copy(title) }),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Save All as JSON…", t.SaveJSON),
		fyne.NewMenuItem("Save Graph as DOT…", t.SaveDOT))...), pos)
}

// SaveJSON saves all parts of the graph.
func (t *Uses) SaveJSON() {
	g := t.graph
	t.Save(folderName(t.root)+" uses.json", func(out io.Writer) error { return g.WriteJSON(out, graph.Parts) })
}

// SaveDOT saves the graph in the language of Graphviz.
func (t *Uses) SaveDOT() {
	g := t.graph
	t.Save(folderName(t.root)+" uses.dot", g.WriteDOT)
}

// folderName returns the name of a folder without a separator, also of a root.
func folderName(path string) string {
	return strings.TrimSuffix(model.FileName(path), string(filepath.Separator))
}

// Root returns the path of the folder.
func (t *Uses) Root() string { return t.root }

// Title returns the title of the tab.
func (t *Uses) Title() string { return "Dependencies: " + model.OneLine(folderName(t.root), 30) }

// Hint returns the description of the tab.
func (t *Uses) Hint() string { return "Dependencies in " + model.OneLine(t.root, 600) }

// Content returns the lists.
func (t *Uses) Content() fyne.CanvasObject { return t.content }

// Focus gives the keyboard focus to the list.
func (t *Uses) Focus() { t.list.Focus() }

// FocusFilter gives the keyboard focus to the filter. neighbor is an object of the same window.
func (t *Uses) FocusFilter(neighbor fyne.CanvasObject) { t.filter.Field.Focus(neighbor) }

// Status returns the name of the selected item.
func (t *Uses) Status() (path, facts []tabs.Segment) {
	location := t.Hint()
	if i := t.neighbors.item; i >= 0 {
		location = model.OneLine(t.graph.Title(i), 1000)
	}
	return []tabs.Segment{{Text: location}}, nil
}

// Close ends the reading.
func (t *Uses) Close() { t.Group.Close() }

// usesSaved is the stored state of the tab.
type usesSaved struct {
	File string `json:"file"`
}

// Saved returns the state of the tab to store.
func (t *Uses) Saved() json.RawMessage {
	b, _ := json.Marshal(usesSaved{t.currentPath()}) // texts can always be encoded
	return b
}

// Restore reads the files again, with the state of a tab of an earlier session.
func (t *Uses) Restore(view json.RawMessage) {
	var s usesSaved
	_ = json.Unmarshal(view, &s) // an invalid state is empty
	t.Begin(s.File)
}

// currentPath returns the path of the file of the selected item.
func (t *Uses) currentPath() string {
	if i := t.neighbors.item; i >= 0 {
		return t.graph.Paths[t.graph.Item(i).FileIndex]
	}
	return t.file
}

// Key stops reading with Escape.
func (t *Uses) Key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape && t.reading {
		t.Stop()
		return true
	}
	return t.Files.Key(ev, shift)
}

func (t *Uses) setMessage(text string) {
	t.caption.SetText(text)
	t.Changed()
}

// sections returns the titles of the sections.
func (t *Uses) sections() []string {
	names := make([]string, len(sectionNames))
	for s, name := range sectionNames {
		names[s] = fmt.Sprintf("%s (%s)", name, host.Number(t.count(s)))
	}
	return names
}
