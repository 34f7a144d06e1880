package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"time"

	"assay/model"
	"assay/model/content"
	"assay/model/font"
	"assay/model/picture"
	"assay/model/scene"
	"assay/model/sound"
)

// ErrNothing means that a document has nothing to draw.
var ErrNothing = errors.New("nothing to draw")

const (
	sheetPictures     = 4        // pictures on one sheet
	maxAssetsExamined = 20_000   // assets that are searched for pictures
	maxFilesOpened    = 24       // assets that are opened as files of their own
	nestedLimit       = 64 << 20 // the maximum expanded size of such an asset

	partialWait = 3 * time.Second // after ctx has ended, to return a partial picture
)

// Painter draws thumbnails of documents.
type Painter struct {
	Size int // of the picture's edges, in pixels
	// Open opens a file inside of a file; nil leaves those out.
	Open model.Opener
}

// Thumbnail draws the document on a transparent square: its scene or picture if it has one, else up to four of the
// pictures and scenes in it. When ctx ends, it draws those found until then.
func (p *Painter) Thumbnail(ctx context.Context, d *model.Document) (*image.NRGBA, error) {
	// Listing assets may take longer than ctx allows, and cannot be canceled.
	found := make(chan image.Image, sheetPictures)
	why := ErrNothing // to be read after found is closed
	go func() {
		defer close(found)
		sent := 0
		viewErr := p.pictures(ctx, d, p.Open != nil, func(img image.Image) bool {
			found <- img
			sent++
			return sent < sheetPictures
		})
		if viewErr != nil {
			why = fmt.Errorf("%w: %w", ErrNothing, viewErr)
		}
	}()
	var images []image.Image
	for len(images) < sheetPictures {
		var img image.Image
		select {
		case img = <-found:
		case <-ctx.Done():
			select {
			case img = <-found:
			case <-time.After(partialWait):
			}
		}
		if img == nil {
			break
		}
		images = append(images, img)
	}
	switch {
	case len(images) > 0:
		return arrange(images, p.Size), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("looking for something to draw took too long: %w", ctx.Err())
	}
	return nil, why
}

// Draws reports whether a document has anything that can be drawn.
func (p *Painter) Draws(ctx context.Context, d *model.Document) (found bool) {
	p.pictures(ctx, d, p.Open != nil, func(image.Image) bool {
		found = true
		return false
	})
	return found
}

// Asset draws one asset of a document: the view of the format, a picture, the wave of a sound, letters of a font, or
// the content of a file that is the asset. It returns nil if there is nothing to draw.
func (p *Painter) Asset(ctx context.Context, d *model.Document, a *model.Payload) image.Image {
	img := p.asset(ctx, d, a)
	if img == nil {
		img = p.sample(ctx, d, a)
	}
	if img == nil && p.Open != nil && isMaybeFile(a) && ctx.Err() == nil {
		img = p.file(ctx, d, a)
	}
	return img
}

// ink is the color for drawing sounds and fonts; it is visible on dark and on light.
var ink = color.NRGBA{0x4A, 0x8F, 0xD0, 0xFF}

// maxSampleSize is the size in bytes of the largest sound or font with a thumbnail.
const maxSampleSize = 16 << 20

// sample draws a sound or a font: the wave of a sound, two letters of a font; nil for other assets.
func (p *Painter) sample(ctx context.Context, d *model.Document, a *model.Payload) image.Image {
	var drawSample func(ctx context.Context, src *model.Source, side int) image.Image
	switch kind, _, _ := strings.Cut(a.MediaType, "/"); {
	case kind == "font":
		drawSample = letters
	case kind == "audio", strings.HasPrefix(a.MediaType, "application/ogg"):
		drawSample = wave
	}
	if drawSample == nil || a.Problem != "" || a.Open == nil || a.Size > maxSampleSize {
		return nil
	}
	return drawNested(ctx, d, a, maxSampleSize, func(src *model.Source) image.Image {
		return drawSample(ctx, src, p.Size)
	})
}

