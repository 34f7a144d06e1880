package scene_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// parsed is a GLB file that is read with encoding/json alone.
type parsed struct {
	t   *testing.T
	doc struct {
		Asset     struct{ Version string }
		Scene     int
		Scenes    []struct{ Nodes []int }
		Nodes     []node
		Meshes    []mesh
		Materials []map[string]any
		Textures  []struct{ Sampler, Source int }
		Images    []struct {
			Name, MimeType string
			BufferView     int
		}
		Samplers       []map[string]int
		ExtensionsUsed []string
		Skins          []struct {
			InverseBindMatrices int
			Joints              []int
		}
		Cameras     []map[string]any
		Animations  []animation
		Accessors   []accessor
		BufferViews []struct{ Buffer, ByteOffset, ByteLength, Target int }
		Buffers     []struct{ ByteLength int }
		Extensions  map[string]struct{ Lights []map[string]any }
	}
	bin []byte
}

type node struct {
	Name                                 string
	Children                             []int
	Matrix, Translation, Rotation, Scale []float32
	Mesh, Skin, Camera                   *int
	Extensions                           map[string]map[string]int
}

type mesh struct {
	Name       string
	Primitives []struct {
		Attributes        map[string]int
		Indices, Material *int
		Mode              int
	}
}

type animation struct {
	Name     string
	Channels []struct {
		Sampler int
		Target  struct {
			Node int
			Path string
		}
	}
	Samplers []struct {
		Input, Output int
		Interpolation string
	}
}

type accessor struct {
	BufferView, ComponentType, Count int
	Type                             string
	Normalized                       bool
	Min, Max                         []float32
}

func parse(t *testing.T, s *scene.Scene) (*parsed, []string) {
	t.Helper()
	return parseWith(t, s, scene.GLBOptions{})
}

func parseWith(t *testing.T, s *scene.Scene, options scene.GLBOptions) (*parsed, []string) {
	t.Helper()
	var out bytes.Buffer
	lost, err := s.WriteGLB(t.Context(), &out, options)
	require.NoError(t, err)
	b := out.Bytes()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	require.Equal(t, "glTF", string(b[:4]))
	require.Equal(t, []int{2, len(b)}, []int{u32(4), u32(8)})
	n := u32(12)
	require.Zero(t, n%4)
	require.Equal(t, "JSON", string(b[16:20]))
	p := &parsed{t: t}
	require.NoError(t, json.Unmarshal(b[20:20+n], &p.doc))
	if rest := b[20+n:]; len(rest) > 0 {
		require.Equal(t, "BIN\x00", string(rest[4:8]))
		p.bin = rest[8:]
		require.Equal(t, len(p.bin), int(binary.LittleEndian.Uint32(rest)))
		require.Equal(t, len(p.bin), p.doc.Buffers[0].ByteLength)
	}
	return p, lost
}

