// Package merge compares the changes of two versions of one file, finds conflicts, and writes the merged file: assets
// of a package, lines of a text, or one whole file.
package merge

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/changes"
)

// Change is the change of one item or value of a base file in two versions of it.
type Change struct {
	Path      string // in the base; for an added item, in its version
	Type, Key string
	State     State
	Lines     [3]*changes.Line // of mine and theirs; nil: unchanged
	// Nodes are the nodes of base, mine and theirs; nil if missing, and in an unchanged version.
	Nodes [3]*model.Node

	item string // path of the item that contains it, or ""
}

// setNodes keeps the nodes of a pair: of mine on side 0, of theirs on side 1.
func (c *Change) setNodes(side int, p *compare.Pair) {
	if p.Old != nil {
		c.Nodes[model.Base] = p.Old
	}
	c.Nodes[side+1] = p.New
}

// State names the version with the change.
type State uint8

// The states. Conflict: both changed it, and not in the same way.
const (
	OnlyMine State = iota
	OnlyTheirs
	BothSame
	BothDifferent // both changed an item, but different values of it
	Conflict
)

var stateNames = [...]string{"mine", "theirs", "same in both", "both", "conflict"}

// String returns the state in words.
func (s State) String() string { return stateNames[s] }

// MaxChanges is the largest number of changes that Changes lists.
const MaxChanges = 100_000

var errTooMany = errors.New("enough")

// Changes lists the differences of two comparisons with the same old document, in the order of that document, with new
// nodes last. complete is false if the list was cut off.
func Changes(ctx context.Context, mine, theirs *compare.Comparison) (all []Change, complete bool, err error) {
	indexes, blocks := make(map[string]int), changes.Blocks{MaxBytes: changes.MaxBlockBytes, AlignFiles: true}
	complete = true
	for side, c := range []*compare.Comparison{mine, theirs} {
		err := c.Rows(func(p *compare.Pair) (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if p.Status == compare.Changed && !p.Leaf() {
				return nil // the rows below it are listed
			}
			place := locationOf(p)
			i, known := indexes[place]
			if !known {
				if len(all) == MaxChanges {
					return errTooMany
				}
				i = len(all)
				indexes[place] = i
				n := p.Node()
				all = append(all, Change{Path: place, Type: n.Type, Key: n.Key, item: itemPath(c, p)})
			}
			l := changes.LineOf(p, &blocks)
			all[i].Lines[side+1] = &l
			all[i].setNodes(side, p)
			all[i].State, err = mergeState(ctx, &all[i], mine.New, theirs.New)
			return err
		})
		if errors.Is(err, errTooMany) {
			complete = false
		} else if err != nil {
			return nil, false, err
		}
	}
	markConflictsBelow(all, indexes)
	return all, complete, nil
}

// Items lists the differences by item: a row for each item that either version changed, then changes outside of items.
// If the old file is empty, because both versions were added, nodes of both are listed, too.
func Items(ctx context.Context, mine, theirs *compare.Comparison) (all []Change, complete bool, err error) {
	if mine.Old.Source.Size() == 0 {
		return mergeWithoutBase(ctx, mine.New, theirs.New)
	}
	rows, complete, err := Changes(ctx, mine, theirs)
	if err != nil {
		return nil, false, err
	}
	changed := [2]map[string]changedItem{}
	keys := make(map[string]bool)
	for side, c := range []*compare.Comparison{mine, theirs} {
		o, err := changes.Collect(ctx, c)
		if err != nil {
			return nil, false, err
		}
		changed[side] = make(map[string]changedItem)
		for _, t := range o.Items {
			p := c.At(t.Path)
			changed[side][locationOf(p)] = changedItem{t, p}
			for _, n := range []*model.Node{p.Old, p.New} {
				if n != nil && n.Key != "" {
					keys[n.Key] = true
				}
			}
		}
	}
	indexes := make(map[string]int)
	var unowned []Change
	for _, r := range rows {
		if r.item == "" {
			if r.Key == "" || !keys[r.Key] { // a node with the key of an item only refers to it
				unowned = append(unowned, r)
			}
			continue
		}
		i, known := indexes[r.item]
		if !known {
			i = len(all)
			indexes[r.item] = i
			all = append(all, Change{Path: r.item, State: r.State})
		}
		m := &all[i]
		for side := range changed {
			if m.Lines[side+1] == nil {
				m.Lines[side+1] = m.itemLine(changed[side], side, &r)
			}
		}
		m.State = joinStates(m.State, r.State)
	}
	return append(all, unowned...), complete, nil
}

