package files

import (
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/compare"
	"assay/ui/assets"
	"assay/ui/comparison/compared"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/work"
)

// Pair is the tab that compares the files of two folders. It lists same, changed, moved, added and removed files, and
// finds their formats and changes in the background. Enter opens a pair of files.
type Pair struct {
	compared.Deps
	PairOptions
	options    compare.Options // the rules for changes in a file
	files      []compare.File
	contents   sync.Map // compare.ContentResult by file name
	ignored    int64    // number of changed files that are the same under the rules
	listed     []compare.File
	counts     compare.Counts
	statuses   compared.Statuses
	isComplete bool // all files were compared
	isStale    bool // the user was notified that files changed after the comparison
	list       *list
	chips      *compared.Chips
	rules      *compared.Tool
	title      *compared.Title
	notices    *host.Bar
	content    fyne.CanvasObject

	listLane, contentLane *work.Lane
}

// PairOptions are the settings of the list of two folders.
type PairOptions struct {
	Roots  [2]string              // paths of the folders, the old one first
	Opener compared.Opener        // opens the file at a path; nil: files are not opened
	Refers func(name string) bool // whether a file may refer to others; nil: none does
	Files  Exporter
}

// NewPair returns a list of the files of two folders, and begins to compare them.
func NewPair(deps compared.Deps, o PairOptions) *Pair {
	f := &Pair{Deps: deps, PairOptions: o, options: compared.DefaultRules(), statuses: compared.Differing}
	f.listLane, f.contentLane = deps.Group.Lane(), deps.Group.Lane()
	f.chips = compared.NewChips(deps.Style, func(s compare.Status) { f.setStatuses(f.statuses ^ 1<<s) })
	f.list = newList(f, deps.Style, deps.Group, o.Files, f.document(nil), assets.Options{
		Options: f.thumbnailOptions(), OnSelect: func(model.Path, doc.Nodes) { f.Changed() }, OnOpen: f.openSelected,
		Columns: compare.DisplayedColumns, Grouping: assets.Flat, Tone: f.tone, Sign: f.sign,
		Tall: o.Opener != nil}, f.menu)
	f.title = compared.NewTitle(f, deps.Style)
	f.notices = host.NewBar()
	f.rules = compared.NewTool(f, "compare.rules", theme.SettingsIcon(), f.ShowRules)
	swap := compared.NewTool(f, "compare.swap", theme.MediaReplayIcon(), f.Swap)
	report := compared.NewNamedTool(f, "Report", theme.DocumentIcon(),
		func() string { return "Save the differences as a web page" }, f.saveReport)
	again := compared.NewNamedTool(f, "Compare Again", theme.ViewRefreshIcon(), f.Keys().HintOf("compare.again"), f.Reload)
	up := compared.NewTool(f, "compare.previous", theme.MoveUpIcon(), f.PreviousChange)
	down := compared.NewTool(f, "compare.next", theme.MoveDownIcon(), f.NextChange)
	buttons := container.NewHBox(swap.Button, f.rules.Button, report.Button, again.Button)
	head := paint.NewHeader(container.NewVBox(compared.NewToolLine(f.title, buttons, swap, f.rules, report, again),
		container.NewHBox(f.chips, up.Button, down.Button)))
	f.content = container.NewBorder(head, f.notices.Content(), nil, nil, f.list.Content())
	f.Reload()
	return f
}

// Title returns the names of both folders.
func (f *Pair) Title() string {
	names := compared.FolderNames(f.Roots[:])
	return names[0] + "/ : " + names[1] + "/"
}

// Hint returns the paths of both folders.
func (f *Pair) Hint() string { return f.Roots[0] + "  →  " + f.Roots[1] }

// Content returns the object to add to the window.
func (f *Pair) Content() fyne.CanvasObject { return f.content }

// Focus gives the keyboard focus to the list.
func (f *Pair) Focus() { f.list.Focus() }

// Folders returns the compared folders, the old one first.
func (f *Pair) Folders() []string { return f.Roots[:] }

// Close ends all work.
func (f *Pair) Close() { f.Group.Close() }

// Status returns the texts of the status line while the list is in view.
func (f *Pair) Status() (path, facts []tabs.Segment) {
	path = []tabs.Segment{{Text: model.OneLine(f.Hint(), 300), Tone: paint.Dim}}
	if i := f.current(); i >= 0 {
		path = []tabs.Segment{{Text: f.listed[i].Name}}
	}
	if f.isComplete {
		found := host.Count(f.counts.Differences(), "difference") + " in " +
			host.Count(len(f.files), "file")
		if f.ignored > 0 {
			found += ", " + host.Number(f.ignored) + " ignored by the rules"
		}
		facts = []tabs.Segment{{Text: "Press Enter to compare the selected pair", Tone: paint.Dim}, {Text: found}}
	}
	return path, facts
}

