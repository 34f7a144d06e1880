package viewport

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/render"
	"assay/ui/paint"
)

const (
	maxLabels  = 400
	labelGap   = 7  // distance from a joint to its name, in device-independent pixels
	labelEdge  = 4  // beside the text of a name
	jointReach = 9  // maximum distance of the pointer from a joint
	maxLabel   = 60 // maximum length of a name, in characters
)

// label is a text over the picture. A joint's has a background, beside the joint; an axis's is at its end.
type label struct {
	text  string
	joint bool
	area  image.Rectangle // area, in pixels
}

// layOutLabels positions labels in a picture that is scale times the size for which they were made. It keeps the first
// of overlapping labels. pixelsPerUnit is the number of pixels of a device-independent pixel. measure returns the size
// of a text.
func layOutLabels(all []render.Label, bounds image.Point, scale float64, pixelsPerUnit float32,
	measure func(text string) image.Point) (out []label) {
	px := func(length float32) int { return int(length*pixelsPerUnit + .5) }
	for _, l := range all {
		if l.Text == "" || len(out) == maxLabels {
			continue
		}
		text := model.OneLine(l.Text, maxLabel)
		size, pos := measure(text), image.Pt(int(l.X*scale+.5), int(l.Y*scale+.5))
		corner := pos.Sub(size.Div(2))
		if l.Node != nil {
			size.X += 2 * px(labelEdge)
			if !pos.In(image.Rectangle{Max: bounds}) {
				continue
			}
			corner = nameAt(pos, size, bounds, px(labelGap))
		}
		area := image.Rectangle{corner, corner.Add(size)}
		if !slices.ContainsFunc(out, func(o label) bool { return o.area.Overlaps(area) }) {
			out = append(out, label{text, l.Node != nil, area})
		}
	}
	return out
}

// nameAt returns the position of a joint's name: to the right or to the left, whichever has room, else below the joint.
func nameAt(joint, size, bounds image.Point, gap int) image.Point {
	corner := image.Pt(joint.X+gap, joint.Y-size.Y/2)
	if corner.X+size.X > bounds.X {
		corner.X = joint.X - gap - size.X
	}
	if corner.X < 0 {
		corner = image.Pt(max(min(joint.X+gap, bounds.X-size.X), 0), joint.Y+gap)
	}
	corner.Y = max(min(corner.Y, bounds.Y-size.Y), 0)
	return corner
}

// ink returns a color with contrast to the background of the picture.
func (v *Viewport) ink() paint.Color {
	colors := paint.ThemeColors(v.canvas)
	return colors.Legible(colors.Foreground, v.background())
}

// writeLabels writes labels into a picture at the positions that they have on the display.
func (v *Viewport) writeLabels(out *image.RGBA, all []render.Label) {
	size := v.canvas.pixels()
	pixel := v.canvas.scale()
	if edge := min(size.X, size.Y); edge > 0 {
		pixel *= max(1, float32(min(out.Rect.Dx(), out.Rect.Dy()))/float32(edge))
	}
	c := v.style.NewCanvas(out, pixel, paint.ThemeColors(v.canvas))
	for _, l := range layOutLabels(all, out.Rect.Size(), 1, pixel, func(text string) image.Point {
		return image.Pt(c.Measure(text, paint.Regular), c.Px(theme.CaptionTextSize()*1.5))
	}) {
		ink := v.ink()
		if l.joint {
			c.Round(l.area, c.Px(3), plateColor())
			ink = c.Colors.Foreground
		}
		c.Label(l.area, l.text, paint.Regular, ink, paint.AlignCenter)
	}
}

// plateColor returns the background of names over the picture.
func plateColor() paint.Color {
	r, g, b, _ := theme.Color(theme.ColorNameMenuBackground).RGBA()
	return paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 190}
}

// setLabels displays labels over the picture, which is scale times the size for which they were made. ink is for labels
// without a background.
func (s *surface) setLabels(all []render.Label, scale float64, ink color.Color) {
	pixel := s.scale()
	position := func(p image.Point) fyne.Position { return fyne.NewPos(float32(p.X)/pixel, float32(p.Y)/pixel) }
	placed := layOutLabels(all, s.pixels(), scale, pixel, func(text string) image.Point {
		size := fyne.MeasureText(text, theme.CaptionTextSize(), fyne.TextStyle{})
		return image.Pt(int(size.Width*pixel+1), int(size.Height*pixel+1))
	})
	for i, l := range placed {
		if i == len(s.labels) {
			s.labels = append(s.labels, newTag())
		}
		if l.joint {
			s.labels[i].set(l.text, position(l.area.Min), nil)
		} else {
			s.labels[i].set(l.text, position(l.area.Min), ink)
		}
	}
	for _, t := range s.labels[len(placed):] {
		t.hide()
	}
	if s.labeled != len(placed) {
		s.labeled = len(placed)
		s.Refresh()
	}
}

// jointAt returns the label of the joint that is drawn nearest to a position of the picture, within reach, or nil.
func (f *drawnFrame) jointAt(x, y, reach float64) (best *render.Label) {
	for i := range f.labels {
		l := &f.labels[i]
		d := (l.X-x)*(l.X-x) + (l.Y-y)*(l.Y-y)
		if l.Node != nil && d <= reach*reach {
			best, reach = l, math.Sqrt(d)
		}
	}
	return best
}

const (
	legendPad        = 7  // around its rows, in device-independent pixels
	legendDistance   = 10 // distance from the edges of the picture, in device-independent pixels
	minLegendRows    = 3  // rows, if there are as many signs
	maxLegendRows    = 24
	minLegendPicture = 420 // the width of a picture that has room for it
	legendShare      = .4  // maximum share of the width and of the height of the picture
)

