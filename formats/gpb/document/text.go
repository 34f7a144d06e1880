package document

import (
	"context"
	"fmt"
	"image"
	"iter"
	"path"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/font"
	"assay/model/picture"
	"assay/model/scene"
)

// OpenText opens one of the texts around bundles. The view and the asset of a .scene is the scene that it describes.
// Materials are displayed on meshes that have them, else on spheres, and the pictures that they name are assets.
func OpenText(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.ForSource(src)
	d, file, err := properties.Open(ctx, src, p.Link)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return d, nil
	}
	d.Project = p.Root()
	if compose.IsScene(file) {
		openScene(d, p, file)
	} else {
		openParts(d, p, file)
	}
	return d, nil
}

// openScene adds the scene that a .scene describes.
func openScene(d *model.Document, p *project.Project, file *properties.Namespace) {
	name := d.Source.Name()
	build := func(ctx context.Context) *scene.Scene { return compose.Scene(ctx, p, file, name) }
	d.View = withPictures(p, file, sceneView(build))
	d.Payloads = Scene(d, strings.TrimSuffix(name, path.Ext(name)), build)
}

// openParts adds the materials or the collision shapes that another text describes, and its pictures.
func openParts(d *model.Document, p *project.Project, file *properties.Namespace) {
	materials := materialsView(material.NewPreview(p, file,
		func(ctx context.Context) iter.Seq[*material.Assignment] { return compose.ScenesAround(ctx, p) }))
	shapes := sceneView(func(ctx context.Context) *scene.Scene { return compose.Shapes(ctx, file, d.Source.Name()) })
	d.View = withPictures(p, file, func(ctx context.Context, n *model.Node) (model.View, error) {
		if v, err := materials(ctx, n); v != nil || err != nil {
			return v, err
		}
		return shapes(ctx, n)
	})
	d.Payloads = Textures(d, p, file)
}

// sceneView returns the scene that is composed of a text, the same for all of its nodes.
func sceneView(build func(context.Context) *scene.Scene) nodeView {
	view := project.Value(func(ctx context.Context) (model.View, error) {
		if s := build(ctx); s != nil && compose.Visible(s) {
			return s, nil
		}
		return nil, nil
	})
	return func(ctx context.Context, _ *model.Node) (model.View, error) { return view(ctx) }
}

// materialsView returns the preview of the materials of a text: one at a time, as the user selects them. That of the
// last one is cached for the other nodes of its member.
func materialsView(preview *material.Preview) nodeView {
	var mu sync.Mutex
	var last makeView
	var lastMember int64 // its offset; -1 for the whole text
	viewOf := func(n *model.Node) makeView {
		mu.Lock()
		defer mu.Unlock()
		member, offset := properties.TopMember(n), int64(-1)
		if member != nil {
			offset = member.Offset
		}
		if last == nil || offset != lastMember {
			lastMember, last = offset, project.Value(func(ctx context.Context) (model.View, error) {
				s, err := preview.Scene(ctx, member)
				if s == nil || err != nil {
					return nil, err
				}
				return s, nil
			})
		}
		return last
	}
	return func(ctx context.Context, n *model.Node) (model.View, error) { return viewOf(n)(ctx) }
}

// withPictures returns a function that returns the picture of a property that names one, and for all other nodes the
// result of view.
func withPictures(p *project.Project, file *properties.Namespace, view nodeView) nodeView {
	return func(ctx context.Context, n *model.Node) (model.View, error) {
		node := n
		for node != nil && node.Type != properties.PropertyType {
			node = node.Parent
		}
		if node != nil {
			if property, ok := file.PropertyAt(node.Offset); ok {
				if v, err := pictureOf(ctx, p, property); v != nil || err != nil {
					return v, err
				}
			}
		}
		return view(ctx, n)
	}
}

type nodeView = func(context.Context, *model.Node) (model.View, error)

// pictureOf returns the picture that a property names, or nil if there is no name, or no picture that can be drawn: the
// scene with the texture reports that.
func pictureOf(ctx context.Context, p *project.Project, property properties.Property) (model.View, error) {
	if !project.NamesPicture(property.Value) {
		return nil, nil
	}
	t := p.Texture(property.Value, path.Dir(p.Path()))
	if picture.MediaType(t.Path) == "" {
		return nil, nil
	}
	img, err := t.Image(ctx)
	if img == nil || err != nil {
		return nil, ctx.Err()
	}
	return model.Picture{Image: img, Format: strings.ToUpper(strings.TrimPrefix(path.Ext(t.Path), "."))}, nil
}

