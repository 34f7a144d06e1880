package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/query"
)

// Group is a folder, or the assets with the same cell in a column.
type Group struct {
	Name   string
	Parent int   // -1 for the root
	Groups []int // in it
	Count  int   // of the assets in it and below
	Size   int64 // of their contents, as far as recorded
	Known  int   // assets with a recorded size
	Stored int64

	from, ownEnd, to int // its own assets, then its groups' assets, in the order of the tree
}

// Tree is groups of an archive's assets. The first one is the root.
type Tree struct {
	Groups  []Group
	order   query.Order
	groupOf []int32 // the group of each asset
}

// maxDepth bounds the depth of folders: deeper ones are put into the last one.
const maxDepth = 64

// Folders returns the folders that the names of the assets make.
func (a *Archive) Folders(ctx context.Context) (*Tree, error) {
	b := newBuilder(len(a.entries))
	groups := map[string]int32{"": 0}
	last, group := "", int32(0)
	for i := range a.entries {
		if i%8192 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name := strings.TrimRight(a.entries[i].name, "/")
		folder := name[:max(0, strings.LastIndexByte(name, '/'))]
		if folder != last {
			last, group = folder, b.folder(groups, folder)
		}
		b.groupOf[i] = group
	}
	return b.tree(a), ctx.Err()
}

// GroupBy returns the assets grouped by the cells of a column.
func (a *Archive) GroupBy(ctx context.Context, column int) (*Tree, error) {
	b := newBuilder(len(a.entries))
	groups := make(map[any]int32)
	err := a.scan(ctx, []int{column}, func(row int64, cells []any) error {
		g, ok := groups[cells[0]]
		if !ok {
			name := "none"
			if cells[0] != nil {
				name = model.FormatValue(cells[0])
			}
			g = b.add(name, 0)
			groups[cells[0]] = g
		}
		b.groupOf[row] = g
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.tree(a), nil
}

// RootTree returns a tree of the root alone.
func (a *Archive) RootTree() *Tree { return newBuilder(len(a.entries)).tree(a) }

type builder struct {
	groups  []Group
	groupOf []int32          // the group of each asset
	paths   map[string]int32 // folders by their paths, each part after a slash
}

func newBuilder(n int) *builder {
	return &builder{groups: []Group{{Parent: -1}}, groupOf: make([]int32, n), paths: make(map[string]int32)}
}

func (b *builder) add(name string, parent int32) int32 {
	n := len(b.groups)
	b.groups = append(b.groups, Group{Name: name, Parent: int(parent)})
	b.groups[parent].Groups = append(b.groups[parent].Groups, n)
	return int32(n)
}

// folder returns the group of a path, and creates missing groups.
func (b *builder) folder(groups map[string]int32, path string) int32 {
	if g, ok := groups[path]; ok {
		return g
	}
	group, folder := int32(0), ""
	for i, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' }) {
		if i == maxDepth {
			break
		}
		if part == "." {
			continue
		}
		folder += "/" + part
		g, ok := b.paths[folder]
		if !ok {
			g = b.add(part, group)
			b.paths[folder] = g
		}
		group = g
	}
	groups[path] = group
	return group
}

// tree sorts the groups by their names and the assets into them.
func (b *builder) tree(a *Archive) *Tree {
	t := &Tree{Groups: b.groups, order: make(query.Order, len(b.groupOf)), groupOf: b.groupOf}
	counts := make([]int, len(b.groups))
	for i, g := range b.groupOf {
		counts[g]++
		e := &a.entries[i]
		if t.Groups[g].Stored += e.stored; e.size >= 0 {
			t.Groups[g].Size += e.size
			t.Groups[g].Known++
		}
	}
	index := 0
	var addGroup func(g int)
	addGroup = func(g int) { // no deeper than maxDepth
		group := &t.Groups[g]
		slices.SortFunc(group.Groups, func(x, y int) int {
			return cmp.Or(model.CompareNames(b.groups[x].Name, b.groups[y].Name), cmp.Compare(x, y))
		})
		group.from = index
		index += counts[g]
		group.ownEnd = index
		for _, child := range group.Groups {
			addGroup(child)
			t.Groups[g].Size += t.Groups[child].Size
			t.Groups[g].Known += t.Groups[child].Known
			t.Groups[g].Stored += t.Groups[child].Stored
		}
		t.Groups[g].to, t.Groups[g].Count = index, index-t.Groups[g].from
	}
	addGroup(0)
	next := make([]int, len(b.groups))
	for g := range t.Groups {
		next[g] = t.Groups[g].from
	}
	for i, g := range b.groupOf {
		t.order[next[g]] = uint32(i)
		next[g]++
	}
	return t
}

// AssetsIn returns the assets directly in a group.
func (t *Tree) AssetsIn(g int) query.Order { return t.order[t.Groups[g].from:t.Groups[g].ownEnd] }

// AssetsBelow returns the assets in a group and in those below it.
func (t *Tree) AssetsBelow(g int) query.Order { return t.order[t.Groups[g].from:t.Groups[g].to] }

// GroupOf returns the group that an asset is in.
func (t *Tree) GroupOf(asset int) int { return int(t.groupOf[asset]) }

// Find returns the group with the names of another tree's group from the root down, as far as it exists.
func (t *Tree) Find(names []string) int {
	index := 0
	for _, name := range names {
		i := slices.IndexFunc(t.Groups[index].Groups, func(g int) bool { return t.Groups[g].Name == name })
		if i < 0 {
			break
		}
		index = t.Groups[index].Groups[i]
	}
	return index
}

// FirstBranch returns the first group, from the root down, that has assets or several groups.
func (t *Tree) FirstBranch() int {
	index := 0
	for len(t.Groups[index].Groups) == 1 && len(t.AssetsIn(index)) == 0 {
		index = t.Groups[index].Groups[0]
	}
	return index
}

// Names returns the names on the way from the root to a group.
func (t *Tree) Names(g int) []string {
	var names []string
	for ; g > 0; g = t.Groups[g].Parent {
		names = append(names, t.Groups[g].Name)
	}
	slices.Reverse(names)
	return names
}