// legend displays, over the picture, the meanings of colors that are not the file's own.
type legend struct {
	paint.Surface
	style    *paint.Style
	signs    []render.LegendEntry
	disabled bool

	onChange func() // the required room may have changed
}

func newLegend(style *paint.Style) *legend {
	l := &legend{style: style}
	l.InitSurface(l, style, l.paint)
	l.Hide()
	return l
}

func (l *legend) set(signs []render.LegendEntry) {
	if slices.Equal(signs, l.signs) {
		return
	}
	l.signs = signs
	l.onChange()
}

// lineHeight returns the height of a sign.
func (l *legend) lineHeight() float32 { return l.style.Size() * 1.35 }

// rows returns the number of rows of the legend in a picture of a size, or 0 if there would be too few.
func (l *legend) rows(s fyne.Size) int {
	if s.Width < minLegendPicture || l.disabled {
		return 0
	}
	n := min(int((s.Height*legendShare-2*legendPad)/l.lineHeight()), maxLegendRows, len(l.signs))
	if n < min(len(l.signs), minLegendRows) {
		return 0
	}
	return n
}

// row returns the text of a row, and whether it has a color. The last row has the number of signs that do not fit.
func (l *legend) row(i, rows int) (text string, colored bool) {
	if i == rows-1 && rows < len(l.signs) {
		return fmt.Sprintf("and %d more", len(l.signs)-rows+1), false
	}
	return model.OneLine(l.signs[i].Text, maxName), l.signs[i].Color.A > 0
}

func (l *legend) width(rows int) (width float32) {
	c := l.style.NewCanvas(nil, 1, paint.Colors{})
	for i := range rows {
		text, colored := l.row(i, rows)
		w := float32(c.Measure(text, paint.Regular)) + 2*legendPad + 2
		if colored {
			w += l.lineHeight()
		}
		width = max(width, w)
	}
	return width
}

func (l *legend) paint(c *paint.Canvas) {
	area := c.Img.Rect
	c.Fill(area, c.Colors.Background)
	c.Frame(area, c.Px(1), c.Colors.Separator)
	pad, line := c.Px(legendPad), c.Px(l.lineHeight())
	rows := (area.Dy() - 2*pad + line/2) / line
	for i := range min(rows, len(l.signs)) {
		r := image.Rect(pad, pad+i*line, area.Max.X-pad, pad+(i+1)*line)
		text, colored := l.row(i, rows)
		if colored {
			edge := line * 6 / 10
			top := r.Min.Y + (line-edge)/2
			swatch := image.Rect(r.Min.X, top, r.Min.X+edge, top+edge)
			c.Fill(swatch, l.signs[i].Color)
			c.Frame(swatch, c.Px(1), c.Colors.Faint) // white on the light background
			r.Min.X += line
		}
		c.LabelMiddle(r, text, paint.Regular, c.Colors.Foreground)
	}
}

// overPicture is the layout of a picture and the legend in a corner of it.
type overPicture struct{ legend *legend }

func (o overPicture) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	objects[0].Resize(s)
	l := o.legend
	rows := l.rows(s)
	width := min(l.width(rows), s.Width*legendShare)
	if rows > 0 {
		l.Resize(fyne.NewSize(width, float32(rows)*l.lineHeight()+2*legendPad))
		l.Move(fyne.NewPos(s.Width-width-legendDistance, legendDistance))
		l.Refresh()
	}
	paint.SetVisible(l, rows > 0)
}

func (o overPicture) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// tag is a short text over the picture, with an optional background for contrast.
type tag struct {
	text       *canvas.Text
	background *canvas.Rectangle
}

func newTag() *tag {
	t := &tag{text: canvas.NewText("", nil), background: canvas.NewRectangle(nil)}
	t.background.CornerRadius = 3
	t.hide()
	return t
}

// set displays a text at a position in a color or, if that is nil, with a background and beside the position.
func (t *tag) set(text string, pos fyne.Position, ink color.Color) {
	hasBackground := ink == nil
	if t.text.Color = ink; hasBackground {
		t.text.Color = theme.Color(theme.ColorNameForeground)
	}
	t.text.Text, t.text.TextSize = text, theme.CaptionTextSize()
	size := t.text.MinSize()
	t.text.Resize(size)
	if t.background.Hidden = !hasBackground; hasBackground {
		t.background.FillColor = plateColor()
		t.background.Resize(size.AddWidthHeight(2*labelEdge, 2))
		t.background.Move(pos)
		t.background.Refresh()
		pos = pos.AddXY(labelEdge, 1)
	}
	t.text.Move(pos)
	t.text.Hidden = false
	t.text.Refresh()
}

// showBeside displays a text beside a position of an area; an empty one hides the tag.
func (t *tag) showBeside(text string, pos fyne.Position, area fyne.Size) {
	const gap = 14 // distance from the pointer
	if text == "" {
		t.hide()
		return
	}
	size := fyne.MeasureText(text, theme.CaptionTextSize(), fyne.TextStyle{}).AddWidthHeight(2*labelEdge, 2)
	x, y := max(min(pos.X+gap, area.Width-size.Width), 0), pos.Y+gap
	if y+size.Height > area.Height {
		y = pos.Y - size.Height - labelEdge
	}
	t.set(text, fyne.NewPos(x, y), nil)
}

func (t *tag) hide() {
	t.text.Hide()
	t.background.Hide()
}

// visibleText returns the displayed text, or "".
func (t *tag) visibleText() string {
	if t.text.Hidden {
		return ""
	}
	return t.text.Text
}
