package find

import (
	"context"
	"strings"
	"time"

	"assay/model"
	"assay/model/query"
)

// assetColumns are what a filter can ask of every asset; any other name is that of a field of its node.
var assetColumns = &query.List{Fields: true, Columns: []query.Column{
	assetName: {Name: "name"}, assetKey: {Name: "key"}, assetType: {Name: "type"},
	assetSize: {Name: "size", Kind: query.Size}, assetPacked: {Name: "packed", Kind: query.Size},
	assetModified: {Name: "modified", Kind: query.Time}, assetForm: {Name: "form"},
	assetChecksum: {Name: "checksum", Names: model.Checksums, Values: []string{"valid", "invalid"}},
}}

const (
	assetName = iota
	assetKey
	assetType
	assetSize
	assetPacked
	assetModified
	assetForm
	assetChecksum
)

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
	return q.filter.Match(&askedAsset{q, ctx, p})
}

// askedAsset is an asset that a filter asks for what is known of it.
type askedAsset struct {
	q   *AssetQuery
	ctx context.Context
	*model.Payload
}

// Has reports whether a word is in the name or the key, or whether the asset's node is at a path.
func (a *askedAsset) Has(w *query.Word) bool {
	if holds, isPath := a.q.paths.hold(w, a.Node); isPath {
		return holds
	}
	return w.In(strings.ReplaceAll(a.Name, `\`, "/")) || w.In(a.Key)
}

// Meets tests what is known of the asset, or the field of its node with the name of the column.
func (a *askedAsset) Meets(column int, t *query.Test) (met, any bool) {
	if column < len(assetColumns.Columns) {
		if v := a.value(column); v != nil {
			met, any = t.Met(v), true
		}
	}
	if !met && a.Node != nil {
		m, there := meetsField(a.Node, assetColumns, a.q.filter, column, t)
		met, any = m, any || there
	}
	return met, any
}

// value is what is known of the asset; nil if nothing is.
func (a *askedAsset) value(column int) any {
	switch column {
	case assetName:
		return a.Name
	case assetKey:
		return a.Key
	case assetType:
		return a.Type
	case assetSize:
		if a.Size >= 0 {
			return a.Size
		}
	case assetPacked:
		return a.Stored.Size
	case assetModified:
		if !a.ModTime.IsZero() {
			return a.ModTime.UTC().Format(time.DateTime)
		}
	case assetForm:
		if a.Codec == "" {
			return "plain"
		}
		return a.Codec
	case assetChecksum:
		if a.Verify != nil {
			if v, _, err := a.Verify(a.ctx); err == nil {
				return v.String()
			}
		}
	}
	return nil
}
