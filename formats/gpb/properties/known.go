package properties

import (
	"sync/atomic"

	"assay/formats/decode"
)

// known is what a first reading knows, by offsets in the file.
type known struct {
	parents     map[int64]knownParent
	variables   map[string]bool          // those that are set
	occurrences map[int64]int            // of a name that is there twice, from 2: by the value
	long        map[int64]*longNamespace // by the name
}

// knownParent is the parent of a namespace, nil if there is none, and what is wrong with it.
type knownParent struct {
	*Namespace
	wrong string
}

// knownOf returns what is known of a text.
func knownOf(file *Namespace) known {
	k := known{make(map[int64]knownParent), make(map[string]bool), make(map[int64]int), make(map[int64]*longNamespace)}
	for n := range file.All() {
		if n.Parent != "" {
			k.parents[n.parentAt] = knownParent{n.parent, n.parentProblem()}
		}
		if n != file && n.end-n.start > shortNamespace {
			k.long[n.Offset] = &longNamespace{end: n.end}
		}
		var occurrences map[string]int
		if len(n.Properties) > 1 {
			occurrences = make(map[string]int)
		}
		for _, p := range n.Properties {
			if isVariable(p.Name) {
				k.variables[p.Name] = true
			} else if occurrences != nil {
				if occurrences[p.Name]++; occurrences[p.Name] > 1 {
					k.occurrences[p.Offset] = occurrences[p.Name]
				}
			}
		}
	}
	return k
}

// A longNamespace has more bytes than a list in an element is recorded with. So that it is not read again for each list
// that it is in, quiet readings after the first go to its end.
type longNamespace struct {
	end   int64
	found atomic.Pointer[decode.Outcome] // what the first found; nil before it
}

const shortNamespace = 1 << 10

// skip goes to the end of the namespace if nothing new can be found in it, and reports whether it did.
func (n *longNamespace) skip(c *decode.Cursor) bool {
	if n == nil || c.Recording() {
		return false
	}
	switch found := n.found.Load(); {
	case c.Outcome() != decode.Clean:
		c.GoTo(n.end)
	case found == nil:
		return false
	case *found == decode.Clean:
		filler(c, "members", n.end-c.Pos())
	default:
		c.GoTo(n.end) // which makes the outcome worse than clean
	}
	return true
}

// keep keeps what a quiet reading that skip began found.
func (n *longNamespace) keep(c *decode.Cursor) {
	if n != nil && !c.Recording() && c.Err() == nil {
		found := c.Outcome()
		n.found.Store(&found)
	}
}
