package doc

import (
	"context"
	"errors"

	"assay/model"
	"assay/ui/details"
	"assay/ui/inspect"
	"assay/ui/notice"
	"assay/ui/wording"
)

// origin is who selected something: the others follow.
type origin uint8

const (
	fromElsewhere origin = iota
	fromTree
	fromHex
	fromHistory
)

// place is a visited node.
type place struct {
	path   model.Path
	offset int64
}

// history is the nodes that were visited.
type history struct {
	places []place
	at     int // the present one
}

// historyMax is how many visited nodes are remembered.
const historyMax = 500

func (h *history) visit(to place) {
	if len(h.places) > 0 && h.places[h.at].path.Equal(to.path) {
		return
	}
	h.places = append(h.places[:min(len(h.places), h.at+1)], to)
	h.places = h.places[max(0, len(h.places)-historyMax):]
	h.at = len(h.places) - 1
}

func (h *history) move(by int) (place, bool) {
	to := h.at + by
	if to < 0 || to >= len(h.places) {
		return place{}, false
	}
	h.at = to
	return h.places[to], true
}

// resolve gives the document's node that a node of the tree stands for: itself, or what a group's leaf leads to.
func (p *Pane) resolve(n *model.Node) *model.Node {
	top := n
	for top.Parent != nil {
		top = top.Parent
	}
	if p.grouping == 0 || top != p.tree.Root() {
		return n
	}
	if n.Link == nil || n.Link.Target == nil {
		return nil
	}
	path, ok := n.Link.Target()
	if !ok {
		return nil
	}
	return p.doc.At(path)
}

// choose selects a node and tells everybody but where it comes from.
func (p *Pane) choose(n *model.Node, from origin) {
	if n == nil {
		return
	}
	if from == fromTree {
		if n = p.resolve(n); n == nil {
			return
		}
	}
	path := n.Path()
	p.node = n
	if from != fromHistory {
		p.history.visit(place{path, n.Offset})
	}
	if from != fromTree && !p.tree.Reveal(path) {
		p.tree.Deselect()
	}
	p.light(n)
	if from != fromHex {
		p.offset, p.length = n.Offset, 0
		p.hex.SetCaret(n.Offset)
		if n.Parent != nil || from != fromTree {
			p.hex.ScrollToSpan(n.Offset, n.Size)
		}
	}
	p.read()
	p.tellPanels()
	p.status()
}

// light marks a node's bytes in the hex view. The root's are all: marking them would say nothing and hide the fields.
func (p *Pane) light(n *model.Node) {
	if n.Parent == nil {
		p.hex.Light(0, 0)
		return
	}
	p.hex.Light(n.Offset, n.Size)
}

// chooseByte selects the leaf that owns a byte.
func (p *Pane) chooseByte(offset int64) {
	p.offset, p.length = offset, 0
	if p.node != nil && p.node.Leaf() && p.node.Type != model.Gap && p.node.Contains(offset) {
		p.read()
		p.tellPanels()
		p.status()
		return
	}
	d := p.doc
	p.owning.Go(func(context.Context) func() {
		n := d.Owner(offset)
		return func() {
			if n != nil {
				p.choose(n, fromHex)
				return
			}
			p.read()
			p.status()
		}
	})
}

// ranged hears of the range that the user selects in the hex view.
func (p *Pane) ranged(offset, length int64) {
	p.length = length
	if length > 0 {
		p.offset = offset
	}
	p.read()
	p.tellPanels()
	p.status()
}

// read reads what the details and the inspector show, and shows it.
func (p *Pane) read() {
	n, d, offset := p.node, p.doc, p.offset
	p.reading.Go(func(context.Context) func() {
		var raw []byte
		if n != nil {
			span := details.RawSpan(n, d.Source.Size())
			raw, _ = d.Source.Bytes(span)
		}
		at := model.Span{Offset: offset, Size: min(inspect.Window, d.Source.Size()-offset)}
		var b []byte
		if at.Size > 0 {
			var err error
			if b, err = d.Source.Bytes(at); errors.Is(err, model.ErrChanged) {
				return func() {
					p.details.SetNode(d.Source, n, raw)
					p.inspector.Show(b)
					p.stale(err)
				}
			}
		}
		return func() {
			if n != p.details.Node() {
				p.details.SetNode(d.Source, n, raw)
			}
			p.inspector.Show(b)
		}
	})
}

// Selection is what is selected.
func (p *Pane) Selection() Selection {
	return Selection{Document: p.doc, Node: p.node, Offset: p.offset, Length: p.length, Nodes: func(limit int) []*model.Node {
		var nodes []*model.Node
		for _, n := range p.tree.Selected(limit) {
			if n = p.resolve(n); n != nil {
				nodes = append(nodes, n)
			}
		}
		if len(nodes) == 0 && p.node != nil {
			nodes = append(nodes, p.node)
		}
		return nodes
	}}
}

func (p *Pane) tellPanels() {
	s := p.Selection()
	for _, all := range [][]Panel{p.centreAll, p.sideAll} {
		for _, panel := range all {
			if f, ok := panel.(Selector); ok {
				f.Select(s)
			}
		}
	}
}

// Select goes to a path.
func (p *Pane) Select(path model.Path) { p.choose(p.doc.At(path), fromElsewhere) }

// SelectKey goes to the node with a key; it reports in a sentence where there is none.
func (p *Pane) SelectKey(key string) {
	if p.doc.FindKey == nil {
		p.complain(errors.New(p.doc.Source.Name() + " has no keys to go to"))
		return
	}
	d := p.doc
	p.going.Go(func(context.Context) func() {
		path, ok := d.FindKey(key)
		return func() {
			if !ok {
				p.complain(errors.New("there is no " + key + " in " + d.Source.Name()))
				return
			}
			p.Select(path)
		}
	})
}

// GoTo goes to the byte at an offset and selects the leaf that owns it.
func (p *Pane) GoTo(offset int64) {
	p.showHex()
	p.hex.SetCaret(offset)
	p.hex.ScrollTo(offset)
	p.chooseByte(offset)
}

// Back goes to the node that was visited before, Forward to the next one.
func (p *Pane) Back() { p.revisit(-1) }

// Forward goes to the node that was visited after this one.
func (p *Pane) Forward() { p.revisit(1) }

func (p *Pane) revisit(by int) {
	if to, ok := p.history.move(by); ok {
		p.choose(p.doc.At(to.path), fromHistory)
	}
}

// Up goes to the parent.
func (p *Pane) Up() {
	if p.node != nil && p.node.Parent != nil {
		p.choose(p.doc.At(p.node.Parent.Path()), fromElsewhere)
	}
}

// complain shows an error.
func (p *Pane) complain(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	if errors.Is(err, model.ErrChanged) {
		p.stale(err)
		return
	}
	p.notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
}

// stale tells that the file is no longer what it was.
func (p *Pane) stale(err error) {
	p.notify(notice.Notice{ID: "changed", Level: notice.Warning, Text: wording.Sentence(err) + " What is on the screen is what was read before."})
}

func (p *Pane) notify(n notice.Notice) {
	if p.OnNotice != nil {
		p.OnNotice(n)
	}
}
