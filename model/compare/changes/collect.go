// Package changes describes the changes of a comparison as data and text: Overview has the changed items (Collect), and
// Line describes one row.
package changes

import (
	"context"
	"strings"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

const (
	maxItems           = 1 << 14  // items that an overview lists
	maxSurveyed        = 1 << 14  // examined elements of long lists
	maxNestedItems     = 1 << 12  // examined levels of nested items: each takes 2 KB of stack
	maxContents        = 200      // items with contents that are read
	maxValues          = 12       // values outside of items that an overview lists
	maxItemChanges     = 6        // changes that are listed for one item
	maxListedElements  = 4        // elements of a list that are listed one by one
	maxVisitedElements = 64       // elements of a list that are searched for items
	maxKeys            = 1 << 16  // of items, to find rows that only refer to them
	maxSurveyedBytes   = 64 << 20 // bytes of blocks that are aligned
	maxKeyNodes        = 256      // nodes of an added or removed item that are searched for keys
)

// overviewOf returns the changes between two files, which may be assets of others.
func overviewOf(ctx context.Context, c *compare.Comparison, nested nestedFiles) (*Overview, error) {
	s := &changeCollector{ctx: ctx, c: c, o: new(Overview), inner: nested, remaining: maxSurveyed,
		contents: maxContents,
		blocks:   Blocks{MaxBytes: maxSurveyedBytes},
		counts:   make(map[kindAndGroup]*ItemCount), keys: make(map[string]bool)}
	switch {
	case c.BytesOnly:
		s.compareWholeFiles()
	case c.Same():
	case isDescribedMedia(c) && s.compareWholeFiles():
	default:
		s.addPair(c.Root(), nil)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.sortItems()
	s.addValues()
	return s.o, nil
}

// overviewMemo is the key of the overview in the memo of a comparison.
type overviewMemo struct{}

type kindAndGroup struct{ kind, group string }

// changeCollector walks the pairs and collects the changed items.
type changeCollector struct {
	ctx       context.Context
	c         *compare.Comparison
	o         *Overview
	remaining int // elements of long lists that may still be examined
	depth     int // items around the current one
	contents  int // contents that may still be read
	inner     nestedFiles
	blocks    Blocks
	counts    map[kindAndGroup]*ItemCount
	keys      map[string]bool
	unowned   []unownedChange
	unvisited int64    // changed elements outside of items that were not visited
	spacing   bool     // blanks or numbers of lines changed
	lineEnds  bool     // line ends changed
	axes      []string // the names of the values with the positions of items
}

// unownedChange is a change outside of items.
type unownedChange struct {
	pair *compare.Pair       // nil if it is only counted
	key  string              // the key if pair is nil
	n    int64               // elements of the list pair; else 0
	part contents.PartChange // the change of those elements
}

// collectedItem is an item whose changes are being collected.
type collectedItem struct {
	pair    *compare.Pair
	item    model.Item
	changes []fieldChange
	nested  *Overview        // of an asset that is a file itself
	muted   bool             // changes are counted only
	moved   int              // changes of the position
	motion  *contents.Motion // vector from the old to the new position; nil if unknown
	others  int              // other changes
}

// fieldChange is a changed field of an item. Its description is made if it is listed: that may read long values.
type fieldChange struct {
	name string
	pair *compare.Pair
	part contents.PartChange // without a pair
	kind fieldKind
}

type fieldKind uint8

const (
	anyField  fieldKind = iota
	blobField           // the bytes of the content of an item
	timeField           // when it was made or changed
)

func kindOfField(n *model.Node) fieldKind {
	if _, ok := n.Value.(model.Blob); ok {
		return blobField
	}
	if n.Role == model.RoleTime {
		return timeField
	}
	return anyField
}

// isVariantField reports whether the two values only name the format variants of the files.
func isVariantField(c *compare.Comparison, p *compare.Pair) bool {
	if !c.VariantChanged() || p.Old == nil || p.New == nil {
		return false
	}
	old, new := p.Old.Symbol(), p.New.Symbol()
	return old != new && old != "" && new != "" && strings.HasPrefix(c.Old.Variant, old) &&
		strings.HasPrefix(c.New.Variant, new)
}

func (s *changeCollector) addPair(p *compare.Pair, item *collectedItem) {
	if s.ctx.Err() != nil || p.Status == compare.Same || p.Uncounted || p.Counts.Differences() == 0 {
		return
	}
	t, ok := s.c.ItemOf(p)
	switch {
	case ok:
		item := &collectedItem{pair: p, item: t}
		if p.Status == compare.Changed || p.HasRowsBelow() {
			s.addBelow(p, item)
		}
		s.addItem(item)
	case p.Status == compare.Changed && !p.Leaf() || p.HasRowsBelow():
		s.addBelow(p, item)
	default:
		s.addChange(p, item)
	}
}

// addBelow adds the changes below a pair to item, or as changes outside of items if item is nil.
func (s *changeCollector) addBelow(p *compare.Pair, item *collectedItem) {
	if p.Leaf() {
		s.addChange(p, item)
		return
	}
	list := changedElements(p)
	total := int(list.Differences())
	onlyItems := true
	var unkeyed compare.Counts // elements outside of items without keys, by their common changes
	p.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.Uncounted || s.ctx.Err() != nil {
			return s.ctx.Err() == nil
		}
		n := p.ChildNode(r.First)
		if !n.IsElement() {
			for i := range r.N {
				s.addPair(p.Child(r.First+i), item)
			}
			return true
		}
		if s.isItem(n, r.Status) {
			s.addElements(p, r, item)
			return true
		}
		onlyItems = false
		if item == nil && n.Key == "" && r.Status != compare.Changed && *list.At(r.Status) > 1 && !hasRows(p, r) {
			*unkeyed.At(r.Status) += int64(r.N)
			return true
		}
		if total <= maxVisitedElements {
			for i := range r.N {
				target := item
				if total > maxListedElements && item != nil {
					target = &collectedItem{muted: true}
				}
				s.addPair(p.Child(r.First+i), target)
			}
		} else if item == nil {
			s.addUnowned(p, r)
		}
		return true
	})
	if !onlyItems && item != nil && total > maxListedElements {
		item.addList(p, list)
	}
	s.addGroups(p, unkeyed)
}

