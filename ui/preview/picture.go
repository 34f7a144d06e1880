package preview

import (
	"context"
	"image"

	"assay/model"
	"assay/ui/picture"
)

// pictures shows pictures.
type pictures struct{ *picture.View }

var _ viewer = pictures{}

func (p pictures) Load(ctx context.Context, v model.View) (show func(), err error) {
	r, err := picture.Load(ctx, v.(model.Picture))
	if err != nil {
		return nil, err
	}
	return func() { p.Show(r) }, nil
}

// RevealPart brings a part of the picture that is shown into the middle and outlines it.
func (p *Preview) RevealPart(part image.Rectangle) { p.pictures.Reveal(part) }

// LinkPictures has the pictures of two previews show the same place, as large.
func (p *Preview) LinkPictures(o *Preview) {
	p.pictures.Link(o.pictures.View)
}
