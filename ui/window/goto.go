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

	"assay/model"
	"assay/model/find"
	"assay/model/folder"
	"assay/ui/ask"
	"assay/ui/command"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/preview"
)

const (
	// maxGoToItems is the maximum number of listed tabs, of recent files, and of commands.
	maxGoToItems = 6
	// maxLeadingItems is the maximum number of nodes, of files found by name, and of files found by path that are
	// listed before the commands.
	maxLeadingItems = 8
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
				listed := min(maxLeadingItems, len(nodes))
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
		if len(named) == maxLeadingItems {
			break
		}
		dir, name := path.Split(f.Name)
		item := ask.Item{Name: name, Note: "file", Where: strings.TrimSuffix(dir, "/"),
			On: func() { w.openFile(f.Path) }}
		switch {
		case ask.ContainsWords(query, name):
			named = append(named, item)
		case len(byPath) < maxLeadingItems && ask.ContainsWords(query, f.Name):
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
	file := strings.TrimSpace(query)
	if relative, ok := strings.CutPrefix(file, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			file = filepath.Join(home, relative)
		}
	}
	if info, err := os.Stat(file); !filepath.IsAbs(file) || err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	return []ask.Item{{Name: filepath.Base(file), Note: "open", Where: file,
		On: func() { w.comparer.openFiles([]string{file}, false) }}}
}

// itemAtNodePath returns an item for the node at query if that is a full path of names or indexes, as copied and
// printed.
func itemAtNodePath(p *doc.Pane, d *model.Document, query string) []ask.Item {
	nodePath := strings.TrimSpace(query)
	if !strings.HasPrefix(nodePath, "/") {
		return nil
	}
	n, err := d.Find(nodePath)
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
	var tabs, recent []ask.Item
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
	commands := commandItems(&w.commands, w.tabs.current)
	if p := partOf[*preview.Preview](w.tabs.current()); p != nil && p.Viewport().Scene() != nil {
		commands = append(commands, commandItems(p.Viewport().Commands(), p.Viewport)...)
	}
	return [][]ask.Item{tabs, recent, commands}
}

// commandItems returns list items for the commands in the menus of a set that are enabled for the current argument, and
// for the items of their submenus.
func commandItems[T any](set *command.Set[T], current func() T) []ask.Item {
	var all []ask.Item
	t := current()
	add := func(c command.Command, label string, a command.Action[T]) {
		all = append(all, ask.Item{Name: label, Note: cmp.Or(set.Keys.Text(c.ID), "command"), Where: c.Menu,
			On: func() { set.Do(a, current()) }})
	}
	for _, c := range command.All() {
		a, ok := set.Actions[c.ID]
		if c.Menu == "" || !ok || !a.Enabled(t) || a.InMenu != nil && !a.InMenu(t) {
			continue
		}
		if a.Do != nil {
			add(c, c.Label, a)
		} else if a.Submenu != nil && c.ID != command.OpenRecent { // recent files have a list of their own
			for _, subitem := range a.Submenu(t) {
				if subitem.Do != nil && subitem.Enabled(t) {
					add(c, c.Label+": "+subitem.Label, subitem.Action)
				}
			}
		}
	}
	return all
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
