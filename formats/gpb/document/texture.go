package document

import (
	"bufio"
	"context"
	"image"
	"image/draw"
	"image/png"
	"io"
	"path"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// namesMost is how many names of pictures in a text are looked for.
const namesMost = 4096

// Textures lists the pictures that a text, which is the project's file, names and that are there, for which it looks at
// once; nil if there are none. If it names too many, the document says so.
func Textures(d *model.Document, p *project.Project, file *properties.Namespace) model.Payloads {
	list := &payloads{src: d.Source}
	all, more := texturesOf(p, file)
	for _, t := range all {
		list.add(func() *model.Payload { return describeTexture(d, t) })
	}
	if more {
		d.Root().Warn(model.Note, model.Span{}, "the text names many pictures, of which only the first %d are looked for",
			namesMost)
	}
	return list.unlessEmpty()
}

// namedTexture is a picture that a property names.
type namedTexture struct {
	*scene.Texture
	offset int64 // of the value
}

// texturesOf lists the pictures that a text names and that are there, each once, in the order of the text. more says
// that the text has names that were not looked for.
func texturesOf(p *project.Project, file *properties.Namespace) (all []namedTexture, more bool) {
	folder := path.Dir(p.Path())
	names, files := make(map[string]bool), make(map[string]bool)
	for n := range file.All() {
		for _, v := range n.Properties {
			if !project.NamesPicture(v.Value) || names[v.Value] {
				continue
			}
			if len(names) == namesMost {
				return all, true
			}
			names[v.Value] = true
			t := p.Texture(v.Value, folder)
			if project.PictureType(t.Path) != "" && !files[t.Path] {
				files[t.Path] = true
				all = append(all, namedTexture{t, v.Offset})
			}
		}
	}
	return all, false
}

// describeTexture returns the payload of a picture: as PNG, or as the file that it is.
func describeTexture(d *model.Document, t namedTexture) *model.Payload {
	base, extension := path.Base(t.Path), path.Ext(t.Path)
	media := project.PictureType(t.Path)
	a := &model.Payload{Key: t.Path, Name: strings.TrimSuffix(base, extension) + ".png", Type: "texture", Size: -1,
		MediaType: media, Open: t.Open}
	if value := d.Owner(t.offset); value != nil {
		a.Node = value.Parent
	}
	a.Forms = []model.Form{
		{Name: "png", Extension: ".png", MediaType: "image/png", Write: func(ctx context.Context, w io.Writer) error {
			return writePNG(ctx, w, t.Texture)
		}},
		{Name: "raw", Extension: extension, MediaType: media}}
	return a
}

// writePNG writes a picture as PNG. One that is PNG already, whatever its name, is copied.
func writePNG(ctx context.Context, w io.Writer, t *scene.Texture) error {
	r, err := t.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	file := bufio.NewReader(r)
	if head, _ := file.Peek(len(pngSignature)); string(head) == pngSignature { // a shorter file has another
		_, err = io.Copy(w, file)
		return err
	}
	img, err := t.Image(ctx)
	if err != nil {
		return err
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return png.Encode(w, out)
}

const pngSignature = "\x89PNG\r\n\x1a\n"
