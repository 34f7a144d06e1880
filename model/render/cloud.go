package render

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"assay/model/scene"
)

// maxCubesRead is the maximum number of cubes that are all read to find the visible ones.
const maxCubesRead = 2 << 20

// addCloud adds points. Cubes that are hidden on all sides are omitted. If there are too many points, a sample is read;
// cubes are then merged into a coarser lattice, so that they stay connected.
func (l *loader) addCloud(p *scene.Points, world scene.Matrix, node int) {
	free := maxDots - len(l.m.dots)
	if p.Count <= 0 || p.Read == nil || free <= 0 || !world.IsValid() {
		l.m.Omitted = l.m.Omitted || p.Count > 0 && free <= 0
		return
	}
	c := &cloud{l: l, p: p, world: world, node: node, sideMap: sideMappingOf(world)}
	if p.Edge > 0 && isDrawable([3]float32{p.Edge}) {
		c.edge = float32(float64(p.Edge) * math.Cbrt(math.Abs(determinant(world))))
	}
	switch {
	case c.edge > 0 && p.Count <= maxCubesRead:
		c.addVisible()
	case p.Count <= free:
		c.addAll()
	default:
		l.m.Omitted = true
		c.addSample(free)
	}
}

type cloud struct {
	l     *loader
	p     *scene.Points
	world scene.Matrix
	edge  float32 // of a cube in the scene
	node  int

	sideMap sideMapping
}

// add adds a point; covered are the sides of its cube that are adjacent to other cubes, before these are rotated.
func (c *cloud) add(position [3]float32, edge float32, color [4]uint8, covered uint8, row int) {
	c.l.addDot(dot{position: c.world.Apply(position), edge: edge, color: [3]uint8(color[:3]), node: int32(c.node),
		row: int32(row), covered: c.sideMap.sides(covered)})
}

// read passes all points to visit, until reading fails or the context ends. It reads a block at a time.
func (c *cloud) read(visit func(row int, d *scene.Dot)) {
	buf := make([]scene.Dot, min(c.p.Count, block))
	for i := 0; i < c.p.Count; i += len(buf) {
		into := buf[:min(len(buf), c.p.Count-i)]
		if c.l.ctx.Err() != nil || c.p.Read(i, into) != nil {
			return
		}
		for k := range into {
			visit(i+k, &into[k])
		}
	}
}

func (c *cloud) addAll() {
	c.read(func(row int, d *scene.Dot) { c.add(d.Position, c.edge, d.Color, 0, row) })
}

// allSides has a bit for each side of a cube, in the order of cubeSides.
const allSides = 1<<len(cubeSides) - 1

// sideMapping maps the sides of a cube by a transform that keeps it aligned with the axes; false for other transforms.
type sideMapping struct {
	target [len(cubeSides)]uint8
	ok     bool
}

func sideMappingOf(m scene.Matrix) (t sideMapping) {
	edge := column(m, 0).length()
	for k := range 3 {
		c := column(m, k).times(1 / edge)
		for axis, v := range c {
			if math.Abs(math.Abs(v)-1) < 1e-6 {
				t.target[2*k], t.target[2*k+1] = uint8(2*axis), uint8(2*axis+1)
				if v < 0 {
					t.target[2*k], t.target[2*k+1] = t.target[2*k+1], t.target[2*k]
				}
			} else if math.Abs(v) > 1e-6 {
				return sideMapping{}
			}
		}
	}
	t.ok = true
	return t
}

// sides returns the mapped sides of a cube.
func (m *sideMapping) sides(set uint8) (out uint8) {
	if !m.ok {
		return 0
	}
	for i, to := range m.target {
		out |= set >> i & 1 << to
	}
	return out
}

// cell is a position in a lattice.
type cell [3]int32

var neighborOffsets = [6]cell{{1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}}

