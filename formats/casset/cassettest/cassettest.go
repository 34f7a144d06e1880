// Package cassettest writes .casset files of every layout, for tests and for the sample that the program carries. It
// does not use the package that reads them: what it knows of the format it says itself.
package cassettest

import (
	"encoding/binary"
	"fmt"
	"math"
)

var (
	packMagic   = []byte("\x00PACK\x00\x00\n")
	bundleMagic = []byte("\x00BUNDLE\x00")
	objectMagic = []byte("\x00OBJECT\x00")
	fieldMarker = []byte{0xF1, 0x1F, 0xF1, 0x1F}

	little = binary.LittleEndian
)

// Layout is one of the layouts that Write writes.
type Layout uint8

// The layouts, in the order of their age.
const (
	Package01 Layout = iota
	Package10
	Package11
	Package12        // plain
	Package12Primary // with the primary object's name, as published
	Package12Late    // with the cooked byte, package UUIDs in references, flags in blobs, enums and bools
	Package20
	Bundle20
	Bundle30Published
	Bundle30PublishedGap  // four bytes more in the header
	Bundle30PublishedBare // function lists without sizes
	Bundle30First         // r1118, which does not record the size of the data
	Bundle30R1118
	Bundle30
	layouts
)

// Layouts returns all layouts.
func Layouts() []Layout {
	all := make([]Layout, layouts)
	for i := range all {
		all[i] = Layout(i)
	}
	return all
}

// String returns the layout's name.
func (l Layout) String() string {
	return [...]string{"package-0.1", "package-1.0", "package-1.1", "package-1.2", "package-1.2-primary",
		"package-1.2-late", "package-2.0",
		"bundle-2.0", "bundle-3.0-published", "bundle-3.0-published-gap", "bundle-3.0-published-bare",
		"bundle-3.0-first", "bundle-3.0-r1118", "bundle-3.0"}[l]
}

// UUID identifies an object or a file. Before 3.0 only the first eight bytes are stored.
type UUID [16]byte

// Short returns what layouts before 3.0 store.
func (u UUID) Short() uint64 { return little.Uint64(u[:]) }

// Content is what Write writes: a file's name and objects.
type Content struct {
	ID           UUID
	Name         string
	Dependencies []Dependency
	Objects      []ObjectContent
}

// Dependency is a file that another depends on: by name before 3.0, by UUID in it.
type Dependency struct {
	ID   UUID
	Name string
}

// ObjectContent is one object.
type ObjectContent struct {
	ID                        UUID
	Asset                     bool
	Path, Name, Class, Source string
	Fields                    []Field
}

// Field is a named value: nil, a number, a bool, a string, or one of the types below. What a layout cannot store it
// leaves out or stores as nothing, as the engine does.
type Field struct {
	Name  string
	Value any
}

// Fields returns fields from names and values in turn.
func Fields(pairs ...any) []Field {
	fields := make([]Field, len(pairs)/2)
	for i := range fields {
		fields[i] = Field{pairs[2*i].(string), pairs[2*i+1]}
	}
	return fields
}

// The values that Go has no types for.
type (
	// Vec is a vector of 2 to 4 floats, or a matrix of 16.
	Vec []float32
	// VecI is a vector of 2 to 4 integers.
	VecI []int32
	// Enum is an enum's number.
	Enum int64
	// Bytes is a blob.
	Bytes struct {
		Flags uint64
		Data  []byte
	}
	// Ref leads to an object; the zero Ref is null.
	Ref struct {
		Object, Bundle       UUID
		Class, Package, Path string
	}
	// Func is a function of an object.
	Func struct {
		Ref
		Name string
	}
	// Struct is a struct's members.
	Struct struct {
		Type   string
		Fields []Field
	}
	// List is an array. Of is any value of the elements' type.
	List struct {
		Of    any
		Items []any
	}
	// Store is an object map or an object store.
	Store []Ref
)

// StructOf returns a struct with members from names and values in turn.
func StructOf(typ string, pairs ...any) Struct { return Struct{typ, Fields(pairs...)} }

// ListOf returns an array. of is any value of the elements' type.
func ListOf(of any, items ...any) List { return List{of, items} }

// typeOf names the type that a value is stored as.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case uint8, uint16, uint32, uint64:
		return fmt.Sprintf("u%d", 8*binary.Size(v))
	case int8, int16, int32, int64:
		return fmt.Sprintf("s%d", 8*binary.Size(v))
	case float32, float64:
		return fmt.Sprintf("f%d", 8*binary.Size(v))
	case Vec:
		if len(v) == 16 {
			return "matrix"
		}
		return fmt.Sprintf("vec%d", len(v))
	case VecI:
		return fmt.Sprintf("vec%di", len(v))
	case Enum:
		return "enum"
	case UUID:
		return "uuid"
	case Bytes:
		return "binary"
	case Ref:
		return "object"
	case Func:
		return "function"
	case Struct:
		return "struct"
	case Store:
		return "store"
	case List:
		switch of := typeOf(v.Of); of {
		case "object", "function", "struct":
			return of + "s"
		}
		return "array"
	}
	panic(fmt.Sprintf("cassettest: no layout stores a %T", v))
}

// Write returns the bytes of a file.
func Write(l Layout, f *Content) []byte {
	switch {
	case l <= Package12Late:
		return (&writer1{layout: l, file: f}).write()
	case l <= Bundle20:
		return (&writer2{layout: l, file: f}).write()
	}
	return newWriter3(l, f).write()
}

// output collects bytes.
type output []byte

func (o *output) u8(v uint8)     { *o = append(*o, v) }
func (o *output) u16(v uint16)   { *o = little.AppendUint16(*o, v) }
func (o *output) u32(v uint32)   { *o = little.AppendUint32(*o, v) }
func (o *output) u64(v uint64)   { *o = little.AppendUint64(*o, v) }
func (o *output) text(s string)  { *o = append(append(*o, s...), 0) }
func (o *output) bytes(b []byte) { *o = append(*o, b...) }

// later leaves room for a number of so many bytes and returns what fills it in.
func (o *output) later(width int) func(v int) {
	at := len(*o)
	o.bytes(make([]byte, width))
	return func(v int) { copy((*o)[at:at+width], little.AppendUint64(nil, uint64(v))) }
}

// sized puts before what write writes how many bytes it has, those of that size too if own is set.
func (o *output) sized(width int, own bool, write func()) {
	size, start := o.later(width), len(*o)
	if own {
		start -= width
	}
	write()
	size(len(*o) - start)
}

// plain writes a number, a vector, a bool or a string; false if v is none of them.
func (o *output) plain(v any) bool {
	switch v := v.(type) {
	case bool:
		if v {
			o.u8(1)
		} else {
			o.u8(0)
		}
	case string:
		o.text(v)
	case Vec:
		for _, x := range v {
			o.u32(math.Float32bits(x))
		}
	case VecI:
		for _, x := range v {
			o.u32(uint32(x))
		}
	case Enum:
		o.u64(uint64(v))
	case uint8, uint16, uint32, uint64, int8, int16, int32, int64, float32, float64:
		b, err := binary.Append(nil, little, v)
		o.bytes(b)
		return err == nil
	default:
		return false
	}
	return true
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
