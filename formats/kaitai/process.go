package kaitai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zlib"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// rawName is the name of the stored bytes of an object that a process transformed.
const rawName = "_raw"

// processedObject reads an object from the transformed bytes of an attribute. It records the stored bytes first; the
// object's fields have no bytes of their own in the file.
func (d *decoder) processedObject(f field, inner *object, e extent) {
	span := model.Span{Offset: d.c.Pos(), Size: e.content}
	d.c.Bytes(rawName, "bytes", e.size)
	b, ok := d.processedBytes(f, span)
	if !ok {
		return
	}
	src := model.NewSource(d.stream.src.Name(), bytes.NewReader(b), int64(len(b)))
	c := decode.New(context.Background(), src, inner.typ.Name, binary.LittleEndian, types)
	inner.stream = newStream(c, d.stream.doc)
	inner.stream.stored = cmp.Or(d.stream.stored, &span)
	if d.c.Recording() {
		d.recordTransformed(inner, c, span.End())
	} else {
		d.readTransformed(inner, span.End())
	}
}

// recordTransformed reads an object from transformed bytes, with the cursor on them. Its nodes, with their problems,
// are added and relocated after everything is read.
func (d *decoder) recordTransformed(inner *object, c *decode.Cursor, end int64) {
	n := d.c.Node()
	dec := d.withStream(inner.stream, c, end)
	dec.deferred = d.deferred
	dec.wholeStream(inner)
	d.deferred.add(d.c, func() []*model.Node { return relocatedChildren(n, c.Close(), *inner.stream.stored) })
}

// readTransformed is recordTransformed without recording; an error is reported of the stored bytes.
func (d *decoder) readTransformed(inner *object, end int64) {
	c := inner.stream.cursor.Quiet(inner.stream.span)
	d.withStream(inner.stream, c, end).wholeStream(inner)
	if c.Err() != nil {
		d.c.Remark(model.Error, *inner.stream.stored, "%v", c.Err())
	}
}

// processedBytes returns the transformed bytes of a span, and false if the process fails.
func (d *decoder) processedBytes(f field, span model.Span) ([]byte, bool) {
	args := make([]expression.Value, len(f.a.Process.Args))
	for i, arg := range f.a.Process.Args {
		var ok bool
		if args[i], ok = d.eval(f, "process", arg); !ok {
			return nil, false
		}
	}
	steps := int64(0)
	for _, arg := range args {
		steps += expression.StepsToCompare(arg, arg)
	}
	if !d.holdBytes(f, span.Size) || !d.spend(f, steps) {
		return nil, false
	}
	b, err := d.content(span)
	if err == nil {
		b, err = f.a.Process.run(b, args, func(n int) bool { return d.holdBytes(f, int64(n)) })
	}
	if err != nil && d.c.Err() == nil {
		d.c.Errorf("%s: %v", f.a.keyName("process"), err)
	}
	return b, err == nil
}

// unknownProcess is the error of a process that a program defines.
type unknownProcess string

func (p unknownProcess) Error() string {
	return fmt.Sprintf("unknown process %q; showing the raw bytes", string(p))
}

// run applies a process to bytes. It calls hold before it makes some bytes, and ends when that returns false.
func (p *process) run(b []byte, args []expression.Value, hold func(n int) bool) ([]byte, error) {
	if p.Name != "zlib" && !hold(len(b)) {
		return nil, errSpent
	}
	switch p.Name {
	case "zlib":
		return expand(b, hold)
	case "xor":
		return xor(b, args[0])
	case "rol", "ror":
		by, err := args[0].Int()
		if err != nil {
			return nil, err
		}
		if p.Name == "ror" {
			by = -by
		}
		out := make([]byte, len(b))
		for i, c := range b {
			out[i] = bits.RotateLeft8(c, int(by%8))
		}
		return out, nil
	}
	return nil, unknownProcess(p.Name)
}

// Limits for zlib: the total expanded size, and for large results the ratio to the stored size.
const (
	maxExpanded  = 64 << 20
	muchExpanded = 16 << 20
	maxRatio     = 100
)

// expand returns the content of a zlib stream.
func expand(b []byte, hold func(n int) bool) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	limit := min(maxExpanded, max(muchExpanded, maxRatio*int64(len(b))))
	out := heldParts{hold: hold}
	if n, err := io.Copy(&out, io.LimitReader(z, limit+1)); n > limit || err != nil {
		return nil, cmp.Or(err, fmt.Errorf("%d bytes of zlib expand to more than %d", len(b), limit))
	}
	return bytes.Join(out.parts, nil), nil
}

// heldParts are bytes that are held as they are written.
type heldParts struct {
	parts [][]byte
	hold  func(n int) bool
}

// Write implements io.Writer.
func (p *heldParts) Write(b []byte) (int, error) {
	if !p.hold(len(b)) {
		return 0, errSpent
	}
	p.parts = append(p.parts, bytes.Clone(b))
	return len(b), nil
}

// xor applies a repeated key, a number of one byte or bytes.
func xor(b []byte, key expression.Value) ([]byte, error) {
	if key.Kind == expression.Int {
		key = expression.ListValue(expression.Values{key})
	}
	k, err := key.ToBytes()
	if err != nil {
		return nil, fmt.Errorf("the key of xor: %w", err)
	}
	if len(k) == 0 {
		return nil, fmt.Errorf("the key of xor is empty")
	}
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ k[i%len(k)]
	}
	return out, nil
}
