package dprsim

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// payloads are of each body the world as a table and as points, and each module's table.
type payloads struct {
	modules []*Module
	bodies  []namedBody
}

// namedBody is a body that has catoms, and what its files are called, without extension.
type namedBody struct {
	*body
	name string
}

func (r *reader) payloads(src *model.Source) model.Payloads {
	p := &payloads{modules: r.modules}
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

// Len is the number of tables.
func (p *payloads) Len() int { return len(p.bodies) * (1 + len(p.modules)) }

// At returns a body's world, or after it the table of a module.
func (p *payloads) At(i int) *model.Payload {
	b, k := p.bodies[i/(1+len(p.modules))], i%(1+len(p.modules))-1
	form := model.Form{Name: "csv", Extension: ".csv", MediaType: "text/csv", Write: b.csv(k)}
	out := &model.Payload{MediaType: form.MediaType, Size: -1, Stored: b.list.Span, Open: model.Streamed(form.Write),
		Forms: []model.Form{form}}
	if k >= 0 {
		m := p.modules[k]
		out.Key, out.Name, out.Type, out.Node = m.node.Key, b.name+"."+m.node.Key+form.Extension, "Module", m.node
		return out
	}
	out.Name, out.Type, out.Node = b.name+form.Extension, "World", b.list
	if b.geometry() != nil {
		out.Forms = append(out.Forms, model.Form{Name: "ply", Extension: ".ply", MediaType: "model/ply", Write: b.ply},
			model.Form{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary", Write: b.glb})
	}
	return out
}

// glb writes the catoms as cubes.
func (b *body) glb(ctx context.Context, out io.Writer) error {
	s := &scene.Scene{Roots: []*scene.Node{{Transform: upright, Points: b.cubes()}}}
	lost, err := s.WriteGLB(ctx, out)
	if err == nil && len(lost) > 0 {
		return model.Loss(lost)
	}
	return err
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// csv writes the catoms as comma-separated values: a line of titles, then a catom a line. What a catom lacks is
// empty; a string that is not UTF-8 is written as 0x and its bytes.
func (b *body) csv(only int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		cols, from := b.columns(only)
		titles := &model.Table{Columns: cols}
		buffer := bufio.NewWriterSize(out, 64<<10)
		w := csv.NewWriter(buffer)
		record := make([]string, len(cols))
		for i := range cols {
			record[i] = titles.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		c := b.cells(from)
		err := b.each(ctx, 0, b.count(), func(e *decode.Cursor, _ int) error {
			c.catom(e)
			for i := range record {
				v, raw := c.value(e, i)
				record[i] = cellText(v)
				if raw != nil {
					record[i] = "0x" + hex.EncodeToString(raw)
				}
			}
			return w.Write(record)
		})
		if err != nil {
			return err
		}
		if w.Flush(); w.Error() != nil {
			return w.Error()
		}
		return buffer.Flush()
	}
}

// cellText is a value in full, as the table of another program takes it.
func cellText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(model.Blob); ok {
		return ""
	}
	return model.FormatValue(v)
}
