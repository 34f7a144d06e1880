// Package changes describes the changes of a comparison as data and text: Overview has the changed items (Collect), and
// Line describes one row.
package changes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/content"
)

const (
	thingsListed   = 200      // items that an overview lists
	pairsSurveyed  = 1 << 14  // elements of long lists that are looked at one by one
	nestedItems    = 1 << 12  // items within each other that are looked at: each takes 2 KB of stack
	contentsRead   = 200      // items with contents that are read
	valuesListed   = 12       // values outside of items that an overview lists
	clausesListed  = 6        // changes that are listed for one item
	elementsListed = 4        // elements of a list that are listed one by one
	elementsWalked = 64       // elements of a list that are searched for items
	keysKept       = 1 << 16  // of items, to find rows that only refer to them
	blocksSurveyed = 64 << 20 // bytes of blocks that are aligned
	keysSought     = 256      // nodes of an added or removed item that are searched for keys
)

// collect returns the changes between two files, which may be assets of others.
func collect(ctx context.Context, c *compare.Comparison, in inner) (*Overview, error) {
	s := &changeCollector{ctx: ctx, c: c, o: new(Overview), inner: in, left: pairsSurveyed, contents: contentsRead,
		blocks: Blocks{Most: blocksSurveyed},
		counts: make(map[kindOf]*ThingCount), keys: make(map[string]bool)}
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
	s.sortAndSum()
	return s.o, nil
}

// overviewKept is the key of the overview in the memo of a comparison.
type overviewKept struct{}

type kindOf struct{ kind, group string }

// changeCollector walks the pairs and collects the changed items.
type changeCollector struct {
	ctx      context.Context
	c        *compare.Comparison
	o        *Overview
	left     int // elements of long lists that may still be looked at
	depth    int // items around the current one
	contents int // contents that may still be read
	inner    inner
	blocks   Blocks
	counts   map[kindOf]*ThingCount
	keys     map[string]bool
	unowned  []unownedChange
	unkeyed  int64    // changed elements outside of items that were not visited
	spacing  bool     // blanks and line ends changed
	axes     []string // the names of the values with the positions of items
}

// unownedChange is a change outside of items. Its keys may be those of items that it refers to.
type unownedChange struct {
	keys      [2]string
	part      contents.PartChange
	described bool // part describes it
	isVariant bool // it only repeats the format variants
	isTime    bool
}

// thingChange is an item with its changes.
type thingChange struct {
	pair    *compare.Pair
	thing   model.Item
	changes []fieldChange
	inside  *Overview        // of an asset that is a file itself
	muted   bool             // changes are counted only
	moved   int              // changes of the position
	by      *contents.Motion // vector from the old to the new position; nil if unknown
	rest    int              // other changes
}

// fieldChange is a changed field of an item.
type fieldChange struct {
	name string
	part contents.PartChange
	kind fieldKind
}

// fieldKind is the kind of value of a field.
type fieldKind uint8

const (
	anyField  fieldKind = iota
	blobField           // the bytes of the content of an item
	timeField           // when it was made or changed
)

func kindOfField(n *model.Node) fieldKind {
	if _, is := n.Value.(model.Blob); is {
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

// addPair adds the changes of a pair, in an item or outside.
func (s *changeCollector) addPair(p *compare.Pair, in *thingChange) {
	if s.ctx.Err() != nil || p.Status == compare.Same || p.OneVersion || p.Counts.Differences() == 0 {
		return
	}
	t, is := s.c.ThingOf(p)
	switch {
	case is:
		own := &thingChange{pair: p, thing: t}
		if p.Status == compare.Changed || p.HasRowsBelow() {
			s.addBelow(p, own)
		}
		s.addThing(own)
	case p.Status == compare.Changed && !p.Leaf() || p.HasRowsBelow():
		s.addBelow(p, in)
	default:
		s.addChange(p, in)
	}
}

// addBelow adds the changes below a pair.
func (s *changeCollector) addBelow(p *compare.Pair, in *thingChange) {
	if p.Leaf() {
		s.addChange(p, in)
		return
	}
	var list compare.Counts
	total := 0
	p.Runs(func(r compare.Run) bool {
		if r.Status != compare.Same && !r.OneVersion {
			if p.ChildNode(r.First).Element() {
				*list.At(r.Status) += int64(r.N)
			}
		}
		return true
	})
	total = int(list.Differences())
	things := true
	p.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.OneVersion || s.ctx.Err() != nil {
			return s.ctx.Err() == nil
		}
		n := p.ChildNode(r.First)
		if !n.Element() {
			for i := range r.N {
				s.addPair(p.Child(r.First+i), in)
			}
			return true
		}
		if s.isItem(n, r.Status) {
			s.addElements(p, r, in)
			return true
		}
		things = false
		if total <= elementsWalked {
			for i := range r.N {
				muted := in
				if total > elementsListed && in != nil {
					muted = &thingChange{muted: true}
				}
				s.addPair(p.Child(r.First+i), muted)
			}
		} else if in == nil {
			s.addUnowned(p, r)
		}
		return true
	})
	if !things && in != nil && total > elementsListed {
		in.addList(p, list)
	}
}

