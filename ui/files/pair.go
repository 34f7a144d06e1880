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
	p := &Pair{Deps: deps, PairOptions: o, options: compared.DefaultRules(), statuses: compared.Differing}
	p.listLane, p.contentLane = deps.Group.Lane(), deps.Group.Lane()
	p.chips = compared.NewChips(deps.Style, func(s compare.Status) { p.setStatuses(p.statuses ^ 1<<s) })
	p.list = newList(p, deps.Style, deps.Group, o.Files, p.document(nil), assets.Options{
		Options: p.thumbnailOptions(), OnSelect: func(model.Path, doc.Nodes) { p.Changed() }, OnOpen: p.openSelected,
		Columns: compare.DisplayedColumns, Grouping: assets.Flat, Tone: p.tone, Sign: p.sign,
		Tall: o.Opener != nil}, p.menu)
	p.title = compared.NewTitle(p, deps.Style)
	p.notices = host.NewBar()
	p.rules = compared.NewTool(p, "compare.rules", theme.SettingsIcon(), p.ShowRules)
	swap := compared.NewTool(p, "compare.swap", theme.MediaReplayIcon(), p.Swap)
	report := compared.NewNamedTool(p, "Report", theme.DocumentIcon(),
		func() string { return "Save the differences as a web page" }, p.saveReport)
	again := compared.NewNamedTool(p, "Compare Again", theme.ViewRefreshIcon(), p.Keys().HintOf("compare.again"), p.Reload)
	up := compared.NewTool(p, "compare.previous", theme.MoveUpIcon(), p.PreviousChange)
	down := compared.NewTool(p, "compare.next", theme.MoveDownIcon(), p.NextChange)
	buttons := container.NewHBox(swap.Button, p.rules.Button, report.Button, again.Button)
	head := paint.NewHeader(container.NewVBox(compared.NewToolLine(p.title, buttons, swap, p.rules, report, again),
		container.NewHBox(p.chips, up.Button, down.Button)))
	p.content = container.NewBorder(head, p.notices.Content(), nil, nil, p.list.Content())
	p.Reload()
	return p
}

// Title returns the names of both folders.
func (p *Pair) Title() string {
	names := compared.FolderNames(p.Roots[:])
	return names[0] + "/ : " + names[1] + "/"
}

// Hint returns the paths of both folders.
func (p *Pair) Hint() string { return p.Roots[0] + "  →  " + p.Roots[1] }

// Content returns the object to add to the window.
func (p *Pair) Content() fyne.CanvasObject { return p.content }

// Focus gives the keyboard focus to the list.
func (p *Pair) Focus() { p.list.Focus() }

// Folders returns the compared folders, the old one first.
func (p *Pair) Folders() []string { return p.Roots[:] }

// Close ends all work.
func (p *Pair) Close() { p.Group.Close() }

// Status returns the texts of the status line while the list is in view.
func (p *Pair) Status() (path, facts []tabs.Segment) {
	path = []tabs.Segment{{Text: model.OneLine(p.Hint(), 300), Tone: paint.Dim}}
	if i := p.current(); i >= 0 {
		path = []tabs.Segment{{Text: p.listed[i].Name}}
	}
	if p.isComplete {
		found := host.Count(p.counts.Differences(), "difference") + " in " +
			host.Count(len(p.files), "file")
		if p.ignored > 0 {
			found += ", " + host.Number(p.ignored) + " ignored by the rules"
		}
		facts = []tabs.Segment{{Text: "Press Enter to compare the selected pair", Tone: paint.Dim}, {Text: found}}
	}
	return path, facts
}

