package casset

import (
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	nestMost  = 200     // levels of structs, maps and arrays in one value
	fieldMost = 100_000 // fields that are decoded at once: those of one object, or of one element of an array
	emptyMost = 4096    // elements without bytes that are shown
)

// generation is what the generations of the format write each in its own way: what comes before a value, and the
// values that are made of others.
type generation interface {
	// header reads what comes before a value, in the value's node, and returns the type of the value and its size; -1
	// if only the value tells where it ends.
	header(v *reader, c *decode.Cursor, t Type) (Type, int64)
	// infer returns a type for a value whose type is not known before its bytes are.
	infer(v *reader, c *decode.Cursor, t Type) Type
	binary(v *reader, c *decode.Cursor)
	reference(v *reader, c *decode.Cursor, t Type)
	members(v *reader, c *decode.Cursor, t Type)
	array(v *reader, c *decode.Cursor, t Type)
}

// reader reads the values of one object, or of one element of an array.
type reader struct {
	*file
	generation
	bare   *fields3 // set where nothing comes before a value: plain values are leaves
	depth  int
	fields int   // that have been read
	blobs  *bool // if not nil, set by a blob that is not empty
}

// element returns what reads an element of an array that is so deep in v: its fields are counted anew.
func (v *reader) element(depth int) *reader {
	return &reader{file: v.file, generation: v.generation, bare: v.bare, depth: depth, blobs: v.blobs}
}

// enter counts one field; it fails when a value nests too deep or has too many.
func (v *reader) enter(c *decode.Cursor) bool {
	if v.fields++; v.fields > fieldMost {
		c.Fail("more than %d fields in one object; the rest is not shown", fieldMost)
	}
	if v.depth >= nestMost {
		c.Fail("values nest deeper than %d levels; what is below is not shown", nestMost)
	}
	return c.Err() == nil
}

// field reads a field, a member or an entry of a map.
func (v *reader) field(c *decode.Cursor, name string, t Type) {
	if !v.enter(c) {
		return
	}
	v.depth++
	switch {
	case v.bare == nil || !t.plain():
		c.Struct(name, t.String(), func() { v.headed(c, t) })
	case t.kind == kArray:
		v.bare.row(c, name, t)
	default:
		plain(c, name, t.kind)
	}
	v.depth--
}

// headed reads what comes before a value, and the value, in the node that is open.
func (v *reader) headed(c *decode.Cursor, t Type) {
	if v.bare != nil {
		v.value(c, t)
		return
	}
	start := c.Pos()
	t, size := v.header(v, c, t)
	c.Type(t.String())
	if c.Err() != nil {
		return
	}
	if size < 0 {
		v.value(c, t)
		return
	}
	c.Frame(size, func() {
		v.value(c, v.infer(v, c, t))
		if c.Left() > 0 {
			c.Remark(model.Error, model.Span{Offset: start}, "the value ends at %#x, its size leads to %#x", c.Pos(),
				c.End())
		}
	})
}

// value reads a value in the node that is open.
func (v *reader) value(c *decode.Cursor, t Type) {
	switch t.kind {
	case kBinary:
		v.binary(v, c)
	case kObject, kStored, kFunction:
		v.reference(v, c, t)
	case kStruct, kMap:
		v.members(v, c, t)
	case kArray, kObjectMap, kStore:
		v.array(v, c, t)
	case kNothing:
		c.StructSymbol("null")
	case kEmpty:
		c.StructSymbol("no bytes")
	case kNullOrZero:
		c.U64("value")
	case kBad:
		c.Fail("a value of unknown type cannot be read")
	default:
		plain(c, "value", t.kind)
		c.Lift()
	}
}

// plain reads one plain value as a leaf.
func plain(c *decode.Cursor, name string, k kind) {
	switch t := kinds[k]; {
	case t.n == 1:
		bits := c.Number(name, t.form)
		c.As(t.name)
		if k == kBool && bits > 1 {
			c.Note("a bool is stored as another number than 0 or 1")
		}
	case t.n > 1:
		c.Array(name, t.name, t.form, t.n)
	case k == kString:
		c.Terminated(name)
	case k == kUUID:
		uuid(c, name)
	default:
		c.Bytes(name, t.name, 0)
		c.Value(func() any { return nil })
		c.Symbol(t.name)
	}
}

// item reads one plain value of a row.
func item(c *decode.Cursor, k kind) any {
	switch t := kinds[k]; {
	case t.n == 1:
		return t.form.Value(c.Number("value", t.form))
	case t.n > 1:
		v := make(model.Scalars, t.n)
		for i := range v {
			v[i] = t.form.Value(c.Number("value", t.form))
		}
		return v
	case k == kString:
		return strings.ToValidUTF8(c.Terminated("value"), "\uFFFD")
	case k == kUUID:
		return uuid(c, "value").String()
	}
	return nil
}

// block reads a length, flags and that many bytes.
func (v *reader) block(c *decode.Cursor, flags bool) {
	n := c.Size("length", model.U64)
	if flags {
		c.U64("flags")
	}
	size, ok := fit(n, c.Left())
	if !ok {
		c.Fail("a blob of %d bytes does not fit in the %d that are left", n, c.Left())
		return
	}
	b := c.Bytes("data", "bytes", size)
	if v.blobs != nil && size > 0 {
		*v.blobs = true
	}
	c.StructValue(b)
}

// fieldName reads the name of a field, which is in the field's header. n is the field's node, if it is recorded.
func fieldName(c *decode.Cursor, n *model.Node) {
	if name := c.Terminated("name"); n != nil && c.Err() == nil {
		n.Name = strings.ToValidUTF8(name, "\uFFFD")
	}
}

// lead sets where the open struct leads.
func (f *file) lead(c *decode.Cursor, object, bundle, name string) {
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Link = f.link(object, bundle, name)
	}
}
