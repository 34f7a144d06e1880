package window

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/export"
	"assay/ui/exporting"
	"assay/ui/notice"
	"assay/ui/rows"
	"assay/ui/stack"
	"assay/ui/status"
	"assay/ui/work"
)

// startExporting makes the window's export panel.
func (w *Window) startExporting() {
	w.exporting = exporting.New(w.win, w.style, w.group.Under(), w.app.Preferences(), export.PresetFile())
	var busyTab Tab
	w.exporting.Events = exporting.Events{
		OnNotice: w.Notify,
		OnHint:   w.hint,
		OnBusy: func(what string, stop func()) {
			if busyTab != nil {
				w.setBusy(busyTab, "", 0, nil)
			}
			if busyTab = w.Present(); busyTab != nil && what != "" {
				w.setBusy(busyTab, what, -1, stop)
			}
		},
		OnShow:   func() { w.revealExport() },
		OnReveal: w.revealExport,
		OnGo:     w.showNode,
		OnKey:    func(k *fyne.KeyEvent) bool { return w.key(k, false) },
		OnMenu:   w.popUpMenu,
	}
	w.app.Lifecycle().SetOnStarted(w.exporting.Connect)
}

// slotted is a tab with a place for the export panel.
type slotted interface{ place() *exporting.Slot }

func (t *docTab) place() *exporting.Slot { return t.export }

// takeExporting brings the export panel into the present tab.
func (w *Window) takeExporting() {
	if t, ok := w.Present().(slotted); ok && t.place() != nil {
		t.place().Take()
	}
}

// addExporting puts the export panel beside a document's inspector.
func (t *docTab) addExporting() {
	x := t.w.exporting
	t.export = x.NewSlot()
	t.pane.AddSide(t.export)
	p := t.pane
	p.OnDrag = func(fyne.Position) rows.Drag { return x.Drag(p.Document(), p.Chosen()) }
	p.OnDocument = x.Replace
}

// revealExport shows the export panel in the present tab; undo goes back to what was there.
func (w *Window) revealExport() (undo func()) {
	w.takeExporting()
	t, ok := w.Present().(*docTab)
	if !ok || t.pane == nil || t.export == nil {
		return func() {}
	}
	before := t.pane.Side()
	t.pane.ShowSide(t.export)
	return func() { t.pane.ShowSide(before) }
}

// showNode shows a node of a document that is open.
func (w *Window) showNode(d *model.Document, n *model.Node) {
	for i, t := range w.all {
		if t, ok := t.(*docTab); ok && t.pane != nil && t.pane.Document() == d {
			w.Show(i)
			t.pane.Select(n.Path())
			return
		}
	}
	w.Notify(notice.Notice{Text: d.Source.Name() + " is not open any more."})
}

func (w *Window) focusExport() {
	w.revealExport()
	w.exporting.Focus()
}

// stackTab is a stack of documents, with a place for the export panel.
type stackTab struct {
	pane    *stack.Pane
	slot    *exporting.Slot
	content fyne.CanvasObject
	group   *work.Group
}

var _ Tab = (*stackTab)(nil)

// Title is the tab's name.
func (t *stackTab) Title() string { return "Stack" }

// Hint says what it is.
func (t *stackTab) Hint() string { return "Which file wins for each key" }

// Content is what goes into the window.
func (t *stackTab) Content() fyne.CanvasObject { return t.content }

// Status is the stack's.
func (t *stackTab) Status() (way, facts []status.Segment) { return t.pane.Status() }

// Focus gives the keys the keyboard.
func (t *stackTab) Focus() { t.pane.Focus() }

// Close lets go of the documents.
func (t *stackTab) Close() { t.pane.Close() }

func (t *stackTab) place() *exporting.Slot { return t.slot }

// ShowStack shows the open documents that are loaded one over the other, in the order of their tabs.
func (w *Window) ShowStack() {
	var docs []*model.Document
	for _, t := range w.all {
		if t, ok := t.(*docTab); ok && t.pane != nil && t.pane.Document().Stacks {
			docs = append(docs, t.pane.Document())
		}
	}
	if len(docs) < 2 {
		w.Notify(notice.Notice{ID: "stack", Text: "A stack takes two or more open files of a kind that are loaded one over the other. Open them in the order in which they are loaded."})
		return
	}
	for i, t := range w.all {
		if t, ok := t.(*stackTab); ok && sameDocuments(t.pane.Documents(), docs) {
			w.Show(i)
			return
		}
	}
	t := &stackTab{group: w.group.Under(), slot: w.exporting.NewSlot()}
	t.pane = stack.New(w.style, t.group, docs)
	split := container.NewHSplit(t.pane.Content(), t.slot.Content())
	split.SetOffset(0.68)
	t.content = split
	t.pane.Events = stack.Events{
		OnStatus: func() {
			if w.Present() == Tab(t) {
				w.restatus()
			}
		},
		OnBusy:   func(what string, stop func()) { w.setBusy(t, what, -1, stop) },
		OnNotice: w.Notify,
		OnGo:     w.showNode,
		OnExport: w.exporting.AddPicks,
		OnKey:    func(k *fyne.KeyEvent) bool { return w.key(k, false) },
		OnMenu:   w.popUpMenu,
	}
	w.Add(t)
	t.pane.Begin()
}

// sameDocuments reports whether both are the same, in whatever order.
func sameDocuments(a, b []*model.Document) bool {
	for _, d := range a {
		if !slices.Contains(b, d) {
			return false
		}
	}
	return len(a) == len(b)
}
