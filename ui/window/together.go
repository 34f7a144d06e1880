package window

import (
	"context"
	"os"
	"path/filepath"

	"assay/model"
	"assay/ui/notice"
)

// compared is one of two files that are put side by side.
type compared struct {
	title string
	path  string // empty for what is no file any more
	// open opens it; whoever calls it closes the document's source.
	open func(ctx context.Context) (*model.Document, error)
}

// file is the file at a path, to be compared.
func (w *Window) file(path string) compared {
	return compared{title(path), path, func(ctx context.Context) (*model.Document, error) { return w.options.Open(ctx, path) }}
}

// title is a file's name, for people.
func title(path string) string { return model.OneLine(filepath.Base(path), 200) }

// OpenAll opens files in tabs. Two of them are offered to be compared, or are compared at once.
func (w *Window) OpenAll(files []string, compare bool) {
	if compare && len(files) == 2 && w.onCompare != nil {
		w.onCompare(w.file(files[0]), w.file(files[1]))
		return
	}
	if len(files) == 2 && w.openFolders(files[0], files[1]) {
		return
	}
	w.pair = nil
	if len(files) == 2 {
		w.pair = []string{absolute(files[0]), absolute(files[1])}
	}
	for _, f := range files {
		w.Open(f)
	}
	w.offerComparison()
	w.offerSeries(files)
}

// offerComparison offers to compare the two files that were opened together, once both are open.
func (w *Window) offerComparison() {
	if w.pair == nil || w.onCompare == nil {
		return
	}
	for _, path := range w.pair {
		i := w.tabOf(path)
		if i < 0 || w.all[i].(*docTab).pane == nil {
			return
		}
	}
	a, b := w.pair[0], w.pair[1]
	w.pair = nil
	if w.tabOf(a) == w.tabOf(b) {
		return
	}
	w.Notify(notice.Notice{ID: together, Text: title(a) + " and " + title(b) + " were opened together.", Actions: []notice.Action{{Label: "Compare these", On: func() {
		w.notices.Remove(together)
		w.onCompare(w.file(a), w.file(b))
	}}}})
}

// tabOf is the tab that shows the file at an absolute path, or -1.
func (w *Window) tabOf(path string) int {
	for i, t := range w.all {
		if d, ok := t.(*docTab); ok && path != "" && (d.path == path || d.real == path) {
			return i
		}
	}
	return -1
}

// twin is another tab that shows the same file, by a link perhaps; -1 if there is none.
func (w *Window) twin(t *docTab) int {
	for i, other := range w.all {
		if d, ok := other.(*docTab); ok && d != t && t.info != nil && d.info != nil && d.stale == "" && os.SameFile(d.info, t.info) {
			return i
		}
	}
	return -1
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
