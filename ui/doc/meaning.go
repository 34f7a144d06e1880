package doc

import (
	"context"

	"assay/model"
)

// meaningOf returns what is known about a node of a document.
func meaningOf(d *model.Document, n *model.Node) model.Meaning {
	if d.Meaning == nil || n == nil {
		return model.Meaning{Section: -1, Term: -1}
	}
	return d.Meaning(n)
}

// explainNode tells what a node means on whose row the pointer rests.
func (p *Pane) explainNode(n *model.Node, tell func(text string)) {
	d, resolve := p.doc, p.resolving(n)
	p.hovering.Go(func(context.Context) func() {
		text := meaningOf(d, resolve()).Text()
		return func() { tell(text) }
	})
}
