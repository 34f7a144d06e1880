package window

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/model"
	"assay/model/find"
	"assay/model/search"
	"assay/ui/ask"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/finding"
	"assay/ui/host"
)

// searchTabKind is the saved kind of a search tab.
const searchTabKind = "find"

// findTab is a tab that searches the files of a folder.
type findTab struct{ *finding.Finder }

var _ Tab = (*findTab)(nil)

func (t *findTab) savedTab(bool) (desktop.Tab, bool) {
	return desktop.Tab{Kind: searchTabKind, Files: []string{t.Root()}, View: t.Saved()}, true
}

var _ host.Files = (*tabHost)(nil)

// ShowInFolder displays a file in the system's file manager.
func (h *tabHost) ShowInFolder(path string) { h.w.showInFolder(path) }

// OpenHit opens a file and selects a match.
func (h *tabHost) OpenHit(path string, hit search.Hit) {
	h.w.opener.openFile(path, func(t *docTab) { h.w.followHit(t, hit, 0) })
}

// findFiles opens a search tab for a folder. The tab replaces placeholder, which may be nil.
func (w *Window) findFiles(root string, placeholder Tab) *findTab {
	t := new(findTab)
	t.Finder = finding.NewFinder(&tabHost{w, w, t}, absolute(root), finding.Options{Style: w.style,
		Group: w.group.Subgroup(), Open: w.options.OpenSource, OpenFile: w.options.Open,
		Formats: w.options.SearchFormats, Pictures: w.thumbnails()})
	t.Preview().Viewport().Assigner = w.viewportAssigner()
	w.tabs.add(t, placeholder)
	if placeholder == nil {
		t.FocusField(w.status)
	}
	w.rememberedTabs.save()
	return t
}

// parts implements composed.
func (t *findTab) parts() []any { return []any{t.Preview()} }

// rooted is implemented by tabs about the files of a folder.
type rooted interface{ Root() string }

// folderOf returns the folder of a tab, or "" for a document.
func folderOf(t Tab) string {
	if t := partOf[rooted](t); t != nil {
		return t.Root()
	}
	return ""
}

// findFrom searches the folder of a tab, or all open files.
func (w *Window) findFrom(t Tab) {
	switch t := t.(type) {
	case *findTab:
		t.FocusField(w.status)
	case *folderTab, *usesTab:
		w.findFiles(folderOf(t), nil)
	default:
		w.findInOpenFiles()
	}
}

// askFindFiles searches the folder of a tab, or asks for a folder.
func (w *Window) askFindFiles(t Tab) {
	if folderOf(t) != "" {
		w.findFrom(t)
		return
	}
	folder := w.folder()
	if d, ok := t.(*docTab); ok && d.Path != "" {
		folder = filepath.Dir(d.Path)
	}
	w.ask.Folder("Choose the folder to search", folder, func(path string) { w.findFiles(path, nil) })
}

// followHit selects a match in a document, or in a nested asset of it. opened is the number of nested assets opened so
// far.
func (w *Window) followHit(t *docTab, hit search.Hit, opened int) {
	if opened < hit.Expanded {
		w.openAssetOfHit(t, hit, opened)
		return
	}
	t.pane.Restart() // Back leads to the results, not to the root
	if hit.Node != "" {
		t.pane.SelectKey(hit.Node)
		return
	}
	d := t.pane.Document()
	if hit.Path != "" {
		if n, err := d.Find(hit.Path); err == nil && n.Span == hit.Span {
			t.pane.Select(n.Path())
			return
		}
	}
	switch {
	case hit.Span.Size < 0:
	case hit.Span.Offset+hit.Span.Size > d.Source.Size():
		w.ShowHint(d.Source.Name() + " changed since the search. Search again.")
	default:
		t.pane.ShowHit(hit.Span)
	}
}

// tabOfAsset returns the tab of an asset by its name, the file on disk, and the names of the files that contain it, or
// nil.
func (w *Window) tabOfAsset(name, home string, inside []string) *docTab {
	t, _ := w.tabs.find(func(other Tab) bool {
		t, ok := other.(*docTab)
		if !ok {
			return false
		}
		src := t.pane.Document().Source
		return src.Name() == name && src.Home() == home && slices.Equal(src.Containers(), inside)
	}).(*docTab)
	return t
}

