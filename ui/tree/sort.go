package tree

import (
	"cmp"
	"context"
	"slices"

	"assay/model"
	"assay/ui/rows"
)

// Column is a column of the tree.
type Column int

// The columns.
const (
	Name Column = iota
	Value
	Type
	Offset
	Size
)

// sortMax is the longest level that is sorted.
const sortMax = 2_000_000

// sortNow is the longest level that is sorted where it is opened; longer ones are sorted in the background.
const sortNow = 2_000

// sortKey is what a child is compared by.
type sortKey struct {
	text   string
	number float64
	whole  int64
	index  int32
	class  uint8 // 0 numbers, 1 texts, 2 nothing
}

// sorted returns the order of a node's children by a column.
func sorted(ctx context.Context, n *model.Node, column Column, order rows.Order) ([]int32, error) {
	keys := make([]sortKey, n.Len())
	for i := range keys {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		keys[i] = keyOf(n.Child(i), column)
		keys[i].index = int32(i)
	}
	compare := func(a, b sortKey) int {
		if c := cmp.Compare(a.class, b.class); c != 0 { // what has no value is last either way
			return c
		}
		c := cmp.Compare(a.whole, b.whole)
		if a.class == 0 {
			if column == Value {
				c = cmp.Compare(a.number, b.number)
			}
		} else {
			c = model.CompareNames(a.text, b.text)
		}
		if order == rows.Descending {
			c = -c
		}
		if c == 0 {
			c = cmp.Compare(a.index, b.index)
		}
		return c
	}
	slices.SortFunc(keys, compare)
	out := make([]int32, len(keys))
	for i, k := range keys {
		out[i] = k.index
	}
	return out, ctx.Err()
}

func keyOf(n *model.Node, column Column) sortKey {
	switch column {
	case Offset:
		return sortKey{whole: n.Offset}
	case Size:
		return sortKey{whole: n.Size}
	case Type:
		return sortKey{class: 1, text: n.Type}
	case Value:
		switch v := n.Value.(type) {
		case int64:
			return sortKey{number: float64(v)}
		case uint64:
			return sortKey{number: float64(v)}
		case float32:
			return sortKey{number: float64(v)}
		case float64:
			return sortKey{number: v}
		}
		if t := n.ValueText(); t != "" {
			return sortKey{class: 1, text: t}
		}
		if n.Key != "" {
			return sortKey{class: 1, text: n.Key}
		}
		return sortKey{class: 2}
	}
	return sortKey{class: 1, text: n.Name}
}