// changedElements returns the numbers of elements of a list that are not the same. It is a function of its own as
// addList is.
//
//go:noinline
func changedElements(p *compare.Pair) (list compare.Counts) {
	p.Runs(func(r compare.Run) bool {
		if r.Status != compare.Same && !r.Uncounted && p.ChildNode(r.First).IsElement() {
			*list.At(r.Status) += int64(r.N)
		}
		return true
	})
	return list
}

// hasRows reports whether one of the first pairs of a run has rows below it, such as a moved node.
func hasRows(p *compare.Pair, r compare.Run) bool {
	for i := range min(r.N, maxVisitedElements) {
		if p.Child(r.First + i).HasRowsBelow() {
			return true
		}
	}
	return false
}

// addGroups adds the changes of elements without keys: one for each status. It is a function of its own as addList is.
//
//go:noinline
func (s *changeCollector) addGroups(p *compare.Pair, elements compare.Counts) {
	if elements.Differences() == 0 {
		return
	}
	for _, part := range listChanges(p, elements) {
		n := part.N
		if name := p.Node().Name; name != english.PluralWord(2, part.Field, "") || elementPrefix(p.Node()) != "" {
			part = contents.PartChange{Field: name, Inside: []contents.PartChange{part}}
		}
		s.unowned = append(s.unowned, unownedChange{pair: p, n: n, part: part})
	}
}

// isItem reports whether n is an item that is listed.
//
//go:noinline
func (s *changeCollector) isItem(n *model.Node, status compare.Status) bool {
	_, ok := s.c.Item(n, status == compare.Removed)
	return ok
}

// addList adds the changes of a long list of elements. It is a function of its own, so that a chain of 10,000 nodes has
// small stack frames.
//
//go:noinline
func (item *collectedItem) addList(p *compare.Pair, list compare.Counts) {
	item.others++
	for _, part := range listChanges(p, list) {
		item.addField(fieldChange{name: p.Node().Name, part: part})
	}
}

// addUnowned adds elements of a long list outside of items by their keys, while more may be visited. addValues leaves
// out those that refer to an item.
func (s *changeCollector) addUnowned(p *compare.Pair, r compare.Run) {
	for i := range r.N {
		if s.remaining <= 0 {
			s.unvisited += int64(r.N - i)
			return
		}
		s.remaining--
		n := p.ChildNode(r.First + i)
		s.unowned = append(s.unowned, unownedChange{key: n.Key})
	}
}

func (s *changeCollector) addElements(p *compare.Pair, r compare.Run, item *collectedItem) {
	examined := 0
	for s.depth++; examined < r.N && s.remaining > 0 && s.depth < maxNestedItems && s.ctx.Err() == nil; examined++ {
		s.remaining--
		s.addPair(p.Child(r.First+examined), item)
	}
	s.depth--
	if rest := r.N - examined; rest > 0 {
		s.countRest(p.ChildNode(r.First+examined), r.Status, int64(rest))
	}
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// differOnlyInLineEnds reports whether two separators differ only in how their lines end.
func differOnlyInLineEnds(p *compare.Pair) bool {
	if p.Old == nil || p.New == nil {
		return false
	}
	old, isText := p.Old.Value.(string)
	new, too := p.New.Value.(string)
	return isText && too && lineFeeds.Replace(old) == lineFeeds.Replace(new)
}

// addChange adds the change of a part of an item, or of a node outside of items.
func (s *changeCollector) addChange(p *compare.Pair, item *collectedItem) {
	if p.Node().Role == model.RoleSpacing {
		if differOnlyInLineEnds(p) {
			s.lineEnds = true
		} else {
			s.spacing = true
		}
		if item != nil {
			item.others++
		}
		return
	}
	n := p.Node()
	switch {
	case item == nil:
		s.unowned = append(s.unowned, unownedChange{pair: p})
	case item.item.IsLocation != nil && p.Status == compare.Changed && item.item.IsLocation(n):
		item.moved++
		s.addAxisMotion(item, p)
		item.addField(fieldChange{name: "place", pair: p})
	default:
		item.others++
		item.addField(fieldChange{name: fieldName(n), pair: p, kind: kindOfField(n)})
	}
}

// holderKey returns the key of the nearest node with a key above a change outside of items, or "".
func holderKey(p *compare.Pair) string {
	for up := p.Parent(); up != nil; up = up.Parent() {
		if n := up.Node(); n.Key != "" {
			return model.OneLine(n.Key, 80)
		}
	}
	return ""
}

func (item *collectedItem) addField(ch fieldChange) {
	if !item.muted {
		item.changes = append(item.changes, ch)
	}
}
