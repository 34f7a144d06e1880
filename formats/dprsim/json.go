package dprsim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	"assay/formats/decode"
	"assay/model"
)

// payloads returns the experiment as JSON; nothing if it is empty.
func (x *experiment) payloads(root *model.Node) model.Payloads {
	if x.c.Source().Size() == 0 {
		return nil
	}
	return model.PayloadList{{
		Name: x.c.Source().Stem() + ".json", Type: "Experiment", MediaType: "application/json", Node: root, Size: -1,
		Stored: root.Span, Open: model.Streamed(x.json),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: x.json}},
	}}
}

// entryJSON is one KEY=value line.
type entryJSON struct {
	Key    string  `json:"key"`
	Value  string  `json:"value"`
	Object *Object `json:"object,omitempty"`
}

// json writes entries, comments and lines that are neither, each in the order of the file.
func (x *experiment) json(ctx context.Context, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	text := func(kind lineKind) func(i int) any {
		return func(i int) any {
			l := x.at(kind, i)
			return decode.ValidUTF8(x.text[l.from:l.end])
		}
	}
	err := errors.Join(
		writeLines(ctx, w, "{\n\"entries\": [", len(x.starts[entryLine]), x.entryJSON),
		writeLines(ctx, w, "],\n\"comments\": [", len(x.starts[commentLine]), text(commentLine)),
		writeLines(ctx, w, "],\n\"unparsed\": [", len(x.starts[otherLine]), text(otherLine)))
	if err != nil {
		return err
	}
	w.WriteString("]\n}\n")
	return w.Flush()
}

// entryJSON returns the i-th entry as it is written.
func (x *experiment) entryJSON(i int) any {
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
