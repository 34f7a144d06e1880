package window

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/model/scene"
	"assay/ui/assets"
	"assay/ui/command"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/work"
)

// docTab is a tab with a document.
type docTab struct {
	tabHost
	*opening.File
	title          string
	formatID       string // ID of the format that the user chose, or "" for the recognized one
	unrecognized   bool   // the format was not recognized
	group          *work.Group
	checking       *work.Lane // checks the file for changes
	pane           *doc.Pane
	preview        *preview.Preview
	slot           *exporting.Slot
	assets         *assets.Panel    // nil unless there are at least two assets
	description    *doc.Description // nil if the document has no description
	unassigned     scene.Unassigned // materials that no part of the displayed scene uses
	unassignedLane *work.Lane
}

var (
	_ Tab      = (*docTab)(nil)
	_ doc.Host = (*docTab)(nil)
)

// parts implements composed.
func (t *docTab) parts() []any {
	all := []any{t.pane, t.slot, t.pane.Document()}
	if t.hasPreview() {
		all = append(all, t.preview)
	} else {
		all = append(all, t.pane.Text())
	}
	if t.assets != nil {
		all = append(all, t.assets)
	}
	return all
}

func (t *docTab) Title() string { return t.title }

func (t *docTab) Hint() string { return model.OneLine(t.Path, 600) }

func (t *docTab) savedTab(bool) (desktop.Tab, bool) {
	return desktop.Tab{Files: []string{t.Path}, As: t.formatID, View: viewOf(t.pane)}, t.Path != ""
}

func (t *docTab) Content() fyne.CanvasObject { return t.pane.Content() }

func (t *docTab) Status() (path, facts []tabs.Segment) {
	facts = t.pane.Facts()
	if text := t.unassignedSentence(); text != "" {
		facts = append(facts, tabs.Segment{Text: text, Tone: paint.Primary, Hint: "Click to assign them by their names.",
			On: func() { t.w.assigner.offerPairs(t) }})
	}
	path = t.pane.Breadcrumbs()
	if origin := t.w.tabs.origins[t]; origin != nil {
		back := func() { t.w.tabs.reveal(origin) }
		hint := "Click to go back to " + origin.Title()
		if n := len(t.pane.Document().Source.Containers()); n > 0 && n < len(path) { // the package
			path[n-1].On, path[n-1].Hint = back, hint
		} else {
			path = slices.Insert(path, 0, tabs.Segment{Text: origin.Title(), Tone: paint.Dim, On: back, Hint: hint})
		}
	}
	return path, facts
}

func (t *docTab) Focus() { t.pane.Focus() }

func (t *docTab) Close() {
	t.w.watching.Set(t.w.group, t)
	t.group.Close()
	t.OpenedContent = nil
	if t.description != nil {
		t.description.Close()
	}
	t.w.exporting.Forget(t.pane.Document())
	t.preview.Close()
	t.pane.Close()
}

// offer returns the assets that the export panel can export without its list.
func (t *docTab) offer() exporting.Offer {
	return exporting.Offer{
		Document: func() *model.Document { return t.pane.Document() },
		Selected: func() doc.Nodes { return t.pane.TopSelected() },
		Filtered: func() (nodes doc.Nodes, positions []int, ok bool) {
			if t.assets != nil {
				if positions, ok = t.assets.Filtered(); ok {
					return nil, positions, true
				}
			}
			return t.pane.FilteredNodes(), nil, t.pane.IsFiltered()
		},
	}
}

// Open opens another file and selects the node with a key.
func (t *docTab) Open(path, key string) {
	t.w.opener.openFile(path, func(t *docTab) {
		if key != "" {
			t.pane.SelectKey(key)
		}
	})
}

func (t *docTab) OpenAsset(content *model.Source, _ *model.Payload) {
	t.w.opener.openAsset(content, nil)
}

// NodeMenu opens the menu of the selected node.
func (t *docTab) NodeMenu(pos fyne.Position) {
	t.menu(pos, func(c command.Command) int { return c.Node })
}

// assetMenu opens the menu of the assets that are selected in the list.
func (t *docTab) assetMenu(pos fyne.Position) {
	t.menu(pos, func(c command.Command) int { return c.Asset })
}

