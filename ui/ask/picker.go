package ask

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/userdata"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// picker is a dialog to choose a file or a folder if the desktop has none: a field for its path, and the list of a
// folder.
type picker struct {
	host.Host
	folders    bool     // a folder is chosen
	name       string   // name of the file to write; empty: an existing file is chosen
	replace    string   // a file that is replaced if it is chosen again
	extensions []string // the extensions of the files that are listed first
	onChoose   func(path string)

	folder      string
	entries     []entry // entries of the folder
	namePart    string  // the listed names contain it, ignoring case
	chosenAgain bool    // a folder that was listed already was chosen again
	isSetting   bool    // the program changes the path
	lane        *work.Lane
	recognizing *work.Lane // recognizes files
	// recognize reports whether a file with an unknown extension is of a supported format. It may be nil.
	recognize func(path string) bool

	path    *control.Field
	list    *rows.List[entry] // the entries that match the filter
	kinds   *control.Select
	message *widget.Label
	dialog  *dialog.CustomDialog
}

type entry struct {
	name       string
	folder     bool
	size       int64
	time       time.Time
	recognized bool // recognized by its content
}

// maxRecognized is the maximum number of files of a folder that are opened to recognize their formats.
const maxRecognized = 5_000

// The choices of kinds.
const (
	knownKinds = "Supported files"
	allKinds   = "All files"
)

func newPicker(a *Asker, q question, do func(path string)) *picker {
	p := &picker{Host: a.host, folders: q.directory, name: q.name, extensions: q.extensions, onChoose: do,
		lane: a.group.Lane(), recognizing: a.group.Lane(), recognize: q.recognize}
	p.path = control.NewField(p, "Path")
	p.path.OnKey, p.path.OnChanged = p.pathKey, func(string) { p.listTyped() }
	p.path.UsesTab = func() bool { return p.completion() != "" }
	p.list = rows.NewList(p, a.style, rows.Options{Header: true, MinSize: fyne.NewSize(240, 120), Fit: true},
		entryColumns...)
	p.list.OnCurrent = func(row int) {
		if p.name == "" || !p.list.Items[row].folder { // the proposed name stays
			p.setPath(model.EncodePath(p.pathAt(row)))
		}
		p.message.SetText("")
	}
	p.list.OnActivate = func(row int) { p.choose(p.pathAt(row), false) }
	p.kinds = control.NewSelect(p.Key, []string{knownKinds, allKinds}, func(string) { p.filter() })
	p.kinds.Selected, p.kinds.PlaceHolder = knownKinds, knownKinds // the widest
	p.message = widget.NewLabel("")
	p.message.Importance, p.message.Truncation = widget.WarningImportance, fyne.TextTruncateEllipsis
	up := control.NewButton(p.Key, "", theme.MoveUpIcon(), p.up)
	home := control.NewButton(p.Key, "", theme.HomeIcon(), func() {
		if folder, err := os.UserHomeDir(); err == nil {
			p.choose(folder, false)
		}
	})
	var kinds fyne.CanvasObject
	verb := "Choose"
	switch {
	case p.name != "":
		p.kinds.Selected, verb = allKinds, "Save"
	case !p.folders:
		kinds, verb = p.kinds, "Open"
	}
	content := container.NewBorder(container.NewBorder(nil, nil, container.NewHBox(home, up), nil, p.path),
		container.NewBorder(nil, nil, nil, kinds, p.message), nil, nil, p.list.Table)
	p.dialog = dialog.NewCustomWithoutButtons(q.title, content, a.window)
	open := a.button(verb, func() { p.choose(p.chosen(), p.folders) })
	open.Importance = widget.HighImportance
	p.dialog.SetButtons([]fyne.CanvasObject{a.button("Cancel", p.dialog.Dismiss), open})
	return p
}

// begin opens the dialog in a folder.
func (p *picker) begin(a *Asker, folder string) {
	a.present(p.dialog, fyne.NewSize(900, 620), p.path)
	if !filepath.IsAbs(folder) {
		folder, _ = os.UserHomeDir()
	}
	p.showFolderPath(folder) // Enter may be pressed before the folder is listed
	p.choose(folder, false)
}

// typed returns the absolute path in the field, which may be relative to the folder or the home folder, or a file://
// address.
func (p *picker) typed() string {
	text := strings.TrimSpace(p.path.Text)
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1] // as a terminal or a file manager quotes it
	}
	if start := strings.LastIndex(text, "//"); start > 0 && !strings.HasPrefix(text, "file:") {
		text = text[start+1:] // an absolute path that was typed after the folder
	}
	text = ExpandHome(model.DecodePath(text))
	if !filepath.IsAbs(text) {
		text = filepath.Join(p.folder, text)
	}
	return filepath.Clean(text)
}

// ExpandHome returns a typed path with the home folder instead of "~".
func ExpandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if home := userdata.Home(); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest)
	}
	return path
}

