package gpb

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// OpenText opens one of the texts around bundles. A .scene is looked at as the scene that it describes, and leaves as
// one.
func OpenText(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.Around(src)
	d, file, err := properties.Open(ctx, src, linkIn(p))
	if err != nil {
		return nil, err
	}
	if p == nil || !slices.ContainsFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" }) {
		return d, nil
	}
	make := func(ctx context.Context) *scene.Scene { return sceneOf(ctx, p, file, src.Name()) }
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) {
		if s := make(ctx); s != nil && drawn(s) {
			return s, ctx.Err()
		}
		return nil, ctx.Err()
	}
	list := &payloads{src: src}
	list.drawn(d.Root, strings.TrimSuffix(src.Name(), path.Ext(src.Name())),
		func() *scene.Scene { return make(context.Background()) })
	d.Payloads = list
	return d, nil
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
			up := strings.Count(path.Join(path.Dir(p.Path()), "x"), "/")
			link.Look = func(folder string) (string, bool) {
				for range up {
					folder = filepath.Dir(folder)
				}
				return filepath.Join(folder, filepath.FromSlash(found.Path)), true
			}
		}
		return link, found.Problem
	}
}
