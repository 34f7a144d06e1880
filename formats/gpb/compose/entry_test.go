package compose_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

// entries are those of a .scene without a main bundle.
const entries = `scene
{
    ambientColor = 0.1, 0.2, 0.3, 1
    activeCamera = eye
    node lamp
    {
        light
        {
            type = SPOT
            color = 1, 0.5, 0 // orange
            range = 9 // meters
            innerAngle = 0.25
            outerAngle = 0.5
        }
        translate = 1, 2, 3 // where the desk is
    }
    node sun
    {
        light = res/lights.scene#sun
    }
    node eye
    {
        camera = res/lights.scene#views/near
        scale = 2, 2, 2, 2
    }
    node dark
    {
        light
        {
            type = POINT
            color = 1, 1, 1
        }
        camera
        {
            fieldOfView = 40
        }
    }
    node plan
    {
        camera
        {
            type = ORTHOGRAPHIC
            zoomX = 8
            zoomY = 6
        }
    }
    node hills
    {
        terrain = res/lands.terrain#low
    }
    node lost
    {
        light = res/lights.scene#moon
        light
        {
            type = DIRECTIONAL
            color = 0, 0, 0
        }
        light
        {
            type = DIRECTIONAL
            color = 0, 1, 0
        }
    }
}`

const lights = `light star
{
    type = DIRECTIONAL
    color = 0, 0, 1
}
light sun
{
    type = DIRECTIONAL
    color = 1, 1, 0.5
}
cameras views
{
    camera near
    {
        type = PERSPECTIVE
    }
}`

func TestEntriesDescribeNodes(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{"res/level.scene": []byte(entries), "res/lights.scene": []byte(lights),
		"res/lands.terrain": []byte("terrain high\n{\n}\nterrain low\n{\nheightmap\n{\npath = h.raw\nsize = 2, 2\n}\n}\n"),
		"res/h.raw":         {0, 0, 255, 255}})("res/level.scene")
	assert.Equal(t, [3]float32{.1, .2, .3}, s.Ambient, "also without a bundle")
	n := gpbtest.NodesByName(s)
	assert.Equal(t, &scene.Light{Name: "lamp", Kind: scene.Spot, Color: [3]float32{1, .5, 0}, Range: 9, Inner: .25,
		Outer: .5}, n["lamp"].Light, "angles are in radians, and comments end numbers")
	assert.Equal(t, []float32{1, 2, 3}, n["lamp"].Transform[12:15])
	assert.Equal(t, &scene.Light{Name: "sun", Color: [3]float32{1, 1, .5}}, n["sun"].Light, "a light of another file")
	assert.Equal(t, &scene.Camera{Name: "eye", FieldOfView: math.Pi / 3, Near: .2, Far: 100}, n["eye"].Camera,
		"a nested camera of another file")
	assert.Same(t, n["eye"], s.ActiveCamera)
	assert.Equal(t, float32(2), n["eye"].Transform[0])
	assert.Nil(t, n["dark"].Light)
	assert.Nil(t, n["dark"].Camera)
	assert.Equal(t, &scene.Camera{Name: "plan", Orthographic: true, Width: 8, Height: 6,
		Near: .2, Far: 100}, n["plan"].Camera)
	require.NotNil(t, n["hills"].Mesh, "the terrain with an id, not the first")
	assert.Equal(t, &scene.Light{Name: "lost", Color: [3]float32{0, 1, 0}}, n["lost"].Light, "its own, and the last of them")
	assert.Equal(t, []string{
		"the light of dark is ignored: it needs a type, a color and, unless it is DIRECTIONAL, a range; " +
			"a SPOT also needs an innerAngle and an outerAngle",
		"the camera of dark is ignored: its type is neither PERSPECTIVE nor ORTHOGRAPHIC",
		"res/lights.scene has no moon"}, s.Missing)
}

