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

// loadSystem has the computer's fonts searched, once.
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
