package cassettest

import (
	"slices"
	"strings"
)

// types3 has the types by their type bytes in the engine, typesPublished in the document.
var (
	types3 = strings.Fields(`null u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 bool string vec2 vec3 vec4 vec2i vec3i vec4i
		objects structs array binary object function functions struct uuid store`)
	typesPublished = strings.Fields(`null u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 bool string vec2 vec3 vec4
		objects structs array binary object function functions struct`)
)

// writer3 writes Bundle 3.0 in all its layouts.
type writer3 struct {
	layout        Layout
	file          *Content
	isDraft       bool
	prefix        int      // bytes of the size before every field, member and element: 0, 4 or 8
	bareFunctions bool     // elements of function arrays have no sizes
	types         []string // by type byte
	entries       []schemaContent
	output
}

type schemaContent struct {
	name     string
	isStruct bool // a struct
	fields   []Field
}

func newWriter3(l Layout, f *Content) *writer3 {
	w := &writer3{layout: l, file: f, isDraft: l < Bundle30First, types: types3}
	switch {
	case w.isDraft:
		w.prefix, w.bareFunctions, w.types = 4, l == Bundle30PublishedBare, typesPublished
	case l < Bundle30:
		w.prefix, w.bareFunctions = 8, true
	}
	for _, o := range f.Objects {
		w.addEntry(o.Class, false, o.Fields)
	}
	for _, o := range f.Objects {
		w.addStructs(o.Fields)
	}
	return w
}

// addEntry puts a class or a struct into the schema, once.
func (w *writer3) addEntry(name string, isStruct bool, fields []Field) {
	if slices.ContainsFunc(w.entries, func(e schemaContent) bool { return e.name == name }) {
		return
	}
	w.entries = append(w.entries, schemaContent{name, isStruct, fields})
}

func (w *writer3) addStructs(fields []Field) {
	for _, f := range fields {
		v := f.Value
		if l, ok := v.(List); ok {
			v = l.Of
		}
		if s, ok := v.(Struct); ok {
			w.addEntry(s.Type, true, s.Fields)
			w.addStructs(s.Fields)
		}
	}
}

func (w *writer3) index(name string) uint32 {
	return uint32(slices.IndexFunc(w.entries, func(e schemaContent) bool { return e.name == name }))
}

// typeByte returns the type byte of a value, and false if the layout has none.
func (w *writer3) typeByte(v any) (uint8, bool) {
	name := typeOf(v)
	if name == "enum" {
		name = "s64"
	}
	i := slices.Index(w.types, name)
	if l, ok := v.(List); ok && name == "array" {
		if _, ok := w.typeByte(l.Of); !ok {
			return 0, false
		}
	}
	return uint8(i), i >= 0
}

func (w *writer3) write() []byte {
	w.bytes(bundleMagic)
	for _, v := range []uint32{0, 3, 0, 0} {
		w.u32(v)
	}
	if w.layout == Bundle30PublishedGap {
		w.u32(0)
	}
	schema, data := w.reserve(8), w.reserve(8)
	w.bytes(w.file.ID[:])
	w.text(w.file.Name)
	w.u32(uint32(len(w.file.Dependencies)))
	for _, d := range w.file.Dependencies {
		w.bytes(d.ID[:])
	}
	w.u8(0)
	schema(len(w.output))
	w.writeSized(8, !w.isDraft, w.schema)
	start := len(w.output)
	data(start)
	w.writeSized(8, !w.isDraft, w.objects)
	if w.layout == Bundle30First {
		copy(w.output[start:], make([]byte, 8))
	}
	if !w.isDraft {
		w.u64(0)
	}
	return w.output
}

func (w *writer3) schema() {
	w.u32(uint32(len(w.entries)))
	for _, e := range w.entries {
		w.writeSized(4, true, func() { w.schemaEntry(e) })
	}
	w.u32(0)
}

func (w *writer3) schemaEntry(e schemaContent) {
	w.u8(flag(e.isStruct))
	w.text(e.name)
	w.u32(0)
	count, n := w.reserve(4), 0
	for _, f := range e.fields {
		b, ok := w.typeByte(f.Value)
		if !ok {
			continue
		}
		n++
		w.text(f.Name)
		w.u8(b)
		switch v := f.Value.(type) {
		case Struct:
			w.u32(w.index(v.Type))
		case List:
			if s, ok := v.Of.(Struct); ok {
				w.u32(w.index(s.Type))
			} else if typeOf(v) == "array" {
				b, _ := w.typeByte(v.Of)
				w.u8(b)
			}
		}
	}
	count(n)
}

