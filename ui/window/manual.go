package window

import (
	"cmp"

	"assay/model"
	"assay/ui/command"
	"assay/ui/details"
	"assay/ui/tabs"
)

// manualTab has the pages of the formats.
type manualTab struct{ *details.Manual }

var _ Tab = (*manualTab)(nil)

func (t *manualTab) Title() string { return "Format reference" }

func (t *manualTab) Hint() string { return "Explains the fields of each format" }

func (t *manualTab) Status() (way, facts []tabs.Segment) { return nil, nil }

func (t *manualTab) Close() {}

// manual returns the tab with the pages of the formats, which is opened if it is not there.
func (w *Window) manual() *manualTab {
	t, ok := w.tabs.find(func(t Tab) bool { _, ok := t.(*manualTab); return ok }).(*manualTab)
	if ok {
		w.tabs.reveal(t)
		return t
	}
	var pages []*model.Page
	if w.options.Pages != nil {
		pages = w.options.Pages()
	}
	t = &manualTab{}
	t.Manual = details.NewManual(&tabHost{w, w, t}, w.style, pages)
	w.tabs.add(t, nil)
	return t
}

// find is the action that finds bytes in a document, words on the pages of the formats, or what is in a list.
func (w *Window) find() action {
	return action{
		Can: func(t Tab) bool { find, _ := w.findIn(t); return find != nil },
		Do: func(t Tab) {
			find, _ := w.findIn(t)
			find()
		},
		Name: func(t Tab) string {
			_, name := w.findIn(t)
			return cmp.Or(name, command.Of("edit.find").Label)
		},
	}
}

// findIn returns what puts the keyboard where something is found in a tab, and how that is called if it is not bytes.
// nil: nothing is found there.
func (w *Window) findIn(t Tab) (find func(), name string) {
	switch t := t.(type) {
	case *manualTab:
		return t.Find, "Find in Format Reference…"
	case *usesTab:
		return func() { t.FocusFilter(w.status) }, "Filter List…"
	case *folderTab:
		return t.List().FocusFilter, "Filter the List…"
	case *findTab:
		return func() { t.FocusField(w.status) }, "Find in These Files…"
	}
	if p := paneOf(t); p != nil {
		return p.Find, ""
	}
	return nil, ""
}

// showPage opens the page of a format where it says what something means.
func (w *Window) showPage(m model.Meaning) { w.manual().Show(m) }

// canExplainField reports whether a field is selected, and not the file as a whole, and there is a page about it.
func canExplainField(t Tab) bool {
	p := paneOf(t)
	return p != nil && p.Selection().Node != nil && p.Selection().Node.Parent != nil && p.Meaning().Page != nil
}
