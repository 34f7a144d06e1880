package gpb

import (
	"context"
	"io"
	"sync"

	"assay/model"
	"assay/model/scene"
)

// drawn adds what can be drawn. As OBJ it is as many files as it needs.
func (p *payloads) drawn(node func() *model.Node, key string, make func() *scene.Scene) {
	files := sync.OnceValue(func() []string { return scene.NewOBJ(make()).Extensions() })
	p.add(func() *model.Payload {
		return p.object(node(), key,
			model.Form{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary",
				Write: func(ctx context.Context, w io.Writer) error {
					return lost(make().WriteGLB(ctx, w))
				}},
			model.Form{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: files(),
				WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
					return lost(scene.NewOBJ(make()).Write(ctx, w, file, names))
				}})
	})
}

// lost tells of a file that is complete what it lacks.
func lost(what []string, err error) error {
	if err == nil && len(what) > 0 {
		return model.Loss(what)
	}
	return err
}
