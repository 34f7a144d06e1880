package paint

import (
	"bytes"
	"image"
	"math"
	"sync/atomic"
	"unicode"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"golang.org/x/image/vector"
)

// Face is one of the type faces that text is painted in.
type Face uint8

// The faces of an Atlas.
const (
	Regular Face = iota
	Bold
	Mono
	faceCount
)

// maxSizes is the number of cached sizes at which the atlas drops all of them. Only a user who changes the text size
// many times reaches it.
const maxSizes = 12

// Atlas holds the fonts and every glyph rasterized so far. Share one among all widgets; use it on the UI thread only.
type Atlas struct {
	chains    [faceCount][]*lazyFont
	parsed    map[fyne.Resource]*lazyFont
	resources [faceCount]fyne.Resource
	sizes     map[sizeKey]*glyphs
	masks     map[maskKey]*Mask
	raster    vector.Rasterizer
	search    func(find func() (found bool)) // searches the fonts of the computer; may be nil
	system    atomic.Pointer[systemFonts]
	useSystem bool
}

type sizeKey struct {
	face  Face
	pixel int32 // 26.6
}

// NewAtlas returns an atlas with the fonts of the current Fyne theme.
func NewAtlas() *Atlas {
	return &Atlas{sizes: map[sizeKey]*glyphs{}, masks: map[maskKey]*Mask{}, parsed: map[fyne.Resource]*lazyFont{}}
}

// glyphs returns the glyph store of a face at a size in pixels.
func (a *Atlas) glyphs(f Face, pixels float32) *glyphs {
	key := sizeKey{f, int32(pixels*64 + 0.5)}
	g := a.sizes[key]
	if g == nil {
		if len(a.sizes) >= maxSizes {
			clear(a.sizes)
			clear(a.masks)
		}
		g = newGlyphs(a, f, pixels)
		a.sizes[key] = g
	}
	return g
}

// Proportional text is positioned to a quarter of a pixel, so that its spacing stays even at small sizes.
const (
	subpixels     = 4
	subpixelShift = 4 // 26.6 fraction to step
)

// maxGlyphs is the maximum number of cached glyphs outside ASCII, for each face and size.
const maxGlyphs = 8192

// A stencil is a rasterized shape. It keeps the pixels that are not empty, in one flat list: a loop over a mask would
// spend its time on mispredicted branches between ink and paper.
type stencil struct {
	dots []dot
	w, h int
}

// A dot is one pixel of a stencil: alpha in 8 bits, then x and y in 12 bits each.
type dot uint32

func (d dot) x() int { return int(d >> 8 & 0xfff) }

func (d dot) y() int { return int(d >> 20) }

// stencilOf returns the pixels of an alpha image that are not empty.
func stencilOf(img *image.Alpha) stencil {
	ink := len(img.Pix) - bytes.Count(img.Pix, []byte{0})
	s := stencil{w: min(img.Rect.Dx(), 0xfff), h: min(img.Rect.Dy(), 0xfff), dots: make([]dot, 0, ink)}
	for y := range s.h {
		for x, a := range img.Pix[y*img.Stride:][:s.w] {
			if a != 0 {
				s.dots = append(s.dots, dot(a)|dot(x)<<8|dot(y)<<20)
			}
		}
	}
	return s
}

// A glyph is the shape of a character and its position relative to the pen.
type glyph struct {
	stencil
	x, y    int // from the pen to the shape's top left corner
	advance int32
	missing bool
}

// glyphs are one face at one pixel size.
type glyphs struct {
	atlas        *Atlas
	face         Face
	pixels       float32
	wholeAdvance bool // whole pixel advances, for mono
	ascii        [128][subpixels]*glyph
	others       map[rune]*[subpixels]*glyph
	hasBoxes     bool // some characters are boxes until the system's fonts were searched
	cap          int  // height of a capital letter
}

