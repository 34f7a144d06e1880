package properties

import (
	"sync/atomic"

	"assay/formats/decode"
)

// known is what a first reading knows, by offsets in the file.
type known struct {
	parents     map[int64]string         // what is wrong with a parent
	occurrences map[int64]int            // of a name that is there twice, from 2: by the value
	long        map[int64]*longNamespace // by the name
}

// knownOf returns what is known of a text.
func knownOf(file *Namespace) known {
	k := known{make(map[int64]string), make(map[int64]int), make(map[int64]*longNamespace)}
	for n := range file.All() {
		if wrong := n.parentProblem(); wrong != "" {
			k.parents[n.parentAt] = wrong
		}
		if n != file && n.end-n.start > shortNamespace {
			k.long[n.Offset] = &longNamespace{end: n.end}
		}
		if len(n.Properties) < 2 {
			continue
		}
		occurrences := make(map[string]int)
		for _, p := range n.Properties {
			if occurrences[p.Name]++; occurrences[p.Name] > 1 && !isVariable(p.Name) {
				k.occurrences[p.Offset] = occurrences[p.Name]
			}
		}
	}
	return k
}

// A longNamespace has more bytes than a list in an element is recorded with. So that it is not read again for each list
// that it is in, quiet readings after the first go to its end.
type longNamespace struct {
	end            int64
	clean, unclean atomic.Bool // what the first found
}

const shortNamespace = 1 << 10

// skip goes to the end of the namespace if nothing new can be found in it, and reports whether it did.
func (n *longNamespace) skip(c *decode.Cursor) bool {
	switch {
	case n == nil || c.Recording():
		return false
	case n.clean.Load():
		filler(c, "members", n.end-c.Pos())
	case n.unclean.Load() || c.Outcome() != decode.Clean:
		c.GoTo(n.end)
	default:
		return false
	}
	return true
}

// keep keeps what a quiet reading that skip began found.
func (n *longNamespace) keep(c *decode.Cursor) {
	if n != nil && !c.Recording() && c.Err() == nil {
		n.clean.Store(c.Outcome() == decode.Clean)
		n.unclean.Store(c.Outcome() != decode.Clean)
	}
}
