package compose_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model/render"
	"assay/model/scene"
)

const level = `scene level
{
    path = res/crates.gpb
    ambientColor = 0.1, 0.2, 0.3
    node one
    {
        material = res/look.material#stone
        material[1] = look.material#gold
        translate = 1, 2, 3
        rotate = 0, 1, 0, 90
        scale = 2, 2, 2
    }
    node Chair
    {
        url = Table*
        material = res/look.material
    }
    node three : one
    {
        url = four
    }
    node lamp
    {
        light
        {
            type = POINT
            color = 1, 0.5, 0
            range = 9
        }
        node far
        {
            url = res/other.gpb#both
        }
    }
    node nowhere
    {
        url = res/none.gpb#x
    }
    node two
    {
        material = res/look.material#no
        material[0] = ../../out.material
        material[7] = res/look.material#gold
        material[1 = res/look.material#gold
        material[+1] = res/look.material#gold
    }
}`

func TestMaterialsAreReadInsideAScene(t *testing.T) {
	const inline = `${red} = 1, 0, 0, 1
scene level
{
    path = crates.gpb
    node one
    {
        material
        {
            u_diffuseColor = ${red}
        }
    }
    node two : one
    {
        material[1] = look.material#gold
    }
}`
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"crates.gpb": gpbtest.Crates(t, "one", "two"),
		"look.material": gpbtest.Colors("gold"), "level.scene": []byte(inline)})
	for _, file := range []string{"level.scene", "crates.gpb"} {
		s := sceneOf(file)
		n := gpbtest.NodesByName(s)
		for _, name := range []string{"one", "two"} {
			assert.Equal(t, [4]float32{1, 0, 0, 1}, n[name].Materials[0].Diffuse, "%s: %s", file, name)
		}
		assert.Equal(t, []string{"two", "gold"}, gpbtest.MaterialNames(s, "two"), file)
	}
}

func TestTextsBesideABundleAreLimited(t *testing.T) {
	files := map[string][]byte{"crates.gpb": gpbtest.Crates(t, "one")}
	for i := range 65 {
		files[fmt.Sprintf("a%d.scene", i)] = []byte("scene a\n{\n path = other.gpb\n}\n")
	}
	sceneOf := gpbtest.SceneIn(t, files)
	assert.Contains(t, sceneOf("crates.gpb").Missing, "only the first 64 of the 65 .scene files beside it are read")
	files["b.scene"] = []byte("scene b\n{\n path = crates.gpb\n ambientColor = 0.5, 0, 0\n}\n")
	for i := range 48 {
		delete(files, fmt.Sprintf("a%d.scene", i))
	}
	assert.Equal(t, [3]float32{.5}, gpbtest.SceneIn(t, files)("crates.gpb").Ambient, "the eighteenth of them")
}

func TestSceneTextIsComposed(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{
		"res/crates.gpb":      gpbtest.Crates(t, "one=wood", "Table", "Table1", "two", "four"),
		"res/crates.material": gpbtest.Colors("wood"),
		"res/look.material":   gpbtest.Colors("first", "stone", "gold"), "res/other.gpb": gpbtest.Crates(t, "both=first,last"),
		"res/other.material": gpbtest.Colors("first"),
		"res/level.scene":    []byte(level), "res/boy.animation": []byte("animation a\n{\n frameCount = 100\n clip walk\n {\n begin = 25\n end = 50\n repeatCount = INDEFINITE\n }\n" +
			" clip wrong\n {\n begin = 60\n end = 5\n }\n}\n"),
	})
	s := sceneOf("res/level.scene")
	assert.Equal(t, "level", s.Name)
	assert.Equal(t, [3]float32{.1, .2, .3}, s.Ambient)
	n := gpbtest.NodesByName(s)
	assert.Equal(t, []string{"wood", "gold"}, gpbtest.MaterialNames(s, "one"), "what is given to a part wins over what is given to all")
	want := scene.TRS{Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{1: 0.70710677, 3: 0.70710677},
		Scale: [3]float32{2, 2, 2}}.Matrix()
	assert.InDeltaSlice(t, want[:], n["one"].Transform[:], 1e-5)
	assert.Equal(t, []string{"first", "first"}, gpbtest.MaterialNames(s, "Chair"))
	assert.Equal(t, []string{"first", "first"}, gpbtest.MaterialNames(s, "Chair1"), "a * stands for the rest of the name")
	assert.Equal(t, []string{"stone", "gold"}, gpbtest.MaterialNames(s, "three"))
	assert.Nil(t, n["four"])
	require.NotNil(t, n["lamp"].Light)
	assert.Equal(t, scene.Light{Name: "lamp", Kind: scene.Point, Color: [3]float32{1, .5, 0}, Range: 9},
		*n["lamp"].Light)
	require.Len(t, n["lamp"].Children, 1)
	assert.Equal(t, "crate", n["lamp"].Children[0].Mesh.Name, "a node of another bundle")
	require.NotEmpty(t, s.Animations[0].Clips)
	assert.Equal(t, []*scene.Clip{{Name: "walk", Start: .5, End: 1, Speed: 1}}, s.Animations[0].Clips)
	for _, what := range []string{"res/none.gpb is not in the project",
		"../../out.material points outside the project; ignored",
		"res/look.material has no material no", "material[7] is for a part that two does not have",
		"material[1 is for a part that two does not have", "material[+1] is for a part that two does not have",
		"the clip wrong of res/boy.animation is not a range of its 100 frames"} {
		assert.Contains(t, s.Missing, what)
	}

	s = sceneOf("res/crates.gpb")
	assert.Equal(t, []string{"wood", "gold"}, gpbtest.MaterialNames(s, "one"), "a bundle has the materials of the .scene beside it")
	assert.Equal(t, []string{"first", "first"}, gpbtest.MaterialNames(s, "Table"), "and its own names")
	assert.Equal(t, scene.Identity, gpbtest.NodesByName(s)["one"].Transform)
}

