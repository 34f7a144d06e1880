// Package render draws scenes without a graphics card, and thumbnails of any document for file managers and previews.
//
// Load makes a Model of a scene: triangles, lines, dots and cubes in one space, bounded in number (see maxVertices and
// the others). A Renderer draws a Model for a View, repeatedly. Drawing never fails because of the content of a file:
// invalid coordinates and indices are skipped, and Model.Problems reports them. A Painter draws thumbnails.
package render

import (
	"cmp"
	"context"
	"image"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"assay/model"
	"assay/model/scene"
)

// Renderer draws models. It reuses its memory from one picture to the next; it is for one goroutine at a time, and uses
// all processors itself.
type Renderer struct {
	Samples int  // per pixel and axis: 2 or 3 for smooth edges; 0 is 1
	Soft    bool // darken corners and surfaces below others
	// Labels are the names, and the positions of joints, in the picture drawn last. The caller draws them.
	Labels []Label

	n       int // samples per pixel and axis of the picture drawn last
	grid    grid
	corners []projected
	bins    []bin        // of each chunk
	sorted  [][][]uint32 // the content of each band of a chunk, for each processor
	mask    grid         // of the selection, a sample a pixel
	shaders []shader
}

// projected is a projected vertex: its position in the picture, its nearness (see camera.project), and w, its distance,
// 1 for a parallel camera. Behind the camera near is 0, and x and y are multiplied by w. near is NaN for an invalid
// position.
type projected struct{ x, y, near, w float32 }

// isInvalid reports whether a coordinate is NaN, which marks an invalid position.
func isInvalid[F float32 | float64](v F) bool { return v != v }

// corner returns the vertex in the form for the grid.
func (p *projected) corner() corner { return corner{float64(p.x), float64(p.y), float64(p.near)} }

const (
	maxSamples = 32 << 20 // bounds the grid
	chunk      = 1 << 13  // triangles or dots of a unit of work
	bandRows   = 32       // pixels
	maxWork    = 1 << 30  // samples visited for a picture before the farthest triangles are skipped
)

// Draw draws the model into dst. If ctx ends, dst has a partial picture, and the error is the context's.
func (r *Renderer) Draw(ctx context.Context, dst *image.NRGBA, m *Model, v View) error {
	size := dst.Rect.Size()
	if size.X <= 0 || size.Y <= 0 {
		return ctx.Err()
	}
	n := min(max(r.Samples, 1), 4)
	for n > 1 && size.X*size.Y > maxSamples/n/n {
		n--
	}
	r.n = n
	g := &r.grid
	g.width, g.height = size.X*n, size.Y*n
	if cap(g.samples) < g.width*g.height {
		g.samples = make([]sample, g.width*g.height)
	}
	g.samples = g.samples[:g.width*g.height]
	f := &frame{m: m, c: newCamera(m, v, g.width, g.height), g: g, r: r, n: n, ctx: ctx, view: &v}
	f.light = newLighting(m, f.c, n, r.Soft, g, &v)
	f.bands = (size.Y + bandRows - 1) / bandRows
	f.blended = make([]blendedBand, f.bands)
	f.project()
	f.binAll()
	f.inBands(func(s *shader, from, to int) { f.band(s, from/bandRows, from*n, to*n) })
	f.inBands(func(s *shader, from, to int) { s.paintRows(dst, from, to) })
	r.Labels = r.Labels[:0]
	f.drawMarks(dst)
	return ctx.Err()
}

// frame is the state of drawing one picture.
type frame struct {
	m     *Model
	c     *camera
	g     *grid
	r     *Renderer
	n     int // samples per pixel and axis
	ctx   context.Context
	view  *View
	light *lighting
	stop  atomic.Bool
	bands int
	dots  *dotStyle

	blended   []blendedBand // of each band
	isCrowded bool          // too many triangles: the nearest are drawn first
}

// blendTriangle is a blended triangle, and its area in the picture, in samples.
type blendTriangle struct {
	triangle                uint32
	near                    float32
	left, right, high, deep float32
}

// blendedBand are the translucent triangles of a band, the farthest first, and the area of their pixels.
type blendedBand struct {
	triangles []uint32
	area      image.Rectangle
}