// listTyped lists the folder of a path that is being typed.
func (p *picker) listTyped() {
	if p.isSetting {
		return
	}
	p.message.SetText("")
	if p.name != "" { // a new name
		return
	}
	folder, part := p.typedPart()
	if folder == p.folder {
		p.namePart = part
		p.filter()
		return
	}
	if text := model.DecodePath(strings.TrimSpace(p.path.Text)); !filepath.IsAbs(text) && !strings.HasPrefix(text, "~") {
		return
	}
	p.lane.Go(func(ctx context.Context) func() {
		entries, err := readFolder(ctx, folder)
		if err != nil {
			return nil // the path may be incomplete
		}
		return func() {
			now, part := p.typedPart()
			if now != folder {
				return
			}
			p.setEntries(folder, entries, part)
		}
	})
}

// typedPart splits the typed path into its folder and the part of a name in it, which is "" after a separator.
func (p *picker) typedPart() (folder, part string) {
	path := p.typed()
	text := model.DecodePath(strings.TrimSpace(p.path.Text))
	if text == "" || os.IsPathSeparator(text[len(text)-1]) {
		return path, ""
	}
	return filepath.Dir(path), filepath.Base(path)
}

// chosen returns the path that Enter chooses: the typed one, or the only file that is listed for a part of its name.
func (p *picker) chosen() string {
	path := p.typed()
	isTyped := func(e entry) bool { return filepath.Join(p.folder, e.name) == path }
	if p.namePart == "" || p.folders || path != filepath.Join(p.folder, p.namePart) || len(p.list.Items) != 1 ||
		slices.ContainsFunc(p.entries, isTyped) {
		return path
	}
	return p.pathAt(0)
}

