package paint

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/compare"
)

// Mode is the mode of the theme.
type Mode string

// The modes. System follows the desktop.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// IsLight reports whether the colors of the mode are the light ones.
func (m Mode) IsLight() bool {
	return m == Light || m != Dark && fyne.CurrentApp().Settings().ThemeVariant() == theme.VariantLight
}

// The text sizes that can be chosen, in device-independent pixels.
const (
	SmallestText = 9

	LargestText = 28
)

// Theme is the theme for one mode and text size.
type Theme struct {
	base fyne.Theme
	mode Mode
	text float32
}

var _ fyne.Theme = (*Theme)(nil)

// NewTheme returns a theme; a text size of 0 is the default.
func NewTheme(mode Mode, text float32) *Theme {
	if text == 0 {
		text = DefaultTextSize
	}
	return &Theme{base: theme.DefaultTheme(), mode: mode, text: min(max(text, SmallestText), LargestText)}
}

// Font returns the default theme's fonts.
func (t *Theme) Font(s fyne.TextStyle) fyne.Resource { return t.base.Font(s) }

// Icon returns the default theme's icons.
func (t *Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return t.base.Icon(n) }

// Size returns compact sizes that grow with the text.
func (t *Theme) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameText:
		return t.text
	case theme.SizeNameCaptionText:
		return t.text - 2
	case theme.SizeNameSubHeadingText:
		return t.text * 1.25
	case theme.SizeNameHeadingText:
		return t.text * 1.8
	case theme.SizeNamePadding:
		return 3
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameInlineIcon:
		return t.text + 3
	case theme.SizeNameSeparatorThickness:
		return 1
	case theme.SizeNameSplitThickness:
		return 5
	case theme.SizeNameInputRadius, theme.SizeNameButtonRadius, theme.SizeNameSelectionRadius, theme.SizeNameMenuRadius:
		return 4
	case theme.SizeNamePopupRadius, theme.SizeNameDialogRadius, theme.SizeNameCardRadius:
		return 6
	case theme.SizeNameScrollBar:
		return 10
	case theme.SizeNameScrollBarSmall:
		return 4
	}
	return t.base.Size(n)
}

// Color returns the mode's colors.
func (t *Theme) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch t.mode {
	case Light:
		v = theme.VariantLight
	case Dark:
		v = theme.VariantDark
	}
	colors := dark
	if v == theme.VariantLight {
		colors = light
	}
	if c, ok := colors[n]; ok {
		return c
	}
	return t.base.Color(n, v)
}

func rgba(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}
}

var dark = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0x1b1e23),
	theme.ColorNameHeaderBackground:    rgb(0x22262c),
	theme.ColorNameForeground:          rgb(0xd9dde3),
	theme.ColorNamePlaceHolder:         rgb(0x88909b),
	theme.ColorNameDisabled:            rgb(0x8c939c),
	theme.ColorNamePrimary:             rgb(0x4c9be8),
	theme.ColorNameHyperlink:           rgb(0x6cb0f2),
	theme.ColorNameForegroundOnPrimary: rgb(0x0c1117),
	theme.ColorNameFocus:               rgba(0x4c9be855),
	theme.ColorNameSelection:           rgba(0x4c9be866),
	theme.ColorNameButton:              rgb(0x2c3138),
	theme.ColorNameDisabledButton:      rgb(0x24282e),
	theme.ColorNameInputBackground:     rgb(0x14171b),
	theme.ColorNameInputBorder:         rgb(0x383e47),
	theme.ColorNameMenuBackground:      rgb(0x262a31),
	theme.ColorNameOverlayBackground:   rgb(0x22262c),
	theme.ColorNameHover:               rgba(0xffffff12),
	theme.ColorNamePressed:             rgba(0xffffff26),
	theme.ColorNameSeparator:           rgb(0x30353d),
	theme.ColorNameShadow:              rgba(0x00000066),
	theme.ColorNameScrollBar:           rgba(0xffffff55),
	theme.ColorNameScrollBarBackground: rgba(0xffffff08),
	theme.ColorNameError:               rgb(0xf06a63),
	theme.ColorNameWarning:             rgb(0xe6a53c),
	theme.ColorNameSuccess:             rgb(0x62b96b),
}

