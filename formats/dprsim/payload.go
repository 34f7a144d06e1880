package dprsim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// tables returns the table of each body's catoms.
func (r *chunkReader) tables() (tables []model.TableSource) {
	for i, b := range r.bodies {
		name := "Catoms"
		if len(r.bodies) > 1 {
			name = fmt.Sprintf("Catoms of body %d", i+1)
		}
		tables = append(tables, model.TableSource{Name: name, Open: func(ctx context.Context) (*model.Table, error) {
			return b.table(ctx), ctx.Err()
		}})
	}
	return tables
}

// payloads are of each body the world as a table and as points, and each module's table.
type payloads struct {
	r      *chunkReader
	bodies []namedBody
}

// namedBody is a body with catoms, and the name of its files without extension.
type namedBody struct {
	*body
	name string
}

func (r *chunkReader) payloads(src *model.Source) model.Payloads {
	p := &payloads{r: r}
	for i, b := range r.bodies {
		if b.count() == 0 {
			continue
		}
		name := src.Stem()
		if len(r.bodies) > 1 {
			name += fmt.Sprintf(".body%d", i+1)
		}
		p.bodies = append(p.bodies, namedBody{b, name})
	}
	if len(p.bodies) == 0 {
		return nil
	}
	return p
}

func (p *payloads) Len() int { return len(p.bodies) * (1 + len(p.r.modules)) }

// At returns a body's world, or after it the table of a module.
func (p *payloads) At(i int) *model.Payload {
	perBody := 1 + len(p.r.modules)
	b, k := p.bodies[i/perBody], i%perBody-1 // the first k is allModules
	form := model.Form{Name: "csv", Extension: ".csv", MediaType: "text/csv", Write: b.csv(k)}
	out := &model.Payload{MediaType: form.MediaType, Size: -1, Stored: b.list.Span, Open: model.OpenPipe(form.Write),
		Forms: []model.Form{form}}
	if k >= 0 {
		key := p.r.modules[k].key
		out.Key, out.Name, out.Type, out.Node = key, b.name+"."+key+form.Extension, "Module", p.r.listingOf(k)
		return out
	}
	out.Name, out.Type, out.Node = b.name+form.Extension, "World", b.list
	if b.geometry != nil {
		out.Forms = append(out.Forms, model.Form{Name: "ply", Extension: ".ply", MediaType: "model/ply", Write: b.ply},
			scene.GLBForm("glb", func(context.Context) *scene.Scene { return world(b.body) }, scene.GLBOptions{}))
	}
	return out
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
