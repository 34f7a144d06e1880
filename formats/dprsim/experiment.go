package dprsim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// maxExperiment is the maximum number of bytes read of an experiment. Real ones have a thousand bytes.
const maxExperiment = 16 << 20

const objectKey, worldKey = "OBJECT", "WORLD"

// knownKeys are the keys of the document's sample.
var knownKeys = func() map[string]bool {
	m := make(map[string]bool)
	for _, k := range strings.Fields(`WORLD TIMESTEPS SAVE VISUALIZE MODULES RESOLUTIONX RESOLUTIONY CAMERA CAMERALOOK
		USE_PHYSICS BOUNCE GRAVITY PHYSICS_TIME_STEP SIM_TIME_STEP CATOM_RADIUS CATOM_MASS MAGNET_DEPTH MAGNET_MAX_FORCE
		MAGNET_MAX_RADIUS SHOW_FEATURES FRICTION GROUND_FRICTION LATTICE OBJECT`) {
		m[k] = true
	}
	return m
}()

// minKnownKeys is the number of keys of the sample that identify a text as an experiment, whatever its other keys are.
const minKnownKeys = 4

var byteOrderMark = []byte("\xEF\xBB\xBF")

// SniffExperiment reports whether head begins an experiment: No for a text with control characters, Yes for one with
// minKnownKeys keys of the document's sample, or with only such keys, at least two, and WORLD; else Maybe, because
// lines without "=" are kept.
func SniffExperiment(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !isBlank(b) && b != 0x1a || b == 0x7f {
			return decode.No
		}
	}
	x := &lines{text: string(bytes.TrimPrefix(head, byteOrderMark))}
	keys := make(map[string]bool)
	for offset := 0; offset < len(x.text); {
		l := x.line(offset)
		if l.kind == entryLine {
			keys[x.text[l.key.from:l.key.to]] = true
		}
		offset = l.next
	}
	count := 0
	for k := range keys {
		if knownKeys[k] {
			count++
		}
	}
	if count >= minKnownKeys || count > 1 && count == len(keys) && keys[worldKey] {
		return decode.Yes
	}
	return decode.Maybe
}

// experiment is an experiment as it was read.
type experiment struct {
	lines
	c *decode.Cursor // of the file
}

func openExperiment(ctx context.Context, src *model.Source) (*model.Document, error) {
	b, err := src.Bytes(model.Span{Size: min(src.Size(), maxExperiment)})
	if err != nil {
		return nil, err
	}
	c := decode.New(ctx, src, "Experiment", framing, types)
	x := &experiment{c: c}
	if bytes.HasPrefix(b, byteOrderMark) {
		x.base = int64(len(byteOrderMark))
		c.Text("byte_order_mark", x.base)
		c.As("reserved")
	}
	x.text = string(b[x.base:])
	if src.Size() > maxExperiment {
		c.Remark(model.Error, model.Span{Offset: maxExperiment},
			"the experiment has %d bytes; only the first %d are read", src.Size(), maxExperiment)
	}
	if err := x.index(ctx); err != nil {
		return nil, err
	}
	entries := x.list("entries", "Entry", entryLine, x.recordEntry)
	x.list("comments", "Comment", commentLine, x.recordText)
	x.list("unparsed", "Line", otherLine, func(c *decode.Cursor, l line, i int) {
		c.Remark(model.Warning, x.span(part{l.from, l.next}), "the line is neither KEY=value nor a comment")
		x.recordText(c, l, i)
	})
	x.list("blank_lines", "line_end", blankLine, func(c *decode.Cursor, _ line, _ int) {
		c.Text("line_end", c.Remaining()) // the line ends of consecutive blank lines
		c.CollapseStruct()
	})
	root := c.Close()
	doc := model.NewDocument(src, format, "experiment 2", root)
	doc.FindKey = x.findKey(entries)
	doc.Payloads = x.payloads(root)
	doc.View, doc.Meaning = x.view(), fields.Meaning
	return doc, ctx.Err()
}

// commonArguments are the arguments of every object after its type.
var commonArguments = strings.Fields("x y z yaw pitch roll r g b alpha mass")

// ownArguments are the arguments of a type of object after the common ones.
var ownArguments = map[string][]string{
	"SPHERE": {"radius"},
	"CYL":    {"radius", "length"},
	"CCYL":   {"radius", "length"},
	"BOX":    {"length", "width", "depth"},
	"PLANE":  {"a", "b", "c", "d"},
}

// maxArguments is the maximum number of decoded arguments of an object; no type has more than 15.
const maxArguments = 64

// object is the value of an OBJECT line. The arguments are a list because a PLANE has two that are called b.
type object struct {
	Type      string     `json:"type"`
	Arguments []argument `json:"arguments"`
}

// argument is one of the values after an object's type: a finite number, or the text that is not one.
type argument struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // float64 or string
}

// numbers returns the documented arguments of the object's type. It returns false if the type is unknown, or if an
// argument is missing or not a finite number.
func (o *object) numbers() ([]float64, bool) {
	arguments, known := ownArguments[o.Type]
	names := slices.Concat(commonArguments, arguments)
	if !known || len(o.Arguments) < len(names) {
		return nil, false
	}
	numbers := make([]float64, len(names))
	for i, name := range names {
		f, ok := o.Arguments[i].Value.(float64)
		if !ok || o.Arguments[i].Name != name {
			return nil, false
		}
		numbers[i] = f
	}
	return numbers, true
}

