package dprsim

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// payloads are the experiment as JSON.
func (x *experiment) payloads(root *model.Node) model.Payloads {
	if x.src.Size() == 0 {
		return nil
	}
	return model.PayloadList{{
		Name: x.src.Stem() + ".json", Type: "Experiment", MediaType: "application/json", Node: root, Size: -1,
		Stored: root.Span, Open: model.Streamed(x.json),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: x.json}},
	}}
}

// entryJSON is one KEY=value line.
type entryJSON struct {
	Key    string      `json:"key"`
	Value  string      `json:"value"`
	Object *objectJSON `json:"object,omitempty"`
}

// objectJSON is an OBJECT with its arguments, in a list because a PLANE has two that are called b.
type objectJSON struct {
	Type      string         `json:"type"`
	Arguments []argumentJSON `json:"arguments"`
}

// argumentJSON is a number, or text where it is none.
type argumentJSON struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// json writes entries, comments and lines that are neither, each in the order of the file.
func (x *experiment) json(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	if err := writeLines(ctx, w, "{\n\"entries\": [", len(x.entries),
		func(i int) any { return x.entryJSON(i) }); err != nil {
		return err
	}
	text := func(starts []uint32) func(i int) any {
		return func(i int) any {
			l := x.line(int(starts[i]))
			return x.text[l.from:l.end]
		}
	}
	if err := writeLines(ctx, w, "],\n\"comments\": [", len(x.comments), text(x.comments)); err != nil {
		return err
	}
	if err := writeLines(ctx, w, "],\n\"unparsed\": [", len(x.others), text(x.others)); err != nil {
		return err
	}
	w.WriteString("]\n}\n")
	return w.Flush()
}

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

func (x *experiment) entryJSON(i int) entryJSON {
	l := x.line(int(x.entries[i]))
	e := entryJSON{Key: x.text[l.key.from:l.key.to], Value: x.text[l.value.from:l.value.to]}
	if e.Key != objectKey {
		return e
	}
	o := x.object(decode.New(context.Background(), x.src, "Object", bigEndian, types).Quiet(x.span(l.value)), l.value)
	e.Object = &objectJSON{Type: o.Type, Arguments: []argumentJSON{}}
	for _, a := range o.Arguments {
		if f, ok := a.Value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) { // JSON has neither
			a.Value = model.FormatValue(f)
		}
		e.Object.Arguments = append(e.Object.Arguments, argumentJSON(a))
	}
	return e
}
