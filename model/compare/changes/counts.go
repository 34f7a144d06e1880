package changes

import (
	"cmp"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// countRest counts the remaining items of a list without visiting them; n is the first. It is a function of its own for
// the same reason as addList.
//
//go:noinline
func (s *changeCollector) countRest(n *model.Node, status compare.Status, rest int64) {
	t, _ := s.c.Item(n, status == compare.Removed)
	c := s.countOf(t)
	*c.Counts.At(status) += rest
	if status == compare.Changed && t.IsLocation != nil {
		c.Unvisited += rest
	}
	c.Partial = true
	s.o.Unlisted += rest
}

func (s *changeCollector) countOf(t model.Item) *ItemCount {
	id := kindAndGroup{t.Kind, t.Group}
	c := s.counts[id]
	if c == nil {
		c = &ItemCount{Kind: t.Kind, Group: t.Group}
		s.counts[id] = c
	}
	return c
}

// addItem counts an item, and lists it within the limit. An item that only contains other changed items is skipped.
func (s *changeCollector) addItem(item *collectedItem) {
	p := item.pair
	s.addKeys(p)
	if p.Status == compare.Changed && item.moved+item.others == 0 && !p.Renamed && !p.Relocated {
		return
	}
	status := item.status()
	s.countItem(item, status)
	if len(s.o.Items) >= maxItems {
		s.o.Unlisted++
		return
	}
	s.listItem(item, status)
}

// status returns the status of a changed item: one that only has another position, parent or key is moved.
func (item *collectedItem) status() compare.Status {
	p := item.pair
	if p.Status == compare.Changed && item.others == 0 && (item.moved > 0 || p.Relocated || p.Renamed) {
		return compare.Moved
	}
	return p.Status
}

// addKeys records the keys of an item, so that references to it are recognized.
func (s *changeCollector) addKeys(p *compare.Pair) {
	for _, n := range []*model.Node{p.Old, p.New} {
		if n != nil && n.Key != "" && len(s.keys) < maxKeys {
			s.keys[n.Key] = true
		}
	}
	if p.Status == compare.Added || p.Status == compare.Removed {
		s.addKeysBelow(p.Node())
	}
}

func (s *changeCollector) countItem(item *collectedItem, status compare.Status) {
	p := item.pair
	c := s.countOf(item.item)
	*c.Counts.At(status)++
	if status == compare.Moved && item.moved == 0 && item.item.IsLocation != nil && !p.Renamed && !isElsewhere(p) {
		c.Shifted++
	} else if status == compare.Moved {
		c.addMotion(item.motion)
	}
	switch {
	case status == compare.Moved && p.Renamed:
		if compare.IsRename(NameOf(p.Old), NameOf(p.Node())) {
			c.Renamed++
		}
	case status == compare.Changed && (item.moved > 0 || p.Relocated && isElsewhere(p)):
		c.MovedToo++
	case status == compare.Changed && item.hasOnlyTimeChanges():
		c.TimesOnly++
	}
	c.addBytes(p.Status, item.item)
	s.addFields(c, item)
}

func (s *changeCollector) listItem(item *collectedItem, status compare.Status) {
	p := item.pair
	change := ItemChange{Status: status, Kind: item.item.Kind, Name: NameOf(p.Node()), Path: p.Path()}
	if p.Old != nil && p.New != nil {
		if old := NameOf(p.Old); old != change.Name && p.Renamed {
			change.OldName = old
			change.Similarity = p.Similarity()
		}
	}
	change.Changes = s.changesOfItem(item)
	change.Nested = item.nested
	s.o.Items = append(s.o.Items, change)
}

// addBytes adds the bytes of an added or removed item. Those of a changed one are in its own line.
func (c *ItemCount) addBytes(status compare.Status, t model.Item) {
	switch status {
	case compare.Added:
		c.BytesIn += t.Bytes
	case compare.Removed:
		c.BytesOut += t.Bytes
	}
}

// hasOnlyTimeChanges reports whether only timestamps of the item changed.
func (item *collectedItem) hasOnlyTimeChanges() bool {
	return item.others == len(item.changes) && item.others > 0 &&
		!slices.ContainsFunc(item.changes, func(ch fieldChange) bool { return ch.kind != timeField })
}

func (s *changeCollector) addFields(c *ItemCount, item *collectedItem) {
	var fields []string
	for _, ch := range item.changes {
		if slices.Contains(fields, ch.name) {
			continue
		}
		fields = append(fields, ch.name)
		if i := slices.IndexFunc(c.Fields, func(f FieldCount) bool { return f.Name == ch.name }); i >= 0 {
			c.Fields[i].Count++
		} else if len(c.Fields) < 64 {
			c.Fields = append(c.Fields, FieldCount{ch.name, 1})
		}
	}
}

// statusOrder is the sort order of statuses in lists: changed items first.
var statusOrder = [...]int{compare.Changed: 0, compare.Moved: 1, compare.Added: 2, compare.Removed: 3}

// sortItems sorts the items and the counts of the overview.
func (s *changeCollector) sortItems() {
	slices.SortStableFunc(s.o.Items, func(a, b ItemChange) int {
		return cmp.Compare(statusOrder[a.Status], statusOrder[b.Status])
	})
	for _, c := range s.counts {
		slices.SortStableFunc(c.Fields, func(a, b FieldCount) int { return cmp.Compare(b.Count, a.Count) })
		s.o.Counts = append(s.o.Counts, *c)
	}
	slices.SortFunc(s.o.Counts, func(a, b ItemCount) int {
		return cmp.Or(cmp.Compare(b.Counts.Differences(), a.Counts.Differences()), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Group, b.Group))
	})
}