// TestLastReferenceOfAnEntryCounts tests this as in the engine's SceneLoader, which applies the properties of an entry
// in order.
func TestLastReferenceOfAnEntryCounts(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "A", "B"),
		"res/b.physics": []byte(bodies), "res/h.raw": {0, 0, 255, 255},
		"res/l.scene": []byte("light red\n{\ntype = DIRECTIONAL\ncolor = 1, 0, 0\n}\n" +
			"light blue\n{\ntype = DIRECTIONAL\ncolor = 0, 0, 1\n}\n" +
			"camera near\n{\ntype = PERSPECTIVE\n}\ncamera flat\n{\ntype = ORTHOGRAPHIC\n}\n" +
			"terrain none\n{\n}\nterrain low\n{\nheightmap\n{\npath = h.raw\nsize = 2, 2\n}\n}\n"),
		"res/t.scene": []byte("scene\n{\npath = a.gpb\nnode N\n{\nurl = A\nurl = B\ntranslate = 5, 0, 0\n" +
			"translate = 6, 0, 0\nlight = l.scene#red\nlight = l.scene#blue\ncamera = l.scene#near\ncamera = l.scene#flat\n" +
			"collisionObject = b.physics#box\ncollisionObject = b.physics#wall\n}\n" +
			"node land\n{\nterrain = l.scene#none\nterrain = l.scene#low\n}\n}\n")})
	n := gpbtest.NodesByName(sceneOf("res/t.scene"))
	require.Contains(t, n, "A")
	require.Contains(t, n, "N", "it was B")
	assert.Equal(t, float32(5), n["N"].Transform[12], "it is looked up: of several the first")
	require.NotNil(t, n["N"].Light)
	assert.Equal(t, [3]float32{0, 0, 1}, n["N"].Light.Color)
	require.NotNil(t, n["N"].Camera)
	assert.True(t, n["N"].Camera.Orthographic)
	assert.Equal(t, &scene.Collision{Shape: scene.MeshCollision}, n["N"].Collision)
	assert.NotNil(t, n["land"].Mesh)
}

// TestNodesOfAnotherBundleAreCopies adds one node of another bundle twice: each has its own position and animation, and
// the bundle is read and given its materials once.
func TestNodesOfAnotherBundleAreCopies(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{
		"res/other.gpb": gpbtest.Crates(t, "box=wood", "lid"), "res/other.material": gpbtest.Colors("wood"),
		"res/level.scene": []byte("scene\n{\n node a\n {\n  url = other.gpb#box\n  translate = 1, 2, 3\n }\n" +
			" node b\n {\n  url = other.gpb#box\n  node c\n  {\n  }\n }\n}\n"),
	})("res/level.scene")
	n := gpbtest.NodesByName(s)
	require.Len(t, n, 3)
	a, b := n["a"], n["b"]
	assert.Equal(t, []float32{1, 2, 3}, a.Transform[12:15])
	assert.Equal(t, scene.Identity, b.Transform)
	assert.Empty(t, a.Children)
	assert.Equal(t, []*scene.Node{n["c"]}, b.Children)
	require.Len(t, s.Animations, 2)
	for i, target := range []*scene.Node{a, b} {
		require.Len(t, s.Animations[i].Channels, 1)
		assert.Same(t, target, s.Animations[i].Channels[0].Target)
	}
	assert.Equal(t, "wood", a.Material(0).Name)
	assert.Same(t, a.Material(0), b.Material(0))
	assert.Same(t, a.Mesh, b.Mesh)
}

// TestManyCopiesAreFound has a scene of many copies of the last node of another bundle, and an entry for each.
func TestManyCopiesAreFound(t *testing.T) {
	const many = 3000
	var level strings.Builder
	nodes := make([]string, many)
	for i := range many {
		nodes[many-1-i] = fmt.Sprint("A", i)
		fmt.Fprintf(&level, "node n%d\n{\nurl = box.gpb#A0\n}\nnode n%d\n{\ntranslate = 1, 0, 0\n}\n", i, i)
	}
	s := gpbtest.SceneIn(t, map[string][]byte{"box.gpb": gpbtest.Crates(t, nodes...),
		"a.scene": []byte("scene\n{\n" + level.String() + "}\n")})("a.scene")
	assert.Empty(t, s.Missing)
	require.Equal(t, many, len(s.Roots))
	for _, n := range s.Roots {
		assert.Equal(t, float32(1), n.Transform[12])
	}
}

