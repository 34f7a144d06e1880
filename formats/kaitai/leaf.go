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
func (d *decoder) leaf(f field, ref *typeReference) expression.Value {
	switch ref.Kind {
	case bitsKind:
		return d.bitField(f, ref)
	case numberKind:
		return d.number(f, ref)
	}
	return d.bytes(f, ref)
}

// linkedValue reads a value, which may be a link.
func (d *decoder) linkedValue(f field, ref *typeReference) expression.Value {
	v := d.leaf(f, ref)
	if n := d.c.Last(); n != nil && f.a.plan.link != nil {
		f.a.plan.link.setLink(d.stream.doc, n)
	}
	return v
}

func (d *decoder) number(f field, ref *typeReference) expression.Value {
	d.align()
	order, ok := d.order(f, ref)
	if !ok {
		return expression.Value{}
	}
	d.c.SetOrder(order)
	raw := d.c.Number(f.a.ID, ref.form)
	if n := d.c.Last(); n != nil {
		n.Type = ref.orderedName(order)
		f.a.nameValue(n)
	}
	if !d.isNeeded(f) || d.c.Err() != nil {
		return expression.Value{}
	}
	return scalarValue(ref.form.Value(raw), f.a.plan.enum)
}

func (d *decoder) order(f field, ref *typeReference) (binary.ByteOrder, bool) {
	switch {
	case ref.Order != nil:
		return ref.Order, true
	case ref.Width == 1:
		return binary.LittleEndian, true
	case f.o.order != nil:
		return f.o.order, true
	}
	d.c.Fail("%s: unknown byte order of %s", f.a.ID, f.o.typ.path())
	return nil, false
}

// orderedName returns the name of a number's type with its byte order: u4le.
func (ref *typeReference) orderedName(order binary.ByteOrder) string {
	if ref.Width == 1 || ref.Order != nil {
		return ref.Name
	}
	return ref.Name + suffixOf(order)
}

