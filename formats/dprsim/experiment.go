package dprsim

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/model"
)

// experimentMax is how much of an experiment is read. Real ones have a thousand bytes.
const experimentMax = 16 << 20

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

// knownEnough is how many keys of the sample a text must have to be an experiment whatever it is called.
const knownEnough = 4

var byteOrderMark = []byte("\xEF\xBB\xBF")

// SniffExperiment judges the first bytes of an experiment. A text of KEY=value lines may be one; with several keys of
// the document's sample it is.
func SniffExperiment(head []byte, size int64) decode.Sure {
	if size == 0 {
		return decode.Maybe
	}
	for _, b := range head {
		if b < ' ' && !blank(b) && b != 0x1a || b == 0x7f {
			return decode.No
		}
	}
	x := &experiment{text: string(bytes.TrimPrefix(head, byteOrderMark))}
	found := make(map[string]bool)
	lines := false
	for at := 0; at < len(x.text); {
		l := x.line(at)
		if l.kind == entryLine {
			found[x.text[l.key.from:l.key.to]] = true
		}
		lines = lines || l.kind == entryLine || l.kind == commentLine
		at = l.next
	}
	known := 0
	for k := range found {
		if knownKeys[k] {
			known++
		}
	}
	switch {
	case known >= knownEnough || known > 1 && known == len(found) && found[worldKey]:
		return decode.Yes
	case lines:
		return decode.Maybe
	}
	return decode.No
}

// lineKind is what a line is.
type lineKind uint8

const (
	blankLine lineKind = iota
	commentLine
	entryLine
	otherLine
)

// part is a piece of the text.
type part struct{ from, to int }

// line is one line of the text, laid out: for an entry blanks, key, blanks and "=", value, blanks, line end.
type line struct {
	kind       lineKind
	from       int
	key, value part
	end, next  int // before and behind the line end
}

// experiment is a text with where its lines begin. Lines are laid out when they are looked at.
type experiment struct {
	src  *model.Source
	text string
	base int64 // offset of the text in the file: behind a byte order mark

	entries, comments, others, blanks []uint32
	repeats                           []uint32 // of each entry, which of its key's it is, from 1
}

// line lays out the line that begins at from.
func (x *experiment) line(from int) line {
	l := line{from: from}
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
	s := x.text[from:l.end]
	equals := strings.IndexByte(s, '=')
	switch {
	case strings.HasPrefix(s, "#"):
		l.kind = commentLine
	case equals >= 0:
		l.kind = entryLine
		l.key = x.trim(part{from, from + equals})
		l.value = x.trim(part{from + equals + 1, l.end})
	case strings.Trim(s, blanks) != "":
		l.kind = otherLine
	}
	return l
}

const blanks = " \t\v\f"

// trim takes blanks from both ends of a part. What is empty stands at its end.
func (x *experiment) trim(p part) part {
	s := x.text[p.from:p.to]
	from := p.to - len(strings.TrimLeft(s, blanks))
	to := p.from + len(strings.TrimRight(s, blanks))
	return part{from, max(from, to)}
}

func openExperiment(ctx context.Context, src *model.Source) (*model.Document, error) {
	b, err := src.Bytes(model.Span{Size: min(src.Size(), experimentMax)})
	if err != nil {
		return nil, err
	}
	root := &model.Node{Type: "Experiment", Span: model.Span{Size: src.Size()}}
	x := &experiment{src: src}
	var children model.List
	if bytes.HasPrefix(b, byteOrderMark) {
		x.base = int64(len(byteOrderMark))
		b = b[x.base:]
		children = append(children, &model.Node{Name: "byte_order_mark", Type: "reserved", Span: model.Span{Size: x.base}, Value: "\uFEFF"})
	}
	x.text = string(b)
	if src.Size() > experimentMax {
		root.Warn(model.Error, model.Span{Offset: experimentMax}, "an experiment of %d bytes is read up to its byte %d only", src.Size(), experimentMax)
	}
	if err := x.find(ctx); err != nil {
		return nil, err
	}
	children = append(children, x.list("entries", "Entry", x.entries, x.entry))
	for _, l := range []struct {
		name, typ string
		starts    []uint32
		element   func(i int) *model.Node
	}{{"comments", "Comment", x.comments, x.comment}, {"unparsed", "Line", x.others, x.other}, {"blank_lines", "line_end", x.blanks, x.blank}} {
		if len(l.starts) > 0 {
			children = append(children, x.list(l.name, l.typ, l.starts, l.element))
		}
	}
	root.SetChildren(children)
	doc := model.NewDocument(src, format, "experiment 2", root)
	doc.FindKey = x.findKey(children)
	doc.Payloads = x.payloads(root)
	return doc, nil
}

// find notes where the lines begin. Blank lines that follow one another are one.
func (x *experiment) find(ctx context.Context) error {
	seen := make(map[string]uint32)
	last := otherLine
	for at, n := 0, 0; at < len(x.text); n++ {
		if n%(1<<16) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		l := x.line(at)
		switch l.kind {
		case commentLine:
			x.comments = append(x.comments, uint32(at))
		case entryLine:
			key := x.text[l.key.from:l.key.to]
			seen[key]++
			x.entries = append(x.entries, uint32(at))
			x.repeats = append(x.repeats, seen[key])
		case otherLine:
			x.others = append(x.others, uint32(at))
		default:
			if last != blankLine || at == 0 {
				x.blanks = append(x.blanks, uint32(at))
			}
		}
		last, at = l.kind, l.next
	}
	return nil
}

