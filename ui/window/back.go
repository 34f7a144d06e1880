package window

import "assay/ui/doc"

// goBack returns the action that goes to the node or the folder that was visited before; before the first node, to the
// tab from which the file was opened.
func (w *Window) goBack() action {
	a := forTab(forTab(onPart((*doc.Pane).Back), (*usesTab).Back), func(t *folderTab) { t.List().Back() })
	general := a.Do
	a.Do = func(t Tab) {
		origin := w.tabs.origins[t]
		if origin == nil || !partOf[*doc.Pane](t).AtStart() {
			general(t)
			return
		}
		w.tabs.forward[origin] = t
		w.tabs.reveal(origin)
		if t, ok := origin.(*docTab); ok && t.assets != nil && t.pane.Center.Panel() == doc.Panel(t.assets) {
			t.assets.Focus() // where the asset was opened
		}
	}
	return a
}

// goForward returns the action that reverts Back.
func (w *Window) goForward() action {
	inTab := forTab(onPart((*doc.Pane).Forward), (*usesTab).Forward)
	return action{
		IsEnabled: func(t Tab) bool { return inTab.IsEnabled(t) || w.tabs.forward[t] != nil || has[*folderTab](t) },
		Do: func(t Tab) {
			p := partOf[*doc.Pane](t)
			f, isFolder := t.(*folderTab)
			switch next := w.tabs.forward[t]; {
			case isFolder && f.List().Forward():
			case next != nil && (p == nil || p.AtEnd()):
				w.tabs.reveal(next)
			case inTab.IsEnabled(t):
				inTab.Do(t)
			}
		},
	}
}
