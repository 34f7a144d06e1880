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
func (f *File) describeNode(n *model.Node) (model.Thing, bool) {
	tpu, ok := ParseTPU(n.Key)
	if n.Parent != f.assets.node || !ok {
		return model.Thing{}, false
	}
	t := model.Thing{Kind: "asset", Group: typeName(tpu.Type), Bytes: n.Size}
	if f.entries.n <= shownAmong {
		t.Content = func(ctx context.Context) (any, error) { return f.view(ctx, f.assets.record(n.Index)) }
	}
	return t, true
}

// view returns what the asset of the i-th index entry shows, if it is of a kind that is shown.
func (f *File) view(ctx context.Context, i int) (any, error) {
	p := payloads{f}.At(i)
	if !content.Shown(p.MediaType) || p.Size > shownMax || p.Problem != "" {
		return nil, nil
	}
	src, err := p.Nested(ctx, f.Source, shownMax)
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
func (f *File) table(context.Context) (*model.Table, error) {
	number := func(name string) model.Column { return model.Column{Name: name, Type: "integer", Numeric: true} }
	purpose := number("purpose")
	purpose.Class = true
	t := &model.Table{Rows: int64(f.entries.n), Columns: []model.Column{{Name: "TPU", Type: "TPU"},
		{Name: "type", Type: "type"}, purpose, number("unique"), number("size"), number("location"),
		number("compression")}}
	if f.Layout.hasMemorySize() {
		t.Columns = append(t.Columns, number("memory size"))
	}
	t.Cell = func(row int64, column int) any {
		x := f.entries.at(int(row))
		return cells[column](&x)
	}
	t.Path = func(row int64) model.Path { return f.entryPath(int(row)) }
	t.Scan = func(ctx context.Context, columns []int, each func(int64, []any) error) error {
		row := make([]any, len(columns))
		s := f.entries.scan(0, f.entries.n)
		for s.Next(ctx) {
			for k, c := range columns {
				row[k] = cells[c](&s.Entry)
			}
			if err := each(int64(s.Index), row); err != nil {
				return err
			}
		}
		return s.Err
	}
	return t, nil
}

// byType groups the index by the assets' types.
func (f *File) byType(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by type", func(t TPU) uint16 { return t.Type }, typeLabel)
}

// byPurpose groups the index by what the assets are for.
func (f *File) byPurpose(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by purpose", func(t TPU) uint16 { return t.Purpose },
		func(id uint16) string { return fmt.Sprintf("%04X", id) })
}

// group makes a tree of the index entries by an id: a group for each, with leaves that lead to the entries.
func (f *File) group(ctx context.Context, name string, id func(TPU) uint16,
	label func(uint16) string) (*model.Node, error) {
	groups := make([][]uint32, 1<<16) // of each id the entries
	s := f.entries.scan(0, f.entries.n)
	for s.Next(ctx) {
		v := id(s.Entry.TPU)
		groups[v] = append(groups[v], uint32(s.Index))
	}
	if s.Err != nil {
		return nil, s.Err
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

func (f *File) groupNode(name string, entries []uint32) *model.Node {
	g := &model.Node{Name: name, Type: "IndexEntry[]", Key: name, Span: f.index.span,
		Symbols: model.Symbol(fmt.Sprintf("%d entries", len(entries)))}
	g.SetChildren(&model.Elements{Count: len(entries), Make: func(k int) *model.Node {
		i := int(entries[k])
		x := f.entries.at(i)
		key := x.TPU.String()
		n := &model.Node{Type: "IndexEntry", Key: key, Span: f.entries.span(i), Symbols: model.Symbol(key), Parent: g,
			Link: &model.Link{Key: key,
				Target: func() (model.Path, bool) { return f.entryPath(i), true }}}
		n.SetLabel(func() string { return f.Label(i) })
		return n
	}})
	return g
}
