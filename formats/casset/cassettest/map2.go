package cassettest

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
	data := w.later(8)
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
		fields := w.later(8)
		fields(len(w.output))
		w.entries(o.Fields)
		w.u32(0)
	}
	w.u64(0)
	return w.output
}

func (w *writer2) entries(fields []Field) {
	w.u8(0x10)
	w.sized(8, false, func() {
		w.u32(uint32(len(fields)))
		for _, f := range fields {
			w.text(f.Name)
			w.value(f.Value)
		}
	})
}

// typeBytes2 are the type bytes of values without a length; there is none for a function, which becomes a null.
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
		items := make([]any, len(v))
		for i := range v {
			items[i] = v[i]
		}
		w.list(items)
	case List:
		w.list(v.Items)
	default:
		w.u8(typeBytes2[typeOf(v)])
		w.plain(v)
	}
}

func (w *writer2) list(items []any) {
	w.u8(0x11)
	w.sized(8, false, func() {
		w.u32(uint32(len(items)))
		for _, v := range items {
			w.value(v)
		}
	})
}
