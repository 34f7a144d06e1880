package comparison

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/field"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// Folder lists the files of two folders: same, changed, moved, added, removed, each with what it is and what changed in
// it, which is found out in the background. It is a tab of the window; Enter opens a pair of files.
type Folder struct {
	Deps
	roots   [2]string
	open    Opener
	files   []compare.File
	found   map[string]fileFacts // by name
	shown   []int
	counts  compare.Counts
	states  states
	sorted  int // the column by which rows are sorted; -1: by name
	order   rows.Order
	done    bool
	rows    *rows.Rows
	chips   *chips
	filter  *field.Field
	title   *title
	notices *notice.Bar
	content fyne.CanvasObject

	pictures *filePictures

	running, looking *work.Lane
}

// fileFacts is what was found out about a file.
type fileFacts struct{ system, summary string }

// The columns of a list of files.
const (
	fileSign = iota
	fileName
	fileSystem
	fileChange
	fileOldDate
	fileNewDate
	fileOldSize
	fileNewSize
)

// NewFolder makes a list of the files of two folders, and begins to compare them.
func NewFolder(deps Deps, old, new string, open Opener) *Folder {
	f := &Folder{Deps: deps, roots: [2]string{old, new}, open: open, states: differences, sorted: -1}
	f.running, f.looking = deps.Group.Lane(), deps.Group.Lane()
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(200, 80), Share: shareFiles,
		Height: func(scale float32) int { return int(pictureWide*scale + .5) }}
	f.pictures = newFilePictures(f)
	f.rows = rows.New(f, deps.Style, (*folderRows)(f), options)
	column := func(title string) rows.Column { return rows.Column{Title: title, Sortable: true} }
	number := func(title string) rows.Column {
		return rows.Column{Title: title, Align: paint.Trailing, Sortable: true}
	}
	f.rows.SetColumns(rows.Column{Min: signWide, Sortable: true}, column("File"), column("System"), rows.Column{Title: "Change"}, column("Old date"),
		column("New date"), number("Old size"), number("New size"))
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
	f.chips = newChips(deps.Style, func(s compare.Status) { f.setStates(f.states ^ 1<<s) })
	f.filter = field.New(f, "Filter by name, system or change")
	f.filter.OnChanged = func(string) { f.list() }
	f.title = newTitle(f, deps.Style, fromTo(old, new)...)
	f.notices = notice.NewBar()
	low := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, do)
		b.Importance = widget.LowImportance
		return b
	}
	buttons := container.NewHBox(low("Report", theme.DocumentIcon(), f.saveReport),
		low("Compare again", theme.ViewRefreshIcon(), f.run))
	head := look.Head(container.NewVBox(container.NewBorder(nil, nil, nil, buttons, f.title),
		container.NewBorder(nil, nil, f.chips, nil, f.filter)))
	f.content = container.NewBorder(container.NewVBox(head, f.notices.Content()), nil, nil, nil, f.rows)
	f.run()
	return f
}

// The widths of the columns of a list of files.
const (
	systemWide = 124
	dateWide   = 136
	sizeWide   = 92
	fileLeast  = 600 // width of name and change: where there is less, dates and sizes are not shown
)

// shareFiles divides the width among the columns of a list of files.
func shareFiles(width float32) []float32 {
	widths := make([]float32, fileNewSize+1)
	widths[fileSign], widths[fileSystem] = signWide, systemWide
	left := width - signWide - systemWide
	for _, columns := range [][2]int{{fileOldDate, fileNewDate}, {fileOldSize, fileNewSize}} {
		wide := float32(dateWide)
		if columns[0] == fileOldSize {
			wide = sizeWide
		}
		if left-2*wide >= fileLeast {
			widths[columns[0]], widths[columns[1]] = wide, wide
			left -= 2 * wide
		}
	}
	widths[fileName] = left * .4
	widths[fileChange] = left - widths[fileName]
	return widths
}

// Title names both folders.
func (f *Folder) Title() string {
	return model.FileName(f.roots[0]) + "/ : " + model.FileName(f.roots[1]) + "/"
}

