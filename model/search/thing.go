package search

import (
	"context"
	"path"
	"strings"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
	"assay/model/folder"
	"assay/model/query"
)

// columns are those of files, assets and nodes that conditions are about: those of assets, then keyColumn and so on.
var columns = func() []query.Column {
	all := find.AssetColumns(query.Column{Name: "key"}, query.Column{Name: "offset", Kind: query.Number},
		query.Column{Name: "value"})
	sum := &all[archive.Checksum]
	sum.Names, sum.Values = nil, nil // their names are those of fields
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		sum.Values = append(sum.Values, v.String())
	}
	return all
}()

var keyColumn, offsetColumn, valueColumn = len(columns) - 3, len(columns) - 2, len(columns) - 1

// List describes what a filter for names or values is for; nil for what is searched in bytes.
func (k Kind) List() *query.List {
	switch k {
	case Names, Values:
		return &query.List{Columns: columns, Fields: k == Values}
	}
	return nil
}

// thing is a file, an asset or a node, for a filter.
type thing struct {
	ctx context.Context
	archive.Asset
	key    string
	offset int64          // -1: it is nowhere
	asset  *model.Payload // nil unless it is one
	node   *model.Node    // with its fields; may be nil
	filter *query.Filter  // names the fields
	values bool           // words may be in a value, too
}

var _ query.Thing = (*thing)(nil)

func fileThing(e *folder.Entry) *thing {
	return &thing{Asset: archive.Asset{Name: e.Name, Type: strings.TrimPrefix(path.Ext(e.Name), "."), Size: e.Size,
		Stored: -1, Modified: e.ModTime.Unix()}, offset: -1}
}

func assetThing(ctx context.Context, p *model.Payload) *thing {
	return &thing{ctx: ctx, Asset: archive.AssetOf(p), key: p.Key, offset: p.Stored.Offset, asset: p, node: p.Node}
}

func nodeThing(ctx context.Context, n *model.Node) *thing {
	return &thing{ctx: ctx, Asset: archive.Asset{Name: n.CallName(), Type: n.Type, Size: n.Size, Stored: -1},
		key: n.Key, offset: n.Offset, node: n}
}

// Has reports whether a word is in a name; of values, also in a type, a key or the value.
func (t *thing) Has(w *query.Word) bool {
	if w.In(t.Name) {
		return true
	}
	if !t.values {
		return false
	}
	if w.In(t.Type) || w.In(t.key) {
		return true
	}
	if t.node == nil || t.asset != nil {
		return false
	}
	return w.In(t.node.Name) || w.In(t.node.Symbol()) || w.In(find.ValueText(t.node))
}

// Meets reports whether a value meets a test, and whether there is one. Of values it may be that of a field with the
// name of the column, as in the tree.
func (t *thing) Meets(column int, test *query.Test) (met, any bool) {
	switch {
	case column >= len(columns):
		return t.field(t.filter.Field(column), test)
	case column == archive.Checksum:
		return t.checked(test)
	case column == keyColumn:
		return test.Met(t.key), t.key != ""
	case column == offsetColumn:
		return t.offset >= 0 && test.Met(t.offset), t.offset >= 0
	case column == valueColumn:
		if t.node == nil || t.node.Value == nil || t.asset != nil {
			return false, false
		}
		return meets(test, t.node), true
	}
	if v := t.Cell(column); v != nil {
		met, any = test.Met(v), true
	}
	if !met && t.values {
		m, there := t.field(columns[column].Name, test)
		met, any = m, any || there
	}
	return met, any
}

// meets reports whether a value, or its name, meets a test.
func meets(test *query.Test, n *model.Node) bool {
	if symbol := n.Symbol(); symbol != "" && test.Met(symbol) {
		return true
	}
	return test.Met(n.Value)
}

// field tests a field of the thing. A checksum can be tested for what a comparison with it says.
func (t *thing) field(name string, test *query.Test) (met, any bool) {
	f := t.fieldNamed(name)
	if f == nil {
		return false, false
	}
	if meets(test, f) {
		return true, true
	}
	if f.Role == model.RoleSum && t.asset != nil {
		if met, any := t.checked(test); any {
			return met, true
		}
	}
	return false, true
}

// fieldNamed returns a field of the thing with a value by its name, whatever the case; nil if it has none.
func (t *thing) fieldNamed(name string) *model.Node {
	if t.node == nil {
		return nil
	}
	f := find.Field(t.node, name)
	if f == nil || f.Value == nil && f.Symbol() == "" {
		return nil
	}
	return f
}

// checked tests what a comparison of an asset with its recorded checksum says. The asset is read only if that can meet
// the test at all.
func (t *thing) checked(test *query.Test) (met, any bool) {
	if t.asset == nil {
		return false, false
	}
	possible := false
	for _, v := range columns[archive.Checksum].Values {
		possible = possible || test.Met(v)
	}
	if !possible {
		return false, true
	}
	v, _, err := t.asset.Check(t.ctx)
	if err != nil {
		v = model.Unknown
	}
	return test.Met(v.String()), true
}

// text says of a thing that was found what was asked for: the fields that conditions are about, or the value.
func (t *thing) text() string {
	var all []string
	for _, c := range t.filter.Columns() {
		if c < len(columns) {
			continue
		}
		if f := t.fieldNamed(t.filter.Field(c)); f != nil {
			all = append(all, f.Name+" = "+model.OneLine(f.ValueText(), textMost))
		}
	}
	if len(all) == 0 && t.node != nil && t.asset == nil {
		return model.OneLine(t.node.ValueText(), textMost)
	}
	return strings.Join(all, ", ")
}

// textMost is how many characters of a value are shown.
const textMost = 200
