package doc

import (
	"assay/model"
	"assay/ui/hex"
	"assay/ui/tree"
)

// State is what a pane remembers over a reload and between sessions.
type State struct {
	Tree     tree.State
	Hex      hex.Saved
	Selected model.Path
	Key      string // of the selected node, if it has one
	Text     string // the selected node's path in names
	Grouping int
	Filter   string
}

// State is where the pane is.
func (p *Pane) State() State {
	s := State{Tree: p.tree.State(), Hex: p.bytes.hex.Saved(), Grouping: p.grouping, Filter: p.filter.field.Text}
	if p.node != nil {
		s.Selected, s.Key, s.Text = p.node.Path(), p.node.Key, p.node.PathText()
	}
	return s
}

// Restore goes back to a state, as far as the document still has it: the selection by its key, then by its names.
func (p *Pane) Restore(s State) {
	if s.Grouping == p.grouping {
		p.tree.Restore(s.Tree)
	} else {
		p.SetGrouping(s.Grouping)
	}
	n := p.doc.At(s.Selected)
	if n == nil || n.Key != s.Key || n.PathText() != s.Text {
		n = nil
		if path, ok := findKey(p.doc, s.Key); ok {
			n = p.doc.At(path)
		}
		if n == nil {
			n, _ = p.doc.Find(s.Text)
		}
	}
	if n != nil {
		p.choose(n, fromElsewhere)
	}
	p.bytes.hex.Restore(s.Hex)
	if n != nil {
		p.bytes.light(n)
	}
	p.offset = p.bytes.hex.Caret()
	p.selectionChanged()
	if s.Filter != p.filter.field.Text {
		p.filter.field.SetText(s.Filter)
	}
}

// Layout is how a pane's space is divided.
type Layout struct {
	Left, Main, Right, Drawer float64
}

// Layout is how the space is divided now.
func (p *Pane) Layout() Layout {
	return Layout{p.left.Offset, p.main.Offset, p.right.Offset, p.drawer.share}
}

// SetLayout divides the space.
func (p *Pane) SetLayout(l Layout) {
	for _, s := range []struct {
		set   func(float64)
		share float64
	}{{p.left.SetOffset, l.Left}, {p.main.SetOffset, l.Main}, {p.right.SetOffset, l.Right}} {
		if s.share > 0.02 && s.share < 0.98 {
			s.set(s.share)
		}
	}
	if l.Drawer > 0.1 && l.Drawer < 0.95 {
		p.drawer.share = l.Drawer
	}
}
