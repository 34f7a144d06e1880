package kaitai

import (
	"encoding/binary"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// Description is a .ksy file that was read, with those that it imports.
type Description struct {
	ID         string   // meta/id
	Title      string   // meta/title, "" if there is none
	Extensions []string // meta/file-extension, without points
	File       string   // the name that errors use: the path that it was read from
	Root       *Type    // what a file is read as
	// Imports are the top types that it may name: its own, and those of all that it imports, by their ids.
	Imports map[string]*Type
	// Files are the paths of the description and of those that it imports: when one changes, it is read again.
	Files []string

	texts   map[string]string // of Files
	exports bool              // an attribute has -assay-export
}

// Type is what an object is read as: the top of a description or an entry of `types`.
type Type struct {
	Name      string // its id in the description
	Outer     *Type  // the type that it is nested in; nil for the top
	Doc       Doc
	Endian    *Endian // nil: as the outer type says
	BitsLE    *bool   // bit-endian: true for le; nil: as the outer type says
	Encoding  string  // "" : as the outer type says
	Params    []*Attribute
	Seq       []*Attribute
	Instances []*Attribute
	Types     map[string]*Type
	Enums     map[string]*Enum

	label       label   // what a person calls an object of the type; nil if nothing does
	nested      []*Type // Types, in the description's order
	description *Description
	bits        int64                 // how many each object takes, or dynamicSize
	kept        int                   // how many values of an object are kept
	slots       map[string]*Attribute // params, seq and instances by id
	where       place
}

// Doc is what a description says to people.
type Doc struct {
	Text string
	Refs []string // doc-ref
}

// Endian is the byte order of numbers: one order, or one that an expression chooses.
type Endian struct {
	Order binary.ByteOrder // nil if On chooses
	On    *expression.Expression
	Cases []EndianCase
}

// EndianCase is one case of a byte order that is chosen; On of the last resort is nil.
type EndianCase struct {
	On    *expression.Expression
	Order binary.ByteOrder
}

// Attribute is an entry of seq, of instances or of params.
type Attribute struct {
	ID   string
	Doc  Doc
	Type Reference
	// Switch, if On is set, chooses one of several types.
	Switch Switch

	If, Value, Pos, IO *expression.Expression
	Size               *expression.Expression
	SizeEOS            bool
	Repeat             Repeat
	RepeatBy           *expression.Expression // of Times and Until
	Contents           []byte                 // nil if there are none
	Terminator         []byte                 // nil if there is none
	Include, Consume   bool
	EOSError           bool
	PadRight           []byte // one byte; nil if there is none
	Encoding           string
	Enum               *Enum // nil if there is none
	Process            *Process
	Valid              *Valid
	Parent             *expression.Expression // parent: an expression; nil: the object that the attribute is in
	NoParent           bool                   // parent: false
	Export             *Export

	enum string // the path of Enum, until it is resolved
	// used says that expressions mention the id: the value is kept, at this place among the values of an object.
	used bool
	kept int
	slot int // its place in the type
	// isLeaf says that it is one value of which nothing more is said; aligns that it begins at a byte, after a bit
	// field.
	isLeaf, aligns bool
	bits           int64 // how many it takes, or dynamicSize; each: each element of a list
	each           int64
	run            run
	owner          *Type
	where          place
}

// run is an attribute and those after it of which a quiet reading needs nothing; it passes over all of them at once.
type run struct {
	attributes int
	bytes      int64
}

// isParam reports whether the attribute is a parameter of its type.
func (a *Attribute) isParam() bool { return a.slot < len(a.owner.Params) }

// isInstance reports whether the attribute is an instance of its type.
func (a *Attribute) isInstance() bool { return a.slot >= len(a.owner.Params)+len(a.owner.Seq) }

// Export is `-assay-export`: an attribute of bytes that can leave the file as an asset.
type Export struct {
	Name      string // a file name; "" for one made of the path
	MediaType string
}

// Repeat says how often an attribute is read.
type Repeat uint8

// The ways to repeat.
const (
	Once     Repeat = iota
	ToTheEnd        // repeat: eos
	Times           // repeat: expr
	Until           // repeat: until
)

// Kind is what sort of type a Reference names.
type Kind uint8

// The kinds of types. Those from Boolean on are of parameters only.
const (
	Bytes    Kind = iota
	Unsigned      // u1 to u8
	Signed        // s1 to s8
	Float         // f4, f8
	Bits          // b1 to b64
	Str
	Strz
	User
	Boolean
	Struct
	Stream
	Any
)

// Reference names a type.
type Reference struct {
	Kind  Kind
	Name  string           // as the description has it, with the byte order that applies: u4le, str, header
	Width int              // bytes of a number, bits of Bits
	Order binary.ByteOrder // of a number whose type names it, else nil; of Bits, whether bits are le
	User  *Type
	form  model.Number // of a number
	Args  []*expression.Expression
	List  bool // type[], of a parameter
	where place
}

// Switch chooses a type by the value of an expression.
type Switch struct {
	On    *expression.Expression
	Cases []Case
}

// Case is one case of a Switch; On of the last resort (`_`) is nil.
type Case struct {
	On   *expression.Expression
	Type Reference
}

// Process is what is done to bytes before they are read.
type Process struct {
	Name string // zlib, xor, rol, ror, or one that a program would bring along
	Args []*expression.Expression
}

// Valid is what a value must be.
type Valid struct {
	Eq, Min, Max, Expr *expression.Expression
	AnyOf              []*expression.Expression
	InEnum             bool
}

// Enum gives the values of an attribute names.
type Enum struct {
	Name    string
	Members []Member // in the description's order
	byValue map[whole]int
	byName  map[string]int
	symbols model.SymbolFunc // names the values of nodes
}

// Member is a value of an enumeration.
type Member struct {
	Value expression.Value // a whole number
	Name  string
	Doc   Doc
}

// Symbol returns the name of a value.
func (e *Enum) Symbol(v expression.Value) (string, bool) {
	if m := e.member(v); m != nil {
		return m.Name, true
	}
	return "", false
}

// member returns the member of a value; nil if there is none.
func (e *Enum) member(v expression.Value) *Member {
	if e == nil || v.Kind != expression.Int {
		return nil
	}
	i, ok := e.byValue[wholeOf(v)]
	if !ok {
		return nil
	}
	return &e.Members[i]
}

// whole is a whole number as expression.Value.Whole returns it.
type whole struct {
	bits  int64
	large bool
}

func wholeOf(v expression.Value) whole {
	bits, large := v.Whole()
	return whole{bits, large}
}
