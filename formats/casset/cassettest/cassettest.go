// Package cassettest writes .casset files of every layout, for tests and for the bundled sample. It does not use the
// package that reads them, so its description of the format is independent.
package cassettest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
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
	layouts := make([]Layout, layouts)
	for i := range layouts {
		layouts[i] = Layout(i)
	}
	return layouts
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

// Short returns the UUID as layouts before 3.0 store it.
func (u UUID) Short() uint64 { return little.Uint64(u[:]) }

// Content is the input of Write: a file's name and objects.
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

// Field is a named value: nil, a number, a bool, a string, or one of the types below. A layout that cannot store a
// value omits or empties it, as the engine does.
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
	// Ref is a reference to an object; the zero Ref is null.
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

func (s Store) items() []any {
	items := make([]any, len(s))
	for i := range s {
		items[i] = s[i]
	}
	return items
}

// StructOf returns a struct with members from names and values in turn.
func StructOf(typ string, pairs ...any) Struct { return Struct{typ, Fields(pairs...)} }

// ListOf returns an array. elem is any value of the elements' type.
func ListOf(elem any, items ...any) List { return List{elem, items} }

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
		switch typ := typeOf(v.Of); typ {
		case "object", "function", "struct":
			return typ + "s"
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

// reserve reserves a number of width bytes and returns a func that sets it.
func (o *output) reserve(width int) func(v int) {
	offset := len(*o)
	o.bytes(make([]byte, width))
	return func(v int) { copy((*o)[offset:offset+width], little.AppendUint64(nil, uint64(v))) }
}

// writeSized writes the size in bytes of the output of write before it. The size includes itself if countsItself
// is set.
func (o *output) writeSized(width int, countsItself bool, write func()) {
	size, start := o.reserve(width), len(*o)
	if countsItself {
		start -= width
	}
	write()
	size(len(*o) - start)
}

// writePlain writes a number, a vector, a bool or a string; of any other value nothing.
func (o *output) writePlain(v any) {
	switch v := v.(type) {
	case bool:
		o.u8(flag(v))
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
		b, _ := binary.Append(nil, little, v) // which has an error for other types only
		o.bytes(b)
	}
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Sample returns a file that shows every type of value there is: a sky with nested objects, textures, structs and
// references into other files.
func Sample() *Content {
	file := ID("/Game/Sky")
	ext := Dependency{ID("/Game/Clouds"), "/Game/Clouds"}
	ref := func(path string) Ref {
		return Ref{ID(path), file, "/Code/Game.Game::Node", "/Game/Sky", path}
	}
	far := Ref{ID("Cloud"), ext.ID, "/Code/Game.Game::Node", ext.Name, "Cloud"}
	node := func(path, name, outer string) ObjectContent {
		return ObjectContent{ID: ID(path), Path: path, Name: name, Class: "/Code/Game.Game::Node", Fields: []Field{
			{"name", name}, {"uuid", ID(path)}, {"attachedObjects", Store{}}, {"outer", ref(outer)}, {"level",
				uint32(len(name))}}}
	}
	return &Content{ID: file, Name: "/Game/Sky", Dependencies: []Dependency{ext, {ID("/Game/Stars"), "/Game/Stars"}},
		Objects: []ObjectContent{
			{ID: file, Name: "/Game/Sky", Class: "/Code/Core.CE::Bundle", Fields: []Field{
				{"name", "/Game/Sky"}, {"uuid", file}, {"attachedObjects", Store{ref("Sky")}}, {"outer", Ref{}}}},
			{ID: ID("Sky"), Asset: true, Path: "Sky", Name: "Sky", Class: "/Code/Game.Game::Sky",
				Source: "/Textures/Sky.png",
				Fields: sampleFields(ref, far)},
			node("Sky.Irradiance", "Irradiance", "Sky"),
			node("Sky.Irradiance.Diffuse", "Diffuse", "Sky.Irradiance"),
			sampleTexture(ref),
		}}
}

func sampleFields(ref func(string) Ref, far Ref) []Field {
	inner := func(n uint32) Struct {
		return Struct{"/Code/Game.Game::Layer",
			[]Field{{"depth", n}, {"offset", Vec{1.5, -2.5}}, {"steps", List{int16(0), []any{int16(-1), int16(n)}}}}}
	}
	outer := func(label string) Struct {
		return Struct{"/Code/Game.Game::Band", []Field{{"label", label}, {"layer", inner(7)},
			{"layers", List{inner(0), []any{inner(1), inner(2)}}}, {"node", ref("Sky.Irradiance")}}}
	}
	call := Func{ref("Sky.Irradiance"), "OnChange"}
	icon := Icon()
	return []Field{
		{"name", "Sky"}, {"uuid", ID("Sky")}, {"attachedObjects", Store{ref("Sky.Irradiance"), ref("Sky.Texture")}},
		{"outer", ref("")},
		{"f_u8", uint8(241)}, {"f_u16", uint16(61714)}, {"f_u32", uint32(4044493588)},
		{"f_u64", uint64(math.MaxUint64)},
		{"f_s8", int8(-2)}, {"f_s16", int16(-300)}, {"f_s32", int32(-70000)}, {"f_s64", int64(math.MinInt64)},
		{"f_f32", float32(1.25)}, {"f_f64", 3.141592653589793}, {"f_bool", true}, {"f_enum", Enum(200)},
		{"f_null", nil},
		{"f_string", "Ünïcødé – 日本語"}, {"f_v2", Vec{1, 2}}, {"f_v3", Vec{1, 2, 3}}, {"f_v4", Vec{1, 2, 3, 4}},
		{"f_v2i", VecI{-1, 2}}, {"f_v3i", VecI{-1, 2, 3}}, {"f_v4i", VecI{-1, 2, 3, math.MinInt32}},
		{"f_matrix", append(Vec{}, make(Vec, 16)...)},
		{"f_blob", Bytes{1, icon}}, {"f_empty", Bytes{}}, {"f_local", ref("Sky.Irradiance.Diffuse")}, {"f_far", far},
		{"f_none", Ref{}},
		{"f_call", call}, {"f_nocall", Func{}}, {"f_calls", List{Func{}, []any{call, Func{}, Func{far, "Stop"}}}},
		{"f_numbers", List{uint8(0), []any{uint8(0), uint8(50), uint8(255)}}},
		{"f_floats", List{float32(0), []any{float32(0.5), float32(-1e30)}}},
		{"f_doubles", List{float64(0), []any{0.5, -2.0}}}, {"f_flags", List{false, []any{true, false}}},
		{"f_modes", List{Enum(0), []any{Enum(1), Enum(5)}}},
		{"f_texts", List{"", []any{"one", "", "three"}}}, {"f_ids", List{UUID{}, []any{ID("a"), ID("b")}}},
		{"f_points", List{Vec{0, 0, 0}, []any{Vec{1, 2, 3}, Vec{4, 5, 6}}}}, {"f_none_at_all", List{uint32(0), nil}},
		{"f_blobs", List{Bytes{}, []any{Bytes{0, []byte("abc")}, Bytes{5, nil}}}},
		{"f_objects", List{Ref{}, []any{ref("Sky.Irradiance"), Ref{}, far}}}, {"f_struct", outer("top")},
		{"f_structs", List{outer(""), []any{outer("a"), outer("b"), outer("c")}}},
	}
}

func sampleTexture(ref func(string) Ref) ObjectContent {
	pixels := make([]byte, 0, 8*4*4)
	for y := range 4 {
		for x := range 8 {
			pixels = append(pixels, uint8(x*32), uint8(y*64), 128, 255)
		}
	}
	return ObjectContent{ID: ID("Sky.Texture"), Asset: true, Path: "Sky.Texture", Name: "Texture",
		Class: "/Code/System.CE::Texture2D", Source: "/Textures/Noise.png",
		Fields: []Field{{"name", "Texture"}, {"uuid", ID("Sky.Texture")}, {"attachedObjects", Store{}},
			{"outer", ref("Sky")},
			{"source", Bytes{0, pixels}}, {"pixelFormat", Enum(1)}, {"sourceCompressionFormat", Enum(0)}, {"width",
				uint32(8)}, {"height", uint32(4)}, {"mipLevels", uint32(1)}}}
}

// Icon returns the picture in the sample, as a PNG.
func Icon() []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		img.SetNRGBA(i%4, i/4, color.NRGBA{uint8(i * 16), 64, 128, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil
	}
	return b.Bytes()
}

// ID makes a UUID of a name, the same each time.
func ID(name string) (u UUID) {
	if name == "" {
		name = "/Game/Sky"
	}
	sum := sha256.Sum256([]byte(name))
	copy(u[:], sum[:])
	return u
}
