// Package properties reads the text files around a bundle: .material, .scene, .physics, .animation, .terrain, .particle
// and game.config, all of one form:
//
//	namespace [id] [: parentId]        { on the same line or the next
//	{
//	    name = value                   the rest of the line
//	    namespace …
//	}
//	// a comment, to the end of the line; and one from a line that begins with /* to a later one that begins or ends
//	with */
//
// A line that is neither of these is a name and a value without "=". All is read as the engine of 2014 does, the first
// with variables and with comments of several lines; until then a } ended a namespace on a line with "=", too, and a
// second "=" the value. Where a person would read it otherwise, the document says so:
//
//   - a line with "=" is a property, whatever braces it has
//   - a value, and an id, has what looks like a comment after it
//   - of a name that is there twice one value counts: see Space.Get
//   - a */ elsewhere does not end a comment
//   - a value without "=" ends at a ":"
//   - a head without a { after it is a property
//   - a property whose value is a variable that nothing sets counts as absent
//   - a single blank before the ":" of a parent makes it the id
//   - what follows a { on the line of its namespace, or a }, is not read
//
// In some places the reading is not the engine's. Of the first three the document says so:
//
//   - a byte order mark is no part of the first name
//   - in a namespace, a line that begins with a } ends it, even if the line has a "="
//   - the first sign after a namespace on one line is not skipped
//   - what follows the { of a namespace without an id is left out, and not the id
//   - a brace that ends or begins nothing does not end the reading
//   - a CR alone ends a line, and a line has up to 64 KiB; the engine's have 2,047 bytes
//   - a variable that an outer namespace has, too, is another one
//   - a namespace that inherits, or that file#id names, keeps its variables and those around it, also for what it
//     inherits; the engine's copy of it has none
//   - a parent is not looked for below its own level
//   - where a namespace is merged with an inherited one, what its own parent has counts, too; the engine keeps only the
//     parent of the inherited one
//
// Every byte of a file is in one field of its tree.
//
//	grammar.go     the members of a text: properties, namespaces, comments
//	known.go       what a first reading of them knows for the second
//	line.go        lines and blanks
//	properties.go  the content of a text as values
//	parents.go     from which namespace one inherits, and what is wrong with that
//	space.go       a namespace with what it inherits
//	values.go      numbers
//	open.go        a text as a document
//	sniff.go       how such texts begin
//	fields.go      what each namespace and property means, by the words of fields.md
//
// Three files follow a property from bytes to a value: grammar.go, line.go and this one.
package properties

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	format = "gpb"
	// MaxSize is how many bytes of a text are read. Real ones have a few thousand.
	MaxSize  = 16 << 20
	maxLine  = 64 << 10 // of a line; the rest is the next line
	maxDepth = 32       // of namespaces in namespaces
)

var types = &decode.Types{Text: "string", Bytes: "bytes"}

// Namespace is a block of properties, or a whole file.
type Namespace struct {
	Name, ID, Parent string
	Properties       []Property
	Spaces           []*Namespace
	Offset           int64                 // of the name, in the file
	start, end       int64                 // of all of it, with what separates it from the member before it
	parentAt         int64                 // offset of Parent
	parent           *Namespace            // of this level; nil if there is none
	byID             map[string]*Namespace // the first of Spaces with each id
	byKey            map[key]*Namespace    // the first of Spaces with each name and id
}

// key is the name and the id of a namespace.
type key struct{ name, id string }

// Property is a name with a value.
type Property struct {
	Name, Value string
	Offset      int64 // of the value
	start       int64 // of what separates it from the member before it
}

// The types of the nodes of properties and of namespaces.
const (
	PropertyType  = "Property"
	namespaceType = "Namespace"
)

// PropertyAt returns the property of n, or of a namespace below it, whose bytes begin at an offset of the file.
func (n *Namespace) PropertyAt(offset int64) (Property, bool) {
	for n != nil {
		i, ok := slices.BinarySearchFunc(n.Properties, offset,
			func(p Property, offset int64) int { return cmp.Compare(p.start, offset) })
		if ok {
			return n.Properties[i], true
		}
		i, ok = slices.BinarySearchFunc(n.Spaces, offset,
			func(s *Namespace, offset int64) int { return cmp.Compare(s.start, offset) })
		if !ok {
			i--
		}
		if i < 0 {
			break
		}
		n = n.Spaces[i]
	}
	return Property{}, false
}

// Key identifies the namespace among those of its level.
func (n *Namespace) Key() string { return strings.TrimSpace(n.Name + " " + n.ID) }

// Find returns the namespace that a reference means: the top-level one with that id, or with that name and id; below
// it, after a slash, a nested one. An empty reference means the first. It returns nil if there is none. The engine
// knows ids only.
func (n *Namespace) Find(reference string) *Namespace {
	if reference == "" && len(n.Spaces) > 0 {
		return n.Spaces[0]
	}
	for {
		id, rest, more := strings.Cut(reference, "/")
		next := n.byID[id]
		if next == nil {
			kind, own, _ := strings.Cut(id, " ")
			next = n.byKey[key{kind, own}]
		}
		if next == nil || !more {
			return next
		}
		n, reference = next, rest
	}
}

// Read reads the content of a text. Lines that make no sense are left out.
func Read(ctx context.Context, src *model.Source) (*Namespace, error) {
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types).Quiet(model.Span{Size: MaxSize})
	file := &Namespace{}
	b := &builder{[]*Namespace{file}}
	(&parser{content: b}).file(c)
	b.end(c.Pos())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return file, c.Err()
}

// All goes through the namespace and those below it, each before those in it.
func (n *Namespace) All() iter.Seq[*Namespace] {
	return func(yield func(*Namespace) bool) {
		for todo := []*Namespace{n}; len(todo) > 0; {
			n := todo[len(todo)-1]
			if !yield(n) {
				return
			}
			todo = todo[:len(todo)-1]
			for _, s := range slices.Backward(n.Spaces) {
				todo = append(todo, s)
			}
		}
	}
}

// builder makes the content of a text of its members, as they are met.
type builder struct {
	open []*Namespace // the text and the namespaces that are being read, the innermost last
}

// add adds a property.
func (b *builder) add(p Property) {
	in := b.open[len(b.open)-1]
	in.Properties = append(in.Properties, p)
}

// begin adds a namespace, to which what follows belongs until its end. Nothing is done if b is nil.
func (b *builder) begin(n Namespace) {
	if b != nil {
		in := b.open[len(b.open)-1]
		own := n // in memory of its own only here
		in.Spaces = append(in.Spaces, &own)
		if in.byID == nil {
			in.byID, in.byKey = make(map[string]*Namespace), make(map[key]*Namespace)
		}
		if in.byID[n.ID] == nil && n.ID != "" {
			in.byID[n.ID] = &own
		}
		if id := (key{n.Name, n.ID}); in.byKey[id] == nil {
			in.byKey[id] = &own
		}
		b.open = append(b.open, &own)
	}
}

// end ends the innermost namespace, at an offset. Nothing is done if b is nil.
func (b *builder) end(at int64) {
	if b == nil {
		return
	}
	in := b.open[len(b.open)-1]
	in.end = at
	for _, n := range in.Spaces {
		if n.Parent != "" {
			n.parent = in.byID[n.Parent]
		}
	}
	b.open = b.open[:len(b.open)-1]
}