// numbers returns the rows of an accessor.
func (p *parsed) numbers(i int) [][]float32 {
	a := p.doc.Accessors[i]
	view := p.doc.BufferViews[a.BufferView]
	require.Zero(p.t, view.ByteOffset%4)
	each := map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a.Type]
	width := map[int]int{5121: 1, 5123: 2, 5125: 4, 5126: 4}[a.ComponentType]
	require.Equal(p.t, a.Count*each*width, view.ByteLength)
	b := p.bin[view.ByteOffset : view.ByteOffset+view.ByteLength]
	var rows [][]float32
	for r := range a.Count {
		var row []float32
		for k := range each {
			at := b[(r*each+k)*width:]
			switch a.ComponentType {
			case 5121:
				row = append(row, float32(at[0]))
			case 5123:
				row = append(row, float32(binary.LittleEndian.Uint16(at)))
			case 5125:
				row = append(row, float32(binary.LittleEndian.Uint32(at)))
			default:
				row = append(row, math.Float32frombits(binary.LittleEndian.Uint32(at)))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (p *parsed) node(name string) (int, node) {
	for i, n := range p.doc.Nodes {
		if n.Name == name {
			return i, n
		}
	}
	require.Fail(p.t, "no node "+name)
	return 0, node{}
}

func TestGLBHasTheVerticesAndIndicesOfATriangle(t *testing.T) {
	p, lost := parse(t, &scene.Scene{Name: "s", Roots: []*scene.Node{{Name: "n", Transform: translation(1, 2, 3),
		Mesh: triangle("m")}}})
	assert.Empty(t, lost)
	assert.Equal(t, "2.0", p.doc.Asset.Version)
	assert.Equal(t, []int{0}, p.doc.Scenes[0].Nodes)
	assert.Equal(t, []float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}, p.doc.Nodes[0].Matrix)
	part := p.doc.Meshes[0].Primitives[0]
	assert.Equal(t, 4, part.Mode)
	assert.Equal(t, "red", p.doc.Materials[*part.Material]["name"])
	assert.Equal(t, [][]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, p.numbers(part.Attributes["POSITION"]))
	assert.Equal(t, []float32{0, 0, 0}, p.doc.Accessors[part.Attributes["POSITION"]].Min)
	assert.Equal(t, []float32{1, 1, 0}, p.doc.Accessors[part.Attributes["POSITION"]].Max)
	assert.Equal(t, [][]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, p.numbers(part.Attributes["NORMAL"]))
	assert.Equal(t, [][]float32{{0}, {1}, {2}}, p.numbers(*part.Indices))
	assert.Equal(t, 5121, p.doc.Accessors[*part.Indices].ComponentType)
}

func TestGLBHasEveryPartOfASceneAndReportsLosses(t *testing.T) {
	p, lost := parse(t, full())

	_, leg := p.node("leg")
	hip, _ := p.node("hip")
	knee, _ := p.node("knee")
	m := p.doc.Meshes[*leg.Mesh]
	require.Len(t, m.Primitives, 4)
	a := m.Primitives[0].Attributes
	assert.Equal(t, [][]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, p.numbers(a["NORMAL"]), "unit vectors")
	assert.Equal(t, [][]float32{{1, 0, 0, 1}, {1, 0, 0, -1}, {1, 0, 0, 1}, {1, 0, 0, 1}}, p.numbers(a["TANGENT"]),
		"the side of the binormal")
	assert.Equal(t, [][]float32{{0, 1}, {1, 1}, {0, 0}, {1, 0}}, p.numbers(a["TEXCOORD_0"]), "from the top")
	assert.Contains(t, a, "TEXCOORD_1", "sets are numbered without gaps")
	assert.Equal(t, []float32{1, 1, 0, 1}, p.numbers(a["COLOR_0"])[1])
	assert.Equal(t, [][]float32{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}}, p.numbers(a["JOINTS_0"]))
	assert.Equal(t, [][]float32{{.5, .5, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, p.numbers(a["WEIGHTS_0"]))
	assert.Equal(t, 5121, p.doc.Accessors[a["JOINTS_0"]].ComponentType)
	assert.Equal(t, 5, m.Primitives[0].Mode)
	assert.Equal(t, [][]float32{{0}, {1}, {2}}, p.numbers(*m.Primitives[1].Indices),
		"a triangle with a missing vertex is left out")
	assert.Equal(t, [][]float32{{0}, {1}}, p.numbers(*m.Primitives[2].Indices), "the strip ends")
	assert.Equal(t, "dots", p.doc.Materials[*m.Primitives[3].Material]["name"])

	skin := p.doc.Skins[*leg.Skin]
	assert.Equal(t, []int{hip, knee}, skin.Joints)
	assert.Equal(t, []float32{0, -1, 3, 1}, p.numbers(skin.InverseBindMatrices)[1][12:])

	mover, n := p.node("mover")
	assert.Nil(t, n.Matrix, "an animated node has separate properties")
	assert.Nil(t, n.Translation, "the start of the animation")
	require.Len(t, p.doc.Animations, 1)
	walk := p.doc.Animations[0]
	require.Len(t, walk.Channels, 4)
	paths := map[string][][]float32{}
	for _, c := range walk.Channels {
		if c.Target.Node == mover {
			paths[c.Target.Path] = p.numbers(walk.Samplers[c.Sampler].Output)
			assert.Equal(t, [][]float32{{0}, {.5}, {1}}, p.numbers(walk.Samplers[c.Sampler].Input))
			assert.Equal(t, []float32{1}, p.doc.Accessors[walk.Samplers[c.Sampler].Input].Max)
		} else {
			assert.Equal(t, knee, c.Target.Node)
			assert.Equal(t, [][]float32{{5, 1, 0}, {6, 1, 0}}, p.numbers(walk.Samplers[c.Sampler].Output),
				"the other numbers are the node's")
		}
	}
	assert.Equal(t, [][]float32{{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, 1}}, paths["rotation"])
	assert.Equal(t, [][]float32{{0, 0, 0}, {1, 0, 0}, {0, 2, 7}}, paths["translation"])

	_, still := p.node("still")
	assert.Len(t, still.Matrix, 16, "other nodes have a matrix")
	assert.Equal(t, n.Mesh, still.Mesh, "a shared mesh is written once")
	perspective := p.doc.Cameras[*n.Camera]["perspective"].(map[string]any)
	assert.InDelta(t, 1, perspective["yfov"], 1e-6)
	assert.Equal(t, map[string]any{"xmag": 4.0, "ymag": 3.0, "znear": 1.0, "zfar": 50.0},
		p.doc.Cameras[*still.Camera]["orthographic"])
	lamp := p.doc.Extensions["KHR_lights_punctual"].Lights[still.Extensions["KHR_lights_punctual"]["light"]]
	spot := lamp["spot"].(map[string]any)
	assert.InDelta(t, math.Pi/2, spot["outerConeAngle"], 1e-9)
	assert.Less(t, spot["innerConeAngle"], spot["outerConeAngle"])
	// The linear values of the sRGB values 1, 0.5 and 4 are 1, 0.214 and 25.3.
	assert.InDeltaSlice(t, []any{.0395, .00846, 1}, lamp["color"], 1e-4)
	assert.InDelta(t, math.Pi*25.32*.2*100, lamp["intensity"], .5, "as bright as in the scene at half its range of 10")

	_, sheared := p.node("sheared")
	assert.Nil(t, sheared.Matrix)
	dots := p.doc.Meshes[*sheared.Mesh].Primitives[0]
	assert.Zero(t, dots.Mode)
	assert.Equal(t, []float32{4999, -1, 0}, p.doc.Accessors[dots.Attributes["POSITION"]].Max)
	assert.Equal(t, []float32{20, 40, 60, 65535}, p.numbers(dots.Attributes["COLOR_0"])[4999], "linear: i / 255 / 12.92")

	for _, what := range []string{
		`weights that are not positive numbers, or of joints that do not exist, are ignored (3, in "leg")`,
		`vertices without a joint are bound to the first joint (1, in "leg")`,
		`coordinates that are not numbers are 0 (1, in "leg")`,
		`indices of vertices that do not exist are not exported (5, in "leg")`,
		`incomplete primitives are not exported (1, in "leg")`,
		`nodes with two parents are kept under the first (1, in "mover")`,
		`points without a valid position are put at the origin (5000, in "dots")`,
		`channels of nodes that do not exist are not exported (1, in "lost")`,
		`keys that are not later than the previous key are not exported (1, in "mover")`,
		`animations that move nothing are not exported (1, in "nothing")`,
		`sheared or invalid transforms are replaced by the nearest translation, rotation, and scale (1, in "sheared")`,
		`inner angles of spots are clamped to [0, outer) (1, in "lamp")`,
	} {
		assert.Contains(t, lost, what)
	}
}

// If the scene has a skin, the pose is the start of its animation, otherwise that of the file.
func TestGLBKeepsThePoseOfTheScene(t *testing.T) {
	s := full()
	p, _ := parse(t, s)
	_, skinned := p.node("mover")
	assert.Nil(t, skinned.Translation)
	assert.Nil(t, skinned.Scale)
	s.Walk(func(n *scene.Node, _ scene.Matrix) { n.Skin = nil })
	p, _ = parse(t, s)
	_, plain := p.node("mover")
	assert.Equal(t, []float32{1, 2, 3}, plain.Translation)
	assert.Equal(t, []float32{-2, 1, 1}, plain.Scale)
}

func TestGLBOfManyJointsHasWiderIndices(t *testing.T) {
	root := &scene.Node{Name: "root", Transform: scene.Identity}
	skin := &scene.Skin{BindShape: scene.Identity}
	for range 300 {
		j := &scene.Node{Name: "j", Transform: scene.Identity}
		root.Children = append(root.Children, j)
		skin.Joints = append(skin.Joints, j)
		skin.Inverse = append(skin.Inverse, scene.Identity)
	}
	m := &scene.Mesh{Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Joints,
		Size: 1}, {Usage: scene.Weights, Size: 1}},
		Vertices: modeltest.Floats{0, 0, 0, 299, 1, 1, 0, 0, 298, 1, 0, 1, 0, 300, 1},
		Parts:    []*scene.Part{{Primitive: scene.Triangles}}}
	p, _ := parse(t, &scene.Scene{Roots: []*scene.Node{root,
		{Name: "n", Transform: scene.Identity, Mesh: m, Skin: skin}}})
	a := p.doc.Meshes[0].Primitives[0].Attributes["JOINTS_0"]
	assert.Equal(t, 5123, p.doc.Accessors[a].ComponentType)
	assert.Equal(t, [][]float32{{299, 0, 0, 0}, {298, 0, 0, 0}, {0, 0, 0, 0}}, p.numbers(a))
}

func TestGLBPutsJointsOfSeveralRootsBelowOne(t *testing.T) {
	a, b := &scene.Node{Name: "a", Transform: scene.Identity}, &scene.Node{Name: "b", Transform: scene.Identity}
	m := &scene.Mesh{Count: 1, Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Joints,
		Size: 4}, {Usage: scene.Weights, Size: 4}},
		Vertices: modeltest.Floats{0, 0, 0, 0, 1, 0, 0, .5, .5, 0, 0},
		Parts:    []*scene.Part{{Primitive: scene.PointList}}}
	s := &scene.Scene{Name: "s", Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: m,
		Skin: &scene.Skin{BindShape: scene.Identity, Joints: []*scene.Node{a, nil, b, a},
			Inverse: []scene.Matrix{scene.Identity, scene.Identity, scene.Identity, scene.Identity}}}, a}}
	p, lost := parse(t, s)
	require.Len(t, p.doc.Scenes[0].Nodes, 2, "the skinned mesh is a root")
	assert.Len(t, p.doc.Nodes[p.doc.Scenes[0].Nodes[0]].Children, 3)
	assert.NotNil(t, p.doc.Nodes[p.doc.Scenes[0].Nodes[1]].Skin)
	assert.Contains(t, lost, `joints outside the scene are added to it (1, in "b")`)
	assert.Len(t, p.doc.Skins[0].Joints, 2)
}

