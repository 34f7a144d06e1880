// Package kaitai reads files as Kaitai Struct descriptions (.ksy) say: https://doc.kaitai.io/ksy_reference.html and
// https://doc.kaitai.io/user_guide.html are the published documents. A description is read when the program runs;
// it is not compiled.
//
// To follow one object from bytes to values, read object.go: attributes reads its attributes, of which attribute
// decides what each is, and nested reads the objects in it. leaf.go reads what has a value, and read.go says what
// the reading that does all this has. What is repeated goes on in list.go, and instances in instance.go.
//
// What there is while a file is read, and whose it is:
//
//	reading      of one goroutine: a cursor on a stream, and why it reads. read.go makes all others of one: with
//	             (another cursor), within and withinMade (a stream in the stream), elsewhere and evaluating
//	             (instances), later; and those of an object that is shown
//	stream       of the objects in it: its bytes, and how far the object was read that it is of
//	object       of who reads it, and of all once it is read; only its instances are set later, each once
//	instance     of its object: a value, where one was read, or why there is none
//	activation   of the reading of an instance or an element: both, with what waits for them; it is passed on
//	suspended    of the reading within a stream or elsewhere: how far the streams around it are read; it is passed on
//	deferred     of the reading that records the outermost object: nodes that are made in the end
//	elements     of the object that has the list: where its elements are, which are read again when they are needed
//	shownPath    of nodes: the objects whose instances are shown around them, so that this ends
//
// Readings of one document share what does not change once an object is read, and what is found later is set once: any
// number of goroutines may read. They share the elements that were read last, too (recentElements, with a lock).
//
// Of the language:
//
//	meta         id title file-extension imports encoding endian (also switched) bit-endian
//	types        nested, imported, opaque (from a file of that name beside the description), with params
//	of a type    seq params types instances enums (with doc) doc doc-ref to-string -webide-representation
//	numbers      u1-u8 s1-s8 f4 f8 with le and be; b1-b64 with both orders; enum
//	bytes, text  contents size size-eos terminator include consume eos-error pad-right; str strz encoding
//	choice       if switch-on; repeat (expr, eos, until), also with its expression in it: {expr: count}
//	process      zlib xor rol ror
//	valid        a value, a list of them, or eq min max any-of expr in-enum
//	instances    value; pos io, with all of an attribute
//	expressions  all, with f-strings, casts, sizeof and bitsizeof, _index _io _on _parent _root _sizeof
//	passed over  meta: application xref license tags ks-version ks-debug ks-opaque-types ks-zero-copy-substream; other
//	             keys that begin with a hyphen, which are those of other programs
//	labels       -webide-representation with {name}, and {name:dec}, hex, str, uuid and flags; whole numbers are
//	             hexadecimal in it unless dec says otherwise, as in the language's editor
//	of Assay     -assay-export: true, false or {name, media-type} of bytes that can leave the file
//	not read     processes that a program would bring along: the bytes stay bytes, with a problem that names it;
//	             a key or an id that stands twice is an error, as are two imports of one id that differ
//
// An attribute without an id is named _unnamed0 by its position. What a process made of bytes has no bytes of its
// own in the file: the stored ones are the leaf _raw. Bytes of an object with a size after its terminator or padding
// are _padding. A bit field owns the bytes that it is the first to read from; bit fields go on in an object or a choice
// that follows, and what is left of a byte is dropped where a number, bytes, a text or an object with a size begins, as
// from version 0.11 of the language on.
//
// Other than in the programs that the language's own compiler makes: an error in an attribute that has a size, or in an
// element of a list of objects of one size, does not end the reading of what follows it; what is not valid is an error,
// and reading goes on; bit fields of both orders may meet within a byte, with a warning; a value instance that names an
// object around it does not show it again; instances that need one another more than 1000 deep are an error; an element
// of a list that includes a terminator without consuming it is not followed by that terminator again; a choice in a
// list that no case fits is an empty element. _index is the position of the element that is read; outside a repeated
// attribute, also in instances, it is that of the object in the list that the object is an element of, and an error if
// it is in none. In repeat-until it is that of the element that was just read; some of the compiler's programs count
// one further there. _sizeof of an object whose type has no fixed size is how many bytes it took, once it is read.
//
// Descriptions and files are bounded: see the constants of read.go, library.go, show.go, instance.go, leaf.go,
// valid.go and attribute.go, and of expression. All readings of a document share one budget (budget.go): steps, for the
// time, and bytes that objects hold, for the memory. When it is spent, reading stops, what was read stays, and
// model.Document.Budget returns the one problem that says so, with the path and the rule.
package kaitai

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// Open reads src as the description says. What is wrong with the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	budget := newBudget(src.Size())
	c.StopLists(budget.isStopped)
	defer budget.Until(ctx)()
	whole := newStream(c, &opened{budget: budget})
	newReading(whole, c).wholeStream(newObject(d.Root, nil, nil, whole))
	root := c.Close()
	root.SetReadAs(d.Root)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, d.ID, "(from NAME.ksy)", root)
	doc.Budget = budget
	doc.Why = "the description " + model.FileName(d.File) + " says how it is read"
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = d.findPayloads(ctx, doc)
	return doc, ctx.Err()
}

