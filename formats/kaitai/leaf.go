package kaitai

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// types are the language's own names of numbers, without the byte order that may follow.
var types = &decode.Types{Text: "str", Bytes: "bytes", Numbers: [...]string{
	model.U8: "u1", model.U16: "u2", model.U32: "u4", model.U64: "u8",
	model.S8: "s1", model.S16: "s2", model.S32: "s4", model.S64: "s8",
	model.F32: "f4", model.F64: "f8", model.Bool: "bool"}}

// leaf reads an attribute that is a value: a number, a bit field, bytes or a text.
func (r *decoder) leaf(f field, ref *Reference) expression.Value {
	switch ref.Kind {
	case Bits:
		return r.bitField(f, ref)
	case Number:
		return r.number(f, ref)
	}
	return r.bytes(f, ref)
}

// linkedValue reads a value, which may be a link.
func (r *decoder) linkedValue(f field, ref *Reference) expression.Value {
	v := r.leaf(f, ref)
	if n := r.c.Last(); n != nil && f.a.plan.link != nil {
		f.a.plan.link.set(r.stream.doc, n)
	}
	return v
}

func (r *decoder) number(f field, ref *Reference) expression.Value {
	r.align()
	order, ok := r.order(f, ref)
	if !ok {
		return expression.Value{}
	}
	r.c.SetOrder(order)
	raw := r.c.Number(f.a.ID, ref.form)
	if n := r.c.Last(); n != nil {
		n.Type = ref.orderedName(order)
		f.a.nameValue(n)
	}
	if !r.isNeeded(f) || r.c.Err() != nil {
		return expression.Value{}
	}
	return scalarValue(ref.form.Value(raw), f.a.plan.enum)
}

func (r *decoder) order(f field, ref *Reference) (binary.ByteOrder, bool) {
	switch {
	case ref.Order != nil:
		return ref.Order, true
	case ref.Width == 1:
		return binary.LittleEndian, true
	case f.o.order != nil:
		return f.o.order, true
	}
	r.c.Fail("%s: unknown byte order of %s", f.a.ID, f.o.typ.path())
	return nil, false
}

// orderedName returns the name of a number's type with its byte order: u4le.
func (ref *Reference) orderedName(order binary.ByteOrder) string {
	if ref.Width == 1 || ref.Order != nil {
		return ref.Name
	}
	return ref.Name + suffixOf(order)
}

// nameValue has a node name its value as the enumeration of the attribute does.
func (a *Attribute) nameValue(n *model.Node) {
	if a.plan.enum != nil {
		n.Symbols = a.plan.enum.symbols
	}
}

// symbolOf returns the func that names the values of an enumeration.
func symbolOf(e expression.Enum) model.SymbolFunc {
	return func(v any) string {
		s, _ := e.Symbol(scalarValue(v, nil))
		return s
	}
}

