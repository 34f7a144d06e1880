package bytes

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/changes"
	"assay/model/notes"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/work"
)

// stripBuckets is the number of buckets of a file.
const stripBuckets = 2048

// bucket is a part of a file: its status, and the first pair with that status.
type bucket struct {
	status compare.Status
	path   model.Path // nil: no change; empty: a change without a pair
}

// Strip shows the positions of the changes in both files, in a lane for each. A click moves to a change.
type Strip struct {
	paint.Surface
	host host.Host
	lane *work.Lane

	c        *compare.Comparison
	buckets  buckets
	selected [2]model.Span
	notes    [2]*notes.Placement

	OnGo     func(path model.Path)
	OnOffset func(side int, offset int64)
}

var (
	_ fyne.Widget        = (*Strip)(nil)
	_ fyne.Tappable      = (*Strip)(nil)
	_ desktop.Hoverable  = (*Strip)(nil)
	_ desktop.Cursorable = (*Strip)(nil)
)

// NewStrip returns an empty strip.
func NewStrip(h host.Host, style *paint.Style, group *work.Group) *Strip {
	s := &Strip{host: h, lane: group.Lane()}
	s.InitSurface(s, style, s.paint)
	return s
}

// Set shows a comparison. The rows are read in the background.
func (s *Strip) Set(c *compare.Comparison) {
	s.c, s.buckets, s.selected, s.notes = c, buckets{}, [2]model.Span{}, [2]*notes.Placement{}
	s.Refresh()
	if c.BytesOnly {
		s.lane.Stop()
		return
	}
	s.lane.Go(func(ctx context.Context) func() {
		found, err := bucketsOf(ctx, c)
		if err != nil {
			return nil
		}
		return func() {
			s.buckets = found
			s.Refresh()
		}
	})
}

// SetNotes marks the positions of the notes of both files.
func (s *Strip) SetNotes(placed [2]*notes.Placement) {
	s.notes = placed
	s.Refresh()
}

// buckets holds the buckets of both files.
type buckets [2][]bucket

func newBuckets() (b buckets) {
	for side := range b {
		b[side] = make([]bucket, stripBuckets)
	}
	return b
}

// each calls do for the buckets that contain a span of a file of a size.
func (b buckets) each(side int, span model.Span, size int64, do func(visited *bucket)) {
	if span.Size <= 0 {
		return
	}
	for i := bucketAt(span.Offset, size); i <= bucketAt(span.End()-1, size); i++ {
		do(&b[side][i])
	}
}

// bucketsOf returns the buckets for the rows of a comparison.
func bucketsOf(ctx context.Context, c *compare.Comparison) (buckets, error) {
	all := newBuckets()
	err := c.Rows(func(p *compare.Pair) error {
		if p.Status == compare.Changed && !p.Leaf() {
			return ctx.Err()
		}
		var path model.Path
		for side, n := range []*model.Node{p.Old, p.New} {
			if n == nil {
				continue
			}
			all.each(side, n.Span, sizeOf(c, side), func(b *bucket) {
				if b.path == nil || p.Status != compare.Moved && b.status == compare.Moved {
					if path == nil {
						path = p.Path()
					}
					*b = bucket{p.Status, path}
				}
			})
		}
		return ctx.Err()
	})
	return all, err
}

func sizeOf(c *compare.Comparison, side int) int64 {
	return [2]*model.Document{c.Old, c.New}[side].Source.Size()
}

func bucketAt(offset, size int64) int {
	if size <= 0 {
		return 0
	}
	return int(min(stripBuckets-1, max(0, float64(offset)/float64(size)*stripBuckets)))
}

// SetAlignment shows the differences of an alignment, for files that were compared only as bytes.
func (s *Strip) SetAlignment(a *Alignment) {
	s.buckets = newBuckets()
	for _, t := range a.segments {
		if t.equal {
			continue
		}
		status := changes.StatusOfRange(align.Edit{Old: t.spans[0], New: t.spans[1]})
		for side, span := range t.spans {
			s.buckets.each(side, span, sizeOf(s.c, side), func(b *bucket) { *b = bucket{status, model.Path{}} })
		}
	}
	s.Refresh()
}

