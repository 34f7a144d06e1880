package viewport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"assay/model/render"
)

// largestPicture is the longer edge of a picture that is saved, in pixels.
const largestPicture = 8192

// pictureSizes are those of a picture that is saved: as it is seen, larger, and of common sizes.
func (v *Viewport) pictureSizes() (all []image.Point) {
	seen := v.canvas.pixels()
	for _, times := range []int{1, 2, 4} {
		size := seen.Mul(times)
		if long := max(size.X, size.Y); long > largestPicture {
			size = image.Pt(size.X*largestPicture/long, size.Y*largestPicture/long)
		}
		all = append(all, size)
	}
	return append(all, image.Pt(1920, 1080), image.Pt(1024, 1024))
}

// saveItems are the sizes to save a picture in.
func (v *Viewport) saveItems() []item {
	items := func(transparent bool) (all []item) {
		for _, size := range v.pictureSizes() {
			all = append(all, item{Label: fmt.Sprintf("%d × %d…", size.X, size.Y),
				Action: action{Do: func(v *Viewport) { v.save(size, transparent) }}})
		}
		return all
	}
	return append(items(false), item{Label: "Transparent Background", Line: true,
		Action: action{Under: func(*Viewport) []item { return items(true) }}})
}

// save asks for a file and draws the view into it.
func (v *Viewport) save(size image.Point, transparent bool) {
	if v.model == nil {
		return
	}
	v.play.stop()
	v.setTurning(false)
	view := v.camera
	view.Marks.Selected, view.Marks.Part, view.Marks.Point = nil, nil, nil
	if view.Background = v.background(); transparent {
		view.Background = color.NRGBA{}
	}
	m, ctx := v.model, v.group.Context()
	title := ""
	if v.Title != nil {
		title = v.Title()
	}
	v.host.Save(cmp.Or(title, m.Scene().Name, "scene")+".png", func(out io.Writer) error {
		img, err := v.still(ctx, m, view, size)
		if err != nil {
			return err
		}
		return png.Encode(out, img)
	})
}

// still draws a picture of the model. It must not be called on the UI thread: the model is drawn by the drawer's loop
// only, which takes this between two pictures.
func (v *Viewport) still(ctx context.Context, m *render.Model, view render.View, size image.Point,
) (image.Image, error) {
	out := image.NewRGBA(image.Rectangle{Max: size})
	ended := make(chan error, 1)
	v.group.Show(ctx, func() {
		if v.model != m {
			ended <- errors.New("the scene changed; save the image again")
			return
		}
		v.change(func(m *render.Model) {
			img := image.NewNRGBA(out.Rect)
			r := render.Renderer{Samples: 3, Soft: true}
			if err := r.Draw(ctx, img, m, view); err != nil {
				ended <- err
				return
			}
			draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
			v.group.Show(ctx, func() {
				v.writeLabels(out, r.Labels)
				ended <- nil
			})
		})
	})
	select {
	case err := <-ended:
		return out, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
