package gpb

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path"

	"assay/model"
	"assay/model/scene"
)

const (
	mediaBytes = "application/octet-stream"
	mediaText  = "text/plain; charset=utf-8"
)

// payloads lists what can leave the file: scenes, meshes, animations, the sizes of fonts, shaders. What is described
// is made when it is asked for.
type payloads struct {
	src  *model.Source
	make []func() *model.Payload
}

// Len is the number of assets.
func (p *payloads) Len() int { return len(p.make) }

// At describes the i-th asset.
func (p *payloads) At(i int) *model.Payload { return p.make[i]() }

// payloadsOf lists the assets of a file; nil if it has none.
func payloadsOf(src *model.Source, f *File) model.Payloads {
	p := &payloads{src: src}
	for _, o := range f.all() {
		switch o := o.(type) {
		case *Scene:
			p.add(func() *model.Payload { return p.drawn(o.place, o.ID, func() *scene.Scene { return f.Scene(o) }) })
		case *Mesh:
			p.add(func() *model.Payload { return p.drawn(o.place, o.ID, func() *scene.Scene { return f.MeshScene(o) }) })
		case *Animations:
			for _, a := range o.List {
				p.add(func() *model.Payload { return p.animation(a) })
			}
		case *Animation:
			p.add(func() *model.Payload { return p.animation(o) })
		case *Font:
			for _, s := range o.Sizes {
				p.add(func() *model.Payload { return p.font(o, s) })
			}
		case *Effect:
			p.shader(o, "vertexShader", ".vert")
			p.shader(o, "fragmentShader", ".frag")
		}
	}
	if len(p.make) == 0 {
		return nil
	}
	return p
}

// all gives the objects of the file in their order: those of both lists, then those that were recovered.
func (f *File) all() []Object {
	var all []Object
	for _, m := range f.Meshes {
		all = append(all, m)
	}
	return append(append(all, f.Objects...), f.Recovered...)
}

func (p *payloads) add(make func() *model.Payload) { p.make = append(p.make, make) }

// object is a payload whose own bytes are those of an object; forms come before them.
func (p *payloads) object(n *model.Node, key string, forms ...model.Form) *model.Payload {
	key = cmp.Or(key, n.Type)
	forms = append(forms,
		model.Form{Name: "json", Extension: ".json", MediaType: "application/json", Write: func(ctx context.Context, w io.Writer) error {
			return model.DumpNode(ctx, w, n)
		}},
		model.Form{Name: "raw", Extension: ".bin", MediaType: mediaBytes})
	return &model.Payload{Key: key, Name: key + forms[0].Extension, Type: n.Type, MediaType: mediaBytes, Node: n,
		Size: n.Size, Stored: n.Span, Open: p.open(n.Span), Forms: forms}
}

func (p *payloads) open(span model.Span) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(p.src.Reader(span)), nil }
}

func (p *payloads) animation(a *Animation) *model.Payload {
	return p.object(a.place, cmp.Or(a.Name, a.ID))
}

// shader adds the text of one shader of an effect, if there is any.
func (p *payloads) shader(e *Effect, field, extension string) {
	n := e.place.Named(field)
	const length = 4
	if n == nil || n.Size <= length {
		return
	}
	p.add(func() *model.Payload {
		text := model.Span{Offset: n.Offset + length, Size: n.Size - length}
		name := cmp.Or(e.ID, "effect") + extension
		return &model.Payload{Key: name, Name: name, Type: e.place.Type, MediaType: mediaText, Node: n, Size: text.Size, Stored: text, Open: p.open(text),
			Forms: []model.Form{{Name: "raw"}, {Name: "txt", Extension: extension + ".txt", MediaType: mediaText}}}
	})
}

// font is one size of a font: its picture, or a description of its characters for that picture.
func (p *payloads) font(f *Font, s *FontSize) *model.Payload {
	key := cmp.Or(f.ID, f.Family)
	if len(f.Sizes) > 1 {
		key += fmt.Sprintf("-%d", s.Size)
	}
	return p.object(s.place, key,
		model.Form{Name: "png", Extension: ".png", MediaType: "image/png", Write: func(_ context.Context, w io.Writer) error {
			return s.writePNG(w, gray)
		}},
		model.Form{Name: "png-alpha", Extension: ".png", MediaType: "image/png", Write: func(_ context.Context, w io.Writer) error {
			return s.writePNG(w, white)
		}},
		model.Form{Name: "fnt", Extension: ".fnt", MediaType: mediaText, Extensions: []string{".fnt", ".png"},
			WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
				if file == 1 {
					return s.writePNG(w, white)
				}
				return writeBMFont(w, f, s, path.Base(names[1]))
			}})
}

// Picture gives the picture of the size: a byte a pixel, which is coverage, or distance from the outline.
func (s *FontSize) Picture() (*image.Gray, error) {
	if want := uint64(s.Width) * uint64(s.Height); want == 0 || want != uint64(s.Map.Span.Size) {
		return nil, fmt.Errorf("gpb: a picture of %d × %d needs %d bytes, there are %d (at %#x)", s.Width, s.Height, want, s.Map.Span.Size, s.Map.Span.Offset)
	}
	pixels, err := s.Map.Source.Bytes(s.Map.Span)
	if err != nil {
		return nil, err
	}
	return &image.Gray{Pix: pixels, Stride: int(s.Width), Rect: image.Rect(0, 0, int(s.Width), int(s.Height))}, nil
}

// A look is how a picture of coverage becomes a picture of colors.
type look bool

const (
	gray  look = false // the values as they are
	white look = true  // white, with the values as opacity: what BMFont programs expect
)

func (s *FontSize) writePNG(w io.Writer, l look) error {
	picture, err := s.Picture()
	if err != nil {
		return err
	}
	if l == gray {
		return png.Encode(w, picture)
	}
	out := image.NewNRGBA(picture.Rect)
	for i, v := range picture.Pix {
		copy(out.Pix[4*i:], []uint8{255, 255, 255, v})
	}
	return png.Encode(w, out)
}