// TestMaterialsOfNodesOfAnotherBundleStay tests that a material of NAME.material stays when an entry assigns another
// one to all parts, as in the main bundle, and that missing ones are reported.
func TestMaterialsOfNodesOfAnotherBundleStay(t *testing.T) {
	files := map[string][]byte{"box.gpb": gpbtest.Crates(t, "A=wood", "B=wood,gold"), "box.material": gpbtest.Colors("wood"),
		"bare.gpb": gpbtest.Crates(t, "A=wood"), "look.material": gpbtest.Colors("stone")}
	const entries = "node A\n{\n%smaterial = look.material#stone\n}\nnode B\n{\n%s}\n"
	files["main.scene"] = []byte("scene\n{\npath = box.gpb\n" + fmt.Sprintf(entries, "", "") + "}\n")
	files["copies.scene"] = []byte("scene\n{\n" + fmt.Sprintf(entries, "url = box.gpb#A\n", "url = box.gpb#B\n") + "}\n")
	files["bare.scene"] = []byte("scene\n{\nnode A\n{\nurl = bare.gpb#A\n}\n}\n")
	sceneOf := gpbtest.SceneIn(t, files)
	for _, file := range []string{"main.scene", "copies.scene"} {
		s := sceneOf(file)
		assert.Equal(t, []string{"wood", "stone"}, gpbtest.MaterialNames(s, "A"), file)
		assert.Equal(t, []string{"wood", "gold?"}, gpbtest.MaterialNames(s, "B"), file)
		assert.Equal(t, []string{"box.material has no material gold"}, s.Missing, file)
	}
	s := sceneOf("bare.scene")
	assert.Equal(t, []string{"guessed: colors of materials (bare.material was not found beside the bundle)"}, s.Missing)
	assert.False(t, s.Incomplete, "often only code gives materials")
	assert.Empty(t, s.Absent)
}

// TestNestedNodesAreCopiedSeparately names a node of another bundle and, by the same *, its child. As in the engine,
// each has its own copies of its descendants, and only the node itself gets a name and a position.
func TestNestedNodesAreCopiedSeparately(t *testing.T) {
	child := &gpb.Node{ID: "A1", Parent: "A", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m"}}
	other := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}, Objects: []gpb.Object{
		gpbtest.SceneOf(&gpb.Node{ID: "A", Transform: gpbtest.Identity, Children: []*gpb.Node{child}}),
		&gpb.Animations{ID: "moves", List: []*gpb.Animation{{Name: "m", Channels: []*gpb.Channel{
			gpbtest.Channel("A1", 9)}}}}}}
	s := gpbtest.SceneIn(t, map[string][]byte{
		"res/other.gpb": gpbtest.Encode(t, other, gpbtest.V15, gpbtest.ByID),
		"res/t.scene":   []byte("scene\n{\n node N\n {\n  url = other.gpb#A*\n  translate = 10, 0, 0\n }\n}\n"),
	})("res/t.scene")
	require.Len(t, s.Roots, 2)
	whole, part := s.Roots[0], s.Roots[1]
	assert.Equal(t, []string{"N", "N1"}, []string{whole.Name, part.Name})
	require.Len(t, whole.Children, 1)
	inner := whole.Children[0]
	assert.Equal(t, "A1", inner.Name)
	assert.NotSame(t, inner, part)
	assert.Equal(t, scene.Identity, inner.Transform)
	assert.Equal(t, float32(10), part.Transform[12])
	require.Len(t, s.Animations, 1)
	var moved []*scene.Node
	for _, channel := range s.Animations[0].Channels {
		moved = append(moved, channel.Target)
	}
	assert.Equal(t, []*scene.Node{inner, part}, moved)
}