// openAssetOfHit opens the next nested asset of a match in a tab, or selects its existing tab.
func (w *Window) openAssetOfHit(t *docTab, hit search.Hit, opened int) {
	asset, d := hit.Assets[opened], t.pane.Document()
	follow := func(t *docTab) { w.followHit(t, hit, opened+1) }
	inside := append(slices.Clone(d.Source.Containers()), d.Source.Name())
	if existing := w.tabOfAsset(asset.Name, d.Source.Home(), inside); existing != nil {
		w.tabs.reveal(existing)
		follow(existing)
		return
	}
	t.group.Open(func(ctx context.Context) (done, dropped func()) {
		src, err := asset.Open(ctx, d)
		return func() {
				if err != nil {
					w.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
					return
				}
				w.opener.openAsset(src, follow)
			}, func() {
				if src != nil {
					src.Close()
				}
			}
	})
}

// usesTabKind is the saved kind of a dependencies tab.
const usesTabKind = "uses"

// usesTab is the tab with the dependencies of a folder.
type usesTab struct{ *finding.Uses }

var _ Tab = (*usesTab)(nil)

func (t *usesTab) savedTab(bool) (desktop.Tab, bool) {
	return desktop.Tab{Kind: usesTabKind, Files: []string{t.Root()}, View: t.Saved()}, true
}

// newUses adds the dependencies tab of a folder. The tab replaces placeholder, which may be nil.
func (w *Window) newUses(root string, placeholder Tab) *usesTab {
	t := new(usesTab)
	t.Uses = finding.NewUses(&tabHost{w, w, t}, absolute(root),
		finding.UsesOptions{Style: w.style, Group: w.group.Subgroup(),
			Open: w.options.OpenSource, OpenFile: w.options.Open, Opens: w.options.SearchFormats.Opens})
	w.tabs.add(t, placeholder)
	w.rememberedTabs.save()
	return t
}

// showUses displays the dependencies of a folder, with file selected unless it is "".
func (w *Window) showUses(root, file string) {
	root = absolute(root)
	existing, _ := w.tabs.find(func(t Tab) bool {
		u, ok := t.(*usesTab)
		return ok && u.Root() == root
	}).(*usesTab)
	if existing == nil {
		w.newUses(root, nil).Begin(file)
		return
	}
	w.tabs.reveal(existing)
	if file != "" {
		existing.SelectFile(file)
	}
}

// showUsesOf displays the dependencies of the folder of a tab, or of the project of its file. It asks for a folder if
// there is neither.
func (w *Window) showUsesOf(t Tab) {
	if root := folderOf(t); root != "" {
		w.showUses(root, "")
		return
	}
	if d, ok := t.(*docTab); ok && d.Path != "" {
		root := filepath.Dir(d.Path)
		if project := d.pane.Document().Project; project != "" && model.IsFolder(project) {
			root = project
		}
		w.showUses(root, absolute(d.Path))
		return
	}
	w.ask.Folder("Choose the folder to analyze", w.folder(), func(path string) { w.showUses(path, "") })
}

// forTab returns an action that calls do in tabs of type T, and a.Do in other tabs.
func forTab[T Tab](a action, do func(t T)) action {
	canDo, fallback := a.IsEnabled, a.Do
	a.IsEnabled = func(t Tab) bool { _, ok := t.(T); return ok || canDo(t) }
	a.Do = func(t Tab) {
		if part, ok := t.(T); ok {
			do(part)
			return
		}
		fallback(t)
	}
	return a
}

