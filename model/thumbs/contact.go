package thumbs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"path"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/sync/errgroup"

	xdraw "golang.org/x/image/draw"

	"assay/model"
	modelfont "assay/model/font"
)

const (
	// MaxPictures is the number of pictures on a sheet; a line below them has the total.
	MaxPictures         = 1000
	maxSheetPixels      = 48 << 20 // of a sheet
	maxLetterHeight     = 16       // pixels of a name's letters
	minLetterHeight     = 11
	margin              = 12
	maxExtensionLetters = 10 // letters of an extension drawn instead of a picture
)

// Sheet is the content of a contact sheet.
type Sheet struct {
	Names []string // of the pictures; only the last part of a path is written
	Total int      // number of pictures, if some have no names
	Side  int      // of the square that a picture is fitted into, in pixels
	Dark  bool
	// Picture draws the i-th picture, of any size, or returns nil. It is called from several goroutines.
	Picture func(ctx context.Context, i int) image.Image
}

// colors of a sheet: the background, behind pictures, and text.
type colors struct{ paper, card, ink, dim color.NRGBA }

var (
	light = colors{color.NRGBA{255, 255, 255, 255}, color.NRGBA{222, 225, 230, 255}, color.NRGBA{28, 30, 34, 255},
		color.NRGBA{128, 134, 143, 255}}
	dark = colors{color.NRGBA{28, 30, 34, 255}, color.NRGBA{62, 66, 74, 255}, color.NRGBA{240, 241, 243, 255},
		color.NRGBA{150, 156, 166, 255}}
)

// sheetDrawing is a sheet that is being drawn.
type sheetDrawing struct {
	*Sheet
	colors
	label        modelfont.Label
	letterHeight int // of the label, in pixels
	columns      int
	count        int // pictures on it
	total        int
	size         image.Point

	mu  sync.Mutex // guards out
	out *image.NRGBA
}

// Draw draws the sheet: rows of squares, with about as many rows as columns. The error is the context's, or the reason
// why there is no sheet.
func (s *Sheet) Draw(ctx context.Context) (*image.NRGBA, error) {
	d, err := s.plan()
	if err != nil {
		return nil, err
	}
	d.out = image.NewNRGBA(image.Rectangle{Max: d.size})
	draw.Draw(d.out, d.out.Rect, image.NewUniform(d.paper), image.Point{}, draw.Src)
	if d.count < d.total {
		d.drawText(fmt.Sprintf("Showing the first %d of %d.", d.count, d.total), d.dim,
			image.Rect(margin, d.size.Y-2*d.letterHeight, d.size.X-margin, d.size.Y))
	}
	g, drawCtx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range d.count {
		g.Go(func() error {
			d.drawTile(i, s.Picture(drawCtx, i))
			return drawCtx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return d.out, nil
}

// plan computes the size of the sheet, and the number of pictures on it.
func (s *Sheet) plan() (*sheetDrawing, error) {
	if len(s.Names) == 0 {
		return nil, errors.New("no images for a contact sheet")
	}
	d := &sheetDrawing{Sheet: s, colors: light, letterHeight: min(max(s.Side/12, minLetterHeight), maxLetterHeight),
		total: max(s.Total, len(s.Names))}
	if s.Dark {
		d.colors = dark
	}
	var err error
	if d.label, err = modelfont.NewLabel(float64(d.letterHeight)); err != nil {
		return nil, err
	}
	tile := d.tile()
	d.count = min(len(s.Names), MaxPictures, maxSheetPixels/(tile.X*tile.Y)*9/10)
	d.columns = int(math.Ceil(math.Sqrt(float64(d.count) * float64(tile.Y) / float64(tile.X))))
	rows := (d.count + d.columns - 1) / d.columns
	d.size = image.Pt(margin+d.columns*tile.X, margin+rows*tile.Y)
	if d.count < d.total {
		d.size.Y += 2 * d.letterHeight
	}
	return d, nil
}

// tile returns the size of a picture with its name and the space beside both.
func (d *sheetDrawing) tile() image.Point {
	return image.Pt(d.Side+margin, d.Side+2*d.letterHeight+margin)
}

// drawTile draws the i-th picture and its name, or without a picture the extension of the name.
func (d *sheetDrawing) drawTile(i int, img image.Image) {
	tile := d.tile()
	origin := image.Pt(margin+i%d.columns*tile.X, margin+i/d.columns*tile.Y)
	square := image.Rectangle{origin, origin.Add(image.Pt(d.Side, d.Side))}
	name := path.Base(strings.ReplaceAll(d.Names[i], `\`, "/"))
	d.mu.Lock()
	defer d.mu.Unlock()
	draw.Draw(d.out, square, image.NewUniform(d.card), image.Point{}, draw.Src)
	if img != nil {
		into := fitRect(img.Bounds().Size(), square)
		xdraw.CatmullRom.Scale(d.out, into, img, img.Bounds(), draw.Over, nil)
	} else if word := strings.ToUpper(strings.TrimPrefix(path.Ext(name), ".")); len(word) <= maxExtensionLetters {
		d.drawText(word, d.dim, square)
	}
	d.drawText(name, d.ink, image.Rect(square.Min.X, square.Max.Y, square.Max.X, square.Max.Y+2*d.letterHeight))
}

// fitRect returns the rectangle of a picture in a square: centered, and no larger than the picture.
func fitRect(size image.Point, square image.Rectangle) image.Rectangle {
	if side := square.Dx(); max(size.X, size.Y) > side {
		size = image.Pt(max(1, size.X*side/max(size.X, size.Y)), max(1, size.Y*side/max(size.X, size.Y)))
	}
	origin := square.Min.Add(square.Size().Sub(size).Div(2))
	return image.Rectangle{origin, origin.Add(size)}
}

// drawText writes a text in the middle of a rectangle, shortened to its width.
func (d *sheetDrawing) drawText(text string, ink color.NRGBA, frame image.Rectangle) {
	text = d.label.Fit(model.OneLine(text, 1000), frame.Dx())
	m := d.label.Metrics()
	width := font.MeasureString(d.label, text)
	drawer := font.Drawer{Dst: d.out, Src: image.NewUniform(ink), Face: d.label}
	drawer.Dot = fixed.Point26_6{X: fixed.I(frame.Min.X) + (fixed.I(frame.Dx())-width)/2,
		Y: fixed.I(frame.Min.Y) + (fixed.I(frame.Dy())+m.Ascent-m.Descent)/2}
	drawer.DrawString(text)
}
