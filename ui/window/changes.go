package window

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/notice"
	"assay/ui/wording"
)

// change is how a file on disk differs from the one that was opened.
type change struct {
	word string // on the tab; empty if it does not differ
	text string // a sentence
	sign string // what the file looks like now: the user is told once of each
	kept bool   // all of what was opened can still be read
}

// changed looks at the file of a source.
func changed(src *model.Source) change {
	if src.Changed() == nil {
		return change{}
	}
	name := model.OneLine(src.Name(), 200)
	c := change{word: "changed", text: name + " changed on disk. What is on the screen is what was read before.", kept: src.Kept()}
	info, err := os.Stat(src.Path())
	switch {
	case err != nil:
		c.word, c.text = "gone", name+" is no longer there. What was read before stays on the screen."
		return c
	case info.Size() < src.Size():
		c.text = fmt.Sprintf("%s changed on disk: it has %d bytes now, and had %d. What was read before stays on the screen.", name, info.Size(), src.Size())
	case !c.kept:
		c.text = name + " changed on disk: it was written over. What is on the screen is what was read before, as far as it was read."
	}
	c.sign = fmt.Sprint(info.Size(), info.ModTime())
	return c
}

// startWatching begins to watch the files in the tabs.
func (w *Window) startWatching() {
	watcher, err := desktop.NewWatcher(desktop.Settle, func(path string) { fyne.Do(func() { w.changedOnDisk(path) }) })
	if err != nil {
		return // changes are still seen when a tab or the window comes into view
	}
	w.watcher = watcher
}

// watch watches the file of a tab, and where a link leads to.
func (w *Window) watch(t *docTab) {
	if w.watcher == nil {
		return
	}
	t.group.Go(func(context.Context) func() {
		for _, path := range t.watched() {
			_ = w.watcher.Add(path) // what cannot be watched is looked at when it comes into view
		}
		return nil
	})
}

// unwatch ends that.
func (w *Window) unwatch(t *docTab) {
	if w.watcher == nil || t.path == "" {
		return
	}
	for _, path := range t.watched() {
		w.watcher.Remove(path)
	}
}

func (t *docTab) watched() []string {
	if t.real == "" || t.real == t.path {
		return []string{t.path}
	}
	return []string{t.path, t.real}
}

// changedOnDisk looks at the tab of a file that was written, replaced or removed.
func (w *Window) changedOnDisk(path string) {
	if i := w.tabOf(path); i >= 0 {
		w.lookAt(w.all[i].(*docTab))
	}
	w.listRecent()
}

// lookForChanges looks at the file of the tab in view.
func (w *Window) lookForChanges() {
	if t, ok := w.Present().(*docTab); ok {
		w.lookAt(t)
	}
	if c := w.comparison(); c != nil {
		c.LookForChanges()
	}
}

// lookAt asks in the background whether a tab's file is still the one that was opened.
func (w *Window) lookAt(t *docTab) {
	if t.pane == nil || t.path == "" {
		return
	}
	src := t.pane.Document().Source
	t.looking.Go(func(context.Context) func() {
		c := changed(src)
		return func() {
			if t.pane.Document().Source == src {
				t.tell(c)
			}
		}
	})
}

// tell marks the tab and tells the user, once of each change.
func (t *docTab) tell(c change) {
	if c.word == t.stale && c.sign == t.told {
		return
	}
	t.stale, t.told = c.word, c.sign
	t.w.retitle()
	if c.word == "" {
		t.w.notices.Remove(t.changeID())
		return
	}
	n := notice.Notice{ID: t.changeID(), Level: notice.Warning, Text: c.text}
	if c.word != "gone" {
		n.Actions = append(n.Actions, notice.Action{Label: "Reload", On: func() { t.w.Reload(t) }})
		if old, ok := t.before(c); ok && t.w.onCompare != nil {
			n.Actions = append(n.Actions, notice.Action{Label: "Compare with what was open", On: func() { t.w.onCompare(old, t.w.file(t.path)) }})
		}
	}
	t.w.Notify(n)
}

func (t *docTab) changeID() string { return "changed " + t.path }

// copyMax is how large a file may be to be kept in memory: what writes over it would else take the old version away.
const copyMax = 8 << 20

// copyFile keeps the bytes of a small file, to compare a later version with.
func (t *docTab) copyFile() {
	t.copied = nil
	src := t.pane.Document().Source
	if t.w.onCompare == nil || t.path == "" || src.Size() > copyMax {
		return
	}
	t.group.Go(func(context.Context) func() {
		b, err := src.Bytes(model.Span{Size: src.Size()})
		if err != nil || src.Changed() != nil {
			return nil
		}
		return func() {
			if t.pane.Document().Source == src {
				t.copied = b
			}
		}
	})
}

// before is what was open before a change, if it is still known as a whole.
func (t *docTab) before(c change) (compared, bool) {
	old := compared{title: t.title + " (before)"}
	d, name, b := t.pane.Document(), filepath.Base(t.path), t.copied
	switch {
	case b != nil:
		old.open = func(ctx context.Context) (*model.Document, error) {
			return t.w.options.OpenSource(ctx, model.NewSource(name, bytes.NewReader(b), int64(len(b))))
		}
	case c.kept:
		old.open = func(context.Context) (*model.Document, error) {
			if !d.Source.Kept() {
				return nil, fmt.Errorf("what was open of %s is no longer there", d.Source.Name())
			}
			d.Source.Hold()
			return d, nil
		}
	default:
		return old, false
	}
	return old, true
}

// Reload reads a document's file again and keeps the place in it.
func (w *Window) Reload(tab Tab) {
	t, ok := tab.(*docTab)
	if !ok || t.pane == nil || t.path == "" {
		return
	}
	w.setBusy(t, "Reading again", -1, nil)
	t.group.Go(func(ctx context.Context) func() {
		d, err := w.options.Open(ctx, t.path)
		real, info := identity(t.path)
		return func() {
			w.setBusy(t, "", 0, nil)
			if err != nil {
				w.Notify(notice.Notice{ID: "reload " + t.path, Level: notice.Error, Text: wording.Sentence(err) + " What is on the screen is what was read before."})
				return
			}
			w.notices.Remove("reload " + t.path)
			t.tell(change{})
			t.real, t.info = real, info
			t.pane.SetDocument(d)
			t.copyFile()
			w.watch(t)
			w.lookAt(t)
		}
	})
}

// identity is where a path leads to, and what file that is.
func identity(path string) (real string, info os.FileInfo) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil
	}
	if info, err = os.Stat(path); err != nil {
		return real, nil
	}
	return real, info
}
