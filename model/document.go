package model

import (
	"context"
	"fmt"
	"image"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// UnknownFormat is the Format of documents without a known structure.
const UnknownFormat = "bytes"

// Document is an opened file.
type Document struct {
	Source  *Source
	Format  string // short name of the format: gpb, casset, ppac, dprsim, bytes
	Variant string // which of the format's layouts: "1.2", "4.0 published, wide size"
	Why     string // how that was decided, in a sentence

	// Payloads lists the assets of the file; nil if it has no assets.
	Payloads Payloads
	// LoadPayloads finds the assets that Payloads lists, for FindPayloads. Without it the first call of Len or At
	// finds them, and cannot be canceled. It is nil if the list is complete.
	LoadPayloads func(ctx context.Context) error
	// IsPackage reports whether the file is a package, so that the window first displays the list of its assets.
	IsPackage bool
	// IsLayered reports whether files of this format are loaded in order, so that an asset of a later file replaces
	// those with its key in earlier ones.
	IsLayered bool
	// Packer is how files of this format are written; nil if they are not.
	Packer *Packer
	// FindKey returns the node with that key, for links and for going to a key; nil if the format has no such index.
	FindKey func(key string) (Path, bool)
	// Groups returns other arrangements of the structure for the user: an index by type, objects by path.
	Groups []Grouping
	// Tables returns long lists as rows and columns, to sort and to filter.
	Tables []TableSource
	// View returns the view of a node; the root stands for the whole file. View is nil if the format draws nothing.
	View func(ctx context.Context, n *Node) (View, error)
	// Keys returns the keys, as a table, of the animation channel that contains a node, and the channel's node, or nil.
	// Keys is nil if the format has no animations.
	Keys func(n *Node) (channel *Node, keys *Table)
	// Item returns the item that a node is for the user, and false if it is only a part of one. Item is nil if the
	// format has no items.
	Item func(n *Node) (Item, bool)
	// Meaning returns the description of a node's field and type. Meaning is nil if the format has no descriptions.
	Meaning func(n *Node) Meaning
	// Description is the description that the file was read with; nil if the format is built in.
	Description *Description
	// Content reports whether the file has no decoded structure, but is a picture, a sound or a text, which its view
	// displays.
	Content bool
	// Project is the folder of the project of the file, or the package that contains it: referenced files are searched
	// there. It is empty for a file without references.
	Project string
	// Switches are choices for the user that the file does not record, such as the byte order of a world's native
	// codes.
	Switches []ReadOption

	// Budget bounds the cost of reading; nil if the size of the file bounds it.
	Budget Budget

	root *Node                // as the decoder made it, without gap nodes
	gaps atomic.Pointer[Node] // the root with its gaps, once computed

	indexing sync.Mutex
	index    *AssetIndex // nil until requested
}

// Grouping is another arrangement of the nodes of a document, by a property that users search for.
type Grouping struct {
	Name string
	// Build makes the tree of groups; its leaves have a Link to the represented nodes.
	Build func(ctx context.Context) (*Node, error)
}

// ReadOption is a choice between ways to read the file.
type ReadOption struct {
	Name    string
	Choices []string
	Current int // the choice that this document was read with
	// Reopen reads the same source with another choice.
	Reopen func(ctx context.Context, choice int) (*Document, error)
}

// FindPayloads finds the assets of the file, if its format has to search for them, so that Payloads.Len and At do not
// block later. The error is the context's.
func (d *Document) FindPayloads(ctx context.Context) error {
	if d.LoadPayloads == nil {
		return nil
	}
	return d.LoadPayloads(ctx)
}

// Budget is the cost that reading a document may have. When it is spent, reading stops, and everything read later is
// empty.
type Budget interface {
	// Stopped returns why reading stopped; nil if it did not.
	Stopped() *Problem
	// Restart gives a walk through the whole document a budget of its own.
	Restart()
	// Until makes reads end soon after the contexts of all current walks have ended. end ends the walk.
	Until(ctx context.Context) (end func())
}

// ReadUntil is called before a walk through the nodes of d, and end after it. When ctx ends, it ends the read of a node
// unless another walk may need it; nodes that are read later are empty, so the walk must return the context's error.
func (d *Document) ReadUntil(ctx context.Context) (end func()) {
	if d.Budget == nil {
		return func() {}
	}
	return d.Budget.Until(ctx)
}

// Stopped returns why reading stopped; nil if it did not.
func (d *Document) Stopped() *Problem {
	if d.Budget == nil {
		return nil
	}
	return d.Budget.Stopped()
}

// restartBudget gives a walk through the whole document a budget of its own.
func (d *Document) restartBudget() {
	if d.Budget != nil {
		d.Budget.Restart()
	}
}

const gapList = "gap"

// Kind returns the format and variant of the file as text: "absent" for a file that one of two versions does not have.
func (d *Document) Kind() string {
	if d.Source.IsAbsent() {
		return "absent"
	}
	if d.Content || d.Format == UnknownFormat && d.Variant != "" {
		return d.Variant
	}
	return strings.TrimSpace(d.Format + " " + d.Variant)
}

// NewDocument makes a document of a decoded structure. root has no parent.
func NewDocument(src *Source, format, variant string, root *Node) *Document {
	return &Document{Source: src, Format: format, Variant: variant, root: root}
}

// Root returns the structure. After ShowGaps it has the unexplained bytes, as the last child of the root.
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
	root.SetChildren(&withLast{base: d.root, last: list})
	list.Parent, list.Index = &root, root.Len()-1
	d.gaps.Store(&root)
}

