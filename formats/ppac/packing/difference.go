package packing

import (
	"bytes"
	"context"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// difference is what differs of an asset in two containers.
type difference uint8

const (
	presenceDiffers difference = 1 << iota // only one of them has it
	contentDiffers                         // what is stored, or how
	metadataDiffers
	timesDiffer

	allDiffers = contentDiffers | metadataDiffers | timesDiffer // of an asset that both have
)

// comparer compares assets of two containers. It holds a piece of each.
type comparer [2][]byte

// compare returns what differs of an asset in two containers. An asset that one of them does not have at the place that
// its index entry names differs in all, unless both name the same. The error is one of reading.
func (c *comparer) compare(ctx context.Context, x, y *visibleAsset) (difference, error) {
	switch {
	case !x.exists() && !y.exists():
		return 0, nil
	case !x.exists() || !y.exists():
		return presenceDiffers, nil
	case x.file.Layout.Later != y.file.Layout.Later:
		return allDiffers, nil
	}
	inX, errX := x.place()
	inY, errY := y.place()
	switch misplaced := errX != nil && errY != nil && x.entry == y.entry; {
	case !misplaced && (errX != nil || errY != nil):
		return allDiffers, nil
	case x.file.Layout.Later:
		return c.compareLater(ctx, x, y, inX, inY)
	case misplaced:
		return 0, nil
	}
	return c.comparePublished(ctx, x, y, inX, inY)
}

// compareLater is compare in the later revision, which has no times. A SHA-256 that both record stands for the content.
func (c *comparer) compareLater(ctx context.Context, x, y *visibleAsset, inX, inY model.Span) (d difference,
	err error) {
	same := mayHaveOneContent(x, y) && x.entry.Size == y.entry.Size
	if same && (x.entry.SHA256 == noSum || y.entry.SHA256 == noSum) {
		same, err = c.equal(ctx, x.part(inX), y.part(inY))
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

// comparePublished is compare in the published revision. An Adler-32 that is the same does not stand for the content:
// changes may leave it as it is.
func (c *comparer) comparePublished(ctx context.Context, x, y *visibleAsset, inX, inY model.Span) (d difference,
	err error) {
	same, oneSum := mayHaveOneContent(x, y), x.entry.Adler32 == y.entry.Adler32
	if same && oneSum && x.file.Layout.SizeWidth == y.file.Layout.SizeWidth {
		whole, err := c.equal(ctx, x.part(inX), y.part(inY))
		if whole || err != nil {
			return 0, err
		}
	}
	ax, ay := x.file.AssetAt(x.i, &x.entry, inX), y.file.AssetAt(y.i, &y.entry, inY)
	if ax.CheckFit() != nil || ay.CheckFit() != nil {
		return allDiffers, nil
	}
	if same {
		same, err = c.equal(ctx, x.part(ax.Data), y.part(ay.Data))
	}
	if same && !oneSum {
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

// areValid reports whether assets have their sums. Those of one content may be two, if they are over more than that.
func areValid(ctx context.Context, assets ...*ppac.Asset) (bool, error) {
	for _, a := range assets {
		if v, _, err := a.Verify(ctx); v != model.Valid || err != nil {
			return false, err
		}
	}
	return true, nil
}

// noSum is the SHA-256 of an asset that has none.
var noSum [32]byte

// mayHaveOneContent reports whether two assets of one revision record the same of their contents, of what both record:
// not all layouts have a memory size, a SHA-256 may be left out, and an Adler-32 may be over more than the content.
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

// part is a part of a file.
type part struct {
	model.Span
	src *model.Source
}

func (s *visibleAsset) part(of model.Span) part { return part{of, s.file.Source} }

// equal compares the bytes of two parts.
func (c *comparer) equal(ctx context.Context, x, y part) (bool, error) {
	if x.Size != y.Size {
		return false, nil
	}
	const most = 64 << 10
	for at := int64(0); at < x.Size; at += most {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := min(most, x.Size-at)
		for k, p := range []part{x, y} {
			c[k] = slices.Grow(c[k][:0], int(n))[:n]
			if got, err := p.src.ReadAt(c[k], p.Offset+at); int64(got) < n {
				return false, err
			}
		}
		if !bytes.Equal(c[0], c[1]) {
			return false, nil
		}
	}
	return true, nil
}
