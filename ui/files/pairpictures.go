package files

import (
	"context"
	"errors"
	"image"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/ui/paint"
	"assay/ui/thumbnail"
)

// pictureWide is the room for the picture of a file, in device-independent pixels: the height of a row.
const pictureWide = 34

// pairPictures are small pictures of the files in view, of the new version if there is one.
type pairPictures struct {
	f      *Pair
	loader *thumbnail.Loader
	of     *model.Document // stands for the list: another one for another list
	want   func(c *paint.Canvas, height int)
}

func newPairPictures(f *Pair) *pairPictures {
	p := &pairPictures{f: f}
	p.forget()
	return p
}

var errNoPicture = errors.New("there is no picture of this file")

// forget drops all pictures, because the list is another one.
func (p *pairPictures) forget() {
	f := p.f
	files, sides := slices.Clone(f.files), f.sides
	p.of = &model.Document{Payloads: model.PayloadList{}}
	p.loader = thumbnail.New(f.Group, thumbnail.Options{Open: f.OpenSource,
		File: func(ctx context.Context, _ *model.Document, i int) (*model.Document, error) {
			if file := files[i]; file.Problem == "" && max(file.Old, file.New) <= lookedSize {
				old, new := sides(file)
				if file.Status == compare.Removed {
					return old.Open(ctx)
				}
				return new.Open(ctx)
			}
			return nil, errNoPicture
		}})
	p.loader.OnLoad = func() { f.rows.Refresh() }
	p.want = func(c *paint.Canvas, height int) {
		if f.open == nil || !f.done {
			return
		}
		first := f.rows.First()
		last := min(first+int64(height/max(1, c.Px(pictureWide)))+2, int64(len(f.shown)))
		if first < last {
			scale := float32(c.Px(pictureWide-4)) / thumbnail.Side
			p.loader.Want(p.of, scale, slices.Clone(f.shown[first:last]))
		}
	}
}

// paint paints the picture of a file, if it is there.
func (p *pairPictures) paint(c *paint.Canvas, file int, lead image.Rectangle) {
	if img := p.loader.Picture(file); img != nil {
		size := img.Bounds().Size()
		room := lead.Size()
		c.Picture(lead.Min.Add(image.Pt((room.X-size.X)/2-c.Px(2), (room.Y-size.Y)/2)), img)
	}
}