func (a cell) plus(b cell) cell { return cell{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// cellOf returns the cell of a point; onLattice reports whether the point is exactly on the lattice.
func cellOf(p [3]float32, edge float32) (key cell, onLattice, ok bool) {
	onLattice = true
	for k, v := range p {
		n := math.Floor(float64(v/edge) + .5)
		if !(math.Abs(n) < 1<<30) {
			return key, false, false
		}
		onLattice = onLattice && math.Abs(float64(v/edge)-n) < 1e-3
		key[k] = int32(n)
	}
	return key, onLattice, true
}

// addVisible adds the visible cubes.
func (c *cloud) addVisible() {
	dots, rows := make([]scene.Dot, 0, c.p.Count), make([]int32, 0, c.p.Count)
	b := cellSet{low: cell{math.MaxInt32, math.MaxInt32, math.MaxInt32},
		high: cell{math.MinInt32, math.MinInt32, math.MinInt32}}
	lattice := true
	c.read(func(row int, d *scene.Dot) {
		key, on, ok := cellOf(d.Position, c.p.Edge)
		if !ok {
			return
		}
		lattice = lattice && on
		b.include(key)
		dots, rows = append(dots, *d), append(rows, int32(row))
	})
	if lattice = lattice && b.allocate(); lattice {
		for i := range dots {
			key, _, _ := cellOf(dots[i].Position, c.p.Edge)
			b.set(key)
		}
	}
	for i := range dots {
		var covered uint8
		if lattice {
			key, _, _ := cellOf(dots[i].Position, c.p.Edge)
			if covered = b.coveredSides(key); covered == allSides {
				continue
			}
		}
		c.add(dots[i].Position, c.edge, dots[i].Color, covered, int(rows[i]))
	}
}

// cellSet is the set of the occupied cells in a box, with an empty cell around it.
type cellSet struct {
	low, high cell
	step      [3]int64 // from a cell to the next along an axis
	words     []uint64
}

func (s *cellSet) include(c cell) {
	for k, v := range c {
		s.low[k], s.high[k] = min(s.low[k], v), max(s.high[k], v)
	}
}

// allocate makes the set, unless it is too large.
func (s *cellSet) allocate() bool {
	const limit = 1 << 28
	total := int64(1)
	for k := range s.step {
		s.step[k] = total
		size := int64(s.high[k]) - int64(s.low[k]) + 3
		if size <= 2 || size > limit/total {
			return false
		}
		total *= size
	}
	s.words = make([]uint64, total/64+1)
	return true
}

func (s *cellSet) bitIndex(c cell) int64 {
	index := int64(0)
	for k, v := range c {
		index += (int64(v-s.low[k]) + 1) * s.step[k]
	}
	return index
}

func (s *cellSet) set(c cell) {
	i := s.bitIndex(c)
	s.words[i/64] |= 1 << (i % 64)
}

// coveredSides returns the sides of a cell, in the order of cubeSides, with an occupied neighbor.
func (s *cellSet) coveredSides(c cell) (sides uint8) {
	i := s.bitIndex(c)
	for k, step := range s.step {
		for side, n := range [2]int64{i - step, i + step} {
			sides |= uint8(s.words[n/64]>>(n%64)&1) << (2*k + side)
		}
	}
	return sides
}

// addSample adds one point of each of n ranges, at varying positions, to avoid aliasing with a lattice.
func (c *cloud) addSample(n int) {
	const pointsPerCell = 5 // points for a coarse cell, so that few stay empty
	edge := float32(math.Ceil(math.Cbrt(pointsPerCell*float64(c.p.Count)/float64(n)))) * c.p.Edge
	cells := make(map[cell][4]uint8)
	random := rand.New(rand.NewPCG(1, 2))
	var buf [1]scene.Dot
	step := float64(c.p.Count) / float64(n)
	for i := range n {
		if i%1024 == 0 && c.l.ctx.Err() != nil {
			break
		}
		row := min(int((float64(i)+random.Float64())*step), c.p.Count-1)
		if c.p.Read(row, buf[:]) != nil {
			break
		}
		d := &buf[0]
		if c.edge == 0 {
			c.add(d.Position, 0, d.Color, 0, row)
		} else if key, _, ok := cellOf(d.Position, edge); ok {
			cells[key] = d.Color
		}
	}
	fillGaps(cells)
	order := slices.SortedFunc(maps.Keys(cells), func(a, b cell) int { return slices.Compare(a[:], b[:]) })
	for _, key := range order {
		if countNeighbors(cells, key) < len(neighborOffsets) {
			position := [3]float32{float32(key[0]) * edge, float32(key[1]) * edge, float32(key[2]) * edge}
			c.add(position, edge/c.p.Edge*c.edge, cells[key], 0, -1)
		}
	}
}

func countNeighbors(cells map[cell][4]uint8, key cell) int {
	n := 0
	for _, s := range neighborOffsets {
		if _, ok := cells[key.plus(s)]; ok {
			n++
		}
	}
	return n
}

// fillGaps fills cells that are empty only because none of their points was sampled.
func fillGaps(cells map[cell][4]uint8) {
	filled := make(map[cell][4]uint8)
	for key := range cells {
		for _, s := range neighborOffsets {
			side := key.plus(s)
			if _, ok := cells[side]; ok || countNeighbors(cells, side) < len(neighborOffsets)-1 {
				continue
			}
			for _, s := range neighborOffsets { // the first in order: the map's order is random
				if color, ok := cells[side.plus(s)]; ok {
					filled[side] = color
					break
				}
			}
		}
	}
	maps.Copy(cells, filled)
}

func determinant(m scene.Matrix) float64 {
	return column(m, 0).dot(column(m, 1).cross(column(m, 2)))
}

// cubeSides are the sides of a cube: the normal of each, and its corners in order.
var cubeSides = [6]struct {
	normal  vec
	corners [4]int
}{
	{vec{-1, 0, 0}, [4]int{0, 2, 6, 4}}, {vec{1, 0, 0}, [4]int{1, 3, 7, 5}},
	{vec{0, -1, 0}, [4]int{0, 1, 5, 4}}, {vec{0, 1, 0}, [4]int{2, 3, 7, 6}},
	{vec{0, 0, -1}, [4]int{0, 1, 3, 2}}, {vec{0, 0, 1}, [4]int{4, 5, 7, 6}},
}

// The values for the side of a dot's sample that is not a side of a cube: of a ball, and of a cube that is too small.
const (
	ballLook      = 6
	smallCubeLook = 7
)

// dotStyle holds the values that all dots of a picture share.
type dotStyle struct {
	*projection
	radius  float64 // of balls
	normals [6]vec
}

func (f *frame) newDotStyle() *dotStyle {
	d := &dotStyle{projection: f.c.projection(), radius: float64(f.n)}
	if !f.m.hasMesh && len(f.m.dots) > 0 {
		d.radius *= min(max(.45*math.Sqrt(float64(f.g.width*f.g.height)/float64(f.n*f.n)/float64(len(f.m.dots))), 1), 5)
	}
	for i := range d.normals {
		d.normals[i] = f.c.axes.apply(cubeSides[i].normal)
	}
	return d
}

const (
	// minGapSize is the minimum size in pixels of cubes that are drawn smaller, to separate neighbors.
	minGapSize = 6
	gapScale   = .96
	// minClosedShare is the minimum share of minGapSize for drawing all sides: the next cube may leave a gap.
	minClosedShare = .9
)

func (f *frame) binDots(bands [][]uint32, from, to int) {
	bandHeight := float64(bandRows * f.n)
	height := float64(f.g.height)
	for k := from; k < to; k++ {
		d := &f.m.dots[k]
		var center projected
		if f.dots.project(&d.position, &center); center.near <= 0 || f.m.isHidden(int(d.node)) {
			continue
		}
		x, y, near := float64(center.x), float64(center.y), float64(center.near)
		reach := max(float64(d.edge)*f.c.scale*f.c.pixelsPerUnit(near), f.dots.radius) + 1
		if !(y+reach >= 0 && y-reach <= height && x+reach >= 0 && x-reach <= float64(f.g.width)) {
			continue
		}
		for b := int(max(y-reach, 0) / bandHeight); b <= min(int(min(y+reach, height)/bandHeight), f.bands-1); b++ {
			bands[b] = append(bands[b], uint32(k))
		}
	}
}

// drawDot draws a dot of a cloud: a cube if it has an edge and is large enough, else a ball.
func (f *frame) drawDot(i, from, to int) int {
	const work = 4
	d := &f.m.dots[i]
	var center projected
	f.dots.project(&d.position, &center)
	x, y, near := float64(center.x), float64(center.y), float64(center.near)
	id := idDot | sampleID(i)<<3
	size := float64(d.edge) * f.c.scale * f.c.pixelsPerUnit(near)
	switch {
	case d.edge == 0:
		return work + f.g.fillDisc(x, y, f.dots.radius, near, id|ballLook, from, to)
	case size < 1.5:
		f.g.fillSquare(x, y, max(size*.7, .5), near, id|smallCubeLook, from, to)
		return work
	case size > minGapSize*float64(f.n):
		return work + f.drawCube(d, gapScale, 0, id, from, to)
	}
	if size > minClosedShare*minGapSize*float64(f.n) {
		return work + f.drawCube(d, 1, 0, id, from, to)
	}
	return work + f.drawCube(d, 1, d.covered, id, from, to)
}

// drawCube draws the visible sides of a cube without the covered ones.
func (f *frame) drawCube(d *dot, share float64, covered uint8, id sampleID, from, to int) int {
	sides := f.facingSides(f.c.toCamera(toVec(d.position)), float64(d.edge)*f.c.scale/2*share) &^ covered
	if sides == 0 {
		return 1
	}
	var corners [8]corner
	if !f.dots.cornersOf(d, float64(d.edge)/2*share, &corners) {
		return 8
	}
	work := 16
	for i := range cubeSides {
		if sides>>i&1 == 0 {
			continue
		}
		s := &cubeSides[i].corners
		work += f.g.fill(&corners[s[0]], &corners[s[1]], &corners[s[2]], id|sampleID(i), from, to)
		work += f.g.fill(&corners[s[0]], &corners[s[2]], &corners[s[3]], id|sampleID(i), from, to)
	}
	return work
}

// facingSides returns the sides of a cube that face the camera.
func (f *frame) facingSides(position vec, half float64) (sides uint8) {
	viewer := vec{f.c.x, f.c.y, f.c.z}.minus(position)
	if f.c.parallel {
		viewer = vec{0, 0, orthographicDepth}
	}
	for k := range 3 {
		switch component := f.dots.normals[2*k+1].dot(viewer); {
		case component > half:
			sides |= 2 << (2 * k)
		case -component > half:
			sides |= 1 << (2 * k)
		}
	}
	return sides
}

// cornersOf computes the corners of a cube in the picture; false if one is behind the camera. Adjacent cubes have
// exactly the same corners, so that there are no gaps between them.
func (s *dotStyle) cornersOf(d *dot, half float64, corners *[8]corner) bool {
	var x, y, w [3][2]float64 // the contribution of each axis, on both sides
	for k, v := range d.position {
		for side, edge := range [2]float64{float64(v) - half, float64(v) + half} {
			x[k][side], y[k][side], w[k][side] = s.x[k]*edge, s.y[k]*edge, s.w[k]*edge
		}
	}
	for i := range corners {
		c := &corners[i]
		a, b, d := i&1, i>>1&1, i>>2
		c.x, c.y = x[0][a]+x[1][b]+x[2][d]+s.x[3], y[0][a]+y[1][b]+y[2][d]+s.y[3]
		depth := w[0][a] + w[1][b] + w[2][d] + s.w[3]
		if s.parallel {
			if c.near = orthographicDepth - depth; c.near <= 0 {
				return false
			}
			continue
		}
		if depth < nearPlane {
			return false
		}
		c.near = 1 / depth
		c.x, c.y = c.x*c.near, c.y*c.near
	}
	return true
}

// dotColor returns the color of a dot at a point of the grid.
func (s *shader) dotColor(id sampleID, x, y float64, near float32) rgba {
	d := &s.m.dots[id>>3]
	var n vec3
	switch side := id & 7; side {
	case ballLook:
		px, py, _ := s.c.project(s.c.toCamera(toVec(d.position)))
		dx, dy := (x-px)/s.dots.radius, (py-y)/s.dots.radius
		n = s.light.inScene(toVec3(vec{dx, dy, math.Sqrt(max(0, 1-dx*dx-dy*dy))}))
	case smallCubeLook:
		n = s.light.inScene(vec3{0, .33, .944})
	default:
		n = toVec3(cubeSides[side].normal)
	}
	open := float32(1)
	if s.light.occlusion {
		open = s.light.openness(near, int(x), int(y), s.light.toView(n))
	}
	return s.light.studio(lightOf(d.color), n, open)
}

// inScene transforms a direction from the camera's space into the scene.
func (l *lighting) inScene(n vec3) vec3 {
	return l.axes[0].times(n.x).plus(l.axes[1].times(n.y)).plus(l.axes[2].times(n.z))
}
