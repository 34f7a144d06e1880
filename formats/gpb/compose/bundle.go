// Package compose makes scenes from bundles and the files around them. A bare scene is made of the bundle alone, with
// materials that have only names. withSurroundings adds the materials, the clips, and the entries of a .scene beside
// the bundle. The scene of a .scene begins as the bare scene of its main bundle; nodes of other bundles are copied with
// their surroundings.
//
// The .scene format is not published: the engine's SceneLoader defines the meaning of its entries, and fields.md of
// properties lists their names. Not supported are particles, audio, scripts, tags and constraints, the texts of later
// engines, and collision shapes that use the mesh of another node.
//
// Bounds: maxBundles, maxVisited and maxClips for .scene and .animation files, maxTexts for files beside a bundle,
// maxTerrain for heights; package project holds at most 256 MB of bundles, and package properties bounds the inherited
// namespaces of a scene. A problem reports each limit that is reached.
//
// convert.go makes the nodes of the main bundle and attaches its skeletons, and bundle.go adds what its surroundings
// have, or copies the nodes of another bundle. scene.go composes a .scene: it finds the nodes of an entry, and entry.go
// applies the entry to them; terrain.go and sprite.go make the meshes of entries, and animation.go the animations and
// clips.
package compose

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// BundleScenes makes scenes of a bundle, with the materials and clips that the project around it has for them.
type BundleScenes struct {
	*gpb.File
	project   *project.Project                         // may be nil
	meshNodes func(context.Context) (meshNodes, error) // made once
	skins     func() map[string]*gpb.Skin              // of the first model with each mesh, by the reference to it
}

// NewBundleScenes returns the scenes of a bundle of a project, which may be nil.
func NewBundleScenes(f *gpb.File, p *project.Project) *BundleScenes {
	b := &BundleScenes{File: f, project: p}
	b.meshNodes = project.Cached(b.findMeshNodes)
	b.skins = sync.OnceValue(func() map[string]*gpb.Skin {
		skins := make(map[string]*gpb.Skin)
		for n := range b.AllNodes() {
			if n.Model != nil && n.Model.Skin != nil && skins[n.Model.Mesh] == nil {
				skins[n.Model.Mesh] = n.Model.Skin
			}
		}
		return skins
	})
	return b
}

// Scene returns scenes of the file as one for drawing and export, with the nodes outside all scenes that their skins
// may need. Without arguments it returns those nodes, or all meshes if these are invisible. If the context ends,
// materials may be missing.
func (b *BundleScenes) Scene(ctx context.Context, scenes ...*gpb.Scene) *scene.Scene {
	return b.withSurroundings(ctx, b.mergeScenes(scenes...).withSkeletons()).Scene
}

// AllScenes returns all scenes of the file as one, or all meshes if these are invisible.
func (b *BundleScenes) AllScenes(ctx context.Context) *scene.Scene {
	if composed := b.Scene(ctx, gpb.All[*gpb.Scene](b.File)...); Visible(composed) {
		return composed
	}
	return b.Scene(ctx)
}

// withSurroundings adds the materials and clips in the files around a bundle to a bare scene, until the context ends,
// and returns the assigner.
func (b *BundleScenes) withSurroundings(ctx context.Context, bare bareScene) *material.Assigner {
	out := bare.scene
	r := material.NewResources(ctx, b.project, out)
	a := material.NewAssigner(out, r)
	if b.project == nil {
		return a
	}
	out.OthersUp = upAxisOfOthers(ctx, b.project)
	s, inRoot := mainSceneOf(r)
	if s != nil {
		setAmbientAndGravity(out, s)
	}
	bare.names.assign(a, out, b.project)
	if ctx.Err() != nil {
		return a
	}
	if s != nil {
		c := newComposer(ctx, r, a, inRoot)
		c.apply(s, nil)
		c.nodes.restoreNames() // the new names are for later entries
		c.noteExhausted(s)
	}
	a.ApplyWithGuesses()
	addClips(r, out)
	r.Close()
	return a
}

// mainSceneOf returns the scene of the .scene beside the bundle that has this bundle as its main one, and the path of
// the .scene; or nil.
func mainSceneOf(r *material.Resources) (*properties.Space, string) {
	for _, inRoot := range firstTexts(r, ".scene") {
		file := r.Load(inRoot)
		if file == nil {
			continue
		}
		if s := sceneOf(file); s != nil && r.RefersTo(s.Get("path"), path.Dir(inRoot)) {
			return s, inRoot
		}
	}
	return nil, ""
}

// maxTexts is the maximum number of .scene and .animation files beside a bundle: each is read whole.
const maxTexts = 64

// firstTexts returns the files with an extension beside the bundle, up to maxTexts, with a note if there are more.
func firstTexts(r *material.Resources, extension string) []string {
	files, err := r.Siblings(extension)
	if err != nil {
		r.NoteUnreadable(err)
	}
	if len(files) > maxTexts {
		r.Notef("only the first %d of the %d %s files beside it are read", maxTexts, len(files), extension)
		files = files[:maxTexts]
	}
	return files
}

