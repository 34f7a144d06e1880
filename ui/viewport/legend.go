package viewport

import (
	"fmt"
	"image"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/ui/paint"
)

const (
	legendPad   = 7  // around its rows, in device-independent pixels
	legendAway  = 10 // from the edges of the picture, likewise
	legendLeast = 3  // rows, if there are as many signs
	legendMost  = 24
	legendFrom  = 420 // the width of a picture that has room for it
	legendShare = .4  // of the width and of the height of the picture that it may take
)

// legend says over the picture what the colors mean that are not the file's own.
type legend struct {
	paint.Surface
	style *paint.Style
	signs []render.Sign
	off   bool

	onChange func() // there may be need for more room, or less
}

func newLegend(style *paint.Style) *legend {
	l := &legend{style: style}
	l.Paints(l, style, l.paint)
	l.Hide()
	return l
}

// set shows signs.
func (l *legend) set(signs []render.Sign) {
	if slices.Equal(signs, l.signs) {
		return
	}
	l.signs = signs
	l.onChange()
}

// line is the height of a sign.
func (l *legend) line() float32 { return l.style.Size() * 1.35 }

// rows is how many rows the legend has in a picture of a size; 0 if that is too few to be of use.
func (l *legend) rows(s fyne.Size) int {
	if s.Width < legendFrom || l.off {
		return 0
	}
	n := min(int((s.Height*legendShare-2*legendPad)/l.line()), legendMost, len(l.signs))
	if n < min(len(l.signs), legendLeast) {
		return 0
	}
	return n
}

// row is the text of a row, and whether it has a color. The last row says how many signs there is no room for.
func (l *legend) row(i, rows int) (text string, colored bool) {
	if i == rows-1 && rows < len(l.signs) {
		return fmt.Sprintf("and %d more", len(l.signs)-rows+1), false
	}
	return model.OneLine(l.signs[i].Text, nameMost), l.signs[i].Color.A > 0
}

// width is that of the legend with all of its texts.
func (l *legend) width(rows int) (width float32) {
	c := l.style.NewCanvas(nil, 1, paint.Colors{})
	for i := range rows {
		text, colored := l.row(i, rows)
		w := float32(c.Measure(text, paint.Regular)) + 2*legendPad + 2
		if colored {
			w += l.line()
		}
		width = max(width, w)
	}
	return width
}

func (l *legend) paint(on *paint.Canvas) {
	area := on.Img.Rect
	on.Fill(area, on.Colors.Background)
	on.Frame(area, on.Px(1), on.Colors.Separator)
	pad, line := on.Px(legendPad), on.Px(l.line())
	rows := (area.Dy() - 2*pad + line/2) / line
	for i := range min(rows, len(l.signs)) {
		r := image.Rect(pad, pad+i*line, area.Max.X-pad, pad+(i+1)*line)
		text, colored := l.row(i, rows)
		if colored {
			edge := line * 6 / 10
			top := r.Min.Y + (line-edge)/2
			on.Fill(image.Rect(r.Min.X, top, r.Min.X+edge, top+edge), l.signs[i].Color)
			r.Min.X += line
		}
		on.Ends(r, text, paint.Regular, on.Colors.Foreground)
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
		l.Resize(fyne.NewSize(width, float32(rows)*l.line()+2*legendPad))
		l.Move(fyne.NewPos(s.Width-width-legendAway, legendAway))
		l.Refresh()
	}
	paint.Show(l, rows > 0)
}

func (o overPicture) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
