package window

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/folder"
	"assay/ui/assets"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// ofFolder is the kind of a folder's tab that comes back.
const ofFolder = "folder"

// folderTab is the files below a folder: those that the program knows and, unless they are switched off, the others.
type folderTab struct {
	tabHost
	root       string
	group      *work.Group
	listing    *work.Lane
	looking    *work.Lane // at the files, one after the other
	opening    *work.Lane // the one that is selected
	extracting *work.Lane
	list       *assets.Panel
	look       *preview.Preview
	slot       *exporting.Slot
	content    fyne.CanvasObject

	facts    *folder.Facts
	looked   sync.Map // by the paths of files that were looked at: the resource folder that they were opened with
	found    []folder.File
	files    []folder.File   // of these that are listed
	others   *control.Check  // lists those that are not known, too
	document *model.Document // the files as assets
	selected doc.Nodes
	shown    *model.Document // in the preview
	state    string
}

var (
	_ Tab      = (*folderTab)(nil)
	_ doc.Host = (*folderTab)(nil)
)

// openFolder lists the files below a folder, in the place of another tab or after all.
func (w *Window) openFolder(root string, in Tab) {
	root = absolute(root)
	if there := w.folderTabOf(root); there != nil && in == nil {
		w.tabs.reveal(there)
		return
	}
	t := &folderTab{root: root, group: w.group.Under(), slot: w.exporting.NewSlot(), facts: folder.NewFacts()}
	t.tabHost = tabHost{w, w, t}
	t.listing, t.looking, t.opening = t.group.Lane(), t.group.Lane(), t.group.Lane()
	t.extracting = t.group.Lane()
	t.document = folder.Document(root, nil, t.facts)
	t.others = control.NewCheck(t.Key, "", func(on bool) {
		w.prefs.setListsOthers(on)
		t.set(t.found)
	})
	t.others.Checked = w.prefs.listsOthers()
	t.others.Hide()
	t.look = preview.New(t, w.style, t.group, w.thumbnails())
	t.look.OnAsset, t.look.OnDrag = t.openAsset, t.Drag
	t.look.OnResources = w.askResources
	t.look.Fixed()
	t.look.ShowPlaceholder("Select a file to see what is in it.")
	pictures := w.thumbnails()
	pictures.File = t.open
	t.list = assets.New(t, w.style, t.group, t.document, assets.Options{Options: pictures, OnSelect: t.selectFile,
		OnGroup: t.selectFolder, OnOpen: t.openSelected, OnPreview: func() {}, Word: "file", Beside: t.others,
		Dim: func(i int) bool { return i < len(t.files) && t.files[i].Other() }})
	side := container.NewVSplit(t.look.Content(), t.slot.Content())
	side.SetOffset(0.55)
	split := container.NewHSplit(t.list.Content(), side)
	split.SetOffset(0.68)
	t.content = split
	w.tabs.add(t, in)
	t.read()
	w.rememberedTabs.keep()
}

// folderTabOf is the tab of a folder, which may be one of last time; nil if there is none.
func (w *Window) folderTabOf(root string) Tab {
	return w.tabs.find(func(t Tab) bool {
		switch t := t.(type) {
		case *folderTab:
			return t.root == root
		case *suspendedTab:
			return t.saved.Kind == ofFolder && t.saved.Files[0] == root
		}
		return false
	})
}

// Title is the folder's name.
func (t *folderTab) Title() string { return folderTitle(t.root) }

// folderTitle is the name of a folder, for people.
func folderTitle(path string) string { return strings.TrimSuffix(fileTitle(path), "/") + "/" }

// Hint is its path.
func (t *folderTab) Hint() string { return model.OneLine(t.root, 600) }

// Content is the list and what is selected in it.
func (t *folderTab) Content() fyne.CanvasObject { return t.content }

// Status says how far the list has come.
func (t *folderTab) Status() (way, facts []status.Segment) {
	return []status.Segment{{Text: t.Hint()}}, []status.Segment{{Text: t.state, Tone: paint.Dim}}
}

// Focus returns the list the keyboard.
func (t *folderTab) Focus() { t.list.Focus() }

// Close ends what the tab does.
func (t *folderTab) Close() {
	t.group.Close()
	t.w.exporting.Forget(t.document)
	t.show(nil)
}

func (t *folderTab) keep(bool) (desktop.Tab, bool) {
	return desktop.Tab{Kind: ofFolder, Files: []string{t.root}}, true
}

// shownAgain is how long it takes until files are shown while others are still looked for; then twice that, and so on.
const shownAgain = 300 * time.Millisecond

// listMost is how many files are listed: a person looks for one among them.
const listMost = 100_000