// Mesh returns one mesh as a scene of its own, with the materials of the first node with this mesh.
func (b *BundleScenes) Mesh(ctx context.Context, m *gpb.Mesh) *scene.Scene {
	nodes, _ := b.meshNodes(ctx) // empty when the context ends
	n := &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: b.mesh(m), Materials: nodes.materials[m.ID]}
	return &scene.Scene{Name: m.ID, Roots: []*scene.Node{n}, Materials: material.Choices(b.project)}
}

// SkinOf returns the skin of the first node that has the mesh with a skin, or nil.
func (b *BundleScenes) SkinOf(m *gpb.Mesh) *gpb.Skin { return b.skins()["#"+m.ID] }

// SkinnedMesh returns one mesh as Mesh does, but at its first node with a skin, with the skeleton. Without such a node,
// it returns the mesh alone.
func (b *BundleScenes) SkinnedMesh(ctx context.Context, m *gpb.Mesh) *scene.Scene {
	nodes, _ := b.meshNodes(ctx) // empty when the context ends
	if n := nodes.skinned[m.ID]; n != nil {
		if s := nodes.source.Skinned(n); s != nil {
			return s
		}
	}
	return b.Mesh(ctx, m)
}

// meshNodes are the first nodes with each mesh, by the mesh's id, in all scenes of the file as one.
type meshNodes struct {
	source    *scene.Scene                 // its nodes are only read
	materials map[string][]*scene.Material // of the first node that has materials
	skinned   map[string]*scene.Node       // the first node that has a skin
}

func (b *BundleScenes) findMeshNodes(ctx context.Context) (meshNodes, error) {
	nodes := meshNodes{b.AllScenes(ctx), make(map[string][]*scene.Material), make(map[string]*scene.Node)}
	nodes.source.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		if n.Materials != nil && nodes.materials[n.Mesh.Name] == nil {
			nodes.materials[n.Mesh.Name] = n.Materials
		}
		if n.Skin != nil && nodes.skinned[n.Mesh.Name] == nil {
			nodes.skinned[n.Mesh.Name] = n
		}
	})
	return nodes, nil
}

// bareScene is a scene as stored in the bundle, until its skeletons are attached.
type bareScene struct {
	scene *scene.Scene // its materials have only names
	names materialNames
}

// materialNames are the names in a bundle for the materials of the parts of models, by their nodes.
type materialNames map[*scene.Node][]string

// assign assigns the existing materials that a bundle names to the nodes of a scene.
func (names materialNames) assign(a *material.Assigner, s *scene.Scene, bundle *project.Project) {
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if len(names[n]) > 0 {
			a.AssignFromBundle(bundle, n, names[n])
		}
	})
}

// withSkeletons returns the scene with its skeletons attached to the nodes of their meshes.
func (s bareScene) withSkeletons() bareScene {
	attachSkeletons(s.scene)
	return s
}

// mergeScenes makes one scene of scenes of the file, and of the nodes outside all scenes. Without either, it makes a
// scene of all meshes.
func (b *BundleScenes) mergeScenes(scenes ...*gpb.Scene) bareScene {
	c := b.newConverter()
	out := c.merge(scenes...)
	if len(scenes) == 0 && !Visible(out) {
		return bareScene{scene: b.allMeshes()}
	}
	if len(scenes) == 1 {
		out.Name = scenes[0].ID
		if _, id, ok := strings.Cut(scenes[0].ActiveCamera, "#"); ok {
			if n := c.byID[id]; n != nil && n.Camera != nil {
				out.ActiveCamera = n
			}
		}
	}
	return bareScene{out, c.names}
}

// firstScene makes the first scene, which the engine loads, or the nodes outside scenes if there are no scenes.
func (b *BundleScenes) firstScene() bareScene {
	scenes := gpb.All[*gpb.Scene](b.File)
	return b.mergeScenes(scenes[:min(len(scenes), 1)]...)
}

// allMeshes makes a scene of all meshes, with the ambient light of the last scene.
func (b *BundleScenes) allMeshes() *scene.Scene {
	out := &scene.Scene{}
	for _, s := range gpb.All[*gpb.Scene](b.File) {
		out.Ambient = s.Ambient
	}
	for _, m := range gpb.All[*gpb.Mesh](b.File) {
		out.Roots = append(out.Roots, &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: b.mesh(m)})
	}
	return out
}

// Visible reports whether a scene has a mesh with content.
func Visible(s *scene.Scene) bool {
	hasIndices := false
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil || n.Mesh.Count == 0 {
			return
		}
		for _, p := range n.Mesh.Parts {
			hasIndices = hasIndices || n.Mesh.PartIndices(p).Len() > 0
		}
	})
	return hasIndices
}

