package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"assay/model"
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
	scene       *scene.Scene
	pose        *scene.Pose
	up          scene.Matrix // rotates the scene to y up
	zUp         bool         // it does: z of the scene points up
	vertices    []vertex     // posed
	instances   []instance
	surfaces    []surface
	triangles   []triangle
	lines       []line
	dots        []dot
	lamps       []lampNode
	hidden      []bool // by node of the pose; may be nil
	isJoint     []bool // by node of the pose: skins name it
	box         box
	unposedBox  box                      // the framed box in the initial pose, as Load leaves it
	meshBounds  map[int]scene.MeshBounds // of meshes, for collision shapes; nil until needed
	isUnion     bool                     // the box contains several models
	neighborBox *box                     // of the model beside it
	hasMesh     bool                     // there are triangles or lines besides dots

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

// Extent returns the size of the box that is framed first, in the initial pose; zero if the model is empty.
func (m *Model) Extent() (size [3]float64) {
	for i := range size {
		size[i] = max(0, m.unposedBox.high[i]-m.unposedBox.low[i])
	}
	return size
}

// Scene returns the scene of the model.
func (m *Model) Scene() *scene.Scene { return m.scene }

// Pose returns the pose of the nodes. Call Update after changing it.
func (m *Model) Pose() *scene.Pose { return m.pose }

// Update moves the vertices to the pose.
func (m *Model) Update() {
	model.Bands(len(m.instances), func(from, to int) {
		for i := from; i < to; i++ {
			m.poseInstance(&m.instances[i])
		}
	})
}

// world returns the transform from a node of the pose to the upright scene.
func (m *Model) world(node int) scene.Matrix {
	if m.up == scene.Identity {
		return m.pose.World[node]
	}
	return m.up.Times(m.pose.World[node])
}

func (m *Model) poseInstance(inst *instance) {
	out := m.vertices[inst.first : int(inst.first)+len(inst.positions)]
	if inst.skin != nil && inst.geometry.joints != nil && len(inst.joints) > 0 {
		if palette := m.palette(inst); palette != nil {
			inst.applyJoints(out, palette)
			return
		}
	}
	inst.applyTransform(out, m.boundTransform(inst))
}

// boundTransform returns the transform of an instance that no joints bend. A skinned one has its bind pose.
func (m *Model) boundTransform(inst *instance) scene.Matrix {
	if inst.skin != nil && inst.geometry.joints == nil && inst.skin.BindShape.IsValid() {
		space := m.up
		if i := m.pose.Index(inst.skin.Space); i >= 0 {
			space = m.world(i)
		}
		return space.Times(inst.skin.BindShape)
	}
	return m.world(inst.node)
}

// applyTransform transforms all vertices by one matrix.
func (inst *instance) applyTransform(out []vertex, world scene.Matrix) {
	rotation := normals(world)
	for i, p := range inst.positions {
		v := vertex{position: world.Apply(p)}
		if !isDrawable(v.position) {
			v.position[0] = float32(math.NaN())
		}
		if inst.normals != nil {
			v.normal = toFloats(rotation.apply(toVec(inst.normals[i])).unit())
		}
		out[i] = v
	}
}

// palette returns a transform for each joint of a skin, from the stored mesh to the upright scene, or nil if no joint
// exists.
func (m *Model) palette(inst *instance) []scene.Matrix {
	palette := m.pose.Palette(m.pose.Nodes[inst.node])
	if m.up != scene.Identity {
		for i, joint := range palette {
			palette[i] = m.up.Times(joint)
		}
	}
	return palette
}

// applyJoints moves each vertex with its joints: the weights of missing joints are distributed to the others. A vertex
// without joints follows the first.
func (inst *instance) applyJoints(out []vertex, palette []scene.Matrix) {
	for i, p := range inst.positions {
		var m [12]float32
		sum := float32(0)
		for k, j := range inst.geometry.joints[i] {
			w := inst.weights[i][k]
			if j < 0 || int(j) >= len(palette) || w == 0 {
				continue
			}
			sum += w
			addScaled(&m, &palette[j], w)
		}
		if sum < 1e-3 {
			addScaled(&m, &palette[0], 1)
		} else if sum < 1-1e-3 {
			for c := range m {
				m[c] /= sum
			}
		}
		v := vertex{position: [3]float32{
			m[0]*p[0] + m[3]*p[1] + m[6]*p[2] + m[9],
			m[1]*p[0] + m[4]*p[1] + m[7]*p[2] + m[10],
			m[2]*p[0] + m[5]*p[1] + m[8]*p[2] + m[11]}}
		if !isDrawable(v.position) {
			v.position[0] = float32(math.NaN())
		}
		if inst.normals != nil { // joints hardly ever scale unevenly: their own matrix rotates normals well enough
			n := inst.normals[i]
			normal := vec3{m[0]*n[0] + m[3]*n[1] + m[6]*n[2], m[1]*n[0] + m[4]*n[1] + m[7]*n[2],
				m[2]*n[0] + m[5]*n[1] + m[8]*n[2]}.unit()
			v.normal = [3]float32{normal.x, normal.y, normal.z}
		}
		out[i] = v
	}
}

// addScaled adds a share of a transform, without its last row.
func addScaled(into *[12]float32, m *scene.Matrix, w float32) {
	for c := range 4 {
		for r := range 3 {
			into[3*c+r] += w * m[4*c+r]
		}
	}
}

// column returns the image of an axis, or the translation for 3.
func column(m scene.Matrix, c int) vec { return toVec([3]float32(m[4*c:])) }

