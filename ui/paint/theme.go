package paint

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
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