// isItem reports whether n is an item that is listed.
//
//go:noinline
func (s *changeCollector) isItem(n *model.Node, status compare.Status) bool {
	_, is := s.c.Thing(n, status == compare.Removed)
	return is
}

// addList adds the changes of a long list of elements. It is a function of its own, so that a chain of 10,000 nodes has
// small stack frames.
//
//go:noinline
func (own *thingChange) addList(p *compare.Pair, list compare.Counts) {
	own.rest++
	for _, part := range listChanges(p, list) {
		own.add(p.Node().Name, part)
	}
}

// addKeysBelow records the keys in an added or removed node, so that references to them are recognized.
func (s *changeCollector) addKeysBelow(n *model.Node) {
	todo := []*model.Node{n}
	for looked := 0; len(todo) > 0 && looked < keysSought && len(s.keys) < keysKept; looked++ {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n.Key != "" {
			s.keys[n.Key] = true
		}
		for i := range min(n.Len(), keysSought) {
			todo = append(todo, n.Child(i))
		}
	}
}

// addUnowned counts elements of a long list outside of items, except those that refer to an item.
func (s *changeCollector) addUnowned(p *compare.Pair, r compare.Run) {
	for i := range r.N {
		if s.left <= 0 {
			s.unkeyed += int64(r.N - i)
			return
		}
		s.left--
		n := p.ChildNode(r.First + i)
		s.unowned = append(s.unowned, unownedChange{keys: [2]string{n.Key}})
	}
}

// addElements adds the changes of a run of items in a list.
func (s *changeCollector) addElements(p *compare.Pair, r compare.Run, in *thingChange) {
	looked := 0
	for s.depth++; looked < r.N && s.left > 0 && s.depth < nestedItems && s.ctx.Err() == nil; looked++ {
		s.left--
		s.addPair(p.Child(r.First+looked), in)
	}
	s.depth--
	if rest := r.N - looked; rest > 0 {
		s.countRest(p.ChildNode(r.First+looked), r.Status, int64(rest))
	}
}

// countRest counts items of a list that are not looked at, the first of which is n. It is a function of its own for the
// same reason as addList.
//
//go:noinline
func (s *changeCollector) countRest(n *model.Node, status compare.Status, rest int64) {
	t, _ := s.c.Thing(n, status == compare.Removed)
	c := s.countOf(t)
	*c.Counts.At(status) += rest
	if status == compare.Changed && t.IsLocation != nil {
		c.Unseen += rest
	}
	c.Partial = true
	s.o.Unlisted += rest
}

func (s *changeCollector) countOf(t model.Item) *ThingCount {
	id := kindOf{t.Kind, t.Group}
	c := s.counts[id]
	if c == nil {
		c = &ThingCount{Kind: t.Kind, Group: t.Group}
		s.counts[id] = c
	}
	return c
}

