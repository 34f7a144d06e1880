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

// isPicture reports whether a path is that of a picture.
func isPicture(full string) bool { return pictures[strings.ToLower(path.Ext(full))] != "" }

// namesPicture reports whether a value may name a picture: by its path, or by an alias.
func namesPicture(value string) bool { return strings.HasPrefix(value, "@") || isPicture(value) }

// depicted returns a view that shows the picture that a property names, and anything else as view does.
func depicted(p *project.Project, view nodeView) nodeView {
	return func(ctx context.Context, n *model.Node) (model.View, error) {
		for at := n; at != nil; at = at.Parent {
			if at.Type != properties.PropertyType {
				continue
			}
			if v, err := pictureOf(ctx, p, at); v != nil || err != nil {
				return v, err
			}
			break
		}
		return view(ctx, n)
	}
}

// nodeView returns what there is to look at of a node.
type nodeView = func(context.Context, *model.Node) (model.View, error)

// pictureOf returns the picture that a property names; nil if it names none, or one that is not there or cannot be
// drawn: what has the texture says so.
func pictureOf(ctx context.Context, p *project.Project, property *model.Node) (model.View, error) {
	value := property.Named("value")
	if value == nil {
		return nil, nil
	}
	name, ok := value.Value.(string)
	if !ok || !namesPicture(name) {
		return nil, nil
	}
	t := p.Texture(name, path.Dir(p.Path()))
	if !isPicture(t.Path) {
		return nil, nil
	}
	img, err := t.Image(ctx)
	if img == nil || err != nil {
		return nil, ctx.Err()
	}
	return model.Picture{Image: img, Format: strings.ToUpper(strings.TrimPrefix(path.Ext(t.Path), "."))}, nil
}

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
			if !namesPicture(v.Value) || seen[v.Value] || len(seen) >= texturesMost {
				continue
			}
			seen[v.Value] = true
			t := p.Texture(v.Value, folder)
			if isPicture(t.Path) && !seen[t.Path+"\x00"] {
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
