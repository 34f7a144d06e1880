package window

import (
	"slices"

	"assay/ui/desktop"
)

// maxClosedTabs is the number of closed tabs that can be reopened.
const maxClosedTabs = 20

// closedTabs holds the tabs that were closed, the latest one last, for Reopen Closed Tab.
type closedTabs []closedTab

type closedTab struct {
	saved desktop.Tab
	index int // position among the tabs
}

// add records a tab at an index that is about to be closed, if it can be restored.
func (c *closedTabs) add(t Tab, index int) {
	k, ok := t.(savable)
	if !ok {
		return
	}
	if saved, ok := k.savedTab(true); ok {
		*c = append(*c, closedTab{saved, index})
		*c = slices.Delete(*c, 0, max(0, len(*c)-maxClosedTabs))
	}
}

// reopenClosed opens the tab that was closed last at its former index, or selects a tab that has its file.
func (w *Window) reopenClosed() {
	closed := &w.tabs.closed
	if len(*closed) == 0 {
		return
	}
	last := (*closed)[len(*closed)-1]
	*closed = (*closed)[:len(*closed)-1]
	t := w.rememberedTabs.newSuspended(last.saved)
	if t.saved.Kind == "" {
		if existing := w.opener.tabOf(t.saved.Files[0]); existing != nil {
			w.tabs.reveal(existing)
			return
		}
	}
	w.tabs.insert(t, last.index)
	w.rememberedTabs.closeIfMissing(t)
}
