// Package kaitai reads files by Kaitai Struct descriptions (.ksy), published at
// https://doc.kaitai.io/ksy_reference.html and https://doc.kaitai.io/user_guide.html. Descriptions are interpreted, not
// compiled. The whole language is supported except custom processes, which leave the bytes unchanged with a problem; a
// duplicate key or ID is an error.
//
// Library loads a Description (library.go, yaml.go, keys.go, resolve.go), and Description.Open reads a file. A decoder
// (read.go) reads objects (object.go), values (leaf.go), lists (list.go) and instances (instance.go); valid.go
// validates and transforms values, show.go creates the nodes of instances, and views.go the views of objects.
//
// Constants limit descriptions and files, and a budget (budget.go) limits the time and the memory for a document.
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

// Names and keys beyond those of the language:
//
//   - An attribute without an ID is named _unnamed0 by its index.
//   - Transformed bytes have no bytes in the file: the stored ones are the leaf _raw.
//   - The bytes between the end of an object and its size are _padding.
//   - The span of a bit field is all bytes with its bits; it owns the bytes without an earlier field.
//   - -webide-representation sets labels, with whole numbers in hexadecimal unless dec is given, as in the language's
//     editor.
//   - -assay-export (true, false or {name, media-type}) selects the bytes that can be exported.
//   - -assay-view makes the objects of a type pictures, meshes, scenes, sounds or texts, by the nodes at the paths that
//     it names, and their fields links.
//
// Differences from the programs that the language's own compiler makes:
//
//   - An error in an attribute with a size, or in an element of a list of objects of one size, does not stop reading.
//   - An invalid value is an error, and reading continues.
//   - Bit fields of both orders may share a byte, with a warning. The remaining bits of a byte are dropped before a
//     number, bytes, a text or an object with a size, as from version 0.11 of the language on.
//   - A value instance that returns an enclosing object does not display it again.
//   - Instances that need one another more than 1000 deep are an error.
//   - An element of a list that includes a terminator without consuming it is not followed by that terminator again.
//   - A choice in a list without a matching case is an empty element.
//   - _index outside a repeated attribute, also in instances, is the index of the object in its list, and an error if
//     it is in no list. In repeat-until it is the index of the last element; some of the compiler's programs add one.
//   - _sizeof of an object of variable size is the number of bytes it took, once it is read.

// Open reads src by the description. An error in the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	budget := newBudget(src.Size())
	c.StopLists(budget.isStopped)
	defer budget.Until(ctx)()
	whole := newStream(c, &opened{budget: budget})
	newDecoder(whole, c).wholeStream(newObject(d.Root, nil, nil, whole))
	root := c.Close()
	root.SetReadAs(d.Root)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, d.ID, "(from "+model.FileName(d.File)+")", root)
	doc.Budget = budget
	whole.doc.document = doc
	doc.Why = "by the description " + model.FileName(d.File)
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = findPayloads(ctx, doc)
	return doc, ctx.Err()
}

type location struct {
	file    string
	line    int    // from 1
	column  int    // from 1
	isExact bool   // the text that begins here is on this line as it is, so that its columns can be counted
	path    string // from the top of the document: /types/header/seq/0
}

// Error is an error in a description, with its location.
type Error struct {
	File    string
	Line    int    // from 1; 0 if the file as a whole is meant
	Column  int    // from 1; 0 if the line as a whole is meant
	Path    string // from the top of the document: /types/header/seq/0/size; "" for the file as a whole
	Message string
}

// Error formats the error as the language's own compiler does: file, line, path, and the expectation.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Path == "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	path := e.Path
	if limit := 200; len(path) > limit { // of types in types in types
		path = "..." + path[len(path)-limit:]
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, path, e.Message)
}

// Place returns the file and the line of the error.
func (e *Error) Place() (file string, line int) { return e.File, e.Line }

func (p location) fail(format string, args ...any) error {
	return &Error{File: p.file, Line: p.line, Column: p.column, Path: p.path, Message: fmt.Sprintf(format, args...)}
}

// failAt is fail for an error at a byte of the text that begins at the location.
func (p location) failAt(offset int, format string, args ...any) error {
	if p.isExact {
		p.column += offset
	}
	return p.fail(format, args...)
}

// page is the documentation of a description: a section for each type, a term for each attribute. It is created on
// first use.
type page struct {
	make     sync.Once
	page     *model.Page
	sections map[*Type]*model.Section
	terms    map[*Attribute]*model.Term
}

// Page returns the documentation of the description.
func (d *Description) Page() *model.Page {
	d.page.make.Do(d.makePage)
	return d.page.page
}

func (d *Description) makePage() {
	p := &d.page
	p.page = &model.Page{Name: d.ID, Title: d.Title, Text: d.Root.Doc.textWithRefs()}
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
			s.Text = t.Doc.textWithRefs()
		}
		s.Terms = make([]model.Term, len(t.attributes()))
		for j, a := range t.attributes() {
			s.Terms[j] = model.Term{Title: a.ID, Text: a.Doc.textWithRefs(), Values: a.plan.enum.numbers()}
			p.terms[a] = &s.Terms[j]
		}
	}
}

// textWithRefs returns the text and its references.
func (d Doc) textWithRefs() string {
	var all []string
	if text := joinLines(d.Text); text != "" {
		all = append(all, text)
	}
	for _, r := range d.references() {
		all = append(all, "Source: "+r.String())
	}
	return strings.Join(all, "\n\n")
}

// numbers returns the members of an enumeration, by their values, or nil if there is no enumeration.
func (e *Enum) numbers() []model.NamedNumber {
	if e == nil {
		return nil
	}
	var numbers []model.NamedNumber
	for _, m := range e.byName {
		n, _ := m.Value.IntBits()
		numbers = append(numbers, model.NamedNumber{Number: n, Name: m.Name})
	}
	slices.SortFunc(numbers, func(a, b model.NamedNumber) int { return cmp.Compare(a.Number, b.Number) })
	return numbers
}

func (d *Description) meaning(n *model.Node) model.Meaning {
	m := model.Meaning{Page: d.Page()}
	m.Field, m.References = doc(n)
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
