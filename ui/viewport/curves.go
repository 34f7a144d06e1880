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
	lanePad       = 6  // around the lanes, in device-independent pixels
	laneTitle     = 17 // height of the values above a lane
	minLaneHeight = 50 // minimum height of a lane with its title; a lane with constant values has only the title
	maxLaneHeight = 140
	maxMarkedKeys = 200 // maximum number of visible keys with marks; more of them have none
	flatShare     = .35 // share of the range of a lane below which the motion of a component is hardly visible
)

// curves plots the channel of an animation over the time: scales, rotations and translations in a lane each or, if that
// would show flat lines far from each other, a lane for each component.
type curves struct {
	paint.Surface
	curve     *scene.Curve // may be nil
	lanes     []lane
	available float32 // the height of the area around the lanes
	height    float32 // height of a lane with changing values
	start     float32
	end       float32
	time      float32
	onSeek    func(t float32)
}

// lane holds one or all components of a property.
type lane struct {
	title     string
	parts     []int      // indexes of the components of the curve
	minimum   [4]float32 // minimum value of each part
	maximum   [4]float32
	low, high float32 // range of all values, with a margin
	constant  bool    // no value changes
}

var (
	_ fyne.Tappable      = (*curves)(nil)
	_ fyne.Draggable     = (*curves)(nil)
	_ desktop.Cursorable = (*curves)(nil)
)

func newCurves(style *paint.Style, onSeek func(t float32)) *curves {
	c := &curves{onSeek: onSeek}
	c.InitSurface(c, style, c.paint)
	c.Hide()
	return c
}

// set displays a curve, or nothing for nil. available is the height of the area around the lanes.
func (c *curves) set(k *scene.Curve, available float32) {
	c.curve, c.lanes = nil, nil
	if k == nil || len(k.Times) == 0 {
		c.Hide()
		return
	}
	c.curve, c.available = k, available
	c.arrange()
	c.Show()
	c.Refresh()
}

// arrange makes the lanes of the visible part of the curve.
func (c *curves) arrange() {
	if c.curve == nil {
		return
	}
	lanes := lanesOf(c.curve, c.start, c.end)
	c.lanes, c.height = lanes, heightIn(c.available/3, lanes)
	const share = .4 // share of the height for lanes of single components
	separated := separate(lanes)
	if height := heightIn(share*c.available, separated); len(separated) > len(lanes) && height >= minLaneHeight {
		c.lanes, c.height = separated, height
	}
	c.height = min(max(c.height, minLaneHeight), maxLaneHeight)
}

// heightIn returns the height of lanes with changing values at which all lanes fit.
func heightIn(available float32, all []lane) float32 {
	moving := 0
	for i := range all {
		if all[i].constant {
			available -= laneTitle
		} else {
			moving++
		}
	}
	return (available - lanePad) / float32(max(moving, 1))
}

// fit arranges the lanes for another height, and reports whether that changed them.
func (c *curves) fit(available float32) bool {
	height, count := c.height, len(c.lanes)
	c.available = available
	c.arrange()
	return c.curve != nil && (c.height != height || len(c.lanes) != count)
}

// setSpan sets the displayed time range, and reports whether it changed the lanes.
func (c *curves) setSpan(start, end float32) bool {
	c.start, c.end = start, max(end, start+1e-3)
	changed := c.fit(c.available)
	c.Refresh()
	return changed
}

// setTime marks a time.
func (c *curves) setTime(t float32) {
	if c.time != t {
		c.time = t
		c.Refresh()
	}
}

