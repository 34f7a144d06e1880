package window

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/host"
	"assay/ui/work"
)

// recents is the files that were opened, in the menu and on the empty window's page.
type recents struct {
	w      *Window
	lane   *work.Lane
	memory *desktop.Memory // nil remembers nothing
	known  []Recent
}

// opened remembers a file that has been opened.
func (r *recents) opened(path string, d *model.Document) {
	variant, _, _ := strings.Cut(d.Variant, ",") // what follows explains it
	format := strings.TrimSpace(d.Format + " " + variant)
	r.change(func() error { return errors.Join(r.memory.Opened(path, format, time.Now()), desktop.Opened(path)) })
}

func (r *recents) clear() { r.change(r.memory.Clear) }

func (r *recents) change(do func() error) {
	if r.memory == nil {
		return
	}
	r.w.group.Write(func(context.Context) func() {
		err := do()
		return func() {
			r.w.cannotRemember(err)
			r.list()
		}
	})
}

// list shows the files anew.
func (r *recents) list() {
	if r.memory == nil {
		return
	}
	r.lane.Go(func(context.Context) func() {
		var all []Recent
		for _, f := range r.memory.Recent() {
			all = append(all, Recent{Name: model.FileName(f.Path),
				Folder: model.OneLine(shortFolder(filepath.Dir(f.Path)), 200),
				Format: model.OneLine(f.Format, 80), Missing: f.Missing(), Path: f.Path})
		}
		return func() {
			if !slices.Equal(all, r.known) {
				r.known = all
				r.w.showRecents(all)
			}
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

const (
	recentShown = 15 // files in the menu; more would not fit on a small screen
	folderShown = 48 // letters of a folder's name
)

func recentLabel(r Recent) string {
	label := r.Name
	if r.Missing {
		label += "   (missing)"
	} else if r.Format != "" {
		label += "   (" + r.Format + ")"
	}
	return label + "   " + End(r.Folder, folderShown)
}

// cannotRemember says once that nothing can be written down.
func (w *Window) cannotRemember(err error) {
	if err != nil {
		w.Notify(host.Notice{ID: "memory", Level: host.Warning,
			Text: host.SentenceOf("Cannot save recent files and tabs: " + err.Error())})
	}
}
