package scene

import "math"

// Collision is the shape of a node for collisions. Zero values mean the values of the node's mesh. Lengths are in the
// space of the scene: the node moves and rotates the shape, but does not scale it.
type Collision struct {
	Shape  CollisionShape
	Center [3]float32 // from the mesh's center, and scaled with the mesh
	// Absolute means that Center is relative to the node's origin.
	Absolute bool
	Size     [3]float32 // of a box; 0 for the mesh's
	Radius   float32    // of a sphere and of a capsule; 0 for the mesh's
	Height   float32    // of a capsule, from end to end along y; 0 for the mesh's
}

// CollisionShape is the kind of a Collision.
type CollisionShape uint8

// The shapes. MeshCollision is the triangles of the node's mesh.
const (
	NoCollision CollisionShape = iota
	BoxCollision
	SphereCollision
	CapsuleCollision
	MeshCollision
)

// MeshBounds is the extent of a mesh.
type MeshBounds struct {
	Low, High [3]float32
	Radius    float32 // of the sphere around their middle
}

// Segment is a line between two points.
type Segment [2][3]float32

const circleSteps = 24

// Lines returns the outline of the shape of a node, from the transform of the node and the reach of its mesh. It
// returns no lines for the shape of a mesh.
func (c *Collision) Lines(world Matrix, mesh MeshBounds) (segments []Segment) {
	parts, _ := world.Parts()
	scale := parts.Scale
	parts.Scale = [3]float32{1, 1, 1}
	var center, size [3]float32
	for k := range 3 {
		size[k] = (mesh.High[k] - mesh.Low[k]) * scale[k]
		if center[k] = c.Center[k]; !c.Absolute {
			center[k] = (center[k] + (mesh.High[k]+mesh.Low[k])/2) * scale[k]
		}
	}
	if c.Size != [3]float32{} {
		size = c.Size
	}
	switch c.Shape {
	case BoxCollision:
		segments = boxLines(size)
	case SphereCollision:
		segments = sphereLines(firstPositive(c.Radius, mesh.Radius*max(scale[0], scale[1], scale[2])))
	case CapsuleCollision:
		segments = capsuleLines(firstPositive(c.Radius, max(size[0], size[2])/2), firstPositive(c.Height, size[1]))
	}
	transform := parts.Matrix()
	return transformLines(segments, func(p [3]float32) [3]float32 {
		return transform.Apply([3]float32{p[0] + center[0], p[1] + center[1], p[2] + center[2]})
	})
}

func transformLines(lines []Segment, move func(p [3]float32) [3]float32) []Segment {
	for i, l := range lines {
		lines[i] = Segment{move(l[0]), move(l[1])}
	}
	return lines
}

func firstPositive(length, other float32) float32 {
	if length > 0 {
		return length
	}
	return other
}

// boxLines returns the edges of a box around the origin.
func boxLines(size [3]float32) (segments []Segment) {
	corner := func(i int) (p [3]float32) {
		for k := range p {
			p[k] = size[k] * (float32(i>>k&1) - .5)
		}
		return p
	}
	for i := range 8 {
		for k := range 3 {
			if i>>k&1 == 0 {
				segments = append(segments, Segment{corner(i), corner(i | 1<<k)})
			}
		}
	}
	return segments
}

// arcLines returns the lines of an arc around the origin, between two angles, in the plane of two axes.
func arcLines(radius float32, a, b int, from, to float64) (segments []Segment) {
	steps := max(1, int(circleSteps*(to-from)/(2*math.Pi)+.5))
	corner := func(i int) (p [3]float32) {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(steps))
		p[a], p[b] = radius*float32(cos), radius*float32(sin)
		return p
	}
	for i := range steps {
		segments = append(segments, Segment{corner(i), corner(i + 1)})
	}
	return segments
}

// sphereLines returns three circles around the origin.
func sphereLines(radius float32) (segments []Segment) {
	for k := range 3 {
		segments = append(segments, arcLines(radius, k, (k+1)%3, 0, 2*math.Pi)...)
	}
	return segments
}

// capsuleLines returns the lines of a capsule along y, of a height from end to end.
func capsuleLines(radius, height float32) (segments []Segment) {
	half := max(height/2-radius, 0)
	for _, end := range []struct {
		y    float32
		from float64
	}{{half, 0}, {-half, math.Pi}} {
		lines := arcLines(radius, 0, 2, 0, 2*math.Pi)
		for _, axis := range []int{0, 2} {
			lines = append(lines, arcLines(radius, axis, 1, end.from, end.from+math.Pi)...)
		}
		for _, l := range lines {
			l[0][1], l[1][1] = l[0][1]+end.y, l[1][1]+end.y
			segments = append(segments, l)
		}
	}
	for _, side := range [][2]float32{{radius, 0}, {-radius, 0}, {0, radius}, {0, -radius}} {
		segments = append(segments, Segment{{side[0], -half, side[1]}, {side[0], half, side[1]}})
	}
	return segments
}

// Lines returns lines at the position of a light, in its directions. size is the length of lines for lights without a
// range.
func (l *Light) Lines(world Matrix, size float32) (segments []Segment) {
	parts, _ := world.Parts()
	parts.Scale = [3]float32{1, 1, 1}
	switch l.Kind {
	case Directional:
		for _, side := range [][2]float32{{0, 0}, {.25, 0}, {-.25, 0}, {0, .25}, {0, -.25}} {
			x, y := side[0]*size, side[1]*size
			segments = append(segments, Segment{{x, y, 0}, {x, y, -size}})
		}
		segments = append(segments, arcLines(size*.25, 0, 1, 0, 2*math.Pi)...)
	case Point:
		segments = sphereLines(size * .2)
		if l.Range > 0 {
			segments = append(segments, sphereLines(l.Range)...)
		}
	case Spot:
		length := firstPositive(l.Range, size)
		radius := length * float32(math.Tan(min(max(float64(l.Outer), .02), 1.4)))
		for _, c := range arcLines(radius, 0, 1, 0, 2*math.Pi) {
			c[0][2], c[1][2] = -length, -length
			segments = append(segments, c)
		}
		for _, side := range [][2]float32{{radius, 0}, {-radius, 0}, {0, radius}, {0, -radius}} {
			segments = append(segments, Segment{{}, {side[0], side[1], -length}})
		}
	}
	return transformLines(segments, parts.Matrix().Apply)
}

// LineMesh returns a mesh of lines.
func LineMesh(name string, lines []Segment) *Mesh {
	var vertices FloatSlice
	for _, l := range lines {
		vertices = append(vertices, l[0][0], l[0][1], l[0][2], l[1][0], l[1][1], l[1][2])
	}
	return &Mesh{Name: name, Count: 2 * len(lines), Vertices: vertices,
		Elements: []Element{{Usage: Position, Size: 3}}, Parts: []*Part{{Primitive: Lines}}}
}
