package ppac

import (
	"context"
	"fmt"

	"assay/model"
)

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
	ids := make([]uint16, 0, f.index.n)
	err := f.each(ctx, 0, f.index.n, func(_ int, ent *Entry) bool {
		ids = append(ids, id(ent.TPU))
		return true
	})
	if err != nil {
		return nil, err
	}
	ends := make([]int, 1<<16+1) // where each id's entries begin in order, then where they end
	for _, v := range ids {
		ends[int(v)+1]++
	}
	for i := range 1 << 16 {
		ends[i+1] += ends[i]
	}
	order := make([]uint32, len(ids))
	for i, v := range ids {
		order[ends[v]] = uint32(i)
		ends[v]++
	}
	root := &model.Node{Name: name, Type: "Index", Span: f.index.span}
	var groups model.List
	from := 0
	for v := range 1 << 16 {
		if ends[v] == from {
			continue
		}
		groups = append(groups, f.groupNode(label(uint16(v)), order[from:ends[v]]))
		from = ends[v]
	}
	root.SetChildren(groups)
	return root, nil
}

func (f *file) groupNode(name string, entries []uint32) *model.Node {
	g := &model.Node{Name: name, Type: "IndexEntry[]", Key: name, Span: f.index.span,
		Symbols: model.Symbol(fmt.Sprintf("%d entries", len(entries)))}
	g.SetChildren(&model.Elements{Count: len(entries), Make: func(k int) *model.Node {
		i := int(entries[k])
		ent := f.entry(i)
		key := ent.TPU.String()
		n := &model.Node{Type: "IndexEntry", Key: key, Span: f.record(i), Symbols: model.Symbol(key), Parent: g,
			Link: &model.Link{Key: key,
				Target: func() (model.Path, bool) { return append(f.index.entries.Path(), i), true }}}
		n.SetLabel(func() string { return f.label(i) })
		return n
	}})
	return g
}
