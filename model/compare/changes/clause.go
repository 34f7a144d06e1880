package changes

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/scene"
)

// fieldName returns the name of a field in its item; of an element, the name of the list with the index.
func fieldName(n *model.Node) string {
	if n.Element() && n.Parent != nil {
		return n.Parent.Name + "[" + n.Name + "]"
	}
	return n.Name
}

// entryFields is how many fields a node may have that is a key and a value, with their lengths.
const entryFields = 6

// isEntry reports whether a node is a key and a value.
func isEntry(n *model.Node) bool {
	if n.Key == "" || n.Len() > entryFields {
		return false
	}
	fields, keys := 0, 0
	for i := range n.Len() {
		c := n.Child(i)
		if c.Role.Layout() {
			continue
		}
		fields++
		if s, ok := c.Value.(string); ok && s == n.Key {
			keys++
		}
	}
	return fields == 2 && keys == 1
}

// partName is the name of a field with that of the struct it is in, if it is in one; of a value, its key.
func partName(n *model.Node) string {
	up := n.Parent
	if up != nil && isEntry(up) {
		return up.Key
	}
	if up == nil || up.Parent == nil || n.Element() || up.Element() || compare.IsList(up) || up.Key != "" {
		return fieldName(n)
	}
	return up.Name + "/" + n.Name
}

// partOf returns the change of a pair, with its name.
func partOf(p *compare.Pair, b *Blocks) contents.PartChange {
	n := p.Node()
	name := model.OneLine(partName(n), 80)
	if _, is := p.Comparison().Thing(n.Parent, p.New == nil); is {
		name = model.OneLine(fieldName(n), 80)
	}
	if call := n.DisplayName(); call != "" && call != n.Name {
		if n.Element() {
			name = model.OneLine(cmp.Or(inWords(n.Type), n.Parent.Name), 80)
		}
		name += " " + model.OneLine(call, 80)
	}
	part := contents.PartChange{Field: name}
	switch p.Status {
	case compare.Added, compare.Removed:
		part.How = hows[p.Status]
		if v := n.ValueText(); n.Leaf() && v != "" {
			part.New = model.OneLine(v, 80)
		}
		return part
	case compare.Moved:
		part.How = contents.Moved
		return part
	}
	if parts := Transform(p); parts != nil {
		return transformed(parts)
	}
	if part.Inside = stringsChanged(p); part.Inside != nil {
		return part
	}
	if n.Role == model.RoleTime && p.Old.Symbol() != "" && n.Symbol() != "" && p.Old.Symbol() != n.Symbol() {
		part.Old, part.New = p.Old.Symbol(), n.Symbol()
		return part
	}
	if part.Inside = b.changes(p); part.Inside != nil {
		return part
	}
	v := ValuesOf(p)
	part.Old, part.New, part.Note = v.Lead+v.Old, v.New, v.Note
	if v.New == "" {
		return contents.PartChange{How: contents.Stated, Field: name + " " + v.Lead}
	}
	return part
}

// hows maps the status of a pair to the kind of change of a part.
var hows = map[compare.Status]contents.ChangeKind{compare.Changed: contents.Changed, compare.Moved: contents.Moved,
	compare.Added: contents.Added, compare.Removed: contents.Removed}

// stringsChanged returns which texts of a list of them came and went; nil if the pair is not such a list.
func stringsChanged(p *compare.Pair) []contents.PartChange {
	old, ok := stringsOf(p.Old)
	new, also := stringsOf(p.New)
	if !ok || !also {
		return nil
	}
	var out []contents.PartChange
	only := func(how contents.ChangeKind, list, other []string) {
		var names []string
		for _, t := range list {
			if !slices.Contains(other, t) {
				names = append(names, model.OneLine(t, 60))
			}
		}
		if len(names) > 0 {
			out = append(out, contents.PartChange{How: how, Field: contents.List(names, 4)})
		}
	}
	only(contents.Added, new, old)
	only(contents.Removed, old, new)
	if out == nil {
		out = append(out, contents.PartChange{How: contents.Reordered})
	}
	return out
}

const textsMost = 4096