// TestHostileScenesEnd has cyclic parents, and more materials than are read.
func TestHostileScenesEnd(t *testing.T) {
	var names []string
	for i := range 12_000 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	var entries strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&entries, "node n%d : n%d\n{\n material = res/a.material#m%d\n}\n", i, (i+1)%12_000, i)
	}
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.gpb": gpbtest.Crates(t, names...), "res/a.material": gpbtest.Colors(names...),
		"res/a.scene": []byte("scene a : a\n{\n path = res/a.gpb\n" + entries.String() + "}\n"),
	})
	s := sceneOf("res/a.scene")
	assert.NotEmpty(t, s.Roots)
}

// TestGravitySetsTheUpAxis has gravities of a .scene, which apply to its scene and to its bundle.
func TestGravitySetsTheUpAxis(t *testing.T) {
	for gravity, want := range map[string]scene.Up{"0.0, 0.0, -9.81": scene.UpZ, "0, -30, 0": scene.UpY,
		"0, 0, -1\n}\nphysics\n{\ngravity = 0, -1, 0": scene.UpZ,
		"0, 9.81, 0": scene.UnknownUp, "-9, -1, 0": scene.UnknownUp, "down": scene.UnknownUp, "0, 0, 0": scene.UnknownUp} {
		sceneOf := gpbtest.SceneIn(t, map[string][]byte{"res/crates.gpb": gpbtest.Crates(t, "one"),
			"res/level.scene": []byte("scene level\n{\npath = res/crates.gpb\nphysics\n{\ngravity = " + gravity + "\n}\n}\n")})
		for _, file := range []string{"res/level.scene", "res/crates.gpb"} {
			assert.Equal(t, want, sceneOf(file).Gravity, "%s: %s", file, gravity)
		}
	}
}

const animated = `scene
{
    path = crates.gpb
    node lid
    {
        url = one
    }
    animations
    {
        animation open
        {
            target = lid
            url = moves.animation#open
        }
        animation blink
        {
            target = two
            url = moves.animation#parts/blink
        }
        animation curved
        {
            target = two
            url = moves.animation#curved
        }
        animation lost
        {
            target = three
            url = moves.animation#open
        }
        animation empty
        {
            target = two
            url = moves.animation#empty
        }
        animation nowhere
        {
            target = two
        }
    }
}`

const moves = `animation open
{
    property = ANIMATE_ROTATE
    keyCount = 2
    keyTimes = 500 1500
    keyValues = 0 0 0 1 0 1 0 0
    curve = LINEAR
    frameCount = 100
    clip half
    {
        begin = 0
        end = 50
        repeatCount = INDEFINITE
        speed = 2
    }
}
parts parts
{
    animation blink
    {
        property = ANIMATE_SCALE_Y
        keyCount = 3
        keyTimes = 0 1000 2000 3000
        keyValues = 1 5 1 9
        curve = STEP
    }
}
animation curved
{
    property = ANIMATE_TRANSLATE_XZ
    keyCount = 2
    keyTimes = 0, 1000
    keyValues = 0 0 4 8
    curve = QUADRATIC_IN
}
animation empty
{
    property = ANIMATE_UNIFORM
    keyCount = 1
    keyTimes = 0
    keyValues = 1
    curve = LINEAR
}
`