func TestGLBCutsCyclesAndEmptyMeshes(t *testing.T) {
	a := &scene.Node{Name: "a", Transform: scene.Identity}
	a.Children = []*scene.Node{{Name: "b", Children: []*scene.Node{a, nil}}}
	p, lost := parse(t, &scene.Scene{Roots: []*scene.Node{a}})
	assert.Len(t, p.doc.Nodes, 3, "including the placeholder")
	assert.Len(t, lost, 2)
	p, lost = parse(t, &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity,
		Mesh: &scene.Mesh{Name: "empty"}}}})
	assert.Nil(t, p.doc.Nodes[0].Mesh)
	assert.Len(t, lost, 1)
}

// Some viewers do not open a file without a mesh.
func TestGLBWithNothingToDrawHasAPoint(t *testing.T) {
	p, lost := parse(t, &scene.Scene{Name: "empty"})
	assert.Empty(t, lost)
	require.Equal(t, []int{0}, p.doc.Scenes[0].Nodes)
	point := p.doc.Meshes[*p.doc.Nodes[0].Mesh].Primitives[0]
	assert.Zero(t, point.Mode)
	assert.Equal(t, [][]float32{{0, 0, 0}}, p.numbers(point.Attributes["POSITION"]))
}

func TestFillLightsOfGLBAreNearlyEven(t *testing.T) {
	lamp := &scene.Node{Name: "lamp", Transform: scene.Identity, Light: &scene.Light{Name: "l"}}
	s := &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: triangle("m")}, lamp}}
	filled := scene.GLBOptions{FillLights: true}
	p, _ := parseWith(t, s, filled)
	require.Len(t, p.doc.Extensions["KHR_lights_punctual"].Lights, 1, "a black light needs no fill lights")

	lamp.Light.Color = [3]float32{1, 1, 1}
	p, _ = parse(t, s)
	require.Len(t, p.doc.Extensions["KHR_lights_punctual"].Lights, 1, "without the option")
	p, _ = parseWith(t, s, filled)
	top := p.doc.Nodes[p.doc.Scenes[0].Nodes[2]]
	assert.Equal(t, "fill light", top.Name)
	require.Len(t, top.Children, 4)
	strength := p.doc.Extensions["KHR_lights_punctual"].Lights[1]["intensity"].(float64) / math.Pi
	var from []scene.Matrix
	for i, k := range top.Children {
		assert.Equal(t, 1+i, p.doc.Nodes[k].Extensions["KHR_lights_punctual"]["light"], "each is used once")
		turn := [4]float32(p.doc.Nodes[k].Rotation)
		from = append(from, scene.TRS{Rotation: turn, Scale: [3]float32{1, 1, 1}}.Matrix())
	}
	for i := range 200 {
		y := float64(i)/100 - .995
		sin, cos := math.Sincos(2.4 * float64(i))
		r := math.Sqrt(1 - y*y)
		light := 0.
		for _, m := range from { // a light is at positive z of its node
			light += strength * max(0, float64(m[8])*r*cos+float64(m[9])*y+float64(m[10])*r*sin)
		}
		assert.InDelta(t, .07, light, .014, "nearly even")
	}
}

