package find

import (
	"context"
	"errors"
	"maps"
	"slices"

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

// Told is what hears of a filter that goes on. All of it may be left out.
type Told struct {
	Size     int64 // of the file, whose bytes Progress counts
	Progress model.Progress
	Found    func(Filtered) // what has been found so far, each time that twice as many nodes have been looked at
}

const foundFirst = 1 << 16 // nodes after which Found is called first

// Filter keeps the nodes below root that match, and what they are in; at most limit matches.
func Filter(ctx context.Context, root *model.Node, match func(*model.Node) bool, limit int, told Told) (Filtered,
	error) {
	f := filter{match: match, limit: limit}
	seen, next, before := 0, foundFirst, 0
	err := model.Scan(root, func(n *model.Node) (bool, error) {
		if seen++; seen%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if told.Progress != nil {
				told.Progress(min(n.Offset, told.Size), told.Size)
			}
		}
		if seen == next {
			next *= 2
			if told.Found != nil && f.matches > before {
				before = f.matches
				told.Found(f.found())
			}
		}
		return f.enter(n)
	}, f.leave, nil)
	if err != nil && !errors.Is(err, errEnough) {
		return Filtered{}, err
	}
	return f.found(), nil
}

// filter is one that goes on.
type filter struct {
	match   func(*model.Node) bool
	limit   int
	matches int
	more    bool
	way     []level // the open nodes from the root down
	top     *Kept   // of the root, once that is closed
}

// level is an open node.
type level struct {
	kept  *Kept
	index int32
	match bool
}

func (f *filter) enter(n *model.Node) (bool, error) {
	l := level{index: int32(n.Index)}
	if len(f.way) > 0 {
		l.match = f.match(n)
	}
	if l.match {
		if f.matches == f.limit {
			f.more = true
			return false, errEnough
		}
		f.matches++
	}
	f.way = append(f.way, l)
	return true, nil
}

func (f *filter) leave(*model.Node) error {
	k := len(f.way) - 1
	l := f.way[k]
	f.way = f.way[:k]
	switch {
	case k == 0:
		f.top = l.kept
	case l.match || l.kept != nil:
		keep(&f.way[k-1].kept, l.index, l.kept)
	}
	return nil
}

// found is what is left so far. It shares what is closed and changes no more.
func (f *filter) found() Filtered {
	kept := f.top
	for k := len(f.way) - 1; k >= 0; k-- {
		here := f.way[k].kept.clone()
		if k+1 < len(f.way) {
			if below := f.way[k+1]; below.match || kept != nil {
				keep(&here, below.index, kept)
			}
		}
		kept = here
	}
	return Filtered{Kept: kept, Matches: f.matches, More: f.more}
}

func (k *Kept) clone() *Kept {
	if k == nil {
		return nil
	}
	return &Kept{Index: slices.Clone(k.Index), Below: maps.Clone(k.Below)}
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
