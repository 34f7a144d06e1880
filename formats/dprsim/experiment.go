package dprsim

import (
	"bytes"
	"context"
	"fmt"
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

// SniffExperiment reports whether head begins an experiment: No with control characters other than blanks and line ends
// (and 0x1A, which ends texts of DOS), Yes with minKnownKeys keys of the document's sample, or with only such keys, at
// least two, and WORLD; else Maybe, because lines without "=" are kept.
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
	c := decode.New(ctx, src, "Experiment", framingOrder, types)
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

// list records the lines of one kind, which are decoded on demand. Lines of other kinds may be between them. Without
// any, only entries have a list.
func (x *experiment) list(name, typ string, kind lineKind, each func(c *decode.Cursor, l line, i int)) *model.Node {
	c, starts := x.c, x.starts[kind]
	if len(starts) == 0 {
		if kind == entryLine {
			c.GoTo(x.base)
			return c.Struct(name, typ+"[]", func() {})
		}
		return nil
	}
	span := func(i int) model.Span { return x.span(part{int(starts[i]), x.endOf(int(starts[i]))}) }
	c.GoTo(span(0).Offset)
	return c.Struct(name, typ+"[]", func() {
		c.Elements(typ, len(starts), nil,
			decode.LocatedReading(span, func(e *decode.Cursor, i int) { each(e, x.lineAt(kind, i), i) }))
		c.GoTo(span(len(starts) - 1).End())
	})
}

// textBefore reads the text before position to, if there is any.
func (x *experiment) textBefore(c *decode.Cursor, typ string, to int) {
	if n := x.base + int64(to) - c.Pos(); n > 0 {
		c.Text(typ, n)
		c.As(typ)
		c.Role(model.RoleSpacing)
	}
}

// recordEntry reads KEY=value.
func (x *experiment) recordEntry(c *decode.Cursor, l line, i int) {
	key, value := x.entry(i)
	title := model.OneLine(decode.ValidUTF8(key), 60)
	if c.Node() != nil {
		c.Key(x.key(i, key))
	}
	switch {
	case key == "":
		c.Remark(model.Warning, x.span(part{l.from, l.next}), "a line has no key before its \"=\"")
	case !knownKeys[key]:
		c.Remark(model.Note, x.span(part{l.from, l.next}), "unknown key %s", title)
	}
	if x.repeats[i] > 1 && key != objectKey {
		c.Remark(model.Note, x.span(part{l.from, l.next}), "occurrence %d of %s; the last one wins", x.repeats[i],
			title)
	}
	x.textBefore(c, "separator", l.key.from)
	c.Text("key", int64(len(key)))
	x.textBefore(c, "separator", l.value.from)
	switch {
	case key == objectKey:
		c.Struct("value", "Object", func() { x.object(c, l.value) })
	case key == worldKey && value != "":
		c.Text("value", int64(len(value)))
		if leaf := c.Last(); leaf != nil {
			leaf.Link = worldLink(decode.ValidUTF8(value))
		}
	default:
		c.Text("value", int64(len(value)))
	}
	x.textBefore(c, "separator", l.end)
	x.textBefore(c, "line_end", l.next)
}

// key returns the key of the i-th entry, with a number from its second occurrence on.
func (x *experiment) key(i int, key string) string {
	key = decode.ValidUTF8(key)
	if x.repeats[i] > 1 {
		return fmt.Sprintf("%s#%d", key, x.repeats[i])
	}
	return key
}

// recordText reads a line that is a single text, which is also the value of the line.
func (x *experiment) recordText(c *decode.Cursor, l line, _ int) {
	c.Text("text", int64(l.end-l.from))
	c.CopyValueUp()
	x.textBefore(c, "line_end", l.next)
}

// findKey finds an entry by its node's key.
func (x *experiment) findKey(entries *model.Node) func(key string) (model.Path, bool) {
	return func(key string) (model.Path, bool) {
		for i := range x.starts[entryLine] {
			if k, _ := x.entry(i); x.key(i, k) == key {
				return append(entries.Path(), i), true
			}
		}
		return nil, false
	}
}

type lineKind uint8

const (
	entryLine lineKind = iota
	commentLine
	otherLine
	blankLine // the first of consecutive lines without text
	lineKinds
)

// part is a piece of the text.
type part struct{ from, to int }

// line is one line of the text, laid out: for an entry blanks, key, blanks and "=", value, blanks, line end.
type line struct {
	kind       lineKind
	from       int
	key, value part
	end, next  int // before and after the line end
}

// lines is a text of lines, which are decoded on demand.
type lines struct {
	text    string
	base    int64               // offset of the text in the file: after a byte order mark
	starts  [lineKinds][]uint32 // where the lines of each kind begin
	repeats []uint32            // for each entry its number among the entries with its key, from 1
}

// line lays out the line that begins at from.
func (x *lines) line(from int) line {
	l := line{kind: blankLine, from: from}
	rest := x.text[from:]
	n := strings.IndexAny(rest, "\r\n")
	switch {
	case n < 0:
		l.end, l.next = len(x.text), len(x.text)
	case strings.HasPrefix(rest[n:], "\r\n"):
		l.end, l.next = from+n, from+n+2
	default:
		l.end, l.next = from+n, from+n+1
	}
	s, content := x.text[from:l.end], x.trim(part{from, l.end})
	equals := strings.IndexByte(s, '=')
	switch {
	case strings.HasPrefix(s, "#"):
		l.kind = commentLine
	case equals >= 0:
		l.kind = entryLine
		l.key = x.trim(part{from, from + equals})
		l.value = x.trim(part{from + equals + 1, l.end})
	case content.from < content.to:
		l.kind = otherLine
	}
	return l
}

// trim removes blanks from both ends of a part. An empty part is at its end.
func (x *lines) trim(p part) part {
	for p.from < p.to && isBlank(x.text[p.from]) {
		p.from++
	}
	for p.from < p.to && isBlank(x.text[p.to-1]) {
		p.to--
	}
	return p
}

// index finds where the lines begin.
func (x *lines) index(ctx context.Context) error {
	occurrences := make(map[string]uint32)
	last := otherLine
	for offset, n := 0, 0; offset < len(x.text); n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l := x.line(offset)
		if l.kind != blankLine || last != blankLine {
			x.starts[l.kind] = append(x.starts[l.kind], uint32(offset))
		}
		if l.kind == entryLine {
			key := x.text[l.key.from:l.key.to]
			occurrences[key]++
			x.repeats = append(x.repeats, occurrences[key])
		}
		last, offset = l.kind, l.next
	}
	return nil
}

// lineAt lays out the i-th line of a kind.
func (x *lines) lineAt(kind lineKind, i int) line { return x.line(int(x.starts[kind][i])) }

// entry returns the key and the value of the i-th entry.
func (x *lines) entry(i int) (key, value string) {
	l := x.lineAt(entryLine, i)
	return x.text[l.key.from:l.key.to], x.text[l.value.from:l.value.to]
}

// endOf returns the end of the line that begins at from, or of the last of consecutive blank lines.
func (x *lines) endOf(from int) int {
	l := x.line(from)
	for l.kind == blankLine && l.next < len(x.text) {
		n := x.line(l.next)
		if n.kind != blankLine {
			break
		}
		l = n
	}
	return l.next
}

func (x *lines) span(p part) model.Span {
	return model.Span{Offset: x.base + int64(p.from), Size: int64(p.to - p.from)}
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
		name := fmt.Sprintf("argument_%d", i)
		if i < len(names) {
			name = names[i]
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
