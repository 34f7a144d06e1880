package paint

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
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

// The atlas forgets all sizes when it holds this many: only a user who changes the text size again and again gets here.
const maxSizes = 12

// Atlas holds the fonts and every glyph rasterised so far. Share one among all widgets; use it on the UI thread only.
type Atlas struct {
	chains    [faceCount][]*lazyFont
	parsed    map[fyne.Resource]*lazyFont
	resources [faceCount]fyne.Resource
	sizes     map[sizeKey]*glyphs
	masks     map[maskKey]*Mask
	raster    vector.Rasterizer
	search    func(find func() (found bool)) // for the computer's fonts; nil: they are not used, or are searched
	system    atomic.Pointer[systemFonts]
	useSystem bool
}

type sizeKey struct {
	face  Face
	pixel int32 // 26.6
}

// NewAtlas makes an atlas from the fonts of the current Fyne theme.
func NewAtlas() *Atlas {
	return &Atlas{sizes: map[sizeKey]*glyphs{}, masks: map[maskKey]*Mask{}, parsed: map[fyne.Resource]*lazyFont{}}
}

// UseSystemFonts lets the atlas look in the fonts of this computer for characters that the theme's fonts lack.
// search is called when the first such character comes, on the UI thread. It has find called on another goroutine;
// where fonts were found, what is on the screen is worth painting again.
func (a *Atlas) UseSystemFonts(search func(find func() (found bool))) {
	a.useSystem, a.search = true, search
}

// ThemeChanged drops the glyphs if the theme's fonts are others than before.
func (a *Atlas) ThemeChanged() {
	for f := range faceCount {
		if a.chains[f] != nil && a.resources[f] != themeFont(f) {
			a.chains = [faceCount][]*lazyFont{}
			clear(a.parsed)
			clear(a.sizes)
			return
		}
	}
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

// A lazyFont is parsed when a character is first looked for in it: the fallback fonts are large and seldom needed.
type lazyFont struct {
	resource fyne.Resource
	face     *font.Face
	once     sync.Once
}

func (l *lazyFont) get() *font.Face {
	l.once.Do(func() {
		if face, err := font.ParseTTF(bytes.NewReader(l.resource.Content())); err == nil {
			l.face = face
		}
	})
	return l.face
}

// Parser returns a function that parses the fonts of all faces ahead of their use, on whatever goroutine.
func (a *Atlas) Parser() func() {
	var first []*lazyFont
	for f := range faceCount {
		if chain := a.chain(f); len(chain) > 0 {
			first = append(first, chain[0])
		}
	}
	return func() {
		for _, l := range first {
			l.get()
		}
	}
}

// chain returns the fonts to search for a face, best first. The faces share the fonts.
func (a *Atlas) chain(f Face) []*lazyFont {
	if a.chains[f] != nil {
		return a.chains[f]
	}
	a.resources[f] = themeFont(f)
	sources := []fyne.Resource{a.resources[f]}
	switch f {
	case Mono:
		sources = append(sources, theme.DefaultTextMonospaceFont(), theme.DefaultTextFont())
	case Bold:
		sources = append(sources, theme.DefaultTextBoldFont(), theme.DefaultTextFont(),
			theme.DefaultTextMonospaceFont())
	default:
		sources = append(sources, theme.DefaultTextFont(), theme.DefaultTextMonospaceFont())
	}
	sources = append(sources, theme.DefaultSymbolFont(), theme.DefaultEmojiFont())
	for _, s := range sources {
		if s == nil {
			continue
		}
		if a.parsed[s] == nil {
			a.parsed[s] = &lazyFont{resource: s}
		}
		if l := a.parsed[s]; !slices.Contains(a.chains[f], l) {
			a.chains[f] = append(a.chains[f], l)
		}
	}
	return a.chains[f]
}

func themeFont(f Face) fyne.Resource {
	switch f {
	case Bold:
		return theme.Font(fyne.TextStyle{Bold: true})
	case Mono:
		return theme.Font(fyne.TextStyle{Monospace: true})
	}
	return theme.Font(fyne.TextStyle{})
}
