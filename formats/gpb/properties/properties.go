// Package properties reads the text files around a bundle: .material, .scene, .physics, .animation, .terrain, .particle
// and game.config. All consist of namespaces:
//
//	namespace [id] [: parentId]        { on the same line or the next
//	{
//	    name = value                   the rest of the line
//	    namespace …
//	}
//	// a comment, to the end of the line; or from a line that begins with /* to a line that begins or ends with */
//
// Any other line is a name and a value without "=". Open returns a document with a field for every byte, and the
// Namespace of the text; a Space is a namespace merged with its parents. The grammar is of the engine of 2014, the
// first with variables and with comments of several lines. Surprising results have a remark in the document: a comment
// after a value, a brace on a line with "=", text after a brace, a head without a brace, duplicate names, variables
// that are never set, a */ that ends no comment, and a parent that is read as an id. See parser for the differences
// from the engine.
//
// grammar.go reads a text into its Namespaces, space.go merges them, and check.go finds the problems.
package properties

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"iter"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"assay/formats/decode"
	"assay/model"
)

const (
	format = "gpb"
	// MaxSize is the maximum number of bytes of a text that are read. Real ones have a few thousand.
	MaxSize  = 16 << 20
	maxLine  = 64 << 10 // of a line; the rest is the next line
	maxDepth = 32       // of namespaces in namespaces
)

var types = &decode.Types{Text: "string", Bytes: "bytes"}

// Namespace is a block of properties, or a whole file.
type Namespace struct {
	Name, ID, ParentID string
	Properties         []Property
	Children           []*Namespace
	Offset             int64                 // of the name, in the file
	start              int64                 // of the separator before it
	members            *decode.Marks         // properties, namespaces, comments and others; nil if there are none
	inherited          *Namespace            // the one with ParentID on the same level; may be nil
	clean, unclean     atomic.Bool           // results of reading the members without recording them
	byID               map[string]*Namespace // the first of Children with each id
	byKey              map[key]*Namespace    // the first of Children with each name and id
}

type key struct{ name, id string }

// Property is a name with a value.
type Property struct {
	Name, Value string
	Offset      int64 // of the value
	start       int64 // of the separator before it
	occurrence  int   // its number among properties with its name in the namespace, from 1
}

// The types of the nodes of properties and of namespaces.
const (
	PropertyType  = "Property"
	namespaceType = "Namespace"
)

// PropertyAt returns the property of n, or of a namespace below it, that begins at an offset of the file.
func (n *Namespace) PropertyAt(offset int64) (Property, bool) {
	for n != nil {
		if p := n.property(offset); p != nil {
			return *p, true
		}
		n = n.childBefore(offset)
	}
	return Property{}, false
}

// property returns the property of n that begins at an offset of the file, or nil.
func (n *Namespace) property(offset int64) *Property {
	i, ok := slices.BinarySearchFunc(n.Properties, offset,
		func(p Property, offset int64) int { return cmp.Compare(p.start, offset) })
	if !ok {
		return nil
	}
	return &n.Properties[i]
}

// childBefore returns the last namespace of n that begins at an offset of the file or before it, or nil.
func (n *Namespace) childBefore(offset int64) *Namespace {
	i, _ := slices.BinarySearchFunc(n.Children, offset+1,
		func(s *Namespace, offset int64) int { return cmp.Compare(s.start, offset) })
	if i == 0 {
		return nil
	}
	return n.Children[i-1]
}

// add adds a namespace below n. Its name and its ids must be set; its members may follow until its finish is called.
func (n *Namespace) add(below *Namespace) {
	n.Children = append(n.Children, below)
	if n.byID == nil {
		n.byID, n.byKey = make(map[string]*Namespace), make(map[key]*Namespace)
	}
	if n.byID[below.ID] == nil && below.ID != "" {
		n.byID[below.ID] = below
	}
	if id := (key{below.Name, below.ID}); n.byKey[id] == nil {
		n.byKey[id] = below
	}
}

// finish completes a namespace with all of its members.
func (n *Namespace) finish() {
	for _, below := range n.Children {
		if below.ParentID != "" {
			below.inherited = n.byID[below.ParentID]
		}
	}
	if len(n.Properties) < 2 {
		return
	}
	occurrences := make(map[string]int)
	for i := range n.Properties {
		if p := &n.Properties[i]; !isVariable(p.Name) {
			occurrences[p.Name]++
			p.occurrence = occurrences[p.Name]
		}
	}
}

// Key identifies the namespace on its level.
func (n *Namespace) Key() string { return strings.TrimSpace(n.Name + " " + n.ID) }

// Find returns the namespace of a reference: at the top level, by an id, or a name and id; below it, after a slash, a
// nested one. An empty reference means the first. It returns nil if there is no such namespace. The engine only
// supports ids.
func (n *Namespace) Find(reference string) *Namespace {
	if reference == "" && len(n.Children) > 0 {
		return n.Children[0]
	}
	for {
		id, rest, nested := strings.Cut(reference, "/")
		next := n.byID[id]
		if next == nil {
			kind, ownID, _ := strings.Cut(id, " ")
			next = n.byKey[key{kind, ownID}]
		}
		if next == nil || !nested {
			return next
		}
		n, reference = next, rest
	}
}

// Read reads the content of a text. Invalid lines are left out.
func Read(ctx context.Context, src *model.Source) (*Namespace, error) {
	r, err := parse(ctx, src, nil)
	if err != nil {
		return nil, err
	}
	return r.file, nil
}

// parse reads the namespaces of a text.
func parse(ctx context.Context, src *model.Source, link Link) (*parser, error) {
	r := &parser{file: new(Namespace), variables: make(map[string]bool), link: link}
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types).Aside(model.Span{Size: MaxSize})
	r.read(c)
	r.file.finish()
	r.complete = true
	return r, cmp.Or(ctx.Err(), c.Err())
}