// read looks for files.
func (t *folderTab) read() {
	t.listing.Go(func(ctx context.Context) func() {
		progress := t.group.Progress(ctx, func(looked, known int64) {
			t.say(fmt.Sprintf("%s looked at, %s known", wording.Count(looked, "file"), wording.Number(known)))
			t.Busy("Looking for files", -1, t.stop)
		})
		next, wait := time.Now().Add(shownAgain), shownAgain
		known := int64(0)
		files, err := folder.List(ctx, t.root, listMost, t.w.options.Recognise, func(found []folder.File) {
			if !found[len(found)-1].Other() {
				known++
			}
			progress(int64(len(found)), known)
			if now := time.Now(); now.After(next) && len(found) > 0 {
				wait *= 2
				next = now.Add(wait)
				files := slices.Clone(found)
				t.group.Show(ctx, func() { t.set(files) })
			}
		})
		return func() {
			t.Busy("", 0, nil)
			if err != nil {
				t.Notify(notice.Notice{ID: "folder " + t.root, Level: notice.Warning, Text: wording.Sentence(err)})
			}
			t.set(files)
			t.say(t.counted())
			t.looked.Clear()
			t.lookAtAll()
		}
	})
}

func (t *folderTab) stop() {
	t.listing.Stop()
	t.looking.Stop()
	t.Busy("", 0, nil)
	t.say(t.counted() + ", stopped before the end")
}

func (t *folderTab) say(text string) {
	t.state = text
	t.Changed()
}

// counted says how many files were found.
func (t *folderTab) counted() string {
	others := t.otherFiles()
	if others == 0 {
		return wording.Count(len(t.found), "file")
	}
	return fmt.Sprintf("%s of known kinds, %s", wording.Count(len(t.found)-others, "file"), wording.Count(others, "other"))
}

// otherFiles is the number of files that are of no known kind.
func (t *folderTab) otherFiles() (n int) {
	for i := range t.found {
		if t.found[i].Other() {
			n++
		}
	}
	return n
}

// set shows the files that were found.
func (t *folderTab) set(found []folder.File) {
	t.w.exporting.Forget(t.document)
	t.found, t.files = found, found
	others := t.otherFiles()
	if !t.others.Checked {
		t.files = slices.DeleteFunc(slices.Clone(found), func(f folder.File) bool { return f.Other() })
	}
	t.others.SetText("Other files (" + wording.Number(others) + ")")
	look.Show(t.others, others > 0)
	t.document = folder.Document(t.root, t.files, t.facts)
	t.list.Select(doc.Selection{Document: t.document})
}

// checkMost is how large a file may be whose problems are counted without being asked for.
const checkMost = 64 << 20

// lookAtAll finds out which version the files are and what is wrong with them, but for those that were looked at and
// have the same resource folder since.
func (t *folderTab) lookAtAll() {
	files := t.found
	t.looking.Go(func(ctx context.Context) func() {
		progress := t.group.Progress(ctx, func(done, total int64) {
			t.Busy("Looking at the files", float64(done)/float64(max(1, total)), t.stop)
			t.list.Refresh()
		})
		for i, f := range files {
			if ctx.Err() != nil {
				return nil
			}
			progress(int64(i), int64(len(files)))
			if f.System == "" {
				continue
			}
			chosen, _ := resources.For(f.Path)
			if before, ok := t.looked.Load(f.Path); !ok || before != chosen {
				t.looked.Store(f.Path, chosen)
				t.lookAt(ctx, f)
			}
		}
		return func() {
			t.Busy("", 0, nil)
			t.list.Refresh()
		}
	})
}

func (t *folderTab) lookAt(ctx context.Context, f folder.File) {
	d, err := t.w.options.Open(ctx, f.Path)
	if err != nil {
		t.facts.Set(f.Path, "", 1, wording.Sentence(err))
		return
	}
	defer d.Source.Close()
	if f.Size > checkMost {
		return
	}
	report, err := d.Check(ctx, nil)
	if err != nil {
		return
	}
	worst := ""
	for _, p := range report.Problems {
		if p.Severity == report.Worst && p.Severity > model.Note {
			worst = model.OneLine(p.Message, 300)
			break
		}
	}
	t.facts.Set(f.Path, d.Variant, report.Count[model.Error]+report.Count[model.Warning], worst)
}

// open opens the i-th file of a listing.
func (t *folderTab) open(ctx context.Context, listing *model.Document, i int) (*model.Document, error) {
	return t.w.options.Open(ctx, listing.Payloads.(interface{ Path(i int) string }).Path(i))
}

// selectFile shows the file that was selected.
func (t *folderTab) selectFile(at model.Path, all doc.Nodes) {
	t.selected = all
	if len(at) != 1 || at[0] >= len(t.files) {
		return
	}
	if f := t.files[at[0]]; f.Problem == "" {
		t.preview(f.Path)
	}
}

// selectFolder shows that a folder is selected, none of its files.
func (t *folderTab) selectFolder(_ *model.Document, name string, all []int) {
	t.opening.Stop()
	t.look.ShowPlaceholder(fmt.Sprintf("%s: %s. Open it, or select a file to see what is in it.", model.OneLine(name, 60),
		wording.Count(len(all), "file")))
	t.show(nil)
}

// preview shows a file.
func (t *folderTab) preview(path string) {
	t.opening.Open(func(ctx context.Context) (done, dropped func()) {
		if !t.group.Pause(ctx, 120*time.Millisecond) { // whoever goes through the list looks at its end
			return nil, nil
		}
		d, err := t.w.options.Open(ctx, path)
		if err != nil {
			return nil, nil
		}
		return func() { t.show(d) }, closing(d)
	})
}