type changedItem struct {
	changes.ItemChange
	pair *compare.Pair
}

// itemLine returns the change of a version in the item of c, which contains row r.
func (c *Change) itemLine(changed map[string]changedItem, side int, r *Change) *changes.Line {
	l := r.Lines[side+1]
	if l == nil {
		return nil
	}
	t, ok := changed[r.item]
	if !ok {
		c.Nodes[model.Base], c.Nodes[side+1] = r.Nodes[model.Base], r.Nodes[side+1]
		return l
	}
	c.setNodes(side, t.pair)
	c.Type, c.Key = t.Kind, t.Name
	change := strings.Join(t.Changes.Texts(), "; ")
	if t.OldName != "" {
		change = strings.TrimSuffix("now called "+t.Name+"; "+change, "; ")
		c.Key = t.OldName
	}
	return &changes.Line{Sign: t.Status.Sign(), Change: change}
}

// joinStates returns the state of an item with parts in two states.
func joinStates(a, b State) State {
	switch {
	case a == b:
		return a
	case a == Conflict || b == Conflict:
		return Conflict
	}
	return BothDifferent
}

// itemPath returns the path of the item of a row, or of the item that contains it.
func itemPath(c *compare.Comparison, p *compare.Pair) string {
	for ; p != nil; p = p.Parent() {
		if _, ok := c.ItemOf(p); ok {
			return locationOf(p)
		}
	}
	return ""
}

// locationOf returns the location of a row for both versions: its path in the old file; for a new node, its path and
// key.
func locationOf(p *compare.Pair) string {
	if p.Old != nil {
		return p.Old.PathText()
	}
	return p.New.PathText() + " " + p.New.Key
}

// mergeState returns which versions changed a row, and whether both changed it in the same way.
func mergeState(ctx context.Context, m *Change, mineDoc, theirsDoc *model.Document) (State, error) {
	mineNode, theirsNode := m.Nodes[model.Mine], m.Nodes[model.Theirs]
	mineLine, theirsLine := m.Lines[model.Mine], m.Lines[model.Theirs]
	switch {
	case theirsLine == nil:
		return OnlyMine, nil
	case mineLine == nil:
		return OnlyTheirs, nil
	case mineNode == nil && theirsNode == nil:
		return BothSame, nil
	case mineNode == nil || theirsNode == nil || mineLine.Sign != theirsLine.Sign || mineNode.Size != theirsNode.Size ||
		mineNode.Type != theirsNode.Type || mineNode.Key != theirsNode.Key ||
		mineLine.Sign == compare.Moved.Sign() && mineNode.PathText() != theirsNode.PathText():
		return Conflict, nil
	}
	offset, err := align.FirstDifference(ctx, mineDoc.Source, mineNode.Offset, theirsDoc.Source, theirsNode.Offset,
		mineNode.Size, nil)
	if err == nil && offset == mineNode.Size {
		return BothSame, nil
	}
	return Conflict, err
}

// markConflictsBelow finds changes of one version below a node that the other one removed.
func markConflictsBelow(all []Change, indexes map[string]int) {
	for i := range all {
		path := all[i].Path
		for k := len(path) - 1; k > 0; k-- {
			if path[k] != '/' {
				continue
			}
			up, ok := indexes[path[:k]]
			if !ok {
				continue
			}
			m, above := &all[i], &all[up]
			for v, other := range [...]model.Version{model.Mine: model.Theirs, model.Theirs: model.Mine} {
				l := above.Lines[v]
				if l != nil && l.Sign == compare.Removed.Sign() && m.Lines[other] != nil {
					m.State, above.State = Conflict, Conflict
				}
			}
		}
	}
}

// baselessMerge lists the nodes of two versions of a file without a base.
type baselessMerge struct {
	ctx         context.Context
	c           *compare.Comparison // of mine with theirs
	changes     map[string]string
	keys        map[string]bool // of items
	itemChanges []Change
	unowned     []Change // outside of items
	complete    bool
}

