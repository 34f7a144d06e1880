package scene

import (
	"context"
	"hash/fnv"
	"image"
	"image/color"
	"math"
	"regexp"
)

// Up is the axis of a scene that points up.
type Up uint8

// The axes. UnknownUp means that the scene does not store it.
const (
	UnknownUp Up = iota
	UpY
	UpZ
)

// ZUpright rotates a scene from z up to y up.
var ZUpright = Matrix{0: 1, 6: -1, 9: 1, 15: 1}

// Extent is the box of a mesh in the space of the scene.
type Extent struct {
	Low, High [3]float64
	Node      *Node
	Skinned   bool
}

func (e *Extent) size() (size [3]float64) {
	for k := range size {
		size[k] = e.High[k] - e.Low[k]
	}
	return size
}

func (e *Extent) add(low, high [3]float64) {
	for k := range e.Low {
		e.Low[k], e.High[k] = min(e.Low[k], low[k]), max(e.High[k], high[k])
	}
}

// emptyExtent is the empty box.
var emptyExtent = Extent{Low: [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)},
	High: [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}

// union returns the box around others.
func union(extents []Extent) Extent {
	out := emptyExtent
	for i := range extents {
		out.add(extents[i].Low, extents[i].High)
	}
	return out
}

// PointsZUp reports whether z of the scene points up. extents are the extents of its meshes in the pose. The criteria,
// in this order: the scene itself; cameras that are level along one axis only; a flat mesh that is called a floor;
// characters, which decide for z if they stand along z only, for y if they stand along y, and else leave it to the last
// two criteria; a ground across z, and not across y, unless a camera is upright along y; cameras, if all are upright
// along one axis; other scenes of the project; at last the gravity.
func (s *Scene) PointsZUp(pose *Pose, extents []Extent) bool {
	if s.Up != UnknownUp {
		return s.Up == UpZ
	}
	level, upright := pose.cameraAxes()
	if axis := onlyAxis(level); axis != UnknownUp {
		return axis == UpZ
	}
	if axis := namedFloor(extents); axis != 0 {
		return axis == 2
	}
	var skinned []Extent
	for _, e := range extents {
		if e.Skinned {
			skinned = append(skinned, e)
		}
	}
	if len(skinned) > 0 {
		z, known := standsAlongZ(union(skinned))
		return z || !known && s.outsideUp() == UpZ
	}
	switch whole := union(extents); {
	case isGround(extents, whole, 1):
		return false
	case isGround(extents, whole, 2):
		return upright[0] == 0
	}
	if axis := onlyAxis(upright); axis != UnknownUp {
		return axis == UpZ
	}
	return s.outsideUp() == UpZ
}

// outsideUp returns the axis that points up in other scenes of the project, or by the gravity; it may be unknown.
func (s *Scene) outsideUp() Up {
	if s.OthersUp != nil {
		if up := s.OthersUp(); up != UnknownUp {
			return up
		}
	}
	return s.Gravity
}

// onlyAxis returns the axis of y and z that is the only one with a count.
func onlyAxis(counts [2]int) Up {
	switch {
	case (counts[0] > 0) == (counts[1] > 0):
		return UnknownUp
	case counts[1] > 0:
		return UpZ
	}
	return UpY
}

// CamerasUp returns the axis that points up by the cameras of a scene alone.
func (s *Scene) CamerasUp() Up {
	level, upright := NewPose(s).cameraAxes()
	if up := onlyAxis(level); up != UnknownUp {
		return up
	}
	return onlyAxis(upright)
}

// cameraAxes counts the cameras that are upright along y and along z, and for each axis the cameras that are level only
// if it points up.
func (p *Pose) cameraAxes() (level, upright [2]int) {
	for i, n := range p.Nodes {
		if n.Camera == nil || !p.World[i].IsValid() {
			continue
		}
		right, _ := unit([3]float32(p.World[i][0:3]))
		up, _ := unit([3]float32(p.World[i][4:7]))
		switch {
		case up[1] > .5 && up[1] >= up[2]:
			upright[0]++
		case up[2] > .5:
			upright[1]++
		}
		const flat, tilted = .02, .1
		for k := range level {
			axis, other := 1+k, 2-k
			if up[axis] > 0 && abs(right[axis]) < flat && abs(right[other]) > tilted {
				level[k]++
			}
		}
	}
	return level, upright
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }

// floorName matches the names of floors, but not "background".
var floorName = regexp.MustCompile(`(?:^|[^A-Za-z])(?i:floor|ground)|Floor|Ground`)

// namedFloor returns the axis, 1 for y or 2 for z, perpendicular to a flat mesh that is called a floor or a ground, or
// 0.
func namedFloor(extents []Extent) int {
	for _, e := range extents {
		if !floorName.MatchString(e.Node.Name) {
			continue
		}
		for axis := 1; axis <= 2; axis++ {
			const flat = .05
			if size := e.size(); size[axis] <= flat*min(size[0], size[3-axis]) {
				return axis
			}
		}
	}
	return 0
}