// All iterates over the namespace and its descendants, parents first.
func (n *Namespace) All() iter.Seq[*Namespace] {
	return func(yield func(*Namespace) bool) {
		for todo := []*Namespace{n}; len(todo) > 0; {
			current := todo[len(todo)-1]
			if !yield(current) {
				return
			}
			todo = todo[:len(todo)-1]
			for _, s := range slices.Backward(current.Children) {
				todo = append(todo, s)
			}
		}
	}
}

// Link returns the link of a value that names a file, and a message if the file was not found. The link is nil if the
// value names no file.
type Link func(value string) (link *model.Link, missing string)

// Open reads a text as a document, and returns its content with it. Errors in the text are Problems of the document;
// the returned error is from ctx.
func Open(ctx context.Context, src *model.Source, link Link) (*model.Document, *Namespace, error) {
	r, err := parse(ctx, src, link)
	if err != nil {
		return nil, nil, err
	}
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types)
	if src.Size() > MaxSize {
		c.Remark(model.Error, model.Span{Offset: MaxSize}, "the text has %d bytes; only the first %d are read",
			src.Size(), int64(MaxSize))
	}
	c.Frame(min(src.Size(), MaxSize), func() { r.read(c) })
	r.root = c.Close()
	d := model.NewDocument(src, format, variant(src.Name(), r.file), r.root)
	d.Meaning = Fields.Meaning
	d.FindKey = func(key string) (model.Path, bool) {
		if n := r.file.Find(key); n != nil {
			return r.path(n)
		}
		return nil, false
	}
	return d, r.file, ctx.Err()
}

// path returns the path of a namespace of the first reading; ok is false if the file changed since.
func (r *parser) path(n *Namespace) (path model.Path, ok bool) {
	node := r.root.StructAt(n.start, namespaceType)
	if node == nil {
		return nil, false
	}
	return node.Path(), true
}

// TopMember returns the property, comment or namespace of a text, in no other namespace, that a node of its document is
// or is a part of; nil for the text itself.
func TopMember(n *model.Node) *model.Node {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if list := n.Parent; list.Parent != nil && list.Parent.Parent == nil {
			return n
		}
	}
	return nil
}

// variant returns the kind of a text: its extension, else its first namespace.
func variant(name string, file *Namespace) string {
	if extension := strings.TrimPrefix(strings.ToLower(path.Ext(name)), "."); extension != "" {
		return extension
	}
	if len(file.Children) > 0 {
		return model.OneLine(strings.ToValidUTF8(file.Children[0].Name, "\uFFFD"), 40)
	}
	return ""
}

//go:embed fields.md
var fieldsText string

// Fields describes namespaces and properties.
var Fields = &decode.Glossary{Name: format, Text: fieldsText, FieldOf: documentedField}

// documentedField returns the key of the description of a namespace or a property: for a namespace its first word, for
// a property the first word of the namespace around it, and its name.
func documentedField(n *model.Node) (typ, field string, ok bool) {
	if n.Name == "value" {
		n = n.Parent
	}
	switch n.Type {
	case namespaceType:
		return "NAMESPACE", word(n), true
	case PropertyType:
		if typ = word(n.Parent.Parent); typ != "" {
			return typ, n.Key, true
		}
	}
	return "", "", false
}

// word returns the first word of a namespace, or "" for other nodes.
func word(n *model.Node) string {
	if n == nil || n.Type != namespaceType {
		return ""
	}
	name := n.ChildNamed("namespace")
	if name == nil {
		return ""
	}
	text, _ := name.Value.(string)
	return text
}

// Sniff judges the first bytes of a text. No mark identifies the format with certainty: the text has no control
// characters, begins with a comment, a property or a namespace, and contains a namespace.
func Sniff(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune(lineBlanks+"\r\n", rune(b)) || b == 0x7f || b == 0 {
			return decode.No
		}
	}
	head = trimLeftBlanks(bytes.TrimPrefix(head, byteOrderMark))
	for first := oneLineComment(head); len(first) > 0; first = oneLineComment(head) {
		head = trimLeftBlanks(head[len(first):]) // the engine does not end it there, and the document has a remark
	}
	if len(head) == 0 || !isWord(head[0]) && head[0] != '/' && head[0] != '$' {
		return decode.No
	}
	src := model.NewSource("", bytes.NewReader(head), int64(len(head)))
	file, err := Read(context.Background(), src)
	if err != nil || len(file.Children) == 0 {
		return decode.No
	}
	for _, n := range file.Children {
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
	var magics, lines []model.Magic
	for _, named := range []string{"material ", "animation ", "collisionObject ", "rigidBody ", "rigidbody ",
		"ghostObject ", "character ", "vehicle ", "vehicleWheel ", "terrain ", "particle "} {
		magics = append(magics, model.Magic{Bytes: []byte(named), And: brace})
		lines = append(lines, model.Magic{Bytes: []byte("\n" + named), From: 1, To: 1024})
	}
	for _, plain := range []string{"scene", "terrain", "window", "graphics", "gamepad"} {
		for _, end := range []string{"\n{", "\r\n{", " {", "{", "\t{", " \n{", " \r\n{"} {
			magics = append(magics, model.Magic{Bytes: []byte(plain + end)})
		}
		lines = append(lines, model.Magic{Bytes: []byte("\n" + plain + "\n{"), From: 1, To: 1024})
	}
	for _, comment := range []string{"//", "/*"} {
		magics = append(magics, model.Magic{Bytes: []byte(comment), And: lines})
	}
	return magics
}
