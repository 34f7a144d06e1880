package cassettest

import "cmp"

// writer1 writes Package 0.1 to 1.2.
type writer1 struct {
	layout Layout
	file   *Content
	output
}

func (w *writer1) minor() uint32 {
	return [...]uint32{0, 0, 1, 2, 2, 2}[w.layout]
}

func (w *writer1) isLate() bool { return w.layout == Package12Late }

func (w *writer1) write() []byte {
	w.bytes(packMagic)
	if w.layout == Package01 {
		w.u16(0)
		w.u16(1)
	} else {
		w.u32(1)
		w.u32(w.minor())
	}
	w.u32(0)
	data := w.reserve(8)
	w.u64(w.file.ID.Short())
	w.text(w.file.Name)
	if w.minor() >= 1 {
		w.u32(uint32(len(w.file.Dependencies)))
		for _, d := range w.file.Dependencies {
			w.text(d.Name)
		}
	}
	switch w.layout {
	case Package12Primary:
		name, class := "", ""
		if n := len(w.file.Objects); n > 0 {
			name, class = w.file.Objects[n-1].Name, w.file.Objects[n-1].Class
		}
		w.text(name)
		w.text(class)
	case Package12Late:
		w.u8(0)
	}
	data(len(w.output))
	for i := range w.file.Objects {
		w.object(&w.file.Objects[i])
	}
	w.u64(0)
	return w.output
}

func (w *writer1) object(o *ObjectContent) {
	w.bytes(objectMagic)
	w.u64(o.ID.Short())
	w.u8(flag(o.Asset))
	w.text(o.Path)
	w.text(o.Class)
	size := w.reserve(4)
	w.u32(uint32(len(o.Fields)))
	data := w.reserve(8)
	w.text(o.Name)
	if w.layout != Package01 {
		w.text(o.Source)
	}
	start := len(w.output)
	data(start)
	w.fields(o.Fields)
	size(len(w.output) - start)
	w.u32(0)
	w.u32(0)
}

func (w *writer1) fields(fields []Field) {
	for _, f := range fields {
		if w.minor() >= 2 {
			w.bytes(fieldMarker)
		}
		w.text(f.Name)
		w.text(typeName1(f.Value))
		w.writeSized(4, false, func() { w.value(f.Value) })
	}
}

// typeName1 returns the declared type that a 1.x writer stores.
func typeName1(v any) string {
	switch v := v.(type) {
	case Struct:
		return v.Type
	case Ref:
		return "/Code/Game.Game::Node"
	case Enum:
		return "/Code/Game.Game::Mode"
	case Func, nil:
		return "/Code/Core.CE::ScriptDelegate"
	case VecI:
		return "/Code/Core.CE::" + map[int]string{2: "Vec2i", 3: "Vec3i", 4: "Vec4i"}[len(v)]
	}
	return "/Code/Core." + cmp.Or(typeNames1[typeOf(v)], typeOf(v))
}

// typeNames1 maps types to declared names that differ from their own.
var typeNames1 = map[string]string{"bool": "b8", "string": "CE::String", "vec2": "CE::Vec2", "vec3": "CE::Vec3",
	"vec4":   "CE::Vec4",
	"matrix": "CE::Matrix4x4", "uuid": "CE::UUID", "binary": "CE::BinaryBlob", "store": "CE::ObjectMap",
	"array":   "CE::Array",
	"objects": "CE::Array", "structs": "CE::Array", "functions": "CE::Array"}

func (w *writer1) value(v any) {
	switch v := v.(type) {
	case Vec, VecI, Func, nil: // no writer of 1.x stored them
	case float64:
		w.writePlain(float32(v))
	case bool, Enum:
		if w.isLate() {
			w.writePlain(v)
		}
	case UUID:
		w.u64(v.Short())
	case Bytes:
		if w.minor() == 0 || len(v.Data) == 0 {
			return
		}
		w.u64(uint64(len(v.Data)))
		if w.isLate() {
			w.u64(v.Flags)
		}
		w.bytes(v.Data)
	case Ref:
		if v.Object == (UUID{}) {
			w.u64(0)
			return
		}
		w.u64(v.Object.Short())
		w.text(v.Class)
		if w.isLate() {
			w.u64(v.Bundle.Short())
		}
		w.text(v.Package)
		w.text(v.Path)
	case Struct:
		w.fields(v.Fields)
	case Store:
		w.list("/Code/Core.CE::Object", v.items())
	case List:
		w.list(typeName1(v.Of), v.Items)
	default:
		w.writePlain(v)
	}
}

func (w *writer1) list(typ string, items []any) {
	w.text(typ)
	w.u32(uint32(len(items)))
	w.writeSized(4, false, func() {
		for _, v := range items {
			w.value(v)
		}
	})
}
