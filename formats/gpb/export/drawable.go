package export

import (
	"context"
	"io"
	"sync"

	"assay/model"
	"assay/model/scene"
)

// drawable adds what can be drawn. As OBJ it is as many files as it needs; the pictures of its materials leave as they
// are.
func (p *payloads) drawable(node func() *model.Node, key string, make func() *scene.Scene) {
	files := sync.OnceValues(func() (obj, textures []string) {
		s := make()
		return scene.NewOBJ(s).Extensions(), scene.NewPictures(s).Extensions()
	})
	glb := func(name string, options scene.GLBOptions) model.Form {
		return model.Form{Name: name, Extension: ".glb", MediaType: "model/gltf-binary",
			Write: func(ctx context.Context, w io.Writer) error {
				return withLoss(make().WriteGLBWith(ctx, w, options))
			}}
	}
	p.add(func() *model.Payload {
		obj, textures := files()
		forms := []model.Form{glb("glb", scene.GLBOptions{}),
			{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: obj,
				WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
					return withLoss(scene.NewOBJ(make()).Write(ctx, w, file, names))
				}}}
		if len(textures) > 0 {
			forms = append(forms, model.Form{Name: "textures", Extension: textures[0], MediaType: mediaBytes,
				Extensions: textures,
				WriteFiles: func(ctx context.Context, w io.Writer, file int, _ []string) error {
					return scene.NewPictures(make()).Write(ctx, w, file)
				}})
		}
		forms = append(forms, glb("glb-lit", scene.GLBOptions{Lit: true}),
			glb("glb-lights", scene.GLBOptions{FillLights: true}), glb("glb-as-stored", scene.GLBOptions{KeepUp: true}))
		return p.objectPayload(node(), key, forms...)
	})
}

// withLoss returns err, or, if there is none, what the written file lacks as a model.Loss.
func withLoss(what []string, err error) error {
	if err == nil && len(what) > 0 {
		return model.Loss(what)
	}
	return err
}