// Reload compares the folders: names and sizes first, then the contents of files of one size.
func (p *Pair) Reload() {
	p.notices.Remove("folder")
	p.notices.Remove("stale")
	p.contentLane.Stop()
	p.isStale = false
	p.contents.Clear()
	p.showRules()
	p.title.Set(compared.FromTo(p.Roots[0], p.Roots[1]))
	roots := p.Roots
	stop := func() {
		p.listLane.Stop()
		p.Busy("", 0, nil)
		p.notices.Show(host.Notice{ID: "folder", Level: host.Warning,
			Text: "Comparison canceled. Files marked … were not compared."})
	}
	p.listLane.Go(func(ctx context.Context) func() {
		listed := func(files []compare.File) { p.Group.Do(ctx, func() { p.set(files, false) }) }
		files, err := compare.Folders(ctx, roots[0], roots[1], listed, p.Group.Progress(ctx, func(done, total int64) {
			p.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
		}))
		return func() {
			p.Busy("", 0, nil)
			if err != nil {
				p.notices.Show(host.Notice{ID: "folder", Level: host.Error, Text: host.Sentence(err)})
			}
			p.set(files, err == nil)
			p.watch()
			p.compareContents()
		}
	})
}

// set displays files. complete means that all files were compared.
func (p *Pair) set(files []compare.File, complete bool) {
	p.files, p.isComplete = files, complete
	p.count()
	if complete && p.counts.Differences() == 0 {
		p.statuses |= 1 << compare.Same
	}
	p.show()
}

// count counts the files with each status.
func (p *Pair) count() {
	p.counts, p.ignored = compare.Counts{}, 0
	for i := range p.files {
		s := p.status(&p.files[i])
		if p.counts.Count(s); s != p.files[i].Status {
			p.ignored++
		}
	}
}

func (p *Pair) setStatuses(s compared.Statuses) {
	p.statuses = s
	p.show()
}

// show lists the files in the chosen statuses.
func (p *Pair) show() {
	p.listed = nil
	for _, file := range p.files {
		if file.Status = p.status(&file); p.statuses.Has(file.Status) ||
			file.Uses != nil && p.statuses.Has(compare.Changed) {
			p.listed = append(p.listed, file)
		}
	}
	p.chips.Set(p.counts, p.counts, p.statuses)
	first := 0
	for i := range p.listed {
		if archive.CompareFiles(p.listed[i].Name, p.listed[first].Name) < 0 {
			first = i
		}
	}
	p.list.set(p.document(p.listed), first)
	p.Changed()
}

// document returns files as the assets of a document.
func (p *Pair) document(files []compare.File) *model.Document {
	return compare.FolderDocument(p.Roots, files, p.contentsOf)
}

// contentsOf returns the facts about a file that are available.
func (p *Pair) contentsOf(name string) compare.ContentResult {
	found, _ := p.contents.Load(name)
	typed, _ := found.(compare.ContentResult)
	return typed
}

// status returns the status of a file by the rules.
func (p *Pair) status(file *compare.File) compare.Status {
	if file.Status == compare.Changed && p.contentsOf(file.Name).Same {
		return compare.Same
	}
	return file.Status
}

// tone returns the tone of the name of a listed file.
func (p *Pair) tone(i int) paint.Tone {
	if i >= len(p.listed) {
		return paint.Normal
	}
	if p.listed[i].Uses != nil {
		return compared.StatusTone(compare.Changed)
	}
	return compared.StatusTone(p.listed[i].Status)
}

// sign returns the sign of the status of a listed file.
func (p *Pair) sign(i int) string {
	switch {
	case i >= len(p.listed):
		return ""
	case p.listed[i].Pending:
		return "…"
	}
	return compared.Sign(p.listed[i].Status)
}

// current returns the index of the current file, or -1.
func (p *Pair) current() int {
	if i := p.list.Current(); i < len(p.listed) {
		return i
	}
	return -1
}

// NextChange selects the next file that is not the same.
func (p *Pair) NextChange() { p.step(1) }

// PreviousChange selects the previous file that is not the same.
func (p *Pair) PreviousChange() { p.step(-1) }

func (p *Pair) step(delta int) {
	p.list.Step(p.current(), delta, p.isDifferent)
}

// isDifferent reports whether a listed file differs, or uses a file that does.
func (p *Pair) isDifferent(i int) bool {
	return p.listed[i].Status != compare.Same || p.listed[i].Uses != nil
}

