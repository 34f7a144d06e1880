package paint

import (
	"sync/atomic"

	"fyne.io/fyne/v2"
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
