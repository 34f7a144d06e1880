package files

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/folders"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// Pair lists the files of two folders: same, changed, moved, added, removed, each with what it is and what changed in
// it, which is found out in the background. It is a tab of the window; Enter opens a pair of files.
type Pair struct {
	compared.Deps
	roots   [2]string
	open    compared.Opener
	files   []folders.File
	found   map[string]fileFacts // by name
	shown   []int
	counts  compare.Counts
	states  compared.States
	sorted  int // the column by which rows are sorted; -1: by name
	order   rows.Order
	done    bool
	rows    *rows.Rows
	chips   *compared.Chips
	filter  *control.Field
	title   *compared.Title
	notices *notice.Bar
	content fyne.CanvasObject

	pictures *pairPictures

	running, looking *work.Lane
}

// NewPair makes a list of the files of two folders, and begins to compare them.
func NewPair(deps compared.Deps, old, new string, open compared.Opener) *Pair {
	f := &Pair{Deps: deps, roots: [2]string{old, new}, open: open, states: compared.Differing, sorted: -1}
	f.running, f.looking = deps.Group.Lane(), deps.Group.Lane()
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(200, 80), Share: shareFiles,
		Height: func(scale float32) int { return int(pictureWide*scale + .5) }}
	f.pictures = newPairPictures(f)
	f.rows = rows.New(f, deps.Style, (*pairRows)(f), options)
	column := func(title string) rows.Column { return rows.Column{Title: title, Sortable: true} }
	number := func(title string) rows.Column {
		return rows.Column{Title: title, Align: paint.Trailing, Sortable: true}
	}
	f.rows.SetColumns(rows.Column{Min: compared.SignWide, Sortable: true}, column("File"), column("System"),
		rows.Column{Title: "Change"}, column("Old date"), column("New date"), number("Old size"), number("New size"))
	f.rows.Events = rows.Events{
		OnActivate: f.activate,
		OnCurrent:  func(int64) { f.Changed() },
		OnMenu:     f.menu,
		OnSort: func(column int, order rows.Order) {
			f.sorted, f.order = column, order
			f.rows.SetSort(column, order)
			f.list()
		},
	}
	f.chips = compared.NewChips(deps.Style, func(s compare.Status) { f.setStates(f.states ^ 1<<s) })
	f.filter = control.NewField(f, "Filter by name, system or change")
	f.filter.OnChanged = func(string) { f.list() }
	f.title = compared.NewTitle(f, deps.Style, compared.FromTo(old, new)...)
	f.notices = notice.NewBar()
	low := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, do)
		b.Importance = widget.LowImportance
		return b
	}
	buttons := container.NewHBox(low("Report", theme.DocumentIcon(), f.saveReport),
		low("Compare again", theme.ViewRefreshIcon(), f.Again))
	head := look.Head(container.NewVBox(container.NewBorder(nil, nil, nil, buttons, f.title),
		container.NewBorder(nil, nil, f.chips, nil, f.filter)))
	f.content = container.NewBorder(container.NewVBox(head, f.notices.Content()), nil, nil, nil, f.rows)
	f.Again()
	return f
}

// Title names both folders.
func (f *Pair) Title() string {
	return model.FileName(f.roots[0]) + "/ : " + model.FileName(f.roots[1]) + "/"
}

// Hint tells where both folders are.
func (f *Pair) Hint() string { return f.roots[0] + "  →  " + f.roots[1] }

// Content is what goes into the window.
func (f *Pair) Content() fyne.CanvasObject { return f.content }

// Focus returns the list the keyboard.
func (f *Pair) Focus() { f.rows.Focus() }

// Close ends all work.
func (f *Pair) Close() { f.Group.Close() }

// Status is what the status line says while the list is in view.
func (f *Pair) Status() (way, facts []status.Segment) {
	way = []status.Segment{{Text: model.OneLine(f.Hint(), 300), Tone: paint.Dim}}
	if i := f.current(); i >= 0 {
		way = []status.Segment{{Text: f.files[i].Name}}
	}
	if f.done {
		found := wording.Count(f.counts.Differences(), "difference") + " in " +
			wording.Count(int64(len(f.files)), "file")
		facts = []status.Segment{{Text: "Enter opens a pair", Tone: paint.Dim}, {Text: found}}
	}
	return way, facts
}

