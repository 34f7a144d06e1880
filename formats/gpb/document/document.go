// Package document builds the documents of bundles and of the texts around them, for display and export. It adds views,
// assets, links and descriptions from the other packages to the nodes of the decoder.
package document

import (
	"context"
	_ "embed"
	"fmt"
	"iter"
	"path"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// Open opens a bundle with the files around it. Errors in its content are Problems of the document; the returned error
// is from ctx.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.ForSource(src)
	opened, err := gpb.Open(ctx, src)
	if err != nil {
		return nil, err
	}
	b := &bundle{Bundle: opened, scenes: compose.NewBundleScenes(opened.File, p)}
	b.views, b.viewOfFile = sync.OnceValue(b.newViews), project.Cached(b.wholeView)
	d := b.Document
	d.Payloads = bundleAssets(b.Bundle, b.scenes)
	d.View = b.view
	d.Item = b.describe
	d.Keys = b.keys
	if p != nil {
		d.Project = p.Root()
	}
	return d, nil
}

// bundle is a decoded bundle with its scenes.
type bundle struct {
	*gpb.Bundle
	scenes     *compose.BundleScenes
	views      func() map[gpb.Object]makeView // of the objects that have one
	viewOfFile makeView
}

func (b *bundle) newViews() map[gpb.Object]makeView {
	views := make(map[gpb.Object]makeView)
	for _, o := range b.AllObjects() {
		switch o := o.(type) {
		case *gpb.Mesh:
			views[o] = project.Cached(
				func(ctx context.Context) (model.View, error) { return b.scenes.Mesh(ctx, o), nil })
		case *gpb.Font:
			views[o] = project.Cached(func(context.Context) (model.View, error) { return fontView(o.Sizes...) })
			for _, s := range o.Sizes {
				views[s] = project.Cached(func(context.Context) (model.View, error) { return fontView(s) })
			}
		case *gpb.Scene:
			views[o] = project.Cached(
				func(ctx context.Context) (model.View, error) { return b.scenes.Scene(ctx, o), nil })
		}
	}
	return views
}

//go:embed icon.png
var iconPNG []byte

// Formats returns the formats of bundles and of the texts around them, for the program and for desktops. Other programs
// use the extensions of the texts, too.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: "gpb", Sniff: gpb.Sniff, Open: Open, Altered: gpb.CorruptedSignature, Page: gpb.Fields.Page,
			FileType: model.FileType{
				MIME: "application/gpb", Title: "gameplay bundle", Icon: "gpb", Picture: iconPNG, Scene: true,
				Globs: []string{"*.gpb"},
				Magic: []model.Magic{{Bytes: []byte(gpb.Identifier)}}},
			Forms: map[string][]model.Form{".gpb": scene.WholeForms()}},
		{Name: "gpb", Sniff: properties.Sniff, Open: OpenText, Page: properties.Fields.Page, FileType: model.FileType{
			MIME: "text/x-gameplay-properties", Title: "gameplay properties", Icon: "properties", Picture: iconPNG,
			Shared: []string{"*.material", "*.scene", "*.animation", "*.physics", "*.terrain", "*.particle",
				"*.config"},
			Parent: "text/plain", Magic: properties.Magic()},
			Forms: map[string][]model.Form{".scene": scene.WholeForms()}},
	}
}

// kinds maps types of objects to their display names. Nodes of other types are parts of objects.
var kinds = map[string]string{gpb.TypeScene.String(): "scene", gpb.TypeNode.String(): "node",
	gpb.TypeMesh.String(): "mesh", gpb.TypeMeshSkin.String(): "skin", gpb.TypeCamera.String(): "camera",
	gpb.TypeLight.String(): "light", gpb.TypeMaterial.String(): "material", gpb.TypeEffect.String(): "effect",
	gpb.TypeAnimation.String(): "animation", gpb.TypeFont.String(): "font"}

