package viewport

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model/scene"
	"assay/ui/paint"
)

const (
	lanePad   = 6  // around the lanes, in device-independent pixels
	laneTitle = 17 // for the values above a lane
	laneLeast = 50 // with its title; one whose values do not change has the title only
	laneMost  = 90
	knotsMost = 200 // keys that are marked
)

// curves plots the channel of an animation over the time: scales, rotations and translations in a lane each.
type curves struct {
	paint.Surface
	curve  *scene.Curve // nil: nothing is shown
	lanes  []lane
	height float32 // of a lane whose values change
	start  float32
	end    float32
	time   float32
	onSeek func(t float32)
}

// lane is the components of one property.
type lane struct {
	title     string
	parts     []int // of the curve's components
	low, high float32
	still     bool // no value changes
}

var (
	_ fyne.Tappable      = (*curves)(nil)
	_ fyne.Draggable     = (*curves)(nil)
	_ desktop.Cursorable = (*curves)(nil)
)

func newCurves(style *paint.Style, onSeek func(t float32)) *curves {
	c := &curves{onSeek: onSeek}
	c.Paints(c, style, c.paint)
	c.Hide()
	return c
}

// set shows a curve, in a third of a height; nil shows none.
func (c *curves) set(k *scene.Curve, room float32) {
	c.curve, c.lanes = nil, nil
	if k == nil || len(k.Times) == 0 {
		c.Hide()
		return
	}
	c.curve, c.lanes = k, lanesOf(k)
	c.height = c.fitting(room)
	c.Show()
	c.Refresh()
}

// fitting is how high lanes are in a third of a height.
func (c *curves) fitting(room float32) float32 {
	return min(max(room/3/float32(max(len(c.lanes), 1)), laneLeast), laneMost)
}

// fit makes the lanes as high as they fit in a third of another height, and reports whether that changed them.
func (c *curves) fit(room float32) bool {
	before := c.height
	c.height = c.fitting(room)
	return c.curve != nil && c.height != before
}

// span sets the time that is shown from the left to the right.
func (c *curves) span(start, end float32) {
	c.start, c.end = start, max(end, start+1e-3)
	c.Refresh()
}

// now marks a time.
func (c *curves) now(t float32) {
	if c.time != t {
		c.time = t
		c.Refresh()
	}
}

// lanesOf sorts the components of a curve into lanes, with the range of their values.
func lanesOf(k *scene.Curve) (all []lane) {
	for _, l := range []struct {
		title    string
		from, to scene.Component
	}{{"scale", scene.ScaleX, scene.ScaleZ}, {"rotation", scene.RotateX, scene.RotateW},
		{"translation", scene.TranslateX, scene.TranslateZ}} {
		out := lane{title: l.title, low: math.MaxFloat32, high: -math.MaxFloat32}
		for i, part := range k.Components {
			if part < l.from || part > l.to {
				continue
			}
			out.parts = append(out.parts, i)
			for at := i; at < len(k.Values); at += len(k.Components) {
				if v := k.Values[at]; !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) {
					out.low, out.high = min(out.low, v), max(out.high, v)
				}
			}
		}
		if len(out.parts) == 0 {
			continue
		}
		pad := (out.high - out.low) / 20 // what turns may leave the range of its keys on the way
		out.low, out.high = out.low-pad, out.high+pad
		if !(out.high-out.low > 1e-4) {
			out.low, out.high = out.low-.5, out.high+.5
		}
		out.still = still(k, out.parts)
		all = append(all, out)
	}
	return all
}

// still reports whether some components of a curve are the same at all keys, but for what rounding makes of them.
func still(k *scene.Curve, parts []int) bool {
	const least = 1e-4
	for at := len(k.Components); at < len(k.Values); at += len(k.Components) {
		for _, part := range parts {
			first, now := float64(k.Values[part]), float64(k.Values[at+part])
			if !(math.Abs(now-first) <= least*max(1, math.Abs(first))) {
				return false
			}
		}
	}
	return true
}

// heightOf is how much room a lane takes, in device-independent pixels.
func (c *curves) heightOf(l *lane) float32 {
	if l.still {
		return laneTitle
	}
	return c.height
}

// MinSize is called by Fyne.
func (c *curves) MinSize() fyne.Size {
	height := float32(lanePad)
	for i := range c.lanes {
		height += c.heightOf(&c.lanes[i])
	}
	return fyne.NewSize(60, height)
}

// Cursor is called by Fyne.
func (c *curves) Cursor() desktop.Cursor { return desktop.PointerCursor }

