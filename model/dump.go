package model

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// scalarsPerRead is the number of scalars of a long array that are in memory at a time.
const scalarsPerRead = 4096

// Dump writes the whole decoded content of d as one JSON object: format, variant, why (how the variant was chosen),
// size, coverage {accounted, gaps [{offset, size}], overlaps}, problems [{severity: error, warning or note, offset,
// size, path, message}], root. Accounted is the number of bytes that leaves own.
//
// A node is name, type, key?, offset, size, bits?, value?, symbol?, raw?, problems?, children?.
//
//   - A path is names from the root's children down, elements by index, with ~1 for / and ~0 for ~ in a name:
//     /objects/0/nodes/3/transform. The root is /.
//   - An array of structs has a first child count. An array of scalars is one leaf whose value is an array; its bytes
//     include its count. A string leaf includes its length or its NUL. A block of bytes has the value {bytes, sha256}.
//   - A bit field that does not take whole bytes has bits {first, count, order?}: first counts from 0 in the byte at
//     the offset, from the most significant bit on, or from the least with the order le. It owns the bytes it begins.
//   - A missing value has no node, only a problem; an absent optional part has the value "none".
//   - An enum's value is its number, its name is the symbol. NaN and the infinities are the strings NaN, Inf and -Inf.
//     64-bit integers are exact. Strings are UTF-8; other bytes become U+FFFD, and raw has them in hex.
//   - Gaps are the last child of the root, a list called gap; all else is in the order of the specification.
//
// Dump streams and keeps no nodes: memory does not grow with the file. If it ends early, because reading stopped or the
// text has maxDump bytes, the root has the reason in "stopped".
func (d *Document) Dump(ctx context.Context, out io.Writer, r *Report) error {
	d.ShowGaps(r)
	d.restartBudget()
	defer d.ReadUntil(ctx)()
	w := &jsonWriter{ctx: ctx, out: out, remaining: maxDump(d.Source.Size()), stopped: d.Stopped}
	w.member(`{"format":`, d.Format)
	w.member(`,"variant":`, d.Variant)
	if d.Why != "" {
		w.member(`,"why":`, d.Why)
	}
	w.raw(`,"size":`)
	w.int(d.Source.Size())
	w.raw(",\n" + `"coverage":{"accounted":`)
	w.int(r.Accounted)
	w.raw(`,"gaps":`)
	w.spans(r.Gaps)
	w.raw(`,"overlaps":`)
	w.spans(r.Overlaps)
	w.raw("},\n" + `"problems":[`)
	for i, p := range r.Problems {
		w.comma(i)
		w.problem(p, true)
	}
	if r.Omitted > 0 {
		w.comma(len(r.Problems))
		w.problem(Problem{Severity: Note, Path: "/", Message: strconv.Itoa(r.Omitted) +
			" more problems are not listed"}, true)
	}
	w.raw("],\n" + `"root":`)
	if err := w.tree(d.Root()); err != nil {
		return err
	}
	if w.remaining < 0 || d.Stopped() != nil && r.stopped == nil {
		r.Add(Problem{Severity: Error, Path: "/", Message: "the dump ends early"}) // for the exit status
	}
	w.raw("}\n")
	return w.flush()
}

// DumpNode writes a node and everything below it as JSON, as Dump writes the root.
func DumpNode(ctx context.Context, out io.Writer, n *Node) error {
	w := &jsonWriter{ctx: ctx, out: out, remaining: maxDump(n.Size), stopped: func() *Problem { return nil }}
	if err := w.tree(n); err != nil {
		return err
	}
	w.raw("\n")
	return w.flush()
}

// maxDump returns the maximum length of the dump for a file of that many bytes: records of one byte take some 150
// each. Computed values, such as in a description, are not bounded by the size of the file.
func maxDump(size int64) int64 { return 64<<20 + 512*min(size, 1<<40) }

// errDumpEnds ends the walk of a dump that is too long, or after reading stopped.
var errDumpEnds = errors.New("the dump ends early")

// dumpBuffer is the number of bytes of JSON that are collected before they are written.
const dumpBuffer = 64 << 10

// jsonWriter appends JSON to a buffer, which is written when it is full.
type jsonWriter struct {
	ctx       context.Context
	out       io.Writer
	buf       []byte
	err       error
	nodes     int
	remaining int64 // bytes that may still be written

	stopped func() *Problem // why reading stopped; nil if it did not
}

// flush writes the buffer.
func (w *jsonWriter) flush() error {
	if w.err == nil {
		_, w.err = w.out.Write(w.buf)
	}
	w.remaining -= int64(len(w.buf))
	w.buf = w.buf[:0]
	return w.err
}

// flushIfFull writes the buffer if it is full.
func (w *jsonWriter) flushIfFull() {
	if len(w.buf) >= dumpBuffer {
		_ = w.flush() // the error stays in w
	}
}

// tree writes the nodes in the order of Scan. A node's first child opens its list.
func (w *jsonWriter) tree(root *Node) error {
	var childrenAt []int // for each open node, the number of children written
	err := Scan(root, func(n *Node) (bool, error) {
		if w.remaining < 0 || w.stopped() != nil {
			return false, errDumpEnds
		}
		if w.nodes++; w.nodes%1024 == 0 {
			if err := w.ctx.Err(); err != nil {
				return false, err
			}
		}
		if k := len(childrenAt); k > 0 {
			if childrenAt[k-1] == 0 {
				w.raw(",\"children\":[\n")
			} else {
				w.raw(",\n")
			}
			childrenAt[k-1]++
		}
		w.node(n)
		childrenAt = append(childrenAt, 0)
		return true, w.err
	}, func(*Node) error {
		k := len(childrenAt) - 1
		if childrenAt[k] > 0 {
			w.raw("]")
		}
		childrenAt = childrenAt[:k]
		if k > 0 {
			w.raw("}")
		}
		return w.err
	}, nil)
	if err == nil {
		err = w.ctx.Err()
	}
	if err != nil && err != errDumpEnds {
		return err
	}
	w.close(childrenAt)
	return w.err
}