// list makes the node of the lines of one kind. Lines of other kinds lie between them.
func (x *experiment) list(name, typ string, starts []uint32, element func(i int) *model.Node) *model.Node {
	list := &model.Node{Name: name, Type: typ + "[]", Span: model.Span{Offset: x.base}}
	if len(starts) == 0 {
		return list
	}
	list.Offset = x.base + int64(starts[0])
	list.Size = element(len(starts)-1).End() - list.Offset
	list.SetChildren(&model.Elements{
		Count: len(starts),
		Make: func(i int) *model.Node {
			n := element(i)
			n.Parent = list
			return n
		},
		Lookup: func(off int64) (int, int) {
			if off < list.Offset || off >= list.End() {
				return 0, 0
			}
			i, found := slices.BinarySearch(starts, uint32(off-x.base))
			if !found {
				i--
			}
			return i, i + 1
		},
	})
	return list
}

func (x *experiment) node(name, typ string, p part) *model.Node {
	return &model.Node{Name: name, Type: typ, Span: model.Span{Offset: x.base + int64(p.from), Size: int64(p.to - p.from)}}
}

// string makes a node with the text of a part as its value.
func (x *experiment) string(name, typ string, p part) *model.Node {
	n := x.node(name, typ, p)
	s := x.text[p.from:p.to]
	if utf8.ValidString(s) {
		n.Value = s
	} else {
		n.Value, n.Raw = strings.ToValidUTF8(s, "\uFFFD"), []byte(s)
	}
	return n
}

// between appends a node for the bytes of a part, if there are any.
func (x *experiment) between(l model.List, typ string, from, to int) model.List {
	if from == to {
		return l
	}
	return append(l, x.string(typ, typ, part{from, to}))
}

// entry makes the node of the i-th KEY=value line.
func (x *experiment) entry(i int) *model.Node {
	l := x.line(int(x.entries[i]))
	n := x.node("", "Entry", part{l.from, l.next})
	key := x.text[l.key.from:l.key.to]
	n.Key = strings.ToValidUTF8(key, "\uFFFD")
	if x.repeats[i] > 1 {
		n.Key = fmt.Sprintf("%s#%d", n.Key, x.repeats[i])
	}
	value := x.string("value", "string", l.value)
	switch key {
	case objectKey:
		x.object(value, l.value)
	case worldKey:
		if s, ok := value.Value.(string); ok && s != "" {
			value.Link = worldLink(s)
		}
	}
	kids := x.between(nil, "separator", l.from, l.key.from)
	kids = append(kids, x.string("key", "string", l.key))
	kids = x.between(kids, "separator", l.key.to, l.value.from)
	kids = append(kids, value)
	kids = x.between(kids, "separator", l.value.to, l.end)
	n.SetChildren(x.between(kids, "line_end", l.end, l.next))
	switch {
	case key == "":
		n.Warn(model.Warning, n.Span, "a line has no key before its \"=\"")
	case !knownKeys[key]:
		n.Warn(model.Note, n.Span, "%s is no key of the published sample", model.OneLine(n.Key, 60))
	}
	if x.repeats[i] > 1 && key != objectKey {
		n.Warn(model.Note, n.Span, "%s is given for the %d. time; the last one counts", model.OneLine(strings.ToValidUTF8(key, "\uFFFD"), 60), x.repeats[i])
	}
	return n
}

// comment makes the node of the i-th comment.
func (x *experiment) comment(i int) *model.Node {
	return x.whole("Comment", x.line(int(x.comments[i])))
}

// other makes the node of the i-th line that is neither comment nor KEY=value.
func (x *experiment) other(i int) *model.Node {
	n := x.whole("Line", x.line(int(x.others[i])))
	n.Warn(model.Warning, n.Span, "the line is neither KEY=value nor a comment")
	return n
}

// whole makes the node of a line whose text has no parts.
func (x *experiment) whole(typ string, l line) *model.Node {
	n := x.string("", typ, part{l.from, l.end})
	n.Size = int64(l.next - l.from)
	n.SetChildren(x.between(model.List{x.string("text", "string", part{l.from, l.end})}, "line_end", l.end, l.next))
	return n
}

// blank makes the node of the i-th run of blank lines.
func (x *experiment) blank(i int) *model.Node {
	from := int(x.blanks[i])
	to := from
	for to < len(x.text) {
		l := x.line(to)
		if l.kind != blankLine {
			break
		}
		to = l.next
	}
	return x.string("", "line_end", part{from, to})
}

// findKey finds an entry by its node's key.
func (x *experiment) findKey(children model.List) func(key string) (model.Path, bool) {
	list := slices.IndexFunc(children, func(n *model.Node) bool { return n.Name == "entries" })
	return func(key string) (model.Path, bool) {
		for i := range x.entries {
			if x.entry(i).Key == key {
				return model.Path{list, i}, true
			}
		}
		return nil, false
	}
}
