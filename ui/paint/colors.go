package paint

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model/compare"
)

// Color is an opaque or translucent colour with alpha not multiplied in.
type Color = color.NRGBA

// Colors are the colours of one frame, taken from the Fyne theme.
type Colors struct {
	Background, Alternate, Header, Separator Color
	Foreground, Dim, Faint                   Color // text, and two steps back from it
	Hover, Selection, Inactive               Color // backgrounds of rows; Inactive: selected without the keyboard
	Primary, OnPrimary, Focus                Color
	Bar, Thumb, ThumbHover                   Color
	Error, Warning, Success                  Color
	TintA, TintB, Lit, Range                 Color // backgrounds of bytes
	Hit, CurrentHit, Changed                 Color
	States                                   States
	Kinds                                    Kinds
	Dark                                     bool
}

// States are the colours of what differs between two versions.
type States struct{ Changed, Moved, Added, Removed Color }

func statesOn(g compare.Ground) States {
	return States{Changed: compare.Changed.Color(g), Moved: compare.Moved.Color(g), Added: compare.Added.Color(g),
		Removed: compare.Removed.Color(g)}
}

// ThemeColors reads the colours that the current theme and variant give a widget.
func ThemeColors(w fyne.Widget) Colors {
	get := func(name fyne.ThemeColorName) Color {
		return color.NRGBAModel.Convert(theme.ColorForWidget(name, w)).(Color)
	}
	c := Colors{
		Background: get(theme.ColorNameBackground),
		Header:     get(theme.ColorNameHeaderBackground),
		Foreground: get(theme.ColorNameForeground),
		Primary:    get(theme.ColorNamePrimary),
		Error:      get(theme.ColorNameError),
		Warning:    get(theme.ColorNameWarning),
		Success:    get(theme.ColorNameSuccess),
		OnPrimary:  get(theme.ColorNameForegroundOnPrimary),
	}
	c.Background.A = 0xff
	c.Dark = luma(c.Background) < 128
	// Fyne's own dim, hover and selection colours are made for big buttons: on compact rows they are too strong or too
	// weak, so these are mixed from the theme's background, foreground and primary colour.
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
	blue, violet := rgb(0x2f9ec9), rgb(0x9a6bd6)
	if c.Dark {
		c.Kinds = darkKinds
		c.Header = Mix(c.Foreground, c.Background, 0.055)
		c.Selection = Mix(c.Primary, c.Background, 0.38)
		c.Lit, c.Range = Mix(c.Primary, c.Background, 0.45), Mix(c.Primary, c.Background, 0.78)
		c.TintA, c.TintB = Mix(blue, c.Background, 0.17), Mix(violet, c.Background, 0.17)
		c.Hit, c.CurrentHit = Mix(rgb(0xd8b42a), c.Background, 0.42), Mix(rgb(0xffb300), c.Background, 0.72)
		c.States = statesOn(compare.OnDark)
	} else {
		c.Kinds = lightKinds
		c.Header = Mix(c.Foreground, c.Background, 0.06)
		c.Selection = Mix(c.Primary, c.Background, 0.22)
		c.Lit, c.Range = Mix(c.Primary, c.Background, 0.22), Mix(c.Primary, c.Background, 0.45)
		c.TintA, c.TintB = Mix(blue, c.Background, 0.10), Mix(violet, c.Background, 0.10)
		c.Hit, c.CurrentHit = rgb(0xffee9e), rgb(0xffcf3f)
		c.States = statesOn(compare.OnLight)
	}
	c.Changed = Mix(c.States.Changed, c.Background, 0.36)
	return c.On(c.Hover) // of what is not selected or lit the ground that is nearest to the texts
}

// Mix returns share of a over b, opaque.
func Mix(a, b Color, share float32) Color {
	m := func(x, y uint8) uint8 { return uint8(float32(x)*share + float32(y)*(1-share) + 0.5) }
	return Color{R: m(a.R, b.R), G: m(a.G, b.G), B: m(a.B, b.B), A: 0xff}
}

func luma(c Color) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }

func rgb(v uint32) Color {
	return Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}
