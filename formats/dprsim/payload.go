package dprsim

import (
	"context"
	"fmt"

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