// scalarValue returns a value of a node as one of expressions.
func scalarValue(v any, enum *Enum) expression.Value {
	var out expression.Value
	switch v := v.(type) {
	case bool:
		return expression.BoolValue(v)
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
func (r *decoder) bytes(f field, ref *Reference) expression.Value {
	e, ok := r.extent(f, ref)
	if !ok {
		return expression.Value{}
	}
	isText := ref.isText()
	if isText && f.a.Process == nil && e.content == e.take && isUTF8(f.a.plan.encoding) {
		return r.utf8(f, ref, e.take)
	}
	content := model.Blob{Source: r.stream.src, Span: model.Span{Offset: r.c.Pos(), Size: e.content}}
	if !r.spendRecording(f, e.take/bytesPerStep) {
		return expression.Value{}
	}
	r.c.Bytes(f.a.ID, "bytes", e.take)
	if r.c.Err() != nil || r.c.Last() == nil && !r.isNeeded(f) && f.a.Contents == nil {
		return expression.Value{}
	}
	if f.a.Process != nil {
		if b, ok := r.processedBytes(f, content.Span); ok {
			content = blobOf(b)
		}
	}
	if (isText || r.isNeeded(f) || f.a.Contents != nil) && !r.holdBytes(f, content.Span.Size) {
		return expression.Value{}
	}
	if isText {
		return r.text(f.a, ref, content)
	}
	if n := r.c.Last(); n != nil && (f.a.Process != nil || e.content != e.take) {
		n.Value = content
	}
	return r.block(f, content)
}

// utf8 reads a text in the encoding of the cursor's texts.
func (r *decoder) utf8(f field, ref *Reference, size int64) expression.Value {
	if !r.c.Recording() && !r.isNeeded(f) {
		r.c.Bytes(f.a.ID, ref.Name, size)
		return expression.Value{}
	}
	if !r.holdBytes(f, size) {
		return expression.Value{}
	}
	text := r.c.Text(f.a.ID, size)
	r.c.As(ref.Name)
	return expression.TextValue(text)
}

// isUTF8 reports whether the cursor can read texts in an encoding.
func isUTF8(encoding expression.Encoding) bool {
	return encoding.Name == "utf-8" || encoding.Name == "ascii"
}

// block returns the bytes that were just read as a value, if it is of use, and checks them against the contents that
// must be there.
func (r *decoder) block(f field, content model.Blob) expression.Value {
	a := f.a
	if !r.isNeeded(f) && a.Contents == nil {
		return expression.Value{}
	}
	b, err := bytesOf(content)
	if err != nil {
		r.fail(a, "", err)
		return expression.Value{}
	}
	if n := r.c.Last(); n != nil && a.Contents != nil && isPrintable(b) {
		n.Symbols = model.Symbol(string(b))
	}
	if a.Contents != nil && !bytes.Equal(b, a.Contents) && r.spend(f, stepsOfProblem) {
		r.c.Errorf("%s is %s, not %s", a.ID, brief(expression.BytesValue(b)), brief(expression.BytesValue(a.Contents)))
		r.c.Stop(fmt.Errorf("%s: unexpected contents", a.ID))
	}
	return expression.BytesValue(b)
}

// isPrintable reports whether bytes are a text of ASCII, as a magic often is.
func isPrintable(b []byte) bool {
	return len(b) > 0 && !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// text makes a text of the bytes that were just read.
func (r *decoder) text(a *Attribute, ref *Reference, content model.Blob) expression.Value {
	b, err := bytesOf(content)
	text := ""
	if err == nil {
		text, err = a.plan.encoding.Decode(b)
	}
	if err != nil {
		r.c.Errorf("%s: %v", a.ID, err)
		return expression.Value{}
	}
	if n := r.c.Last(); n != nil {
		n.Type, n.Value = ref.Name, text
		if strings.ContainsRune(text, utf8.RuneError) {
			n.SetRaw(b)
		}
	}
	return expression.TextValue(text)
}

// maxBytes is the maximum number of bytes for an expression or a process.
const maxBytes = 64 << 20

// bytesOf returns the bytes of a block, if they are not too many to hold.
func bytesOf(b model.Blob) ([]byte, error) {
	if b.Span.Size > maxBytes {
		return nil, fmt.Errorf("%d bytes are too many for an expression or a process; at most %d are allowed", b.Span.Size, maxBytes)
	}
	return b.Source.Bytes(b.Span)
}

// content returns the bytes of a span of the stream's source.
func (r *decoder) content(span model.Span) ([]byte, error) {
	return bytesOf(model.Blob{Source: r.stream.src, Span: span})
}

// blobOf returns bytes that an expression or a process made as the value of a node.
func blobOf(b []byte) model.Blob {
	size := int64(len(b))
	return model.Blob{Source: model.NewSource("", bytes.NewReader(b), size), Span: model.Span{Size: size}}
}

// bitsLeft is the bits of the last byte that no bit field has read yet.
type bitsLeft struct {
	value     byte
	remaining uint8
	le        bool // the field before began at the least significant bit
}

// align drops the bits that are left of the last byte.
func (r *decoder) align() { r.bits = bitsLeft{} }

// isLE reports whether bit fields of a type begin at the least significant bit.
func (ref *Reference) isLE() bool { return ref.Order == binary.ByteOrder(binary.LittleEndian) }

// bitField reads a bit field. Its node has the bytes that contain it, and its bits in them.
func (r *decoder) bitField(f field, ref *Reference) expression.Value {
	count := max(0, ref.Width-int(r.bits.remaining)+7) / 8
	b := r.c.Peek(int64(count))
	if len(b) < count {
		r.failBits(f, ref)
		return expression.Value{}
	}
	before := r.bits
	n := r.bits.next(ref.Width, ref.isLE(), &b)
	r.recordBits(f, ref, ref.Name, before, int64(count), int64(ref.Width))
	value := bitValue(n, ref, f.a.plan.enum)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = value
		f.a.nameValue(leaf)
	}
	return scalarValue(value, f.a.plan.enum)
}

// bitFields reads a plain list of bit fields, which do not begin at bytes, as one leaf.
func (r *decoder) bitFields(f field, n int64) expression.Value {
	ref := &f.a.Type.Value
	row := bitRow{src: r.stream.src, ref: ref, before: r.bits, offset: r.c.Pos()}
	width, left := int64(ref.Width), int64(r.bits.remaining)+8*r.c.Remaining()
	if row.count = min(n, left/width); r.c.Err() != nil || !r.spendRecording(f, row.count/scalarsPerStep) {
		return expression.Value{}
	}
	bits, begin, skip := row.position(row.count)
	r.c.GoTo(row.offset + begin)
	if b := r.c.Peek(min(1, r.c.Remaining())); r.c.Err() == nil {
		bits.next(skip, ref.isLE(), &b)
		r.bits = bits
	}
	r.c.GoTo(row.offset)
	r.recordBits(f, ref, ref.Name+"[]", row.before, row.end(row.count), row.count*width)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = row
	}
	if f.a.Repeat.Kind == Times && n > row.count || f.a.Repeat.Kind == ToTheEnd && left%width > 0 {
		r.failBits(f, ref)
	}
	return expression.ListValue(scalars{row})
}

// bitRow is an array of bit fields that are read from the file on demand.
type bitRow struct {
	src    *model.Source
	ref    *Reference
	before bitsLeft // the remaining bits of the byte before the offset
	offset int64
	count  int64
}

func (row bitRow) Len() int64 { return row.count }

// end returns the number of bytes of the first n bit fields.
func (row bitRow) end(n int64) int64 {
	return max(0, n*int64(row.ref.Width)-int64(row.before.remaining)+7) / 8
}

// position returns the position of the i-th bit field: the remaining bits before it, or its first byte in the row and
// the bits to skip in that.
func (row bitRow) position(i int64) (before bitsLeft, begin int64, skip int) {
	bits := i * int64(row.ref.Width)
	if past := bits - int64(row.before.remaining); past >= 0 {
		return bitsLeft{}, past / 8, int(past % 8)
	}
	return row.before, 0, int(bits)
}

// Slice reads up to n bit fields from the first on.
func (row bitRow) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), row.count)
	n = min(max(n, 0), row.count-first)
	bits, begin, skip := row.position(first)
	b, err := row.src.Bytes(model.Span{Offset: row.offset + begin, Size: row.end(first+n) - begin})
	if err != nil {
		return nil, fmt.Errorf("array of %d bit fields: %w", row.count, err)
	}
	le := row.ref.isLE()
	bits.next(skip, le, &b)
	out := make([]any, n)
	for i := range out {
		out[i] = bitValue(bits.next(row.ref.Width, le, &b), row.ref, nil)
	}
	return out, nil
}

