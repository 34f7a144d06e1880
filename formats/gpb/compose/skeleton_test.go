package compose_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

// half is the transform that halves and moves by 1 along z.
var half = [16]float32{0: .5, 5: .5, 10: .5, 14: 1, 15: 1}

// skinnedBy returns a node of a triangle that follows the joint at x = 2.
func skinnedBy(id string) *gpb.Node {
	bound := gpbtest.Translation(-2, 0, 0)
	return &gpb.Node{ID: id, Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#mesh",
		Skin: &gpb.Skin{BindShape: gpbtest.Identity, Joints: []string{"#joint"}, BindPoses: gpbtest.Floats(bound[:]...)}}}
}

func TestSkeletonMovesWithItsMesh(t *testing.T) {
	for name, c := range map[string]struct {
		nodes []*gpb.Node
		space string // in which the skeleton stands; empty for that of the scene
		want  [3]float32
	}{
		"one mesh": {[]*gpb.Node{{ID: "scale", Transform: half, Children: []*gpb.Node{skinnedBy("body")}}},
			"body", [3]float32{1, 0, 1}},
		"two meshes of one place": {[]*gpb.Node{{ID: "scale", Transform: half,
			Children: []*gpb.Node{skinnedBy("body"), skinnedBy("shirt")}}}, "scale", [3]float32{1, 0, 1}},
		"two meshes that have no place in common": {[]*gpb.Node{
			{ID: "scale", Transform: half, Children: []*gpb.Node{skinnedBy("body")}}, skinnedBy("shirt")},
			"", [3]float32{2, 0, 0}},
	} {
		joint := &gpb.Node{ID: "joint", Joint: true, Transform: gpbtest.Translation(2, 0, 0)}
		in := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: []gpb.Object{
			&gpb.Scene{ID: "s", Nodes: append([]*gpb.Node{joint}, c.nodes...)}}}
		f := read(t, gpbtest.Encode(t, in, gpbtest.V11, gpbtest.ByID))
		s := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene))
		n := gpbtest.NodesByName(s)
		require.NotNil(t, n["joint"], name)
		pose := scene.NewPose(s)
		world := pose.World[pose.Index(n["joint"])]
		assert.Equal(t, c.want, [3]float32{world[12], world[13], world[14]}, name)
		assert.Same(t, n[c.space], n["body"].Skin.Space, name)
		assert.Len(t, pose.Nodes, len(n), "each node once: "+name)
	}
}

// TestTreeWithAnUnattachedMeshIsNotMoved: also if the skin names a joint that is not there.
func TestTreeWithAnUnattachedMeshIsNotMoved(t *testing.T) {
	body := skinnedBy("body")
	body.Model.Skin.Joints = append(body.Model.Skin.Joints, "#nobody")
	joint := &gpb.Node{ID: "joint", Joint: true, Transform: gpbtest.Identity}
	rig := func(below ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: "rig", Transform: gpbtest.Identity, Children: append(below, joint)}
	}
	crate := &gpb.Node{ID: "crate", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#mesh"}}
	for _, c := range []struct {
		rig   *gpb.Node
		roots int
	}{{rig(), 1}, {rig(crate), 2}} {
		in := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: []gpb.Object{
			&gpb.Scene{ID: "s", Nodes: []*gpb.Node{body, c.rig}}}}
		f := read(t, gpbtest.Encode(t, in, gpbtest.V11, gpbtest.ByID))
		assert.Len(t, compose.NewBundleScenes(f, nil).AllScenes(t.Context()).Roots, c.roots)
	}
}

// TestSkeletonIsSearchedBeforeOtherChildren: of two nodes of one name below a skinned node, the one in its skeleton
// is the one that the engine takes.
func TestSkeletonIsSearchedBeforeOtherChildren(t *testing.T) {
	body := skinnedBy("body")
	body.Children = []*gpb.Node{{ID: "tip", Transform: gpbtest.Identity}}
	joint := &gpb.Node{ID: "joint", Joint: true, Transform: gpbtest.Identity, Children: []*gpb.Node{
		{ID: "bone", Joint: true, Transform: gpbtest.Translation(0, 0, 7)}}}
	bundle := gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: []gpb.Object{
		&gpb.Scene{ID: "s", Nodes: []*gpb.Node{joint, body}}}}, gpbtest.V11, gpbtest.ByID)
	const entries = "node bone\n{\nurl = tip\n}\nnode bone\n{\ntranslate = 5, 0, 0\n}\n"
	for name, level := range map[string]string{
		"main bundle":    "path = body.gpb\n" + entries,
		"another bundle": "node all\n{\nurl = body.gpb#body\n" + entries + "}\n",
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"body.gpb": bundle,
			"a.scene": []byte("scene\n{\n" + level + "}\n")})("a.scene")
		var bones []scene.Matrix
		s.Walk(func(n *scene.Node, _ scene.Matrix) {
			if n.Name == "bone" {
				bones = append(bones, n.Transform)
			}
		})
		assert.ElementsMatch(t, []scene.Matrix{scene.Identity, scene.Matrix(gpbtest.Translation(5, 0, 7))}, bones, name)
	}
}

