package tabs

import (
	"cmp"
	"image"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/paint"
)

// Segment is one text of the status line.
type Segment struct {
	Text string
	Hint string // displayed at the left while the pointer is over it
	Tone paint.Tone
	Mono bool
	On   func() // called on a click; may be nil
}

// Status is the status line.
type Status struct {
	paint.Surface
	style *paint.Style

	path     []Segment // displayed at the left
	facts    []Segment // displayed at the right
	hint     string
	busy     string
	fraction float64
	stop     func()

	boxes     []box
	hover     int    // index of the box under the pointer, or -1
	hoverHint string // hint of the hovered segment
}

// box is the rectangle of a painted segment.
type box struct {
	area image.Rectangle
	on   func()
	hint string
}

var (
	_ fyne.Widget        = (*Status)(nil)
	_ fyne.Tappable      = (*Status)(nil)
	_ desktop.Hoverable  = (*Status)(nil)
	_ desktop.Cursorable = (*Status)(nil)
)

// NewStatus returns an empty line.
func NewStatus(style *paint.Style) *Status {
	s := &Status{style: style, hover: -1}
	s.InitSurface(s, style, s.paint)
	return s
}

// Set sets the path at the left and the facts at the right, the most important last. If no segment has the displayed
// hint of a segment any longer, the hint is hidden.
func (s *Status) Set(path, facts []Segment) {
	s.path, s.facts = path, facts
	hints := func(f Segment) bool { return f.Hint == s.hoverHint }
	if s.hoverHint != stopHint && !slices.ContainsFunc(path, hints) && !slices.ContainsFunc(facts, hints) {
		s.hover, s.hoverHint = -1, ""
	}
	s.Refresh()
}

// SetHint displays a text instead of the path; an empty text displays the path again.
func (s *Status) SetHint(hint string) {
	if hint != s.hint {
		s.hint = hint
		s.Refresh()
	}
}

// SetBusy shows a running task: its name, the fraction done (negative if unknown) and how to stop it. An empty name
// ends it.
func (s *Status) SetBusy(task string, share float64, stop func()) {
	s.busy, s.fraction, s.stop = task, share, stop
	s.Refresh()
}

// MinSize returns the height of the line.
func (s *Status) MinSize() fyne.Size {
	return fyne.NewSize(80, float32(s.style.RowHeight(1))+4)
}

// stopHint is the hint of the button that stops a running task.
const stopHint = "Stop"

const (
	segmentPadding = 10
	busyGap        = 6
	busyBarWidth   = 90
)

func (s *Status) paint(c *paint.Canvas) {
	w, h := c.Img.Rect.Dx(), c.Img.Rect.Dy()
	c.Fill(c.Img.Rect, c.Colors.Header)
	line := max(1, int(c.Scale))
	c.Fill(image.Rect(0, 0, w, line), c.Colors.Separator)
	right, reserved := w, s.reservedWidth(c, w)
	s.boxes = s.boxes[:0]
	for i := len(s.facts) - 1; i >= 0; i-- {
		right = s.paintFact(c, s.facts[i], reserved, right, h, line, i > 0)
	}
	if s.busy != "" {
		right = s.paintBusy(c, right, h)
	}
	leftArea := image.Rect(c.Px(segmentPadding), line, max(c.Px(segmentPadding), right-c.Px(segmentPadding)), h)
	if hint := cmp.Or(s.hoverHint, s.hint); hint != "" {
		c.Label(leftArea, hint, paint.Regular, c.Colors.Foreground, paint.AlignLeft)
		return
	}
	s.paintPath(c, leftArea)
}

// reservedWidth returns the width at the left that hints need. s.boxes are still those of the previous frame.
func (s *Status) reservedWidth(c *paint.Canvas, w int) int {
	reserved := c.Px(60)
	if s.hoverHint != "" && s.hover < len(s.boxes) { // the hint of a segment hides the facts to its left
		hint := c.Px(2*segmentPadding) + c.Measure(s.hoverHint, paint.Regular)
		reserved = max(reserved, min(s.boxes[s.hover].area.Min.X, hint))
	}
	if s.hint != "" && s.hover < 0 { // a temporary hint hides facts
		reserved = max(reserved, min(w-c.Px(60), c.Px(2*segmentPadding)+c.Measure(s.hint, paint.Regular)))
	}
	return reserved
}

