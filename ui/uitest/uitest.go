// Package uitest contains helpers for tests of the window: a host that records calls, the painted text of widgets as
// lines, and the contrast of colors.
package uitest

import (
	"cmp"
	"flag"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
	"assay/ui/paint"
)

// Log is a Host that records calls, one entry each, such as "key F2", "copy text" and "tell text". Keys and shortcuts
// count as used.
type Log struct {
	host.None
	Entries []string
	// Hide hides the current overlay. It is nil without an overlay.
	Hide func()
	// Popped is the menu that was opened last.
	Popped *fyne.Menu
}

var _ host.Host = (*Log)(nil)

// Key records a key.
func (l *Log) Key(k *fyne.KeyEvent, shift bool) bool {
	name := string(k.Name)
	if shift {
		name = "Shift+" + name
	}
	l.add("key", name)
	return true
}

// Shortcut records a shortcut.
func (l *Log) Shortcut(s fyne.Shortcut) bool {
	l.add("shortcut", s.ShortcutName())
	return true
}

// SetOverlay records how to hide an overlay, and hides the one before.
func (l *Log) SetOverlay(hide func()) {
	if l.Hide != nil {
		l.Hide()
	}
	l.Hide = hide
}

// Menu records a menu.
func (l *Log) Menu(m *fyne.Menu, _ fyne.Position) { l.Popped = m }

// Copy records a text.
func (l *Log) Copy(text string) { l.add("copy", text) }

// ShowHint records a hint.
func (l *Log) ShowHint(text string) { l.add("hint", text) }

func (l *Log) add(task, text string) { l.Entries = append(l.Entries, task+" "+text) }

// Take returns and clears the entries.
func (l *Log) Take() []string {
	taken := l.Entries
	l.Entries = nil
	return taken
}

// Contrast returns the contrast ratio of two opaque colors, 1 to 21, as WCAG 2 defines it.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Over returns a color blended over an opaque background.
func Over(c, ground color.Color) color.Color {
	r, g, b, a := c.RGBA()
	x, y, z, _ := ground.RGBA()
	mix := func(over, under uint32) uint8 { return uint8((over + under*(0xffff-a)/0xffff) >> 8) }
	return color.NRGBA{R: mix(r, x), G: mix(g, y), B: mix(b, z), A: 0xff}
}

// shapeTexts are the text forms of shapes; for other shapes it is the last part of their name.
var shapeTexts = map[string]string{"paint.right": "▸", "paint.down": "▾", "paint.up": "▴", "paint.disc": "●"}

// Frame paints the first widget at or below o that paints itself, and returns the recording.
func Frame(t testing.TB, style *paint.Style, o fyne.CanvasObject) *paint.Recording {
	t.Helper()
	raster := rasterOf(o)
	require.NotNil(t, raster, "the object does not paint itself")
	var r paint.Recording
	style.Record(&r)
	defer style.Record(nil)
	size := raster.Size()
	raster.Generator(int(size.Width+0.5), int(size.Height+0.5))
	return &r
}

// Legible asserts that each painted text has a contrast of at least 4.5 to its background, in dark and light mode.
func Legible(t *testing.T, style *paint.Style, o fyne.CanvasObject) {
	t.Helper()
	for _, mode := range []paint.Mode{paint.Dark, paint.Light} {
		fyne.CurrentApp().Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
		frame := Frame(t, style, o)
		for i, ink := range frame.Inks {
			if ink.Shape == "" {
				assert.GreaterOrEqual(t, Contrast(ink.Color, frame.Background(i)), 4.5, "%s: %q", mode, ink.Text)
			}
		}
	}
}

func rasterOf(o fyne.CanvasObject) *canvas.Raster {
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *canvas.Raster:
		return o
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, o := range inside {
		if r := rasterOf(o); r != nil {
			return r
		}
	}
	return nil
}

// Lines returns the painted text of a widget, one line per row. Each text begins at about its position, in columns as
// wide as a character of the monospaced font. Texts that would overlap move to the right.
func Lines(t testing.TB, style *paint.Style, o fyne.CanvasObject) []string {
	t.Helper()
	return lines(Frame(t, style, o), style)
}

func lines(r *paint.Recording, style *paint.Style) []string {
	cell := style.NewCanvas(nil, 1, paint.Colors{}).CellWidth()
	inks := r.Visible()
	middle := func(i paint.Ink) int { return (i.Box.Min.Y + i.Box.Max.Y) / 2 }
	slices.SortStableFunc(inks, func(a, b paint.Ink) int { return cmp.Compare(middle(a), middle(b)) })
	var out []string
	for len(inks) > 0 {
		n := 1
		for n < len(inks) && middle(inks[n])-middle(inks[0]) < style.RowHeight(1)/2 {
			n++
		}
		out = append(out, line(inks[:n], cell))
		inks = inks[n:]
	}
	return out
}

// line returns inks in one row as text.
func line(inks []paint.Ink, cell int) string {
	slices.SortStableFunc(inks, func(a, b paint.Ink) int { return cmp.Compare(a.Box.Min.X, b.Box.Min.X) })
	var b strings.Builder
	last := image.Rectangle{}
	for _, ink := range inks {
		column, length := ink.Box.Min.X/cell, utf8.RuneCountInString(b.String())
		switch {
		case length < column:
			b.WriteString(strings.Repeat(" ", column-length))
		case length > 0 && ink.Box.Min.X > last.Max.X+1:
			b.WriteByte(' ')
		}
		b.WriteString(textOf(ink))
		last = ink.Box
	}
	return strings.TrimRight(b.String(), " ")
}

func textOf(ink paint.Ink) string {
	if ink.Shape == "" {
		return ink.Text
	}
	if s := shapeTexts[ink.Shape]; s != "" {
		return s
	}
	return "‹" + ink.Shape[strings.LastIndexByte(ink.Shape, '.')+1:] + "›"
}

var update = flag.Bool("update", false, "write the golden files")

// Golden compares the painted text of a widget with the file testdata/NAME.txt; -update writes the file.
func Golden(t *testing.T, name string, style *paint.Style, o fyne.CanvasObject) {
	t.Helper()
	got := strings.Join(Lines(t, style, o), "\n") + "\n"
	path := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "-update writes it")
	assert.Equal(t, string(want), got)
}