// families returns a bundle with the nodes A, which has a light and the child B, crate1, which has a camera, crate2 and
// a node without a name.
func families(t *testing.T) []byte {
	node := func(id string, children ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: id, Transform: gpbtest.Identity, Children: children}
	}
	seen := node("crate1")
	seen.Camera = &gpb.Camera{ID: "crate1", Aspect: 1, FieldOfView: 60, Near: 1, Far: 9}
	seen.Model = &gpb.Model{Mesh: "#m"}
	lit := node("A", node("B"))
	lit.Light = &gpb.Light{Kind: gpb.Directional, Color: [3]float32{1, 1, 1}}
	all := gpbtest.SceneOf(lit, seen, node("crate2"), node(""))
	return gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}, Objects: []gpb.Object{all}},
		gpbtest.V15, gpbtest.ByID)
}

// TestEntriesFindTheNodesOfTheEngine tests the rules for ids of the engine's SceneLoader, Scene and Node.
func TestEntriesFindTheNodesOfTheEngine(t *testing.T) {
	for name, test := range map[string]struct {
		entries string
		want    map[string]float32 // how far nodes were moved
		says    []string
	}{
		"a * counts in a url": {"node crate*\n{\n translate = 5, 0, 0\n}", map[string]float32{"A": 0, "B": 0, "crate1": 0,
			"crate2": 0, "": 0, "crate*": 5}, nil},
		"in a url": {"node box\n{\n url = crate*\n translate = 5, 0, 0\n}", map[string]float32{"A": 0, "B": 0, "box1": 5,
			"box2": 5, "": 0}, nil},
		"a * alone is a name": {"node N\n{\n url = *\n translate = 5, 0, 0\n}", map[string]float32{"A": 0, "B": 0,
			"crate1": 0, "crate2": 0, "": 0}, []string{"the scene has no node *"}},
		"below its parent": {"node A\n{\n node C\n {\n  url = crate*\n }\n}", map[string]float32{"A": 0, "B": 0,
			"crate1": 0, "crate2": 0, "": 0}, []string{"A has no node crate*"}},
		"children before theirs": {"node C\n{\n}\nnode B\n{\n url = C\n}\nnode B\n{\n translate = 5, 0, 0\n}",
			map[string]float32{"A": 0, "B": 5, "crate1": 0, "crate2": 0, "": 0}, nil},
		"an entry without an id": {"node\n{\n translate = 5, 0, 0\n}", map[string]float32{"A": 0, "B": 0, "crate1": 0,
			"crate2": 0, "": 0}, []string{"a scene entry without an id was skipped"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": families(t),
				"res/t.scene": []byte("scene\n{\n path = a.gpb\n activeCamera = crate*\n" + test.entries + "\n}\n"),
			})("res/t.scene")
			moved := make(map[string]float32)
			s.Walk(func(n *scene.Node, _ scene.Matrix) { moved[n.Name] = max(moved[n.Name], n.Transform[12]) })
			assert.Equal(t, test.want, moved)
			assert.Equal(t, test.says, s.Missing)
			assert.Nil(t, s.ActiveCamera, "its name is exact, too")
			for _, top := range s.Roots {
				for _, child := range top.Children {
					assert.Zero(t, child.Transform[12])
				}
			}
		})
	}
}