// SetSelected frames the spans of the selected pair.
func (s *Strip) SetSelected(p *compare.Pair) {
	s.selected = [2]model.Span{}
	for side, n := range []*model.Node{p.Old, p.New} {
		if n != nil && p.Parent() != nil {
			s.selected[side] = n.Span
		}
	}
	s.Refresh()
}

// Lengths in device-independent pixels.
const (
	stripPadding = 5
	laneHeight   = 11
	laneGap      = 7
)

// labelWidth returns the width of the names of the lanes.
func labelWidth() float32 { return 3.4 * theme.TextSize() }

// MinSize returns the height of the strip.
func (s *Strip) MinSize() fyne.Size { return fyne.NewSize(120, 2*laneHeight+laneGap+2*stripPadding) }

func (s *Strip) paint(c *paint.Canvas) {
	w := c.Img.Rect.Dx()
	c.Fill(c.Img.Rect, c.Colors.Header)
	c.Line(0, 0, w, 0, c.Colors.Separator)
	lanes := s.lanes(w)
	for i, r := range lanes {
		label := image.Rect(c.Px(8), r.Min.Y-c.Px(4), r.Min.X-c.Px(4), r.Max.Y+c.Px(4))
		c.Label(label, []string{"Old", "New"}[i], paint.Regular, c.Colors.Dim, paint.AlignLeft)
		c.Fill(r, c.Colors.Inactive)
		if s.c != nil {
			s.paintLane(c, i, r)
			s.paintNotes(c, i, r)
		}
	}
	if s.c != nil {
		s.paintSelected(c, lanes)
	}
}

// lanes returns the rectangles of the lanes. Their lengths are proportional to the sizes of the files.
func (s *Strip) lanes(w int) [2]image.Rectangle {
	px := func(l float32) int { return int(l*s.Scale() + 0.5) }
	x, room := px(labelWidth()), w-px(labelWidth())-px(12)
	var lanes [2]image.Rectangle
	sizes := [2]int64{1, 1}
	if s.c != nil {
		sizes = [2]int64{sizeOf(s.c, 0), sizeOf(s.c, 1)}
	}
	for i := range lanes {
		y := px(stripPadding) + i*px(laneHeight+laneGap)
		length := int(float64(room) * float64(sizes[i]) / float64(max(1, sizes[0], sizes[1])))
		lanes[i] = image.Rect(x, y, x+max(px(4), length), y+px(laneHeight))
	}
	return lanes
}

func (s *Strip) paintLane(c *paint.Canvas, side int, r image.Rectangle) {
	n := len(s.buckets[side])
	minWidth := c.Px(2)
	for i := 0; i < n; {
		b := s.buckets[side][i]
		j := i + 1
		for j < n && (s.buckets[side][j].path == nil) == (b.path == nil) && s.buckets[side][j].status == b.status {
			j++
		}
		if b.path != nil {
			x0, x1 := r.Min.X+i*r.Dx()/n, r.Min.X+j*r.Dx()/n
			box := image.Rect(x0, r.Min.Y, max(x1, x0+minWidth), r.Max.Y)
			c.Fill(box, c.Colors.ForTone(compared.StatusTone(b.status)))
		}
		i = j
	}
}

// paintNotes marks the beginnings of the notes of a file at the lower edge of its lane.
func (s *Strip) paintNotes(c *paint.Canvas, side int, r image.Rectangle) {
	last := -1
	for _, n := range s.notes[side].Present() {
		x := s.pixelOf(side, n.Bytes.Offset, r)
		if x != last {
			c.Fill(image.Rect(x, r.Max.Y-r.Dy()/3, x+c.Px(4), r.Max.Y), c.Colors.ForTone(noted.Tone(n.Color)))
		}
		last = x
	}
}

// pixelOf returns the x coordinate of an offset of a file in its lane.
func (s *Strip) pixelOf(side int, offset int64, lane image.Rectangle) int {
	return lane.Min.X + int(float64(lane.Dx())*float64(offset)/float64(max(1, sizeOf(s.c, side))))
}