var light = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0xfcfcfd),
	theme.ColorNameHeaderBackground:    rgb(0xf1f3f5),
	theme.ColorNameForeground:          rgb(0x24292f),
	theme.ColorNamePlaceHolder:         rgb(0x666e78),
	theme.ColorNameDisabled:            rgb(0x686e75),
	theme.ColorNamePrimary:             rgb(0x1f6fc4),
	theme.ColorNameHyperlink:           rgb(0x1d66b4),
	theme.ColorNameForegroundOnPrimary: rgb(0xffffff),
	theme.ColorNameFocus:               rgba(0x1f6fc444),
	theme.ColorNameSelection:           rgba(0x1f6fc440),
	theme.ColorNameButton:              rgb(0xeceff2),
	theme.ColorNameDisabledButton:      rgb(0xf3f4f6),
	theme.ColorNameInputBackground:     rgb(0xffffff),
	theme.ColorNameInputBorder:         rgb(0xcfd5db),
	theme.ColorNameMenuBackground:      rgb(0xffffff),
	theme.ColorNameOverlayBackground:   rgb(0xffffff),
	theme.ColorNameHover:               rgba(0x0000000d),
	theme.ColorNamePressed:             rgba(0x0000001f),
	theme.ColorNameSeparator:           rgb(0xdfe3e8),
	theme.ColorNameShadow:              rgba(0x00000033),
	theme.ColorNameScrollBar:           rgba(0x00000044),
	theme.ColorNameScrollBarBackground: rgba(0x00000008),
	theme.ColorNameError:               rgb(0xc9372c),
	theme.ColorNameWarning:             rgb(0x9e5e00),
	theme.ColorNameSuccess:             rgb(0x2e7d32),
}

// Color is an opaque or translucent color with alpha not multiplied in.
type Color = color.NRGBA

// Tints is the number of background colors that the fields of a record alternate between.
const Tints = 6

// hues are the colors of fields. Neighbors differ as much as possible.
var hues = [Tints]Color{rgb(0x2f9ec9), rgb(0x9a6bd6), rgb(0x35b06a), rgb(0xd0637f), rgb(0xb3a13a), rgb(0x4f72e0)}

// Colors are the colors of one frame, taken from the Fyne theme.
type Colors struct {
	Background, Alternate, Header, Separator Color
	Foreground, Dim, Faint                   Color // text, and two less prominent colors
	Hover, Selection, Inactive               Color // backgrounds of rows; Inactive: selected without the focus
	Primary, OnPrimary, Focus                Color
	Bar, Thumb, ThumbHover                   Color
	Error, Warning, Success                  Color
	Highlight, Range                         Color // backgrounds of bytes
	Hit, CurrentHit, Changed                 Color
	Tints                                    [Tints]Color // backgrounds of the fields of a record
	Statuses                                 StatusColors
	Kinds                                    Kinds
	Notes                                    Notes
	Dark                                     bool
}

// StatusColors are the colors of the statuses in a comparison.
type StatusColors struct{ Changed, Moved, Added, Removed Color }

func statusColorsFor(g compare.Background) StatusColors {
	return StatusColors{Changed: compare.Changed.Color(g), Moved: compare.Moved.Color(g), Added: compare.Added.Color(g),
		Removed: compare.Removed.Color(g)}
}

