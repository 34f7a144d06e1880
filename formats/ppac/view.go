package ppac

import (
	"context"
	"fmt"

	"assay/model"
	"assay/model/content"
)

const (
	shownAmong = 100_000  // entries of a container whose assets are looked at where they changed
	shownMax   = 16 << 20 // bytes of one of them
)

// describeNode says that the content of an entry is an asset to people, of which type, and what it shows.
func (f *file) describeNode(n *model.Node) (model.Thing, bool) {
	tpu, ok := ParseTPU(n.Key)
	if n.Parent != f.assetList || !ok {
		return model.Thing{}, false
	}
	t := model.Thing{Kind: "asset", Group: typeName(tpu.Type), Bytes: n.Size}
	if key := n.Key; f.index.n <= shownAmong {
		t.Content = func(ctx context.Context) (any, error) { return f.view(ctx, key) }
	}
	return t, true
}

// view returns what an asset shows, if it is of a kind that is shown.
func (f *file) view(ctx context.Context, key string) (any, error) {
	path, ok := f.findKey(key)
	if !ok {
		return nil, nil
	}
	p := payloads{f}.At(path[len(path)-1])
	if !content.Shown(p.MediaType) || p.Size > shownMax || p.Problem != "" {
		return nil, nil
	}
	src, err := p.Nested(ctx, f.src, shownMax)
	if err != nil {
		return nil, err
	}
	return content.View(ctx, src)
}

// cells are the values of an index entry that the columns of the table show.
var cells = []func(x *Entry) any{
	func(x *Entry) any { return x.TPU.String() },
	func(x *Entry) any { return typeLabel(x.Type) },
	func(x *Entry) any { return uint64(x.Purpose) },
	func(x *Entry) any { return uint64(x.Unique) },
	func(x *Entry) any { return x.Size },
	func(x *Entry) any { return x.Location },
	func(x *Entry) any { return uint64(x.Compression) },
	func(x *Entry) any { return x.MemorySize },
}

// table returns the index as rows and columns, to sort and to filter.
func (f *file) table(context.Context) (*model.Table, error) {
	number := func(name string) model.Column { return model.Column{Name: name, Type: "integer", Numeric: true} }
	purpose := number("purpose")
	purpose.Class = true
	t := &model.Table{Rows: int64(f.index.n), Columns: []model.Column{{Name: "TPU", Type: "TPU"},
		{Name: "type", Type: "type"}, purpose, number("unique"), number("size"), number("location"),
		number("compression")}}
	if f.layout.hasMemorySize() {
		t.Columns = append(t.Columns, number("memory size"))
	}
	t.Cell = func(row int64, column int) any {
		x := f.entry(int(row))
		return cells[column](&x)
	}
	t.Path = func(row int64) model.Path { return append(f.index.entries.Path(), int(row)) }
	t.Scan = func(ctx context.Context, columns []int, each func(int64, []any) error) error {
		row := make([]any, len(columns))
		return f.scan(ctx, 0, f.index.n, func(i int, x *Entry) error {
			for k, c := range columns {
				row[k] = cells[c](x)
			}
			return each(int64(i), row)
		})
	}
	return t, nil
}

// byType groups the index by the assets' types.
func (f *file) byType(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by type", func(t TPU) uint16 { return t.Type }, typeLabel)
}

// byPurpose groups the index by what the assets are for.
func (f *file) byPurpose(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by purpose", func(t TPU) uint16 { return t.Purpose },
		func(id uint16) string { return fmt.Sprintf("%04X", id) })
}

// group makes a tree of the index entries by an id: a group for each, with leaves that lead to the entries.
func (f *file) group(ctx context.Context, name string, id func(TPU) uint16,
	label func(uint16) string) (*model.Node, error) {
	groups := make([][]uint32, 1<<16) // of each id the entries
	err := f.each(ctx, 0, f.index.n, func(i int, x *Entry) bool {
		groups[id(x.TPU)] = append(groups[id(x.TPU)], uint32(i))
		return true
	})
	if err != nil {
		return nil, err
	}
	root := &model.Node{Name: name, Type: "Index", Span: f.index.span}
	var nodes model.List
	for v, entries := range groups {
		if len(entries) > 0 {
			nodes = append(nodes, f.groupNode(label(uint16(v)), entries))
		}
	}
	root.SetChildren(nodes)
	return root, nil
}

func (f *file) groupNode(name string, entries []uint32) *model.Node {
	g := &model.Node{Name: name, Type: "IndexEntry[]", Key: name, Span: f.index.span,
		Symbols: model.Symbol(fmt.Sprintf("%d entries", len(entries)))}
	g.SetChildren(&model.Elements{Count: len(entries), Make: func(k int) *model.Node {
		i := int(entries[k])
		x := f.entry(i)
		key := x.TPU.String()
		n := &model.Node{Type: "IndexEntry", Key: key, Span: f.entrySpan(i), Symbols: model.Symbol(key), Parent: g,
			Link: &model.Link{Key: key,
				Target: func() (model.Path, bool) { return append(f.index.entries.Path(), i), true }}}
		n.SetLabel(func() string { return f.label(i) })
		return n
	}})
	return g
}
