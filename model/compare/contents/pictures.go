package contents

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"assay/model"
)

// PictureChange says in a sentence what changed between two pictures.
func PictureChange(old, new image.Image) string {
	return cmp.Or(strings.Join(imageChanges(old, new).Texts(), ", "), "all pixels identical")
}

// partsCompared is how many of the pictures of a picture are compared.
const partsCompared = 64

// pictureChanges returns what changed between two pictures with all that are in them: frames, mip levels, sizes of a
// font.
func pictureChanges(ctx context.Context, old, new model.Picture) (Changes, error) {
	s := imageChanges(old.Image, new.Image)
	// The sizes of a font are listed by their names.
	if a, b := len(old.Parts), len(new.Parts); a != b && new.Lines == nil {
		s.add(Part{How: Stated, Field: fmt.Sprintf("%s, was %d", model.Count(int64(max(1, b)), "picture"), max(1, a))})
	}
	more := 0
	for i, to := range new.Parts[:min(len(new.Parts), partsCompared)] {
		from := slices.IndexFunc(old.Parts, func(p model.Part) bool { return p.Name == to.Name })
		if i == 0 || from <= 0 || to.Load == nil || old.Parts[from].Load == nil {
			continue // the first is what is seen first
		}
		a, errA := old.Parts[from].Load(ctx)
		b, errB := to.Load(ctx)
		if err := cmp.Or(errA, errB); err != nil {
			return s, err
		}
		inside := imageChanges(a, b)
		switch {
		case len(inside) == 0:
		case len(s) == 0:
			s.add(Part{Field: to.Name, Inside: inside})
		default:
			more++
		}
	}
	if more > 0 {
		s.add(Part{How: Changed, Field: model.Count(int64(more), "more picture") + " in it"})
	}
	return s, nil
}

// imageChanges returns what changed between two images.
func imageChanges(old, new image.Image) (s Changes) {
	a, b := old.Bounds(), new.Bounds()
	p, ok := ComparePictures(old, new)
	switch r := p.Region; {
	case !ok:
		s.add(Part{How: Stated, Field: fmt.Sprintf("size %[3]d × %[4]d → %[1]d × %[2]d pixels", b.Dx(), b.Dy(), a.Dx(), a.Dy())})
	case p.Changed > 0:
		s.add(Part{How: Changed, Field: "pixels", N: p.Changed, All: int64(a.Dx()) * int64(a.Dy()),
			Note: fmt.Sprintf("maximum difference %d of 255", p.Largest)})
		if r.Dx() < a.Dx() || r.Dy() < a.Dy() {
			s.add(Part{How: Stated, Field: fmt.Sprintf("within %d × %d at (%d, %d)", r.Dx(), r.Dy(), r.Min.X, r.Min.Y)})
		}
	}
	return s
}
