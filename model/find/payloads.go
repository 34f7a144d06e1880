package find

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// AssetQuery is a filter of assets. A word is in their name, type or key; one that begins with a slash is a path in the
// structure, for assets that are there or below it. It may be used by several goroutines at once.
type AssetQuery struct{ asking }

// NewAssetQuery reads a filter; an empty one matches everything.
func NewAssetQuery(text string) (*AssetQuery, error) {
	a, err := newAsking(text, ofAssets)
	if err != nil {
		return nil, err
	}
	return &AssetQuery{a}, nil
}

// AsksNodes reports whether assets must be given with their nodes: their fields are asked for, or where they are in the
// structure.
func (q *AssetQuery) AsksNodes() bool {
	return len(q.fields) > 0 || len(q.paths) > 0 || slices.Contains(q.filter.Columns(), archive.Checksum)
}

// Match reports whether the filter holds for an asset. A condition on its checksum reads it.
func (q *AssetQuery) Match(ctx context.Context, p *model.Payload) bool {
	return q.filter.Match(&askedAsset{q, ctx, p, archive.AssetOf(p)})
}

// askedAsset is an asset that a filter asks for what is known of it.
type askedAsset struct {
	q   *AssetQuery
	ctx context.Context
	*model.Payload
	known archive.Asset
}

// Has reports whether a word is in what is shown of the asset, or whether its node is at a path.
func (a *askedAsset) Has(w *query.Word) bool {
	if holds, isPath := a.q.isAt(w, a.Node); isPath {
		return holds
	}
	return w.In(a.known.Name) || !a.q.NamesOnly && (w.In(a.known.Type) || w.In(a.Key))
}

// Meets tests what is known of the asset, else the field of its node with the name of the column. A checksum is asked
// for what a comparison with it says, and for its value.
func (a *askedAsset) Meets(column int, t *query.Test) (met, any bool) {
	if v := a.value(column); v != nil {
		return t.Met(v), true
	}
	isSum := column == archive.Checksum
	if a.Node != nil {
		met, any = a.q.meetsField(a.Node, column, t)
		f := Field(a.Node, a.q.nameOf(column))
		isSum = isSum || f != nil && f.Role == model.RoleSum
	}
	if isSum && !met {
		return a.verdictMeets(t), true
	}
	return met, any
}

// value is what is known of the asset without reading it; nil if nothing is.
func (a *askedAsset) value(column int) any {
	switch {
	case column < keyColumn:
		return a.known.Cell(column)
	case column == keyColumn && a.Key != "":
		return a.Key
	case column == offsetColumn && a.Stored.Size >= 0:
		return a.Stored.Offset
	}
	return nil
}

// verdictMeets tests what a comparison with the recorded checksum says. The asset is read only if that can meet the
// test.
func (a *askedAsset) verdictMeets(t *query.Test) bool {
	possible := false
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		possible = possible || t.Met(v.String())
	}
	if !possible {
		return false
	}
	v, _, err := a.Check(a.ctx)
	if err != nil {
		v = model.Unknown
	}
	return t.Met(v.String())
}