// addThing counts an item, and lists it within the limit. An item that only contains other changed items is skipped.
func (s *changeCollector) addThing(own *thingChange) {
	p := own.pair
	for _, n := range []*model.Node{p.Old, p.New} {
		if n != nil && n.Key != "" && len(s.keys) < keysKept {
			s.keys[n.Key] = true
		}
	}
	if p.Status == compare.Added || p.Status == compare.Removed {
		s.addKeysBelow(p.Node())
	}
	if p.Status == compare.Changed && own.moved+own.rest == 0 && !p.Renamed && !p.Relocated {
		return
	}
	c := s.countOf(own.thing)
	status := p.Status
	if status == compare.Changed && own.rest == 0 && (own.moved > 0 || p.Relocated || p.Renamed) {
		status = compare.Moved
	}
	*c.Counts.At(status)++
	if status == compare.Moved {
		c.addWay(own.by)
	}
	switch {
	case status == compare.Moved && p.Renamed:
		c.Renamed++
	case status == compare.Changed && (own.moved > 0 || p.Relocated && isElsewhere(p)):
		c.MovedToo++
	case status == compare.Changed && own.hasOnlyTimeChanges():
		c.TimesOnly++
	}
	s.addBytes(c, p, own.thing)
	s.addFields(c, own)
	if len(s.o.Things) >= thingsListed {
		s.o.Unlisted++
		return
	}
	change := ThingChange{Status: status, Kind: own.thing.Kind, Name: NameOf(p.Node()), Path: p.Path()}
	if p.Old != nil && p.New != nil {
		if old := NameOf(p.Old); old != change.Name && p.Renamed {
			change.OldName = old
			change.Alike = s.c.Similarity(p.Old, p.New)
		}
	}
	change.What = s.whatChanged(own)
	change.Inside = own.inside
	s.o.Things = append(s.o.Things, change)
}

// NameOf returns the name of an item for an overview; without a title, that of the node that it belongs to.
func NameOf(n *model.Node) string {
	name := n.DisplayName()
	for up := n.Parent; name == "" && up != nil && !compare.IsList(up); up = up.Parent {
		if called := up.DisplayName(); called != "" {
			name = "of " + called
		}
	}
	return model.OneLine(cmp.Or(name, n.Name), 100)
}

// addBytes adds the bytes that an item added and removed.
func (s *changeCollector) addBytes(c *ThingCount, p *compare.Pair, t model.Item) {
	if t.Bytes == 0 {
		return
	}
	if p.Status == compare.Added || p.Status == compare.Changed {
		c.BytesIn += t.Bytes
	}
	if p.Old != nil && p.Status != compare.Moved {
		if old, ok := s.c.Thing(p.Old, true); ok {
			c.BytesOut += old.Bytes
		}
	}
}

// hasOnlyTimeChanges reports whether only timestamps of the item changed.
func (own *thingChange) hasOnlyTimeChanges() bool {
	return own.rest == len(own.changes) && own.rest > 0 &&
		!slices.ContainsFunc(own.changes, func(ch fieldChange) bool { return ch.kind != timeField })
}

func (s *changeCollector) addFields(c *ThingCount, own *thingChange) {
	var seen []string
	for _, ch := range own.changes {
		if slices.Contains(seen, ch.name) {
			continue
		}
		seen = append(seen, ch.name)
		if i := slices.IndexFunc(c.Fields, func(f FieldCount) bool { return f.Name == ch.name }); i >= 0 {
			c.Fields[i].Count++
		} else if len(c.Fields) < 64 {
			c.Fields = append(c.Fields, FieldCount{ch.name, 1})
		}
	}
}

// whatChanged returns the changes of an item, or the facts of one that was added or removed.
func (s *changeCollector) whatChanged(own *thingChange) contents.Changes {
	p := own.pair
	if p.Status == compare.Added || p.Status == compare.Removed {
		return stated(append(s.facts(own), model.Count(p.Node().Size, "byte"))...)
	}
	var out contents.Changes
	moved := p.Relocated || p.Status == compare.Moved
	if moved && isElsewhere(p) {
		out = stated("was in " + s.parentName(p.Old, true) + ", is in " + s.parentName(p.New, false))
	}
	if p.Status == compare.Changed {
		content, known := s.content(own)
		if !known {
			content = own.describeChanges()
		}
		out = append(out, content...)
	}
	if moved && !isElsewhere(p) && !p.Renamed {
		out = append(out, stated("at another offset")...)
	}
	return out
}