// addFromBundle adds copies of the nodes of another bundle that an address means to the scene, below parent and under a
// name, and the animations that move them. It returns the copies. One of several nodes may be below another: each is
// copied apart, as the engine loads each. But it does not look for an id without a * in the scene first, as later
// engines do (Bundle::loadNode), which then rename a node of the scene: the url decides.
func (c *composer) addFromBundle(a address, name string, parent *scene.Node) []*scene.Node {
	b := c.bundle(a.file)
	if b == nil {
		return nil
	}
	from := c.originalOf(b)
	found := from.nodes.findAll(nil, a)
	c.nodes.visited, from.nodes.visited = c.nodes.visited+from.nodes.visited, 0
	if len(found) == 0 {
		c.resources.Notef("%s has no node %s", a.file, a)
	}
	var nodes, roots []*scene.Node
	copies, names := make(map[*scene.Node][]*scene.Node), make(materialNames)
	for _, n := range found {
		if c.nodes.visited > maxVisited {
			break
		}
		copied, tops := from.copyTree(n)
		for node, nodeCopy := range copied {
			copies[node] = append(copies[node], nodeCopy)
			names[nodeCopy] = from.names[node]
		}
		c.nodes.visited += len(copied)
		nodes, roots = append(nodes, copied[n]), append(roots, tops...)
	}
	for _, n := range roots {
		c.nodes.add(parent, n)
	}
	c.nodes.rename(nodes, a.id, name)
	names.assign(c.assigner, &scene.Scene{Roots: roots}, b.project)
	c.noteTextures(roots)
	for _, a := range from.scene.Animations {
		c.addAnimationOfCopies(a, copies)
	}
	return nodes
}

// original is a scene from which nodes are copied. Its skeletons are at their position in the file.
type original struct {
	bareScene
	nodes   nodeIndex
	parents map[*scene.Node]*scene.Node
}

// originalOf returns all scenes of another bundle as one, which is cached; the composed scene has copies of its nodes.
func (c *composer) originalOf(b *BundleScenes) *original {
	from := c.originals[b]
	if from == nil {
		s := b.mergeScenes(gpb.All[*gpb.Scene](b.File)...)
		b.withSurroundings(c.ctx, s)
		from = &original{s, nodeIndex{scene: s.scene}, treeOf(s.scene).parent}
		c.originals[b] = from
	}
	return from
}

// addAnimationOfCopies adds an animation of another bundle to the scene, with the channels that move copied nodes, for
// each copy. It adds nothing if there is no such channel.
func (c *composer) addAnimationOfCopies(a *scene.Animation, copies map[*scene.Node][]*scene.Node) {
	moved := *a
	moved.Channels, moved.Clips = nil, slices.Clone(a.Clips)
	for _, channel := range a.Channels {
		for _, target := range copies[channel.Target] {
			if c.nodes.visited++; c.nodes.visited > maxVisited {
				break
			}
			copied := *channel
			copied.Target = target
			moved.Channels = append(moved.Channels, &copied)
		}
	}
	if out := c.assigner.Scene; len(moved.Channels) > 0 {
		out.Animations = append(out.Animations, &moved)
	}
}

// noteTextures notes the missing pictures of nodes and their descendants.
func (c *composer) noteTextures(nodes []*scene.Node) {
	(&scene.Scene{Roots: nodes}).Walk(func(n *scene.Node, _ scene.Matrix) {
		for _, m := range n.Materials {
			if m != nil {
				c.resources.NoteAbsentTextures(m)
			}
		}
	})
}

// copyTree returns copies of a node, of its descendants, and of the skeletons they follow, by the original node, and
// the copied skeletons without a parent. As in the engine (Bundle::loadNode), a copy has skeletons of its own, with
// only the transforms of the nodes above the joints. Meshes and materials are not copied.
func (o *original) copyTree(top *scene.Node) (copies map[*scene.Node]*scene.Node, roots []*scene.Node) {
	copies = make(map[*scene.Node]*scene.Node)
	var nodes []*scene.Node
	add := func(n, copied *scene.Node) { nodes, copies[n] = append(nodes, n), copied }
	for todo := []*scene.Node{top}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil || copies[n] != nil {
			continue
		}
		copied := *n
		copied.Children = nil
		add(n, &copied)
		todo = append(todo, n.Children...)
		if n.Skin != nil {
			todo = append(todo, n.Skin.Joints...)
		}
	}
	for i := 0; i < len(nodes); i++ { // which grows
		switch n, up := nodes[i], o.parents[nodes[i]]; {
		case n == top || up == nil:
			roots = append(roots, copies[n])
		case copies[up] == nil:
			add(up, &scene.Node{Name: up.Name, Offset: up.Offset, Transform: up.Transform})
		}
	}
	for _, n := range nodes {
		copied := copies[n]
		for _, child := range n.Children {
			if copies[child] != nil && child != top {
				copied.Children = append(copied.Children, copies[child])
			}
		}
		if copied.Skin != nil {
			skin := *n.Skin
			skin.Joints = make([]*scene.Node, len(skin.Joints))
			for i, joint := range n.Skin.Joints {
				skin.Joints[i] = copies[joint]
			}
			copied.Skin = &skin
		}
	}
	out := &scene.Scene{Roots: roots}
	attachSkeletons(out)
	return copies, out.Roots
}