// withLast is the children of a node and one more.
type withLast struct {
	base, last *Node
}

func (w *withLast) Len() int { return w.base.Len() + 1 }

func (w *withLast) At(i int) *Node {
	if i == w.base.Len() {
		return w.last
	}
	return w.base.Child(i)
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

// At returns the node at a path, or nil.
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

// Find returns the node whose PathText or NamePath is text. The error names the first step without a node.
func (d *Document) Find(text string) (*Node, error) {
	n := d.Root()
	if text == "" || text == "/" {
		return n, nil
	}
	for _, step := range strings.Split(strings.TrimPrefix(text, "/"), "/") {
		c := n.childAt(step)
		if c == nil {
			return nil, fmt.Errorf("there is no %q in %s", unescapeName(step), n.NamePath())
		}
		n = c
	}
	return n, nil
}

// Owner returns the leaf that owns the byte at off, or the gap that contains it, or nil.
func (d *Document) Owner(off int64) *Node { return d.Root().owner(off) }

// maxEnclosing is the number of enclosing nodes that OwnerNear searches before it starts at the root.
const maxEnclosing = 8

// OwnerNear is Owner for a byte that is probably close to a node: in a deep structure a search from the root takes
// long.
func (d *Document) OwnerNear(near *Node, off int64) *Node {
	tries := 0
	for n := near; n != nil && tries < maxEnclosing; n = n.Parent {
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

// owner returns the leaf below n that owns the byte at off, or the gap that contains it, or nil.
func (n *Node) owner(off int64) *Node {
	var gap *Node
	leaf := n.findAt(off, func(n *Node) bool {
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

// StructAt returns the first struct of a type below n that begins at off, outer structs before inner ones, or nil.
func (n *Node) StructAt(off int64, typ string) *Node {
	return n.findAt(off, func(c *Node) bool { return c.Offset == off && c.Type == typ && !c.Leaf() })
}

// findAt returns the first node below n that contains the byte at off and satisfies found. It searches every span
// with the byte, because the span of a list with scattered elements contains foreign bytes.
func (n *Node) findAt(off int64, found func(n *Node) bool) *Node {
	type searchStep struct {
		n        *Node
		next, to int
	}
	enterNode := func(n *Node) searchStep {
		if f, ok := n.children.(Finder); ok {
			from, to := f.Find(off)
			return searchStep{n, from, to}
		}
		return searchStep{n, 0, n.Len()}
	}
	stack := []searchStep{enterNode(n)}
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		if s.next >= s.to {
			stack = stack[:len(stack)-1]
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
		stack = append(stack, enterNode(c))
	}
	return nil
}

// View is the data to display for a node, of one of the kinds below. A nil View displays no content.
type View interface {
	// ViewKind returns the kind of the view. Only the types that ViewKind lists implement it.
	ViewKind() ViewKind
}

// ViewKind is a kind of View.
type ViewKind uint8

// The kinds, each with the type that implements it.
const (
	PictureView    ViewKind = iota // Picture
	SceneView                      // *scene.Scene
	TextView                       // *text.Text
	SoundView                      // *sound.Sound
	BytesView                      // *content.Bytes
	SheetView                      // *content.Sheet
	PropertiesView                 // *content.Properties
	OverviewView                   // *archive.Overview
)

// Picture is the view of pixels: one picture, and the others that belong to it.
type Picture struct {
	image.Image        // displayed first
	Format      string // the pixel format in the file: "BC7", "PNG"
	Drawn       bool   // the file has no pixels: their number is not a property of it
	Parts       []Part // all pictures, the first being Image: mip levels, sides, layers, frames; nil if there is one
	Boxes       []Box  // the parts of Image: the glyphs of a font
	Broken      error  // the damage of the file, whose intact rows Image has; nil if it is intact
	// Lines sets a text in each size of a font; nil: this is not a font.
	Lines func(ctx context.Context, text string) ([]Line, error)
}

// Box is a named part of a picture.
type Box struct {
	image.Rectangle
	Name string
	Span Span // of the bytes in the file that describe it; may be empty
}

// Line is a text set in one size of a font.
type Line struct {
	Name string // "32 px"
	*image.Alpha
	Missing []rune // characters of the text that the font does not have, each once
}

// ViewKind implements View.
func (Picture) ViewKind() ViewKind { return PictureView }

// Part is one of the pictures of a Picture.
type Part struct {
	Name  string
	Delay time.Duration // the duration of a frame of an animation; 0 for other parts
	Load  func(ctx context.Context) (image.Image, error)
	Boxes []Box
}