func letters(ctx context.Context, src *model.Source, side int) image.Image {
	glyphs, err := font.Sample(ctx, src, side)
	if err != nil {
		return nil
	}
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	origin := image.Pt((side-glyphs.Rect.Dx())/2, (side-glyphs.Rect.Dy())/2)
	draw.DrawMask(out, glyphs.Rect.Add(origin), image.NewUniform(ink), image.Point{}, glyphs, image.Point{}, draw.Over)
	return out
}

func wave(ctx context.Context, src *model.Source, side int) image.Image {
	s, err := sound.Open(ctx, src)
	if err != nil {
		return nil
	}
	return waveOf(ctx, s, side)
}

// waveOf draws the waveform of a sound, with all channels in one.
func waveOf(ctx context.Context, s *sound.Sound, side int) image.Image {
	var w sound.Waveform
	if s.ReadWaveform(ctx, side, func(now sound.Waveform) { w = now }) != nil && w.Parts == 0 || ctx.Err() != nil {
		return nil
	}
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	middle := float32(side) / 2
	for x := range side {
		low, high := extent(w, x*w.Parts/side)
		from, to := int(middle*(1-0.9*min(high, 1))), int(middle*(1-0.9*max(low, -1)))
		draw.Draw(out, image.Rect(x, from, x+1, max(to, from+1)), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	return out
}

// extent returns the lowest and the highest sample of a part, of all channels.
func extent(w sound.Waveform, part int) (low, high float32) {
	for c := range w.Low {
		if part < len(w.Low[c]) {
			low, high = min(low, w.Low[c][part]), max(high, w.High[c][part])
		}
	}
	return low, high
}

// pictures passes the picture of the document as a whole, or the pictures of its assets, until do returns false. An
// error is the reason why the view of the document cannot be displayed.
func (p *Painter) pictures(ctx context.Context, d *model.Document, inside bool, do func(image.Image) bool) error {
	img, viewErr := p.view(ctx, d, d.Root())
	if img != nil {
		do(img)
		return nil
	}
	if d.Payloads == nil {
		return viewErr
	}
	files := 0
	var spans []model.Span
	for i := range min(d.Payloads.Len(), maxAssetsExamined) {
		if ctx.Err() != nil {
			return viewErr
		}
		a := d.Payloads.At(i)
		if a == nil || slices.ContainsFunc(spans, a.Stored.Overlaps) ||
			a.Stored == (model.Span{Size: d.Source.Size()}) {
			continue // an object around a picture, the same bytes under another key, or the document itself
		}
		img := p.asset(ctx, d, a)
		if img == nil && inside && files < maxFilesOpened && isMaybeFile(a) {
			files++
			img = p.file(ctx, d, a)
		}
		if img == nil {
			continue
		}
		if spans = append(spans, a.Stored); !do(img) {
			break
		}
	}
	return viewErr
}

// view draws the view of a node. An error is the reason why the view cannot be displayed.
func (p *Painter) view(ctx context.Context, d *model.Document, n *model.Node) (image.Image, error) {
	if d.View == nil || n == nil {
		return nil, nil
	}
	v, err := d.View(ctx, n)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *content.Bytes:
		return nil, v.Broken
	case model.Picture:
		return withCheckerboard(scaleToFit(ctx, v.Image, p.Size)), nil
	case *sound.Sound:
		if d.Source.Size() > maxSampleSize {
			return nil, nil
		}
		return waveOf(ctx, v, p.Size), nil
	case *scene.Scene:
		m, _ := Load(ctx, v)
		if m.Empty() {
			return nil, nil
		}
		img := image.NewNRGBA(image.Rect(0, 0, p.Size, p.Size))
		r := Renderer{Samples: 2, Soft: true}
		if p.Size <= 256 {
			r.Samples = 3
		}
		view := m.InitialView()
		if m.IsDark() {
			view.Background = LightBackground
		}
		_ = r.Draw(ctx, img, m, view) // a partial picture when ctx ends is fine
		return img, nil
	}
	return nil, nil
}

// asset draws an asset that the format draws, or that is a picture.
func (p *Painter) asset(ctx context.Context, d *model.Document, a *model.Payload) image.Image {
	if a.Problem != "" {
		return nil
	}
	img, viewErr := p.view(ctx, d, nodeBelowRoot(a))
	if img != nil || viewErr != nil {
		return img
	}
	if a.Open == nil || !strings.HasPrefix(a.MediaType, "image/") && !picture.HasExtension(a.Name) {
		return nil
	}
	return drawNested(ctx, d, a, nestedLimit, func(src *model.Source) image.Image {
		pic, err := picture.Open(ctx, src)
		if err != nil {
			return nil
		}
		return withCheckerboard(scaleToFit(ctx, pic.Image, p.Size))
	})
}

// drawNested draws the content of an asset, expanded to at most limit bytes, or nil if it cannot be read.
func drawNested(ctx context.Context, d *model.Document, a *model.Payload, limit int64,
	drawn func(src *model.Source) image.Image) image.Image {
	src, err := d.Nested(ctx, a, limit)
	if err != nil {
		return nil
	}
	defer src.Close()
	return drawn(src)
}

// nodeBelowRoot returns the node of an asset, or nil if it has none or its node is the root of the document.
func nodeBelowRoot(a *model.Payload) *model.Node {
	if a.Node == nil || a.Node.Parent == nil {
		return nil
	}
	return a.Node
}

// isMaybeFile reports whether an asset's content could be a file of a supported format.
func isMaybeFile(a *model.Payload) bool {
	if a.Problem != "" || a.Size == 0 || a.Size > nestedLimit {
		return false
	}
	return a.MediaType == "" || strings.HasPrefix(a.MediaType, "application/") && !content.HasView(a.MediaType)
}

// file draws an asset that is a file with a scene or pictures in it.
func (p *Painter) file(ctx context.Context, d *model.Document, a *model.Payload) image.Image {
	return drawNested(ctx, d, a, nestedLimit, func(src *model.Source) (img image.Image) {
		if doc, err := p.Open(ctx, src); err == nil {
			p.pictures(ctx, doc, false, func(i image.Image) bool { img = i; return false })
		}
		return img
	})
}

// scaleToFit scales a picture so that its longer edge has size pixels: down by the mean of pixels, up by repeating
// them.
func scaleToFit(ctx context.Context, img image.Image, size int) *image.NRGBA {
	if deep, ok := img.(*picture.Deep); ok {
		if narrow, err := deep.Narrow(ctx); err == nil {
			img = narrow
		}
	}
	from := img.Bounds()
	w, h := from.Dx(), from.Dy()
	if w <= 0 || h <= 0 {
		return image.NewNRGBA(image.Rectangle{})
	}
	long := max(w, h)
	out := image.NewNRGBA(image.Rect(0, 0, max(1, (w*size+long/2)/long), max(1, (h*size+long/2)/long)))
	if long < size {
		for y := range out.Rect.Dy() {
			for x := range out.Rect.Dx() {
				c := img.At(from.Min.X+min(x*long/size, w-1), from.Min.Y+min(y*long/size, h-1))
				out.SetNRGBA(x, y, color.NRGBAModel.Convert(c).(color.NRGBA))
			}
		}
		return out
	}
	s := &shrinker{img: img, out: out, row: image.NewRGBA(image.Rect(0, 0, w, 1)),
		scaledRow: make([]float32, 4*out.Rect.Dx()), sum: make([]float32, 4*out.Rect.Dx())}
	s.run()
	return out
}

// shrinker averages rows, and then columns of these.
type shrinker struct {
	img       image.Image
	out       *image.NRGBA
	row       *image.RGBA // one row of img
	scaledRow []float32   // it, as wide as out
	sum       []float32   // of such rows
}

func (s *shrinker) run() {
	from := s.img.Bounds()
	h, rows := from.Dy(), s.out.Rect.Dy()
	scale := float32(rows) / float32(h)
	y := 0
	filled := float32(0) // of the row that is being made
	for sy := range h {
		draw.Draw(s.row, s.row.Rect, s.img, image.Pt(from.Min.X, from.Min.Y+sy), draw.Src)
		s.scaleRow()
		remaining := scale
		for remaining > 1e-6 && y < rows {
			part := min(remaining, 1-filled)
			for i, v := range s.scaledRow {
				s.sum[i] += v * part
			}
			remaining -= part
			if filled += part; filled > 1-1e-5 {
				s.writeRow(y)
				y, filled = y+1, 0
			}
		}
	}
	for ; y < rows; y++ { // rows left over by rounding
		s.writeRow(y)
	}
}

// scaleRow averages row into wide.
func (s *shrinker) scaleRow() {
	w, columns := s.row.Rect.Dx(), s.out.Rect.Dx()
	clear(s.scaledRow)
	each := float64(columns) / float64(w)
	for x := range w {
		p := s.row.Pix[4*x : 4*x+4]
		from, to := float64(x)*each, float64(x+1)*each
		k := min(int(from), columns-1)
		first := float32(min(to, float64(k+1)) - from)
		second := float32(each) - first
		for c := range 4 {
			v := float32(p[c])
			s.scaledRow[4*k+c] += v * first
			if second > 0 && k+1 < columns {
				s.scaledRow[4*(k+1)+c] += v * second
			}
		}
	}
}

// writeRow writes a row and begins the next.
func (s *shrinker) writeRow(y int) {
	for x := range s.out.Rect.Dx() {
		v := s.sum[4*x : 4*x+4]
		o := s.out.Pix[y*s.out.Stride+4*x:]
		if v[3] > .5 {
			for c := range 3 {
				o[c] = uint8(min(255, v[c]*255/v[3]+.5))
			}
			o[3] = uint8(min(255, v[3]+.5))
		}
	}
	clear(s.sum)
}

// arrange arranges pictures on a transparent square.
func arrange(images []image.Image, size int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, size, size))
	if len(images) == 1 {
		center(out, images[0], out.Rect)
		return out
	}
	gap := size / 32
	edge := (size - gap) / 2
	origins := []image.Point{{0, 0}, {edge + gap, 0}, {0, edge + gap}, {edge + gap, edge + gap}}
	if len(images) == 2 {
		origins = []image.Point{{0, (size - edge) / 2}, {edge + gap, (size - edge) / 2}}
	}
	for i, img := range images {
		center(out, scaleToFit(context.Background(), img, edge), image.Rect(0, 0, edge, edge).Add(origins[i]))
	}
	return out
}

