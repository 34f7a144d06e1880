package properties

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"assay/formats/decode"
	"assay/model"
)

// known holds the results of a first reading, by offsets in the file.
type known struct {
	parents     map[int64]knownParent
	variables   map[string]bool          // variables that are set
	occurrences map[int64]int            // index of a duplicate name, from 2, by its value
	long        map[int64]*longNamespace // by the name
}

// knownParent is the parent of a namespace, which may be nil, and its error.
type knownParent struct {
	*Namespace
	wrong string
}

// knownOf returns the results of reading a text.
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

// A longNamespace has more bytes than a list in an element is recorded with. To avoid reading it again for each list
// around it, quiet readings after the first skip it.
type longNamespace struct {
	end   int64
	found atomic.Pointer[decode.Outcome] // outcome of the first reading; nil before it
}

const shortNamespace = 1 << 10

// skip moves c to the end of the namespace if reading it again cannot find anything new, and reports whether it did.
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

// keep stores the outcome of a quiet reading after skip returned false.
func (n *longNamespace) keep(c *decode.Cursor) {
	if n != nil && !c.Recording() && c.Err() == nil {
		found := c.Outcome()
		n.found.Store(&found)
	}
}

// maxParents is the maximum length of a chain of inheritance, including the heir.
const maxParents = 64

// heritage returns the namespace and its ancestors, the nearest first. They are on its level; the engine would also
// find ancestors below others of the level.
func (n *Namespace) heritage() (all []*Namespace) {
	for at := n; at != nil && len(all) < maxParents && !slices.Contains(all, at); at = at.parent {
		all = append(all, at)
	}
	return all
}

// parentProblem returns the error of the parent of a namespace: it does not exist, or the chain of parents is a cycle
// or too long. It returns "" if there is no error.
func (n *Namespace) parentProblem() string {
	if n.Parent == "" {
		return ""
	}
	chain := n.heritage()
	next := chain[len(chain)-1].parent
	switch {
	case n.parent == nil:
		return fmt.Sprintf("there is no %s at this level; the parent is ignored",
			model.OneLine(strings.ToValidUTF8(n.Parent, "\uFFFD"), 60))
	case next == nil:
		return ""
	case slices.Contains(chain, next):
		return fmt.Sprintf("%s inherits from itself through its parents; the cycle is ignored",
			model.OneLine(n.Key(), 60))
	}
	return fmt.Sprintf("%s has more than %d levels of parents; the rest is ignored",
		model.OneLine(n.Key(), 60), maxParents-1)
}

// Sniff judges the first bytes of a text. No mark identifies the format with certainty: the text has no control
// characters, begins with a comment, a property or a namespace, and contains a namespace.
func Sniff(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune(lineBlanks+"\r\n", rune(b)) || b == 0x7f || b == 0 {
			return decode.No
		}
	}
	head = trimBlanks(bytes.TrimPrefix(head, byteOrderMark))
	for first := oneLineComment(head); len(first) > 0; first = oneLineComment(head) {
		head = trimBlanks(head[len(first):]) // the engine does not end it there, and the document has a remark
	}
	if len(head) == 0 || !isWord(head[0]) && head[0] != '/' && head[0] != '$' {
		return decode.No
	}
	src := model.NewSource("", bytes.NewReader(head), int64(len(head)))
	file, err := Read(context.Background(), src)
	if err != nil || len(file.Spaces) == 0 {
		return decode.No
	}
	for _, n := range file.Spaces {
		for i := range n.Name {
			if !isWord(n.Name[i]) {
				return decode.No
			}
		}
	}
	return decode.Maybe
}

// oneLineComment returns the first line of a text if it looks like a complete comment, or nil.
func oneLineComment(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(first, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("*/")) {
		return first
	}
	return nil
}

// Magic returns patterns for the start of texts of properties, for desktops: a namespace of the published documents
// with its brace, or a comment before one.
func Magic() []model.Magic {
	brace := []model.Magic{{Bytes: []byte("{"), From: 1, To: 128}}
	var all, lines []model.Magic
	for _, named := range []string{"material ", "animation ", "collisionObject ", "rigidBody ", "rigidbody ",
		"ghostObject ", "character ", "vehicle ", "vehicleWheel ", "terrain ", "particle "} {
		all = append(all, model.Magic{Bytes: []byte(named), And: brace})
		lines = append(lines, model.Magic{Bytes: []byte("\n" + named), From: 1, To: 1024})
	}
	for _, plain := range []string{"scene", "terrain", "window", "graphics", "gamepad"} {
		for _, end := range []string{"\n{", "\r\n{", " {", "{", "\t{", " \n{", " \r\n{"} {
			all = append(all, model.Magic{Bytes: []byte(plain + end)})
		}
		lines = append(lines, model.Magic{Bytes: []byte("\n" + plain + "\n{"), From: 1, To: 1024})
	}
	for _, comment := range []string{"//", "/*"} {
		all = append(all, model.Magic{Bytes: []byte(comment), And: lines})
	}
	return all
}