// show previews a file and lets go of the one before.
func (t *folderTab) show(d *model.Document) {
	before := t.shown
	if t.shown = d; d != nil {
		t.look.Select(doc.Selection{Document: d, Node: d.Root()})
		t.Changed()
	}
	if before != nil {
		before.Source.Close()
	}
}

// openAsset opens the file that is previewed, at one of its assets.
func (t *folderTab) openAsset(d *model.Document, n *model.Node) { t.w.Reveal(d, n) }

// paths calls then with the paths of the selected files, and with those of them that can be opened.
func (t *folderTab) paths(then func(paths []string)) {
	all, files := t.selected, t.files
	if all == nil {
		return
	}
	t.group.Go(func(ctx context.Context) func() {
		nodes, _, err := all(ctx)
		var paths []string
		for _, n := range nodes {
			if n.Index < len(files) && files[n.Index].Problem == "" {
				paths = append(paths, files[n.Index].Path)
			}
		}
		if err != nil || len(paths) == 0 {
			return nil
		}
		return func() { then(paths) }
	})
}

// openMost is how many files are opened at once without being asked for.
const openMost = 20

func (t *folderTab) openSelected() {
	t.paths(func(paths []string) {
		if len(paths) > openMost {
			t.Tell(fmt.Sprintf("The first %d files were opened.", openMost))
			paths = paths[:openMost]
		}
		for _, p := range paths {
			t.w.openFile(p)
		}
	})
}

// extract puts the assets of files into the export list.
func (t *folderTab) extract(paths []string) {
	t.slot.Take()
	t.extracting.Open(func(ctx context.Context) (done, dropped func()) {
		progress := t.group.Progress(ctx, func(done, total int64) {
			t.Busy("Looking for assets", float64(done)/float64(max(1, total)), t.stopExtracting)
		})
		var all []*model.Document
		for i, p := range paths {
			progress(int64(i), int64(len(paths)))
			if ctx.Err() != nil {
				break
			}
			d, err := t.w.options.Open(ctx, p)
			if err != nil {
				continue
			}
			if d.Payloads == nil {
				d.Source.Close()
				continue
			}
			d.Payloads.Len() // some look for them now
			all = append(all, t.w.shelf.Put(d))
		}
		return func() {
			t.Busy("", 0, nil)
			t.take(all)
		}, closing(all...)
	})
}

func (t *folderTab) stopExtracting() {
	t.extracting.Stop()
	t.Busy("", 0, nil)
}

// take puts all assets of documents into the export list.
func (t *folderTab) take(all []*model.Document) {
	added := t.w.exporting.AddFiles(all)
	closing(all...)()
	t.Tell(fmt.Sprintf("%s of %s in the export list.", wording.Count(added, "asset"), wording.Count(len(all), "file")))
}

// all are the paths of all files of known kinds.
func (t *folderTab) all() []string {
	var paths []string
	for _, f := range t.found {
		if f.System != "" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// NodeMenu opens the menu of the selected files.
func (t *folderTab) NodeMenu(at fyne.Position) {
	t.paths(func(paths []string) {
		compare := fyne.NewMenuItem("Compare",
			func() { t.w.comparer.inOrder(t.w.comparer.file(paths[0]), t.w.comparer.file(paths[1])) })
		compare.Disabled = len(paths) != 2
		t.Menu(fyne.NewMenu("", fyne.NewMenuItem("Open", t.openSelected), compare, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Add Their Assets to Export", func() { t.extract(paths) }),
			fyne.NewMenuItem("Add All Assets Here to Export", func() { t.extract(t.all()) }),
			fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Show in Folder", func() { t.w.showInFolder(paths[0]) }),
			fyne.NewMenuItem("Copy as Files", t.copyFiles),
			fyne.NewMenuItem("Copy Path", func() { t.Copy(paths[0]) })), at)
	})
}

// BytesMenu opens nothing: there are no bytes.
func (*folderTab) BytesMenu(fyne.Position) {}

// Open opens a file.
func (t *folderTab) Open(path, _ string) { t.w.openFile(path) }

// OpenAsset opens the bytes of an asset in a tab.
func (t *folderTab) OpenAsset(content *model.Source, asset *model.Payload) {
	t.w.opener.asset(content, asset)
}

// Stale has nothing to do: the list says what was found.
func (*folderTab) Stale() {}

// Replaced has nothing to do.
func (*folderTab) Replaced(*model.Document, *model.Document) {}

// Drag has files dragged.
func (t *folderTab) Drag(d *model.Document, nodes doc.Nodes) rows.Drag {
	return t.w.exporting.Drag(d, nodes)
}

// copyFiles puts the selected files on the clipboard.
func (t *folderTab) copyFiles() {
	if t.selected != nil {
		t.w.exporting.CopyFiles(t.document, t.selected)
	}
}

// askFolder asks for the folder to list.
func (w *Window) askFolder() {
	w.ask.Folder("The folder whose files are listed", w.folder(), func(path string) {
		w.prefs.setFolder(filepath.Dir(path))
		w.openFolder(path, nil)
	})
}