// normals returns the matrix that transforms normals of a surface that m transforms.
func normals(m scene.Matrix) rotation {
	x, y, z := column(m, 0), column(m, 1), column(m, 2)
	a, b, c := y.cross(z), z.cross(x), x.cross(y)
	if x.dot(a) < 0 {
		a, b, c = a.times(-1), b.times(-1), c.times(-1)
	}
	return rotation{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}
}

// HasPlaceholder reports whether a placeholder color is drawn, for a material with only a name.
func (m *Model) HasPlaceholder() bool {
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

// IsDark reports whether everything drawn is dark: lines, or unlit surfaces. It would be invisible on a dark
// background.
func (m *Model) IsDark() bool {
	return len(m.surfaces) > 0 && !slices.ContainsFunc(m.surfaces, func(s surface) bool { return !s.material.isInk() })
}

func (m *material) isInk() bool {
	if m.texture != nil {
		return m.texture.ink
	}
	return !m.clay && !m.lit && !m.tinted && max(m.rgb[0], m.rgb[1], m.rgb[2]) <= maxInkBrightness
}

// LightBackground is the background for a model that would be invisible on the default one.
var LightBackground = color.NRGBA{160, 160, 160, 255}

// maxProblems is the maximum number of messages about a model.
const maxProblems = 100

// Problems returns messages about missing files and about deviations of the drawing from the file.
func (m *Model) Problems() []string {
	problems := slices.Concat(m.scene.Missing, m.problems)
	if m.Omitted {
		problems = append(problems, "the scene is too large; only part of it is drawn")
	}
	return problems
}

func (m *Model) addProblem(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	if len(m.problems) < maxProblems && !slices.Contains(m.problems, sentence) {
		m.problems = append(m.problems, sentence)
	}
}

// reportTransforms reports transforms that are not finite.
func (m *Model) reportTransforms() {
	n := 0
	var first string
	for _, node := range m.pose.Nodes {
		if slices.ContainsFunc(node.Transform[:], func(f float32) bool { return f-f != 0 }) {
			if n == 0 {
				first = node.Name
			}
			n++
		}
	}
	if n > 0 {
		m.addProblem("%d nodes have invalid transforms (the first is %s); drawn at their parents",
			n, model.OneLine(first, 60))
	}
}

// reportPositions reports vertices with invalid positions, stored or after the transforms of their nodes.
func (m *Model) reportPositions() {
	n := 0
	var first string
	for i := range m.instances {
		inst := &m.instances[i]
		for _, v := range m.vertices[inst.first : int(inst.first)+len(inst.positions)] {
			if !isInvalid(v.position[0]) {
				continue
			}
			if n == 0 {
				first = m.pose.Nodes[inst.node].Name
			}
			n++
		}
	}
	if n > 0 {
		m.addProblem("%d vertices have invalid positions (the first in %s); their triangles and lines are not drawn",
			n, model.OneLine(first, 60))
	}
}

// reportJoints reports vertices of an instance with joints that the skin does not have.
func (m *Model) reportJoints(inst *instance, name string) {
	n := 0
	for i, joints := range inst.geometry.joints {
		for k, j := range joints {
			if int(j) >= len(inst.joints) && inst.weights[i][k] > 0 {
				n++
				break
			}
		}
	}
	if n > 0 {
		m.addProblem("%[2]d vertices of %[1]s refer to missing joints; drawn with the first joint",
			model.OneLine(name, 60), n)
	}
}

// reportCoincident reports a scene with all points at one position.
func (m *Model) reportCoincident() {
	var first vec
	n, same := 0, true
	m.eachPoint(1, func(p vec, _ float64) {
		if n++; n == 1 {
			first = p
		}
		same = same && p == first
	})
	if same && len(m.dots) > 1 {
		m.addProblem("all %d points are at the same position", len(m.dots))
	} else if same && n > 1 {
		m.addProblem("all vertices are at the same position")
	}
}

// reportInvisible reports a scene whose materials draw no side.
func (m *Model) reportInvisible() {
	drawn := func(s surface) bool { return s.material.cull != scene.CullBoth }
	if len(m.triangles) == 0 || slices.ContainsFunc(m.surfaces, drawn) {
		return
	}
	m.addProblem("the scene is invisible: its materials draw neither front nor back faces")
}

// SetZUp sets the up axis of the scene: z, or else y. Call Update to move the vertices.
func (m *Model) SetZUp(z bool) {
	if z == m.zUp {
		return
	}
	rotation := yUpright
	if m.zUp, m.up = z, scene.Identity; z {
		m.up, rotation = scene.ZUpright, scene.ZUpright
	}
	cubes := sideMappingOf(rotation)
	for i := range m.dots {
		d := &m.dots[i]
		d.position, d.covered = rotation.Apply(d.position), cubes.sides(d.covered)
	}
}

// ZUp reports whether z of the scene points up. Load decides it by the scene's content.
func (m *Model) ZUp() bool { return m.zUp }

// guessZUp reports whether z of the scene points up, by its content.
func (m *Model) guessZUp() bool {
	var extents []scene.Extent
	for i := range m.instances {
		inst := &m.instances[i]
		if b, ok := m.boundsOfInstance(inst); ok {
			extents = append(extents, scene.Extent{Low: b.low, High: b.high, Node: m.pose.Nodes[inst.node],
				Skinned: inst.skin != nil && inst.geometry.joints != nil})
		}
	}
	return m.scene.PointsZUp(m.pose, extents)
}