// place is where in which file something stands.
type place struct {
	file string
	line int    // from 1
	path string // from the top of the document: /types/header/seq/0
}

// Error is what is wrong with a description, where.
type Error struct {
	File    string
	Line    int    // from 1; 0 if the file as a whole is meant
	Path    string // from the top of the document: /types/header/seq/0/size; "" for the file as a whole
	Message string
}

// Error writes the error as the language's own compiler does: file, line, path, and what was expected.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Path == "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	path := e.Path
	if most := 200; len(path) > most { // of types in types in types
		path = "..." + path[len(path)-most:]
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, path, e.Message)
}

// Place returns the file and the line of the error.
func (e *Error) Place() (file string, line int) { return e.File, e.Line }

// fail returns an error at a place.
func (p place) fail(format string, args ...any) error {
	return &Error{File: p.file, Line: p.line, Path: p.path, Message: fmt.Sprintf(format, args...)}
}

// page is a description as people read it: a section for each type, a term for each attribute. It is made when it is
// first asked for.
type page struct {
	make     sync.Once
	page     *model.Page
	sections map[*Type]*model.Section
	terms    map[*Attribute]*model.Term
}

// Page returns the description as a page for people.
func (d *Description) Page() *model.Page {
	d.page.make.Do(d.makePage)
	return d.page.page
}

func (d *Description) makePage() {
	p := &d.page
	p.page = &model.Page{Name: d.ID, Title: d.Title, Text: d.Root.Doc.joined()}
	p.sections, p.terms = map[*Type]*model.Section{}, map[*Attribute]*model.Term{}
	types := slices.Collect(d.Root.all())
	for _, id := range slices.Sorted(maps.Keys(d.Imports)) {
		for t := range d.Imports[id].all() {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	p.page.Sections = make([]model.Section, len(types))
	for i, t := range types {
		s := &p.page.Sections[i]
		p.sections[t] = s
		if s.Title = t.Name; t != d.Root {
			s.Text = t.Doc.joined()
		}
		s.Terms = make([]model.Term, len(t.attributes()))
		for j, a := range t.attributes() {
			s.Terms[j] = model.Term{Title: a.ID, Text: a.Doc.joined(), Values: a.plan.enum.numbers()}
			p.terms[a] = &s.Terms[j]
		}
	}
}

// joined returns what is said, and where more is.
func (d Doc) joined() string {
	var all []string
	for _, text := range append([]string{d.Text}, d.Refs...) {
		if text = joined(text); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n")
}

// numbers returns the members of an enumeration, by their values; nil if there is none.
func (e *Enum) numbers() []model.NamedNumber {
	if e == nil {
		return nil
	}
	var all []model.NamedNumber
	for _, m := range e.byName {
		n, _ := m.Value.Whole()
		all = append(all, model.NamedNumber{Number: n, Name: m.Name})
	}
	slices.SortFunc(all, func(a, b model.NamedNumber) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// meaning returns what the description says about a node.
func (d *Description) meaning(n *model.Node) model.Meaning {
	m := model.Meaning{Field: doc(n), Page: d.Page()}
	a, ok := ruleOf(n)
	switch {
	case !ok:
	case a != nil:
		m.Section, m.Term = d.page.sections[a.plan.owner], d.page.terms[a]
	default:
		m.Section = d.page.sections[d.Root]
	}
	return m
}