func center(out *image.NRGBA, img image.Image, frame image.Rectangle) {
	size := img.Bounds().Size()
	origin := frame.Min.Add(frame.Size().Sub(size).Div(2))
	draw.Draw(out, image.Rectangle{origin, origin.Add(size)}, img, img.Bounds().Min, draw.Src)
}

// The grays of the checkerboard behind a picture, and the edge of its squares in pixels.
const (
	checkerLight, checkerDark = 168, 136
	checkerSize               = 8
)

// withCheckerboard puts a checkerboard behind a picture that would be hard to see on a dark or on a light background:
// its opaque pixels are all dark or all light, or it has none.
func withCheckerboard(img *image.NRGBA) *image.NRGBA {
	if !needsCheckerboard(img) {
		return img
	}
	out := image.NewNRGBA(img.Rect)
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		x, y := i/4%img.Rect.Dx(), i/4/img.Rect.Dx()
		background := uint32(checkerLight)
		if (x/checkerSize+y/checkerSize)%2 == 1 {
			background = checkerDark
		}
		a := uint32(img.Pix[i+3])
		for k := range 3 {
			out.Pix[i+k] = uint8((uint32(img.Pix[i+k])*a + background*(255-a) + 127) / 255)
		}
		out.Pix[i+3] = 255
	}
	return out
}

// needsCheckerboard reports whether much of a picture is transparent, and nearly all of the rest is dark or nearly all
// is light.
func needsCheckerboard(img *image.NRGBA) bool {
	const light = 200
	var transparent, darks, lights, opaque int
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		if p[3] < 128 {
			transparent++
			continue
		}
		opaque++
		switch {
		case max(p[0], p[1], p[2]) <= maxInkBrightness:
			darks++
		case min(p[0], p[1], p[2]) >= light:
			lights++
		}
	}
	return transparent*20 > transparent+opaque && (darks*10 >= opaque*9 || lights*10 >= opaque*9)
}
