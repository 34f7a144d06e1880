package kaitai

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// types are the language's own names of numbers, without the byte order that is added where there is one.
var types = &decode.Types{Text: "str", Bytes: "bytes", Numbers: [...]string{
	model.U8: "u1", model.U16: "u2", model.U32: "u4", model.U64: "u8",
	model.S8: "s1", model.S16: "s2", model.S32: "s4", model.S64: "s8",
	model.F32: "f4", model.F64: "f8", model.Bool: "bool"}}

// forms are the binary forms of numbers by their kind and width.
var forms = map[Kind]map[int]model.Number{
	Unsigned: {1: model.U8, 2: model.U16, 4: model.U32, 8: model.U64},
	Signed:   {1: model.S8, 2: model.S16, 4: model.S32, 8: model.S64},
	Float:    {4: model.F32, 8: model.F64},
}

// leaf reads an attribute that is a value: a number, a bit field, bytes or a text.
func (r *reading) leaf(o *object, a *Attribute, ref *Reference, name string, index int) (v expression.Value) {
	switch ref.Kind {
	case Bits:
		v = r.bitFieldLeaf(o, a, ref, name)
	case Unsigned, Signed, Float:
		v = r.number(o, a, ref, name)
	default:
		v = r.bytes(o, a, ref, name, index)
	}
	return v
}

// number reads a number.
func (r *reading) number(o *object, a *Attribute, ref *Reference, name string) expression.Value {
	r.align()
	order, ok := r.order(o, a, ref)
	if !ok {
		return expression.Value{}
	}
	r.c.SetOrder(order)
	raw := r.c.Number(name, ref.form)
	if r.c.Recording() {
		r.c.As(ref.ordered(order))
		r.symbol(a)
	}
	if !r.keeps(a) || r.c.Err() != nil {
		return expression.Value{}
	}
	return numberValue(ref.form.Value(raw), a.Enum)
}

// order returns the byte order of a number.
func (r *reading) order(o *object, a *Attribute, ref *Reference) (binary.ByteOrder, bool) {
	switch {
	case ref.Order != nil:
		return ref.Order, true
	case ref.Width == 1:
		return binary.LittleEndian, true
	case o.order != nil:
		return o.order, true
	}
	r.c.Fail("%s: the byte order of %s is not known", a.ID, o.typ.path())
	return nil, false
}

// ordered is the name of a number's type with its byte order: u4le.
func (ref *Reference) ordered(order binary.ByteOrder) string {
	switch {
	case ref.Width == 1 || len(ref.Name) > len("u4"):
		return ref.Name
	case order == binary.ByteOrder(binary.LittleEndian):
		return orderedNames[ref.Name][0]
	}
	return orderedNames[ref.Name][1]
}

// orderedNames are the types of numbers whose byte order is chosen when a file is read.
var orderedNames = map[string][2]string{
	"u2": {"u2le", "u2be"}, "u4": {"u4le", "u4be"}, "u8": {"u8le", "u8be"},
	"s2": {"s2le", "s2be"}, "s4": {"s4le", "s4be"}, "s8": {"s8le", "s8be"},
	"f4": {"f4le", "f4be"}, "f8": {"f8le", "f8be"},
}

// symbol names the value of an enumeration that was read last.
func (r *reading) symbol(a *Attribute) {
	if n := r.c.Last(); n != nil && a.Enum != nil {
		n.Symbols = a.Enum.symbols
	}
}

// symbolOf returns what names the values of an enumeration.
func symbolOf(e expression.Enum) model.SymbolFunc {
	return func(v any) string {
		switch v := v.(type) {
		case uint64:
			s, _ := e.Symbol(int64(v))
			return s
		case int64:
			s, _ := e.Symbol(v)
			return s
		}
		return ""
	}
}

// numberValue returns a value of a node as one of expressions.
func numberValue(v any, enum *Enum) expression.Value {
	var out expression.Value
	switch v := v.(type) {
	case uint64:
		out = expression.UintValue(v)
	case int64:
		out = expression.IntValue(v)
	case float32:
		return expression.FloatValue(float64(v))
	case float64:
		return expression.FloatValue(v)
	}
	if enum != nil {
		out.Enum = enum
	}
	return out
}