// TestCopyHasItsOwnSkeleton copies skinned nodes of another bundle whose skeletons other meshes follow, too, or
// carry a mesh, or are beside the node in one tree: the skeleton hangs on the copy, and moves.
func TestCopyHasItsOwnSkeleton(t *testing.T) {
	joint := func() *gpb.Node {
		return &gpb.Node{ID: "joint", Parent: "rig", Joint: true, Transform: gpbtest.Translation(2, 0, 0)}
	}
	rig := func(children ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: "rig", Joint: true, Transform: gpbtest.Translation(0, 10, 0), Children: children}
	}
	armed := joint()
	armed.Children = []*gpb.Node{{ID: "sword", Parent: "joint", Transform: gpbtest.Identity,
		Model: &gpb.Model{Mesh: "#mesh"}}}
	for name, nodes := range map[string][]*gpb.Node{
		"one mesh":   {skinnedBy("body"), rig(joint())},
		"two meshes": {skinnedBy("body"), skinnedBy("shirt"), rig(joint())},
		"two meshes in one place": {{ID: "place", Transform: gpbtest.Identity,
			Children: []*gpb.Node{skinnedBy("body"), skinnedBy("shirt")}}, rig(joint())},
		"a mesh on a joint":        {skinnedBy("body"), rig(armed)},
		"the mesh is in the tree":  {rig(joint(), skinnedBy("body"))},
		"another mesh is in there": {rig(joint(), skinnedBy("shirt")), skinnedBy("body")},
	} {
		t.Run(name, func(t *testing.T) {
			bundle := gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: []gpb.Object{
				&gpb.Scene{ID: "s", Nodes: nodes}, &gpb.Animations{ID: "a", List: []*gpb.Animation{
					{Name: "walk", Channels: []*gpb.Channel{gpbtest.Channel("joint", 9)}}}}}}, gpbtest.V15, gpbtest.ByID)
			s := gpbtest.SceneIn(t, map[string][]byte{"other.gpb": bundle,
				"a.scene": []byte("scene\n{\nnode N\n{\nurl = other.gpb#body\ntranslate = 100, 0, 0\n}\n}\n")})("a.scene")
			require.Len(t, s.Roots, 1)
			n := s.Roots[0]
			require.NotNil(t, n.Skin)
			pose := scene.NewPose(s)
			at := pose.Index(n.Skin.Joints[0])
			require.Positive(t, at)
			assert.Equal(t, []float32{102, 10, 0}, pose.World[at][12:15])
			assert.Same(t, n, n.Skin.Space)
			require.Len(t, s.Animations, 1)
			require.Len(t, s.Animations[0].Channels, 1)
			assert.Same(t, n.Skin.Joints[0], s.Animations[0].Channels[0].Target)
			seen := make(map[*scene.Node]bool)
			s.Walk(func(n *scene.Node, _ scene.Matrix) {
				assert.False(t, seen[n], "%s is there once", n.Name)
				seen[n] = true
				assert.NotEqual(t, "shirt", n.Name)
			})
			assert.Equal(t, name == "a mesh on a joint", gpbtest.NodesByName(s)["sword"] != nil)
		})
	}
}

// TestUnattachableSkeletonsAreNotMoved: no node is lost that the file has, and each is there once.
func TestUnattachableSkeletonsAreNotMoved(t *testing.T) {
	node := func(id string, children ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: id, Transform: gpbtest.Translation(0, 1, 0), Children: children}
	}
	follower := func(id string, joints ...string) *gpb.Node {
		n := skinnedBy(id)
		n.Model.Skin.Joints = joints
		n.Model.Skin.BindPoses = gpbtest.Floats(slices.Repeat(gpbtest.Identity[:], len(joints))...)
		return n
	}
	chair := node("chair")
	chair.Model = &gpb.Model{Mesh: "#mesh"}
	for name, test := range map[string]struct {
		nodes []*gpb.Node
		roots []string // in the bundle
		below []string // where its node body is copied
	}{
		"in a tree with other meshes, and joints are missing": {[]*gpb.Node{follower("body", "#joint", "#nobody"),
			node("room", node("joint"), chair)}, []string{"body", "room"}, []string{"N", "joint", "room"}},
		"with a rider": {[]*gpb.Node{follower("body", "#joint"), node("rig", node("joint", follower("rider", "#hip"))),
			node("hip")}, []string{"body", "rig"}, []string{"N", "hip", "joint", "rider", "rig"}},
		"two that carry each other": {[]*gpb.Node{node("rig", node("joint", follower("body", "#hip"))),
			node("hip", follower("rider", "#joint"))}, []string{"hip", "rig"}, []string{"N", "hip", "joint", "rider", "rig"}},
	} {
		sceneOf := gpbtest.SceneIn(t, map[string][]byte{"other.gpb": gpbtest.Encode(t, &gpb.File{
			Meshes:  []*gpb.Mesh{gpbtest.Triangle("mesh")},
			Objects: []gpb.Object{&gpb.Scene{ID: "s", Nodes: test.nodes}}}, gpbtest.V15, gpbtest.ByID),
			"a.scene": []byte("scene\n{\nnode N\n{\nurl = other.gpb#body\n}\n}\n")})
		var roots, below []string
		for _, n := range sceneOf("other.gpb").Roots {
			roots = append(roots, n.Name)
		}
		assert.ElementsMatch(t, test.roots, roots, name)
		s := sceneOf("a.scene")
		pose := scene.NewPose(s)
		for _, n := range pose.Nodes {
			below = append(below, n.Name)
			if n.Skin != nil {
				assert.NotNil(t, pose.Palette(n), "%s: %s", name, n.Name)
			}
		}
		assert.ElementsMatch(t, test.below, below, name)
	}
}
