package scene

import (
	"context"
	"io"

	"assay/model"
)

// Forms returns the export formats of a scene, independent of its file format: glTF; OBJ, with as many files as it
// needs; and the original pictures of its materials, if there are any. newScene is called for each export, with its
// context, and once to list the formats.
func Forms(newScene func(context.Context) *Scene) []model.Form {
	s := newScene(context.Background()) // payloads are listed without a context
	obj := NewOBJ(s)
	glb := GLBForms(newScene)
	forms := []model.Form{glb[0],
		{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: obj.Extensions(), Shared: obj.Shared(),
			WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
				return withLoss(NewOBJ(newScene(ctx)).Write(ctx, w, file, names))
			}}}
	pictures := NewPictures(s)
	if textures := pictures.Extensions(); len(textures) > 0 {
		forms = append(forms, model.Form{Name: "textures", Extension: textures[0],
			MediaType: "application/octet-stream", Extensions: textures, Shared: pictures.Shared(),
			WriteFiles: func(ctx context.Context, w io.Writer, file int, _ []string) error {
				return NewPictures(newScene(ctx)).Write(ctx, w, file)
			}})
	}
	return append(forms, glb[1:]...)
}

// GLBForms returns the forms of Forms that write GLB.
func GLBForms(newScene func(context.Context) *Scene) []model.Form {
	return []model.Form{GLBForm("glb", newScene, GLBOptions{}), GLBForm("glb-unlit", newScene, GLBOptions{Unlit: true}),
		GLBForm("glb-lights", newScene, GLBOptions{FillLights: true}),
		GLBForm("glb-as-stored", newScene, GLBOptions{KeepUp: true})}
}

// WholeForms returns the forms of Forms that every scene has, without their functions. Forms of several files have
// Extensions.
func WholeForms() []model.Form {
	forms := Forms(func(context.Context) *Scene { return new(Scene) })
	for i := range forms {
		forms[i].Write, forms[i].WriteFiles = nil, nil
	}
	return forms
}

// GLBForm returns a form that writes a scene as GLB.
func GLBForm(name string, newScene func(context.Context) *Scene, options GLBOptions) model.Form {
	return model.Form{Name: name, Extension: ".glb", MediaType: "model/gltf-binary",
		Write: func(ctx context.Context, w io.Writer) error {
			return withLoss(newScene(ctx).WriteGLB(ctx, w, options))
		}}
}

// withLoss returns err or, if that is nil, the losses of the written file as a model.Loss.
func withLoss(lost []string, err error) error {
	if err == nil && len(lost) > 0 {
		return model.Loss(lost)
	}
	return err
}
