package changes

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"

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

// clauseOf describes the change of a pair in a few words, with its name.
func clauseOf(p *compare.Pair, b *Blocks) string {
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
	switch p.Status {
	case compare.Added, compare.Removed:
		s := name + " " + p.Status.String()
		if v := p.Node().ValueText(); p.Node().Leaf() && v != "" {
			s += ": " + model.OneLine(v, 80)
		}
		return s
	case compare.Moved:
		return name + " moved"
	}
	if t, ok := transformed(p); ok {
		return t
	}
	if s, ok := wordsChange(p); ok {
		return name + ": " + s
	}
	if n.Role == model.RoleTime && p.Old.Symbol() != "" && n.Symbol() != "" && p.Old.Symbol() != n.Symbol() {
		return name + " " + p.Old.Symbol() + " → " + n.Symbol()
	}
	if s := b.clause(p); s != "" {
		return name + ": " + s
	}
	return name + " " + strings.ReplaceAll(ValueChange(p), " -> ", " → ")
}

// wordsChange says which texts of a list of them came and went; false if the pair is no such list.
func wordsChange(p *compare.Pair) (string, bool) {
	old, ok := stringsOf(p.Old)
	if !ok {
		return "", false
	}
	new, ok := stringsOf(p.New)
	if !ok {
		return "", false
	}
	var added, removed []string
	for _, t := range new {
		if !slices.Contains(old, t) {
			added = append(added, model.OneLine(t, 60))
		}
	}
	for _, t := range old {
		if !slices.Contains(new, t) {
			removed = append(removed, model.OneLine(t, 60))
		}
	}
	var s []string
	if len(added) > 0 {
		s = append(s, contents.List(added, 4)+" added")
	}
	if len(removed) > 0 {
		s = append(s, contents.List(removed, 4)+" removed")
	}
	if len(s) == 0 {
		return "in another order", true
	}
	return strings.Join(s, ", "), true
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

// listChange says how many elements of a list changed, and the names of those that came and went, where they have any.
func listChange(p *compare.Pair, list compare.Counts) string {
	what := inWords(strings.TrimSuffix(p.Node().Type, "[]"))
	var s []string
	for _, st := range []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed} {
		n := list.Of(st)
		switch {
		case n == 0:
		case st == compare.Changed:
			s = append(s, humanize.Comma(n)+" of "+contents.Count(int64(p.Node().Elements()), what)+" changed")
		default:
			s = append(s, contents.Count(n, what)+" "+st.String()+namesOf(p, st, n))
		}
	}
	return strings.Join(s, "; ")
}

// namesOf are the names of the n elements of a list with a status, in parentheses; empty if they are many or have none.
func namesOf(p *compare.Pair, st compare.Status, n int64) string {
	if n > elementsWalked {
		return ""
	}
	var names []string
	p.Runs(func(r compare.Run) bool {
		for i := 0; i < r.N && r.Status == st && !r.OneVersion; i++ {
			if name := p.ChildNode(r.First + i).CallName(); name != "" {
				names = append(names, model.OneLine(name, 40))
			}
		}
		return true
	})
	if len(names) < int(n) {
		return ""
	}
	return " (" + contents.List(names, 6) + ")"
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