// inBands calls work for all bands of pixel rows, each with the memory of its processor.
func (f *frame) inBands(work func(s *shader, from, to int)) {
	rows := f.g.height / f.n
	processors := runtime.GOMAXPROCS(0)
	f.r.shaders = append(f.r.shaders, make([]shader, max(0, processors-len(f.r.shaders)))...)
	for i := range f.r.shaders {
		f.r.shaders[i].begin(f)
	}
	model.ForEach(processors, f.bands, func(processor, b int) {
		work(&f.r.shaders[processor], b*bandRows, min((b+1)*bandRows, rows))
	})
}

// project computes the positions of the vertices in the picture.
func (f *frame) project() {
	if cap(f.r.corners) < len(f.m.vertices) {
		f.r.corners = make([]projected, len(f.m.vertices))
	}
	f.r.corners = f.r.corners[:len(f.m.vertices)]
	if len(f.r.corners) == 0 {
		return
	}
	p := f.c.projection()
	model.Bands(len(f.r.corners), func(from, to int) {
		vertices := f.m.vertices[from:to]
		for i := range vertices {
			p.project(&vertices[i].position, &f.r.corners[from+i])
		}
	})
}

// binAll computes the bands of each triangle and each dot, and the order of translucent triangles.
func (f *frame) binAll() {
	triangles, dots := len(f.m.triangles), len(f.m.dots)
	count := chunks(triangles) + chunks(dots)
	f.r.bins = append(f.r.bins, make([]bin, max(0, count-len(f.r.bins)))...)
	f.dots = f.newDotStyle()
	translucent := make([][]blendTriangle, count)
	var work atomic.Int64
	processors := runtime.GOMAXPROCS(0)
	f.r.sorted = append(f.r.sorted, make([][][]uint32, max(0, processors-len(f.r.sorted)))...)
	model.ForEach(processors, count, func(processor, i int) {
		if f.ctx.Err() != nil {
			return
		}
		sorted := emptyLists(f.r.sorted[processor], f.bands)
		f.r.sorted[processor] = sorted
		if first := i * chunk; first < triangles {
			var w int64
			translucent[i], w = f.sortTriangles(sorted, first, min(first+chunk, triangles))
			work.Add(w)
		} else {
			first = (i - chunks(triangles)) * chunk
			f.binDots(sorted, first, min(first+chunk, dots))
		}
		f.r.bins[i].setItems(sorted)
	})
	if f.ctx.Err() != nil {
		f.stop.Store(true)
		return
	}
	f.isCrowded = work.Load() > maxWork
	f.sortTranslucent(slices.Concat(translucent...))
}

// chunks returns the number of chunks of n triangles or dots.
func chunks(n int) int { return (n + chunk - 1) / chunk }

// sortTranslucent sorts the translucent triangles into the bands.
func (f *frame) sortTranslucent(translucent []blendTriangle) {
	slices.SortFunc(translucent, func(a, b blendTriangle) int {
		return cmp.Or(cmp.Compare(a.near, b.near), cmp.Compare(a.triangle, b.triangle))
	})
	n := float32(f.n)
	width, height := f.g.width/f.n, f.g.height/f.n
	for _, g := range translucent {
		box := image.Rect(int(g.left/n), int(g.high/n), min(int(g.right/n)+1, width), min(int(g.deep/n)+1, height))
		for b := box.Min.Y / bandRows; b*bandRows < box.Max.Y; b++ {
			p := &f.blended[b]
			p.triangles = append(p.triangles, g.triangle)
			p.area = p.area.Union(box.Intersect(image.Rect(0, b*bandRows, width, min((b+1)*bandRows, height))))
		}
	}
}