// TestAnimationsOfASceneAreInItsFiles has animations of a node that the .scene renamed, a nested animation, a curve
// that is not drawn, and animations that cannot play.
func TestAnimationsOfASceneAreInItsFiles(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte(animated), "moves.animation": []byte(moves),
		"crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	require.Len(t, s.Animations, 4, "that of the bundle, too")
	n := gpbtest.NodesByName(s)
	at := func(animation int, seconds float32, node string) scene.TRS {
		p := scene.NewPose(s)
		player, problems := scene.NewPlayer(p, s.Animations[animation])
		assert.Empty(t, problems)
		player.At(seconds)
		place, _ := p.World[p.Index(n[node])].Parts()
		return place
	}
	rest := at(1, 0, "two")
	assert.InDelta(t, .7071, at(1, .5, "lid").Rotation[1], 1e-4, "half a turn in a second: times begin with the first")
	assert.Equal(t, []*scene.Clip{{Name: "half", End: .5, Speed: 2}}, s.Animations[1].Clips)
	for seconds, size := range map[float32]float32{.9: 1, 1: 5, 1.9: 5, 2: 1, 2.9: 1} {
		assert.InDelta(t, size, at(2, seconds, "two").Scale[1], 1e-5, "after %v s: a fourth key is not counted", seconds)
	}
	moved := at(3, .5, "two")
	assert.InDelta(t, 2, moved.Translation[0], 1e-5)
	assert.InDelta(t, rest.Translation[1], moved.Translation[1], 1e-5)
	assert.InDelta(t, 4, moved.Translation[2], 1e-5)
	assert.Equal(t, []string{
		"the animation curved is played with linear interpolation instead of QUADRATIC_IN",
		"the animation lost does not play: there is no node three",
		"the animation empty does not play: moves.animation#empty needs a property to move, keyCount, keyTimes, " +
			"keyValues and curve",
		"the animation nowhere does not play: it needs an id, a target and a url"}, s.Missing)

	s = gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte("scene\n{\nnode a\n{\nurl = crates.gpb#two\n}\n" +
		"node b\n{\nurl = crates.gpb#one\n}\n}\n"), "crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	require.Len(t, s.Animations, 1, "that of the node that moves, not of all that have its bundle")
	assert.Equal(t, "b", s.Animations[0].Channels[0].Target.Name)
}

func TestGLBHasTheAnimationsOfAScene(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte(animated), "moves.animation": []byte(moves),
		"crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	var out bytes.Buffer
	lost, err := s.WriteGLB(t.Context(), &out, scene.GLBOptions{})
	require.NoError(t, err)
	assert.Subset(t, lost, s.Missing)
	for _, name := range []string{"open", "half", "blink", "curved"} {
		assert.Contains(t, out.String(), `{"name":"`+name+`","channels":`)
	}
}

// TestNodesWithoutAMaterialAreNotDrawn has scenes that assign a material to one of two nodes, and to none.
func TestNodesWithoutAMaterialAreNotDrawn(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "box", "floor"),
		"res/wood.material": gpbtest.Colors("wood"),
		"res/one.scene":     []byte("scene\n{\npath = res/a.gpb\nnode box\n{\nmaterial = res/wood.material\n}\n}\n"),
		"res/none.scene":    []byte("scene\n{\npath = res/a.gpb\nnode box\n{\n}\n}\n")})
	one, none := gpbtest.NodesByName(sceneOf("res/one.scene")), gpbtest.NodesByName(sceneOf("res/none.scene"))
	assert.Equal(t, []bool{false, true}, []bool{one["box"].Undrawn, one["floor"].Undrawn})
	assert.Equal(t, []bool{false, false}, []bool{none["box"].Undrawn, none["floor"].Undrawn}, "only code assigns them")
}

// TestLevelCameraDecidesTheUpAxis has a bundle and a .scene without an up axis, in a project with and without a bundle
// whose camera is level if z points up. That takes precedence over the gravity.
func TestLevelCameraDecidesTheUpAxis(t *testing.T) {
	eye := &gpb.Node{ID: "eye", Transform: scene.Matrix{.8, .6, 0, 0, 0, 0, 1, 0, .6, -.8, 0, 0, 0, 0, 0, 1},
		Camera: &gpb.Camera{ID: "eye", Aspect: 1, FieldOfView: 60, Near: 1, Far: 9}}
	files := map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "box"),
		"res/s.scene": []byte("scene\n{\npath = res/a.gpb\nphysics\n{\ngravity = 0, -9.8, 0\n}\n}\n")}
	for _, name := range []string{"res/a.gpb", "res/s.scene"} {
		for _, z := range []bool{false, true} {
			if delete(files, "res/b.gpb"); z {
				files["res/b.gpb"] = gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(eye)}}, gpbtest.V15,
					gpbtest.ByID)
			}
			m, err := render.Load(t.Context(), gpbtest.SceneIn(t, files)(name))
			require.NoError(t, err)
			assert.Equal(t, z, m.ZUp(), name)
		}
	}
}
