package window

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/model"
	"assay/model/checksum"
	"assay/model/content"
	"assay/model/find"
	"assay/model/folder"
	"assay/ui/ask"
	"assay/ui/command"
	"assay/ui/doc"
	"assay/ui/host"
)

const (
	maxGoToItems    = 6 // maximum number of listed tabs, of recent files, and of commands
	maxLeadingNodes = 8 // maximum number of nodes, and of files of the folder, listed before the commands
)

// goToItem lists nodes of the current file or files of the current folder, open tabs, recent files and commands by part
// of their names.
func (w *Window) goToItem(t Tab) {
	var d *model.Document
	p := partOf[*doc.Pane](t)
	if p != nil {
		d = p.Document()
	}
	var files []folder.File
	if t := partOf[*folderTab](t); t != nil {
		files = t.Found()
	}
	lists := w.goToLists()
	w.Choose("Go to an item, tab, recent file, command, or path",
		"Type part of a name",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			first, commands := matching(lists[:2], query), []ask.Item(nil)
			if strings.TrimSpace(query) != "" {
				commands = matching(lists[2:], query)
			}
			first = append(w.itemAtPath(query), first...)
			if p != nil {
				first = append(itemAtNodePath(p, d, query), first...)
			}
			first = append(w.fileItems(files, query), first...)
			show(slices.Concat(first, commands))
			if d == nil {
				return
			}
			_ = find.Fuzzy(ctx, d, p.Assets(), query, func(found []find.Named) {
				nodes := nodeItems(p, func() {}, "", found)
				listed := min(maxLeadingNodes, len(nodes))
				show(slices.Concat(first, nodes[:listed], commands, nodes[listed:]))
			}, func(n, total int) {
				show(slices.Concat(first, commands, []ask.Item{{Name: progressText(n, total), Dim: true}}))
			}) // an error means that the list was closed or the query changed
		})
}

// fileItems returns items that open those of the files with all words of query in their names or paths.
func (w *Window) fileItems(files []folder.File, query string) []ask.Item {
	if strings.TrimSpace(query) == "" {
		return nil
	}
	var named, byPath []ask.Item
	for _, f := range files {
		if len(named) == maxLeadingNodes {
			break
		}
		dir, name := path.Split(f.Name)
		item := ask.Item{Name: name, Note: "file", Where: strings.TrimSuffix(dir, "/"),
			On: func() { w.openFile(f.Path) }}
		switch {
		case ask.ContainsWords(query, name):
			named = append(named, item)
		case len(byPath) < maxLeadingNodes && ask.ContainsWords(query, f.Name):
			byPath = append(byPath, item)
		}
	}
	return slices.Concat(named, byPath)
}

func progressText(n, total int) string {
	return fmt.Sprintf("Searching: %s of %s read…", host.Number(n), host.Count(total, "asset"))
}

// itemAtPath returns an item that opens the file or folder at query if that is an existing absolute path.
func (w *Window) itemAtPath(query string) []ask.Item {
	path := strings.TrimSpace(query)
	if relative, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, relative)
		}
	}
	if info, err := os.Stat(path); !filepath.IsAbs(path) || err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	return []ask.Item{{Name: filepath.Base(path), Note: "open", Where: path,
		On: func() { w.comparer.openFiles([]string{path}, false) }}}
}

// itemAtNodePath returns an item for the node at query if that is a full path of names or indexes, as copied and
// printed.
func itemAtNodePath(p *doc.Pane, d *model.Document, query string) []ask.Item {
	path := strings.TrimSpace(query)
	if !strings.HasPrefix(path, "/") {
		return nil
	}
	n, err := d.Find(path)
	if err != nil {
		return nil
	}
	return []ask.Item{{Name: model.OneLine(n.Title(), 200), Note: n.Type, Where: model.OneLine(n.NamePath(), 400),
		On: func() {
			p.Select(n.Path())
			p.Focus()
		}}}
}

// goToLists returns one list each for the tabs, the recent files and the commands.
func (w *Window) goToLists() [][]ask.Item {
	var tabs, recent, commands []ask.Item
	for _, t := range w.tabs.all {
		if t != w.tabs.current() {
			tabs = append(tabs, ask.Item{Name: t.Title(), Note: "open tab", Where: t.Hint(),
				On: func() { w.tabs.reveal(t) }})
		}
	}
	for _, r := range w.recents.files {
		if !r.Missing && w.opener.tabOf(r.Path) == nil {
			recent = append(recent, ask.Item{Name: r.Name, Note: "recent file", Where: r.Folder,
				On: func() { w.openFile(r.Path) }})
		}
	}
	t := w.tabs.current()
	for _, c := range command.All() {
		a, ok := w.commands.Actions[c.ID]
		if c.Menu == "" || !ok || !a.Enabled(t) {
			continue
		}
		if a.Do != nil {
			commands = append(commands, w.commandItem(c, item{Label: c.Label, Action: a}))
		} else if a.Submenu != nil && c.ID != command.OpenRecent { // recent files have a list of their own
			for _, subitem := range a.Submenu(t) {
				if subitem.Do != nil && subitem.Enabled(t) {
					subitem.Label = c.Label + ": " + subitem.Label
					commands = append(commands, w.commandItem(c, subitem))
				}
			}
		}
	}
	return [][]ask.Item{tabs, recent, commands}
}

