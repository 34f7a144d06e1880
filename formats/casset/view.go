package casset

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/model"
)

// maxViewPixels limits a displayed picture: its pixels are briefly in memory twice.
const maxViewPixels = 24 << 20

// view returns the picture of the texture that a node is or is a part of.
func (f *file) view(ctx context.Context, n *model.Node) (model.View, error) {
	i, ok := f.objectOf(n)
	if !ok {
		return nil, nil
	}
	t, ok := f.texture(i)
	if b, isBlob := n.Value.(model.Blob); isBlob && b.Span != t.blob.Span {
		return nil, nil // another blob of the object
	}
	if !ok || !t.isDrawable() {
		return nil, nil
	}
	return t.view(ctx)
}

func (t texture) view(ctx context.Context) (model.View, error) {
	if t.width*t.height > maxViewPixels {
		return nil, fmt.Errorf("the image is too large to display (%d × %d pixels)", t.width, t.height)
	}
	img, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	return model.Picture{Image: img, Format: t.format.String(), Parts: t.parts()}, nil
}

// describe returns the item for an object: a texture, or an object of its class.
func (f *file) describe(n *model.Node) (model.Item, bool) {
	if n.Parent == nil || n.Parent != f.objects.node {
		return model.Item{}, false
	}
	i, ok := f.objectOf(n)
	if !ok {
		return model.Item{}, false
	}
	h, ok := f.head(f.quiet(), i)
	if !ok {
		return model.Item{}, false
	}
	tex, ok := f.texture(i)
	if !ok {
		return model.Item{Kind: "object", Group: className(h.class)}, true
	}
	t := model.Item{Kind: "texture", Facts: []model.Fact{
		{Name: "size", Value: fmt.Sprintf("%d × %d", tex.width, tex.height)},
		{Name: "format", Value: fmt.Sprint(tex.format)}}}
	if tex.isDrawable() {
		t.Content = func(ctx context.Context) (any, error) { return tex.view(ctx) }
	}
	return t, true
}

// groupings returns the trees beside the structure: two orders of the objects, and the dependencies.
func (f *file) groupings() []model.Grouping {
	return []model.Grouping{
		{Name: "Objects by path", Build: f.byPath},
		{Name: "Objects by class", Build: f.byClass},
		{Name: "Dependencies", Build: f.dependencyNodes},
	}
}

// branch is a part of an object's path while the tree is built.
type branch struct {
	name     string
	object   int // -1: there is no object with this path, only with longer ones
	children []*branch
	named    map[string]*branch
}

// maxPathDepth limits the depth of paths: the rest of a deeper one is a single name.
const maxPathDepth = 256

// byPath nests the objects by their dotted paths: Sky, Sky.Irradiance, Sky.Irradiance.Diffuse.
func (f *file) byPath(ctx context.Context) (*model.Node, error) {
	root := &branch{object: -1}
	err := f.heads(ctx, func(i int, h head, _ bool) {
		if h.path == "" {
			root.children = append(root.children, &branch{name: f.groupTitle(h), object: i})
			return
		}
		current := root
		for _, part := range strings.SplitN(h.path, ".", maxPathDepth) {
			current = current.child(part)
		}
		if current.object >= 0 { // a second object with the same path
			current.children = append(current.children, &branch{name: current.name, object: i})
			return
		}
		current.object = i
	})
	if err != nil {
		return nil, err
	}
	return f.branchNode("Objects by path", root), nil
}

// groupTitle returns the name of an object in a grouping: its path, the name of the file, or its UUID.
func (f *file) groupTitle(h head) string { return cmp.Or(h.path, f.header.name, h.uuid.String()) }

func (b *branch) child(name string) *branch {
	if c, ok := b.named[name]; ok {
		return c
	}
	c := &branch{name: name, object: -1}
	if b.named == nil {
		b.named = make(map[string]*branch)
	}
	b.named[name] = c
	b.children = append(b.children, c)
	return c
}

// branchNode creates the nodes of a branch. An object with others below it is a group with a link to the object.
func (f *file) branchNode(name string, b *branch) *model.Node {
	n := &model.Node{Name: name, Type: "Path"}
	if b.object >= 0 {
		n = f.pointer(name, b.object)
	}
	if len(b.children) > 0 {
		list := make(model.List, len(b.children))
		for i, c := range b.children {
			list[i] = f.branchNode(c.name, c)
		}
		n.SetChildren(list)
	}
	return n
}

// pointer returns a node for the i-th object in another order, with a link to it.
func (f *file) pointer(name string, i int) *model.Node {
	h, _ := f.head(f.quiet(), i)
	return &model.Node{Name: name, Type: h.class, Key: h.uuid.String(), Span: f.objects.span(i),
		Link: &model.Link{Key: h.uuid.String(), Target: func() (model.Path, bool) { return f.objectPath(i), true }}}
}

// byClass lists the objects of each class. Each list stores indexes and creates its nodes on demand.
func (f *file) byClass(ctx context.Context) (*model.Node, error) {
	classes := make(map[string][]int32)
	err := f.heads(ctx, func(i int, h head, _ bool) { classes[h.class] = append(classes[h.class], int32(i)) })
	if err != nil {
		return nil, err
	}
	root := &model.Node{Name: "Objects by class", Type: "Class[]"}
	var list model.List
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		members := classes[name]
		group := &model.Node{Name: name, Type: "Class", Value: uint64(len(members))}
		group.SetChildren(&lazyNodes{len(members), func(i int) *model.Node {
			h, _ := f.head(f.quiet(), int(members[i]))
			return f.pointer(f.groupTitle(h), int(members[i]))
		}})
		list = append(list, group)
	}
	root.SetChildren(list)
	return root, nil
}

// dependencyNodes lists the dependencies, and whether their files were found.
func (f *file) dependencyNodes(ctx context.Context) (*model.Node, error) {
	root := &model.Node{Name: "Dependencies", Type: "Dependency[]"}
	if f.header.dependencies == nil {
		return root, nil
	}
	if f.layout.generation == bundle3 {
		if err := f.dependencies.findBundles(ctx, f); err != nil {
			return nil, err
		}
	}
	var list model.List
	for i := range f.header.dependencies.Len() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d := f.header.dependencies.Child(i)
		if d.Role == model.RoleCount {
			continue
		}
		name, _ := d.Value.(string)
		n := &model.Node{Name: name, Type: "Dependency", Key: name, Span: d.Span, Value: "missing", Link: d.Link}
		if d.Link != nil {
			n.Value = "found"
		}
		list = append(list, n)
	}
	root.SetChildren(list)
	return root, nil
}

// lazyNodes is children that are created on demand, with their own names.
type lazyNodes struct {
	n    int
	make func(i int) *model.Node
}

func (l *lazyNodes) Len() int { return l.n }

func (l *lazyNodes) At(i int) *model.Node { return l.make(i) }
