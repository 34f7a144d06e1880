package changes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/scene"
)

// ChangeOf returns the change of a pair as data, without its name. Long values are read and compared within the limit
// of b; nil reads none of them.
func ChangeOf(p *compare.Pair, b *Blocks) (part contents.PartChange) {
	c := p.Comparison()
	part.How = changeKinds[p.Status]
	switch {
	case p.Uncounted && !c.VariantChanged():
		return stated("ignored by the rules")[0]
	case p.Uncounted && p.Status == compare.Added:
		return stated("only in " + c.New.Variant)[0]
	case p.Uncounted:
		return stated("only in " + c.Old.Variant)[0]
	case p.Parent() == nil && c.VariantChanged():
		part.Old, part.New = c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant
	case p.Status == compare.Added || p.Status == compare.Removed:
		part.New = model.OneLine(cmp.Or(ValueOf(p.Node()), model.Count(p.Node().Size, "byte")), 400)
	case p.Status == compare.Changed && p.Leaf():
		part = leafChange(p, b)
	}
	if p.HasOtherKey() || p.Status == compare.Moved || p.Relocated {
		part.From = whereFrom(p)
	}
	return part
}

// changeKinds maps the status of a pair to the kind of change of a part.
var changeKinds = map[compare.Status]contents.ChangeKind{compare.Changed: contents.ValueChanged,
	compare.Moved: contents.Moved, compare.Added: contents.Added, compare.Removed: contents.Removed}

func leafChange(p *compare.Pair, b *Blocks) (part contents.PartChange) {
	part.Inside = firstNonNil(Transform(p), stringsChanged(p), b.changes(p), numbersChanged(p, b))
	if part.Inside != nil {
		return part
	}
	o, n := p.Old, p.New
	if n.Role == model.RoleTime && o.Symbol() != "" && n.Symbol() != "" && o.Symbol() != n.Symbol() {
		part.Old, part.New = o.Symbol(), n.Symbol()
		return part
	}
	part.Old, part.New = Sides(p)
	was, wasText := o.Value.(string)
	text, isText := n.Value.(string)
	if part.Quoted = wasText && isText && o.Raw() == nil && n.Raw() == nil; part.Quoted {
		part.Old, part.New = inQuotes(was), inQuotes(text)
	}
	switch same := part.Old == part.New; {
	case o.Type != n.Type && (same || o.Symbol() == "" && n.Symbol() == ""):
		part.Note = o.Type + " → " + n.Type
	case same:
		part.Old, part.New = part.Old+rawText(p, o), part.New+rawText(p, n)
	case o.Symbol() == "" && n.Symbol() == "":
		part.Note = cmp.Or(differingValues(p), Difference(o.Value, n.Value))
	}
	return part
}

// Sides returns the values of both nodes of a pair as text; if one of them is a leaf and the other is not, the latter's
// type.
func Sides(p *compare.Pair) (old, new string) {
	old, new = ValueOf(p.Old), ValueOf(p.New)
	if p.Old != nil && p.New != nil && p.Old.Leaf() != p.New.Leaf() {
		old, new = cmp.Or(old, "["+p.Old.Type+"]"), cmp.Or(new, "["+p.New.Type+"]")
	}
	return old, new
}

func firstNonNil(lists ...[]contents.PartChange) []contents.PartChange {
	return lists[max(0, slices.IndexFunc(lists, func(l []contents.PartChange) bool { return l != nil }))]
}

// ValueOf returns a node in one line: its value, or the size of its subtree. It returns "" for nil.
func ValueOf(n *model.Node) string {
	if n == nil {
		return ""
	}
	if b, ok := n.Value.(model.Blob); ok && n.Symbol() == "" {
		return model.Count(b.Span.Size, "byte")
	}
	if v := n.ValueText(); v != "" {
		return v
	}
	if strings.HasSuffix(n.Type, "[]") && !n.Leaf() {
		return model.Count(n.ElementCount(), "element")
	}
	if _, text := n.Value.(string); text {
		return inQuotes("")
	}
	return ""
}

// maxText is the maximum number of characters of a string that are compared to display its change.
const maxText = 32 << 10

func inQuotes(s string) string { return `"` + model.OneLine(s, maxText) + `"` }

