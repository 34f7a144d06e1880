package gpb

import (
	"context"
	"image"
	"image/draw"
	"image/png"
	"io"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// texturesMost is how many pictures of a text are listed.
const texturesMost = 4096

// pictures are the extensions of the pictures that textures are read from, with what each is.
var pictures = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".bmp": "image/bmp",
	".dds": "image/vnd.ms-dds", ".pvr": mediaBytes}

// named is a picture that a property names.
type named struct {
	texture *scene.Texture
	at      int64 // offset of the value
}

// texturesOf lists the pictures that a text names and that are there, each once, in the order of the text.
func texturesOf(p *project.Project, file *properties.Namespace) (all []named) {
	seen, folder := make(map[string]bool), path.Dir(p.Path())
	for todo := []*properties.Namespace{file}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, s := range slices.Backward(n.Spaces) {
			todo = append(todo, s)
		}
		for _, v := range n.Properties {
			isPicture := strings.HasPrefix(v.Value, "@") || pictures[strings.ToLower(path.Ext(v.Value))] != ""
			if !isPicture || seen[v.Value] || len(seen) >= texturesMost {
				continue
			}
			seen[v.Value] = true
			t := p.Texture(v.Value, folder)
			if t.Path != "" && pictures[strings.ToLower(path.Ext(t.Path))] != "" && !seen[t.Path+"\x00"] {
				seen[t.Path+"\x00"] = true
				all = append(all, named{t, v.Offset})
			}
		}
	}
	return all
}

// texture is a picture that a property of a text names: as PNG, or as the file that it is.
func texture(d *model.Document, n named) *model.Payload {
	t := n.texture
	base, extension := path.Base(t.Path), path.Ext(t.Path)
	media := pictures[strings.ToLower(extension)]
	a := &model.Payload{Key: t.Path, Name: strings.TrimSuffix(base, extension) + ".png", Type: "texture", Size: -1,
		MediaType: media, Open: t.Open}
	if value := d.Owner(n.at); value != nil {
		a.Node = value.Parent
	}
	a.Forms = []model.Form{
		{Name: "png", Extension: ".png", MediaType: "image/png", Write: func(ctx context.Context, w io.Writer) error {
			return writePNG(ctx, w, t, media)
		}},
		{Name: "raw", Extension: extension, MediaType: media}}
	return a
}

// writePNG writes a picture as PNG; one that is PNG already as it is.
func writePNG(ctx context.Context, w io.Writer, t *scene.Texture, media string) error {
	if media != "image/png" {
		img, err := t.Image(ctx)
		if err != nil {
			return err
		}
		out := image.NewNRGBA(img.Bounds())
		draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
		return png.Encode(w, out)
	}
	r, err := t.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(w, r)
	return err
}