// Tapped goes to the time under the pointer.
func (c *curves) Tapped(e *fyne.PointEvent) { c.seek(e.Position.X) }

// Dragged goes through the time with the pointer.
func (c *curves) Dragged(e *fyne.DragEvent) { c.seek(e.Position.X) }

// DragEnd is called by Fyne.
func (c *curves) DragEnd() {}

func (c *curves) seek(x float32) {
	share := (x - lanePad) / max(c.Size().Width-2*lanePad, 1)
	c.onSeek(c.start + min(max(share, 0), 1)*(c.end-c.start))
}

// componentColors are those of x, y, z and w, one set for dark grounds and one for light ones.
var componentColors = map[bool][4]color.NRGBA{
	true:  {{0xff, 0x6b, 0x6b, 255}, {0x7b, 0xd8, 0x6f, 255}, {0x6c, 0xa8, 0xff, 255}, {0xe6, 0xc3, 0x4a, 255}},
	false: {{0xc6, 0x28, 0x28, 255}, {0x2e, 0x7d, 0x32, 255}, {0x15, 0x65, 0xc0, 255}, {0x8a, 0x6d, 0x00, 255}},
}

// letter returns the number of a component in its property, and its letter.
func letter(c scene.Component) (int, string) {
	i := int(c - scene.ScaleX)
	switch {
	case c >= scene.TranslateX:
		i = int(c - scene.TranslateX)
	case c >= scene.RotateX:
		i = int(c - scene.RotateX)
	}
	return i, "xyzw"[i : i+1]
}

func (c *curves) paint(on *paint.Canvas) {
	on.Fill(on.Img.Rect, on.Colors.Background)
	if c.curve == nil {
		return
	}
	area := image.Rect(on.Px(lanePad), 0, on.Img.Rect.Dx()-on.Px(lanePad), on.Img.Rect.Dy())
	now := c.curve.At(c.time)
	top := area.Min.Y
	for _, l := range c.lanes {
		c.titles(on, image.Rect(area.Min.X, top, area.Max.X, top+on.Px(laneTitle)), l, now)
		bottom := top + on.Px(c.heightOf(&l))
		if !l.still {
			c.lane(on, image.Rect(area.Min.X, top+on.Px(laneTitle), area.Max.X, bottom-on.Px(2)), l)
		}
		top = bottom
	}
}

// titles writes the values at the present time.
func (c *curves) titles(on *paint.Canvas, r image.Rectangle, l lane, now []float32) {
	write := func(text string, col paint.Color) {
		on.Label(r, text, paint.Regular, col, paint.Left)
		r.Min.X += on.Measure(text, paint.Regular) + on.Px(10)
	}
	write(l.title, on.Colors.Dim)
	for _, part := range l.parts {
		i, name := letter(c.curve.Components[part])
		write(fmt.Sprintf("%s %.4g", name, now[part]), componentColors[on.Colors.Dark][i])
	}
}

// lane draws the lines of the components of one property, their keys, and where the present time is.
func (c *curves) lane(on *paint.Canvas, r image.Rectangle, l lane) {
	on.Fill(r, on.Colors.Bar)
	if r.Dx() <= 0 {
		return
	}
	inner := r.Inset(on.Px(2))
	y := func(v float32) int {
		share := (v - l.low) / (l.high - l.low)
		if !(share >= 0) {
			share = 0
		}
		return inner.Max.Y - int(min(share, 1)*float32(inner.Dy()))
	}
	x := func(t float32) int {
		return r.Min.X + int((t-c.start)/(c.end-c.start)*float32(r.Dx()-1)+.5)
	}
	thick := max(1, on.Px(1.5))
	before := make([]int, len(l.parts))
	for at := range r.Dx() {
		t := c.start + float32(at)/float32(max(r.Dx()-1, 1))*(c.end-c.start)
		values := c.curve.At(t)
		for i, part := range l.parts {
			to := y(values[part])
			if at == 0 {
				before[i] = to
			}
			n, _ := letter(c.curve.Components[part])
			on.Fill(image.Rect(r.Min.X+at, min(before[i], to), r.Min.X+at+1, max(before[i], to)+thick),
				componentColors[on.Colors.Dark][n])
			before[i] = to
		}
	}
	if len(c.curve.Times) <= knotsMost {
		for _, t := range c.curve.Times {
			if t >= c.start && t <= c.end {
				on.Fill(image.Rect(x(t), r.Max.Y-on.Px(4), x(t)+1, r.Max.Y), on.Colors.Dim)
			}
		}
	}
	on.Line(x(c.time), r.Min.Y, x(c.time), r.Max.Y, on.Colors.Foreground)
}
