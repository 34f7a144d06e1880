package find

import (
	"context"
	"errors"

	"assay/model"
)

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// Kept is what a filter leaves of a node's children.
type Kept struct {
	Index []int32         // the children that are left, in order
	Below map[int32]*Kept // of a child: what is left below it; a child without one matches by itself, with all below
}

// Filtered is what a filter leaves of a tree.
type Filtered struct {
	Kept    *Kept // nil if nothing matches
	Matches int   // nodes that match
	More    bool  // there are more matches than were asked for
}

// Filter keeps the nodes below root that match, and what they are in; at most limit matches.
func Filter(ctx context.Context, root *model.Node, match func(*model.Node) bool, limit int, size int64, progress model.Progress) (Filtered, error) {
	type level struct {
		kept  *Kept
		index int32
		match bool
	}
	var way []level // the open nodes from the root down
	var f Filtered
	top := &Kept{}
	seen := 0
	err := model.Walk(root, func(n *model.Node) (bool, error) {
		if seen++; seen%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if progress != nil {
				progress(min(n.Offset, size), size)
			}
		}
		if len(way) == 0 {
			way = append(way, level{kept: top})
			return true, nil
		}
		l := level{index: int32(n.Index), match: match(n)}
		if l.match {
			if f.Matches == limit {
				f.More = true
				return false, errEnough
			}
			f.Matches++
		}
		way = append(way, l)
		return true, nil
	}, func(*model.Node) error {
		k := len(way) - 1
		l := way[k]
		way = way[:k]
		if k > 0 && (l.match || l.kept != nil) {
			keep(&way[k-1].kept, l.index, l.kept)
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		for k := len(way) - 1; k > 0; k-- { // what was open has matches below, too
			if l := way[k]; l.match || l.kept != nil {
				keep(&way[k-1].kept, l.index, l.kept)
			}
		}
		err = nil
	}
	if err != nil {
		return Filtered{}, err
	}
	if len(top.Index) > 0 {
		f.Kept = top
	}
	return f, nil
}

func keep(in **Kept, index int32, below *Kept) {
	if *in == nil {
		*in = &Kept{}
	}
	k := *in
	k.Index = append(k.Index, index)
	if below != nil {
		if k.Below == nil {
			k.Below = make(map[int32]*Kept)
		}
		k.Below[index] = below
	}
}
