package model

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// UnknownFormat is the Format of documents of which no structure is known.
const UnknownFormat = "bytes"

// Document is an opened file.
type Document struct {
	Source  *Source
	Format  string // short name of the format: gpb, casset, ppac, dprsim, bytes
	Variant string // which of the format's layouts: "1.2", "4.0 published, wide size"
	Why     string // how that was decided, in a sentence

	// Payloads lists the assets that can leave the file; nil if there are none.
	Payloads Payloads
	// LookForPayloads finds the assets that Payloads lists, for FindPayloads. Without it the first call of Len or At
	// finds them, and cannot be cancelled. It is nil if they are known.
	LookForPayloads func(ctx context.Context) error
	// Packs says that the file is a container: what people look for first is the list of its assets.
	Packs bool
	// Stacks says that files of this format are loaded one after the other, and that an asset of a later one takes the
	// place of those with its key in earlier ones.
	Stacks bool
	// Packer is how files of this format are written; nil if they are not.
	Packer *Packer
	// FindKey returns the node with that key, for links and for going to a key; nil if the format has no such index.
	FindKey func(key string) (Path, bool)
	// Groups returns other orders of the structure, for people to look at: an index by type, objects by path.
	Groups []Grouping
	// Tables returns long lists as rows and columns, to sort and to filter.
	Tables []TableSource
	// View returns what a node looks like, the root being the whole file. It is nil itself if the format draws nothing.
	View func(ctx context.Context, n *Node) (View, error)
	// Keys returns the keys, as a table, of the channel of an animation that a node is or is a part of, and the
	// channel's node; nil if it is of none. It is nil itself if the format has no animations.
	Keys func(n *Node) (channel *Node, keys *Table)
	// Thing returns what a node is to people; false for what is only a part of something. It is nil itself if the
	// format has nothing to say.
	Thing func(n *Node) (Thing, bool)
	// Meaning returns what is known about what a node is. It is nil itself if the format has nothing to say.
	Meaning func(n *Node) Meaning
	// Description is what the file was read with; nil if the program itself knows the format.
	Description *Description
	// Content says that the file is not of a format with a structure, but a picture, a sound, a text: its view is what
	// it is.
	Content bool
	// Project is the folder of the project that the file is a part of, or the package that it is in: files that it
	// refers to are looked for there. Empty for a file that refers to none.
	Project string
	// Switches are what the file does not say and a person may decide: the byte order of a world's native codes.
	Switches []Switch

	// Budget bounds what reading may cost; nil if the bytes of the file bound it.
	Budget Budget

	root *Node                // as the decoder made it, without gap nodes
	gaps atomic.Pointer[Node] // the root with its gaps, once they are known

	indexing sync.Mutex
	index    *AssetIndex // nil until somebody asks for it
}

// Grouping is another order of nodes that a document has: what a person looks for things by.
type Grouping struct {
	Name string
	// Build makes the tree of groups; its leaves have a Link to the nodes that they stand for.
	Build func(ctx context.Context) (*Node, error)
}

// Switch is a choice between ways to read the file.
type Switch struct {
	Name    string
	Choices []string
	Current int // the choice that this document was read with
	// Reopen reads the same source with another choice.
	Reopen func(ctx context.Context, choice int) (*Document, error)
}

// FindPayloads finds the assets of the file, if its format has to look for them: Payloads.Len and At do not wait after
// that. The error is the context's.
func (d *Document) FindPayloads(ctx context.Context) error {
	if d.LookForPayloads == nil {
		return nil
	}
	return d.LookForPayloads(ctx)
}

// Budget is what reading a document may cost. When it is spent, reading stops, and what is read later is empty.
type Budget interface {
	// Stopped returns why reading stopped; nil if it did not.
	Stopped() *Problem
	// Restart gives a walk through the whole document a budget of its own.
	Restart()
}

// stopped returns why reading stopped; nil if it did not.
func (d *Document) stopped() *Problem {
	if d.Budget == nil {
		return nil
	}
	return d.Budget.Stopped()
}

// restart gives a walk through the whole document a budget of its own.
func (d *Document) restart() {
	if d.Budget != nil {
		d.Budget.Restart()
	}
}

const gapList = "gap"

// Kind says in words what the file is: its format and variant.
func (d *Document) Kind() string {
	if d.Content {
		return d.Variant
	}
	return strings.TrimSpace(d.Format + " " + d.Variant)
}

// NewDocument makes a document of a decoded structure. root has no parent.
func NewDocument(src *Source, format, variant string, root *Node) *Document {
	return &Document{Source: src, Format: format, Variant: variant, root: root}
}

