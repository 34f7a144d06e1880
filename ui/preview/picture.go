package preview

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/model"
)

// pictures shows pictures.
type pictures struct {
	picture *canvas.Image
	say     func(text string)
}

var _ viewer = (*pictures)(nil)

func newPictures(say func(text string)) *pictures {
	p := &pictures{canvas.NewImageFromImage(nothing()), say}
	p.picture.FillMode = canvas.ImageFillContain
	return p
}

// nothing is a picture without a mark: an image without any is an error to the toolkit.
func nothing() image.Image { return image.NewNRGBA(image.Rect(0, 0, 1, 1)) }

// Content is what goes into the panel.
func (p *pictures) Content() fyne.CanvasObject { return p.picture }

// Load prepares a picture.
func (p *pictures) Load(_ context.Context, v model.View) (show func(), err error) {
	img := v.(model.Picture).Image
	return func() {
		p.set(img)
		b := img.Bounds()
		p.say(fmt.Sprintf("%d × %d pixels", b.Dx(), b.Dy()))
	}, nil
}

// Leave is called when another viewer takes its place.
func (p *pictures) Leave() { p.set(nothing()) }

// set shows a picture as large as it fits. Small ones show their pixels.
func (p *pictures) set(img image.Image) {
	p.picture.Image = img
	p.picture.ScaleMode = canvas.ImageScaleSmooth
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.picture); c != nil {
		scale = c.Scale()
	}
	room := p.picture.Size()
	if b := img.Bounds(); float32(b.Dx()*2) < room.Width*scale && float32(b.Dy()*2) < room.Height*scale {
		p.picture.ScaleMode = canvas.ImageScalePixels
	}
	p.picture.Refresh()
}
