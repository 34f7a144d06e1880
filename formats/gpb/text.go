package gpb

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// OpenText opens one of the texts around bundles. A .scene is looked at as the scene that it describes, and leaves as
// one; materials are looked at on meshes that have them, else on spheres, and the pictures that they name can leave.
func OpenText(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.Around(src)
	d, file, err := properties.Open(ctx, src, linkIn(p))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return d, nil
	}
	d.Project = p.Root()
	list := &payloads{src: src}
	if !slices.ContainsFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" }) {
		d.View = depicted(p, (&swatches{project: p, file: file}).view)
		for _, n := range texturesOf(p, file) {
			list.add(func() *model.Payload { return texture(d, n) })
		}
		if list.Len() > 0 {
			d.Payloads = list
		}
		return d, nil
	}
	make := func(ctx context.Context) *scene.Scene { return sceneOf(ctx, p, file, src.Name()) }
	d.View = depicted(p, sceneView(make))
	list.drawn(d.Root, strings.TrimSuffix(src.Name(), path.Ext(src.Name())),
		func() *scene.Scene { return make(context.Background()) })
	d.Payloads = list
	return d, nil
}

// sceneView returns the scene that a text describes, for all of its nodes the same one.
func sceneView(make func(context.Context) *scene.Scene) func(context.Context, *model.Node) (model.View, error) {
	var mu sync.Mutex
	var made *scene.Scene
	return func(ctx context.Context, _ *model.Node) (model.View, error) {
		mu.Lock()
		defer mu.Unlock()
		s := made
		if s == nil {
			s = make(ctx)
		}
		if s == nil || !drawn(s) {
			return nil, ctx.Err()
		}
		if ctx.Err() == nil {
			made = s
		}
		return s, ctx.Err()
	}
}

// extensions are those of files that texts name.
var extensions = func() map[string]bool {
	all := map[string]bool{}
	for _, e := range strings.Fields(`gpb material scene animation physics terrain particle config form theme
		png jpg jpeg bmp tga dds pvr raw vert frag vsh fsh glsl lua wav ogg ttf`) {
		all["."+e] = true
	}
	return all
}()

// linkIn returns what finds the files that values name: file, file#id, @alias.
func linkIn(p *project.Project) properties.Link {
	return func(value string) (*model.Link, string) {
		name, id := project.Reference(value)
		if !strings.HasPrefix(name, "@") && !extensions[strings.ToLower(path.Ext(name))] ||
			strings.Contains(name, ",") {
			return nil, ""
		}
		link := &model.Link{File: name, Key: id}
		if p == nil {
			return link, ""
		}
		found := p.Find(name, path.Dir(p.Path()))
		if found.Path != "" {
			link.Look = func(folder string) (string, bool) { return p.OnDisk(found.Path, folder), true }
		}
		return link, found.Problem
	}
}