// ThemeColors reads the colors that the current theme and variant give a widget.
func ThemeColors(w fyne.Widget) Colors {
	themeColor := func(name fyne.ThemeColorName) Color {
		return color.NRGBAModel.Convert(theme.ColorForWidget(name, w)).(Color)
	}
	c := Colors{
		Background: themeColor(theme.ColorNameBackground),
		Header:     themeColor(theme.ColorNameHeaderBackground),
		Foreground: themeColor(theme.ColorNameForeground),
		Primary:    themeColor(theme.ColorNamePrimary),
		Error:      themeColor(theme.ColorNameError),
		Warning:    themeColor(theme.ColorNameWarning),
		Success:    themeColor(theme.ColorNameSuccess),
		OnPrimary:  themeColor(theme.ColorNameForegroundOnPrimary),
	}
	c.Background.A = 0xff
	c.Dark = luma(c.Background) < 128
	// Fyne's own dim, hover and selection colors are made for big buttons: on compact rows they are too strong or too
	// weak, so these are mixed from the theme's background, foreground and primary color.
	c.Dim = Mix(c.Foreground, c.Background, 0.69)
	c.Faint = Mix(c.Foreground, c.Background, 0.36)
	c.Separator = Mix(c.Foreground, c.Background, 0.13)
	c.Alternate = Mix(c.Foreground, c.Background, 0.022)
	c.Hover = Mix(c.Foreground, c.Background, 0.075)
	c.Inactive = Mix(c.Foreground, c.Background, 0.15)
	c.Thumb = Mix(c.Foreground, c.Background, 0.28)
	c.ThumbHover = Mix(c.Foreground, c.Background, 0.45)
	c.Bar = Mix(c.Foreground, c.Background, 0.035)
	c.Focus = Mix(c.Primary, c.Background, 0.85)
	tint := float32(0.12)
	if c.Dark {
		c.Kinds, c.Notes = darkKinds, darkNotes
		c.Header = Mix(c.Foreground, c.Background, 0.055)
		c.Selection = Mix(c.Primary, c.Background, 0.38)
		c.Highlight, c.Range = Mix(c.Primary, c.Background, 0.45), Mix(c.Primary, c.Background, 0.78)
		tint = 0.19
		c.Hit, c.CurrentHit = Mix(rgb(0xd8b42a), c.Background, 0.42), Mix(rgb(0xffb300), c.Background, 0.72)
		c.Statuses = statusColorsFor(compare.OnDark)
	} else {
		c.Kinds, c.Notes = lightKinds, lightNotes
		c.Header = Mix(c.Foreground, c.Background, 0.06)
		c.Selection = Mix(c.Primary, c.Background, 0.22)
		c.Highlight, c.Range = Mix(c.Primary, c.Background, 0.22), Mix(c.Primary, c.Background, 0.45)
		c.Hit, c.CurrentHit = rgb(0xffee9e), rgb(0xffcf3f)
		c.Statuses = statusColorsFor(compare.OnLight)
	}
	for i, hue := range hues {
		c.Tints[i] = Mix(hue, c.Background, tint)
	}
	c.Changed = Mix(c.Statuses.Changed, c.Background, 0.36)
	// Of all backgrounds without selection or highlight, this one is the nearest to the text colors.
	return c.OnBackground(c.Hover)
}

// Mix returns the opaque mix of a and b; share is the fraction of a, 0 to 1.
func Mix(a, b Color, share float32) Color {
	m := func(x, y uint8) uint8 { return uint8(float32(x)*share + float32(y)*(1-share) + 0.5) }
	return Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: 0xff}
}

func luma(c Color) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }

func rgb(v uint32) Color { return rgba(v<<8 | 0xff) }

// Tone is the meaning of a text, which decides its color.
type Tone uint8

// The tones of texts.
const (
	Normal Tone = iota
	Dim
	Faint
	Primary
	Success
	Warning
	Error

	Number // values, by their kind
	Word
	Name
	Bytes
	Group
	Link

	Changed // the states of a comparison
	Moved
	Added
	Removed

	Yellow // notes, by their color
	Orange
	Red
	Purple
	Blue
	Green
)

// Kinds are the colors of the kinds of values.
type Kinds struct{ Number, Word, Name, Bytes, Group, Link Color }

var (
	darkKinds = Kinds{Number: rgb(0x8fc7f0), Word: rgb(0xa9cf8e), Name: rgb(0xcfa7e8), Bytes: rgb(0xd9b779),
		Group: rgb(0x9aa7b5), Link: rgb(0x6cb0f2)}
	lightKinds = Kinds{Number: rgb(0x1a5fa8), Word: rgb(0x3a7a1e), Name: rgb(0x7d3fb0), Bytes: rgb(0x8a5a00),
		Group: rgb(0x5f6b78), Link: rgb(0x1f6fc4)}
)

