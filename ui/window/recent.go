package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/model"
	"assay/ui/notice"
	"assay/ui/start"
	"assay/ui/wording"
)

// recentShown is how many recent files the menu has; more would not fit on a small screen.
const recentShown = 15

// opened remembers a file that has been opened, and begins to watch it.
func (w *Window) opened(t *docTab, d *model.Document) {
	if t.path == "" {
		return
	}
	w.watch(t)
	w.keepTabs()
	m := w.options.Memory
	if m == nil || t.restored {
		return
	}
	variant, _, _ := strings.Cut(d.Variant, ",") // what follows explains it
	format := strings.TrimSpace(d.Format + " " + variant)
	w.group.Go(func(context.Context) func() {
		err := m.Opened(t.path, format, time.Now())
		return func() {
			w.cannotRemember(err)
			w.listRecent()
		}
	})
}

// cannotRemember says once that nothing can be written down.
func (w *Window) cannotRemember(err error) {
	if err != nil {
		w.Notify(notice.Notice{ID: "memory", Level: notice.Warning, Text: wording.SentenceOf("Recent files and tabs cannot be remembered: " + err.Error())})
	}
}

// listRecent shows the recent files anew, in the menu and on the empty window's page.
func (w *Window) listRecent() {
	m := w.options.Memory
	if m == nil {
		return
	}
	w.recents.Go(func(context.Context) func() {
		var all []start.Recent
		for _, r := range m.Recent() {
			all = append(all, start.Recent{Name: model.OneLine(filepath.Base(r.Path), 80), Folder: model.OneLine(shortFolder(filepath.Dir(r.Path)), 200), Format: model.OneLine(r.Format, 80),
				Missing: r.Missing(), Path: r.Path})
		}
		return func() {
			w.recent = all
			w.commands.seen = "" // two files may look the same in the menu
			w.page.SetRecent(all)
			w.remenu()
		}
	})
}

// shortFolder writes the user's own folder as ~.
func shortFolder(folder string) string {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return folder
	}
	if rest, ok := strings.CutPrefix(folder, home); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return folder
}

// folderShown is how much of a folder's name a line of the menu has.
const folderShown = 48

func recentLabel(r start.Recent) string {
	label := r.Name
	if r.Missing {
		label += "   (missing)"
	} else if r.Format != "" {
		label += "   (" + r.Format + ")"
	}
	return label + "   " + start.End(r.Folder, folderShown)
}

func (w *Window) clearRecent() {
	w.group.Go(func(context.Context) func() {
		err := w.options.Memory.Clear()
		return func() {
			w.cannotRemember(err)
			w.listRecent()
		}
	})
}

// keepsTabs reports whether this window remembers its tabs: a window beside the first one does not.
func (w *Window) keepsTabs() bool {
	return w.begun && w.options.Memory != nil && w.options.Later != nil
}

// openFiles lists the files in the tabs, and the one in view. Those that are still being opened count only with all:
// should one of them end the program, the next start must not open it again.
func (w *Window) openFiles(all bool) (files []string, shown string) {
	for i, t := range w.all {
		if d, ok := t.(*docTab); ok && d.path != "" && (all || d.pane != nil) {
			files = append(files, d.path)
			if i == w.present {
				shown = d.path
			}
		}
	}
	return files, shown
}

// keepTabs remembers the tabs as they are now.
func (w *Window) keepTabs() {
	if !w.keepsTabs() {
		return
	}
	files, shown := w.openFiles(false)
	w.keeping.Go(func(ctx context.Context) func() {
		w.writing.Lock()
		defer w.writing.Unlock()
		if ctx.Err() != nil { // a later one was quicker
			return nil
		}
		err := w.options.Memory.SetTabs(files, shown)
		return func() { w.cannotRemember(err) }
	})
}

// keepTabsAtLast remembers the tabs of a window that closes.
func (w *Window) keepTabsAtLast() {
	if !w.keepsTabs() {
		return
	}
	w.keeping.Stop()
	w.writing.Lock()
	defer w.writing.Unlock()
	_ = w.options.Memory.SetTabs(w.openFiles(true)) // nobody is left to tell
}

// reopen brings back the tabs of last time.
func (w *Window) reopen() {
	if !w.keepsTabs() || !w.prefs.reopens() {
		return
	}
	files, shown := w.options.Memory.Tabs()
	if err := w.options.Memory.SetTabs(nil, ""); err != nil {
		w.cannotRemember(err)
	}
	for _, f := range files {
		w.open(&docTab{title: title(f), path: f, restored: true}, func(ctx context.Context) (*model.Document, error) {
			d, err := w.options.Open(ctx, f)
			if err != nil {
				err = fmt.Errorf("a tab of last time: %w", err)
			}
			return d, err
		})
	}
	for i, t := range w.all {
		if d, ok := t.(*docTab); ok && d.path == shown {
			w.Show(i)
		}
	}
}

func (w *Window) toggleReopening() {
	w.prefs.setReopens(!w.prefs.reopens())
	w.remenu()
}