// lanesOf sorts the components of a curve into lanes, with the range of their values in a time range.
func lanesOf(k *scene.Curve, start, end float32) (all []lane) {
	for _, l := range []struct {
		title    string
		from, to scene.Component
	}{{"scale", scene.ScaleX, scene.ScaleZ}, {"rotation", scene.RotateX, scene.RotateW},
		{"translation", scene.TranslateX, scene.TranslateZ}} {
		out := lane{title: l.title}
		for i, part := range k.Components {
			if part < l.from || part > l.to || len(out.parts) == len(out.minimum) {
				continue
			}
			n := len(out.parts)
			out.parts = append(out.parts, i)
			out.minimum[n], out.maximum[n] = math.MaxFloat32, -math.MaxFloat32
		}
		if len(out.parts) == 0 {
			continue
		}
		out.extend(k.At(start))
		out.extend(k.At(end))
		for i, t := range k.Times {
			if at := i * len(k.Components); t >= start && t <= end && at+len(k.Components) <= len(k.Values) {
				out.extend(k.Values[at:])
			}
		}
		out.computeRange()
		all = append(all, out)
	}
	return all
}

// extend extends the range of the lane to the values of a key.
func (l *lane) extend(values []float32) {
	for n, part := range l.parts {
		if v := values[part]; !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) {
			l.minimum[n], l.maximum[n] = min(l.minimum[n], v), max(l.maximum[n], v)
		}
	}
}

// computeRange computes the range of values of the lane, and whether they are constant apart from rounding.
func (l *lane) computeRange() {
	const little = 1e-4
	l.low, l.high, l.constant = math.MaxFloat32, -math.MaxFloat32, true
	for n := range l.parts {
		low, high := l.minimum[n], l.maximum[n]
		l.low, l.high = min(l.low, low), max(l.high, high)
		l.constant = l.constant && !(high-low > little*max(1, max(high, -low)))
	}
	pad := (l.high - l.low) / 20 // rotations may leave the range of their keys between these
	l.low, l.high = l.low-pad, l.high+pad
	if !(l.high-l.low > little) {
		l.low, l.high = l.low-.5, l.high+.5
	}
}

// separate gives a lane of its own to each component that looks flat although it moves. The components that do not move
// share a lane.
func separate(all []lane) (out []lane) {
	for _, l := range all {
		var moving []lane
		constants, flattened := lane{title: l.title, constant: true}, false
		for n, part := range l.parts {
			single := lane{title: l.title, parts: []int{part}}
			single.minimum[0], single.maximum[0] = l.minimum[n], l.maximum[n]
			if single.computeRange(); single.constant {
				constants.parts = append(constants.parts, part)
				continue
			}
			flattened = flattened || single.maximum[0]-single.minimum[0] < flatShare*(l.high-l.low)
			moving = append(moving, single)
		}
		switch {
		case !flattened:
			out = append(out, l)
		case len(constants.parts) > 0:
			out = append(append(out, constants), moving...)
		default:
			out = append(out, moving...)
		}
	}
	return out
}

// heightOf returns the height of a lane, in device-independent pixels.
func (c *curves) heightOf(l *lane) float32 {
	if l.constant {
		return laneTitle
	}
	return c.height
}

func (c *curves) MinSize() fyne.Size {
	height := float32(lanePad)
	for i := range c.lanes {
		height += c.heightOf(&c.lanes[i])
	}
	return fyne.NewSize(60, height)
}

func (c *curves) Cursor() desktop.Cursor { return desktop.PointerCursor }

// Tapped seeks to the time under the pointer.
func (c *curves) Tapped(e *fyne.PointEvent) { c.seek(e.Position.X) }

// Dragged seeks to the time under the pointer.
func (c *curves) Dragged(e *fyne.DragEvent) { c.seek(e.Position.X) }

func (c *curves) DragEnd() {}

func (c *curves) seek(x float32) {
	share := (x - lanePad) / max(c.Size().Width-2*lanePad, 1)
	c.onSeek(c.start + min(max(share, 0), 1)*(c.end-c.start))
}

