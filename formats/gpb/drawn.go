package gpb

import (
	"context"
	"io"

	"assay/model"
	"assay/model/scene"
)

// drawn is a payload of what can be drawn.
func (p *payloads) drawn(n *model.Node, key string, make func() *scene.Scene) *model.Payload {
	return p.object(n, key,
		model.Form{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary", Write: func(ctx context.Context, w io.Writer) error {
			return lost(make().WriteGLB(ctx, w))
		}},
		model.Form{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: []string{".obj", ".mtl"},
			WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
				if file == 1 {
					return make().WriteMTL(ctx, w)
				}
				return lost(make().WriteOBJ(ctx, w, names[1]))
			}})
}

// lost tells of a file that is complete what it lacks.
func lost(what []string, err error) error {
	if err == nil && len(what) > 0 {
		return model.Loss(what)
	}
	return err
}
