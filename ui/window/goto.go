package window

import (
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/find"
	"assay/ui/quick"
)

const (
	goToMost   = 6 // tabs, recent files and commands that are listed of each
	nodesFirst = 8 // nodes that are listed before commands
)

// goToItem goes to a node of the file in view, an open tab, a recent file or a command, by a part of its name.
func (w *Window) goToItem(t Tab) {
	var d *model.Document
	p := paneOf(t)
	if p != nil {
		d = p.Document()
	}
	places := w.places()
	w.choose("Name, key, tab, recent file or command", func(ctx context.Context, query string, show func([]quick.Item)) {
		first, commands := matching(places[:2], query), []quick.Item(nil)
		if strings.TrimSpace(query) != "" {
			commands = matching(places[2:], query)
		}
		show(slices.Concat(first, commands))
		if d == nil {
			return
		}
		_ = find.Fuzzy(ctx, d, query, func(found []find.Named) {
			items := slices.Clone(first)
			for i, f := range found {
				if i == nodesFirst {
					items = append(items, commands...)
				}
				items = append(items, quick.Item{Name: f.Name, Note: f.Type, Where: f.Where, On: func() {
					p.Select(f.Path)
					p.Focus()
				}})
			}
			if len(found) <= nodesFirst {
				items = append(items, commands...)
			}
			show(items)
		}) // an error is that the list was closed or asks for something else
	})
}

// places are the tabs, the recent files and the commands. Each kind is a list.
func (w *Window) places() [][]quick.Item {
	var tabs, recent, commands []quick.Item
	for _, t := range w.tabs.all {
		if t != w.tabs.present() {
			tabs = append(tabs, quick.Item{Name: t.Title(), Note: "open tab", Where: t.Hint(), On: func() { w.tabs.reveal(t) }})
		}
	}
	for _, r := range w.recents.known {
		if !r.Missing && w.opener.tabOf(r.Path) == nil {
			recent = append(recent, quick.Item{Name: r.Name, Note: "recent file", Where: r.Folder, On: func() { w.openFile(r.Path) }})
		}
	}
	for i := range w.commands.all {
		c, t := &w.commands.all[i], w.tabs.present()
		if c.do != nil && c.menu != "" && c.enabled(t) {
			note := "command"
			if keys := c.shown(); keys != "" {
				note = keys
			}
			commands = append(commands, quick.Item{Name: c.text(t), Note: note, Where: c.menu, On: func() { w.commands.run(c, w.tabs.present()) }})
		}
	}
	return [][]quick.Item{tabs, recent, commands}
}

// matching returns the things with all words of a query in their names, or else in where they are.
func matching(places [][]quick.Item, query string) []quick.Item {
	words := strings.Fields(strings.ToLower(query))
	var found []quick.Item
	for _, kind := range places {
		n := 0
		for _, in := range []func(i quick.Item) string{
			func(i quick.Item) string { return i.Name },
			func(i quick.Item) string { return i.Name + " " + i.Where },
		} {
			for _, item := range kind {
				there := slices.ContainsFunc(found, func(f quick.Item) bool { return f.Name == item.Name && f.Where == item.Where })
				if n < goToMost && !there && containsAll(strings.ToLower(in(item)), words) {
					found = append(found, item)
					n++
				}
			}
		}
	}
	return found
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
