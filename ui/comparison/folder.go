package comparison

import (
	"context"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// Folder lists the files of two folders: same, changed, moved, added, removed. It is a tab of the window; Enter opens a
// pair of files.
type Folder struct {
	Deps
	roots   [2]string
	open    Opener
	files   []compare.File
	shown   []int
	counts  compare.Counts
	states  states
	done    bool
	rows    *rows.Rows
	chips   *chips
	title   *widget.RichText
	notices *notice.Bar
	content fyne.CanvasObject
	running *work.Lane
}

// NewFolder makes a list of the files of two folders, and begins to compare them.
func NewFolder(deps Deps, old, new string, open Opener) *Folder {
	f := &Folder{Deps: deps, roots: [2]string{old, new}, open: open, states: differences}
	f.running = deps.Group.Lane()
	options := rows.Options{Header: true, MinSize: fyne.NewSize(200, 80), Grow: 560}
	f.rows = rows.New(f, deps.Style, (*folderRows)(f), options)
	f.rows.SetColumns(rows.Column{Width: signWide}, rows.Column{Title: "File", Width: 300, Min: 80},
		rows.Column{Title: "Old size", Width: 80, Align: paint.Trailing},
		rows.Column{Title: "New size", Width: 80, Align: paint.Trailing}, rows.Column{Title: "Change", Width: 200})
	f.rows.Events = rows.Events{
		OnActivate: f.activate,
		OnCurrent:  func(int64) { f.Changed() },
	}
	f.chips = newChips(deps.Style, func(s compare.Status) { f.setStates(f.states ^ 1<<s) })
	f.title = widget.NewRichText(fromTo(old, new)...)
	f.title.Truncation = fyne.TextTruncateEllipsis
	f.notices = notice.NewBar()
	again := widget.NewButtonWithIcon("Compare again", theme.ViewRefreshIcon(), f.run)
	again.Importance = widget.LowImportance
	head := look.Head(container.NewBorder(nil, nil, f.chips, again, f.title))
	f.content = container.NewBorder(container.NewVBox(head, f.notices.Content()), nil, nil, nil, f.rows)
	f.run()
	return f
}

// Title names both folders.
func (f *Folder) Title() string {
	return model.FileName(f.roots[0]) + "/ : " + model.FileName(f.roots[1]) + "/"
}

// Hint tells where both folders are.
func (f *Folder) Hint() string { return f.roots[0] + "  →  " + f.roots[1] }

// Content is what goes into the window.
func (f *Folder) Content() fyne.CanvasObject { return f.content }

// Focus gives the list the keyboard.
func (f *Folder) Focus() { f.rows.Focus() }

// Close ends all work.
func (f *Folder) Close() { f.Group.Close() }

// Status is what the status line says while the list is in view.
func (f *Folder) Status() (way, facts []status.Segment) {
	way = []status.Segment{{Text: model.OneLine(f.Hint(), 300), Tone: status.Dim}}
	if i := f.current(); i >= 0 {
		way = []status.Segment{{Text: f.files[i].Name}}
	}
	if f.done {
		found := wording.Count(f.counts.Differences(), "difference") + " in " + wording.Count(int64(len(f.files)), "file")
		facts = []status.Segment{{Text: "Enter opens a pair", Tone: status.Dim}, {Text: found}}
	}
	return way, facts
}

// run compares the folders.
func (f *Folder) run() {
	f.notices.Remove("folder")
	roots := f.roots
	stop := func() {
		f.running.Stop()
		f.Busy("", 0, nil)
		f.notices.Show(notice.Notice{ID: "folder", Level: notice.Warning,
			Text: "The comparison was cancelled; the list is not whole."})
	}
	f.running.Go(func(ctx context.Context) func() {
		files, err := compare.Folders(ctx, roots[0], roots[1], f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
		}))
		return func() {
			f.Busy("", 0, nil)
			if err != nil {
				f.notices.Show(notice.Notice{ID: "folder", Level: notice.Error, Text: wording.Sentence(err)})
			}
			f.set(files)
		}
	})
}

func (f *Folder) set(files []compare.File) {
	f.files, f.counts, f.done = files, compare.Counts{}, true
	for _, file := range files {
		switch file.Status {
		case compare.Same:
			f.counts.Same++
		case compare.Changed:
			f.counts.Changed++
		case compare.Moved:
			f.counts.Moved++
		case compare.Added:
			f.counts.Added++
		case compare.Removed:
			f.counts.Removed++
		}
	}
	if f.counts.Differences() == 0 {
		f.states |= 1 << compare.Same
	}
	f.setStates(f.states)
	f.rows.SetCurrent(0)
	f.Changed()
}

func (f *Folder) setStates(s states) {
	f.states, f.shown = s, f.shown[:0]
	for i, file := range f.files {
		if s.has(file.Status) {
			f.shown = append(f.shown, i)
		}
	}
	f.chips.set(f.counts, s)
	f.rows.SetSource((*folderRows)(f))
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
	side := func(i int) Side {
		name := file.Name
		if i == 0 && file.OldName != "" {
			name = file.OldName
		}
		return FileSide(filepath.Join(f.roots[i], filepath.FromSlash(name)), filepath.Base(f.roots[i])+"/"+name, f.open)
	}
	switch {
	case file.Status == compare.Added:
		f.Open(side(1), nil)
	case file.Status == compare.Removed:
		f.Open(side(0), nil)
	default:
		f.Compare(side(0), side(1))
	}
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
	case 0:
		return rows.Cell{Text: signOf(file.Status), Tone: tone, Bold: true}
	case 1:
		if file.Status == compare.Changed {
			tone = paint.Normal
		}
		return rows.Cell{Text: file.Name, Tone: tone, Ends: true}
	case 2:
		return sizeCell(file.Old)
	case 3:
		return sizeCell(file.New)
	}
	return rows.Cell{Text: fileChange(file), Tone: tone}
}

// sizeCell is the size of a file, if it is there.
func sizeCell(size int64) rows.Cell {
	if size < 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: wording.Number(size), Tone: paint.Dim, Mono: true}
}

// fileChange describes the difference of a file in a few words.
func fileChange(f compare.File) string {
	switch {
	case f.Problem != "":
		return f.Problem
	case f.Status == compare.Moved:
		return "was " + f.OldName
	case f.Status == compare.Changed && f.Old != f.New:
		return signed(f.New-f.Old) + " bytes"
	case f.Status == compare.Changed:
		return fmt.Sprintf("differs from byte %#x on", f.At)
	}
	return f.Status.String()
}
