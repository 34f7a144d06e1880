package gpb

import (
	"context"
	"io"

	"assay/model"
	"assay/model/scene"
)

// scenes makes the payloads of scenes and meshes.
type scenes struct {
	*payloads
	file *File
}

func (p *payloads) scenes(f *File) *scenes { return &scenes{p, f} }

func (s *scenes) scene(o *Scene) *model.Payload {
	return s.object(o.place, o.ID, forms(func() *scene.Scene { return s.file.Scene(o) })...)
}

func (s *scenes) mesh(o *Mesh) *model.Payload {
	return s.object(o.place, o.ID, forms(func() *scene.Scene { return s.file.MeshScene(o) })...)
}

// forms are the ways to write what is drawn.
func forms(drawn func() *scene.Scene) []model.Form {
	return []model.Form{{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary", Write: func(ctx context.Context, w io.Writer) error {
		_, err := drawn().WriteGLB(ctx, w)
		return err
	}}}
}