// isElsewhere reports whether the two nodes of a pair are below parents that do not belong together.
func isElsewhere(p *compare.Pair) bool {
	up := p.Parent()
	return up == nil || up.Old == nil || up.New == nil || up.Old.PathText() != p.Old.Parent.PathText() ||
		up.New.PathText() != p.New.Parent.PathText()
}

// parentName returns the name of the next item above a node, or else of the list that contains it.
func (s *changeCollector) parentName(n *model.Node, old bool) string {
	for up := n.Parent; up != nil && up.Parent != nil; up = up.Parent {
		if _, is := s.c.Thing(up, old); is {
			return NameOf(up)
		}
	}
	return model.OneLine(n.Parent.Name, 100)
}

// stated returns sentences as changes.
func stated(sentences ...string) (out contents.Changes) {
	for _, s := range sentences {
		out = append(out, contents.PartChange{How: contents.Stated, Field: s})
	}
	return out
}

// facts returns the main facts about an item that was added or removed.
func (s *changeCollector) facts(own *thingChange) []string {
	var out []string
	for _, f := range own.thing.Facts {
		out = append(out, f.Name+" "+f.Value)
	}
	if own.thing.Content == nil || s.contents == 0 {
		return out
	}
	s.contents--
	if content, err := own.thing.Content(s.ctx); err == nil {
		out = append(out, contents.Facts(content)...)
	}
	return out
}

// describeChanges returns the changes of an item field by field, except fields of some kinds.
func (own *thingChange) describeChanges(without ...fieldKind) (out contents.Changes) {
	rest := 0
	for _, ch := range own.changes {
		switch {
		case slices.Contains(without, ch.kind):
		case len(out) == clausesListed:
			rest++
		default:
			out = append(out, ch.part)
		}
	}
	if rest > 0 {
		out = append(out, stated(model.Count(int64(rest), "more change"))...)
	}
	return out
}

// content compares the contents of both versions of an item. It returns false if the contents show no change.
func (s *changeCollector) content(own *thingChange) (contents.Changes, bool) {
	old, ok := s.c.Thing(own.pair.Old, true)
	if !ok {
		return nil, false
	}
	out := factChanges(old.Facts, own.thing.Facts)
	if old.Content != nil && own.thing.Content != nil && s.contents > 0 {
		s.contents--
		a, errA := old.Content(s.ctx)
		b, errB := own.thing.Content(s.ctx)
		clauses, err := contents.Compare(s.ctx, a, b, contents.Options{Tolerance: s.c.Options.Tolerance})
		if err := cmp.Or(errA, errB, err); err != nil {
			out = append(out, stated("cannot compare contents: "+model.OneLine(err.Error(), 200))...)
		} else {
			out = append(out, clauses...)
			if same, known := contents.InCommon(a, b); len(clauses) == 0 && known {
				without := []fieldKind{timeField}
				if len(out) > 0 { // the facts describe the bytes
					without = append(without, blobField)
				}
				out = append(append(out, same), own.describeChanges(without...)...)
			} else if contents.ShowsPart(b) {
				out = append(out, own.describeChanges(timeField, blobField)...)
			}
		}
	}
	if len(out) == 0 && s.contents > 0 {
		if o, part, is := s.file(old, own.thing); is {
			own.inside = o
			without := []fieldKind{timeField}
			if o != nil {
				without = append(without, blobField)
			}
			out = append(contents.Changes{part}, own.describeChanges(without...)...)
		}
	}
	return out, len(out) > 0
}

func factChanges(old, new []model.Fact) (out contents.Changes) {
	for _, n := range new {
		for _, o := range old {
			if o.Name == n.Name && o.Value != n.Value {
				out = append(out, contents.PartChange{Field: n.Name, Old: o.Value, New: n.Value})
			}
		}
	}
	return out
}

// order is the sort order of statuses in lists: changed items first.
var order = [...]int{compare.Changed: 0, compare.Moved: 1, compare.Added: 2, compare.Removed: 3}