// paintFact paints a segment that ends at right and returns its left edge. The width reserved at the left stays
// free.
func (s *Status) paintFact(c *paint.Canvas, f Segment, reserved, right, h, line int, separate bool) int {
	if f.Text == "" {
		return right
	}
	face := paint.Regular
	if f.Mono {
		face = paint.Mono
	}
	width := c.Measure(f.Text, face) + 2*c.Px(segmentPadding)
	r := image.Rect(right-width, line, right, h)
	if r.Min.X < reserved { // too narrow: the first facts are hidden
		return right
	}
	s.addSegment(c, r, f)
	c.Label(r, f.Text, face, c.Colors.ForTone(f.Tone), paint.AlignCenter)
	if separate {
		c.Fill(image.Rect(r.Min.X, c.Px(5), r.Min.X+line, h-c.Px(5)), c.Colors.Separator)
	}
	return r.Min.X
}

// addSegment makes a segment respond to the pointer, and paints the background of the one under it.
func (s *Status) addSegment(c *paint.Canvas, r image.Rectangle, f Segment) {
	if f.On == nil && f.Hint == "" {
		return
	}
	if s.hover == len(s.boxes) && f.On != nil {
		c.Fill(r, c.Colors.Hover)
	}
	s.boxes = append(s.boxes, box{r, f.On, f.Hint})
}

func (s *Status) paintBusy(c *paint.Canvas, right, h int) int {
	x := right - c.Px(segmentPadding)
	if s.stop != nil {
		side := c.Px(16)
		r := image.Rect(x-side, (h-side)/2, x, (h-side)/2+side)
		s.addSegment(c, r, Segment{Hint: stopHint, On: s.stop})
		Cross(c, r.Inset(c.Px(4)), c.Colors.Dim)
		x = r.Min.X - c.Px(busyGap)
	}
	if s.fraction >= 0 {
		thick := c.Px(4)
		bar := image.Rect(x-c.Px(busyBarWidth), (h-thick)/2, x, (h-thick)/2+thick)
		c.Round(bar, thick/2, c.Colors.Inactive)
		filled := bar
		filled.Max.X = bar.Min.X + max(thick, int(float64(bar.Dx())*min(1, s.fraction)))
		c.Round(filled, thick/2, c.Colors.Primary)
		x = bar.Min.X - c.Px(busyGap)
	}
	width := c.Measure(s.busy, paint.Regular)
	c.Label(image.Rect(x-width, 0, x, h), s.busy, paint.Regular, c.Colors.Dim, paint.AlignLeft)
	return x - width - c.Px(segmentPadding)
}

// paintPath paints the path. If it is too long, it leaves out the first segments.
func (s *Status) paintPath(c *paint.Canvas, r image.Rectangle) {
	const sep = " › "
	gap := c.Measure(sep, paint.Regular)
	widths := make([]int, len(s.path))
	total, from := 0, 0
	for i, p := range s.path {
		widths[i] = c.Measure(p.Text, paint.Regular)
		total += widths[i] + gap
	}
	for from < len(s.path)-1 && total > r.Dx() {
		total -= widths[from] + gap
		from++
	}
	x := r.Min.X
	if from > 0 {
		x += c.Label(image.Rect(x, r.Min.Y, r.Max.X, r.Max.Y), "…"+sep, paint.Regular, c.Colors.Dim, paint.AlignLeft)
	}
	for i := from; i < len(s.path); i++ {
		p := s.path[i]
		box := image.Rect(x, r.Min.Y, min(r.Max.X, x+widths[i]), r.Max.Y)
		s.addSegment(c, box.Inset(-c.Px(2)), p)
		c.Label(box, p.Text, paint.Regular, c.Colors.ForTone(p.Tone), paint.AlignLeft)
		x = box.Max.X
		if i < len(s.path)-1 {
			x += c.Label(image.Rect(x, r.Min.Y, r.Max.X, r.Max.Y), sep, paint.Regular, c.Colors.Faint, paint.AlignLeft)
		}
	}
}

func (s *Status) segmentAt(p fyne.Position) int {
	pos := s.Pixel(p)
	for i, b := range s.boxes {
		if pos.In(b.area) {
			return i
		}
	}
	return -1
}

// Tapped calls the function of the segment.
func (s *Status) Tapped(ev *fyne.PointEvent) {
	if i := s.segmentAt(ev.Position); i >= 0 && s.boxes[i].on != nil {
		s.boxes[i].on()
	}
}

// MouseIn implements desktop.Hoverable.
func (s *Status) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved shows the hint of the segment under the pointer.
func (s *Status) MouseMoved(ev *desktop.MouseEvent) {
	i := s.segmentAt(ev.Position)
	if i == s.hover {
		return
	}
	s.hover, s.hoverHint = i, ""
	if i >= 0 {
		s.hoverHint = s.boxes[i].hint
	}
	s.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (s *Status) MouseOut() {
	s.hover, s.hoverHint = -1, ""
	s.Refresh()
}

// Cursor returns the shape of the pointer.
func (s *Status) Cursor() desktop.Cursor {
	if s.hover >= 0 && s.hover < len(s.boxes) && s.boxes[s.hover].on != nil {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}