func (t *docTab) menu(pos fyne.Position, position func(c command.Command) int) {
	m := t.w.commands.Context(t, position)
	if v := t.preview.Viewport(); v.Selected() != nil {
		m.Items = append(append(m.Items, fyne.NewMenuItemSeparator()), v.NodeItems()...)
	}
	t.Menu(m, pos)
}

func (t *docTab) BytesMenu(pos fyne.Position) {
	t.Menu(t.w.commands.Context(t, func(c command.Command) int { return c.Bytes }), pos)
}

// Replaced updates the panels and the export list for the reloaded document.
func (t *docTab) Replaced(old, current *model.Document) {
	t.w.exporting.Replace(old, current)
	t.placePanels()
	t.showAssets(current)
	t.showDescription(current)
}

// Drag starts to drag the assets of nodes.
func (t *docTab) Drag(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag {
	return t.w.exporting.Drag(d, nodes, folders...)
}

// Stale checks the file on disk.
func (t *docTab) Stale() { t.checkFile() }

// Notify displays a notice about this document.
func (t *docTab) Notify(n host.Notice) {
	if n.ID != "" {
		n.ID = t.Path + t.title + n.ID
	}
	t.tabHost.Notify(n)
}

// checkFile checks in the background whether the file has changed.
func (t *docTab) checkFile() {
	src := t.pane.Document().Source
	if t.Path == "" {
		return
	}
	t.checking.Go(func(context.Context) func() {
		c := opening.CheckFile(src)
		return func() {
			if t.pane.Document().Source == src {
				t.showChange(c)
			}
		}
	})
}

func (t *docTab) changeID() string { return "changed " + t.Path }

// showChange marks the tab and notifies the user, once for each change on disk.
func (t *docTab) showChange(c opening.Change) {
	if c.Badge == t.Change.Badge && c.FileState == t.Change.FileState {
		return
	}
	t.Change = c
	t.w.tabs.retitle()
	if c.Badge == "" {
		t.w.notices.Remove(t.changeID())
		return
	}
	n := host.Notice{ID: t.changeID(), Level: host.Warning, Text: c.Text}
	if c.Badge != "gone" {
		n.Actions = append(n.Actions, host.Action{Label: "Reload", On: t.reload})
		if old, ok := t.BeforeChange(t.pane.Document(), t.w.opener.Decoder(t.formatID)); ok {
			n.Actions = append(n.Actions, host.Action{Label: "Compare with Loaded Version", On: func() {
				t.w.comparer.CompareSides(old, t.w.Side(t.Path))
			}})
		}
	}
	t.tabHost.Notify(n)
}

// watchFile copies the bytes of a small file, checks whether a format recognizes it, and watches the file and its
// description.
func (t *docTab) watchFile() {
	t.OpenedContent, t.unrecognized = nil, false
	src := t.pane.Document().Source
	t.group.Go(func(context.Context) func() {
		b := opening.ReadSmall(src)
		unknown := t.w.options.Recognize != nil && t.w.options.Recognize(src) == ""
		return func() {
			if t.pane.Document().Source == src {
				if t.OpenedContent, t.unrecognized = b, unknown; unknown {
					t.w.watchDescriptions()
				}
				t.offerFormats()
			}
		}
	})
	t.DescriptionPaths = onDisk(t.pane.Document().Description)
	t.w.watching.Set(t.w.group, t, t.File)
}

// offerFormats displays the ways to read a file of an unknown format.
func (t *docTab) offerFormats() {
	n := host.Notice{ID: "format " + t.Path, Text: "The format of this file is unknown. Choose a format, or a " +
		t.w.options.Descriptions.Title + "."}
	d := t.pane.Document()
	if !t.unrecognized || t.formatID != "" || d.Content || d.Source.Size() == 0 || !t.w.canOpenAs(t) {
		t.w.notices.Remove(n.ID)
		return
	}
	n.Actions = []host.Action{{Label: "Open As…", On: func() { t.w.askFormat(t) }}}
	if t.w.canDescribe(t) {
		n.Actions = append(n.Actions, host.Action{Label: "Describe This File…", On: func() { t.w.describe(t) }})
	}
	t.tabHost.Notify(n)
}

// onDisk lists the files of a description on disk, which can change.
func onDisk(d *model.Description) (files []string) {
	if d != nil {
		for _, file := range d.Files {
			if filepath.IsAbs(file) { // others are built in
				files = append(files, file)
			}
		}
	}
	return files
}

// descriptionChanged reloads the document if its description includes the file.
func (t *docTab) descriptionChanged(file string) {
	if slices.Contains(t.DescriptionPaths, file) {
		t.reloadAs(cmp.Or(t.formatID, t.DescriptionPaths[0]))
	}
}

// hasPreview reports whether the pane has the preview.
func (t *docTab) hasPreview() bool { return t.pane.Has(t.preview) }

// placePanels removes the preview of a file that is only a text, which the text panel displays, and adds it for others.
func (t *docTab) placePanels() {
	t.preview.TextBeside = t.pane.IsText()
	switch only := t.pane.IsOnlyText(); {
	case only && t.pane.Side.Has(t.preview):
		t.pane.Side.Remove(t.preview)
	case !only && !t.hasPreview():
		t.pane.Side.AddFirst(t.preview)
	}
}

// placePreview enlarges the preview or moves it to the side: whichever the user prefers for the kind of the first view.
func (t *docTab) placePreview(v model.View) {
	t.preview.OnView = nil
	if v != nil {
		t.preview.SetLarge(t.w.prefs.enlarges(v.ViewKind()))
	}
}

// showDescription displays the description of a document beside its bytes, if there is one.
func (t *docTab) showDescription(d *model.Document) {
	switch {
	case d.Description == nil && t.description != nil:
		t.pane.Center.Remove(t.description)
		t.description = nil
	case d.Description != nil && t.description == nil:
		t.description = doc.NewDescription(t, t.w.style, t.group)
		if t.w.options.Describer != nil {
			t.description.AllowEditing(t.drafts())
		}
		t.pane.Center.Add(t.description)
	}
}

// showAssets displays the assets of a document if there is more than one.
func (t *docTab) showAssets(d *model.Document) {
	switch listed := d.Payloads != nil && d.Payloads.Len() > 1; {
	case !listed && t.assets != nil:
		t.pane.Center.Remove(t.assets)
		t.assets = nil
	case listed && t.assets == nil:
		t.assets = assets.New(t, t.w.style, t.group, d,
			assets.Options{Options: t.thumbnails(), Read: t.pane.Assets, Noted: t.pane.AssetNoteMark,
				OnSelect: t.pane.SelectAll, OnOpen: t.pane.OpenInside, OnCopy: t.w.exporting.CopyFiles,
				OnGroup: t.selectGroup, OnMenu: t.assetMenu,
				OnPreview: func() {
					t.pane.Side.Show(t.preview)
					t.pane.Center.Show(t.preview)
				}})
		t.pane.Center.Add(t.assets)
		if d.IsPackage {
			t.pane.Center.Show(t.assets)
		}
	}
}

// selectGroup displays the facts and thumbnails of the assets of a group.
func (t *docTab) selectGroup(d *model.Document, name string, all []int, f archive.Facts) {
	t.pane.ShowFacts(name, f)
	t.preview.ShowAssets(d, all)
}

// showKind filters the list of assets by a type.
func (t *docTab) showKind(name string) {
	if t.assets != nil {
		t.pane.Center.Show(t.assets)
		t.assets.ShowKind(name)
	}
}

// reload reloads the file or the nested document. It keeps the selection and the scroll position.
func (t *docTab) reload() {
	if src := t.pane.Document().Source; t.Path == "" {
		src.SetResources(opening.ResourcesOf(src.Home()))
	}
	t.reloadAs(t.formatID)
}

// reloadAs reloads the document in a format. It keeps the selection and the scroll position. If reading fails, the old
// document stays.
func (t *docTab) reloadAs(format string) {
	t.openIn("Reloading", format, func(d *model.Document, f *opening.File, err error) {
		if err != nil {
			t.reportReloadError(err, reloadFailedSuffix)
			return
		}
		t.w.notices.Remove(t.reloadNotice())
		t.w.notices.Remove(t.Path + t.title + doc.FailedNotice)
		t.showChange(opening.Change{})
		t.Update(f)
		same := t.pane.Document().Source == d.Source
		t.pane.ReplaceDocument(d)
		if same {
			d.Source.Close() // the old and the new document share the source, which counts both
		}
		t.watchFile()
		t.checkFile()
	})
}

// openIn opens the document of the tab in a format, and calls done with the result on the UI thread.
func (t *docTab) openIn(task, format string, done func(d *model.Document, f *opening.File, err error)) {
	t.Busy(task, -1, nil)
	open := t.openerAs(format)
	t.group.Open(func(ctx context.Context) (finish, dropped func()) {
		d, err := opening.OpenListed(ctx, open)
		f := opening.NewFile(t.Path)
		return func() {
			t.Busy("", 0, nil)
			done(d, f, err)
		}, func() { model.CloseDocuments(d) }
	})
}

// reloadNotice returns the ID of the notice about failed reloads.
func (t *docTab) reloadNotice() string { return "reload " + t.Path }

// reportReloadError reports why the document cannot be reloaded, and which version is displayed. It also displays the
// error beside the bytes if the document has a description.
func (t *docTab) reportReloadError(err error, state string) {
	if t.description != nil && t.description.Fail(err) && t.pane.Center.Panel() == t.description {
		return // the user sees the error beside the edited text
	}
	t.tabHost.Notify(host.Notice{ID: t.reloadNotice(), Level: host.Error, Text: host.Sentence(err) + state})
}

// openerAs returns a func that opens the bytes of the tab in a format.
func (t *docTab) openerAs(format string) func(ctx context.Context) (*model.Document, error) {
	if t.Path != "" {
		return t.w.opener.OpenerAs(t.Path, format)
	}
	src := t.pane.Document().Source
	return func(ctx context.Context) (*model.Document, error) {
		src.Hold()
		return model.OpenSource(ctx, src, t.w.opener.Decoder(format))
	}
}

// showDocument replaces the tab placeholder, pending or loaded, by one with the document of a request. The group ends
// with the tab.
func (w *Window) showDocument(placeholder Tab, r request, group *work.Group, f *opening.File,
	d *model.Document) *docTab {
	t := &docTab{File: f, title: r.title, formatID: r.format, group: group, checking: group.Lane()}
	t.slot = w.exporting.NewDocumentSlot(t.offer())
	t.tabHost = tabHost{w, w, t}
	t.pane = doc.New(t, d, w.style, t.group)
	t.pane.OnPage, t.pane.OnResources = w.showPage, w.askResources
	t.preview, t.unassignedLane = w.newPreview(t), t.group.Lane()
	t.pane.ViewRemarks = func() []string {
		if text := t.unassignedSentence(); text != "" {
			return append(t.preview.Remarks(), text)
		}
		return t.preview.Remarks()
	}
	t.placePanels()
	t.pane.OnNotes = func() {
		if t.assets != nil {
			t.assets.Refresh()
		}
	}
	t.showAssets(d)
	t.addTables(d)
	t.showDescription(d)
	t.pane.Side.Add(t.slot)
	if l := w.prefs.layout(); l != nil {
		t.pane.SetLayout(*l)
	}
	w.tabs.replace(placeholder, t)
	t.watchFile()
	if t.Path != "" {
		w.rememberedTabs.save()
		if !r.restored {
			w.recents.addFile(t.Path, d)
		}
	}
	return t
}

// newPreview returns the preview of a tab, connected with its pane.
func (w *Window) newPreview(t *docTab) *preview.Preview {
	p := preview.New(t, w.style, t.group, t.thumbnails())
	p.Viewport().OnModel = t.findUnassigned
	p.Viewport().Assigner = w.viewportAssigner()
	p.OnOffset = t.pane.GoTo
	p.OnAsset, p.OnDrag, p.OnMenu = t.Reveal, t.Drag, t.NodeMenu
	p.OnResources = w.askResources
	p.Assets, p.OnKind = t.pane.Assets, t.showKind
	p.OnProblem, p.OnProblems = t.pane.ShowProblem, t.pane.ToggleProblems
	p.OnLarge = func(kind model.ViewKind, large bool) {
		t.pane.Enlarge(p, large)
		w.prefs.setEnlarges(kind, large)
	}
	p.OnView = t.placePreview
	return p
}

// addTables adds the tables of a document to the pane, and a table of the list that contains the selected node.
func (t *docTab) addTables(d *model.Document) {
	for _, source := range d.Tables {
		if t.assets == nil || !source.Assets {
			list := doc.NewSheet(t, t.w.style, t.group, d, source)
			list.OnPath = t.pane.Select
			t.pane.Center.Add(list)
		}
	}
	if !d.Content {
		values := doc.NewValues(t, t.w.style, t.group)
		values.OnPath, values.OnOffset = t.pane.Select, t.pane.SelectByte
		t.pane.Center.Add(values)
	}
}