// Root is the structure. Once ShowGaps was called, bytes that nothing explains are in it, as the last child of the
// root.
func (d *Document) Root() *Node {
	if r := d.gaps.Load(); r != nil {
		return r
	}
	return d.root
}

// ShowGaps puts the gaps of a report of this document into the structure. Paths to other nodes stay as they are.
func (d *Document) ShowGaps(r *Report) {
	if len(r.Gaps) == 0 {
		return
	}
	root := *d.root
	list := &Node{Name: gapList, Type: Gap + "[]", Span: r.Gaps[0].Join(r.Gaps[len(r.Gaps)-1])}
	gaps := r.Gaps
	list.SetChildren(&Elements{Count: len(gaps),
		Make: func(i int) *Node {
			return &Node{Type: Gap, Span: gaps[i], Value: Blob{d.Source, gaps[i]}, Parent: list}
		},
		Lookup: func(off int64) (int, int) { return spanAt(gaps, off) },
	})
	root.SetChildren(&appended{under: d.root, last: list})
	list.Parent, list.Index = &root, root.Len()-1
	d.gaps.Store(&root)
}

// appended is the children of a node and one more.
type appended struct {
	under, last *Node
}

func (a *appended) Len() int { return a.under.Len() + 1 }

func (a *appended) At(i int) *Node {
	if i == a.under.Len() {
		return a.last
	}
	return a.under.Child(i)
}

// spanAt returns the span, of some that are in order and do not overlap, that has the byte at off, as a range of
// indexes.
func spanAt(spans []Span, off int64) (int, int) {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End() > off })
	if i < len(spans) && spans[i].Contains(off) {
		return i, i + 1
	}
	return 0, 0
}

// At returns the node at a path, or nil if there is none.
func (d *Document) At(p Path) *Node {
	n := d.Root()
	for _, i := range p {
		if i < 0 || i >= n.Len() {
			return nil
		}
		n = n.Child(i)
	}
	return n
}

// Find returns the node whose PathText or NamePath is text; an error says how far the way goes.
func (d *Document) Find(text string) (*Node, error) {
	n := d.Root()
	if text == "" || text == "/" {
		return n, nil
	}
	for _, step := range strings.Split(strings.TrimPrefix(text, "/"), "/") {
		c := n.at(step)
		if c == nil {
			return nil, fmt.Errorf("there is no %q in %s", unescapeName(step), n.NamePath())
		}
		n = c
	}
	return n, nil
}

// Owner returns the leaf that owns the byte at off, or the gap it is in; nil if there is none (yet).
func (d *Document) Owner(off int64) *Node { return d.Root().owner(off) }

// nearMost is in how many nodes around another one an owner is looked for.
const nearMost = 8

// OwnerNear is Owner for a byte that is probably near those of a node: in a deep structure the way from the root is
// long.
func (d *Document) OwnerNear(near *Node, off int64) *Node {
	tries := 0
	for n := near; n != nil && tries < nearMost; n = n.Parent {
		if !n.Contains(off) {
			continue
		}
		if leaf := n.owner(off); leaf != nil && leaf.Type != Gap {
			return leaf
		}
		tries++
	}
	return d.Owner(off)
}

// owner returns the leaf below n that owns the byte at off, or the gap it is in; nil if there is none.
func (n *Node) owner(off int64) *Node {
	var gap *Node
	leaf := n.holding(off, func(n *Node) bool {
		if n.Type == Gap {
			gap = n
			return false
		}
		return n.Leaf()
	})
	if leaf == nil {
		return gap
	}
	return leaf
}

// Beginning returns the first struct of a type below n that begins at off, the outermost before those in it; nil if
// there is none.
func (n *Node) Beginning(off int64, typ string) *Node {
	return n.holding(off, func(c *Node) bool { return c.Offset == off && c.Type == typ && !c.Leaf() })
}

// holding returns the first node below root that holds the byte at off and is the one looked for. It goes down wherever
// the byte may be: the span of a list whose elements lie between other things holds those too, so the first way down
// need not be the right one.
func (n *Node) holding(off int64, found func(n *Node) bool) *Node {
	type step struct {
		n        *Node
		next, to int
	}
	enter := func(n *Node) step {
		if f, ok := n.children.(Finder); ok {
			from, to := f.Find(off)
			return step{n, from, to}
		}
		return step{n, 0, n.Len()}
	}
	way := []step{enter(n)}
	for len(way) > 0 {
		s := &way[len(way)-1]
		if s.next >= s.to {
			way = way[:len(way)-1]
			continue
		}
		c := s.n.Child(s.next)
		s.next++
		if !c.Contains(off) {
			continue
		}
		if found(c) {
			return c
		}
		way = append(way, enter(c))
	}
	return nil
}
