package doc

import (
	"context"

	"assay/model"
)

// meaningOf returns what is known about a node of a document.
func meaningOf(d *model.Document, n *model.Node) model.Meaning {
	if d.Meaning == nil || n == nil {
		return model.Meaning{}
	}
	return d.Meaning(n)
}

// Meaning returns what is known about the selected node.
func (p *Pane) Meaning() model.Meaning { return meaningOf(p.doc, p.node) }

// explainNode tells what a node means on whose row the pointer rests.
func (p *Pane) explainNode(n *model.Node, tell func(text string)) {
	d, resolve := p.doc, p.resolving(n)
	p.hovering.Go(func(context.Context) func() {
		text := meaningOf(d, resolve()).Sourced()
		return func() { tell(text) }
	})
}