// nameValue gives a node the names of the enumeration of the attribute, if there is one.
func (a *attribute) nameValue(n *model.Node) {
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
func scalarValue(v any, enum *enum) expression.Value {
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
func (d *decoder) bytes(f field, ref *typeReference) expression.Value {
	e, ok := d.extent(f, ref)
	if !ok {
		return expression.Value{}
	}
	isText := ref.isText()
	if isText && f.a.Process == nil && e.content == e.size && isUTF8(f.a.plan.encoding) {
		return d.utf8(f, ref, e.size)
	}
	content := model.Blob{Source: d.stream.src, Span: model.Span{Offset: d.c.Pos(), Size: e.content}}
	if !d.spendRecording(f, e.size/bytesPerStep) {
		return expression.Value{}
	}
	d.c.Bytes(f.a.ID, "bytes", e.size)
	if d.c.Err() != nil || d.c.Last() == nil && !d.isNeeded(f) && f.a.Contents == nil {
		return expression.Value{}
	}
	if f.a.Process != nil {
		if b, ok := d.processedBytes(f, content.Span); ok {
			content = blobOf(b)
		}
	}
	if (isText || d.isNeeded(f) || f.a.Contents != nil) && !d.holdBytes(f, content.Span.Size) {
		return expression.Value{}
	}
	if isText {
		return d.text(f.a, ref, content)
	}
	if n := d.c.Last(); n != nil && (f.a.Process != nil || e.content != e.size) {
		n.Value = content
	}
	return d.bytesValue(f, content)
}

// utf8 reads a text in the encoding of the cursor's texts.
func (d *decoder) utf8(f field, ref *typeReference, size int64) expression.Value {
	if !d.c.Recording() && !d.isNeeded(f) {
		d.c.Bytes(f.a.ID, ref.Name, size)
		return expression.Value{}
	}
	if !d.holdBytes(f, size) {
		return expression.Value{}
	}
	text := d.c.Text(f.a.ID, size)
	d.c.As(ref.Name)
	return expression.TextValue(text)
}

// isUTF8 reports whether the cursor can read texts in an encoding.
func isUTF8(encoding expression.Encoding) bool {
	return encoding.Name == "utf-8" || encoding.Name == "ascii"
}

// bytesValue returns the bytes that were just read as a value, if it is of use, and checks them against the contents
// that must be there.
func (d *decoder) bytesValue(f field, content model.Blob) expression.Value {
	a := f.a
	if !d.isNeeded(f) && a.Contents == nil {
		return expression.Value{}
	}
	b, err := readBlob(content)
	if err != nil {
		d.fail(a, "", err)
		return expression.Value{}
	}
	if n := d.c.Last(); n != nil && a.Contents != nil && isPrintable(b) {
		n.Symbols = model.Symbol(string(b))
	}
	if a.Contents != nil && !bytes.Equal(b, a.Contents) && d.spend(f, stepsOfProblem) {
		d.c.Errorf("%s is %s, not %s", a.ID, brief(expression.BytesValue(b)), brief(expression.BytesValue(a.Contents)))
		d.c.Stop(fmt.Errorf("%s: unexpected contents", a.ID))
	}
	return expression.BytesValue(b)
}

// isPrintable reports whether bytes are a text of ASCII, as a magic often is.
func isPrintable(b []byte) bool {
	return len(b) > 0 && !slices.ContainsFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
}

// text makes a text of the bytes that were just read.
func (d *decoder) text(a *attribute, ref *typeReference, content model.Blob) expression.Value {
	b, err := readBlob(content)
	text := ""
	if err == nil {
		text, err = a.plan.encoding.Decode(b)
	}
	if err != nil {
		d.c.Errorf("%s: %v", a.ID, err)
		return expression.Value{}
	}
	if n := d.c.Last(); n != nil {
		n.Type, n.Value = ref.Name, text
		if strings.ContainsRune(text, utf8.RuneError) {
			n.SetRaw(b)
		}
	}
	return expression.TextValue(text)
}

// maxBytes is the maximum number of bytes for an expression or a process.
const maxBytes = 64 << 20

// readBlob returns the bytes of a block, if they are not too many to hold.
func readBlob(b model.Blob) ([]byte, error) {
	if b.Span.Size > maxBytes {
		return nil, fmt.Errorf("%d bytes are too many for an expression or a process; at most %d are allowed", b.Span.Size, maxBytes)
	}
	return b.Source.Bytes(b.Span)
}

// content returns the bytes of a span of the stream's source.
func (d *decoder) content(span model.Span) ([]byte, error) {
	return readBlob(model.Blob{Source: d.stream.src, Span: span})
}

// blobOf returns bytes that an expression or a process made as the value of a node.
func blobOf(b []byte) model.Blob {
	size := int64(len(b))
	return model.Blob{Source: model.NewSource("", bytes.NewReader(b), size), Span: model.Span{Size: size}}
}

// extent is the number of bytes that an attribute takes, and the size of its content from the first byte on. The
// content is longer if it includes a terminator that is not consumed.
type extent struct{ size, content int64 }

// extent finds where an attribute ends that has a size, a terminator, or both.
func (d *decoder) extent(f field, ref *typeReference) (e extent, ok bool) {
	d.align()
	terminator := f.a.Terminator
	if terminator == nil && ref.Kind == strzKind {
		terminator = make([]byte, f.a.plan.encoding.Unit())
	}
	switch {
	case f.a.Contents != nil:
		e.size = int64(len(f.a.Contents))
	case f.a.Size != nil && f.a.plan.elementBits != dynamicSize:
		e.size = f.a.plan.elementBits / 8
	case f.a.Size != nil:
		if e.size, ok = d.evalSize(f, "size", f.a.Size); !ok {
			return e, false
		}
		if e.size < 0 {
			d.fail(f.a, "size", fmt.Errorf("it is %d", e.size))
			return e, false
		}
	case f.a.SizeEOS:
		e.size = d.c.Remaining()
	default:
		return d.findTerminator(f, terminator)
	}
	if e.size > d.c.Remaining() {
		d.c.Fail("%s needs %s, but only %d remain", f.a.ID, model.PlainCount(e.size, "byte"), d.c.Remaining())
		return e, false
	}
	e.content = e.size
	if f.a.PadRight == nil && terminator == nil || ref == &bytesReference {
		return e, true
	}
	if !d.spend(f, e.size*int64(max(1, len(terminator)))/bytesPerStep) {
		return e, false
	}
	b, err := d.content(model.Span{Offset: d.c.Pos(), Size: e.size})
	if err != nil {
		d.fail(f.a, "", err)
		return e, false
	}
	e.content = int64(len(f.a.trim(b, terminator)))
	return e, true
}

// trim returns the content of an attribute that takes the bytes b: without padding, and up to the terminator.
func (a *attribute) trim(b, terminator []byte) []byte {
	if a.PadRight != nil && !bytes.Equal(a.PadRight, terminator) {
		for len(b) > 0 && b[len(b)-1] == a.PadRight[0] {
			b = b[:len(b)-1]
		}
	}
	if terminator != nil {
		if i := indexUnit(b, terminator); i >= 0 {
			b = b[:i+len(terminator)]
			if !a.Include {
				b = b[:i]
			}
		}
	}
	return b
}

// indexUnit returns the index of a terminator at a multiple of its size, or -1.
func indexUnit(b, terminator []byte) int {
	if len(terminator) == 1 {
		return bytes.IndexByte(b, terminator[0])
	}
	for i := 0; i+len(terminator) <= len(b); i += len(terminator) {
		if bytes.Equal(b[i:i+len(terminator)], terminator) {
			return i
		}
	}
	return -1
}

// find returns the number of bytes before a terminator, which must be at a multiple of its size.
func (d *decoder) find(terminator []byte) (n int64, found bool) {
	near := min(256, d.c.Remaining())
	if i := indexUnit(d.c.Peek(near), terminator); i >= 0 {
		return int64(i), true
	}
	start, unit := d.c.Pos(), int64(len(terminator))
	for found = d.c.Find(terminator); found && (d.c.Pos()-start)%unit != 0; found = d.c.Find(terminator) {
		d.c.GoTo(d.c.Pos() + 1)
	}
	n = d.c.Pos() - start
	d.c.GoTo(start)
	return n, found
}

// findTerminator finds where bytes end that a terminator ends.
func (d *decoder) findTerminator(f field, terminator []byte) (e extent, ok bool) {
	a, unit := f.a, int64(len(terminator))
	n, found := d.find(terminator)
	if d.c.Err() != nil || !d.spend(f, n*unit/bytesPerStep) {
		return e, false
	}
	if !found && !a.Consume {
		// An element of a list is read again within its own bytes; its terminator follows them.
		next := model.Span{Offset: d.c.End(), Size: unit}
		b, err := d.stream.src.Bytes(next)
		found = err == nil && next.End() <= d.stream.span.End() && bytes.Equal(b, terminator)
	}
	if !found {
		n = d.c.Remaining()
		if a.EOSError {
			d.c.Fail("%s has no terminator % x in the remaining %d bytes", a.ID, terminator, n)
			return e, false
		}
		return extent{n, n}, true
	}
	e = extent{size: n, content: n}
	if a.Include {
		e.content += unit
	}
	if a.Consume {
		e.size += unit
	}
	return e, true
}
