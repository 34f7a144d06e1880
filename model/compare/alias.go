package compare

import "assay/model"

// aliasesMax is how many elements are asked for their names.
const aliasesMax = 1 << 16

// nameTable holds the keyed things of one document by what they call themselves. A name that repeats has no key.
type nameTable struct {
	keys  map[identity]string
	order []identity // of keys, as in the file
	all   map[string]bool
	left  int
}

// planAliases finds things that two versions of a format key in two ways, a number here and an UUID there, by the path
// and the name that they give themselves.
func (e *engine) planAliases() {
	var found [2]nameTable
	for side := range 2 {
		found[side] = nameTable{keys: make(map[identity]string), all: make(map[string]bool), left: aliasesMax}
		found[side].collect(e.docs[side].Root(), 0)
	}
	e.aliases = make(map[string]string)
	for _, at := range found[0].order {
		l, r := found[0].keys[at], found[1].keys[at]
		if l == "" || r == "" || found[1].all[l] || found[0].all[r] || e.aliases[l] != "" {
			continue
		}
		e.aliases[l] = r
		if _, ok := e.renames[l]; !ok {
			e.renames[l] = r
		}
	}
}

const aliasDepth = 4 // lists are near the root

func (d *nameTable) collect(n *model.Node, depth int) {
	if depth > aliasDepth || n.Leaf() {
		return
	}
	for i := range n.Len() {
		if d.left--; d.left < 0 {
			return
		}
		c := n.Child(i)
		if c.Key == "" {
			d.collect(c, depth+1)
			continue
		}
		d.all[c.Key] = true
		label := ownName(c)
		if label == "" {
			continue
		}
		at := identity{c.Type, label}
		if _, twice := d.keys[at]; twice {
			d.keys[at] = ""
		} else {
			d.keys[at] = c.Key
			d.order = append(d.order, at)
		}
	}
}

// ownName returns the path and the name that a node gives itself, empty if it gives neither.
func ownName(n *model.Node) string {
	label := ""
	for i := range min(n.Len(), 16) {
		c := n.Child(i)
		if s, ok := c.Value.(string); ok && c.Role == model.RoleName {
			label += s + "\x00"
		}
	}
	return label
}