// maxGlyphs is the maximum number of glyphs of a size that have a box and are used for text.
const maxGlyphs = 20_000

// fontView returns some sizes of a font: their pictures with the boxes of their glyphs, and a function that sets text
// in them.
func fontView(sizes ...*gpb.FontSize) (model.View, error) {
	if len(sizes) == 0 {
		return nil, nil
	}
	first := sizes[0]
	picture, err := first.Picture()
	for _, s := range sizes[1:] { // a damaged one does not hide the others
		if err == nil {
			break
		}
		if sound, e := s.Picture(); e == nil {
			first, picture, err = s, sound, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p := model.Picture{Image: picture, Format: glyphCount(sizes) + " · " + pixelFormat(first),
		Boxes: boxes(first)}
	if len(sizes) > 1 {
		for _, s := range sizes {
			p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("%d px, %d × %d", s.Size, s.Width, s.Height),
				Boxes: boxes(s),
				Load: func(context.Context) (image.Image, error) {
					img, err := s.Picture()
					if err != nil {
						return nil, err
					}
					return img, nil
				}})
		}
	}
	var bitmaps []func() (*font.Bitmap, error)
	for _, s := range sizes {
		bitmaps = append(bitmaps, sync.OnceValues(func() (*font.Bitmap, error) { return bitmap(s) }))
	}
	p.Lines = func(ctx context.Context, text string) (lines []model.Line, err error) {
		for i, s := range sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b, err := bitmaps[i]()
			l := model.Line{Name: fmt.Sprintf("%d px", s.Size)}
			if err != nil {
				l.Name += ": " + strings.TrimPrefix(err.Error(), "gpb: ")
				l.Alpha = image.NewAlpha(image.Rect(0, 0, 1, 1))
			} else {
				l.Alpha, l.Missing = b.Line(text)
			}
			lines = append(lines, l)
		}
		return lines, nil
	}
	return p, nil
}

func pixelFormat(s *gpb.FontSize) string {
	if s.Format == gpb.DistanceField {
		return "distance field, 8 bits"
	}
	return "coverage, 8 bits"
}

// glyphCount returns the number of glyphs of each size of a font, or the smallest and the largest number.
func glyphCount(sizes []*gpb.FontSize) string {
	fewest, most := sizes[0].Glyphs.Count, sizes[0].Glyphs.Count
	for _, s := range sizes {
		fewest, most = min(fewest, s.Glyphs.Count), max(most, s.Glyphs.Count)
	}
	if fewest < most {
		return model.FormatCount(fewest) + " to " + model.Count(most, "glyph")
	}
	return model.Count(most, "glyph")
}

// boxes returns the boxes of the glyphs that are in the picture.
func boxes(s *gpb.FontSize) (boxes []model.Box) {
	if s.Glyphs.Count > maxGlyphs {
		return nil
	}
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return nil
	}
	for i := range glyphs {
		if r := s.Box(&glyphs[i]); !r.Empty() {
			boxes = append(boxes, model.Box{Rectangle: r, Name: gpb.Character(glyphs[i].Index), Span: s.Glyphs.Span(i)})
		}
	}
	return boxes
}

// bitmap returns a size of a font for setting text in it.
func bitmap(s *gpb.FontSize) (*font.Bitmap, error) {
	picture, err := s.Picture()
	if err != nil {
		return nil, err
	}
	if s.Glyphs.Count > maxGlyphs {
		return nil, fmt.Errorf("%d glyphs are too many", s.Glyphs.Count)
	}
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return nil, err
	}
	b := &font.Bitmap{Size: int(s.Size), Picture: picture, DistanceField: s.Format == gpb.DistanceField,
		Glyphs: make(map[rune]font.Glyph, len(glyphs))}
	for i := range glyphs {
		g := &glyphs[i]
		b.Glyphs[rune(g.Index)] = font.Glyph{Box: s.Box(g), Bearing: int(g.BearingX), Advance: s.Advance(g)}
	}
	return b, nil
}
