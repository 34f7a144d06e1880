package font

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// regular is the font of labels. It has the letters of Latin, Greek and Cyrillic.
var regular = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) })

// Label is how labels on pictures are written.
type Label struct {
	font.Face
	glyphs *opentype.Font
}

// NewLabel returns the font of labels in a size in pixels.
func NewLabel(size float64) (Label, error) {
	f, err := regular()
	if err != nil {
		return Label{}, err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	return Label{face, f}, err
}

// Has reports whether the font has every letter of a text.
func (l Label) Has(text string) bool {
	for _, r := range text {
		if i, err := l.glyphs.GlyphIndex(nil, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// Fit returns a text that is at most so many pixels wide: if need be with an ellipsis in its middle, two thirds of what
// is left before it. Line ends are spaces.
func (l Label) Fit(text string, width int) string {
	limit := fixed.I(width)
	if len(text) > lettersMost {
		text = strings.ToValidUTF8(text[:lettersMost/2]+text[len(text)-lettersMost/2:], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if font.MeasureString(l, text) <= limit {
		return text
	}
	letters := []rune(text)
	before, after := len(letters)*2/3, len(letters)/3
	cut := func() string { return string(letters[:before]) + "…" + string(letters[len(letters)-after:]) }
	for before+after > 2 && font.MeasureString(l, cut()) > limit {
		if before > 2*after {
			before--
		} else {
			after--
		}
	}
	return cut()
}

// lettersMost is the length of a text in bytes of which no more is measured.
const lettersMost = 200 * utf8.UTFMax
