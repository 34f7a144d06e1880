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

// SniffExperiment reports whether head begins an experiment: Maybe for any text, because lines without "=" are kept,
// Yes for one with several keys of the document's sample.
func SniffExperiment(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !blank(b) && b != 0x1a || b == 0x7f {
			return decode.No
		}
	}
	x := &lines{text: string(bytes.TrimPrefix(head, byteOrderMark))}
	keys := make(map[string]bool)
	for at := 0; at < len(x.text); {
		l := x.line(at)
		if l.kind == entryLine {
			keys[x.text[l.key.from:l.key.to]] = true
		}
		at = l.next
	}
	known := 0
	for k := range keys {
		if knownKeys[k] {
			known++
		}
	}
	if known >= knownEnough || known > 1 && known == len(keys) && keys[worldKey] {
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
	b, err := src.Bytes(model.Span{Size: min(src.Size(), experimentMax)})
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
	if src.Size() > experimentMax {
		c.Remark(model.Error, model.Span{Offset: experimentMax},
			"an experiment of %d bytes is read up to its byte %d only", src.Size(), experimentMax)
	}
	if err := x.find(ctx); err != nil {
		return nil, err
	}
	entries := x.list("entries", "Entry", entryLine, x.recordEntry)
	x.optional("comments", "Comment", commentLine, x.recordComment)
	x.optional("unparsed", "Line", otherLine, x.recordOther)
	x.optional("blank_lines", "line_end", blankLine, x.recordBlank)
	root := c.Close()
	doc := model.NewDocument(src, format, "experiment 2", root)
	doc.FindKey = x.findKey(entries)
	doc.Payloads = x.payloads(root)
	doc.View, doc.Meaning = x.view(), fields.Meaning
	return doc, ctx.Err()
}

// optional records the lines of one kind if there are any.
func (x *experiment) optional(name, typ string, kind lineKind, each func(c *decode.Cursor, i int)) {
	if len(x.starts[kind]) > 0 {
		x.list(name, typ, kind, each)
	}
}
