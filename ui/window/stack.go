package window

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/tabs"
	"assay/ui/window/stack"
)

// stackTab is a stack of documents, with a place for the export panel.
type stackTab struct {
	tabHost
	pane    *stack.Pane
	slot    *exporting.Slot
	content fyne.CanvasObject
}

var (
	_ Tab        = (*stackTab)(nil)
	_ stack.Host = (*stackTab)(nil)
)

func (t *stackTab) Title() string { return "Load order" }

func (t *stackTab) Hint() string { return "Shows which file provides each asset" }

func (t *stackTab) Content() fyne.CanvasObject { return t.content }

func (t *stackTab) Status() (way, facts []tabs.Segment) { return t.pane.Status() }

func (t *stackTab) Focus() { t.pane.Focus() }

// Close lets go of the documents.
func (t *stackTab) Close() { t.pane.Close() }

// Export adds assets to the export list.
func (t *stackTab) Export(d *model.Document, positions []int) { t.w.exporting.AddPicks(d, positions) }

// showStack shows the documents in the tabs that are loaded one over the other, in their order.
func (w *Window) showStack() { w.openSuspended(w.stack) }

func (w *Window) stack() {
	var docs []*model.Document
	for _, t := range w.tabs.all {
		if p := paneOf(t); p != nil && p.Document().Stacks {
			docs = append(docs, p.Document())
		}
	}
	if len(docs) < 2 {
		w.Notify(host.Notice{ID: "stack", Text: "Load Order needs at least two open packages of the same format. Open them in the order in which the game loads them."})
		return
	}
	if t := w.tabs.find(func(t Tab) bool {
		s, ok := t.(*stackTab)
		return ok &&
			sameDocuments(s.pane.Documents(), docs)
	}); t != nil {
		w.tabs.reveal(t)
		return
	}
	t := &stackTab{slot: w.exporting.NewSlot()}
	t.tabHost = tabHost{w, w, t}
	t.pane = stack.New(t, w.style, w.group.Under(), docs)
	split := container.NewHSplit(t.pane.Content(), t.slot.Content())
	split.SetOffset(0.68)
	t.content = split
	w.tabs.add(t, nil)
	t.pane.Begin()
}

// sameDocuments reports whether both are the same, in whatever order.
func sameDocuments(a, b []*model.Document) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(d *model.Document) bool { return !slices.Contains(b, d) })
}

// slotOf is the place for the export panel in a tab, or nil.
func slotOf(t Tab) *exporting.Slot {
	switch t := t.(type) {
	case *docTab:
		return t.slot
	case *stackTab:
		return t.slot
	case *folderTab:
		return t.slot
	case *comparisonTab:
		return t.slot
	}
	return nil
}

// takeExporting brings the export panel into the tab in view.
func (w *Window) takeExporting() {
	if s := slotOf(w.tabs.present()); s != nil {
		s.Take()
	}
}

// ShowExport brings the export panel into view; undo goes back to what was there.
func (w *Window) ShowExport() (undo func()) {
	w.takeExporting()
	switch t := w.tabs.present().(type) {
	case *docTab:
		before := t.pane.Side.Panel()
		t.pane.Side.Show(t.slot)
		return func() { t.pane.Side.Show(before) }
	case *comparisonTab:
		if !t.showsExport() {
			t.showExport(true)
			return func() { t.showExport(false) }
		}
	}
	return func() {}
}
