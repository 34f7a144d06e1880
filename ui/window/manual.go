package window

import (
	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/command"
	"assay/ui/manual"
	"assay/ui/status"
)

// manualTab has the pages of the formats.
type manualTab struct {
	tabHost
	*manual.Manual
}

var _ Tab = (*manualTab)(nil)

// Title is the tab's name.
func (t *manualTab) Title() string { return "Formats" }

// Hint says what it is.
func (t *manualTab) Hint() string { return "What the fields of each format mean" }

// Status says nothing.
func (t *manualTab) Status() (way, facts []status.Segment) { return nil, nil }

// Close does nothing.
func (t *manualTab) Close() {}

// Content is what goes into the window.
func (t *manualTab) Content() fyne.CanvasObject { return t.Manual.Content() }

// Focus returns the text the keyboard.
func (t *manualTab) Focus() { t.Manual.Focus() }

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
	t.tabHost = tabHost{w, w, t}
	t.Manual = manual.New(t, w.style, pages)
	w.tabs.add(t, nil)
	return t
}

// findable is an action that finds bytes in a document, or words on the pages of the formats.
var findable = action{
	Can: func(t Tab) bool { _, ok := t.(*manualTab); return ok || hasPane(t) },
	Do: func(t Tab) {
		if m, ok := t.(*manualTab); ok {
			m.Find()
			return
		}
		paneOf(t).Find()
	},
	Name: func(t Tab) string {
		if _, ok := t.(*manualTab); ok {
			return "Find on All Pages…"
		}
		return command.Of("edit.find").Label
	},
}

// showPage opens the page of a format where it says what something means.
func (w *Window) showPage(m model.Meaning) { w.manual().Show(m) }

// canExplainField reports whether a field is selected, and not the file as a whole, and there is a page about it.
func canExplainField(t Tab) bool {
	p := paneOf(t)
	return p != nil && p.Selection().Node != nil && p.Selection().Node.Parent != nil && p.Meaning().Page != nil
}