// Hint tells where both folders are.
func (f *Folder) Hint() string { return f.roots[0] + "  →  " + f.roots[1] }

// Content is what goes into the window.
func (f *Folder) Content() fyne.CanvasObject { return f.content }

// Focus returns the list the keyboard.
func (f *Folder) Focus() { f.rows.Focus() }

// Close ends all work.
func (f *Folder) Close() { f.Group.Close() }

// Status is what the status line says while the list is in view.
func (f *Folder) Status() (way, facts []status.Segment) {
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

// run compares the folders: names and sizes first, then the contents of files of one size.
func (f *Folder) run() {
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
		listed := func(files []compare.File) { f.Group.Show(ctx, func() { f.set(files, false) }) }
		files, err := compare.Folders(ctx, roots[0], roots[1], listed, f.Group.Progress(ctx, func(done, total int64) {
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
func (f *Folder) set(files []compare.File, whole bool) {
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

const (
	lookedInto = 10_000   // files that are opened to say what changed in them
	lookedSize = 64 << 20 // bytes of one of them
	lookedStep = 16       // files between two looks of the window
)

// look finds out in the background what the files are and what changed in them.
func (f *Folder) look() {
	if f.open == nil {
		return
	}
	var todo []compare.File
	for _, i := range f.shown {
		if file := f.files[i]; file.Status != compare.Same && file.Problem == "" && file.Link == "" &&
			max(file.Old, file.New) <= lookedSize && len(todo) < lookedInto {
			todo = append(todo, file)
		}
	}
	sides := f.sides
	stop := func() {
		f.looking.Stop()
		f.Busy("", 0, nil)
		f.Tell("Stopped; F5 compares the folders again.")
	}
	f.looking.Go(func(ctx context.Context) func() {
		tell := f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Looking into files", float64(done)/float64(max(1, total)), stop)
		})
		found := map[string]fileFacts{}
		show := func() func() {
			some := found
			found = map[string]fileFacts{}
			return func() {
				maps.Copy(f.found, some)
				f.rows.Refresh()
			}
		}
		for i, file := range todo {
			if ctx.Err() != nil {
				return nil
			}
			old, new := sides(file)
			if facts, ok := lookInto(ctx, file, old, new); ok {
				found[file.Name] = facts
			}
			if i%lookedStep == 0 {
				f.Group.Show(ctx, show())
			}
			tell(int64(i+1), int64(len(todo)))
		}
		last := show()
		return func() {
			f.Busy("", 0, nil)
			last()
		}
	})
}

// lookInto opens the files of a row and says what they are and what changed; false if that cannot be said.
func lookInto(ctx context.Context, file compare.File, old, new Side) (facts fileFacts, ok bool) {
	var docs [2]*model.Document
	for i, s := range []Side{old, new} {
		if i == 0 && file.Status == compare.Added || i == 1 && file.Status == compare.Removed {
			continue
		}
		d, err := s.Open(ctx)
		if err != nil {
			return fileFacts{summary: model.OneLine(err.Error(), 200)}, ctx.Err() == nil
		}
		defer d.Source.Close()
		docs[i] = d
	}
	switch {
	case docs[0] == nil:
		return fileFacts{system: docs[1].Format + " " + docs[1].Variant}, true
	case docs[1] == nil:
		return fileFacts{system: docs[0].Format + " " + docs[0].Variant}, true
	}
	c, err := compare.Documents(ctx, docs[0], docs[1], compare.Options{}, nil)
	if err != nil {
		return facts, false
	}
	facts.system = formats(c)
	if file.Status == compare.Changed {
		o, err := c.Overview(ctx)
		if err != nil {
			return facts, false
		}
		facts.summary = c.Brief(o)
	}
	return facts, true
}

func (f *Folder) setStates(s states) {
	f.states = s
	f.list()
}

// list shows the files in the states and with the words that are wanted, in the order that is wanted.
func (f *Folder) list() {
	f.shown = f.shown[:0]
	query := strings.ToLower(strings.TrimSpace(f.filter.Text))
	for i, file := range f.files {
		if f.states.has(file.Status) && (query == "" || strings.Contains(strings.ToLower(f.line(file)), query)) {
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
	f.chips.set(f.counts, f.states)
	f.rows.SetSource((*folderRows)(f))
}

func (f *Folder) compareBy(a, b compare.File) int {
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
func (f *Folder) line(file compare.File) string {
	return file.Status.String() + "\t" + file.Name + "\t" + f.found[file.Name].system + "\t" + f.change(file)
}

// menu offers what can be done with a row, or with those that are selected.
func (f *Folder) menu(row int64, at fyne.Position) {
	if row < 0 || row >= int64(len(f.shown)) {
		return
	}
	file := f.files[f.shown[row]]
	old, new := f.sides(file)
	var items []*fyne.MenuItem
	if file.Old >= 0 && file.New >= 0 {
		items = append(items, fyne.NewMenuItem("Compare", func() { f.activate(row) }))
	}
	if file.Old >= 0 {
		items = append(items, fyne.NewMenuItem("Open Old File", func() { f.Open(old, nil) }))
	}
	if file.New >= 0 {
		items = append(items, fyne.NewMenuItem("Open New File", func() { f.Open(new, nil) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Copy Name", func() { f.Copy(file.Name) }),
		fyne.NewMenuItem("Copy List", f.copyList), fyne.NewMenuItem("Save Report…", f.saveReport))
	f.Menu(fyne.NewMenu("", items...), at)
}

// copyList puts the rows that are shown on the clipboard.
func (f *Folder) copyList() {
	var b strings.Builder
	for _, i := range f.shown {
		b.WriteString(f.line(f.files[i]) + "\n")
	}
	f.Copy(b.String())
	f.Tell("Copied " + wording.Count(int64(len(f.shown)), "row") + ".")
}

// saveReport writes the rows that are shown, with the comparison of each pair, as a page.
func (f *Folder) saveReport() {
	var all []compare.File
	for _, i := range f.shown {
		all = append(all, f.files[i])
	}
	roots, sides, opens, ctx := f.roots, f.sides, f.open != nil, f.Group.Context()
	f.Save("comparison.html", func(out io.Writer) error {
		page := compare.NewFoldersPage(out, filepath.Base(roots[0]), filepath.Base(roots[1]))
		var n compare.Counts
		for i := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			n.Count(all[i].Status)
			old, new := sides(all[i])
			if !opens {
				old.Open, new.Open = nil, nil
			}
			if err := reportFile(ctx, page, &all[i], old, new); err != nil {
				return err
			}
		}
		return page.End(n)
	})
}

// reportFile writes a file of two folders, with the comparison of its versions if they can be opened.
func reportFile(ctx context.Context, page *compare.FoldersPage, file *compare.File, old, new Side) error {
	switch {
	case file.Status == compare.Same:
		return nil
	case file.Status == compare.Changed && file.Problem == "" && old.Open != nil:
		docs, err := open(ctx, [2]Side{old, new}, [2]*model.Document{})
		defer release(docs)
		var c *compare.Comparison
		if err == nil {
			c, err = compare.Documents(ctx, docs[0], docs[1], compare.Options{}, nil)
		}
		if err == nil {
			return page.File(file, c)
		}
		file.Problem = model.OneLine(err.Error(), 200)
	}
	return page.File(file, nil)
}

// current is the number of the current file, or -1.
func (f *Folder) current() int {
	if row := f.rows.Current(); row >= 0 && row < int64(len(f.shown)) {
		return f.shown[row]
	}
	return -1
}

// Key does what a key without a modifier means here.
func (f *Folder) Key(k *fyne.KeyEvent, shift bool) bool {
	switch k.Name {
	case fyne.KeyF5:
		f.run()
	case fyne.KeyF7, fyne.KeyF8:
		f.step(map[fyne.KeyName]int{fyne.KeyF7: -1, fyne.KeyF8: 1}[k.Name])
	default:
		return f.Host.Key(k, shift)
	}
	return true
}

// step goes to the next file that is not the same.
func (f *Folder) step(by int) {
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
func (f *Folder) activate(row int64) {
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

// pair are both files of a row, which know those beside them in the list.
func (f *Folder) pair(file compare.File) (old, new Side) {
	old, new = f.sides(file)
	new.Beside = func(by int) (a, b Side, ok bool) {
		row := slices.IndexFunc(f.shown, func(i int) bool { return f.files[i].Name == file.Name })
		if row < 0 {
			return a, b, false
		}
		for row += by; row >= 0 && row < len(f.shown); row += by {
			if next := f.files[f.shown[row]]; next.Old >= 0 && next.New >= 0 && next.Status != compare.Same {
				f.rows.SetCurrent(int64(row))
				f.rows.ScrollTo(int64(row))
				a, b = f.pair(next)
				return a, b, true
			}
		}
		return a, b, false
	}
	return old, new
}

// sides are both files of a row.
func (f *Folder) sides(file compare.File) (old, new Side) {
	side := func(i int, name string) Side {
		return FileSide(filepath.Join(f.roots[i], filepath.FromSlash(name)), filepath.Base(f.roots[i])+"/"+name, f.open)
	}
	return side(0, cmp.Or(file.OldName, file.Name)), side(1, file.Name)
}

// folderRows is the list as the rows see it.
type folderRows Folder

// Len is the number of rows.
func (f *folderRows) Len() int64 { return int64(len(f.shown)) }

// Cell is what stands in a column of a row.
func (f *folderRows) Cell(row int64, column int) rows.Cell {
	file := f.files[f.shown[row]]
	tone := toneOfStatus(file.Status)
	switch column {
	case fileSign:
		sign := signOf(file.Status)
		if file.Pending {
			sign = "…"
		}
		return rows.Cell{Text: sign, Tone: tone, Bold: true}
	case fileName:
		if file.Status == compare.Changed {
			tone = paint.Normal
		}
		return rows.Cell{Text: file.Name, Tone: tone, Ends: true, Lead: pictureWide}
	case fileSystem:
		return rows.Cell{Text: f.found[file.Name].system, Tone: paint.Dim}
	case fileOldDate:
		return dateCell(file.OldTime)
	case fileNewDate:
		return dateCell(file.NewTime)
	case fileOldSize:
		return sizeCell(file.Old)
	case fileNewSize:
		return sizeCell(file.New)
	}
	if file.Problem != "" {
		tone = paint.Warning
	}
	return rows.Cell{Text: (*Folder)(f).change(file), Tone: tone}
}

// Frame has the pictures of what is in view drawn.
func (f *folderRows) Frame(c *paint.Canvas, _, height int) {
	f.pictures.want(c, height)
}

// PaintLead paints the picture of a file.
func (f *folderRows) PaintLead(c *paint.Canvas, row int64, _ int, lead image.Rectangle) {
	f.pictures.paint(c, f.shown[row], lead)
}

// dateCell is when a file was changed.
func dateCell(t time.Time) rows.Cell {
	if t.IsZero() {
		return rows.Cell{}
	}
	return rows.Cell{Text: t.Format("2006-01-02 15:04"), Tone: paint.Dim}
}

// sizeCell is the size of a file, if it is there.
func sizeCell(size int64) rows.Cell {
	if size < 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: wording.Number(size), Tone: paint.Dim, Mono: true}
}

// change describes the difference of a file in a few words.
func (f *Folder) change(file compare.File) string {
	was := ""
	if file.OldName != "" {
		was = "was " + file.OldName
	}
	switch found := f.found[file.Name].summary; {
	case file.Problem != "":
		return file.Problem
	case file.Pending:
		return "not looked into yet"
	case file.Status == compare.Moved:
		return was
	case found != "" && was != "":
		return was + "; " + found
	case found != "":
		return found
	case was != "":
		return was + ", edited"
	case file.Status == compare.Changed && file.Old != file.New:
		return signed(file.New-file.Old) + " bytes"
	case file.Status == compare.Changed:
		return fmt.Sprintf("differs from byte %#x on", file.At)
	}
	return file.Status.String()
}