// componentColors are the colors of x, y, z and w, for dark backgrounds and for light ones.
var componentColors = map[bool][4]color.NRGBA{
	true:  {{0xff, 0x6b, 0x6b, 255}, {0x7b, 0xd8, 0x6f, 255}, {0x6c, 0xa8, 0xff, 255}, {0xe6, 0xc3, 0x4a, 255}},
	false: {{0xc6, 0x28, 0x28, 255}, {0x2e, 0x7d, 0x32, 255}, {0x15, 0x65, 0xc0, 255}, {0x8a, 0x6d, 0x00, 255}},
}

// letter returns the index of a component in its property, and its letter.
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

func (c *curves) paint(canvas *paint.Canvas) {
	canvas.Fill(canvas.Img.Rect, canvas.Colors.Background)
	if c.curve == nil {
		return
	}
	area := image.Rect(canvas.Px(lanePad), 0, canvas.Img.Rect.Dx()-canvas.Px(lanePad), canvas.Img.Rect.Dy())
	values := c.curve.At(c.time)
	top := area.Min.Y
	for _, l := range c.lanes {
		c.paintTitles(canvas, image.Rect(area.Min.X, top, area.Max.X, top+canvas.Px(laneTitle)), l, values)
		bottom := top + canvas.Px(c.heightOf(&l))
		if !l.constant {
			c.paintLane(canvas, image.Rect(area.Min.X, top+canvas.Px(laneTitle), area.Max.X, bottom-canvas.Px(2)), l)
		}
		top = bottom
	}
}

// paintTitles writes the values at the present time, and the displayed range if there is room.
func (c *curves) paintTitles(canvas *paint.Canvas, r image.Rectangle, l lane, values []float32) {
	write := func(text string, col paint.Color) {
		canvas.Label(r, text, paint.Regular, col, paint.AlignLeft)
		r.Min.X += canvas.Measure(text, paint.Regular) + canvas.Px(10)
	}
	write(l.title, canvas.Colors.Dim)
	for _, part := range l.parts {
		i, name := letter(c.curve.Components[part])
		write(fmt.Sprintf("%s %.4g", name, values[part]), componentColors[canvas.Colors.Dark][i])
	}
	if ends := fmt.Sprintf("%.3g to %.3g", l.low, l.high); !l.constant && canvas.Measure(ends, paint.Regular) < r.Dx() {
		canvas.Label(r, ends, paint.Regular, canvas.Colors.Dim, paint.AlignRight)
	}
}

// paintLane draws the lines of the components of one property, their keys, and the current time.
func (c *curves) paintLane(canvas *paint.Canvas, r image.Rectangle, l lane) {
	canvas.Fill(r, canvas.Colors.Bar)
	if r.Dx() <= 0 {
		return
	}
	inner := r.Inset(canvas.Px(2))
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
	thick := max(1, canvas.Px(1.5))
	previous := make([]int, len(l.parts))
	for at := range r.Dx() {
		t := c.start + float32(at)/float32(max(r.Dx()-1, 1))*(c.end-c.start)
		values := c.curve.At(t)
		for i, part := range l.parts {
			to := y(values[part])
			if at == 0 {
				previous[i] = to
			}
			n, _ := letter(c.curve.Components[part])
			canvas.Fill(image.Rect(r.Min.X+at, min(previous[i], to), r.Min.X+at+1, max(previous[i], to)+thick),
				componentColors[canvas.Colors.Dark][n])
			previous[i] = to
		}
	}
	if knots := c.visibleKeys(); len(knots) <= maxMarkedKeys {
		for _, t := range knots {
			canvas.Fill(image.Rect(x(t), r.Max.Y-canvas.Px(4), x(t)+1, r.Max.Y), canvas.Colors.Dim)
		}
	}
	canvas.Line(x(c.time), r.Min.Y, x(c.time), r.Max.Y, canvas.Colors.Foreground)
}

// visibleKeys returns the times of the displayed keys.
func (c *curves) visibleKeys() (all []float32) {
	for _, t := range c.curve.Times {
		if t >= c.start && t <= c.end {
			all = append(all, t)
		}
	}
	return all
}
