package document

import (
	"bufio"
	"cmp"
	"context"
	"image"
	"image/draw"
	"image/png"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

const (
	mediaBytes = "application/octet-stream"
	mediaText  = "text/plain; charset=utf-8"
)

// payloads lists assets, which are described on demand.
type payloads struct {
	src       *model.Source
	raw       model.Form // of objects: the bytes of the object
	describes []func() *model.Payload
}

func (p *payloads) Len() int { return len(p.describes) }

// At describes the i-th asset.
func (p *payloads) At(i int) *model.Payload { return p.describes[i]() }

// bundleAssets lists the assets of a bundle: scenes, meshes, animations, the sizes and the TrueType files of fonts, and
// shaders. It may return nil. scenes makes the bundle's scenes.
func bundleAssets(b *gpb.Bundle, scenes *compose.BundleScenes) model.Payloads {
	p := &payloads{src: b.Document.Source, raw: model.Form{Name: "raw", Extension: ".bin", MediaType: mediaBytes}}
	b.Each(func(o gpb.Object, node func() *model.Node) { p.addObject(scenes, o, node) })
	return p.unlessEmpty()
}

// sceneAsset lists the only asset of a .scene: the scene that it describes, which build returns.
func sceneAsset(d *model.Document, name string, build func(context.Context) *scene.Scene) model.Payloads {
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

func (p *payloads) addObject(b *compose.BundleScenes, o gpb.Object, node func() *model.Node) {
	switch o := o.(type) {
	case *gpb.Scene:
		p.addDrawable(node, o.ID, func(ctx context.Context) *scene.Scene { return b.Scene(ctx, o) })
	case *gpb.Mesh:
		p.addMesh(b, o, node)
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

// addDrawable adds an asset that is exported as the scene that build returns.
func (p *payloads) addDrawable(node func() *model.Node, key string, build func(context.Context) *scene.Scene) {
	forms := sync.OnceValue(func() []model.Form { return scene.Forms(build) })
	p.add(func() *model.Payload { return p.objectPayload(node(), key, slices.Clone(forms())...) })
}

// addMesh adds a mesh. GLB files of a skinned mesh have its skeleton and weights; OBJ files have the mesh as it is
// stored.
func (p *payloads) addMesh(b *compose.BundleScenes, m *gpb.Mesh, node func() *model.Node) {
	forms := sync.OnceValue(func() []model.Form {
		forms := scene.Forms(func(ctx context.Context) *scene.Scene { return b.Mesh(ctx, m) })
		if b.SkinOf(m) == nil {
			return forms
		}
		for _, f := range scene.GLBForms(func(ctx context.Context) *scene.Scene { return b.SkinnedMesh(ctx, m) }) {
			forms[slices.IndexFunc(forms, func(a model.Form) bool { return a.Name == f.Name })] = f
		}
		return forms
	})
	p.add(func() *model.Payload { return p.objectPayload(node(), m.ID, slices.Clone(forms())...) })
}

// objectPayload returns the payload of an object, with its bytes as p.raw; forms come before that.
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

// nodeAt returns the node of a type at the start of span, or n if the file has changed.
func nodeAt(n *model.Node, span model.Span, typ string) *model.Node {
	return cmp.Or(n.StructAt(span.Offset, typ), n)
}

// fieldAt returns the field of a node with these bytes, or n if the file has changed.
func fieldAt(n *model.Node, bytes model.Span) *model.Node {
	for i := range n.Len() {
		if field := n.Child(i); field.Contains(bytes.Offset) {
			return field
		}
	}
	return n
}

// maxNames is the maximum number of names of pictures in a text that are searched.
const maxNames = 4096

// Textures lists the existing pictures that a text, the project's file, names, or nil. It searches for them at once,
// and adds a problem to the document if there are too many.
func Textures(d *model.Document, p *project.Project, file *properties.Namespace) model.Payloads {
	list := &payloads{src: d.Source}
	textures, truncated := texturesOf(p, file)
	for _, t := range textures {
		list.add(func() *model.Payload { return describeTexture(d, t) })
	}
	if truncated {
		d.Root().Warnf(model.Note, model.Span{}, "the text names many images; only the first %d are searched", maxNames)
	}
	return list.unlessEmpty()
}

// namedTexture is a picture that a property names.
type namedTexture struct {
	*scene.Texture
	offset int64 // of the value
}

// texturesOf lists the existing pictures that a text names, each once, in the order of the text. truncated means that
// some names were skipped.
func texturesOf(p *project.Project, file *properties.Namespace) (textures []namedTexture, truncated bool) {
	folder := path.Dir(p.Path())
	names, files := make(map[string]bool), make(map[string]bool)
	for n := range file.All() {
		for _, v := range n.Properties {
			if !project.NamesPicture(v.Value) || names[v.Value] {
				continue
			}
			if len(names) == maxNames {
				return textures, true
			}
			names[v.Value] = true
			t := p.Texture(v.Value, folder)
			if picture.MediaType(t.Path) != "" && !files[t.Path] {
				files[t.Path] = true
				textures = append(textures, namedTexture{t, v.Offset})
			}
		}
	}
	return textures, false
}

// describeTexture returns the payload of a picture: as PNG, or as the original file.
func describeTexture(d *model.Document, t namedTexture) *model.Payload {
	base, extension := path.Base(t.Path), path.Ext(t.Path)
	media := picture.MediaType(t.Path)
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

// writePNG writes a picture as PNG. A picture that is PNG already, even under another name, is copied.
func writePNG(ctx context.Context, w io.Writer, t *scene.Texture) error {
	r, err := t.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	file := bufio.NewReader(r)
	// Peek fails for a file that is shorter than the signature, which is no PNG.
	if head, _ := file.Peek(len(pngSignature)); string(head) == pngSignature {
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