// openSelected opens a comparison of both files of each selected row, or the only file of it.
func (p *Pair) openSelected() {
	p.withSelected(func(files []compare.File) {
		for _, file := range files[:min(len(files), maxOpened)] {
			old, new := p.pair(file)
			switch file.Status {
			case compare.Added:
				p.Open(new, nil)
			case compare.Removed:
				p.Open(old, nil)
			default:
				p.Compare(old, new)
			}
		}
	})
}

// withSelected calls done with the selected files.
func (p *Pair) withSelected(done func(files []compare.File)) {
	p.list.withSelected(func(indexes []int) {
		var files []compare.File
		for _, i := range indexes {
			files = append(files, p.listed[i])
		}
		done(files)
	})
}

// pair returns the sides of a row with the rules and the neighbors of this list.
func (p *Pair) pair(file compare.File) (old, new compared.Side) {
	old, new = p.sides(&file)
	options := p.options
	new.Rules = &options
	new.Neighbor = func(step int) (a, b compared.Side, ok bool) {
		index := slices.IndexFunc(p.listed, func(other compare.File) bool { return other.Name == file.Name })
		if index < 0 {
			return a, b, false
		}
		next := p.list.Step(index, step, func(i int) bool {
			return p.listed[i].OldSize >= 0 && p.listed[i].NewSize >= 0 && p.isDifferent(i)
		})
		if next < 0 {
			return a, b, false
		}
		a, b = p.pair(p.listed[next])
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
func (p *Pair) Swap() {
	p.Roots[0], p.Roots[1] = p.Roots[1], p.Roots[0]
	if i := p.current(); i >= 0 {
		p.list.next = p.listed[i].OldPath()
	}
	p.statuses = p.statuses.Swapped()
	p.Reload()
}

// ShowRules opens the dialog of the rules for changes in a file.
func (p *Pair) ShowRules() { compared.AskRules(p, p.content, p.options, p.setRules) }

// setRules compares the files by other rules.
func (p *Pair) setRules(o compare.Options) {
	p.options = o
	p.showRules()
	p.contents.Clear()
	p.set(p.files, p.isComplete)
	p.compareContents()
}

// showRules highlights the button of the rules while they are not the default ones.
func (p *Pair) showRules() {
	p.rules.Importance = widget.LowImportance
	if compared.HasRules(p.options) {
		p.rules.Importance = widget.MediumImportance
	}
	p.rules.Refresh()
}

// AddChangedToExport adds the files that were added, changed or moved to the export list, as they are in the new
// folder.
func (p *Pair) AddChangedToExport() {
	var files []compare.File
	for i := range p.files {
		if s := p.status(&p.files[i]); s != compare.Same && s != compare.Removed && p.files[i].Problem == "" {
			files = append(files, p.files[i])
		}
	}
	d := p.document(files)
	nodes := make([]*model.Node, len(files))
	for i := range nodes {
		nodes[i] = d.Root().Child(i)
	}
	p.AddToExport(d, nodes)
}

// maxWatched is the maximum number of watched folders.
const maxWatched = 500

// watch makes the window call FilesChanged when a file in one of the folders is changed, added or removed.
func (p *Pair) watch() {
	all := map[string]bool{p.Roots[0]: true, p.Roots[1]: true}
	for _, file := range p.files {
		for dir := path.Dir(file.Name); dir != "." && len(all) < maxWatched; dir = path.Dir(dir) {
			for _, root := range p.Roots {
				all[filepath.Join(root, filepath.FromSlash(dir))] = true
			}
		}
	}
	p.Watch(slices.Collect(maps.Keys(all))...)
}

var errChanged = errors.New("files in the folders changed on disk")

// FilesChanged is called when a file in the folders changed.
func (p *Pair) FilesChanged() {
	if !p.isStale && p.isComplete {
		p.isStale = true
		p.notices.Show(compared.StaleNotice(errChanged, p.Reload))
	}
}
