package find

import (
	"context"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
	"assay/model/table"
)

// AssetColumns returns what a filter can ask of every asset: the columns that every archive has, by their numbers, then
// more.
func AssetColumns(more ...query.Column) []query.Column {
	return append(table.List(&model.Table{Columns: archive.OwnColumns()}).Columns, more...)
}

// assetColumns are those with the key; any other name is that of a field of the asset's node.
var assetColumns = &query.List{Fields: true, Columns: AssetColumns(query.Column{Name: "key"})}

// AssetQuery is a filter of assets. A word is in their name or their key; one that begins with a slash is a path in the
// structure, for assets that are there or below it. It is not for several goroutines at once.
type AssetQuery struct {
	filter *query.Filter
	paths  paths
}

// NewAssetQuery reads a filter; an empty one matches everything.
func NewAssetQuery(text string) (*AssetQuery, error) {
	f, err := query.Parse(text, assetColumns)
	return &AssetQuery{filter: f, paths: make(paths)}, err
}

// Filter returns what was read.
func (q *AssetQuery) Filter() *query.Filter { return q.filter }

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

// Has reports whether a word is in the name or the key, or whether the asset's node is at a path.
func (a *askedAsset) Has(w *query.Word) bool {
	if holds, isPath := a.q.paths.hold(w, a.Node); isPath {
		return holds
	}
	return w.In(a.known.Name) || w.In(a.Key)
}

// Meets tests what is known of the asset, or the field of its node with the name of the column.
func (a *askedAsset) Meets(column int, t *query.Test) (met, any bool) {
	if v := a.value(column); v != nil {
		met, any = t.Met(v), true
	}
	if !met && a.Node != nil {
		m, there := meetsField(a.Node, assetColumns, a.q.filter, column, t)
		met, any = m, any || there
	}
	return met, any
}

// value is what is known of the asset; nil if nothing is, as of a field.
func (a *askedAsset) value(column int) any {
	switch key := len(assetColumns.Columns) - 1; {
	case column > key:
	case column == key:
		return a.Key
	case column != archive.Checksum:
		return a.known.Cell(column)
	case a.Verify != nil:
		if v, _, err := a.Verify(a.ctx); err == nil {
			return v.String()
		}
	}
	return nil
}