// sortAndSum sorts the counts and adds the changes outside of items.
func (s *changeCollector) sortAndSum() {
	slices.SortStableFunc(s.o.Things, func(a,
		b ThingChange) int {
		return cmp.Compare(order[a.Status], order[b.Status])
	})
	for _, c := range s.counts {
		slices.SortStableFunc(c.Fields, func(a, b FieldCount) int { return cmp.Compare(b.Count, a.Count) })
		s.o.Counts = append(s.o.Counts, *c)
	}
	slices.SortFunc(s.o.Counts, func(a, b ThingCount) int {
		return cmp.Or(cmp.Compare(b.Counts.Differences(), a.Counts.Differences()), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Group, b.Group))
	})
	if s.c.VariantChanged() {
		s.o.version = true
		s.o.Values = append(s.o.Values, contents.PartChange{Field: s.c.Old.Format, Old: s.c.Old.Variant,
			New: s.c.New.Variant})
	}
	for _, l := range s.unowned {
		switch {
		case l.keys[0] != "" && s.keys[l.keys[0]] || l.keys[1] != "" && s.keys[l.keys[1]] || l.isVariant:
		case len(s.o.Values) < valuesListed && l.described:
			s.o.Values = append(s.o.Values, l.part)
			if l.isTime {
				s.o.times++
			}
		default:
			s.o.Others++
		}
	}
	if len(s.o.Counts) == 0 {
		s.o.Others += s.unkeyed
	}
	if s.spacing {
		s.o.Values = append(s.o.Values, contents.PartChange{How: contents.Changed, Field: "spacing"})
	}
}

// addChange adds the change of a part of an item, or of a node outside of items.
func (s *changeCollector) addChange(p *compare.Pair, in *thingChange) {
	if p.Node().Role == model.RoleSpacing {
		s.spacing = true
		if in != nil {
			in.rest++
		}
		return
	}
	var part contents.PartChange
	if in == nil || len(s.o.Things) < thingsListed { // of others, only the names of the fields are counted
		part = partOf(p, &s.blocks)
	}
	if in == nil {
		if key := holderKey(p); key != "" {
			part = contents.PartChange{Field: key, Inside: []contents.PartChange{part}}
		}
		l := unownedChange{part: part, described: true, isVariant: isVariantField(s.c, p),
			isTime: p.Node().Role == model.RoleTime}
		for up := p; up != nil && l.keys == [2]string{}; up = up.Parent() {
			if up.Old != nil {
				l.keys[0] = up.Old.Key
			}
			if up.New != nil {
				l.keys[1] = up.New.Key
			}
		}
		s.unowned = append(s.unowned, l)
		return
	}
	if place := in.thing.IsLocation; place != nil && p.Status == compare.Changed && place(p.Node()) {
		in.moved++
		s.addStep(in, p)
		in.add("place", part)
		return
	}
	in.rest++
	n := p.Node()
	in.addField(fieldChange{fieldName(n), part, kindOfField(n)})
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

func (own *thingChange) add(name string, part contents.PartChange) {
	own.addField(fieldChange{name: name, part: part})
}

func (own *thingChange) addField(ch fieldChange) {
	if !own.muted {
		own.changes = append(own.changes, ch)
	}
}

// isDescribedMedia reports whether two files that were read with a description are pictures or sounds. Their visible or
// audible changes come before the changed parts of the files, which the rows list.
func isDescribedMedia(c *compare.Comparison) bool {
	for _, d := range []*model.Document{c.Old, c.New} {
		if k := content.Of(d.Source); d.Description == nil || !k.Known() || k.Text {
			return false
		}
	}
	return true
}

// compareWholeFiles adds the changes between two pictures, sounds or texts as a whole. It reports whether the files are
// such.
func (s *changeCollector) compareWholeFiles() bool {
	old, new, err := WholeFileViews(s.ctx, s.c)
	if err != nil || old == nil {
		return false
	}
	clauses, err := contents.Compare(s.ctx, old, new, contents.Options{Tolerance: s.c.Options.Tolerance})
	if err == nil && len(clauses) == 0 && old.ViewKind() == model.PictureView && new.ViewKind() == model.PictureView {
		clauses = stated("all pixels are identical")
	}
	if err == nil && len(clauses) > 0 {
		s.o.Values, s.o.Whole = clauses, true
	}
	return s.o.Whole
}