// bitValue returns the value of the node of a bit field: one bit is a boolean, unless an enumeration names its values.
func bitValue(n uint64, ref *Reference, enum *Enum) any {
	if ref.Width == 1 && enum == nil {
		return n == 1
	}
	return n
}

// recordBits records bit fields with a number of bits: the remaining bits of the last byte, and size more bytes. It
// warns if they begin within a byte of a bit field of the other order.
func (r *decoder) recordBits(f field, ref *Reference, typ string, before bitsLeft, size, bits int64) {
	r.c.Bytes(f.a.ID, typ, size)
	begin := int64(0)
	if before.remaining > 0 && bits > 0 {
		shareByte(r.c.Last())
		begin, size = 8-int64(before.remaining), size+1
	}
	if leaf := r.c.Last(); leaf != nil && (begin > 0 || 8*size > bits) {
		leaf.Bits = model.Bits{Before: uint8(begin), After: uint8(8*size - begin - bits), FromLow: ref.isLE()}
	}
	if before.remaining > 0 && before.le != ref.isLE() {
		r.c.Warnf("%s begins within a byte of a bit field of the other order, which Kaitai Struct does not allow", f.a.ID)
	}
}

// shareByte extends a node, if there is one, by the byte before it, whose first bits belong to another field.
func shareByte(n *model.Node) {
	if n != nil {
		n.Offset, n.Size = n.Offset-1, n.Size+1
	}
}

// failBits stops the cursor where there are not enough bits.
func (r *decoder) failBits(f field, ref *Reference) {
	if r.c.Err() == nil {
		r.c.Fail("%s needs %d bits, but only %d remain", f.a.ID, ref.Width, int64(r.bits.remaining)+8*r.c.Remaining())
	}
}

// next returns the next bits as a number, from the remaining bits and then from b, which has the needed bytes. It
// updates both.
func (bits *bitsLeft) next(width int, le bool, b *[]byte) (n uint64) {
	for got := 0; got < width; {
		if bits.remaining == 0 {
			bits.value, bits.remaining, *b = (*b)[0], 8, (*b)[1:]
		}
		take := min(width-got, int(bits.remaining))
		bits.remaining -= uint8(take)
		if bits.le = le; le {
			n |= uint64(bits.value) & (1<<take - 1) << got
			bits.value >>= take
		} else {
			n = n<<take | uint64(bits.value>>bits.remaining)
			bits.value &= 1<<bits.remaining - 1
		}
		got += take
	}
	return n
}
