package changes

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// fieldName is the name of a field in its thing; an element of a list goes by the name of the list too.
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

// partOf returns what changed in a pair, with its name.
func partOf(p *compare.Pair, b *Blocks) contents.Part {
	n := p.Node()
	name := model.OneLine(partName(n), 80)
	if _, is := p.Comparison().Thing(n.Parent, p.New == nil); is {
		name = model.OneLine(fieldName(n), 80)
	}
	if call := n.CallName(); call != "" && call != n.Name {
		if n.Element() {
			name = model.OneLine(cmp.Or(inWords(n.Type), n.Parent.Name), 80)
		}
		name += " " + model.OneLine(call, 80)
	}
	part := contents.Part{Field: name}
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
		return contents.Part{How: contents.Stated, Field: name + " " + v.Lead}
	}
	return part
}

// hows is what happens to a part of a thing in a state.
var hows = map[compare.Status]contents.How{compare.Changed: contents.Changed, compare.Moved: contents.Moved,
	compare.Added: contents.Added, compare.Removed: contents.Removed}

// stringsChanged returns which texts of a list of them came and went; nil if the pair is not such a list.
func stringsChanged(p *compare.Pair) []contents.Part {
	old, ok := stringsOf(p.Old)
	new, also := stringsOf(p.New)
	if !ok || !also {
		return nil
	}
	var out []contents.Part
	only := func(how contents.How, list, other []string) {
		var names []string
		for _, t := range list {
			if !slices.Contains(other, t) {
				names = append(names, model.OneLine(t, 60))
			}
		}
		if len(names) > 0 {
			out = append(out, contents.Part{How: how, Field: contents.List(names, 4)})
		}
	}
	only(contents.Added, new, old)
	only(contents.Removed, old, new)
	if out == nil {
		out = append(out, contents.Part{How: contents.Reordered})
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
func listChanges(p *compare.Pair, list compare.Counts) (out []contents.Part) {
	what := inWords(strings.TrimSuffix(p.Node().Type, "[]"))
	for st, n := range list.Each() {
		part := contents.Part{How: hows[st], Field: what, N: n}
		if st == compare.Changed {
			part.All = int64(p.Node().Elements())
		} else {
			part.Names = namesOf(p, st, n)
		}
		out = append(out, part)
	}
	return out
}

// namesOf are the names of the n elements of a list with a status; nil if they are many or have none.
func namesOf(p *compare.Pair, st compare.Status, n int64) (names []string) {
	if n > elementsWalked {
		return nil
	}
	p.Runs(func(r compare.Run) bool {
		for i := 0; i < r.N && r.Status == st && !r.OneVersion; i++ {
			if name := p.ChildNode(r.First + i).CallName(); name != "" {
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