// Again compares the folders: names and sizes first, then the contents of files of one size.
func (f *Pair) Again() {
	f.notices.Remove("folder")
	f.looking.Stop()
	f.found = map[string]fileFacts{}
	roots := f.roots
	stop := func() {
		f.running.Stop()
		f.Busy("", 0, nil)
		f.notices.Show(notice.Notice{ID: "folder", Level: notice.Warning,
			Text: "The comparison was cancelled; files with … were not looked into."})
	}
	f.running.Go(func(ctx context.Context) func() {
		listed := func(files []folders.File) { f.Group.Show(ctx, func() { f.set(files, false) }) }
		files, err := folders.Compare(ctx, roots[0], roots[1], listed, f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
		}))
		return func() {
			f.Busy("", 0, nil)
			if err != nil {
				f.notices.Show(notice.Notice{ID: "folder", Level: notice.Error, Text: wording.Sentence(err)})
			}
			f.set(files, err == nil)
			f.look()
		}
	})
}

// set shows files; whole says that all of them were looked into.
func (f *Pair) set(files []folders.File, whole bool) {
	f.files, f.counts, f.done = files, compare.Counts{}, whole
	if whole {
		f.pictures.forget()
	}
	for _, file := range files {
		f.counts.Count(file.Status)
	}
	if whole && f.counts.Differences() == 0 {
		f.states |= 1 << compare.Same
	}
	at := f.rows.Current()
	f.list()
	f.rows.SetCurrent(max(0, min(at, int64(len(f.shown)-1))))
	f.Changed()
}

func (f *Pair) setStates(s compared.States) {
	f.states = s
	f.list()
}

// list shows the files in the states and with the words that are wanted, in the order that is wanted.
func (f *Pair) list() {
	f.shown = f.shown[:0]
	query := strings.ToLower(strings.TrimSpace(f.filter.Text))
	for i, file := range f.files {
		if f.states.Has(file.Status) && (query == "" || strings.Contains(strings.ToLower(f.line(file)), query)) {
			f.shown = append(f.shown, i)
		}
	}
	if f.sorted >= 0 && f.order != rows.Unsorted {
		slices.SortStableFunc(f.shown, func(i, j int) int {
			c := f.compareBy(f.files[i], f.files[j])
			if f.order == rows.Descending {
				return -c
			}
			return c
		})
	}
	f.chips.Set(f.counts, f.counts, f.states)
	f.rows.SetSource((*pairRows)(f))
}

func (f *Pair) compareBy(a, b folders.File) int {
	switch f.sorted {
	case fileSign:
		return cmp.Compare(a.Status, b.Status)
	case fileSystem:
		return cmp.Compare(f.found[a.Name].system, f.found[b.Name].system)
	case fileOldDate:
		return a.OldTime.Compare(b.OldTime)
	case fileNewDate:
		return a.NewTime.Compare(b.NewTime)
	case fileOldSize:
		return cmp.Compare(a.Old, b.Old)
	case fileNewSize:
		return cmp.Compare(a.New, b.New)
	}
	return model.CompareNames(a.Name, b.Name)
}

// line is a file in one line, as it is copied.
func (f *Pair) line(file folders.File) string {
	return file.Status.String() + "\t" + file.Name + "\t" + f.found[file.Name].system + "\t" + f.change(file)
}

// current is the number of the current file, or -1.
func (f *Pair) current() int {
	if row := f.rows.Current(); row >= 0 && row < int64(len(f.shown)) {
		return f.shown[row]
	}
	return -1
}

// NextChange goes to the next file that is not the same.
func (f *Pair) NextChange() { f.step(1) }

// PreviousChange goes to the file before that is not the same.
func (f *Pair) PreviousChange() { f.step(-1) }

// step goes to the next file that is not the same.
func (f *Pair) step(by int) {
	for row := int(f.rows.Current()) + by; row >= 0 && row < len(f.shown); row += by {
		if f.files[f.shown[row]].Status != compare.Same {
			f.rows.SetCurrent(int64(row))
			f.rows.ScrollTo(int64(row))
			f.Changed()
			return
		}
	}
}

// activate opens both files of a row side by side, or the one that there is.
func (f *Pair) activate(row int64) {
	if row < 0 || row >= int64(len(f.shown)) {
		return
	}
	file := f.files[f.shown[row]]
	old, new := f.sides(file)
	switch {
	case file.Status == compare.Added:
		f.Open(new, nil)
	case file.Status == compare.Removed:
		f.Open(old, nil)
	default:
		f.Compare(f.pair(file))
	}
}
