package window

import (
	"encoding/json"

	"assay/ui/doc"
)

// openRowsMost bounds how many open rows of a tree come back.
const openRowsMost = 100

// viewMost bounds the bytes that are kept of what was in view of a tab.
const viewMost = 8 << 10

// view is what was in view of a document when the window was closed.
type view struct {
	State        doc.State
	Centre, Side string // the titles of the panels
}

// viewOf describes what is in view of a document; nil for its beginning, and for what is too long to be kept.
func viewOf(p *doc.Pane) json.RawMessage {
	v := view{p.State(), p.Centre.Panel().Title(), p.Side.Panel().Title()}
	if n := p.Selection().Node; n == nil || n.Parent == nil {
		return nil
	}
	v.State.Tree.Open = v.State.Tree.Open[:min(len(v.State.Tree.Open), openRowsMost)]
	b, err := json.Marshal(v)
	if err != nil || len(b) > viewMost {
		return nil
	}
	return b
}

// restore brings back what was in view of a document. What makes no sense brings back nothing.
func restore(p *doc.Pane, saved json.RawMessage) {
	var v view
	if len(saved) == 0 || json.Unmarshal(saved, &v) != nil {
		return
	}
	p.Restore(v.State)
	p.Centre.ShowTitled(v.Centre)
	p.Side.ShowTitled(v.Side)
}
