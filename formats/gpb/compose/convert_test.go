package compose_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/scene"
)

// TestClipsAreRangesOfFrames has what the engine reads of clips (Animation::createClips): frames are whole numbers, and
// 0 where none is given. The animation of crates is 2 seconds long.
func TestClipsAreRangesOfFrames(t *testing.T) {
	for clip, test := range map[string]struct {
		want *scene.Clip
		says []string
	}{
		"begin = 25\nend = 50":                  {&scene.Clip{Start: .5, End: 1, Speed: 1}, nil},
		"end = 50":                              {&scene.Clip{End: 1, Speed: 1}, nil},
		"begin = 25.9\nend = 50.1\nspeed = 0.5": {&scene.Clip{Start: .5, End: 1, Speed: .5}, nil},
		"end = 50\nspeed = -2":                  {&scene.Clip{End: 1, Speed: -2}, nil},
		"end = 50\nspeed = -1e9":                {&scene.Clip{End: 1, Speed: -1}, nil},
		"begin = 25\nend = 101":                 {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
		"begin = 25":                            {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "one"),
			"res/a.animation": []byte("animation a\n{\nframeCount = 100\nclip c\n{\n" + clip + "\n}\n}\n")})("res/a.gpb")
		require.Len(t, s.Animations, 1)
		first, last := s.Animations[0].Span()
		require.InDeltaSlice(t, []float32{0, 2}, []float32{first, last}, 1e-6)
		name := strings.ReplaceAll(clip, "\n", ", ")
		assert.Equal(t, test.says, s.Missing, name)
		if test.want == nil {
			assert.Empty(t, s.Animations[0].Clips, name)
			continue
		}
		test.want.Name = "c"
		assert.Equal(t, []*scene.Clip{test.want}, s.Animations[0].Clips, name)
	}
}

// TestClipsAreCountedFromTheFirstKey: the engine subtracts its time (Animation::createChannel).
func TestClipsAreCountedFromTheFirstKey(t *testing.T) {
	moves := gpbtest.Channel("n", 9)
	moves.Times = gpbtest.Uints(1000, 1500, 3000)
	f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}, Objects: []gpb.Object{
		gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m"}}),
		&gpb.Animations{ID: "all", List: []*gpb.Animation{{ID: "a", Channels: []*gpb.Channel{moves}}}}}}
	s := gpbtest.SceneIn(t, map[string][]byte{"a.gpb": gpbtest.Encode(t, f, gpbtest.V15, gpbtest.ByID),
		"a.scene":     []byte("scene\n{\npath = a.gpb\n}\n"),
		"a.animation": []byte("animation a\n{\nframeCount = 100\nclip c\n{\nbegin = 25\nend = 100\n}\n}\n")})("a.scene")
	require.Len(t, s.Animations, 1)
	assert.Equal(t, []*scene.Clip{{Name: "c", Start: 1.5, End: 3, Speed: 1}}, s.Animations[0].Clips)
}

// rest is the transform of the node of TestEachAttributeMovesItsNode without animation.
var rest = scene.TRS{Scale: [3]float32{1, 1, 1}, Rotation: [4]float32{3: 1}, Translation: [3]float32{7, 8, 9}}

// turned is a quarter of the way from no turn to half a turn around z: 45 degrees.
var turned = [4]float32{2: float32(math.Sin(math.Pi / 8)), 3: float32(math.Cos(math.Pi / 8))}

// TestEachAttributeMovesItsNode plays, for each target attribute, two keys that are a second apart, and looks a quarter
// of a second after the first. The expected values are computed by hand.
func TestEachAttributeMovesItsNode(t *testing.T) {
	noTurn, halfTurn := []float32{0, 0, 0, 1}, []float32{0, 0, 1, 0}
	join := func(parts ...[]float32) (all []float32) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	type values = []float32
	for attribute, c := range map[uint32]struct {
		first, last values
		want        func(n *scene.TRS)
	}{
		1:  {values{1, 2, 3}, values{5, 2, 7}, func(n *scene.TRS) { n.Scale = [3]float32{2, 2, 4} }},
		2:  {values{1}, values{9}, func(n *scene.TRS) { n.Scale[0] = 3 }},
		3:  {values{1}, values{9}, func(n *scene.TRS) { n.Scale[1] = 3 }},
		4:  {values{1}, values{9}, func(n *scene.TRS) { n.Scale[2] = 3 }},
		5:  {values{1, 2}, values{5, 6}, func(n *scene.TRS) { n.Scale = [3]float32{2, 3, 1} }},
		6:  {values{1, 2}, values{5, 6}, func(n *scene.TRS) { n.Scale = [3]float32{2, 1, 3} }},
		7:  {values{1, 2}, values{5, 6}, func(n *scene.TRS) { n.Scale = [3]float32{1, 2, 3} }},
		8:  {noTurn, halfTurn, func(n *scene.TRS) { n.Rotation = turned }},
		9:  {values{0, 4, 8}, values{4, 0, 8}, func(n *scene.TRS) { n.Translation = [3]float32{1, 3, 8} }},
		10: {values{0}, values{4}, func(n *scene.TRS) { n.Translation[0] = 1 }},
		11: {values{0}, values{4}, func(n *scene.TRS) { n.Translation[1] = 1 }},
		12: {values{0}, values{4}, func(n *scene.TRS) { n.Translation[2] = 1 }},
		13: {values{0, 8}, values{4, 4}, func(n *scene.TRS) { n.Translation = [3]float32{1, 7, 9} }},
		14: {values{0, 8}, values{4, 4}, func(n *scene.TRS) { n.Translation = [3]float32{1, 8, 7} }},
		15: {values{0, 8}, values{4, 4}, func(n *scene.TRS) { n.Translation = [3]float32{7, 1, 7} }},
		16: {join(noTurn, values{0, 4, 8}), join(halfTurn, values{4, 0, 8}), func(n *scene.TRS) {
			n.Rotation, n.Translation = turned, [3]float32{1, 3, 8}
		}},
		17: {join(values{1, 2, 3}, noTurn, values{0, 4, 8}), join(values{5, 2, 7}, halfTurn, values{4, 0, 8}),
			func(n *scene.TRS) {
				n.Scale, n.Rotation, n.Translation = [3]float32{2, 2, 4}, turned, [3]float32{1, 3, 8}
			}},
		18: {values{1, 2, 3, 0, 4, 8}, values{5, 2, 7, 4, 0, 8}, func(n *scene.TRS) {
			n.Scale, n.Translation = [3]float32{2, 2, 4}, [3]float32{1, 3, 8}
		}},
		19: {join(values{1, 2, 3}, noTurn), join(values{5, 2, 7}, halfTurn), func(n *scene.TRS) {
			n.Scale, n.Rotation = [3]float32{2, 2, 4}, turned
		}},
	} {
		want := rest
		c.want(&want)
		for interpolation := range uint32(7) { // the engine plays all of them in straight lines
			got, unplayed := play(t, attribute, interpolation, join(c.first, c.last), 500)
			assert.Empty(t, unplayed)
			assertNear(t, want.Matrix(), got, "attribute %d, interpolation %d", attribute, interpolation)
		}
	}
}