// Reload compares the folders: names and sizes first, then the contents of files of one size.
func (f *Pair) Reload() {
	f.notices.Remove("folder")
	f.notices.Remove("stale")
	f.contentLane.Stop()
	f.isStale = false
	f.contents.Clear()
	f.showRules()
	f.title.Set(compared.FromTo(f.Roots[0], f.Roots[1]))
	roots := f.Roots
	stop := func() {
		f.listLane.Stop()
		f.Busy("", 0, nil)
		f.notices.Show(host.Notice{ID: "folder", Level: host.Warning,
			Text: "Comparison canceled. Files marked … were not compared."})
	}
	f.listLane.Go(func(ctx context.Context) func() {
		listed := func(files []compare.File) { f.Group.Do(ctx, func() { f.set(files, false) }) }
		files, err := compare.Folders(ctx, roots[0], roots[1], listed, f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
		}))
		return func() {
			f.Busy("", 0, nil)
			if err != nil {
				f.notices.Show(host.Notice{ID: "folder", Level: host.Error, Text: host.Sentence(err)})
			}
			f.set(files, err == nil)
			f.watch()
			f.compareContents()
		}
	})
}

// set displays files. complete means that all files were compared.
func (f *Pair) set(files []compare.File, complete bool) {
	f.files, f.isComplete = files, complete
	f.count()
	if complete && f.counts.Differences() == 0 {
		f.statuses |= 1 << compare.Same
	}
	f.show()
}

// count counts the files with each status.
func (f *Pair) count() {
	f.counts, f.ignored = compare.Counts{}, 0
	for i := range f.files {
		s := f.status(&f.files[i])
		if f.counts.Count(s); s != f.files[i].Status {
			f.ignored++
		}
	}
}

func (f *Pair) setStatuses(s compared.Statuses) {
	f.statuses = s
	f.show()
}

// show lists the files in the chosen statuses.
func (f *Pair) show() {
	f.listed = nil
	for _, file := range f.files {
		if file.Status = f.status(&file); f.statuses.Has(file.Status) ||
			file.Uses != nil && f.statuses.Has(compare.Changed) {
			f.listed = append(f.listed, file)
		}
	}
	f.chips.Set(f.counts, f.counts, f.statuses)
	first := 0
	for i := range f.listed {
		if archive.CompareFiles(f.listed[i].Name, f.listed[first].Name) < 0 {
			first = i
		}
	}
	f.list.set(f.document(f.listed), first)
	f.Changed()
}

// document returns files as the assets of a document.
func (f *Pair) document(files []compare.File) *model.Document {
	return compare.FolderDocument(f.Roots, files, f.contentsOf)
}

// contentsOf returns the facts about a file that are available.
func (f *Pair) contentsOf(name string) compare.ContentResult {
	found, _ := f.contents.Load(name)
	typed, _ := found.(compare.ContentResult)
	return typed
}

// status returns the status of a file by the rules.
func (f *Pair) status(file *compare.File) compare.Status {
	if file.Status == compare.Changed && f.contentsOf(file.Name).Same {
		return compare.Same
	}
	return file.Status
}

// tone returns the tone of the name of a listed file.
func (f *Pair) tone(i int) paint.Tone {
	if i >= len(f.listed) {
		return paint.Normal
	}
	if f.listed[i].Uses != nil {
		return compared.StatusTone(compare.Changed)
	}
	return compared.StatusTone(f.listed[i].Status)
}

// sign returns the sign of the status of a listed file.
func (f *Pair) sign(i int) string {
	switch {
	case i >= len(f.listed):
		return ""
	case f.listed[i].Pending:
		return "…"
	}
	return compared.Sign(f.listed[i].Status)
}

// current returns the index of the current file, or -1.
func (f *Pair) current() int {
	if i := f.list.Current(); i < len(f.listed) {
		return i
	}
	return -1
}

// NextChange selects the next file that is not the same.
func (f *Pair) NextChange() { f.step(1) }

// PreviousChange selects the previous file that is not the same.
func (f *Pair) PreviousChange() { f.step(-1) }

func (f *Pair) step(delta int) {
	f.list.Step(f.current(), delta, f.isDifferent)
}