// addValues adds the changes outside of items to the overview.
func (s *changeCollector) addValues() {
	if s.c.VariantChanged() {
		s.o.version = true
		s.o.Values = append(s.o.Values, contents.PartChange{Field: s.c.Old.Format, Old: s.c.Old.Variant,
			New: s.c.New.Variant})
	}
	for _, l := range s.unowned {
		switch {
		case s.refersToItem(l):
		case l.pair != nil && isVariantField(s.c, l.pair):
		case len(s.o.Values) < maxValues && l.pair != nil:
			part := s.unownedPart(l)
			if key := holderKey(l.pair); key != "" {
				part = contents.PartChange{Field: key, Inside: []contents.PartChange{part}}
			} else {
				part.Field = elementPrefix(l.pair.Node()) + part.Field
			}
			s.o.Values = append(s.o.Values, part)
			if l.pair.Node().Role == model.RoleTime {
				s.o.times++
			}
		default:
			s.o.Others += max(l.n, 1)
		}
	}
	if len(s.o.Counts) == 0 {
		s.o.Others += s.unvisited
	}
	if s.lineEnds {
		s.o.Values = append(s.o.Values, contents.PartChange{How: contents.Changed, Field: "line ends"})
	}
	if s.spacing {
		s.o.Values = append(s.o.Values, contents.PartChange{How: contents.Changed, Field: "spacing"})
	}
}

// unownedPart returns a change outside of items.
func (s *changeCollector) unownedPart(l unownedChange) contents.PartChange {
	if l.n == 0 {
		return partOf(l.pair, &s.blocks)
	}
	*s.o.grouped.At(statusOfPart(l.part)) += l.n - 1
	return l.part
}

// refersToItem reports whether a change outside of items is in a node with the key of a changed item: in an index, or
// in its metadata.
func (s *changeCollector) refersToItem(l unownedChange) bool {
	if l.pair == nil {
		return s.keys[l.key]
	}
	for up := l.pair; up != nil; up = up.Parent() {
		for _, n := range []*model.Node{up.Old, up.New} {
			if n != nil && n.Key != "" && s.keys[n.Key] {
				return true
			}
		}
	}
	return false
}

// elementPrefix names the element of a list that contains a node, as in records[1]/, or returns "".
func elementPrefix(n *model.Node) string {
	for up := n.Parent; up != nil && !n.IsElement(); up = up.Parent {
		if up.IsElement() {
			return model.OneLine(fieldName(up), 80) + "/"
		}
	}
	return ""
}

// addKeysBelow records the keys in an added or removed node, so that references to them are recognized.
func (s *changeCollector) addKeysBelow(n *model.Node) {
	todo := []*model.Node{n}
	for examined := 0; len(todo) > 0 && examined < maxKeyNodes && len(s.keys) < maxKeys; examined++ {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.Key != "" {
			s.keys[n.Key] = true
		}
		for i := range min(n.Len(), maxKeyNodes) {
			todo = append(todo, n.Child(i))
		}
	}
}

// addMotion adds the motion of one more moved item, which is already counted.
func (c *ItemCount) addMotion(by *contents.Motion) {
	if c.Counts.Moved-c.Shifted == 1 {
		c.Motion = by
	} else if by == nil || c.Motion == nil || !slices.Equal(by.By, c.Motion.By) {
		c.Motion = nil
	}
}

// addAxisMotion adds the movement of an item along one axis. The vector is unknown if the position is not three
// numbers.
func (s *changeCollector) addAxisMotion(item *collectedItem, p *compare.Pair) {
	if s.axes == nil {
		s.axes = []string{}
		for i := range p.New.Parent.Len() {
			if c := p.New.Parent.Child(i); item.item.IsLocation(c) {
				s.axes = append(s.axes, c.Name)
			}
		}
	}
	axis := slices.Index(s.axes, p.New.Name)
	old, okOld := model.Float(p.Old.Value)
	new, okNew := model.Float(p.New.Value)
	switch {
	case item.moved > 1 && item.motion == nil:
	case axis < 0 || len(s.axes) != 3 || !okOld || !okNew:
		item.motion = nil
	case item.motion == nil:
		item.motion = &contents.Motion{Scale: []float64{1, 1, 1}, Rotation: [4]float32{0, 0, 0, 1},
			By: make([]float64, 3)}
		fallthrough
	default:
		item.motion.By[axis] = new - old
	}
}
