package kaitai

import (
	"encoding/binary"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// Description is a loaded .ksy file, with its imports.
type Description struct {
	ID         string      // meta/id
	Title      string      // meta/title, else the ID
	Extensions []string    // meta/file-extension, without points
	File       string      // the name that errors use: the path that it was read from
	Root       *objectType // the type of a whole file
	// Imports are the top types that it may refer to, by ID: its own, and all imported ones.
	Imports map[string]*objectType
	// Files are the paths of the description and of its imports. When one changes, the description is loaded again.
	Files []string

	texts     map[string]string                   // of Files
	page      page                                // its documentation
	locations map[*expression.Expression]location // until it is loaded
}

// objectType is the type of an object: the top of a description or an entry of `types`. The tags are the language's
// keys.
type objectType struct {
	location
	Meta meta `key:"meta"`
	docs
	ToString       *expression.Expression `key:"to-string"`
	Params         params                 `key:"params"`
	Seq            seq                    `key:"seq"`
	Types          []*objectType          `key:"types,mapping"`
	Instances      instances              `key:"instances"`
	Enums          []*enum                `key:"enums,mapping"`
	Representation labelTemplate          `key:"-webide-representation"`
	View           *objectView            `key:"-assay-view"`

	Name  string // its id in the description
	names typeNames
	plan  typePlan
}

// meta is the head of a description. For a nested type only the byte orders and the encoding count.
type meta struct {
	ID         string                       `key:"id,name"`
	Title      string                       `key:"title"`
	Extensions []string                     `key:"file-extension"`
	Imports    imports                      `key:"imports"`
	Encoding   string                       `key:"encoding"`
	Endian     switchable[binary.ByteOrder] `key:"endian"`
	BitEndian  binary.ByteOrder             `key:"bit-endian"`
	_          struct{}                     `key:"application,xref,license,tags,ks-version,ks-debug,ks-opaque-types,ks-zero-copy-substream"`
}

// docs is the documentation in a description.
type docs struct {
	Text string   `key:"doc"`
	Refs []string `key:"doc-ref"`
}

// parameter has the keys that all attributes may have, and the only ones of an entry of params.
type parameter struct {
	ID string `key:"id,name"`
	docs
	Type     switchable[typeReference] `key:"type"`
	EnumName string                    `key:"enum"`
}

// attribute is an entry of params, of seq or of instances.
type attribute struct {
	location
	parameter
	Contents    contents               `key:"contents"` // nil if absent
	Repeat      repetition             `key:"repeat"`
	RepeatExpr  *expression.Expression `key:"repeat-expr"`
	RepeatUntil *expression.Expression `key:"repeat-until"`
	If          *expression.Expression `key:"if"`
	Size        *expression.Expression `key:"size"`
	SizeEOS     bool                   `key:"size-eos"`
	Process     *process               `key:"process"`
	Encoding    string                 `key:"encoding"`
	PadRight    terminator             `key:"pad-right"`  // one byte; nil if absent
	Terminator  terminator             `key:"terminator"` // nil if absent
	Consume     bool                   `key:"consume"`
	Include     bool                   `key:"include"`
	EOSError    bool                   `key:"eos-error"`
	Parent      parentRule             `key:"parent"`
	Valid       *constraint            `key:"valid"`
	Pos         *expression.Expression `key:"pos"` // pos, io and value are for instances only
	IO          *expression.Expression `key:"io"`
	Value       *expression.Expression `key:"value"`
	Export      *exportRule            `key:"-assay-export"`

	plan attributePlan
}

// switchable is a value, or several among which an expression chooses when a file is read.
type switchable[T any] struct {
	Value T
	On    *expression.Expression `key:"switch-on"` // nil if there is only Value
	Cases []switchCase[T]        `key:"cases,mapping"`

	cases *cases // to search Cases; nil if there is only Value
}

// switchCase is one case of a switchable value; On of the last resort (`_`) is nil.
type switchCase[T any] struct {
	location
	On    *expression.Expression
	Value T
}

// typeKind is the kind of type that a reference names.
type typeKind uint8

// The kinds of types. Those from boolKind on are of parameters only.
const (
	bytesKind  typeKind = iota
	numberKind          // u1 to u8, s1 to s8, f4, f8
	bitsKind            // b1 to b64
	strKind
	strzKind
	userKind
	boolKind
	structKind
	streamKind
	anyKind
)

// typeReference names a type.
type typeReference struct {
	location
	Kind   typeKind
	Name   string           // as the description has it, with the byte order that applies: u4le, str, header
	Width  int              // bytes of a number, bits of a bit field
	Order  binary.ByteOrder // of a number whose type names it, else nil; little-endian for bit fields of type le
	User   *objectType
	Args   []*expression.Expression
	form   model.NumberForm // of a number
	isList bool             // of a parameter
}

// repetition defines the repetition of an attribute.
type repetition struct {
	Kind repeatKind
	Expr *expression.Expression // repeat-expr or repeat-until, which `repeat` may also contain
}

// repeatKind is how to repeat.
type repeatKind uint8

// The ways to repeat.
const (
	repeatOnce  repeatKind = iota
	repeatToEnd            // repeat: eos
	repeatTimes            // repeat: expr
	repeatUntil            // repeat: until
)

// process is the transformation of bytes before they are decoded.
type process struct {
	Name string // zlib, xor, rol, ror, or one that a program defines
	Args []*expression.Expression
}

// parentRule selects the _parent of an object: the enclosing object, the value of an expression, or nothing.
type parentRule struct {
	None  bool // parent: false
	Value *expression.Expression
}

// constraint constrains a value.
type constraint struct {
	Eq    *expression.Expression   `key:"eq"`
	Min   *expression.Expression   `key:"min"`
	Max   *expression.Expression   `key:"max"`
	AnyOf []*expression.Expression `key:"any-of"`

	anyOf  cases
	Expr   *expression.Expression `key:"expr"`
	InEnum bool                   `key:"in-enum"`
}

// exportRule is `-assay-export`: an attribute of bytes that can leave the file as an asset.
type exportRule struct {
	Name      string `key:"name"` // a file name; "" for one derived from the path
	MediaType string `key:"media-type"`
	none      bool   // `-assay-export: false`
}

// enum gives the values of an attribute names.
type enum struct {
	Name    string
	byValue map[expression.Value]*enumMember
	byName  map[string]*enumMember
	symbols model.SymbolFunc // names the values of nodes
}

// enumMember is a value of an enumeration.
type enumMember struct {
	Value expression.Value // a whole number
	Name  string           `key:"id,name"`
	docs
}

// Symbol returns the name of a value.
func (e *enum) Symbol(v expression.Value) (string, bool) {
	m := e.member(v)
	if m == nil {
		return "", false
	}
	return m.Name, true
}

func (e *enum) member(v expression.Value) *enumMember {
	if e == nil || v.Kind != expression.Int {
		return nil
	}
	return e.byValue[v.WithoutEnum()]
}

// Magic returns the possible first bytes of a file, or nil if the description defines none, or only one byte.
func (d *Description) Magic() [][]byte {
	t := d.Root
	for depth := 0; depth < maxNesting && len(t.Seq) > 0; depth++ {
		a := t.Seq[0]
		switch {
		case a.If != nil || a.Repeat.Kind != repeatOnce || a.Process != nil:
			return nil
		case len(a.Contents) > 1:
			return [][]byte{a.Contents}
		case a.Valid != nil && len(a.Valid.AnyOf) > 0 && a.Type.On == nil && a.Type.Value.Kind == strKind:
			return a.Valid.texts()
		case a.Type.On != nil || a.Type.Value.Kind != userKind:
			return nil
		}
		t = a.Type.Value.User
	}
	return nil
}

// texts returns the allowed values if all are constant texts of more than one byte, or nil.
func (c *constraint) texts() (texts [][]byte) {
	for _, e := range c.AnyOf {
		value, ok := e.Constant()
		if !ok || value.Kind != expression.Text || len(value.Text()) < 2 {
			return nil
		}
		texts = append(texts, []byte(value.Text()))
	}
	return texts
}

// isParam reports whether the attribute is a parameter of its type, which has no bytes in a file.
func (a *attribute) isParam() bool { return a.plan.slot < len(a.plan.owner.Params) }

// isInstance reports whether the attribute is an instance of its type, with a value outside the sequence.
func (a *attribute) isInstance() bool {
	return a.plan.slot >= len(a.plan.owner.Params)+len(a.plan.owner.Seq)
}

// isBits reports whether the attribute is a bit field or a list of bit fields.
func (a *attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == bitsKind }

// beginsWithBits reports whether the attribute begins at any bit of a byte.
func (a *attribute) beginsWithBits() bool {
	return a.isBits() || a.isNested() && a.Type.Value.User.beginsWithBits()
}

// beginsWithBits reports whether objects of the type begin at any bit of a byte.
func (t *objectType) beginsWithBits() bool { return len(t.Seq) > 0 && !t.plan.isAligned }

// isFlag reports whether the attribute is a single bit without an enumeration, as used in labels with names of flags.
func (a *attribute) isFlag() bool { return a.isBits() && a.Type.Value.Width == 1 && a.plan.enum == nil }

// isNested reports whether the attribute is an object, or a list of objects, without a stream of its own. Such an
// object may begin within a byte.
func (a *attribute) isNested() bool {
	return a.Type.On == nil && a.Type.Value.Kind == userKind && !a.hasEnd()
}

// isSingle reports whether the attribute is one value that is always present and unconstrained, so that an object can
// read it without further checks. The plan stores the result.
func (a *attribute) isSingle() bool {
	return a.If == nil && a.Repeat.Kind == repeatOnce && a.Type.On == nil && a.Valid == nil &&
		a.Type.Value.Kind != userKind
}

// isOneLeaf reports whether a list of numbers or bit fields is one leaf, because its elements need no nodes of their
// own.
func (a *attribute) isOneLeaf() bool {
	return a.Repeat.Kind != repeatUntil && a.Type.On == nil && a.plan.enum == nil && a.plan.link == nil &&
		a.Valid == nil && (a.Type.Value.Kind == numberKind || a.Type.Value.Kind == bitsKind)
}

// isSkippable reports whether the attribute always takes the same number of bytes and its value is unused, so that a
// quiet reading can skip it.
func (a *attribute) isSkippable() bool {
	if !a.plan.isSingle || a.plan.isUsed || a.plan.bits == dynamicSize || a.plan.bits%8 != 0 {
		return false
	}
	switch ref := &a.Type.Value; ref.Kind {
	case bytesKind:
		return a.Contents == nil && a.Process == nil && a.Terminator == nil && a.PadRight == nil
	case numberKind:
		return ref.Order != nil || ref.Width == 1
	}
	return false
}

// attributeOf returns the attribute that reads a node. It is nil for the file as a whole, for a part of an attribute,
// such as the padding of its size, and for gaps. The node of an object stores its type, and the node of a list its
// attribute; other nodes in an object have the names of their attributes.
func attributeOf(n *model.Node) *attribute {
	if n.Parent == nil || isGaps(n) {
		return nil
	}
	switch rule := n.Parent.ReadAs().(type) {
	case *attribute:
		return rule
	case *objectType:
		return rule.names.attributes[n.Name]
	}
	return nil
}

// isGaps reports whether a node is the list of the bytes that the description does not cover. It is the only node with
// children that no rule reads.
func isGaps(n *model.Node) bool { return n.ReadAs() == nil && !n.Leaf() }

// ruleOf returns the attribute that reads a node, or the nearest enclosing one. It is nil for the file as a whole, and
// false for bytes that the description does not cover.
func ruleOf(n *model.Node) (*attribute, bool) {
	for ; n.Parent != nil; n = n.Parent {
		if a := attributeOf(n); a != nil || isGaps(n) {
			return a, a != nil
		}
	}
	return nil, true
}

// rule returns the location of the rule in the description that reads a node.
func (d *Description) rule(n *model.Node) (file string, line int, ok bool) {
	loc := d.Root.location
	a, ok := ruleOf(n)
	switch {
	case !ok:
		return "", 0, false
	case a != nil:
		loc = a.location
	}
	return loc.file, loc.line, true
}