// standsAlongZ reports whether characters stand along z and not along y, and are larger along z than along y. They
// stand along an axis if their lowest point on it is near 0. known is false if z is false and they do not stand along
// y.
func standsAlongZ(e Extent) (z, known bool) {
	size := e.size()
	stands := func(k int) bool {
		const near = .1 // of the height
		return math.Abs(e.Low[k]) <= near*size[k]
	}
	z = !stands(1) && stands(2) && size[2] > size[1]
	return z, z || stands(1)
}

// isGround reports whether a flat mesh across an axis is the ground of a scene: it is as wide as most of the scene and
// below it, and not all of the rest is as flat.
func isGround(extents []Extent, scene Extent, k int) bool {
	const flat, wide, low = .02, .6, .1
	size := scene.size()
	a, b := (k+1)%3, (k+2)%3
	hasGround, hasRest := false, false
	for _, other := range extents {
		own := other.size()
		if own[k] > flat*max(own[a], own[b]) {
			hasRest = true
		} else if own[a] >= wide*size[a] && own[b] >= wide*size[b] && other.High[k]-scene.Low[k] <= low*size[k] {
			hasGround = true
		}
	}
	return hasGround && hasRest
}

// rotatedUp returns the scene rotated from z up to y up, by a node above all others.
func (s *Scene) rotatedUp() *Scene {
	rotated := *s
	rotated.Up = UpY
	rotated.Roots = []*Node{{Name: "z up", Transform: ZUpright, Children: s.Roots}}
	return &rotated
}

// zUp is PointsZUp for a scene in its first pose. It ignores meshes that cannot be read.
func (s *Scene) zUp(ctx context.Context) (bool, error) {
	pose := NewPose(s)
	pose.SetInitial(s)
	var extents []Extent
	if s.Up == UnknownUp {
		err := s.shapes(ctx, pose, newReport(), func(sh *shape) error {
			e := emptyExtent
			e.Node, e.Skinned = sh.node, sh.node.Skin != nil && sh.node.Mesh.HasWeights()
			for _, position := range sh.positions {
				e.add(toDouble(position), toDouble(position))
			}
			if len(sh.positions) > 0 {
				extents = append(extents, e)
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return s.PointsZUp(pose, extents), nil
}

// PlainColor returns the sRGB color for a material with only a name. It is muted, and depends on the name alone.
func PlainColor(name string) [3]uint8 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	h := hash.Sum32() * 0x9E3779B1                    // names that differ in one letter are far apart
	const minChannel, strongest, shades = .68, .84, 4 // the parts of a color
	hue := 6 * float64(h>>16) / 0x10000
	darker := 1 - .05*float64(h>>8%shades)
	var out [3]uint8
	for k := range out {
		away := math.Abs(math.Mod(hue+6-2*float64(k), 6) - 3) // from the opposite of red, green or blue
		share := min(max(away-1, 0), 1)
		out[k] = uint8(255*darker*(minChannel+(strongest-minChannel)*share) + .5)
	}
	return out
}

// IsUninformative reports whether the color of a vertex is white or black, as encoders write by default. A mesh with
// only such colors counts as one without colors.
func IsUninformative(c [4]uint8) bool {
	return c == [4]uint8{255, 255, 255, 255} || c[0]|c[1]|c[2] == 0
}

// IsCutOut reports whether a picture is a drawing on a transparent background: most of it is transparent black. A
// material that does not blend would draw it as a black square; games blend it by code. A picture with gloss or similar
// data in its alpha channel has colors where alpha is 0.
func IsCutOut(img image.Image) bool {
	const steps = 64 // the number of sampled rows and columns
	b := img.Bounds()
	if opaquer, ok := img.(interface{ Opaque() bool }); b.Empty() || ok && opaquer.Opaque() {
		return false
	}
	transparent := 0
	for i := range steps * steps {
		x, y := b.Min.X+i%steps*b.Dx()/steps, b.Min.Y+i/steps*b.Dy()/steps
		if color.NRGBAModel.Convert(img.At(x, y)) == (color.NRGBA{}) {
			transparent++
		}
	}
	return transparent > steps*steps/2
}

// IsInterior reports whether triangles are the inside of a hull: they enclose much of their bounding box, and face
// inward, as do their normals. eachTriangle visits the triangles, by the indices of their vertices.
func IsInterior(positions, normals [][3]float32, eachTriangle func(visit func(a, b, c uint32))) bool {
	const minVolume = .3
	if normals == nil {
		return false
	}
	box := emptyExtent
	eachTriangle(func(a, b, c uint32) {
		for _, i := range [3]uint32{a, b, c} {
			box.add(toDouble(positions[i]), toDouble(positions[i]))
		}
	})
	size, middle := box.size(), [3]float64{}
	for k := range middle {
		middle[k] = (box.Low[k] + box.High[k]) / 2
	}
	volume, agreement := 0., 0.
	eachTriangle(func(a, b, c uint32) {
		p := toDouble(positions[a])
		face := cross(minus(toDouble(positions[b]), p), minus(toDouble(positions[c]), p))
		volume += dot(face, minus(p, middle)) / 6
		for _, i := range [3]uint32{a, b, c} {
			agreement += dot(face, toDouble(normals[i]))
		}
	})
	return volume < -minVolume*size[0]*size[1]*size[2] && agreement > 0
}
