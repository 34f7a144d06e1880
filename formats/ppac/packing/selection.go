package packing

import (
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

// selection is assets of some containers, in the order in which they are written.
type selection struct {
	files        []*ppac.File // a nil one is an empty file
	assets       []selected
	replacements map[int]*model.PackedFile // contents that assets get, by their number, instead of what is stored
}

// selected is an asset: the number of its container, and that of its index entry.
type selected struct{ file, entry uint32 }

// add adds the asset of an index entry of a container, with another content unless that is nil.
func (s *selection) add(file, entry int, with *model.PackedFile) {
	if with != nil {
		if s.replacements == nil {
			s.replacements = make(map[int]*model.PackedFile)
		}
		s.replacements[len(s.assets)] = with
	}
	s.assets = append(s.assets, selected{uint32(file), uint32(entry)})
}

// isWhole reports whether the assets are all that a container has, in whatever order.
func (s *selection) isWhole(f *ppac.File) bool {
	elsewhere := func(a selected) bool { return s.files[a.file] != f }
	return len(s.assets) == f.Len() && !slices.ContainsFunc(s.assets, elsewhere)
}

// container returns the container of the assets, with the times and the metadata of a file; nil: it has none.
func (s *selection) container(ctx context.Context, described *ppac.File) (plan, error) {
	source, err := s.commonSource(cmp.Or(described, last(s.files)))
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

// commonSource returns a container that the assets come from, all of which have one revision; another if there are no
// assets.
func (s *selection) commonSource(other *ppac.File) (*ppac.File, error) {
	var one *ppac.File
	seen := make([]bool, len(s.files))
	for _, a := range s.assets {
		if seen[a.file] {
			continue
		}
		f := s.files[a.file]
		if one = cmp.Or(one, f); f.Layout.Later != one.Layout.Later || f.Layout.MemorySize != one.Layout.MemorySize {
			return nil, fmt.Errorf("cannot combine packages of different revisions: %s is %s, %s is %s",
				model.OneLine(one.Source.Name(), 400), one.Layout, model.OneLine(f.Source.Name(), 400), f.Layout)
		}
		seen[a.file] = true
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

// asset returns the k-th asset, to be written as it is stored or with another content.
func (s *selection) asset(k int) (write.Asset, error) {
	f, i := s.files[s.assets[k].file], int(s.assets[k].entry)
	if with := s.replacements[k]; with != nil {
		return replaced(f, i, with)
	}
	return copied(f, i)
}

// copied returns an asset as it is stored, with what is recorded about it. A sum over other bytes than the stored ones
// is not copied: they are laid out anew, and all sums of a container are over the same. The writer makes one that is
// over the stored bytes, once the content was found to match the recorded one.
func copied(f *ppac.File, i int) (write.Asset, error) {
	a, err := f.Asset(i)
	if err == nil {
		err = a.CheckFit()
	}
	x := &a.Entry
	if err != nil {
		return write.Asset{}, broken(&a, err)
	}
	out := write.Asset{TPU: write.TPU(x.TPU), Created: a.Created, Modified: a.Modified, Size: a.Data.Size,
		Expanded: int64(x.MemorySize), Compression: x.Compression, Adler32: &x.Adler32, SHA256: &x.SHA256,
		Open: func(ctx context.Context) (io.ReadCloser, error) { return io.NopCloser(a.Stored(ctx)), nil }}
	if !f.SumsAreOfContent() {
		out.Adler32 = nil
		out.Open = func(ctx context.Context) (io.ReadCloser, error) { return verified(ctx, &a) }
	}
	out.Encoded, err = encodedMetadata(f, &a)
	return out, err
}

// replaced returns an asset with another content, and with what is recorded about it: of one that is damaged, what does
// not stand beside its data.
func replaced(f *ppac.File, i int, with *model.PackedFile) (write.Asset, error) {
	a, err := f.Asset(i)
	changed := with.ModTime.UnixMilli()
	out := write.Asset{TPU: write.TPU(a.Entry.TPU), Created: changed, Modified: changed, Size: with.Size,
		Expanded: with.Size, Compression: write.Stored, Open: with.Open}
	if !f.Layout.Later {
		if err != nil || a.CheckFit() != nil {
			return out, nil
		}
		out.Created, out.Modified = a.Created, max(a.Modified, changed)
	}
	out.Encoded, err = encodedMetadata(f, &a)
	return out, err
}

// encodedMetadata returns the metadata of an asset as they stand in the file, for write.Asset.
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

// verified returns the stored bytes of an asset whose content matches its sum, as far as that can be told.
func verified(ctx context.Context, a *ppac.Asset) (io.ReadCloser, error) {
	v, why, err := a.Verify(ctx)
	if err == nil && v == model.Invalid {
		err = broken(a, errors.New(why))
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(a.Stored(ctx)), nil
}

// broken is the error of an asset that cannot be copied.
func broken(a *ppac.Asset, why error) error {
	return fmt.Errorf("%s: %v: %s; verify lists what is wrong with the package", model.OneLine(a.Source().Name(), 400),
		a.Entry.TPU, why)
}