// Notes are the colors of notes, starting with Yellow.
type Notes [Green - Yellow + 1]Color

// The colors of notes, starting with Yellow. Marks in them are visible on the background, and text is legible on their
// tint.
var (
	darkNotes  = Notes{rgb(0xe9d25a), rgb(0xf29a4a), rgb(0xf07178), rgb(0xc59af5), rgb(0x6db3f2), rgb(0x7ccf8a)}
	lightNotes = Notes{rgb(0x9c7c00), rgb(0xc75f00), rgb(0xc62f3a), rgb(0x8040b8), rgb(0x1c6fc9), rgb(0x2f8a3f)}
)

// SeverityTone returns the tone of a severity.
func SeverityTone(s model.Severity) Tone {
	return [...]Tone{model.Note: Dim, model.Warning: Warning, model.Error: Error}[s]
}

// ForTone returns the color of a tone.
func (c *Colors) ForTone(t Tone) Color {
	if t < Yellow {
		return [...]Color{Normal: c.Foreground, Dim: c.Dim, Faint: c.Faint, Primary: c.Primary, Success: c.Success,
			Warning: c.Warning, Error: c.Error, Number: c.Kinds.Number, Word: c.Kinds.Word, Name: c.Kinds.Name,
			Bytes: c.Kinds.Bytes, Group: c.Kinds.Group, Link: c.Kinds.Link, Changed: c.Statuses.Changed,
			Moved: c.Statuses.Moved, Added: c.Statuses.Added, Removed: c.Statuses.Removed}[t]
	}
	return c.Notes[t-Yellow]
}

// minContrast is the minimum contrast of a text with its background; the value is from WCAG 2.
const minContrast = 4.5

// Legible returns the color nearest to text that is legible on an opaque background.
func (c *Colors) Legible(text, background Color) Color {
	if contrast(text, background) >= minContrast {
		return text
	}
	target := c.Foreground
	if contrast(target, background) < minContrast {
		target = Color{A: 0xff}
		white := Color{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
		if contrast(white, background) > contrast(target, background) {
			target = white
		}
	}
	const steps = 10
	for i := 1; i < steps; i++ {
		if m := Mix(target, text, float32(i)/steps); contrast(m, background) >= minContrast {
			return m
		}
	}
	return target
}

// OnBackground returns the colors, with legible text colors for a background.
func (c Colors) OnBackground(ground Color) Colors {
	k, s := &c.Kinds, &c.Statuses
	tinted := c
	for _, text := range []*Color{&c.Foreground, &c.Dim, &c.Faint, &c.Primary, &c.Error, &c.Warning, &c.Success,
		&k.Number, &k.Word, &k.Name, &k.Bytes, &k.Group, &k.Link, &s.Changed, &s.Moved, &s.Added, &s.Removed} {
		*text = tinted.Legible(*text, ground)
	}
	for i, note := range c.Notes {
		c.Notes[i] = tinted.Legible(note, ground)
	}
	return c
}

// ForSelected returns the colors of texts in a selected row.
func (c Colors) ForSelected() Colors { return c.OnBackground(c.Selection).OnBackground(c.Inactive) }

// HighlightOf returns the background of the highlighted pieces of a text with tone t.
func (c *Colors) HighlightOf(t Tone) Color { return Mix(c.ForTone(t), c.Background, 0.30) }

// contrast returns the contrast ratio of two opaque colors, 1 to 21.
func contrast(a, b Color) float32 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

func luminance(c Color) float32 { return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B] }

// linear is the linear light for each value of a channel.
var linear = func() (light [256]float32) {
	for i := range light {
		v := float64(i) / 255
		light[i] = float32(v / 12.92)
		if v > 0.04045 {
			light[i] = float32(math.Pow((v+0.055)/1.055, 2.4))
		}
	}
	return light
}()