type brokenFloats struct{}

func (brokenFloats) Read(int, []float32) error { return errors.New("disk broken") }

func TestGLBReturnsErrors(t *testing.T) {
	m := triangle("m")
	s := &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}}
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.WriteGLB(ctx, &out, scene.GLBOptions{})
	assert.ErrorIs(t, err, context.Canceled)
	m.Vertices = brokenFloats{}
	_, err = s.WriteGLB(t.Context(), &out, scene.GLBOptions{})
	assert.ErrorContains(t, err, `vertices of mesh "m": disk broken`)
}

func TestGLBClampsLights(t *testing.T) {
	inf := float32(math.Inf(1))
	s := &scene.Scene{}
	for _, l := range []scene.Light{{Kind: scene.Point, Color: [3]float32{3e38, inf, -1}, Range: 3e38},
		{Kind: scene.Spot, Color: [3]float32{1e30, 1, 1}, Range: 9e14, Outer: 1},
		{Kind: scene.Point, Color: [3]float32{1, 1, 1}, Range: inf}, {Color: [3]float32{.5, 0, float32(math.NaN())}}} {
		s.Roots = append(s.Roots, &scene.Node{Transform: scene.Identity, Light: &l})
	}
	p, lost := parse(t, s)
	lights := p.doc.Extensions["KHR_lights_punctual"].Lights
	require.Len(t, lights, 4)
	assert.Equal(t, []any{1., 0., 0.}, lights[0]["color"])
	assert.NotContains(t, lights[0], "range")
	assert.InDelta(t, math.Pi, lights[2]["intensity"], 1e-5)
	assert.InDelta(t, math.Pi, lights[3]["intensity"], 1e-5)
	assert.InDelta(t, .214, lights[3]["color"].([]any)[0], 1e-3)
	assert.Contains(t, lost, "colors of lights that are negative or not numbers are black (3)")
}

