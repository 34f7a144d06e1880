package paint

import (
	"image"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"golang.org/x/image/vector"
)

// Proportional text is placed to a quarter of a pixel, so that its spacing stays even at small sizes.
const (
	subSteps = 4
	subShift = 4 // 26.6 fraction to step
)

// A face keeps at most this many glyphs outside ASCII at one size.
const maxGlyphs = 8192

// A glyph is an alpha mask and where it stands relative to the pen.
type glyph struct {
	pix     []uint8
	w, h    int
	x, y    int // from the pen to the mask's top left corner
	advance int32
	missing bool
}

// glyphs are one face at one pixel size.
type glyphs struct {
	atlas   *Atlas
	face    Face
	pixels  float32
	snap    bool // whole pixel advances, for mono
	ascii   [128][subSteps]*glyph
	others  map[rune]*[subSteps]*glyph
	boxed   bool // some boxes may have a glyph once the system's fonts are known
	ascent  int
	descent int
	cap     int
}

func newGlyphs(a *Atlas, f Face, pixels float32) *glyphs {
	g := &glyphs{atlas: a, face: f, pixels: pixels, snap: f == Mono, others: map[rune]*[subSteps]*glyph{}}
	g.ascent, g.descent, g.cap = int(pixels), int(pixels/4), int(pixels*0.72+0.5)
	if chain := a.chain(f); len(chain) > 0 {
		scale := pixels / float32(chain[0].Upem())
		if e, ok := chain[0].FontHExtents(); ok {
			g.ascent = int(math.Ceil(float64(e.Ascender * scale)))
			g.descent = int(math.Ceil(float64(-e.Descender * scale)))
		}
		if c := chain[0].LineMetric(font.CapHeight); c > 0 {
			g.cap = int(c*scale + 0.5)
		}
	}
	return g
}

// get returns the glyph of a character with the pen at a fraction (26.6) of a pixel.
func (g *glyphs) get(r rune, pen int32) *glyph {
	sub := uint32(0)
	if !g.snap {
		sub = uint32(pen&63) >> subShift
	}
	if r >= 0 && r < 128 {
		if gl := g.ascii[r][sub]; gl != nil {
			return gl
		}
		gl := g.make(r, sub)
		g.ascii[r][sub] = gl
		return gl
	}
	if g.boxed && g.atlas.system.Load() != nil {
		g.boxed = false
		for r, set := range g.others {
			for _, gl := range set {
				if gl != nil && gl.missing {
					delete(g.others, r)
				}
			}
		}
	}
	set := g.others[r]
	if set == nil {
		if len(g.others) >= maxGlyphs {
			clear(g.others)
		}
		set = new([subSteps]*glyph)
		g.others[r] = set
	}
	if set[sub] == nil {
		set[sub] = g.make(r, sub)
	}
	return set[sub]
}

func (g *glyphs) make(r rune, sub uint32) *glyph {
	for _, face := range g.atlas.chain(g.face) {
		if gl := g.outline(face, r, sub); gl != nil {
			return gl
		}
	}
	if system := g.atlas.system.Load(); system != nil {
		if face := system.find(r, g.face); face != nil {
			if gl := g.outline(face, r, sub); gl != nil {
				return gl
			}
		}
	} else if g.atlas.useSystem {
		g.atlas.loadSystem()
		g.boxed = true
	}
	return g.box()
}

// outline rasterises a character from a font, or returns nil if the font lacks it.
func (g *glyphs) outline(face *font.Face, r rune, sub uint32) *glyph {
	id, ok := face.NominalGlyph(r)
	if !ok {
		return nil
	}
	scale := g.pixels / float32(face.Upem())
	gl := &glyph{advance: int32(face.HorizontalAdvance(id)*scale*64 + 0.5)}
	if g.snap {
		gl.advance = (gl.advance + 32) &^ 63
	}
	var segments []font.Segment
	switch data := face.GlyphData(id).(type) {
	case font.GlyphOutline:
		segments = data.Segments
	case font.GlyphSVG:
		segments = data.Outline.Segments
	case font.GlyphBitmap:
		if data.Outline == nil {
			return nil
		}
		segments = data.Outline.Segments
	default:
		if o, ok := face.GlyphDataOutline(tables.GlyphID(id)); ok {
			segments = o.Segments
		}
	}
	if len(segments) == 0 {
		if r == ' ' || r == 0xa0 || gl.advance != 0 && isSpace(r) {
			return gl
		}
		return nil
	}
	g.rasterise(gl, segments, scale, float32(sub)/subSteps)
	return gl
}

func isSpace(r rune) bool {
	return r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x3000
}

func (g *glyphs) rasterise(gl *glyph, segments []font.Segment, scale, shift float32) {
	minX, minY := float32(math.MaxFloat32), float32(math.MaxFloat32)
	maxX, maxY := -minX, -minY
	for i := range segments {
		for _, p := range segments[i].ArgsSlice() {
			x, y := p.X*scale+shift, -p.Y*scale
			minX, maxX = min(minX, x), max(maxX, x)
			minY, maxY = min(minY, y), max(maxY, y)
		}
	}
	left, top := math.Floor(float64(minX)), math.Floor(float64(minY))
	gl.x, gl.y = int(left), int(top)
	gl.w, gl.h = int(math.Ceil(float64(maxX))-left), int(math.Ceil(float64(maxY))-top)
	limit := int(g.pixels * 6)
	if gl.w <= 0 || gl.h <= 0 || gl.w > limit || gl.h > limit { // a font with absurd outlines
		gl.w, gl.h = 0, 0
		return
	}
	z := &g.atlas.raster
	z.Reset(gl.w, gl.h)
	dx, dy := shift-float32(left), -float32(top)
	at := func(p font.SegmentPoint) (float32, float32) { return p.X*scale + dx, -p.Y*scale + dy }
	for i := range segments {
		s := &segments[i]
		x0, y0 := at(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			z.MoveTo(x0, y0)
		case opentype.SegmentOpLineTo:
			z.LineTo(x0, y0)
		case opentype.SegmentOpQuadTo:
			x1, y1 := at(s.Args[1])
			z.QuadTo(x0, y0, x1, y1)
		case opentype.SegmentOpCubeTo:
			x1, y1 := at(s.Args[1])
			x2, y2 := at(s.Args[2])
			z.CubeTo(x0, y0, x1, y1, x2, y2)
		}
	}
	z.ClosePath()
	gl.pix = finish(z)
}

// finish draws what the rasteriser holds into a fresh mask.
func finish(z *vector.Rasterizer) []uint8 {
	mask := image.NewAlpha(z.Bounds())
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return mask.Pix
}

// box is what stands for a character that no font has.
func (g *glyphs) box() *glyph {
	w, h := max(4, int(g.pixels*0.5)), max(5, g.cap)
	gl := &glyph{w: w, h: h, x: 1, y: -h, advance: int32(w+2) << 6, missing: true, pix: make([]uint8, w*h)}
	if g.snap {
		gl.advance = g.get('0', 0).advance
		gl.w = max(3, min(w, int(gl.advance>>6)-2))
		gl.pix = gl.pix[:gl.w*h]
	}
	for y := range h {
		for x := range gl.w {
			if y == 0 || x == 0 || y == h-1 || x == gl.w-1 {
				gl.pix[y*gl.w+x] = 0xb0
			}
		}
	}
	return gl
}