// rawText returns the bytes of a short leaf, for values that are written in more than one way.
func rawText(p *compare.Pair, n *model.Node) string {
	d := p.Comparison().Old
	if n == p.New {
		d = p.Comparison().New
	}
	b, err := d.Source.Bytes(model.Span{Offset: n.Offset, Size: min(n.Size, 16)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (% x)", b)
}

// Difference returns is minus was with its sign, or "" for values that are not numbers; of blocks of bytes the
// difference of their sizes.
func Difference(was, is any) string {
	switch {
	case compare.IsInt(was) && compare.IsInt(is):
		d := bigInt(is)
		d.Sub(d, bigInt(was))
		if d.Sign() > 0 {
			return "+" + d.String()
		}
		return d.String()
	case compare.IsFloat(was) && compare.IsFloat(is):
		return fmt.Sprintf("%+.6g", compare.AsFloat(is)-compare.AsFloat(was))
	}
	if o, ok := was.(model.Blob); ok {
		if n, ok := is.(model.Blob); ok && n.Span.Size != o.Span.Size {
			by := model.Count(n.Span.Size-o.Span.Size, "byte")
			if n.Span.Size > o.Span.Size {
				by = "+" + by
			}
			return by
		}
	}
	return ""
}

func bigInt(v any) *big.Int {
	if u, ok := v.(uint64); ok {
		return new(big.Int).SetUint64(u)
	}
	i, _ := v.(int64)
	return big.NewInt(i)
}

const (
	maxArrayValues = 16      // values of an array that are displayed whole
	maxCounted     = 1 << 20 // values of two arrays that are compared to count the differences
)

// numbersChanged returns the number of different values of two long arrays, and the first one; else nil.
func numbersChanged(p *compare.Pair, b *Blocks) (out []contents.PartChange) {
	old, new, ok := p.Arrays()
	if !ok || max(old.Len(), new.Len()) <= maxArrayValues {
		return nil
	}
	part := contents.PartChange{How: contents.Changed, Field: "value", All: min(old.Len(), new.Len())}
	if old.Len() != new.Len() {
		out = append(out, contents.PartChange{How: contents.Counted, Field: "value", N: new.Len(), All: old.Len()})
	}
	if !b.spend(p) {
		return firstNonNil(out, []contents.PartChange{part})
	}
	_ = p.EachDifferentNumber(context.Background(), func(index int64, x, y any) bool {
		switch {
		case index >= part.All:
			return false
		case part.N == 0:
			part.Note = fmt.Sprintf("first at [%d]", index)
			part.Old, part.New = model.FormatValue(x), model.FormatValue(y)
		case index >= maxCounted: // the number is unknown
			part.N = 0
			return false
		}
		part.N++
		return true
	})
	if part.Note != "" || out == nil {
		out = append(out, part)
	}
	return out
}

// differingValues returns the number of different values of two short arrays.
func differingValues(p *compare.Pair) string {
	old, new, ok := p.Arrays()
	if !ok {
		return ""
	}
	if old.Len() != new.Len() {
		return fmt.Sprintf("%d → %s", old.Len(), model.Count(new.Len(), "value"))
	}
	n := 0
	_ = p.EachDifferentNumber(context.Background(), func(int64, any, any) bool { n++; return true })
	return fmt.Sprintf("%d of %s", n, model.Count(old.Len(), "value"))
}

// fieldName returns the name of a field in its item; for an element, the name of the list with the index, and the type
// if other elements have another type.
func fieldName(n *model.Node) string {
	if !n.IsElement() || n.Parent == nil {
		return n.Name
	}
	name := n.Parent.Name + "[" + n.Name + "]"
	if n.Type+"[]" != n.Parent.Type {
		name += " (" + n.Type + ")"
	}
	return name
}

// entryFields is the maximum number of fields of a key and a value, with their lengths.
const entryFields = 6

// isEntry reports whether a node is a key and a value.
func isEntry(n *model.Node) bool {
	if n.Key == "" || n.Len() > entryFields {
		return false
	}
	fields, keys := 0, 0
	for i := range n.Len() {
		c := n.Child(i)
		if c.Role.IsLayout() {
			continue
		}
		fields++
		if s, ok := c.Value.(string); ok && s == n.Key {
			keys++
		}
	}
	return fields == 2 && keys == 1
}

// partName returns the name of a field, after the name of its struct if there is one; for a value, its key.
func partName(p *compare.Pair) string {
	n := p.Node()
	up := n.Parent
	name := fieldName(n)
	if up != nil && isEntry(up) {
		name = up.Key
	} else if _, ok := p.Comparison().Item(up, p.New == nil); !ok && up != nil && up.Parent != nil && !n.IsElement() &&
		!up.IsElement() && !compare.IsList(up) && up.Key == "" {
		name = up.Name + "/" + n.Name
	}
	name = model.OneLine(name, 80)
	if title := n.DisplayName(); title != "" && title != n.Name {
		if n.IsElement() {
			name = model.OneLine(cmp.Or(inWords(n.Type), n.Parent.Name), 80)
		}
		name += " " + model.OneLine(title, 80)
	}
	return name
}

// partOf returns the change of a pair, with its name.
func partOf(p *compare.Pair, b *Blocks) contents.PartChange {
	part := ChangeOf(p, b)
	_, ok := p.Comparison().ItemOf(p)
	if part.How != contents.Stated && Transform(p) == nil && !ok { // the parts of a transform have names
		part.Field = partName(p)
	}
	if !p.Leaf() && (p.Status == compare.Added || p.Status == compare.Removed) {
		part.New = ""
	}
	if p.Status == compare.Moved {
		part.From = ""
	}
	return part
}

// stringsChanged returns the added and removed strings of a list; nil if the pair is not such a list.
func stringsChanged(p *compare.Pair) []contents.PartChange {
	old, ok := stringsOf(p.Old)
	new, also := stringsOf(p.New)
	if !ok || !also {
		return nil
	}
	var out []contents.PartChange
	addOnly := func(kind contents.ChangeKind, list, other []string) {
		var names []string
		for _, t := range list {
			if !slices.Contains(other, t) {
				names = append(names, model.OneLine(t, 60))
			}
		}
		if len(names) > 0 {
			out = append(out, contents.PartChange{How: kind, Field: contents.List(names, 4)})
		}
	}
	addOnly(contents.Added, new, old)
	addOnly(contents.Removed, old, new)
	if out == nil {
		out = append(out, contents.PartChange{How: contents.Reordered})
	}
	return out
}

const maxStrings = 4096

func stringsOf(n *model.Node) ([]string, bool) {
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() == 0 || a.Len() > maxStrings {
		return nil, false
	}
	values, err := a.Slice(0, a.Len())
	if err != nil {
		return nil, false
	}
	out := make([]string, len(values))
	for i, v := range values {
		if out[i], ok = v.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

// listChanges returns the number of changed elements of a list, and the names of added and removed ones if all have
// names.
func listChanges(p *compare.Pair, list compare.Counts) (out []contents.PartChange) {
	noun := inWords(strings.TrimSuffix(p.Node().Type, "[]"))
	for st, n := range list.Each() {
		part := contents.PartChange{How: changeKinds[st], Field: noun, N: n}
		if st == compare.Changed {
			part.How, part.All = contents.Changed, int64(p.Node().ElementCount())
		} else {
			part.Names = namesOf(p, st, n)
		}
		out = append(out, part)
	}
	return out
}

// namesOf returns the names of the n elements of a list with a status, or nil if they are many or some have no name.
func namesOf(p *compare.Pair, st compare.Status, n int64) (names []string) {
	if n > maxVisitedElements {
		return nil
	}
	p.Runs(func(r compare.Run) bool {
		for i := 0; i < r.N && r.Status == st && !r.Uncounted; i++ {
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

// Transform returns the changed parts of a pair of 4x4 matrices that are transforms; nil for other pairs.
func Transform(p *compare.Pair) (out []contents.PartChange) {
	if p.Old == nil || p.New == nil || p.Status != compare.Changed {
		return nil
	}
	old, new := TransformOf(p.Old), TransformOf(p.New)
	if old == nil || new == nil {
		return nil
	}
	for i, part := range new {
		if part.Old = old[i].New; part.Differs() {
			part.Field = strings.ToLower(part.Field)
			out = append(out, part)
		}
	}
	if out == nil {
		return stated("transform changed by less than the displayed precision")
	}
	return out
}

// TransformOf returns the position, rotation and scale of a 4x4 matrix as new values; nil for other nodes.
func TransformOf(n *model.Node) []contents.PartChange {
	a, ok := n.Value.(model.Array)
	var m scene.Matrix
	if !ok || a.Len() != int64(len(m)) {
		return nil
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != len(m) {
		return nil
	}
	for i := range v {
		f, ok := model.Float(v[i])
		if !ok || compare.IsInt(v[i]) || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
		m[i] = float32(f)
	}
	t, ok := m.Parts()
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 || !ok && !m.IsNear(t.Matrix(), shearTolerance) {
		return nil
	}
	return []contents.PartChange{{Field: "Position", New: contents.VectorText(t.Translation[:]...)},
		{Field: "Rotation", New: contents.RotationText(t.Rotation)}, {Field: "Scale", New: contents.VectorText(t.Scale[:]...)}}
}

// shearTolerance is the largest shear that a transform may have to be displayed as position, rotation and scale.
const shearTolerance = 1e-3
