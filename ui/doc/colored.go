package doc

import (
	"context"
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	syntax "assay/model/text"
	"assay/ui/paint"
	"assay/ui/text"
	"assay/ui/work"
)

const (
	// maxColoredAtOnce is the size in bytes of an edit that is colored before it is displayed; a longer one has its
	// colors a moment later.
	maxColoredAtOnce = 2 << 10
	// coloredMargin is the height, in device-independent pixels, that is colored below the view, for when it grows.
	coloredMargin = 600
)

// coloredText has the colored words of a description, over an entry whose own text is transparent: the toolkit's entry
// has one color.
type coloredText struct {
	widget.BaseWidget
	lineEditor *lineEditor
	lane       *work.Lane
	lines      []string
	pieces     [][]syntax.Piece // pieces of each line
}

// transparentText is the current theme with transparent text.
type transparentText struct{}

func (transparentText) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameForeground {
		return color.Transparent
	}
	return fyne.CurrentApp().Settings().Theme().Color(name, v)
}

func (transparentText) Font(s fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(s)
}

func (transparentText) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(name)
}

func (transparentText) Size(name fyne.ThemeSizeName) float32 {
	return fyne.CurrentApp().Settings().Theme().Size(name)
}

// newColoredText returns the colored words of an entry, and the entry with them.
func newColoredText(l *lineEditor, lane *work.Lane) (*coloredText, fyne.CanvasObject) {
	c := &coloredText{lineEditor: l, lane: lane}
	c.ExtendBaseWidget(c)
	return c, container.NewStack(container.NewThemeOverride(l.entry, transparentText{}), c)
}

// recolor divides the lines that changed into pieces of one color at once, and all lines off the UI thread: a line may
// be a part of a longer text.
func (c *coloredText) recolor() {
	text := c.lineEditor.entry.Text
	old, lines := c.lines, strings.Split(text, "\n")
	head := 0
	for head < min(len(old), len(lines)) && old[head] == lines[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(lines))-head && old[len(old)-1-tail] == lines[len(lines)-1-tail] {
		tail++
	}
	pieces := slices.Concat(c.pieces[:head], colored(lines[head:len(lines)-tail]), c.pieces[len(old)-tail:])
	c.lines, c.pieces = lines, pieces
	c.Refresh()
	c.lane.Go(func(ctx context.Context) func() {
		pieces := syntax.Colored(ctx, syntax.YAML, text)
		return func() {
			if len(pieces) >= len(lines) {
				c.pieces = pieces[:len(lines)]
				c.Refresh()
			}
		}
	})
}

// colored returns the pieces of each line. If the text is long, each line is one piece.
func colored(lines []string) [][]syntax.Piece {
	if text := strings.Join(lines, "\n"); len(text) <= maxColoredAtOnce {
		pieces := syntax.Colored(context.Background(), syntax.YAML, text)
		if len(pieces) >= len(lines) {
			return pieces[:len(lines)]
		}
	}
	var pieces [][]syntax.Piece
	for _, line := range lines {
		pieces = append(pieces, []syntax.Piece{{Text: line}})
	}
	return pieces
}

func (c *coloredText) CreateRenderer() fyne.WidgetRenderer { return &colorsRenderer{c: c} }

// MinSize is zero: the entry has the size.
func (c *coloredText) MinSize() fyne.Size { return fyne.Size{} }

type colorsRenderer struct {
	c     *coloredText
	words []fyne.CanvasObject
}

func (r *colorsRenderer) Destroy()                     {}
func (r *colorsRenderer) Layout(fyne.Size)             {}
func (r *colorsRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *colorsRenderer) Objects() []fyne.CanvasObject { return r.words }

// Refresh makes the words of the visible lines.
func (r *colorsRenderer) Refresh() {
	r.words = nil
	l := r.c.lineEditor
	height, view := l.lineHeight(), l.scroll.Size().Height+coloredMargin
	first := max(0, int(l.scroll.Offset.Y/height)-1)
	last := min(len(r.c.pieces), int((l.scroll.Offset.Y+view)/height))
	colors, size := paint.ThemeColors(r.c), theme.TextSize()
	for line := first; line < last; line++ {
		leading := ""
		for _, p := range r.c.pieces[line] {
			word := strings.TrimLeft(p.Text, " ")
			leading += p.Text[:len(p.Text)-len(word)]
			if word == "" {
				continue
			}
			t := canvas.NewText(word, colors.ForTone(text.Tone(p.Kind)))
			t.TextStyle.Monospace, t.TextSize = true, size
			x := theme.InnerPadding()
			if leading != "" {
				x += fyne.MeasureText(leading, size, t.TextStyle).Width
			}
			t.Move(fyne.NewPos(x, theme.InnerPadding()+height*float32(line)))
			t.Resize(t.MinSize())
			r.words = append(r.words, t)
			leading += word
		}
	}
	canvas.Refresh(r.c)
}