// TestInvalidLightsAndCamerasAreLeftOut has what Light::create and Camera::create refuse. Then the node has none, not
// even that of the bundle.
func TestInvalidLightsAndCamerasAreLeftOut(t *testing.T) {
	for light, whole := range map[string]bool{
		"type = DIRECTIONAL\ncolor = 1, 1, 1": true, "type = DIRECTIONAL": false, "color = 1, 1, 1": false,
		"type = POINT\ncolor = 1, 1, 1\nrange = 2":                                     true,
		"type = POINT\ncolor = 1, 1, 1":                                                false,
		"type = SPOT\ncolor = 1, 1, 1\nrange = 2\ninnerAngle = 0.25\nouterAngle = 0.5": true,
		"type = SPOT\ncolor = 1, 1, 1\nrange = 2\nouterAngle = 0.5":                    false,
		"type = SPOT\ncolor = 1, 1, 1\nrange = 2\ninnerAngle = 0.25":                   false,
		"type = SPOT\ncolor = 1, 1, 1\ninnerAngle = 0.25\nouterAngle = 0.5":            false,
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": families(t),
			"res/t.scene": []byte("scene\n{\npath = a.gpb\nnode A\n{\nlight\n{\n" + light + "\n}\n}\n}\n")})("res/t.scene")
		assert.Equal(t, whole, s.Roots[0].Light != nil, light)
		assert.Equal(t, whole, len(s.Missing) == 0, light)
	}
	s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": families(t),
		"res/t.scene": []byte("scene\n{\npath = a.gpb\nnode crate1\n{\ncamera\n{\n}\n}\n}\n")})("res/t.scene")
	assert.Nil(t, gpbtest.NodesByName(s)["crate1"].Camera)
	assert.Len(t, s.Missing, 1)
}

// TestBundleHasTheMaterialsOfItsScene has entries that rename nodes: the bundle shows the names of its own.
func TestBundleHasTheMaterialsOfItsScene(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"a.gpb": gpbtest.Crates(t, "A", "B", "C1", "C2"),
		"m.material": gpbtest.Colors("x", "y"),
		"t.scene": []byte("scene\n{\npath = a.gpb\nnode C\n{\nurl = A\nmaterial = m.material#x\n}\n" +
			"node A\n{\nmaterial = m.material#y\n}\nnode C\n{\nmaterial[1] = m.material#y\n}\n" +
			"node D\n{\nurl = C*\n}\nnode D2\n{\nmaterial = m.material#x\n}\n}\n")})
	for file, names := range map[string][]string{"t.scene": {"D", "B", "D1", "D2"}, "a.gpb": {"A", "B", "C1", "C2"}} {
		s := sceneOf(file)
		for i, want := range [][]string{{"x", "y"}, {"none", "none"}, {"none", "none"}, {"x", "x"}} {
			assert.Equal(t, want, gpbtest.MaterialNames(s, names[i]), "%s: %s", file, names[i])
		}
	}
}

const bodies = `collisionObject box
{
    type = RIGID_BODY
    shape = BOX
    extents = 1, 2, 3
    center = 0, 1, 0
}
collisionObject heir : box
{
    shape = CAPSULE
    radius = 2
    height = 7
    centerAbsolute = true
}
rigidbody old
{
    type = SPHERE
}
collisionObject wall
{
    shape = MESH
}
collisionObject thin
{
    shape = CAPSULE
    radius = 2
    center = 0, 1, 0
}
collisionObject none
{
    shape = DREAM
}
`

