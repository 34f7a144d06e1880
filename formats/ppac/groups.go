package ppac

import (
	"context"
	"encoding/binary"
	"fmt"

	"assay/model"
)

// byType groups the index by the assets' types.
func (f *file) byType(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by type", func(t TPU) uint16 { return t.Type }, typeLabel)
}

// byPurpose groups the index by what the assets are for.
func (f *file) byPurpose(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by purpose", func(t TPU) uint16 { return t.Purpose }, func(id uint16) string { return fmt.Sprintf("%04X", id) })
}

// group makes a tree of the index entries by an id: a group for each, with leaves that lead to the entries.
func (f *file) group(ctx context.Context, name string, id func(TPU) uint16, label func(uint16) string) (*model.Node, error) {
	ids := func(fn func(i int, id uint16)) error {
		return f.each(ctx, func(i int, record []byte) bool {
			fn(i, id(tpuOf(binary.BigEndian.Uint64(record))))
			return true
		})
	}
	ends := make([]int, 1<<16+1) // where each id's entries begin in order, then where they end
	if err := ids(func(_ int, id uint16) { ends[int(id)+1]++ }); err != nil {
		return nil, err
	}
	for i := range 1 << 16 {
		ends[i+1] += ends[i]
	}
	order := make([]uint32, f.index.n)
	if err := ids(func(i int, id uint16) {
		order[ends[id]] = uint32(i)
		ends[id]++
	}); err != nil {
		return nil, err
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
	g := &model.Node{Name: name, Type: "IndexEntry[]", Key: name, Symbol: fmt.Sprintf("%d entries", len(entries)), Span: f.index.span}
	g.SetChildren(&model.Elements{Count: len(entries), Make: func(k int) *model.Node {
		i := int(entries[k])
		key := f.entry(i).TPU.String()
		return &model.Node{Type: "IndexEntry", Key: key, Span: f.record(i), Symbol: key, Parent: g,
			Link: &model.Link{Key: key, Target: func() (model.Path, bool) { return append(f.index.entries.Path(), i), true }}}
	}})
	return g
}
