package preview

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// setPicture shows a picture as large as it fits, or nothing. Small pictures show their pixels. The image is never
// hidden: the toolkit does not know the window of what was hidden at the first frame, and would not paint it when it
// changes.
func (p *Preview) setPicture(img image.Image) {
	p.shows = img != nil
	if !p.shows {
		img = nothing()
	}
	p.picture.Image = img
	p.picture.ScaleMode = canvas.ImageScaleSmooth
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.picture); c != nil {
		scale = c.Scale()
	}
	room := p.picture.Size()
	if b := img.Bounds(); p.shows && float32(b.Dx()*2) < room.Width*scale && float32(b.Dy()*2) < room.Height*scale {
		p.picture.ScaleMode = canvas.ImageScalePixels
	}
	p.picture.Refresh()
}

// nothing is a picture without a mark: an image without any is an error to the toolkit.
func nothing() image.Image { return image.NewNRGBA(image.Rect(0, 0, 1, 1)) }