func stringsOf(n *model.Node) ([]string, bool) {
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() == 0 || a.Len() > textsMost {
		return nil, false
	}
	all, err := a.Slice(0, a.Len())
	if err != nil {
		return nil, false
	}
	out := make([]string, len(all))
	for i, v := range all {
		if out[i], ok = v.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

// listChanges returns how many elements of a list changed, and the names of those that came and went, where they have
// any.
func listChanges(p *compare.Pair, list compare.Counts) (out []contents.PartChange) {
	what := inWords(strings.TrimSuffix(p.Node().Type, "[]"))
	for st, n := range list.Each() {
		part := contents.PartChange{How: hows[st], Field: what, N: n}
		if st == compare.Changed {
			part.All = int64(p.Node().Elements())
		} else {
			part.Names = namesOf(p, st, n)
		}
		out = append(out, part)
	}
	return out
}

// namesOf returns the names of the n elements of a list with a status, or nil if they are many or some have no name.
func namesOf(p *compare.Pair, st compare.Status, n int64) (names []string) {
	if n > elementsWalked {
		return nil
	}
	p.Runs(func(r compare.Run) bool {
		for i := 0; i < r.N && r.Status == st && !r.OneVersion; i++ {
			if name := p.ChildNode(r.First + i).DisplayName(); name != "" {
				names = append(names, model.OneLine(name, 40))
			}
		}
		return true
	})
	if len(names) < int(n) {
		return nil
	}
	return names
}

// inWords separates the words of the name of a type: "FontSize" is "font size".
func inWords(name string) string {
	var s strings.Builder
	lower := false
	for _, r := range name {
		if lower && unicode.IsUpper(r) {
			s.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		s.WriteRune(unicode.ToLower(r))
	}
	return s.String()
}

// Transform takes a pair of 4x4 matrices apart as people think of them; nil if it is not one of positions, rotations
// and scales.
func Transform(p *compare.Pair) []contents.PartChange {
	old, ok := transformOf(p.Old)
	new, also := transformOf(p.New)
	if !ok || !also {
		return nil
	}
	return []contents.PartChange{
		{Field: "Position", Old: contents.VectorText(old.Translation[:]...), New: contents.VectorText(new.Translation[:]...)},
		{Field: "Rotation", Old: contents.RotationText(old.Rotation), New: contents.RotationText(new.Rotation)},
		{Field: "Scale", Old: contents.VectorText(old.Scale[:]...), New: contents.VectorText(new.Scale[:]...)},
	}
}

// TransformOf takes the 4x4 matrix of one node apart in the same way; Old and New are equal.
func TransformOf(n *model.Node) []contents.PartChange {
	return Transform((&compare.Pair{Old: n, New: n}))
}

// transformed returns the change of a transform.
func transformed(parts []contents.PartChange) contents.PartChange {
	var out contents.PartChange
	for _, t := range parts {
		if t.Field = strings.ToLower(t.Field); t.Differs() {
			out.Inside = append(out.Inside, t)
		}
	}
	if out.Inside == nil {
		return contents.PartChange{How: contents.Stated, Field: "transform changed by less than the displayed precision"}
	}
	return out
}

func transformOf(n *model.Node) (t scene.TRS, ok bool) {
	if n == nil {
		return t, false
	}
	var m scene.Matrix
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != int64(len(m)) {
		return t, false
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != len(m) {
		return t, false
	}
	for i := range v {
		f, ok := model.Float(v[i])
		if !ok || compare.IsInt(v[i]) || math.IsNaN(f) || math.IsInf(f, 0) {
			return t, false
		}
		m[i] = float32(f)
	}
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
		return t, false
	}
	t, ok = m.Parts()
	return t, ok || m.Near(t.Matrix(), shearShown)
}

// shearShown is the largest shear that a transform may have to be displayed as position, rotation and scale.
const shearShown = 1e-3

// StepTarget returns the pair at which stepping from item to item stops for row: the item that was added, removed,
// moved or changed itself, or a change outside of items. It returns nil if row belongs to another stop. A stop never
// follows row.
func StepTarget(row *compare.Pair) *compare.Pair {
	thing := enclosingItem(row)
	switch {
	case thing == nil:
		if !isChange(row) || namesThing(row) {
			return nil
		}
		return row
	case thing.Path().Equal(row.Path()):
		if isChange(row) || row.Relocated || row.Renamed || hasOwnChange(row) {
			return row
		}
		return nil
	case thing.Row() || !isChange(row):
		return nil // it was a row itself
	}
	return thing
}

// Field reports whether a row is a stop when stepping from field to field. Checksums are not: they follow from other
// changes.
func Field(row *compare.Pair) bool {
	return isChange(row) && (row.Node().Role != model.RoleSum || row.Comparison().Options.Layout)
}

// isChange reports whether a row is more than a parent of others.
func isChange(row *compare.Pair) bool {
	return row.Row() && (row.Leaf() || row.Status != compare.Changed)
}

// enclosingItem returns the nearest item at or above a pair, or nil.
func enclosingItem(p *compare.Pair) *compare.Pair {
	for ; p != nil; p = p.Parent() {
		if _, is := p.Comparison().ThingOf(p); is {
			return p
		}
	}
	return nil
}

// hasOwnChange reports whether an item has a change that is in no item below it.
func hasOwnChange(thing *compare.Pair) bool {
	if thing.Leaf() {
		return true
	}
	at := thing.Path()
	inside := func(p *compare.Pair) bool { path := p.Path(); return len(path) > len(at) && path[:len(at)].Equal(at) }
	for p := thing.Next(); p != nil && inside(p); p = p.Next() {
		if isChange(p) && enclosingItem(p).Path().Equal(at) {
			return true
		}
	}
	return false
}

// namesThing reports whether a row belongs to a node that refers to a changed item: the entry of an asset in an index,
// a reference to a node.
func namesThing(row *compare.Pair) bool { return thingKeys(row.Comparison())[row.Node().NearestKey()] }

// thingKeysKept is the key of the keys of changed items in the memo of a comparison.
type thingKeysKept struct{}

// thingKeys returns the keys of the first items that are rows.
func thingKeys(c *compare.Comparison) map[string]bool {
	if keys, ok := c.Memo.Load(thingKeysKept{}); ok {
		return keys.(map[string]bool)
	}
	keys := make(map[string]bool)
	_ = c.Rows(func(p *compare.Pair) error {
		if _, is := c.ThingOf(p); is && p.Node().Key != "" {
			keys[p.Node().Key] = true
		}
		if len(keys) == keysKept {
			return io.EOF
		}
		return nil
	})
	c.Memo.Store(thingKeysKept{}, keys)
	return keys
}

// Subject is the item or the part of the file that a row of the report belongs to.
type Subject struct {
	Key     string // the same in all rows of an item, or ""
	Name    string // of the item, or of the part of the file that contains the row
	IsThing bool
	Status  compare.Status // of the item; Changed for a part of the file
	IsPlace bool           // the row only means that the item moved, or contains other rows
}

// isPlace reports whether a row of an item only means that the item moved, or only contains other rows.
func isPlace(row *compare.Pair, t model.Item) bool {
	return row.IsParent() || t.IsLocation != nil && row.Status == compare.Changed && t.IsLocation(row.Node())
}

// SubjectOf returns the item that contains a row of the report, or else the part of the file. The latter may still
// belong to an item, by its key.
func SubjectOf(row *compare.Pair) Subject {
	c := row.Comparison()
	if thing := enclosingItem(row); thing != nil {
		n := thing.Node()
		t, _ := c.ThingOf(thing)
		name := ThingChange{Kind: t.Kind, Name: NameOf(n)}.name()
		if n.Key == "" {
			return Subject{name, name, true, thing.Status, isPlace(row, t)}
		}
		return Subject{n.Key, name, true, thing.Status, isPlace(row, t)}
	}
	n := row.Node()
	key := n.NearestKey()
	for n.Parent != nil && n.Parent.Parent != nil {
		n = n.Parent
	}
	return Subject{Key: key, Name: model.OneLine(n.PathText(), 200), Status: compare.Changed}
}
