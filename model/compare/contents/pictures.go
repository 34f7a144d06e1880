package contents

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/compare/pictures"
)

// PictureChange says in a sentence what changed between two pictures.
func PictureChange(old, new image.Image) string {
	if s := pictureChange(old, new); len(s) > 0 {
		return strings.Join(s, ", ")
	}
	return "no pixel differs"
}

// partsCompared is how many of the pictures of a picture are compared.
const partsCompared = 64

// picturesChange says what changed between two pictures with all that are in them: frames, mip levels, sizes of a font.
func picturesChange(ctx context.Context, old, new model.Picture) ([]string, error) {
	s := pictureChange(old.Image, new.Image)
	if len(old.Parts) != len(new.Parts) && new.Lines == nil { // the sizes of a font are told by their names
		s = append(s, fmt.Sprintf("%s, was %d", Count(int64(max(1, len(new.Parts))), "picture"),
			max(1, len(old.Parts))))
	}
	more := 0
	for i, to := range new.Parts[:min(len(new.Parts), partsCompared)] {
		from := slices.IndexFunc(old.Parts, func(p model.Part) bool { return p.Name == to.Name })
		if i == 0 || from <= 0 || to.Load == nil || old.Parts[from].Load == nil {
			continue // the first is what is seen first
		}
		a, err := old.Parts[from].Load(ctx)
		if err != nil {
			return s, err
		}
		b, err := to.Load(ctx)
		if err != nil {
			return s, err
		}
		clauses := pictureChange(a, b)
		switch {
		case len(clauses) == 0:
		case len(s) == 0:
			s = append(s, to.Name+": "+strings.Join(clauses, ", "))
		default:
			more++
		}
	}
	if more > 0 {
		s = append(s, Count(int64(more), "more picture")+" in it changed")
	}
	return s, nil
}

// pictureChange says what changed between two pictures, in clauses.
func pictureChange(old, new image.Image) []string {
	p, ok := pictures.Compare(old, new)
	if !ok {
		a, b := old.Bounds(), new.Bounds()
		return []string{fmt.Sprintf("%d × %d pixels, was %d × %d", b.Dx(), b.Dy(), a.Dx(), a.Dy())}
	}
	if p.Changed == 0 {
		return nil
	}
	size := old.Bounds()
	all := int64(size.Dx()) * int64(size.Dy())
	s := []string{fmt.Sprintf("%s of %s pixels changed, largest difference %d of 255", humanize.Comma(p.Changed),
		humanize.Comma(all), p.Largest)}
	if r := p.Region; r.Dx() < size.Dx() || r.Dy() < size.Dy() {
		s = append(s, fmt.Sprintf("within %d × %d at (%d, %d)", r.Dx(), r.Dy(), r.Min.X, r.Min.Y))
	}
	return s
}