// glTF animates a translation as a whole.
func TestGLBMergesChannelsOfOneProperty(t *testing.T) {
	n := &scene.Node{Name: "wing", Transform: translation(7, 8, 9)}
	x := keyed(n, []scene.Component{scene.TranslateX}, []float32{0, 2}, []float32{0, 4})
	z := keyed(n, []scene.Component{scene.TranslateZ}, []float32{1, 2}, []float32{10, 20})
	again := keyed(n, []scene.Component{scene.TranslateX}, []float32{0}, []float32{5})
	p, lost := parse(t, &scene.Scene{Roots: []*scene.Node{n}, Animations: []*scene.Animation{{Name: "flap",
		Channels: []*scene.Channel{x, z, again}}}})
	require.Len(t, p.doc.Animations[0].Channels, 1)
	s := p.doc.Animations[0].Samplers[0]
	assert.Equal(t, [][]float32{{0}, {1}, {2}}, p.numbers(s.Input))
	assert.Equal(t, [][]float32{{0, 8, 10}, {2, 8, 10}, {4, 8, 20}}, p.numbers(s.Output))
	assert.Contains(t, lost, `duplicate channels are not exported (1, in "wing")`)
	p, lost = parse(t, &scene.Scene{Roots: []*scene.Node{n}, Animations: []*scene.Animation{{Name: "flap",
		Channels: []*scene.Channel{x, again}}}})
	assert.Equal(t, [][]float32{{5, 8, 9}}, p.numbers(p.doc.Animations[0].Samplers[0].Output), "the last channel is exported")
	assert.Empty(t, lost)
}

func TestGLBRotatesZUpUnlessKept(t *testing.T) {
	s := &scene.Scene{Up: scene.UpZ, Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: triangle("m")}}}
	p, _ := parse(t, s)
	top := p.doc.Nodes[p.doc.Scenes[0].Nodes[0]]
	assert.Equal(t, scene.ZUpright, scene.Matrix(top.Matrix))
	assert.Equal(t, "n", p.doc.Nodes[top.Children[0]].Name)
	p, _ = parseWith(t, s, scene.GLBOptions{KeepUp: true})
	assert.Equal(t, "n", p.doc.Nodes[p.doc.Scenes[0].Nodes[0]].Name)
	assert.Equal(t, scene.UpZ, s.Up, "the scene is not changed")
}
