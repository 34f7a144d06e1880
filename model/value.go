package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// A Node's Value is one of: nil (no value), bool, int64, uint64, float32, float64, string, Array, Blob or None.

// None is the value of an optional part that is not there.
type None struct{}

// Float returns a Value that is a number as a float64; false for any other.
func Float(v any) (float64, bool) {
	switch v := v.(type) {
	case uint64:
		return float64(v), true
	case int64:
		return float64(v), true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Blob is a block of bytes that stay in the file.
type Blob struct {
	Source *Source
	Span   Span
}

// SHA256 reads the block and returns its digest in hex.
func (b Blob) SHA256() (string, error) {
	const block = 256 << 10
	if b.Span.Size <= block { // a file can have a million small blocks
		content, err := b.Source.Bytes(b.Span)
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:]), err
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, b.Source.Reader(b.Span), make([]byte, block)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// unshown returns a digest of a value of which one line shows a part; empty for what is shown whole.
func unshown(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if utf8.RuneCountInString(v) > textShown {
			return fmt.Sprintf("%x", sha256.Sum256([]byte(v))), nil
		}
	case Blob:
		return v.SHA256()
	case Numbers:
		if v.Count > arrayShown {
			return Blob{v.Source, Span{v.Offset, v.Count * v.Form.Size()}}.SHA256()
		}
	case Array:
		if v.Len() > arrayShown {
			return digestOf(v)
		}
	}
	return "", nil
}

// digestOf is the SHA-256 of the scalars of an array as they are shown, a line each.
func digestOf(a Array) (string, error) {
	h := sha256.New()
	for at := int64(0); at < a.Len(); at += arrayChunk {
		part, err := a.Slice(at, arrayChunk)
		if err != nil {
			return "", err
		}
		for _, v := range part {
			fmt.Fprintln(h, FormatValue(v))
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Array is a row of scalars, read when they are asked for.
type Array interface {
	// Len is the number of scalars.
	Len() int64
	// Slice returns up to n of them from the first on, as Node values.
	Slice(first, n int64) ([]any, error)
}

// Scalars is an Array that is in memory.
type Scalars []any

// Len is the number of scalars.
func (s Scalars) Len() int64 { return int64(len(s)) }

// Slice returns up to n scalars from the first on.
func (s Scalars) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), int64(len(s)))
	return s[first : first+min(max(n, 0), int64(len(s))-first)], nil
}

// Number is the binary form of a number: width, sign and kind.
type Number uint8

// The binary forms of numbers. Bool is one byte, 0 false.
const (
	U8 Number = iota
	U16
	U24
	U32
	U64
	S8
	S16
	S32
	S64
	F32
	F64
	Bool
)

var widths = [...]uint8{U8: 1, U16: 2, U24: 3, U32: 4, U64: 8, S8: 1, S16: 2, S32: 4, S64: 8, F32: 4, F64: 8, Bool: 1}

// Size is the form's width in bytes.
func (k Number) Size() int64 { return int64(widths[k]) }

// Decode reads one number from the first bytes of b, which must hold it, as a Node value.
func (k Number) Decode(b []byte, order binary.ByteOrder) any {
	switch k.Size() {
	case 1:
		return k.Value(uint64(b[0]))
	case 2:
		return k.Value(uint64(order.Uint16(b)))
	case 3:
		if order == binary.ByteOrder(binary.BigEndian) {
			return k.Value(uint64(b[0])<<16 | uint64(order.Uint16(b[1:])))
		}
		return k.Value(uint64(order.Uint16(b)) | uint64(b[2])<<16)
	case 4:
		return k.Value(uint64(order.Uint32(b)))
	}
	return k.Value(order.Uint64(b))
}

// Value is the number that has those bits, the form's width of them, as a Node value.
func (k Number) Value(bits uint64) any {
	switch k {
	case S8:
		return int64(int8(bits))
	case S16:
		return int64(int16(bits))
	case S32:
		return int64(int32(bits))
	case S64:
		return int64(bits)
	case F32:
		return math.Float32frombits(uint32(bits))
	case F64:
		return math.Float64frombits(bits)
	case Bool:
		return bits != 0
	}
	return bits
}

// Numbers is an Array of numbers that stay in the file, one after the other from Offset.
type Numbers struct {
	Source *Source
	Offset int64
	Count  int64
	Form   Number
	Order  binary.ByteOrder
}

// Len is the number of numbers.
func (n Numbers) Len() int64 { return n.Count }

// Slice reads up to count numbers from the first on.
func (n Numbers) Slice(first, count int64) ([]any, error) {
	first = min(max(first, 0), n.Count)
	count = min(max(count, 0), n.Count-first)
	w := n.Form.Size()
	b, err := n.Source.Bytes(Span{n.Offset + first*w, count * w})
	if err != nil {
		return nil, fmt.Errorf("array of %d numbers: %w", n.Count, err)
	}
	out := make([]any, count)
	for i := range out {
		out[i] = n.Form.Decode(b[int64(i)*w:], n.Order)
	}
	return out, nil
}
