package dprsim

import (
	"bytes"
	"context"
	"strings"

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
	end, next  int // before and after the line end
}

// experiment is a text with where its lines begin. Lines are laid out when they are looked at.
type experiment struct {
	src  *model.Source
	text string
	base int64 // offset of the text in the file: after a byte order mark

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
	c := decode.New(ctx, src, "Experiment", bigEndian, types)
	x := &experiment{src: src}
	if bytes.HasPrefix(b, byteOrderMark) {
		x.base = int64(len(byteOrderMark))
		c.Text("byte_order_mark", x.base)
		c.As("reserved")
	}
	x.text = string(b[x.base:])
	if src.Size() > experimentMax {
		c.Remark(model.Error, model.Span{Offset: experimentMax},
			"an experiment of %d bytes is read up to its byte %d only",
			src.Size(), experimentMax)
	}
	if err := x.find(ctx); err != nil {
		return nil, err
	}
	entries := x.lines(c, "entries", "Entry", x.entries, x.entry)
	for _, l := range []struct {
		name, typ string
		starts    []uint32
		each      func(c *decode.Cursor, i int)
	}{{"comments", "Comment", x.comments, x.comment}, {"unparsed", "Line", x.others, x.other},
		{"blank_lines", "line_end",
			x.blanks, x.blank}} {
		if len(l.starts) > 0 {
			x.lines(c, l.name, l.typ, l.starts, l.each)
		}
	}
	root := c.Close()
	doc := model.NewDocument(src, format, "experiment 2", root)
	doc.FindKey = x.findKey(entries)
	doc.Payloads = x.payloads(root)
	doc.View = x.views()
	return doc, ctx.Err()
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
