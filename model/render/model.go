package render

import (
	"image/color"
	"slices"

	"assay/model/scene"
)

// The limits of a Model. Items beyond them are drawn as dots, or not at all.
const (
	maxVertices  = 2 << 20
	maxTriangles = 4 << 20
	maxLines     = 1 << 20
	maxDots      = 400_000 // that are drawn
	maxIndices   = 4 << 20 // of a strip, a fan or lines
	block        = 3 << 13 // floats, indices and dots that are read at a time: whole triangles
)

// Model is the prepared form of a scene, posed as the scene's nodes are. It is for one goroutine at a time.
type Model struct {
	scene     *scene.Scene
	pose      *scene.Pose
	up        scene.Matrix // rotates the scene to y up
	zUp       bool         // it does: z of the scene points up
	vertices  []vertex     // posed
	instances []instance
	surfaces  []surface
	triangles []triangle
	lines     []line
	dots      []dot
	lamps     []lampNode
	hidden    []bool // by node of the pose; may be nil
	joint     []bool // by node of the pose: skins name it
	box       box
	whole     box                      // before posing
	reaches   map[int]scene.MeshBounds // of meshes, for collision shapes; nil until needed
	several   bool                     // the box contains several models
	beside    *box                     // of the model beside it
	mesh      bool                     // there are triangles or lines besides dots

	// ShowsUndrawn draws the meshes that the game does not draw. Call Show after changing it.
	ShowsUndrawn bool

	// Omitted means that part of the scene is not drawn.
	Omitted  bool
	problems []string
}

type vertex struct {
	position [3]float32 // NaN if it is not to be drawn
	normal   [3]float32 // 0 if it has no normal
}

// geometry is the vertices of a mesh as they are stored. All lists are as long as the mesh, or empty.
type geometry struct {
	positions, normals [][3]float32
	texture            [2][][2]float32
	colors             [][4]uint8
	translucent        bool       // some color has an alpha below 1
	joints             [][4]int16 // or -1
	weights            [][4]float32
}

type instance struct {
	*geometry
	node   int // of the pose
	first  uint32
	skin   *scene.Skin
	joints []int // of the skin, as nodes of the pose; -1 for missing ones
}

type surface struct {
	instance int
	part     int
	material *material
	hidden   bool
}

type triangle struct {
	a, b, c uint32
	surface uint32
}

type line struct {
	a, b    uint32
	surface uint32
}

// dot is a point of a cloud; a cube if it has an edge.
type dot struct {
	position [3]float32
	edge     float32
	color    [3]uint8
	// covered has a bit for each of cubeSides, set for the sides that are adjacent to other cubes.
	covered uint8
	node    int32
	row     int32 // of the node's points; negative if there is no row, or several
}

// lampNode is a light of the scene, at a node of the pose.
type lampNode struct {
	node  int
	light *scene.Light
}

// Empty reports whether there is nothing to draw.
func (m *Model) Empty() bool { return len(m.triangles)+len(m.lines)+len(m.dots) == 0 }

// Triangles returns the number of triangles.
func (m *Model) Triangles() int { return len(m.triangles) }

// Vertices returns the number of vertices.
func (m *Model) Vertices() int { return len(m.vertices) }

// Extent returns the size of the box around the model as it was loaded; zero if the model is empty.
func (m *Model) Extent() (size [3]float64) {
	for i := range size {
		size[i] = max(0, m.whole.high[i]-m.whole.low[i])
	}
	return size
}

// Scene returns the scene of the model.
func (m *Model) Scene() *scene.Scene { return m.scene }

// Pose returns the pose of the nodes. Call Update after changing it.
func (m *Model) Pose() *scene.Pose { return m.pose }

// Plain reports whether a placeholder color is drawn, for a material with only a name.
func (m *Model) Plain() bool {
	return slices.ContainsFunc(m.surfaces, func(s surface) bool { return s.material.unknown && !s.material.tinted })
}

// HasOwnLight reports whether lit surfaces are lit from beside the camera because the scene has no light.
func (m *Model) HasOwnLight() bool {
	return len(m.lamps) == 0 && slices.ContainsFunc(m.surfaces, func(s surface) bool { return s.material.lit })
}

// HasUndrawn reports whether the game does not draw some of the meshes.
func (m *Model) HasUndrawn() bool {
	return slices.ContainsFunc(m.instances, func(inst instance) bool { return m.pose.Nodes[inst.node].Undrawn })
}

// IsInk reports whether everything drawn is dark: lines, or unlit surfaces. It would be invisible on a dark background.
func (m *Model) IsInk() bool {
	return len(m.surfaces) > 0 && !slices.ContainsFunc(m.surfaces, func(s surface) bool { return !s.material.isInk() })
}

func (m *material) isInk() bool {
	if m.texture != nil {
		return m.texture.ink
	}
	return !m.clay && !m.lit && !m.tinted && max(m.rgb[0], m.rgb[1], m.rgb[2]) <= inkMost
}

// Paper is the background for a model that would be invisible on the default one.
var Paper = color.NRGBA{160, 160, 160, 255}

// column returns the image of an axis, or the translation for 3.
func column(m scene.Matrix, c int) vec { return wide([3]float32(m[4*c:])) }

// normals returns the matrix that transforms normals of a surface that m transforms.
func normals(m scene.Matrix) rows {
	x, y, z := column(m, 0), column(m, 1), column(m, 2)
	a, b, c := y.cross(z), z.cross(x), x.cross(y)
	if x.dot(a) < 0 {
		a, b, c = a.times(-1), b.times(-1), c.times(-1)
	}
	return rows{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}
}