// mergeWithoutBase lists the nodes of both versions: the same in both, in one of them, or in conflict.
func mergeWithoutBase(ctx context.Context, mine, theirs *model.Document) (all []Change, complete bool, err error) {
	c, err := compare.Documents(ctx, mine, theirs, compare.Options{}, nil)
	if err != nil {
		return nil, false, err
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return nil, false, err
	}
	m := &baselessMerge{ctx: ctx, c: c, changes: make(map[string]string), keys: make(map[string]bool), complete: true}
	for _, t := range o.Items {
		m.changes[c.At(t.Path).Node().PathText()] = strings.Join(t.Changes.Texts(), "; ")
	}
	if c.BytesOnly || c.Root().Leaf() {
		m.add(c.Root(), "file")
	} else {
		m.addBelow(c.Root())
	}
	for _, r := range m.unowned {
		if r.Key == "" || !m.keys[r.Key] { // a node with the key of an item only refers to it
			m.itemChanges = append(m.itemChanges, r)
		}
	}
	return m.itemChanges, m.complete, ctx.Err()
}

// openPair is a pair with children to list; item means that it belongs to an item.
type openPair struct {
	p    *compare.Pair
	item bool
}

func (m *baselessMerge) addBelow(root *compare.Pair) {
	todo := []openPair{{p: root}}
	for len(todo) > 0 && m.complete && m.ctx.Err() == nil {
		current := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var next []openPair
		current.p.Runs(func(r compare.Run) bool {
			for i := range r.N {
				if pair, below := m.addPair(current.p.Child(r.First+i), current.item); below {
					next = append(next, pair)
				}
			}
			return m.complete && m.ctx.Err() == nil
		})
		slices.Reverse(next)
		todo = append(todo, next...)
	}
}

// addPair adds the changes of a pair, in an item or outside.
func (m *baselessMerge) addPair(p *compare.Pair, inItem bool) (pair openPair, below bool) {
	t, ok := m.c.ItemOf(p)
	listsAll := m.c.New.Item == nil // without items: elements and values are listed
	isSingle := p.Leaf() || p.Old == nil || p.New == nil
	switch {
	case ok:
		m.keys[p.Node().Key] = true
		if _, own := m.changes[p.Node().PathText()]; own || p.Status != compare.Changed {
			m.add(p, t.Kind)
		}
		return openPair{p, true}, p.Status == compare.Changed && !isSingle
	case inItem:
	case isSingle && (listsAll || p.Status != compare.Same),
		listsAll && p.Node().IsElement() && p.Status != compare.Changed:
		m.add(p, "")
		return pair, false
	}
	return openPair{p, inItem}, !isSingle
}

// add lists a pair; kind is the kind of its item, or "".
func (m *baselessMerge) add(p *compare.Pair, kind string) {
	if len(m.itemChanges)+len(m.unowned) == MaxChanges {
		m.complete = false
		return
	}
	n := p.Node()
	r := Change{Path: n.PathText(), Type: n.Type, Key: n.Key, Nodes: [3]*model.Node{nil, p.Old, p.New}}
	to := &m.unowned
	if kind != "" {
		r.Type, r.Key, to = kind, changes.NameOf(n), &m.itemChanges
	}
	for v, n := range r.Nodes {
		if n != nil {
			r.Lines[v] = &changes.Line{Sign: compare.Added.Sign(), Change: addedText(n)}
		}
	}
	switch {
	case p.New == nil:
		r.State = OnlyMine
	case p.Old == nil:
		r.State = OnlyTheirs
	case p.Status == compare.Changed:
		r.State = Conflict
		if s := m.changes[n.PathText()]; s != "" {
			r.Lines[model.Theirs].Change += ", of mine: " + s
		}
	default:
		r.State = BothSame
	}
	*to = append(*to, r)
}

// addedText returns the value of an added node, or its size.
func addedText(n *model.Node) string {
	if v := n.ValueText(); n.Leaf() && v != "" {
		return model.OneLine(v, 200)
	}
	return model.Count(n.Size, "byte")
}