// isDifferent reports whether a listed file differs, or uses a file that does.
func (f *Pair) isDifferent(i int) bool {
	return f.listed[i].Status != compare.Same || f.listed[i].Uses != nil
}

// openSelected opens a comparison of both files of each selected row, or the only file of it.
func (f *Pair) openSelected() {
	f.withSelected(func(files []compare.File) {
		for _, file := range files[:min(len(files), maxOpened)] {
			old, new := f.pair(file)
			switch file.Status {
			case compare.Added:
				f.Open(new, nil)
			case compare.Removed:
				f.Open(old, nil)
			default:
				f.Compare(old, new)
			}
		}
	})
}

// withSelected calls done with the selected files.
func (f *Pair) withSelected(done func(files []compare.File)) {
	f.list.withSelected(func(indexes []int) {
		var files []compare.File
		for _, i := range indexes {
			files = append(files, f.listed[i])
		}
		done(files)
	})
}

// pair returns the sides of a row with the rules and the neighbors of this list.
func (f *Pair) pair(file compare.File) (old, new compared.Side) {
	old, new = f.sides(&file)
	options := f.options
	new.Rules = &options
	new.Neighbor = func(step int) (a, b compared.Side, ok bool) {
		index := slices.IndexFunc(f.listed, func(other compare.File) bool { return other.Name == file.Name })
		if index < 0 {
			return a, b, false
		}
		next := f.list.Step(index, step, func(i int) bool {
			return f.listed[i].OldSize >= 0 && f.listed[i].NewSize >= 0 && f.isDifferent(i)
		})
		if next < 0 {
			return a, b, false
		}
		a, b = f.pair(f.listed[next])
		return a, b, true
	}
	return old, new
}

// sides returns both files of a row.
func (o PairOptions) sides(file *compare.File) (old, new compared.Side) {
	side := func(i int, name string) compared.Side {
		path := filepath.Join(o.Roots[i], filepath.FromSlash(name))
		return compared.File(path, compared.FolderNames(o.Roots[:])[i]+"/"+name, o.Opener)
	}
	return side(0, file.OldPath()), side(1, file.Name)
}

// Swap exchanges old and new.
func (f *Pair) Swap() {
	f.Roots[0], f.Roots[1] = f.Roots[1], f.Roots[0]
	if i := f.current(); i >= 0 {
		f.list.next = f.listed[i].OldPath()
	}
	f.statuses = f.statuses.Swapped()
	f.Reload()
}

// ShowRules opens the dialog of the rules for changes in a file.
func (f *Pair) ShowRules() { compared.AskRules(f, f.content, f.options, f.setRules) }

// setRules compares the files by other rules.
func (f *Pair) setRules(o compare.Options) {
	f.options = o
	f.showRules()
	f.contents.Clear()
	f.set(f.files, f.isComplete)
	f.compareContents()
}

// showRules highlights the button of the rules while they are not the default ones.
func (f *Pair) showRules() {
	f.rules.Importance = widget.LowImportance
	if compared.HasRules(f.options) {
		f.rules.Importance = widget.MediumImportance
	}
	f.rules.Refresh()
}

// AddChangedToExport adds the files that were added, changed or moved to the export list, as they are in the new
// folder.
func (f *Pair) AddChangedToExport() {
	var files []compare.File
	for i := range f.files {
		if s := f.status(&f.files[i]); s != compare.Same && s != compare.Removed && f.files[i].Problem == "" {
			files = append(files, f.files[i])
		}
	}
	d := f.document(files)
	nodes := make([]*model.Node, len(files))
	for i := range nodes {
		nodes[i] = d.Root().Child(i)
	}
	f.AddToExport(d, nodes)
}

// maxWatched is the maximum number of watched folders.
const maxWatched = 500

// watch makes the window call FilesChanged when a file in one of the folders is changed, added or removed.
func (f *Pair) watch() {
	all := map[string]bool{f.Roots[0]: true, f.Roots[1]: true}
	for _, file := range f.files {
		for dir := path.Dir(file.Name); dir != "." && len(all) < maxWatched; dir = path.Dir(dir) {
			for _, root := range f.Roots {
				all[filepath.Join(root, filepath.FromSlash(dir))] = true
			}
		}
	}
	f.Watch(slices.Collect(maps.Keys(all))...)
}

var errChanged = errors.New("files in the folders changed on disk")

// FilesChanged is called when a file in the folders changed.
func (f *Pair) FilesChanged() {
	if !f.isStale && f.isComplete {
		f.isStale = true
		f.notices.Show(compared.StaleNotice(errChanged, f.Reload))
	}
}