// completion returns the rest of the name that is typed if the listed entries agree on it, or "".
func (p *picker) completion() string {
	dir, typed := filepath.Split(p.path.Text)
	if typed == "" || dir != "" && filepath.Clean(p.typed()) != filepath.Join(p.folder, typed) {
		return ""
	}
	common, found := "", false
	for _, e := range p.list.Items {
		name := e.name
		if e.folder {
			name += string(filepath.Separator)
		}
		if !strings.HasPrefix(name, typed) {
			continue
		}
		if !found {
			common, found = name, true
		}
		for !strings.HasPrefix(name, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return strings.TrimPrefix(common, typed)
}

func (p *picker) pathAt(row int) string { return filepath.Join(p.folder, p.list.Items[row].name) }

// choose chooses a file, or lists a folder; with finish it chooses the folder.
func (p *picker) choose(path string, finish bool) {
	p.lane.Go(func(ctx context.Context) func() {
		info, err := os.Stat(path)
		if p.name != "" && errors.Is(err, fs.ErrNotExist) {
			if _, err = os.Stat(filepath.Dir(path)); err == nil {
				return func() { p.pick(path) }
			}
			path = filepath.Dir(path)
		}
		if err != nil {
			return func() { p.showError(path, err) }
		}
		switch {
		case info.IsDir() && !finish:
			entries, err := readFolder(ctx, path)
			return func() {
				if err != nil {
					p.showError(path, err)
					return
				}
				p.chosenAgain = filepath.Clean(path) == filepath.Clean(p.folder) && p.name == "" && p.namePart == ""
				p.show(path, entries)
			}
		case info.IsDir() != p.folders:
			return func() { p.showError(path, errors.New("is not a folder")) }
		}
		return func() {
			if p.name != "" && p.replace != path {
				p.replace = path
				p.message.Importance = widget.WarningImportance
				p.message.SetText(host.SentenceOf(model.FileName(path) + " already exists. Save again to replace it"))
				return
			}
			p.pick(path)
		}
	})
}

func (p *picker) pick(path string) {
	p.dialog.Hide()
	p.onChoose(path)
}

// showError displays the reason why a path cannot be chosen.
func (p *picker) showError(path string, err error) {
	var pathErr *fs.PathError
	text := model.FileName(path) + " " + err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = model.OneLine(path, 300) + " does not exist"
	case errors.As(err, &pathErr):
		text = model.FileName(path) + ": " + pathErr.Err.Error()
	}
	p.message.Importance = widget.WarningImportance
	p.message.SetText(host.SentenceOf(text))
}

func (p *picker) show(folder string, all []entry) {
	if typed := p.typed(); p.name != "" && p.folder != "" && typed != folder && typed != p.folder {
		p.name = filepath.Base(typed)
	}
	p.showFolderPath(folder)
	p.setEntries(folder, all, "")
}

// setEntries lists the entries of a folder whose names contain a part. Those with unknown extensions are recognized
// meanwhile.
func (p *picker) setEntries(folder string, all []entry, part string) {
	p.chosenAgain = p.chosenAgain && part == "" && filepath.Clean(folder) == filepath.Clean(p.folder)
	p.folder, p.entries, p.namePart = folder, all, part
	p.filter()
	p.recognizing.Stop()
	if p.recognize == nil || p.folders || p.name != "" {
		return
	}
	p.recognizing.Go(func(ctx context.Context) func() {
		found, remaining := slices.Clone(all), maxRecognized
		for i := range found {
			e := &found[i]
			if e.folder || p.hasKnownExtension(*e) || strings.HasPrefix(e.name, ".") {
				continue
			}
			if remaining--; remaining < 0 || ctx.Err() != nil {
				break
			}
			e.recognized = p.recognize(filepath.Join(folder, e.name))
		}
		return func() { p.update(found) }
	})
}

// update lists the entries after some were recognized. The current one stays current.
func (p *picker) update(all []entry) {
	row := p.list.Current()
	var currentName string
	if row >= 0 {
		currentName = p.list.Items[row].name
	}
	p.entries = all
	p.filter()
	if row >= 0 {
		p.list.SetCurrent(slices.IndexFunc(p.list.Items, func(e entry) bool { return e.name == currentName }))
	}
}

// hasKnownExtension reports whether a file has the extension of a supported format.
func (p *picker) hasKnownExtension(e entry) bool {
	return slices.Contains(p.extensions, strings.ToLower(filepath.Ext(e.name)))
}

// showFolderPath displays the path of a folder, and the proposed name in it.
func (p *picker) showFolderPath(folder string) {
	text := model.EncodePath(folder)
	if !strings.HasSuffix(text, string(filepath.Separator)) {
		text += string(filepath.Separator)
	}
	p.setPath(text + p.name)
}

// setPath displays a path, with the caret at its end.
func (p *picker) setPath(text string) {
	p.isSetting = true
	p.path.SetText(text)
	p.isSetting = false
	p.path.CursorColumn = len([]rune(text))
	p.path.Refresh()
}

// filter lists folders, and supported or all files, whose names contain the typed part.
func (p *picker) filter() {
	everything := p.kinds.Selected == allKinds
	var listed []entry
	hidden := 0
	part := strings.ToLower(p.namePart)
	for _, e := range p.entries {
		switch {
		case !strings.Contains(strings.ToLower(e.name), part):
		case (!everything || p.name != "") && strings.HasPrefix(e.name, "."):
		case e.folder || !p.folders && (everything || e.recognized || p.hasKnownExtension(e)):
			listed = append(listed, e)
		default:
			hidden++
		}
	}
	text := ""
	switch files := host.Count(hidden, "file"); {
	case len(listed) > 0:
	case len(p.entries) == 0:
		text = "This folder is empty."
	case p.namePart != "" && hidden == 0:
		text = "No name contains “" + model.OneLine(p.namePart, 60) + "”."
	case p.folders:
		text = "No subfolders. " + files + " hidden."
	case hidden > 0:
		text = files + " of other types hidden. Choose All files to list them."
	}
	p.message.Importance = widget.LowImportance // not a problem
	if p.chosenAgain {
		p.message.Importance, text = widget.MediumImportance, "Choose a file of this folder. Open Folder opens the folder itself."
	}
	p.message.SetText(text)
	p.list.Set(listed)
}

// readFolder lists a folder, folders first.
func readFolder(ctx context.Context, folder string) ([]entry, error) {
	files, err := os.ReadDir(folder)
	if err != nil && len(files) == 0 {
		return nil, err
	}
	entries := make([]entry, 0, len(files))
	for _, f := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		info, err := os.Stat(filepath.Join(folder, f.Name())) // the target of a link
		if err != nil {
			continue
		}
		entries = append(entries, entry{name: f.Name(), folder: info.IsDir(), size: info.Size(), time: info.ModTime()})
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.folder != b.folder {
			if a.folder {
				return -1
			}
			return 1
		}
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	return entries, nil
}

func (p *picker) up() { p.choose(filepath.Dir(p.folder), false) }

// pathKey handles the keys of the field: Enter chooses a file or a folder, or lists a folder; Tab completes a name;
// arrows move in the list.
func (p *picker) pathKey(k *fyne.KeyEvent, _ bool) bool {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		p.choose(p.chosen(), p.folders)
	case fyne.KeyTab:
		p.path.SetText(p.path.Text + p.completion())
		p.path.CursorColumn = len([]rune(p.path.Text))
		p.path.Refresh()
	case fyne.KeyDown, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp:
		p.list.Key(k)
	default:
		return false
	}
	return true
}

// Key lists the parent folder on Backspace, and passes other keys to the window.
func (p *picker) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyBackspace {
		p.up()
		return true
	}
	return p.Host.Key(k, shift)
}

var entryColumns = []rows.ListColumn[entry]{
	{Title: "Name", Share: 0.62, Cell: func(e entry) rows.Cell {
		c := rows.Cell{Text: model.OneLine(e.name, 300), Bold: e.folder}
		if e.folder {
			c.Text += string(filepath.Separator)
		}
		return c
	}},
	{Title: "Size", Share: 0.16, Cell: func(e entry) rows.Cell {
		if e.folder {
			return rows.Cell{}
		}
		return rows.Cell{Text: host.Size(e.size), Tone: paint.Dim}
	}},
	{Title: "Modified", Share: 0.22, Cell: func(e entry) rows.Cell {
		return rows.Cell{Text: e.time.Format("2006-01-02 15:04"), Tone: paint.Dim}
	}},
}