// paintSelected frames the selection in both lanes, and connects the frames with lines.
func (s *Strip) paintSelected(c *paint.Canvas, lanes [2]image.Rectangle) {
	var frames [2]image.Rectangle
	for i, span := range s.selected {
		if span.Size <= 0 {
			continue
		}
		x0, x1 := s.pixelOf(i, span.Offset, lanes[i]), s.pixelOf(i, span.End(), lanes[i])
		frames[i] = image.Rect(x0-c.Px(3), lanes[i].Min.Y-c.Px(2), max(x1, x0+c.Px(2))+c.Px(3), lanes[i].Max.Y+c.Px(2))
		c.Frame(frames[i], c.Px(1.5), c.Colors.Primary)
	}
	if frames[0].Empty() || frames[1].Empty() {
		return
	}
	from, to := frames[0].Max.Y, frames[1].Min.Y
	for _, e := range [2][2]int{{frames[0].Min.X, frames[1].Min.X}, {frames[0].Max.X - 1, frames[1].Max.X - 1}} {
		for y := from; y < to; y++ {
			x := e[0] + (e[1]-e[0])*(y-from)/max(1, to-from)
			next := e[0] + (e[1]-e[0])*(y+1-from)/max(1, to-from)
			c.Fill(image.Rect(min(x, next), y, max(x, next)+c.Px(1), y+1), c.Colors.Primary)
		}
	}
}

// byteAt returns the side and the offset at a position, and the path of the nearest bucket with a change there; false
// if there is no byte.
func (s *Strip) byteAt(p fyne.Position) (side int, offset int64, path model.Path, ok bool) {
	if s.c == nil {
		return 0, 0, nil, false
	}
	scale, pixel := s.Scale(), s.Pixel(p)
	lanes := s.lanes(int(s.Size().Width*scale + 0.5))
	if pixel.Y > (lanes[0].Max.Y+lanes[1].Min.Y)/2 {
		side = 1
	}
	r := lanes[side]
	size := sizeOf(s.c, side)
	if size == 0 {
		return side, 0, nil, false
	}
	share := min(1, max(0, float64(pixel.X-r.Min.X)/float64(max(1, r.Dx()))))
	offset = min(size-1, int64(share*float64(size)))
	sideBuckets := s.buckets[side]
	reach := 1 + int(6*scale)*stripBuckets/max(1, r.Dx())
	center := bucketAt(offset, size)
	for d := 0; d <= reach && len(sideBuckets) > 0; d++ {
		for _, b := range []int{center - d, center + d} {
			if b >= 0 && b < len(sideBuckets) && sideBuckets[b].path != nil {
				return side, offset, sideBuckets[b].path, true
			}
		}
	}
	return side, offset, nil, true
}

// Tapped implements fyne.Tappable.
func (s *Strip) Tapped(ev *fyne.PointEvent) {
	side, offset, path, ok := s.byteAt(ev.Position)
	switch {
	case !ok:
	case len(path) > 0:
		s.OnGo(path)
	default:
		s.OnOffset(side, offset)
	}
}

// MouseIn implements desktop.Hoverable.
func (s *Strip) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable. It shows the change at the pointer in the status line.
func (s *Strip) MouseMoved(ev *desktop.MouseEvent) {
	side, offset, path, ok := s.byteAt(ev.Position)
	if !ok {
		s.host.ShowHint("")
		return
	}
	if note := noted.ByteTip(s.notes[side], offset); note != "" {
		s.host.ShowHint(note)
		return
	}
	text := fmt.Sprintf("%#x of the %s file", offset, []string{"old", "new"}[side])
	if len(path) > 0 {
		if p := s.c.At(path); p != nil {
			text = p.Status.String() + ": " + model.OneLine(p.Node().NamePath(), 200)
		}
	}
	s.host.ShowHint(text)
}

// MouseOut implements desktop.Hoverable.
func (s *Strip) MouseOut() { s.host.ShowHint("") }

// Cursor returns the shape of the pointer.
func (s *Strip) Cursor() desktop.Cursor { return desktop.PointerCursor }
