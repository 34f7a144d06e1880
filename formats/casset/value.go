package casset

import (
	"encoding/hex"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	nestMost  = 200     // levels of structs, maps and arrays in one value
	fieldMost = 100_000 // fields that are decoded at once: one object's, or one element's of an array
	fieldFree = 256     // so many may have no bytes; beyond, there are at most four to a byte
	textMost  = 16 << 20
)

// finish is what remains to be done with a node once it is closed: its elements.
type finish func(*model.Node)

func (f finish) do(n *model.Node) {
	if f != nil && n != nil {
		f(n)
	}
}

// budget bounds what is decoded at once.
type budget struct {
	depth, fields int
	most          int64 // set by the first field
}

// enter counts one field; it fails when a value nests too deep or has too many.
func (b *budget) enter(c *decode.Cursor) bool {
	b.fields++
	b.depth++
	if b.depth > nestMost {
		c.Fail("values nest deeper than %d levels; what is below is not shown", nestMost)
	}
	if b.most == 0 {
		b.most = min(fieldMost, fieldFree+4*c.Left())
	}
	if int64(b.fields) > b.most {
		c.Fail("more than %d fields in one object; the rest is not shown", b.most)
	}
	if c.Err() != nil {
		b.depth--
		return false
	}
	return true
}

func (b *budget) leave() { b.depth-- }

// inside records a struct whose last step comes when it is closed.
func inside(c *decode.Cursor, name, typ string, body func() finish) *model.Node {
	var last finish
	n := c.Struct(name, typ, func() { last = body() })
	last.do(n)
	return n
}

// leaf records one plain value.
func leaf(c *decode.Cursor, name string, k kind) {
	t := kinds[k]
	switch {
	case t.n == 1:
		b := c.Peek(1)
		odd := k == kBool && b != nil && b[0] > 1
		c.Number(name, t.form)
		c.As(t.name)
		if odd && c.Err() == nil {
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
		if c.Err() == nil {
			c.Last().Value = nil
			c.Last().Symbol = t.name
		}
	}
}

// lift gives the open struct the value of the leaf that was recorded last.
func lift(c *decode.Cursor) {
	if c.Err() == nil {
		n, v := c.Node(), c.Last()
		n.Value, n.Raw, n.Symbol = v.Value, v.Raw, v.Symbol
	}
}

// uuid records 16 bytes and gives them in hex.
func uuid(c *decode.Cursor, name string) string {
	text := hex.EncodeToString(c.Peek(16))
	c.Bytes(name, "uuid", 16)
	if c.Err() != nil {
		return ""
	}
	c.Last().Value = text
	return text
}

// unrecorded names a checksum that is 0: no writer ever computed one.
func unrecorded(c *decode.Cursor, name string, refused bool) {
	v := c.U32(name)
	switch {
	case c.Err() != nil:
	case v == 0:
		c.Last().Symbol = "not recorded"
	case refused:
		c.Warn("%s is %#x; no writer records one, and the engine refuses any but 0", name, v)
	default:
		c.Note("%s is %#x; no writer records one", name, v)
	}
}

// scalar reads one plain value for an array.
func scalar(s *scanner, k kind) any {
	t := kinds[k]
	switch {
	case t.n == 1:
		if b := s.take(t.form.Size()); b != nil {
			return t.form.Decode(b, little)
		}
	case t.n > 1:
		w := t.form.Size()
		if b := s.take(t.n * w); b != nil {
			v := make(model.Scalars, t.n)
			for i := range v {
				v[i] = t.form.Decode(b[int64(i)*w:], little)
			}
			return v
		}
	case k == kString:
		return strings.ToValidUTF8(s.string(textMost), "\uFFFD")
	case k == kUUID:
		return hex.EncodeToString(s.take(16))
	}
	return nil
}

// skipScalar goes behind one plain value.
func skipScalar(s *scanner, k kind) {
	if n, ok := k.fixed(); ok {
		s.skip(n)
	} else {
		s.string(0)
	}
}

// block records what is behind a blob's length and flags.
func block(c *decode.Cursor, flags bool) {
	n := c.U64("length")
	c.Role(model.RoleSize)
	if flags {
		c.U64("flags")
	}
	size, ok := fit(n, c.Left())
	if !ok {
		c.Fail("a blob of %d bytes does not fit in the %d that are left", n, c.Left())
		return
	}
	b := c.Bytes("data", "bytes", size)
	if c.Err() == nil {
		c.Node().Value = b
	}
}

// skipBlob goes behind a blob as block records it.
func skipBlob(s *scanner, flags bool) {
	n, ok := fit(s.u64(), s.left())
	if flags {
		s.skip(8)
	}
	if !ok {
		s.fail("a blob does not fit")
	}
	s.skip(n)
}

// peekText gives the string that comes next, cut to 4,096 bytes, without going on.
func peekText(c *decode.Cursor) (text string, size int64, ok bool) {
	if b := c.Peek(min(128, c.Left())); b != nil {
		for i, v := range b {
			if v == 0 {
				return string(b[:i]), int64(i) + 1, true
			}
		}
	}
	s := newScanner(c.Source(), c.Pos(), c.End())
	text = s.text()
	return text, s.pos - c.Pos(), s.err == nil
}

// listDependencies records the names or UUIDs of what a file depends on.
func (f *file) listDependencies(c *decode.Cursor, k kind) {
	typ := "string[]"
	if k == kUUID {
		typ = "UUID[]"
	}
	f.dependencyList = inside(c, "dependencies", typ, func() finish {
		least := int64(1)
		if k == kUUID {
			least = 16
		}
		n := c.Count("count", model.U32, least, k.String())
		if c.Err() != nil {
			return nil
		}
		q, err := newSequence(f.ctx, f.src, c.Pos(), c.End(), n, func(s *scanner) { skipScalar(s, k) })
		c.GoTo(q.end)
		if err != nil {
			c.Fail("dependency %d of %d: %v", q.n, n, err)
		}
		return func(list *model.Node) {
			q.under(list, f.proto, k.String(), func(e *decode.Cursor) finish {
				s := newScanner(f.src, e.Pos(), e.End())
				n := e.Node()
				raw := ""
				if k == kUUID {
					raw = hex.EncodeToString(s.take(16))
				} else if raw = s.string(textMost); raw != strings.ToValidUTF8(raw, "\uFFFD") {
					n.Raw = []byte(raw)
				}
				n.Value = strings.ToValidUTF8(raw, "\uFFFD")
				f.linkDependency(n, raw)
				return nil
			})
		}
	})
}
