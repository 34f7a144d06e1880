package paint

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

// systemFonts finds fonts of this computer by character. A goroutine builds it and publishes it when it is complete.
type systemFonts struct {
	mu  sync.Mutex
	all *fontscan.FontMap
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// FindSystemFonts searches the fonts of this computer before their first use: the toolkit would do so for its first
// text.
func FindSystemFonts() {
	_ = fontscan.NewFontMap(silent{}).UseSystemFonts("") // later users get the same error
}

// loadSystem searches the computer's fonts, once.
func (a *Atlas) loadSystem() {
	if a.search == nil {
		return
	}
	search := a.search
	a.search = nil
	search(func() (found bool) {
		all := fontscan.NewFontMap(silent{})
		if err := all.UseSystemFonts(""); err != nil {
			return false
		}
		a.system.Store(&systemFonts{all: all})
		return true
	})
}

// Dotted returns a text with dots instead of the characters that no font has. Until the fonts of the system are read,
// these are all that the program's own fonts do not have.
func (a *Atlas) Dotted(text string, f Face) string {
	return strings.Map(func(r rune) rune {
		if a.has(r, f) {
			return r
		}
		return '.'
	}, text)
}

// has reports whether a font has a character.
func (a *Atlas) has(r rune, f Face) bool {
	for _, l := range a.chain(f) {
		if face := l.load(); face != nil {
			if _, ok := face.NominalGlyph(r); ok {
				return true
			}
		}
	}
	if system := a.system.Load(); system != nil {
		return system.find(r, f) != nil
	}
	if a.useSystem {
		a.loadSystem()
	}
	return false
}

// find returns a font with the character, or nil.
func (s *systemFonts) find(r rune, f Face) *font.Face {
	s.mu.Lock()
	defer s.mu.Unlock()
	family := fontscan.SansSerif
	if f == Mono {
		family = fontscan.Monospace
	}
	s.all.SetQuery(fontscan.Query{Families: []string{family}})
	s.all.SetScript(language.LookupScript(r))
	face := s.all.ResolveFace(r)
	if face == nil {
		return nil
	}
	if _, ok := face.NominalGlyph(r); !ok {
		return nil
	}
	return face
}

// UseSystemFonts makes the atlas search the fonts of this computer for characters that the theme's fonts do not have.
// search is called on the UI thread for the first such character. It must call find on another goroutine; if find
// returns true, the window should be repainted.
func (a *Atlas) UseSystemFonts(search func(find func() (found bool))) {
	a.useSystem, a.search = true, search
}

// ThemeChanged drops the glyphs if the theme's fonts have changed.
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

// A lazyFont is parsed when a character is first looked for in it: the fallback fonts are large and seldom needed.
type lazyFont struct {
	resource fyne.Resource
	face     *font.Face
	once     sync.Once
}

func (l *lazyFont) load() *font.Face {
	l.once.Do(func() {
		if face, err := font.ParseTTF(bytes.NewReader(l.resource.Content())); err == nil {
			l.face = face
		}
	})
	return l.face
}

// Parser returns a func that parses the first font of each face before its first use, on any goroutine.
func (a *Atlas) Parser() func() {
	var first []*lazyFont
	for f := range faceCount {
		if chain := a.chain(f); len(chain) > 0 {
			first = append(first, chain[0])
		}
	}
	return func() {
		for _, l := range first {
			l.load()
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

// ReadFonts makes the toolkit read the fonts of labels and buttons in the background. No text may be measured before
// wait has returned.
func ReadFonts() (wait func()) {
	read, size := make(chan struct{}), theme.TextSize()
	go func() {
		defer close(read)
		for _, bold := range []bool{false, true} {
			fyne.MeasureText("", size, fyne.TextStyle{Bold: bold})
		}
	}()
	return func() { <-read }
}
