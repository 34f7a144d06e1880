package scene

import (
	"context"
	"io"

	"assay/model"
)

// Forms are the ways to write a scene: GLB, OBJ with its MTL, and PLY. drawn makes the scene when it is asked for.
// What a form cannot keep is a model.Loss.
func Forms(drawn func() *Scene) []model.Form {
	return []model.Form{
		{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary", Write: func(ctx context.Context, w io.Writer) error {
			return told(drawn().WriteGLB(ctx, w))
		}},
		{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: []string{".obj", ".mtl"},
			WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
				if file == 1 {
					return drawn().WriteMTL(ctx, w)
				}
				return told(drawn().WriteOBJ(ctx, w, names[1]))
			}},
		{Name: "ply", Extension: ".ply", MediaType: "model/ply", Write: func(ctx context.Context, w io.Writer) error {
			return told(drawn().WritePLY(ctx, w, false))
		}},
	}
}

// told makes an error of what was lost.
func told(lost []string, err error) error {
	if err == nil && len(lost) > 0 {
		return model.Loss(lost)
	}
	return err
}