// bytes reads bytes or a text.
func (r *reading) bytes(o *object, a *Attribute, ref *Reference, name string, index int) expression.Value {
	e, ok := r.extent(o, a, ref, index)
	if !ok {
		return expression.Value{}
	}
	span := model.Span{Offset: r.c.Pos(), Size: e.content}
	isText := ref.Kind == Str || ref.Kind == Strz
	if isText && a.Process == nil && e.content == e.take && isUTF8(a.Encoding) {
		text := r.c.Text(name, e.take)
		r.c.As(ref.Name)
		return expression.TextValue(text)
	}
	r.c.Bytes(name, "bytes", e.take)
	if r.c.Err() != nil {
		return expression.Value{}
	}
	src := r.s.src
	if a.Process != nil && (r.c.Recording() || r.keeps(a) || a.Contents != nil) {
		args, ok := r.arguments(o, a, index)
		if !ok {
			return expression.Value{}
		}
		made, err := r.run(a, span, args)
		if err != nil {
			r.c.Wrong("%s: %v", a.about("process"), err)
		} else {
			span = model.Span{Size: int64(len(made))}
			src = model.NewSource(src.Name(), bytes.NewReader(made), span.Size)
		}
	}
	if isText {
		return r.text(a, ref, src, span)
	}
	if r.c.Recording() && (a.Process != nil || e.content != e.take) {
		r.c.Value(func() any { return model.Blob{Source: src, Span: span} })
	}
	if r.c.Recording() && a.Export != nil {
		r.exported.note(model.Blob{Source: src, Span: span}, a.Export)
	}
	if !r.keeps(a) && a.Contents == nil {
		return expression.Value{}
	}
	b, err := bytesOf(src, span)
	if err != nil {
		r.fail(a, "", err)
		return expression.Value{}
	}
	if a.Contents != nil && !bytes.Equal(b, a.Contents) {
		r.c.Wrong("%s is % x, not % x", a.ID, b, a.Contents)
		r.c.Fail("%s: not the contents that must be here", a.ID)
	}
	return expression.BytesValue(b)
}

// isUTF8 reports whether texts in an encoding are those of the cursor.
func isUTF8(encoding string) bool {
	return strings.EqualFold(encoding, "UTF-8") || strings.EqualFold(encoding, "ASCII")
}

// bytesOf returns the bytes of a span, if they are not too many to hold.
func bytesOf(src *model.Source, span model.Span) ([]byte, error) {
	if span.Size > maxBytes {
		return nil, fmt.Errorf("%d bytes are too many for an expression; %d are allowed", span.Size, maxBytes)
	}
	return src.Bytes(span)
}

// text names what was just recorded as bytes a text.
func (r *reading) text(a *Attribute, ref *Reference, src *model.Source, span model.Span) expression.Value {
	if !r.c.Recording() && !r.keeps(a) {
		return expression.Value{}
	}
	b, err := bytesOf(src, span)
	if err != nil {
		r.c.As(ref.Name)
		r.c.Wrong("%s: %v", a.ID, err)
		return expression.Value{}
	}
	text, err := expression.Decode(b, a.Encoding)
	if err != nil {
		r.c.Wrong("%s: %v", a.ID, err)
	}
	r.c.As(ref.Name)
	r.c.Value(func() any { return strings.ToValidUTF8(text, "\uFFFD") })
	if n := r.c.Last(); n != nil && r.c.Recording() && strings.ContainsRune(text, utf8.RuneError) {
		n.SetRaw(b)
	}
	return expression.TextValue(text)
}

// checked reports what is wrong with a value that was just read, on its node.
func (r *reading) checked(o *object, a *Attribute, v expression.Value, index int) expression.Value {
	if a.Valid != nil && r.c.Err() == nil {
		if err := r.valid(r.scope(o, index), a, v); err != nil {
			r.c.Wrong("%v", err)
		}
	}
	return v
}