// sortTriangles sorts triangles into bands. It returns the blended triangles, and the amount of work for the others.
func (f *frame) sortTriangles(bands [][]uint32, from, to int) (translucent []blendTriangle, work int64) {
	width, height := float32(f.g.width), float32(f.g.height)
	bandHeight := float32(bandRows * f.n)
	for t := from; t < to; t++ {
		tri := &f.m.triangles[t]
		mat := f.visibleMaterial(tri.surface)
		if mat == nil {
			continue
		}
		a, b, c := &f.r.corners[tri.a], &f.r.corners[tri.b], &f.r.corners[tri.c]
		least, highest := min(a.near, b.near, c.near), max(a.near, b.near, c.near)
		if isInvalid(least) || highest <= f.c.farNearness {
			continue
		}
		low, high, left, right := float32(0), height, float32(0), width
		if least > 0 {
			low, high = min(a.y, b.y, c.y), max(a.y, b.y, c.y)
			left, right = min(a.x, b.x, c.x), max(a.x, b.x, c.x)
			if !(high >= 0 && low <= height && right >= 0 && left <= width) ||
				high-low < 1 && missesAllRows(low, high) || right-left < 1 && missesAllRows(left, right) ||
				f.isCulled(mat, a, b, c) {
				continue
			}
			low, high, left, right = max(low, 0), min(high, height), max(left, 0), min(right, width)
			work += 16 + int64((high-low)*(8+(right-left)/2))
		}
		if mat.alpha == scene.AlphaBlend && f.view.Surface == Textured {
			mean := (a.near + b.near + c.near) / 3
			translucent = append(translucent, blendTriangle{uint32(t), mean, left, right, low, high})
			continue
		}
		for b := int(low / bandHeight); b <= min(int(high/bandHeight), f.bands-1); b++ {
			bands[b] = append(bands[b], uint32(t))
		}
	}
	return translucent, work
}

// visibleMaterial returns the material of a surface, or nil if the surface is hidden or culled from both sides.
func (f *frame) visibleMaterial(surface uint32) *material {
	s := &f.m.surfaces[surface]
	if s.hidden || s.material.cull == scene.CullBoth && f.cullsSides() {
		return nil
	}
	return s.material
}

// cullsSides reports whether materials cull sides.
func (f *frame) cullsSides() bool { return f.view.Surface == Textured && !f.view.BackFaces }

// isCulled reports whether the visible side of a triangle is culled.
func (f *frame) isCulled(mat *material, a, b, c *projected) bool {
	if mat.cull == scene.CullNone || !f.cullsSides() {
		return false
	}
	back := (b.x-a.x)*(c.y-a.y)-(c.x-a.x)*(b.y-a.y) > 0
	return back == (mat.cull == scene.CullBack)
}

// missesAllRows reports whether no middle of a row is between low and high, as row counts them.
func missesAllRows(low, high float32) bool {
	return math.Ceil(float64(low)-.5) == math.Ceil(float64(high)-.5)
}

// shouldStop counts work and reports when to stop.
func (f *frame) shouldStop(work *int) bool {
	const checkEvery = 1 << 20
	if *work > checkEvery {
		*work = 0
		if f.ctx.Err() != nil {
			f.stop.Store(true)
		}
	}
	return f.stop.Load()
}

// band draws the rows of the grid between from and to.
func (f *frame) band(s *shader, band, from, to int) {
	g := f.g
	clear(g.samples[from*g.width : to*g.width])
	if f.stop.Load() { // the bins belong to another picture
		return
	}
	work := 0
	triangles := chunks(len(f.m.triangles))
	if f.isCrowded {
		f.drawNearest(s, band, triangles, from, to)
	} else {
		for i := range triangles {
			for _, t := range f.r.bins[i].band(band) {
				work += f.drawTriangle(s, t, from, to)
			}
			if f.shouldStop(&work) {
				return
			}
		}
	}
	for i := range f.m.lines {
		if work += f.drawLine(i, from, to); f.shouldStop(&work) {
			return
		}
	}
	for i := triangles; i < triangles+chunks(len(f.m.dots)); i++ {
		for _, d := range f.r.bins[i].band(band) {
			work += f.drawDot(int(d), from, to)
		}
		if f.shouldStop(&work) {
			return
		}
	}
}