func TestSceneHasTheCollisionShapesOfItsEntries(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.gpb":     gpbtest.Crates(t, "a", "b", "c", "d", "e", "f", "g", "h", "i"),
		"res/a.physics": []byte(bodies),
		"res/a.scene": []byte("scene s\n{\n  path = res/a.gpb\n" +
			"  node a\n  {\n    collisionObject = res/a.physics#box\n  }\n" +
			"  node b\n  {\n    collisionObject = a.physics#heir\n  }\n" +
			"  node c\n  {\n    rigidbody = res/a.physics#old\n  }\n" +
			"  node d\n  {\n    collisionObject\n    {\n      shape = BOX\n    }\n" +
			"    collisionObject\n    {\n      shape = MESH\n    }\n  }\n" +
			"  node e\n  {\n    collisionObject = res/a.physics#none\n  }\n" +
			"  node f\n  {\n    collisionObject = res/gone.physics#box\n    rigidBody\n    {\n      shape = SPHERE\n    }\n  }\n" +
			"  node g\n  {\n    collisionObject = a.physics#thin\n  }\n" +
			"  node h\n  {\n    collisionObject = a.physics#box\n    rigidBodyModel = g\n  }\n" +
			"  node i\n  {\n    collisionObject\n    {\n      shape = MESH\n    }\n    collisionMesh = g\n  }\n}\n"),
	})
	for _, file := range []string{"res/a.scene", "res/a.gpb"} {
		s := sceneOf(file)
		nodes := gpbtest.NodesByName(s)
		for _, name := range []string{"h", "i"} {
			assert.Nil(t, nodes[name].Collision, "%s in %s", name, file)
			assert.Contains(t, s.Missing, "the collision shape of "+name+" is not drawn: it uses the mesh of g")
		}
		for name, want := range map[string]*scene.Collision{
			"a": {Shape: scene.BoxCollision, Size: [3]float32{1, 2, 3}, Center: [3]float32{0, 1, 0}},
			"b": {Shape: scene.CapsuleCollision, Center: [3]float32{0, 1, 0}, Absolute: true, Radius: 2, Height: 7},
			"c": {Shape: scene.SphereCollision}, "d": {Shape: scene.MeshCollision}, "e": nil, "f": {Shape: scene.SphereCollision},
			"g": {Shape: scene.CapsuleCollision},
		} {
			assert.Equal(t, want, nodes[name].Collision, "%s in %s", name, file)
		}
	}
	shapes := sceneOf("res/a.physics")
	var names []string
	for _, n := range shapes.Roots {
		names = append(names, n.Name)
		assert.Equal(t, scene.Lines, n.Mesh.Parts[0].Primitive)
	}
	assert.Equal(t, []string{"box", "heir", "old", "wall", "thin"}, names, "a text of shapes shows them")
}

// TestMillionCollisionShapesAreReadInTime reads a text of a million shapes, and a scene whose nodes have as many.
func TestMillionCollisionShapesAreReadInTime(t *testing.T) {
	many := 1_000_000
	if testing.Short() {
		many = 20_000
	}
	var text strings.Builder
	for i := range many {
		fmt.Fprintf(&text, "rigidbody s%d\n{\ntype=BOX\n}\n", i)
	}
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"res/a.physics": []byte(text.String())})
	s := sceneOf("res/a.physics")
	require.NotEmpty(t, s.Roots)
	assert.LessOrEqual(t, len(s.Roots), 400)
	assert.Contains(t, strings.Join(s.Missing, "\n"), "more collision shapes are not drawn")
}

// TestPictureOfTheSameNameIsSubstituted has a texture that is not where its material says; a picture of the same name
// elsewhere is drawn and exported.
func TestPictureOfTheSameNameIsSubstituted(t *testing.T) {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "one=wood"),
		"res/old/wood.png": picture.Bytes(), "res/a.material": []byte("material wood\n{\n" +
			"sampler u_diffuseTexture\n{\npath = res/new/wood.png\n}\n}\n")})("res/a.gpb")
	const sentence = "guessed: res/old/wood.png by its name (res/new/wood.png was not found)"
	assert.Contains(t, s.Missing, sentence)
	assert.True(t, s.Incomplete)
	assert.Empty(t, s.Absent)
	texture := gpbtest.NodesByName(s)["one"].Material(0).Texture.Texture
	assert.Empty(t, texture.Missing)
	assert.Equal(t, sentence, texture.Substitution)

	var out bytes.Buffer
	_, err := s.WriteGLB(t.Context(), &out, scene.GLBOptions{})
	require.NoError(t, err)
	assert.Contains(t, out.String(), `"name":"wood","pbrMetallicRoughness":{"metallicFactor":0}`,
		"not the color of a material without its picture")
}
