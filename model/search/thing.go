package search

import (
	"context"
	"path"
	"strings"
	"time"

	"assay/model"
	"assay/model/find"
	"assay/model/folder"
	"assay/model/query"
)

// The columns of files, assets and nodes that conditions are about.
const (
	nameColumn = iota
	typeColumn
	keyColumn
	sizeColumn
	packedColumn
	offsetColumn
	modifiedColumn
	formColumn
	checksumColumn
	valueColumn
)

var columns = []query.Column{
	nameColumn:     {Name: "name"},
	typeColumn:     {Name: "type"},
	keyColumn:      {Name: "key"},
	sizeColumn:     {Name: "size", Kind: query.Size},
	packedColumn:   {Name: "packed", Kind: query.Size},
	offsetColumn:   {Name: "offset", Kind: query.Number},
	modifiedColumn: {Name: "modified", Kind: query.Time},
	formColumn:     {Name: "form"},
	checksumColumn: {Name: "checksum", Values: []string{model.Unrecorded.String(), model.Valid.String(),
		model.Invalid.String(), model.Unknown.String()}},
	valueColumn: {Name: "value"},
}

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
	ctx    context.Context
	name   string
	kind   string
	key    string
	size   int64 // -1: unknown
	packed int64 // -1: it is not packed
	offset int64 // -1: it is nowhere
	time   time.Time
	form   string
	asset  *model.Payload // nil unless it is one
	node   *model.Node    // with its fields; may be nil
	filter *query.Filter  // names the fields
	values bool           // words may be in a value, too
}

var _ query.Thing = (*thing)(nil)

func fileThing(e *folder.Entry) *thing {
	return &thing{name: e.Name, kind: strings.TrimPrefix(path.Ext(e.Name), "."), size: e.Size, packed: -1, offset: -1,
		time: e.ModTime}
}

func assetThing(ctx context.Context, p *model.Payload) *thing {
	t := &thing{ctx: ctx, name: p.Name, kind: p.Type, key: p.Key, size: p.Size, packed: -1, offset: p.Stored.Offset,
		time: p.ModTime, form: "plain", asset: p, node: p.Node}
	if p.Codec != "" {
		t.form, t.packed = p.Codec, p.Stored.Size
	} else if p.Size < 0 {
		t.size = p.Stored.Size
	}
	return t
}

func nodeThing(ctx context.Context, n *model.Node) *thing {
	return &thing{ctx: ctx, name: n.CallName(), kind: n.Type, key: n.Key, size: -1, packed: -1, offset: n.Offset,
		node: n}
}

// Has reports whether a word is in a name; of values, also in a type, a key or the value.
func (t *thing) Has(w *query.Word) bool {
	if w.In(t.name) {
		return true
	}
	if !t.values {
		return false
	}
	if w.In(t.kind) || w.In(t.key) {
		return true
	}
	if t.node == nil || t.asset != nil {
		return false
	}
	return w.In(t.node.Name) || w.In(t.node.Symbol()) || w.In(find.ValueText(t.node))
}

// Meets reports whether a value meets a test, and whether there is one.
func (t *thing) Meets(column int, test *query.Test) (met, any bool) {
	switch column {
	case nameColumn:
		return test.Met(t.name), t.name != ""
	case typeColumn:
		return test.Met(t.kind), t.kind != ""
	case keyColumn:
		return test.Met(t.key), t.key != ""
	case packedColumn:
		return t.packed >= 0 && test.Met(t.packed), t.packed >= 0
	case offsetColumn:
		return t.offset >= 0 && test.Met(t.offset), t.offset >= 0
	case modifiedColumn:
		return !t.time.IsZero() && test.Met(t.time.UTC().Format(time.DateTime)), !t.time.IsZero()
	case formColumn:
		return test.Met(t.form), t.form != ""
	case checksumColumn:
		return t.checked(test)
	case valueColumn:
		if t.node == nil || t.node.Value == nil || t.asset != nil {
			return false, false
		}
		return meets(test, t.node), true
	case sizeColumn:
		if t.size >= 0 {
			return test.Met(t.size), true
		}
		return t.field("size", test)
	}
	return t.field(t.filter.Field(column), test)
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
	for _, v := range []model.Verdict{model.Unrecorded, model.Valid, model.Invalid, model.Unknown} {
		possible = possible || test.Met(v.String())
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