// drawNearest draws the nearest triangles first, as many as there is time for: the skipped ones are mostly hidden.
func (f *frame) drawNearest(s *shader, band, chunks, from, to int) {
	count := 0
	for i := range chunks {
		count += len(f.r.bins[i].band(band))
	}
	s.nearest = slices.Grow(s.nearest[:0], count)
	for i := range chunks {
		for _, t := range f.r.bins[i].band(band) {
			tri := &f.m.triangles[t]
			near := max(f.r.corners[tri.a].near, f.r.corners[tri.b].near, f.r.corners[tri.c].near)
			s.nearest = append(s.nearest, uint64(^math.Float32bits(near))<<32|uint64(t))
		}
	}
	slices.Sort(s.nearest)
	total, sinceCheck := 0, 0
	for _, key := range s.nearest {
		w := f.drawTriangle(s, uint32(key), from, to)
		total += w
		if sinceCheck += w; total > maxWork/f.bands || f.shouldStop(&sinceCheck) {
			return
		}
	}
}

// drawTriangle draws an opaque triangle.
func (f *frame) drawTriangle(s *shader, t uint32, from, to int) int {
	tri := &f.m.triangles[t]
	mat, id := f.m.surfaces[tri.surface].material, idTriangle|sampleID(t)
	if mat.alpha == scene.AlphaDiscard && mat.texture != nil && f.view.Surface == Textured {
		s.prepare(t)
		return f.drawClipped(tri, func(a, b, c corner) int {
			return f.g.fillWhere(&a, &b, &c, id, from, to, s.passesAlphaTest)
		})
	}
	if p, q, r := &f.r.corners[tri.a], &f.r.corners[tri.b], &f.r.corners[tri.c]; min(p.near, q.near, r.near) > 0 {
		a, b, c := p.corner(), q.corner(), r.corner()
		return f.g.fill(&a, &b, &c, id, from, to)
	}
	return f.drawClipped(tri, func(a, b, c corner) int { return f.g.fill(&a, &b, &c, id, from, to) })
}

// drawClipped draws the part of a triangle in front of the camera. It returns the sum of what draw returns for its
// triangles.
func (f *frame) drawClipped(tri *triangle, draw func(a, b, c corner) int) int {
	p, q, r := &f.r.corners[tri.a], &f.r.corners[tri.b], &f.r.corners[tri.c]
	if min(p.near, q.near, r.near) > 0 {
		return draw(p.corner(), q.corner(), r.corner())
	}
	var out [4]corner
	n := 0
	corners := [3]*projected{p, q, r}
	for i, a := range corners {
		b := corners[(i+1)%3]
		if a.near > 0 {
			out[n] = a.corner()
			n++
		}
		if (a.near > 0) != (b.near > 0) {
			out[n] = clipPoint(a, b)
			n++
		}
	}
	work := 1
	for i := 1; i+1 < n; i++ {
		work += draw(out[0], out[i], out[i+1])
	}
	return work
}

// clipPoint returns the point where the line between two vertices, one of them behind the camera, becomes visible.
func clipPoint(a, b *projected) corner {
	const limit = nearPlane * 1.0001
	ax, ay := a.homogeneous()
	bx, by := b.homogeneous()
	t := (limit - float64(a.w)) / (float64(b.w) - float64(a.w))
	return corner{(ax + (bx-ax)*t) / limit, (ay + (by-ay)*t) / limit, 1 / limit}
}

// homogeneous returns the position in the picture times w.
func (p *projected) homogeneous() (x, y float64) {
	if p.near > 0 {
		return float64(p.x) * float64(p.w), float64(p.y) * float64(p.w)
	}
	return float64(p.x), float64(p.y)
}

func (f *frame) drawLine(i, from, to int) int {
	l := &f.m.lines[i]
	if f.visibleMaterial(l.surface) == nil {
		return 1
	}
	a, b := &f.r.corners[l.a], &f.r.corners[l.b]
	if !(a.near >= 0) || !(b.near >= 0) || a.near == 0 && b.near == 0 {
		return 1
	}
	c, d := a.corner(), b.corner()
	if a.near == 0 {
		c = clipPoint(a, b)
	} else if b.near == 0 {
		d = clipPoint(a, b)
	}
	return f.g.line(&c, &d, float64(f.n), idLine|sampleID(i), from, to)
}
