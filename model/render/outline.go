package render

import (
	"slices"

	"assay/model/scene"
)

// silhouette is what is selected, as if nothing were in front of it.
type silhouette struct {
	surfaces []bool // those that are selected
	mask     *grid  // the nearest of them, a sample a pixel
}

// selection marks the surfaces of what is selected; nil if none of it is shown.
func (f *frame) selection() []bool {
	nodes := f.m.under(f.view.Marks.Selected)
	if nodes == nil {
		return nil
	}
	out := make([]bool, len(f.m.surfaces))
	for i := range f.m.surfaces {
		s := &f.m.surfaces[i]
		out[i] = !s.hidden && f.m.isOf(s, Piece{f.view.Marks.Selected, f.view.Marks.Part}, nodes)
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// silhouette draws what is selected by itself; nil if nothing of it is shown.
func (f *frame) silhouette() *silhouette {
	surfaces := f.selection()
	if surfaces == nil {
		return nil
	}
	mask := &f.r.mask
	mask.width, mask.height = f.g.width/f.n, f.g.height/f.n
	mask.samples = slices.Grow(mask.samples[:0], mask.width*mask.height)[:mask.width*mask.height]
	bins := make([][]uint32, f.bands)
	for t := range f.m.triangles {
		if surfaces[f.m.triangles[t].surface] {
			f.bin(bins, uint32(t))
		}
	}
	f.inBands(func(s *shader, from, to int) {
		clear(mask.samples[from*mask.width : to*mask.width])
		work := 0
		for _, t := range bins[from/bandRows] {
			if work += f.shadow(s, mask, t, from, to); f.over(&work) {
				return
			}
		}
	})
	return &silhouette{surfaces, mask}
}

// bin puts a triangle into the bands that it is in.
func (f *frame) bin(bins [][]uint32, t uint32) {
	tri := &f.m.triangles[t]
	a, b, c := &f.r.corners[tri.a], &f.r.corners[tri.b], &f.r.corners[tri.c]
	low, high := float32(0), float32(f.g.height)
	switch least := min(a.near, b.near, c.near); {
	case least != least || max(a.near, b.near, c.near) <= 0:
		return
	case least > 0:
		low, high = max(low, min(a.y, b.y, c.y)), min(high, max(a.y, b.y, c.y))
	}
	bandHeight := float32(bandRows * f.n)
	for i := int(low / bandHeight); i <= min(int(high/bandHeight), f.bands-1); i++ {
		bins[i] = append(bins[i], t)
	}
}

// shadow draws a triangle into the mask, and returns how much work it was.
func (f *frame) shadow(s *shader, mask *grid, t uint32, from, to int) int {
	tri := &f.m.triangles[t]
	mat := f.m.surfaces[tri.surface].material
	keep := func(int, int) bool { return true }
	if mat.alpha == scene.AlphaDiscard && mat.texture != nil && f.view.Surface == Textured {
		s.prepare(t)
		keep = func(x, y int) bool { return s.kept(x*f.n+f.n/2, y*f.n+f.n/2) }
	}
	return f.pieces(tri, func(a, b, c corner) int {
		for _, p := range []*corner{&a, &b, &c} {
			p.x, p.y = p.x/float64(f.n), p.y/float64(f.n)
		}
		return mask.fillWhere(&a, &b, &c, whatTriangle|what(t), from, to, keep)
	})
}

// at is what is seen in the middle of a pixel.
func (f *frame) at(x, y int) *sample {
	return &f.g.samples[(y*f.n+f.n/2)*f.g.width+x*f.n+f.n/2]
}

// side tells whether something selected is at a pixel, and if it is, whether something else hides it.
type side uint8

const (
	outside side = iota
	behind
	ahead
)

// side returns what a pixel is of.
func (p *pen) side(s *silhouette, x, y int) side {
	if x < 0 || y < 0 || x >= s.mask.width || y >= s.mask.height {
		return outside
	}
	here := s.mask.samples[y*s.mask.width+x].near
	seen := p.at(x, y)
	switch own := seen.what&kinds == whatTriangle; {
	case here == 0:
		return outside
	case seen.near <= p.c.ahead(here), own && s.surfaces[p.m.triangles[seen.what].surface]:
		return ahead
	}
	return behind
}

// outline draws a line around what is selected, with dashes and dimmed where something else hides it.
func (p *pen) outline(s *silhouette) {
	const period, dash, dimmed = 5, 3, .8
	around := [...]struct {
		x, y  int
		share float32
	}{{1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1, 1, .8}, {-1, 1, .8}, {1, -1, .8}, {-1, -1, .8}, {2, 0, .5},
		{-2, 0, .5}, {0, 2, .5}, {0, -2, .5}}
	for y := p.from; y < p.to; y++ {
		for x := range s.mask.width {
			if s.mask.samples[y*s.mask.width+x].near > 0 {
				continue
			}
			for _, o := range around {
				share := o.share
				switch p.side(s, x+o.x, y+o.y) {
				case outside:
					continue
				case behind:
					if share *= dimmed; (x+y)%period >= dash {
						share = 0
					}
				}
				blendPixel(p.dst.Pix[y*p.dst.Stride+4*x:][:4], selectedColor, share)
				break
			}
		}
	}
}