// valid says what is wrong with a value; nil if it is what it must be.
func (m *machine) valid(s *scope, a *Attribute, v expression.Value) error {
	if a.Valid == nil {
		return nil
	}
	s.this = &v
	defer func() { s.this = nil }()
	want := a.Valid
	check := func(e *expression.Expression, what string, holds func(order int) bool) error {
		if e == nil {
			return nil
		}
		limit, err := e.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if what == "equal" {
			if same, err := expression.Equal(v, limit); err != nil || !same {
				return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), brief(limit))
			}
			return nil
		}
		if order, err := expression.Compare(v, limit); err != nil || !holds(order) {
			return fmt.Errorf("%s is %s, but %s %s is expected", a.ID, brief(v), what, brief(limit))
		}
		return nil
	}
	if err := check(want.Eq, "equal", nil); err != nil {
		return err
	}
	if err := check(want.Min, "at least", func(order int) bool { return order >= 0 }); err != nil {
		return err
	}
	if err := check(want.Max, "at most", func(order int) bool { return order <= 0 }); err != nil {
		return err
	}
	if want.AnyOf != nil {
		if err := m.anyOf(s, a, v); err != nil {
			return err
		}
	}
	if want.InEnum && v.Enum != nil {
		n, _ := v.Whole()
		if _, ok := v.Enum.Symbol(n); !ok {
			return fmt.Errorf("%s is %s, which the enumeration does not have", a.ID, brief(v))
		}
	}
	if want.Expr != nil {
		is, err := want.Expr.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if ok, err := is.Truth(); err != nil || !ok {
			return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), want.Expr)
		}
	}
	return nil
}

// anyOf says that a value is none of those that are allowed.
func (m *machine) anyOf(s *scope, a *Attribute, v expression.Value) error {
	for _, e := range a.Valid.AnyOf {
		allowed, err := e.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if same, err := expression.Equal(v, allowed); err == nil && same {
			return nil
		}
	}
	return fmt.Errorf("%s is %s, which is not one of the %d values that are allowed", a.ID, brief(v), len(a.Valid.AnyOf))
}

// brief writes a value in a sentence.
func brief(v expression.Value) string {
	if v.Kind == expression.Text {
		return fmt.Sprintf("%q", short(v.Text()))
	}
	return short(v.String())
}

// bitField is the state of a stream between bit fields: the bits of the last byte that are not read yet.
type bitField struct {
	value uint64
	left  int
	le    bool
}

// align drops the bits that are left of the last byte.
func (r *reading) align() { r.bits = bitField{} }

// bitFieldLeaf reads a bit field. Its node owns the bytes that were not read before; one that lies in a byte of the
// field before it owns none.
func (r *reading) bitFieldLeaf(o *object, a *Attribute, ref *Reference, name string) expression.Value {
	n, bytes, ok := r.readBits(o, a, ref)
	if !ok {
		return expression.Value{}
	}
	r.c.Bytes(name, ref.Name, bytes)
	truth := ref.Width == 1 && a.Enum == nil
	if r.c.Recording() {
		r.c.Value(func() any {
			if truth {
				return n == 1
			}
			return n
		})
		r.symbol(a)
	}
	if truth {
		return expression.BoolValue(n == 1)
	}
	return numberValue(n, a.Enum)
}

// readBits returns the next bits as a number and how many further bytes they lie in. The cursor stays where it is.
func (r *reading) readBits(o *object, a *Attribute, ref *Reference) (n uint64, count int64, ok bool) {
	le := o.typ.bitsLE()
	if ref.Order != nil {
		le = ref.Order == binary.ByteOrder(binary.LittleEndian)
	}
	if r.bits.le != le {
		r.align()
		r.bits.le = le
	}
	width := ref.Width
	count = int64(max(0, (width-r.bits.left+7)/8))
	b := r.c.Peek(count)
	if count > 0 && b == nil {
		r.c.Fail("%s needs %d bits, %d are left", a.ID, width, int64(r.bits.left)+8*r.c.Left())
		return 0, 0, false
	}
	if le {
		return r.lowBits(b, width), count, true
	}
	return r.highBits(b, width), count, true
}

// highBits takes bits from the most significant one on.
func (r *reading) highBits(b []byte, width int) uint64 {
	take := min(width, r.bits.left)
	n := r.bits.value >> (r.bits.left - take) & mask(take)
	r.bits.left -= take
	width -= take
	for _, c := range b {
		take = min(width, 8)
		n = n<<take | uint64(c)>>(8-take)
		width -= take
		r.bits.value, r.bits.left = uint64(c)&mask(8-take), 8-take
	}
	return n
}

// lowBits takes bits from the least significant one on.
func (r *reading) lowBits(b []byte, width int) uint64 {
	take := min(width, r.bits.left)
	n, at := r.bits.value&mask(take), take
	r.bits.value >>= take
	r.bits.left -= take
	width -= take
	for _, c := range b {
		take = min(width, 8)
		n |= uint64(c) & mask(take) << at
		at += take
		width -= take
		r.bits.value, r.bits.left = uint64(c)>>take, 8-take
	}
	return n
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return math.MaxUint64
	}
	return 1<<bits - 1
}
