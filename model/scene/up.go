package scene

import (
	"context"
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
// characters, if they are upright along one axis only; a ground across z, and not across y, unless a camera is upright
// along y; cameras, if all are upright along one axis; other scenes of the project; at last the gravity.
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
		z, certain := standsAlongZ(union(skinned))
		return z || !certain && s.outsideUp() == UpZ
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

// outsideUp returns the axis that points up outside the content of the scene.
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

// standsAlongZ reports whether a character is on the ground if z points up, and is not if y does: its lowest point is
// near 0 then, and it is larger along z than along y. known is false if neither is the case.
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