// describe returns the kind of a node, and its content for a comparison.
func (b *bundle) describe(n *model.Node) (model.Item, bool) {
	if n.Leaf() { // an absent optional part
		return model.Item{}, false
	}
	t := model.Item{Kind: kinds[n.Type]}
	switch o := b.ObjectAt(n).(type) {
	case *gpb.Mesh:
		t.Content = func(ctx context.Context) (any, error) {
			node := b.scenes.Mesh(ctx, o).Roots[0]
			if skin := b.scenes.SkinOf(o); skin != nil {
				node.Skin = compose.Skin(skin)
			}
			return node, ctx.Err()
		}
	case *gpb.Skin:
		t.Content = func(context.Context) (any, error) { return compose.Skin(o), nil }
	case *gpb.Font:
		t.Content = func(ctx context.Context) (any, error) { return b.views()[o](ctx) }
	case *gpb.Animation:
		t.Content = func(context.Context) (any, error) { return compose.Animation(o), nil }
	}
	return t, t.Kind != ""
}

type makeView func(ctx context.Context) (model.View, error)

// view returns the cached view of the scene, mesh or font size that contains a node, or else the view of the whole
// file.
func (b *bundle) view(ctx context.Context, n *model.Node) (model.View, error) {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if view := b.views()[b.ObjectAt(n)]; view != nil {
			return view(ctx)
		}
	}
	return b.viewOfFile(ctx)
}

// wholeView returns the view of the file: its scenes, else all of its meshes, else the picture of its only font.
func (b *bundle) wholeView(ctx context.Context) (model.View, error) {
	if scenes := gpb.All[*gpb.Scene](b.File); len(scenes) == 1 {
		view, err := b.views()[scenes[0]](ctx)
		if err == nil && compose.Visible(view.(*scene.Scene)) {
			return view, nil
		}
	}
	if composed := b.scenes.AllScenes(ctx); compose.Visible(composed) {
		return composed, nil
	}
	var only model.View
	for _, font := range gpb.All[*gpb.Font](b.File) {
		if v, err := b.views()[font](ctx); v != nil && err == nil {
			if only != nil {
				return nil, nil
			}
			only = v
		}
	}
	return only, nil
}

// keyTable returns the keys of a channel as rows: the time in seconds, then the values.
func keyTable(c *gpb.Channel) *model.Table {
	t := &model.Table{Rows: c.Times.Count, Columns: []model.Column{{Name: "time (s)", Type: "float", Numeric: true}}}
	each := int64(len(c.Components()))
	for _, part := range c.Components() {
		t.Columns = append(t.Columns, model.Column{Name: part.String(), Type: "float", Numeric: true})
	}
	if each == 0 && c.Times.Count > 0 { // the attribute is unknown
		each = min(c.Values.Count/c.Times.Count, 16)
		for i := range each {
			t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("value %d", i), Type: "float", Numeric: true})
		}
	}
	t.Cell = func(row int64, column int) any {
		from, index := c.Values, row*each+int64(column)-1
		if column == 0 {
			from, index = c.Times, row
		}
		if index >= from.Count {
			return nil
		}
		v, err := from.Slice(index, 1)
		if err != nil || len(v) == 0 {
			return nil
		}
		if column > 0 {
			return v[0]
		}
		s, _ := gpb.Seconds(v[0])
		return s
	}
	t.Offset = func(row int64) int64 { return c.Times.Offset + row*c.Times.Form.Size() }
	return t
}

// keys returns the keys of the channel that a node is or is a part of.
func (b *bundle) keys(n *model.Node) (*model.Node, *model.Table) {
	for ; n != nil; n = n.Parent {
		if c, ok := b.ObjectAt(n).(*gpb.Channel); ok && c.Times.Source != nil {
			return n, keyTable(c)
		}
	}
	return nil, nil
}

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
	d.Payloads = sceneAsset(d, strings.TrimSuffix(name, path.Ext(name)), build)
}

// openParts adds the materials or the collision shapes that another text describes, and its pictures.
func openParts(d *model.Document, p *project.Project, file *properties.Namespace) {
	materials := materialsView(material.NewPreview(p, file,
		func(ctx context.Context) iter.Seq[*material.Assigner] { return compose.ScenesAround(ctx, p) }))
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
	view := project.Cached(func(ctx context.Context) (model.View, error) {
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
			lastMember, last = offset, project.Cached(func(ctx context.Context) (model.View, error) {
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
