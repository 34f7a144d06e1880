package find

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// AssetQuery is a filter of assets. A word matches their name, type or key; a word that begins with a slash is a path
// in the structure, and matches assets at it or below it. It may be used by several goroutines at once.
type AssetQuery struct{ parsedFilter }

// NewAssetQuery reads a filter; an empty one matches everything.
func NewAssetQuery(text string) (*AssetQuery, error) {
	f, err := parseFilter(text, assetList)
	if err != nil {
		return nil, err
	}
	return &AssetQuery{f}, nil
}

// NeedsNodes reports whether assets must be given with their nodes: the filter has conditions on fields, or paths.
func (q *AssetQuery) NeedsNodes() bool {
	return len(q.fields) > 0 || len(q.paths) > 0 || slices.Contains(q.filter.Columns(), archive.Checksum)
}

// Match reports whether the filter holds for an asset. A condition on its checksum reads it.
func (q *AssetQuery) Match(ctx context.Context, p *model.Payload) bool {
	return q.filter.Match(&assetItem{q, ctx, p, archive.AssetOf(p)})
}

// assetItem is an asset that a filter tests.
type assetItem struct {
	q   *AssetQuery
	ctx context.Context
	*model.Payload
	asset archive.Asset
}

// Has reports whether a word is in the texts of the asset, or whether its node is at that path.
func (i *assetItem) Has(w *query.Word) bool {
	if holds, isPath := i.q.matchesPath(w, i.Node); isPath {
		return holds
	}
	return w.In(i.asset.Name) || !i.q.NamesOnly && (w.In(i.asset.Type) || w.In(i.Key))
}

// MatchColumn tests the property of the asset for a column, else the field of its node with the name of the column. For
// a checksum, it tests the verdict, and its value.
func (i *assetItem) MatchColumn(column int, t *query.Test) (matches, exists bool) {
	if v := i.value(column); v != nil {
		return t.Matches(v), true
	}
	isChecksum := column == archive.Checksum
	if i.Node != nil {
		matches, exists = i.q.matchField(i.Node, column, t)
		f := Field(i.Node, i.q.columnName(column))
		isChecksum = isChecksum || f != nil && f.Role == model.RoleSum
	}
	if isChecksum && !matches {
		return i.matchVerdict(t), true
	}
	return matches, exists
}

// value returns the property of the asset for a column, without reading its content, or nil.
func (i *assetItem) value(column int) any {
	switch {
	case column < keyColumn:
		return i.asset.Cell(column)
	case column == keyColumn && i.Key != "":
		return i.Key
	case column == offsetColumn && i.Stored.Size >= 0:
		return i.Stored.Offset
	}
	return nil
}

// matchVerdict tests the verdict on the recorded checksum. The asset is read only if a verdict can pass the test.
func (i *assetItem) matchVerdict(t *query.Test) bool {
	possible := false
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		possible = possible || t.Matches(v.String())
	}
	if !possible {
		return false
	}
	v, _, err := i.Check(i.ctx)
	if err != nil {
		v = model.Unknown
	}
	return t.Matches(v.String())
}
