package packing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
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
	inX, errX := x.span()
	inY, errY := y.span()
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

// compareLater is compare for the later revision, which has no times. If both assets record a SHA-256, it is compared
// instead of the content.
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

// comparePublished is compare in the published revision. An equal Adler-32 does not prove equal content.
func (c *comparer) comparePublished(ctx context.Context, x, y *visibleAsset, inX, inY model.Span) (d difference,
	err error) {
	same, sameSum := mayHaveOneContent(x, y), x.entry.Adler32 == y.entry.Adler32
	if same && sameSum && x.file.Layout.SizeWidth == y.file.Layout.SizeWidth {
		identical, err := c.equal(ctx, x.part(inX), y.part(inY))
		if identical || err != nil {
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

func (s *visibleAsset) part(span model.Span) part { return part{span, s.file.Source} }

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

// stack implements Packer.Stack. If one container alone supplies all assets, the result is that container.
func stack(ctx context.Context, layers []*model.Document) (model.ArchivePlan, error) {
	s, err := sidesOf(ctx, layers...)
	if err != nil {
		return nil, err
	}
	result, a := selection{files: s.files()}, new(arrangement)
	for v := range layers {
		a.addSource(s, v)
	}
	for s.next(ctx) {
		top := len(s.assets) - 1
		for !s.assets[top].exists() {
			top--
		}
		result.add(top, s.assets[top].i, nil)
		a.addAsset(s.assets)
	}
	result.assets = arrange(ctx, a, result.assets)
	top := lastFile(result.files)
	if top != nil && result.isWhole(top) {
		return verbatim{top}, ctx.Err()
	}
	return result.container(ctx, top)
}

// patch is Packer.Patch.
func patch(ctx context.Context, older, newer *model.Document) (*model.Patch, error) {
	s, err := sidesOf(ctx, older, newer)
	if err != nil {
		return nil, err
	}
	p, c, changed := new(model.Patch), new(comparer), selection{files: s.files()}
	for s.next(ctx) {
		from, to := &s.assets[0], &s.assets[1]
		switch {
		case !to.exists():
			p.Removed = append(p.Removed, from.entry.TPU.String())
			continue
		case !from.exists():
			p.Added++
		default:
			d, err := c.compare(ctx, from, to)
			if err != nil {
				return nil, err
			}
			if d == 0 {
				continue
			}
			p.Changed++
		}
		changed.add(1, to.i, nil)
	}
	slices.SortFunc(changed.assets, func(x, y selected) int { return cmp.Compare(x.entry, y.entry) })
	p.ArchivePlan, err = changed.container(ctx, changed.files[1])
	return p, err
}

// replace is Packer.Replace. The container may be damaged: nothing else of it is written.
func replace(ctx context.Context, d *model.Document, i int, content model.PackedFile) (model.ArchivePlan, error) {
	f, err := fileOf(ctx, d)
	if err != nil {
		return nil, err
	}
	s := selection{files: []*ppac.File{f}}
	s.add(0, i, &content)
	return s.container(ctx, f)
}

// selection is assets of some containers, in the order in which they are written.
type selection struct {
	files        []*ppac.File // a nil one is an empty file
	assets       []selected
	replacements map[int]*model.PackedFile // new contents of assets, by asset number
}

// selected is an asset: the numbers of its container and of its index entry.
type selected struct{ file, entry uint32 }

// add adds the asset of an index entry of a container, with another content unless that is nil.
func (s *selection) add(file, entry int, content *model.PackedFile) {
	if content != nil {
		if s.replacements == nil {
			s.replacements = make(map[int]*model.PackedFile)
		}
		s.replacements[len(s.assets)] = content
	}
	s.assets = append(s.assets, selected{uint32(file), uint32(entry)})
}

// isWhole reports whether the assets are all assets of f, in any order.
func (s *selection) isWhole(f *ppac.File) bool {
	elsewhere := func(a selected) bool { return s.files[a.file] != f }
	return len(s.assets) == f.Len() && !slices.ContainsFunc(s.assets, elsewhere)
}

// container returns a container of the assets, with the times and the metadata of a file, which may be nil.
func (s *selection) container(ctx context.Context, described *ppac.File) (plan, error) {
	source, err := s.commonSource(cmp.Or(described, lastFile(s.files)))
	if err != nil {
		return plan{}, err
	}
	a := write.Archive{Layout: write.Layout{Later: true}, Len: len(s.assets), Asset: s.asset}
	if source != nil {
		a.Layout = write.Layout{Later: source.Layout.Later, MemorySize: source.Layout.MemorySize}
	}
	if described != nil {
		a.Created, a.Modified = described.Header.Created, described.Header.Modified
		a.Metadata, err = pairsOf(described)
	}
	return plan{Archive: a}, cmp.Or(err, ctx.Err())
}

// commonSource returns a container of the assets, which must all have one revision, or other if there are no assets.
func (s *selection) commonSource(other *ppac.File) (*ppac.File, error) {
	var one *ppac.File
	checked := make([]bool, len(s.files))
	for _, a := range s.assets {
		if checked[a.file] {
			continue
		}
		f := s.files[a.file]
		if one = cmp.Or(one, f); f.Layout.Later != one.Layout.Later || f.Layout.MemorySize != one.Layout.MemorySize {
			return nil, fmt.Errorf("cannot combine packages of different revisions: %s is %s, %s is %s",
				model.OneLine(one.Source.Name(), 400), one.Layout, model.OneLine(f.Source.Name(), 400), f.Layout)
		}
		checked[a.file] = true
	}
	return cmp.Or(one, other), nil
}

// pairsOf returns the metadata of a container itself.
func pairsOf(f *ppac.File) ([]write.MetadataEntry, error) {
	pairs, err := f.Pairs()
	out := make([]write.MetadataEntry, len(pairs))
	for i, p := range pairs {
		out[i] = write.MetadataEntry(p)
	}
	return out, err
}

// asset returns the k-th asset, with its stored or its new content.
func (s *selection) asset(k int) (write.Asset, error) {
	f, i := s.files[s.assets[k].file], int(s.assets[k].entry)
	if content := s.replacements[k]; content != nil {
		return replaceAsset(f, i, content)
	}
	return copyAsset(f, i)
}

// copyAsset returns an asset with its stored bytes and its recorded fields. A checksum over more than the stored bytes
// is not copied, because the layout changes and all checksums of a container have the same coverage. The writer
// computes one over the stored bytes, after the content was verified.
func copyAsset(f *ppac.File, i int) (write.Asset, error) {
	a, err := f.Asset(i)
	if err == nil {
		err = a.CheckFit()
	}
	x := &a.Entry
	if err != nil {
		return write.Asset{}, damagedError(&a, err)
	}
	out := write.Asset{TPU: write.TPU(x.TPU), Created: a.Created, Modified: a.Modified, Size: a.Data.Size,
		Expanded: int64(x.MemorySize), Compression: x.Compression, Adler32: &x.Adler32, SHA256: &x.SHA256,
		Open: func(ctx context.Context) (io.ReadCloser, error) { return io.NopCloser(a.StoredReader(ctx)), nil }}
	if !f.SumsAreOfContent() {
		out.Adler32 = nil
		out.Open = func(ctx context.Context) (io.ReadCloser, error) { return openVerified(ctx, &a) }
	}
	out.Encoded, err = encodedMetadata(f, &a)
	return out, err
}

// replaceAsset returns an asset with new content and its recorded fields, or for a damaged asset the fields outside its
// data.
func replaceAsset(f *ppac.File, i int, content *model.PackedFile) (write.Asset, error) {
	a, err := f.Asset(i)
	changed := content.ModTime.UnixMilli()
	out := write.Asset{TPU: write.TPU(a.Entry.TPU), Created: changed, Modified: changed, Size: content.Size,
		Expanded: content.Size, Compression: write.Stored, Open: content.Open}
	if !f.Layout.Later {
		if err != nil || a.CheckFit() != nil {
			return out, nil
		}
		out.Created, out.Modified = a.Created, max(a.Modified, changed)
	}
	out.Encoded, err = encodedMetadata(f, &a)
	return out, err
}

// encodedMetadata returns the metadata of an asset with the bytes of the file, for write.Asset.
func encodedMetadata(f *ppac.File, a *ppac.Asset) ([]byte, error) {
	span := a.Tail()
	if f.Layout.Later {
		span = f.Block(a.Entry.TPU)
	}
	b, err := f.Source.Bytes(span)
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// openVerified returns the stored bytes of an asset after its content was verified as far as possible.
func openVerified(ctx context.Context, a *ppac.Asset) (io.ReadCloser, error) {
	v, why, err := a.Verify(ctx)
	if err == nil && v == model.Invalid {
		err = damagedError(a, errors.New(why))
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(a.StoredReader(ctx)), nil
}

// damagedError returns the error of an asset that cannot be copied.
func damagedError(a *ppac.Asset, why error) error {
	return fmt.Errorf("%s: %v: %s; run verify for all problems", model.OneLine(a.Source().Name(), 400),
		a.Entry.TPU, why)
}