func (w *writer3) objects() {
	w.u32(uint32(len(w.file.Objects)))
	for _, o := range w.file.Objects {
		if w.isDraft {
			w.writeSized(4, true, func() {
				w.head(&o)
				w.members(o.Fields)
			})
			continue
		}
		w.writeSized(8, true, func() {
			w.head(&o)
			w.writeSized(8, true, func() { w.members(o.Fields) })
		})
	}
	if w.layout == Bundle30 || w.isDraft {
		w.u32(0)
	}
}

// head writes the part of an object after the size of its entry and before its fields.
func (w *writer3) head(o *ObjectContent) {
	w.writeSized(4, false, func() {
		w.bytes(o.ID[:])
		w.u8(flag(o.Asset))
		w.u32(w.index(o.Class))
		w.text(o.Path)
		w.text(o.Name)
	})
}

func (w *writer3) members(fields []Field) {
	for _, f := range fields {
		if _, ok := w.typeByte(f.Value); ok {
			w.writeSized(w.prefix, true, func() { w.value(f.Value) })
		}
	}
}

func (w *writer3) value(v any) {
	switch v := v.(type) {
	case Struct:
		w.members(v.Fields)
	case UUID:
		w.bytes(v[:])
	case Bytes:
		w.u64(uint64(len(v.Data)))
		w.u64(v.Flags)
		w.bytes(v.Data)
	case Ref:
		w.reference(v)
	case Func:
		if w.reference(v.Ref) {
			w.text(v.Name)
		}
	case Store:
		w.u32(uint32(len(v)))
		for _, r := range v {
			w.bytes(r.Object[:])
			w.bytes(r.Bundle[:])
		}
	case List:
		prefix := w.prefix
		if w.bareFunctions && typeOf(v) == "functions" {
			prefix = 0
		}
		w.u32(uint32(len(v.Items)))
		for _, item := range v.Items {
			w.writeSized(prefix, true, func() { w.value(item) })
		}
	default:
		w.writePlain(v)
	}
}

func (w *writer3) reference(r Ref) bool {
	w.bytes(r.Object[:])
	if r.Object == (UUID{}) {
		return false
	}
	w.bytes(r.Bundle[:])
	return true
}

// writer2 writes Package 2.0 and Bundle 2.0.
type writer2 struct {
	layout Layout
	file   *Content
	output
}

func (w *writer2) write() []byte {
	if w.layout == Package20 {
		w.bytes(packMagic)
	} else {
		w.bytes(bundleMagic)
	}
	w.u32(2)
	w.u32(0)
	w.u32(0)
	data := w.reserve(8)
	w.u64(w.file.ID.Short())
	w.text(w.file.Name)
	w.u32(uint32(len(w.file.Dependencies)))
	for _, d := range w.file.Dependencies {
		w.text(d.Name)
	}
	w.u8(0)
	data(len(w.output))
	for _, o := range w.file.Objects {
		w.bytes(objectMagic)
		w.u64(o.ID.Short())
		w.u8(flag(o.Asset))
		w.text(o.Path)
		w.text(o.Class)
		w.text(o.Name)
		if o.Asset {
			w.text(o.Source)
		}
		fields := w.reserve(8)
		fields(len(w.output))
		w.entries(o.Fields)
		w.u32(0)
	}
	w.u64(0)
	return w.output
}

func (w *writer2) entries(fields []Field) {
	w.u8(0x10)
	w.writeSized(8, false, func() {
		w.u32(uint32(len(fields)))
		for _, f := range fields {
			w.text(f.Name)
			w.value(f.Value)
		}
	})
}

// typeBytes2 has the type bytes of values without a length; a function has none, and becomes a null.
var typeBytes2 = map[string]uint8{"u8": 1, "u16": 2, "u32": 3, "u64": 4, "s8": 5, "s16": 6, "s32": 7, "s64": 8,
	"enum": 8,
	"f32":  9, "f64": 0x0A, "bool": 0x0B, "string": 0x0C, "vec2": 0x81, "vec3": 0x82, "vec4": 0x83,
	"vec2i": 0x81, "vec3i": 0x82, "vec4i": 0x83, "matrix": 0x84}

func (w *writer2) value(v any) {
	switch v := v.(type) {
	case Struct:
		w.entries(v.Fields)
	case UUID:
		w.u8(4)
		w.u64(v.Short())
	case Bytes:
		w.u8(0x0D)
		w.u64(uint64(len(v.Data)))
		w.u64(v.Flags)
		w.bytes(v.Data)
	case Ref:
		w.u8(0x0E)
		w.u64(v.Object.Short())
		w.u64(v.Bundle.Short())
	case Store:
		w.list(v.items())
	case List:
		w.list(v.Items)
	default:
		w.u8(typeBytes2[typeOf(v)])
		w.writePlain(v)
	}
}

func (w *writer2) list(items []any) {
	w.u8(0x11)
	w.writeSized(8, false, func() {
		w.u32(uint32(len(items)))
		for _, v := range items {
			w.value(v)
		}
	})
}
