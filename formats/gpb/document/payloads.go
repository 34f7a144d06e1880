package document

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
	"assay/model/scene"
)

const (
	mediaBytes = "application/octet-stream"
	mediaText  = "text/plain; charset=utf-8"
)

// payloads lists assets, each of which is described when it is asked for.
type payloads struct {
	src       *model.Source
	raw       model.Form // of objects: their own bytes
	describes []func() *model.Payload
}

// Len is the number of assets.
func (p *payloads) Len() int { return len(p.describes) }

// At describes the i-th asset.
func (p *payloads) At(i int) *model.Payload { return p.describes[i]() }

// Bundle lists the assets of a bundle: scenes, meshes, animations, the sizes of fonts, shaders; nil if it has none.
// scenes makes its scenes.
func Bundle(b *gpb.Bundle, scenes *compose.Bundle) model.Payloads {
	p := &payloads{src: b.Document.Source, raw: model.Form{Name: "raw", Extension: ".bin", MediaType: mediaBytes}}
	b.Each(func(o gpb.Object, node func() *model.Node) { p.addObject(scenes, o, node) })
	return p.unlessEmpty()
}

// Scene lists the only asset of a .scene: the scene that it describes, which build returns.
func Scene(d *model.Document, name string, build func(context.Context) *scene.Scene) model.Payloads {
	p := &payloads{src: d.Source, raw: model.Form{Name: "raw", Extension: ".scene", MediaType: mediaText}}
	p.addDrawable(d.Root, name, build)
	return p
}

// unlessEmpty returns p, or nil if it has no assets.
func (p *payloads) unlessEmpty() model.Payloads {
	if p.Len() == 0 {
		return nil
	}
	return p
}

// addObject adds the assets of one object.
func (p *payloads) addObject(b *compose.Bundle, o gpb.Object, node func() *model.Node) {
	switch o := o.(type) {
	case *gpb.Scene:
		p.addDrawable(node, o.ID, func(ctx context.Context) *scene.Scene { return b.Scene(ctx, o) })
	case *gpb.Mesh:
		p.addDrawable(node, o.ID, func(ctx context.Context) *scene.Scene { return b.Mesh(ctx, o) })
	case *gpb.Animations:
		for _, a := range o.List {
			p.add(func() *model.Payload {
				return p.describeAnimation(a, nodeAt(node(), a.Span, gpb.TypeAnimation.String()))
			})
		}
	case *gpb.Animation:
		p.add(func() *model.Payload { return p.describeAnimation(o, node()) })
	case *gpb.Font:
		for _, s := range o.Sizes {
			p.add(func() *model.Payload { return p.describeFontSize(o, s, node()) })
		}
		if o.Unicode {
			p.add(func() *model.Payload { return p.describeFontFile(o, node()) })
		}
	case *gpb.Effect:
		p.addShader(o, node, o.VertexSpan, ".vert")
		p.addShader(o, node, o.FragmentSpan, ".frag")
	}
}

func (p *payloads) add(describe func() *model.Payload) { p.describes = append(p.describes, describe) }

// addDrawable adds what can be drawn as the scene that build returns.
func (p *payloads) addDrawable(node func() *model.Node, key string, build func(context.Context) *scene.Scene) {
	forms := sync.OnceValue(func() []model.Form { return scene.Forms(build) })
	p.add(func() *model.Payload { return p.objectPayload(node(), key, slices.Clone(forms())...) })
}

// objectPayload returns a payload whose own bytes are those of an object, and leave as p.raw; forms come before it.
func (p *payloads) objectPayload(n *model.Node, key string, forms ...model.Form) *model.Payload {
	key = cmp.Or(key, n.Type)
	forms = append(forms,
		model.Form{Name: "json", Extension: ".json", MediaType: "application/json",
			Write: func(ctx context.Context, w io.Writer) error {
				return model.DumpNode(ctx, w, n)
			}},
		p.raw)
	return &model.Payload{Key: key, Name: key + forms[0].Extension, Type: n.Type, MediaType: p.raw.MediaType, Node: n,
		Size: n.Size, Stored: n.Span, Open: p.open(n.Span), Forms: forms}
}

func (p *payloads) open(span model.Span) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(p.src.Reader(span)), nil }
}

func (p *payloads) describeAnimation(a *gpb.Animation, n *model.Node) *model.Payload {
	return p.objectPayload(n, cmp.Or(a.Name, a.ID))
}

// addShader adds the text of one shader of an effect, if there is any.
func (p *payloads) addShader(e *gpb.Effect, node func() *model.Node, text model.Span, extension string) {
	if text.Size == 0 {
		return
	}
	p.add(func() *model.Payload {
		name := cmp.Or(e.ID, "effect") + extension
		return &model.Payload{Key: name, Name: name, Type: gpb.TypeEffect.String(), MediaType: mediaText,
			Node: fieldAt(node(), text), Size: text.Size, Stored: text, Open: p.open(text),
			Forms: []model.Form{{Name: "raw"}, {Name: "txt", Extension: extension + ".txt", MediaType: mediaText}}}
	})
}

// describeFontFile returns the TrueType file that a font holds.
func (p *payloads) describeFontFile(f *gpb.Font, n *model.Node) *model.Payload {
	name := cmp.Or(f.ID, f.Family, "font") + ".ttf"
	return &model.Payload{Key: name, Name: name, Type: n.Type, MediaType: "font/ttf", Node: n,
		Size: f.File.Span.Size, Stored: f.File.Span, Open: p.open(f.File.Span), Forms: []model.Form{{Name: "raw"}}}
}

// nodeAt returns the node of a type that begins where span does, n itself if the file has changed and there is none.
func nodeAt(n *model.Node, span model.Span, typ string) *model.Node {
	return cmp.Or(n.Beginning(span.Offset, typ), n)
}

// fieldAt returns the field of a node that has some bytes, n itself if the file has changed and there is none.
func fieldAt(n *model.Node, bytes model.Span) *model.Node {
	for i := range n.Len() {
		if field := n.Child(i); field.Contains(bytes.Offset) {
			return field
		}
	}
	return n
}
