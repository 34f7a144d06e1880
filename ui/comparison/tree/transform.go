package tree

import (
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
	"assay/ui/paint"
)

// transform shows a 4x4 matrix as people think of it: moved, turned, scaled.
func (g *page) transform(p *compare.Pair) {
	parts := changes.Transform(p)
	if parts == nil {
		return
	}
	g.title("Transform")
	for _, t := range parts {
		if !t.Differs() {
			g.both(t.Field, t.New, paint.Dim)
		}
	}
	g.parts(p)
}

// parts shows what changed in a transform; false if it is none.
func (g *page) parts(p *compare.Pair) bool {
	parts := changes.Transform(p)
	for _, t := range parts {
		if t.Differs() {
			x, y := compared.MarkDifferences(t.Old, t.New, false)
			g.sides(t.Field, x, y)
		}
	}
	return parts != nil
}