// objectAt returns the object of the i-th entry.
func (x *experiment) objectAt(i int) *object {
	value := x.lineAt(entryLine, i).value
	return x.object(x.c.Quiet(x.span(value)), value)
}

// object reads the type, then its arguments, with commas between them.
func (x *experiment) object(c *decode.Cursor, p part) *object {
	o := &object{Arguments: []argument{}}
	text := x.text[p.from:p.to]
	if n := c.Node(); n != nil { // the value is the text, too
		if n.Value = decode.ValidUTF8(text); n.Value != text {
			n.SetRaw([]byte(text))
		}
	}
	if text == "" {
		x.warn(c, p, "the object type is missing")
		return o
	}
	typ, from := x.next(p, p.from)
	x.textBefore(c, "separator", typ.from)
	if typ.from < typ.to {
		o.Type = decode.ValidUTF8(c.Text("type", int64(typ.to-typ.from)))
	}
	names := slices.Concat(commonArguments, ownArguments[o.Type])
	o.Arguments = x.arguments(c, names, part{from, p.to})
	x.textBefore(c, "separator", p.to)
	if _, known := ownArguments[o.Type]; !known {
		x.warn(c, typ, "unknown object type %q; expected SPHERE, CYL, CCYL, BOX or PLANE",
			model.OneLine(o.Type, 60))
	} else if n := strings.Count(text, ","); n != len(names) {
		x.warn(c, p, "%s has %d arguments, not %d", o.Type, n, len(names))
	}
	return o
}

// arguments reads a list of arguments. Those without a name are numbered.
func (x *experiment) arguments(c *decode.Cursor, names []string, list part) []argument {
	arguments := make([]argument, 0, len(names))
	for i, from := 0, list.from; from <= list.to; i++ {
		if i == maxArguments {
			x.textBefore(c, "separator", from)
			c.Text("surplus", int64(list.to-from))
			c.As("surplus")
			break
		}
		var value part
		value, from = x.next(list, from)
		x.textBefore(c, "separator", value.from)
		name := ""
		if i < len(names) {
			name = names[i]
		} else {
			name = fmt.Sprintf("argument_%d", i)
		}
		if a, ok := x.argument(c, name, value); ok {
			arguments = append(arguments, a)
		}
	}
	return arguments
}

// next returns the value that begins at a position of a list with commas, without blanks, and where the next one
// begins.
func (x *experiment) next(list part, from int) (value part, next int) {
	to := list.to
	if n := strings.IndexByte(x.text[from:list.to], ','); n >= 0 {
		to = from + n
	}
	return x.trim(part{from, to}), to + 1
}

func (x *experiment) warn(c *decode.Cursor, p part, format string, args ...any) {
	c.Remark(model.Warning, x.span(p), "OBJECT: "+format, args...)
}

// argument reads one number; false if there is no text for it.
func (x *experiment) argument(c *decode.Cursor, name string, p part) (argument, bool) {
	if p.from == p.to {
		x.warn(c, p, "argument %s is empty", name)
		return argument{}, false
	}
	text := c.Text(name, int64(p.to-p.from))
	c.As("number")
	f, err := strconv.ParseFloat(text, 64)
	finite := !math.IsInf(f, 0) && !math.IsNaN(f)
	switch {
	case err != nil && finite:
		c.Warnf("OBJECT: argument %s is not a number", name)
		return argument{name, decode.ValidUTF8(text)}, true
	case !finite:
		c.Warnf("OBJECT: argument %s is not finite", name)
	}
	if n := c.Last(); n != nil {
		n.Value = f
	}
	if !finite {
		return argument{name, model.FormatValue(f)}, true
	}
	return argument{name, f}, true
}

// payloads returns the experiment as JSON; nothing if it is empty.
func (x *experiment) payloads(root *model.Node) model.Payloads {
	if x.c.Source().Size() == 0 {
		return nil
	}
	return model.PayloadList{{
		Name: x.c.Source().Stem() + ".json", Type: "Experiment", MediaType: "application/json", Node: root, Size: -1,
		Stored: root.Span, Open: model.OpenPipe(x.json),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: x.json}},
	}}
}

type entryJSON struct {
	Key    string  `json:"key"`
	Value  string  `json:"value"`
	Object *object `json:"object,omitempty"`
}

// json writes entries, comments and lines that are neither, each in the order of the file.
func (x *experiment) json(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	text := func(kind lineKind) func(i int) any {
		return func(i int) any {
			l := x.lineAt(kind, i)
			return decode.ValidUTF8(x.text[l.from:l.end])
		}
	}
	err := errors.Join(
		writeLines(ctx, w, "{\n\"entries\": [", len(x.starts[entryLine]), x.marshalEntry),
		writeLines(ctx, w, "],\n\"comments\": [", len(x.starts[commentLine]), text(commentLine)),
		writeLines(ctx, w, "],\n\"unparsed\": [", len(x.starts[otherLine]), text(otherLine)))
	if err != nil {
		return err
	}
	w.WriteString("]\n}\n")
	return w.Flush()
}

// marshalEntry returns the i-th entry for JSON.
func (x *experiment) marshalEntry(i int) any {
	key, value := x.entry(i)
	e := entryJSON{Key: decode.ValidUTF8(key), Value: decode.ValidUTF8(value)}
	if key == objectKey {
		e.Object = x.objectAt(i)
	}
	return e
}

// writeLines writes n lines as the elements of a list that begins with a text.
func writeLines(ctx context.Context, w *bufio.Writer, before string, n int, line func(i int) any) error {
	w.WriteString(before)
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b, err := json.Marshal(line(i))
		if err != nil {
			return err
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}
