package paint

import (
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

// systemFonts finds fonts of this computer by character. It is made on a goroutine and handed over when complete.
type systemFonts struct {
	lock sync.Mutex
	all  *fontscan.FontMap
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// FindSystemFonts looks for the fonts of this computer ahead of their use: the toolkit does so for its first text.
func FindSystemFonts() {
	_ = fontscan.NewFontMap(silent{}).UseSystemFonts("") // whoever uses them has the error, too
}

// loadSystem starts the search for the computer's fonts, once.
func (a *Atlas) loadSystem() {
	if a.loading || !a.useSystem {
		return
	}
	a.loading = true
	ready := a.ready
	go func() {
		all := fontscan.NewFontMap(silent{})
		if err := all.UseSystemFonts(""); err != nil {
			return
		}
		a.system.Store(&systemFonts{all: all})
		if ready != nil {
			ready()
		}
	}()
}

// find returns a font that has the character, or nil.
func (s *systemFonts) find(r rune, f Face) *font.Face {
	s.lock.Lock()
	defer s.lock.Unlock()
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