// TestQuaternionsTurnTheShortWay turns by -90 degrees around x, with a quaternion of the other sign that is not of
// length 1: a third of the way is -30 degrees, not 90.
func TestQuaternionsTurnTheShortWay(t *testing.T) {
	h := 2 * float32(math.Sqrt(.5))
	got, _ := play(t, 8, 1, []float32{0, 0, 0, 1, h, 0, 0, -h}, 250+1000./3)
	want := rest
	want.Rotation = [4]float32{0: float32(-math.Sin(math.Pi / 12)), 3: float32(math.Cos(math.Pi / 12))}
	assertNear(t, want.Matrix(), got, "a third of the way")
}

func TestChannelsThatTheEngineSkipsHaveANote(t *testing.T) {
	for _, attribute := range []uint32{0, 18, 19, 20, 21} {
		got, unplayed := play(t, attribute, 1, []float32{1, 2}, 500)
		assert.Equal(t, []string{`channels with unknown properties are not played (1, in "n")`}, unplayed)
		assertNear(t, rest.Matrix(), got, "attribute %d", attribute)
	}
}

// play writes and reads a file with a node that has a channel with keys at 250 and 1,250 ms. It returns the transform
// of the node at a time in ms, and the problems of the channels.
func play(t *testing.T, attribute, interpolation uint32, v []float32, ms float64) (scene.Matrix, []string) {
	n := &gpb.Node{ID: "n", Transform: rest.Matrix()}
	ch := &gpb.Channel{Target: "n", Attribute: attribute, Times: gpbtest.Uints(250, 1250), Values: gpbtest.Floats(v...),
		Interpolation: gpbtest.Uints(interpolation)}
	f := &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(n),
		&gpb.Animations{ID: "a", List: []*gpb.Animation{{ID: "walk", Channels: []*gpb.Channel{ch}}}}}}
	f = read(t, gpbtest.Encode(t, f, gpbtest.V12, gpbtest.ByID))
	s := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene))
	pose := scene.NewPose(s)
	player, problems := scene.NewPlayer(pose, s.Animations[0])
	require.Empty(t, problems)
	player.At(float32(ms / 1000))
	return pose.World[0], s.Unplayed()
}

func assertNear(t *testing.T, want, got scene.Matrix, text string, args ...any) {
	t.Helper()
	for i := range want {
		assert.InDelta(t, want[i], got[i], 1e-5, append([]any{text + ": number %d"}, append(args, i)...)...)
	}
}

func TestOffsetOfAKeyHasItsTime(t *testing.T) {
	f := read(t, gpbtest.Moves(t, 0, 250, 1000))
	ch := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene)).Animations[0].Channels[0]
	stored := f.AllAnimations()[0].Channels[0]
	for name, numbers := range map[string]model.Numbers{"times": stored.Times, "values": stored.Values} {
		got, ok := ch.KeyAt(numbers.Offset + 4 + 3) // the last byte of the second number
		assert.True(t, ok, name)
		assert.Equal(t, float32(.25), got, name)
		_, ok = ch.KeyAt(numbers.Offset - 1)
		assert.False(t, ok, "the count is of no key")
	}
}

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
	rig := func(children ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: "rig", Transform: gpbtest.Identity, Children: append(children, joint)}
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
		nodes  []*gpb.Node
		roots  []string // in the bundle
		copied []string // where its node body is copied
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
		var roots, copied []string
		for _, n := range sceneOf("other.gpb").Roots {
			roots = append(roots, n.Name)
		}
		assert.ElementsMatch(t, test.roots, roots, name)
		s := sceneOf("a.scene")
		pose := scene.NewPose(s)
		for _, n := range pose.Nodes {
			copied = append(copied, n.Name)
			if n.Skin != nil {
				assert.NotNil(t, pose.Palette(n), "%s: %s", name, n.Name)
			}
		}
		assert.ElementsMatch(t, test.copied, copied, name)
	}
}