// commandItem returns the list item of a command, or of an item of its submenu.
func (w *Window) commandItem(c command.Command, i item) ask.Item {
	return ask.Item{Name: i.Label, Note: cmp.Or(w.commands.Keys.Text(c.ID), "command"), Where: c.Menu,
		On: func() { w.commands.Do(i.Action, w.tabs.current()) }}
}

// matching returns the items with all words of query in their names, followed by items with the words in the name and
// the location together.
func matching(lists [][]ask.Item, query string) []ask.Item {
	var found []ask.Item
	for _, kind := range lists {
		n := 0
		for _, searchedText := range []func(i ask.Item) string{
			func(i ask.Item) string { return i.Name },
			func(i ask.Item) string { return i.Name + " " + i.Where },
		} {
			for _, item := range kind {
				exists := slices.ContainsFunc(found,
					func(f ask.Item) bool { return f.Name == item.Name && f.Where == item.Where })
				if n < maxGoToItems && !exists && ask.ContainsWords(query, searchedText(item)) {
					found = append(found, item)
					n++
				}
			}
		}
	}
	return found
}

// nodeItems returns list items for nodes of an open document.
func nodeItems(p *doc.Pane, reveal func(), file string, found []find.Named) []ask.Item {
	var all []ask.Item
	for _, f := range found {
		location := f.TitlePath
		if file != "" {
			location = file + ": " + location
		}
		all = append(all, ask.Item{Name: f.Name, Note: f.Type, Where: location, On: func() {
			reveal()
			p.Select(f.Path)
			p.Focus()
		}})
		if f.Omitted > 0 {
			all = append(all, ask.Item{Name: fmt.Sprintf("%s more named %s…", host.Number(f.Omitted), f.Name), Note: "filter",
				Where: "Filter the tree by this name", On: func() {
					reveal()
					p.FilterNames(f.Name)
				}})
		}
	}
	return all
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

// backAction returns the action that goes to the node or the folder that was visited before; before the first node, to
// the tab from which the file was opened.
func (w *Window) backAction() action {
	a := forTab(forTab(onPart((*doc.Pane).Back), (*usesTab).Back), func(t *folderTab) { t.List().Back() })
	general := a.Do
	a.Do = func(t Tab) {
		origin := w.tabs.origins[t]
		if origin == nil || !partOf[*doc.Pane](t).AtStart() {
			general(t)
			return
		}
		w.tabs.forward[origin] = t
		w.tabs.reveal(origin)
		if t, ok := origin.(*docTab); ok && t.assets != nil && t.pane.Center.Panel() == doc.Panel(t.assets) {
			t.assets.Focus() // where the asset was opened
		}
	}
	return a
}

// forwardAction returns the action that reverts Back.
func (w *Window) forwardAction() action {
	inTab := forTab(onPart((*doc.Pane).Forward), (*usesTab).Forward)
	return action{
		IsEnabled: func(t Tab) bool { return inTab.IsEnabled(t) || w.tabs.forward[t] != nil || has[*folderTab](t) },
		Do: func(t Tab) {
			p := partOf[*doc.Pane](t)
			f, isFolder := t.(*folderTab)
			switch next := w.tabs.forward[t]; {
			case isFolder && f.List().Forward():
			case next != nil && (p == nil || p.AtEnd()):
				w.tabs.reveal(next)
			case inTab.IsEnabled(t):
				inTab.Do(t)
			}
		},
	}
}

// selectedSpan returns the selected bytes, or the bytes of the selected node.
func selectedSpan(p *doc.Pane) (model.Span, bool) {
	s := p.Selection()
	switch {
	case s.Length > 0:
		return model.Span{Offset: s.Offset, Size: s.Length}, true
	case s.Node != nil && s.Node.Size > 0:
		return s.Node.Span, true
	}
	return model.Span{}, false
}

func onBytes(do func(p *doc.Pane, span model.Span)) action {
	return onPart(func(p *doc.Pane) {
		if span, ok := selectedSpan(p); ok {
			do(p, span)
		} else {
			p.ShowHint("No bytes are selected.")
		}
	})
}

// listChecksums lists the checksums of the bytes of a span. Enter copies one.
func (w *Window) listChecksums(p *doc.Pane, span model.Span) {
	src := p.Document().Source
	var cached []checksum.Sum
	w.Choose(fmt.Sprintf("Checksums of %s at %#x (Enter to copy)", host.Count(span.Size, "byte"), span.Offset), "",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			all := cached
			if all == nil {
				var err error
				if all, err = checksum.Compute(ctx, src, span, nil); err != nil {
					return
				}
			}
			var items []ask.Item
			for _, s := range all {
				if ask.ContainsWords(query, s.Name, s.Hex) {
					items = append(items, ask.Item{Name: s.Name, Where: s.Hex, On: func() { w.Copy(s.Hex) }})
				}
			}
			show(items)
			w.group.Do(ctx, func() { cached = all })
		})
}

// listStrings lists the strings in the bytes of a span. Enter selects one.
func (w *Window) listStrings(p *doc.Pane, span model.Span) {
	src := p.Document().Source
	w.Choose(fmt.Sprintf("Strings in %s at %#x", host.Count(span.Size, "byte"), span.Offset),
		"No strings in these bytes",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			found, err := content.ReadBytes(ctx, src, span)
			if err != nil {
				return
			}
			var items []ask.Item
			for _, s := range found.Strings {
				if ask.ContainsWords(query, s.Text) {
					items = append(items, ask.Item{Name: model.OneLine(s.Text, 200),
						Note: fmt.Sprintf("%#x", s.Offset), On: func() { p.GoTo(s.Offset) }})
				}
			}
			show(items)
		})
}