// close closes the open nodes, and writes into the outermost one why the dump ended early, if it did.
func (w *jsonWriter) close(childrenAt []int) {
	for k := len(childrenAt) - 1; k >= 0; k-- {
		if childrenAt[k] > 0 {
			w.raw("]")
		}
		if k > 0 {
			w.raw("}")
		}
	}
	if p := w.stopped(); p != nil {
		w.member(`,"stopped":`, p.Path+": "+p.Message)
	} else if w.remaining < 0 {
		w.member(`,"stopped":`, "the dump is too long for a file of this size; the rest is not written")
	}
	w.raw("}")
}

// node writes everything of n but its children and the closing brace.
func (w *jsonWriter) node(n *Node) {
	w.flushIfFull()
	w.member(`{"name":`, n.Name)
	w.member(`,"type":`, n.Type)
	if n.Key != "" {
		w.member(`,"key":`, n.Key)
	}
	w.raw(`,"offset":`)
	w.int(n.Offset)
	w.raw(`,"size":`)
	w.int(n.Size)
	if first, count, ok := n.BitRange(); ok {
		w.raw(`,"bits":{"first":`)
		w.int(first)
		w.raw(`,"count":`)
		w.int(count)
		if n.Bits.FromLow {
			w.raw(`,"order":"le"`)
		}
		w.raw("}")
	}
	if n.Value != nil {
		w.raw(`,"value":`)
		w.value(n.Value)
	}
	if s := n.Symbol(); s != "" {
		w.member(`,"symbol":`, s)
	}
	if n.Raw() != nil {
		w.member(`,"raw":`, hex.EncodeToString(n.Raw()))
	}
	if len(n.Problems()) > 0 {
		w.raw(`,"problems":[`)
		for i, p := range n.Problems() {
			w.comma(i)
			w.problem(p, false)
		}
		w.raw("]")
	}
}

func (w *jsonWriter) value(v any) {
	switch v := v.(type) {
	case nil:
		w.raw("null")
	case None:
		w.raw(`"none"`)
	case bool:
		w.buf = strconv.AppendBool(w.buf, v)
	case int64:
		w.int(v)
	case uint64:
		w.buf = strconv.AppendUint(w.buf, v, 10)
	case float32:
		w.float(float64(v), 32)
	case float64:
		w.float(v, 64)
	case string:
		w.text(v)
	case Blob:
		w.raw(`{"bytes":`)
		w.int(v.Span.Size)
		if sum, err := v.SHA256(); err == nil {
			w.member(`,"sha256":`, sum)
		} else {
			w.raw(`,"sha256":null`)
		}
		w.raw("}")
	case Array:
		w.array(v)
	default:
		w.raw("null")
	}
}

func (w *jsonWriter) array(a Array) {
	w.raw("[")
	first := true
	for index := int64(0); index < a.Len() && w.err == nil && w.remaining >= 0; index += scalarsPerRead {
		part, err := a.Slice(index, scalarsPerRead)
		if err == nil {
			err = w.ctx.Err()
		}
		if err != nil {
			w.err = err
			return
		}
		for _, v := range part {
			if w.remaining < 0 {
				break
			}
			if !first {
				w.raw(",")
			}
			first = false
			w.value(v)
			w.flushIfFull()
		}
	}
	w.raw("]")
}

func (w *jsonWriter) float(f float64, bits int) {
	switch {
	case math.Abs(f) <= 3.4e38:
		w.buf = strconv.AppendFloat(w.buf, f, 'g', -1, bits)
	case math.Abs(f) <= math.MaxFloat64: // the shortest text of the largest float32 is, read as a double, beyond it
		w.buf = strconv.AppendFloat(w.buf, f, 'g', -1, 64)
	default:
		w.text(formatFloat(f, bits))
	}
}

// problem writes a problem, with the path of its node if it is not written in that node.
func (w *jsonWriter) problem(p Problem, hasPath bool) {
	w.member(`{"severity":`, p.Severity.String())
	w.span(`,"offset":`, p.Span)
	if hasPath {
		w.member(`,"path":`, p.Path)
	}
	w.member(`,"message":`, p.Message)
	w.raw("}")
}

func (w *jsonWriter) spans(s []Span) {
	w.raw("[")
	for i, v := range s {
		w.comma(i)
		w.span(`{"offset":`, v)
		w.raw("}")
	}
	w.raw("]")
}

// span writes an offset, after the given prefix, and a size.
func (w *jsonWriter) span(before string, s Span) {
	w.raw(before)
	w.int(s.Offset)
	w.raw(`,"size":`)
	w.int(s.Size)
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.raw(",")
	}
}

func (w *jsonWriter) int(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }

// member writes a text after the given prefix.
func (w *jsonWriter) member(before, s string) {
	w.raw(before)
	w.text(s)
}

// text writes s as a JSON string. Names of fields and types, most of the strings, need no escapes.
func (w *jsonWriter) text(s string) {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		w.buf = append(append(append(w.buf, '"'), s...), '"')
		return
	}
	b, err := json.Marshal(s)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.buf = append(w.buf, b...)
}

func (w *jsonWriter) raw(s string) { w.buf = append(w.buf, s...) }
