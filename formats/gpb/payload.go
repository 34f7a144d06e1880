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

// payloads lists the assets of the file; nil if it has none.
func (r *reader) payloads() model.Payloads {
	p := &payloads{src: r.src}
	r.each(func(o Object, node func() *model.Node) { p.list(r.file, o, node) })
	if len(p.make) == 0 {
		return nil
	}
	return p
}

// each visits the objects of the file in their order: those of both lists, then those that were recovered. node makes
// the node of one.
func (r *reader) each(visit func(o Object, node func() *model.Node)) {
	element := func(list *model.Node, i int) func() *model.Node {
		return func() *model.Node { return r.element(list, i) }
	}
	for i, m := range r.file.Meshes {
		visit(m, element(r.lists.meshes, i))
	}
	for i, o := range r.file.Objects {
		if r.lists.objects == nil {
			visit(o, func() *model.Node { return r.element(r.root, r.root.Len()-1) })
			continue
		}
		visit(o, element(r.lists.objects, i))
	}
	for i, l := range r.recovered {
		if l.object != nil && !l.closed {
			visit(l.object, element(r.lists.recovered, i))
		}
	}
}

// element returns the i-th element of a list, or the root if it has none: a file may change between the quiet reading,
// which found the element, and the one that recorded the list.
func (r *reader) element(list *model.Node, i int) *model.Node {
	if list == nil {
		return r.root
	}
	if i += list.Before(); i < 0 || i >= list.Len() {
		return r.root
	}
	return list.Child(i)
}

// list adds what can leave of one object.
func (p *payloads) list(f *File, o Object, node func() *model.Node) {
	switch o := o.(type) {
	case *Scene:
		p.drawn(node, o.ID, func() *scene.Scene { return f.Scene(o) })
	case *Mesh:
		p.drawn(node, o.ID, func() *scene.Scene { return f.MeshScene(o) })
	case *Animations:
		for _, a := range o.List {
			p.add(func() *model.Payload { return p.animation(a, part(node(), a.span, TypeAnimation.String())) })
		}
	case *Animation:
		p.add(func() *model.Payload { return p.animation(o, node()) })
	case *Font:
		for _, s := range o.Sizes {
			p.add(func() *model.Payload { return p.fontSize(o, s, node()) })
		}
		if o.Unicode {
			p.add(func() *model.Payload { return p.fontFile(o, node()) })
		}
	case *Effect:
		vertex := model.Span{Offset: o.span.Offset, Size: 4 + int64(len(o.Vertex))}
		p.shader(o, node, 0, vertex, ".vert")
		p.shader(o, node, 1, model.Span{Offset: vertex.End(), Size: o.span.End() - vertex.End()}, ".frag")
	}
}

func (p *payloads) add(make func() *model.Payload) { p.make = append(p.make, make) }

// object is a payload whose own bytes are those of an object; forms come before them.
func (p *payloads) object(n *model.Node, key string, forms ...model.Form) *model.Payload {
	key = cmp.Or(key, n.Type)
	forms = append(forms,
		model.Form{Name: "json", Extension: ".json", MediaType: "application/json",
			Write: func(ctx context.Context, w io.Writer) error {
				return model.DumpNode(ctx, w, n)
			}},
		model.Form{Name: "raw", Extension: ".bin", MediaType: mediaBytes})
	return &model.Payload{Key: key, Name: key + forms[0].Extension, Type: n.Type, MediaType: mediaBytes, Node: n,
		Size: n.Size, Stored: n.Span, Open: p.open(n.Span), Forms: forms}
}

func (p *payloads) open(span model.Span) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(p.src.Reader(span)), nil }
}

func (p *payloads) animation(a *Animation, n *model.Node) *model.Payload {
	return p.object(n, cmp.Or(a.Name, a.ID))
}

// shader adds the text of one shader of an effect, if there is any: the field of that position, which is a string.
func (p *payloads) shader(e *Effect, node func() *model.Node, position int, field model.Span, extension string) {
	const length = 4
	if field.Size <= length {
		return
	}
	p.add(func() *model.Payload {
		text := model.Span{Offset: field.Offset + length, Size: field.Size - length}
		name := cmp.Or(e.ID, "effect") + extension
		n := node()
		if position < n.Len() { // else it could not be read again
			n = n.Child(position)
		}
		return &model.Payload{Key: name, Name: name, Type: TypeEffect.String(), MediaType: mediaText,
			Node: n, Size: text.Size, Stored: text, Open: p.open(text),
			Forms: []model.Form{{Name: "raw"}, {Name: "txt", Extension: extension + ".txt", MediaType: mediaText}}}
	})
}

// fontFile is the TrueType file that a font holds.
func (p *payloads) fontFile(f *Font, n *model.Node) *model.Payload {
	name := cmp.Or(f.ID, f.Family, "font") + ".ttf"
	return &model.Payload{Key: name, Name: name, Type: n.Type, MediaType: "font/ttf", Node: n,
		Size: f.File.Span.Size, Stored: f.File.Span, Open: p.open(f.File.Span), Forms: []model.Form{{Name: "raw"}}}
}

// fontSize is one size of a font: its picture, or a description of its characters for that picture.
func (p *payloads) fontSize(f *Font, s *FontSize, n *model.Node) *model.Payload {
	key := cmp.Or(f.ID, f.Family)
	if len(f.Sizes) > 1 {
		key += fmt.Sprintf("-%d", s.Size)
	}
	if s.span != f.span {
		n = part(n, s.span, "FontSize")
	}
	return p.object(n, key,
		model.Form{Name: "png", Extension: ".png", MediaType: "image/png",
			Write: func(_ context.Context, w io.Writer) error {
				return s.writePNG(w, gray)
			}},
		model.Form{Name: "png-alpha", Extension: ".png", MediaType: "image/png",
			Write: func(_ context.Context, w io.Writer) error {
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

// Picture returns the picture of the size: a byte a pixel, which is coverage, or distance from the outline.
func (s *FontSize) Picture() (*image.Gray, error) {
	if want := uint64(s.Width) * uint64(s.Height); want == 0 || want != uint64(s.Map.Span.Size) {
		return nil, fmt.Errorf("gpb: a picture of %d × %d needs %d bytes, there are %d (at %#x)", s.Width, s.Height,
			want,
			s.Map.Span.Size, s.Map.Span.Offset)
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

// part returns the node of a type that begins where span does, n itself if the file has changed and there is none.
func part(n *model.Node, span model.Span, typ string) *model.Node {
	return cmp.Or(n.Beginning(span.Offset, typ), n)
}
