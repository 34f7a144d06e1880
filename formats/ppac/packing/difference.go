package packing

import (
	"bytes"
	"context"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// difference is a set of differences of an asset in two containers.
type difference uint8

const (
	presenceDiffers difference = 1 << iota // only one of them has it
	contentDiffers                         // the stored bytes or their codec
	metadataDiffers
	timesDiffer

	allDiffers = contentDiffers | metadataDiffers | timesDiffer // of an asset that both have
)

// comparer compares assets of two containers. It holds a piece of each.
type comparer [2][]byte

// compare returns the differences of an asset in two containers. An asset with an invalid location in one of them
// differs in everything, unless both index entries have the same location. An error is from reading.
func (c *comparer) compare(ctx context.Context, x, y *visibleAsset) (difference, error) {
	switch {
	case !x.exists() && !y.exists():
		return 0, nil
	case !x.exists() || !y.exists():
		return presenceDiffers, nil
	case x.file.Layout.Later != y.file.Layout.Later:
		return allDiffers, nil
	}
	spanX, errX := x.span()
	spanY, errY := y.span()
	switch misplaced := errX != nil && errY != nil && x.entry == y.entry; {
	case !misplaced && (errX != nil || errY != nil):
		return allDiffers, nil
	case x.file.Layout.Later:
		return c.compareLater(ctx, x, y, spanX, spanY)
	case misplaced:
		return 0, nil
	}
	return c.comparePublished(ctx, x, y, spanX, spanY)
}

// compareLater is compare for the later revision, which has no times. If both assets record a SHA-256, it is compared
// instead of the content.
func (c *comparer) compareLater(ctx context.Context, x, y *visibleAsset, spanX, spanY model.Span) (d difference,
	err error) {
	same := mayHaveOneContent(x, y) && x.entry.Size == y.entry.Size
	if same && (x.entry.SHA256 == noSum || y.entry.SHA256 == noSum) {
		same, err = c.equal(ctx, x.part(spanX), y.part(spanY))
	}
	if !same {
		d = contentDiffers
	}
	if err == nil {
		same, err = c.equal(ctx, x.part(x.file.Block(x.entry.TPU)), y.part(y.file.Block(y.entry.TPU)))
	}
	if !same {
		d |= metadataDiffers
	}
	return d, err
}

// comparePublished is compare in the published revision. An equal Adler-32 does not prove equal content.
func (c *comparer) comparePublished(ctx context.Context, x, y *visibleAsset, spanX, spanY model.Span) (d difference,
	err error) {
	same, sameSum := mayHaveOneContent(x, y), x.entry.Adler32 == y.entry.Adler32
	if same && sameSum && x.file.Layout.SizeWidth == y.file.Layout.SizeWidth {
		identical, err := c.equal(ctx, x.part(spanX), y.part(spanY))
		if identical || err != nil {
			return 0, err
		}
	}
	ax, ay := x.file.AssetAt(x.i, &x.entry, spanX), y.file.AssetAt(y.i, &y.entry, spanY)
	if ax.CheckFit() != nil || ay.CheckFit() != nil {
		return allDiffers, nil
	}
	if same {
		same, err = c.equal(ctx, x.part(ax.Data), y.part(ay.Data))
	}
	if same && !sameSum {
		same, err = areValid(ctx, &ax, &ay)
	}
	if !same {
		d = contentDiffers
	}
	if err == nil {
		same, err = c.equal(ctx, x.part(ax.Tail()), y.part(ay.Tail()))
	}
	if !same {
		d |= metadataDiffers
	}
	if ax.Created != ay.Created || ax.Modified != ay.Modified {
		d |= timesDiffer
	}
	return d, err
}

// areValid reports whether all assets have their recorded sums.
func areValid(ctx context.Context, assets ...*ppac.Asset) (bool, error) {
	for _, a := range assets {
		if v, _, err := a.Verify(ctx); v != model.Valid || err != nil {
			return false, err
		}
	}
	return true, nil
}

// noSum is the SHA-256 of an asset without a checksum.
var noSum [32]byte

// mayHaveOneContent reports whether two assets of one revision agree in all fields about their contents that both
// record: not all layouts have a memory size, a SHA-256 may be absent, and an Adler-32 may cover more than the content.
func mayHaveOneContent(x, y *visibleAsset) bool {
	a, b := &x.entry, &y.entry
	if a.Compression != b.Compression {
		return false
	}
	if x.file.Layout.MemorySize == y.file.Layout.MemorySize && a.MemorySize != b.MemorySize {
		return false
	}
	if x.file.SumsAreOfContent() && y.file.SumsAreOfContent() && a.Adler32 != b.Adler32 {
		return false
	}
	return a.SHA256 == b.SHA256 || a.SHA256 == noSum || b.SHA256 == noSum
}

type part struct {
	model.Span
	src *model.Source
}

func (a *visibleAsset) part(span model.Span) part { return part{span, a.file.Source} }

// equal compares the bytes of two parts.
func (c *comparer) equal(ctx context.Context, x, y part) (bool, error) {
	if x.Size != y.Size {
		return false, nil
	}
	const limit = 64 << 10
	for offset := int64(0); offset < x.Size; offset += limit {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := min(limit, x.Size-offset)
		for k, p := range []part{x, y} {
			c[k] = slices.Grow(c[k][:0], int(n))[:n]
			if got, err := p.src.ReadAt(c[k], p.Offset+offset); int64(got) < n {
				return false, err
			}
		}
		if !bytes.Equal(c[0], c[1]) {
			return false, nil
		}
	}
	return true, nil
}