func newGlyphs(a *Atlas, f Face, pixels float32) *glyphs {
	g := &glyphs{atlas: a, face: f, pixels: pixels, wholeAdvance: f == Mono, others: map[rune]*[subpixels]*glyph{}}
	g.cap = int(pixels*0.72 + 0.5)
	if chain := a.chain(f); len(chain) > 0 && chain[0].load() != nil {
		face := chain[0].load()
		if c := face.LineMetric(font.CapHeight); c > 0 {
			g.cap = int(c*pixels/float32(face.Upem()) + 0.5)
		}
	}
	return g
}

// glyphOf returns the glyph of a character with the pen at a fraction (26.6) of a pixel.
func (g *glyphs) glyphOf(r rune, pen int32) *glyph {
	sub := uint32(0)
	if !g.wholeAdvance {
		sub = uint32(pen&63) >> subpixelShift
	}
	if r >= 0 && r < 128 {
		if gl := g.ascii[r][sub]; gl != nil {
			return gl
		}
		gl := g.draw(r, sub)
		g.ascii[r][sub] = gl
		return gl
	}
	if g.hasBoxes && g.atlas.system.Load() != nil {
		g.hasBoxes = false
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
		set = new([subpixels]*glyph)
		g.others[r] = set
	}
	if set[sub] == nil {
		set[sub] = g.draw(r, sub)
	}
	return set[sub]
}

func (g *glyphs) draw(r rune, sub uint32) *glyph {
	for _, l := range g.atlas.chain(g.face) {
		if face := l.load(); face != nil {
			if gl := g.outline(face, r, sub); gl != nil {
				return gl
			}
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
		g.hasBoxes = true
	}
	return g.box()
}

// outline rasterizes a character from a font, or returns nil if the font does not have it.
func (g *glyphs) outline(face *font.Face, r rune, sub uint32) *glyph {
	id, ok := face.NominalGlyph(r)
	if !ok {
		return nil
	}
	scale := g.pixels / float32(face.Upem())
	gl := &glyph{advance: int32(face.HorizontalAdvance(id)*scale*64 + 0.5)}
	if g.wholeAdvance {
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
		if r == ' ' || r == 0xa0 || gl.advance != 0 && unicode.Is(unicode.Zs, r) {
			return gl
		}
		return nil
	}
	g.rasterise(gl, segments, scale, float32(sub)/subpixels)
	return gl
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
	w, h := int(math.Ceil(float64(maxX))-left), int(math.Ceil(float64(maxY))-top)
	if limit := int(g.pixels * 6); w <= 0 || h <= 0 || w > limit || h > limit { // a font with absurd outlines
		return
	}
	z := &g.atlas.raster
	z.Reset(w, h)
	dx, dy := shift-float32(left), -float32(top)
	scaled := func(p font.SegmentPoint) (float32, float32) { return p.X*scale + dx, -p.Y*scale + dy }
	for i := range segments {
		s := &segments[i]
		x0, y0 := scaled(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			z.MoveTo(x0, y0)
		case opentype.SegmentOpLineTo:
			z.LineTo(x0, y0)
		case opentype.SegmentOpQuadTo:
			x1, y1 := scaled(s.Args[1])
			z.QuadTo(x0, y0, x1, y1)
		case opentype.SegmentOpCubeTo:
			x1, y1 := scaled(s.Args[1])
			x2, y2 := scaled(s.Args[2])
			z.CubeTo(x0, y0, x1, y1, x2, y2)
		}
	}
	z.ClosePath()
	gl.stencil = stencilFrom(z)
}

// stencilFrom returns the content of the rasterizer.
func stencilFrom(z *vector.Rasterizer) stencil {
	mask := image.NewAlpha(z.Bounds())
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return stencilOf(mask)
}

// box returns the glyph of a character that is not in any font.
func (g *glyphs) box() *glyph {
	w, h := max(4, int(g.pixels*0.5)), max(5, g.cap)
	advance := int32(w+2) << 6
	if g.wholeAdvance {
		advance = g.glyphOf('0', 0).advance
		w = max(3, min(w, int(advance>>6)-2))
	}
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if y == 0 || x == 0 || y == h-1 || x == w-1 {
				mask.Pix[y*mask.Stride+x] = 0xb0
			}
		}
	}
	return &glyph{stencil: stencilOf(mask), x: 1, y: -h, advance: advance, missing: true}
}