// listReferences lists the nodes that refer to the selected node or its descendants, else to its nearest ancestor with
// references. For a reference inside the file, it lists all references to the target.
func (w *Window) listReferences(p *doc.Pane) {
	s := p.Selection()
	if s.Node == nil {
		return
	}
	d, selected := s.Document, s.Node
	title := selected.Title()
	isReference := selected.Link != nil && selected.Link.File == ""
	if isReference {
		title = cmp.Or(selected.Link.Title(), title)
	}
	w.Choose("References to "+model.OneLine(title, 60), "No references to this node in this file.",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			target := selected
			if isReference {
				target = cmp.Or(linkTarget(d, selected.Link), selected)
			}
			matched := false
			for n := target; n != nil && n.Parent != nil && !matched; n = n.Parent {
				var heading []ask.Item
				if n != target {
					heading = []ask.Item{{Name: n.Title(), Note: "contains " + model.OneLine(target.Title(), 60),
						Where: "No direct references. References to this node:", Dim: true,
						On: func() { p.Select(n.Path()) }}}
				}
				err := find.Uses(ctx, d, n, func(found []find.Named) {
					if len(found) == 0 {
						return
					}
					matched, found = true, slices.Clone(found)
					byRank := func(a, b find.Named) int { return layoutRank(d, a) - layoutRank(d, b) }
					slices.SortStableFunc(found, byRank)
					show(append(slices.Clone(heading), slices.DeleteFunc(nodeItems(p, func() {}, "", found),
						func(i ask.Item) bool { return !ask.ContainsWords(query, i.Name, i.Note, i.Where) })...))
				})
				if err != nil {
					return // the list was closed or the query changed
				}
			}
		})
}

// linkTarget returns the target of a link inside a document, or nil.
func linkTarget(d *model.Document, l *model.Link) *model.Node {
	if path, ok := doc.TargetOf(d, l); ok {
		return d.At(path)
	}
	return nil
}

// layoutRank returns 1 for an offset, such as that of an entry in a table of contents, and 0 for other references.
func layoutRank(d *model.Document, found find.Named) int {
	if n := d.At(found.Path); n != nil && n.Role.IsLayout() {
		return 1
	}
	return 0
}

// maxMatchesPerFile is the maximum number of matches that are listed for each file.
const maxMatchesPerFile = 100

// findInOpenFiles finds text in the nodes and the bytes of all open files.
func (w *Window) findInOpenFiles() {
	var open []*docTab
	for _, t := range w.tabs.all {
		if t, ok := t.(*docTab); ok {
			open = append(open, t)
		}
	}
	w.Choose("Find in open files", "Type text or hex bytes", func(ctx context.Context, query string,
		show func([]ask.Item)) {
		q, err := find.NewQuery(query)
		if err != nil {
			show([]ask.Item{{Name: host.Sentence(err), Dim: true}})
			return
		}
		if q.Empty() || !w.group.Pause(ctx, 200*time.Millisecond) {
			return
		}
		var all []ask.Item
		for _, t := range open {
			d := t.pane.Document()
			var inFile []ask.Item
			err := find.Nodes(ctx, d, q, func(found []find.Named) {
				inFile = nodeItems(t.pane, func() { w.tabs.reveal(t) }, t.title,
					found[:min(len(found), maxMatchesPerFile)])
				show(slices.Concat(all, inFile))
			})
			if err != nil {
				return
			}
			all = append(append(all, inFile...), w.byteItems(ctx, t, d, query, q)...)
			show(slices.Clone(all))
		}
	})
}

// shortText is the maximum length of a string that is listed as a whole field, without the offset of the match.
const shortText = 200

// byteItems finds text or hex bytes in the bytes of a file, except in short string fields, which are found as nodes.
func (w *Window) byteItems(ctx context.Context, t *docTab, d *model.Document, query string,
	q *find.Query) []ask.Item {
	parse := func(text string) (*find.Pattern, error) { return find.Text(text, find.AnyText, false) }
	if find.LooksHex(query) {
		parse = find.Hex
	}
	pattern, err := parse(strings.TrimSpace(query))
	if err != nil {
		return nil
	}
	hits, _, err := pattern.All(ctx, d.Source, maxMatchesPerFile, nil)
	if err != nil {
		return nil
	}
	var all []ask.Item
	for _, hit := range hits {
		location := t.title
		if n := d.Owner(hit.Offset); n != nil && n.Parent != nil {
			if text, ok := n.Value.(string); ok && len(text) <= shortText && q.Match(n) {
				continue
			}
			location += ": " + model.OneLine(n.TitlePath(), 300)
		}
		all = append(all, ask.Item{Name: fmt.Sprintf("%#x", hit.Offset), Note: "bytes", Where: location, On: func() {
			w.tabs.reveal(t)
			t.pane.GoTo(hit.Offset)
		}})
	}
	return all
}
