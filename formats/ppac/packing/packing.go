// Package packing plans containers: of files, of containers in load order, of the differences between two containers,
// and of a three-way merge. Package ppac reads the containers, and package write writes the result.
//
// sides.go finds an asset in each container and arranges it in the result, difference.go compares it, and packing.go
// copies it.
//
// Assets of the later revision with equal SHA-256 in their indexes count as identical and are not read: a damaged
// content with an intact checksum is no difference. Verify finds it.
//
// A result has the order of the source indexes, so that a comparison shows no moves: a patch the new container's, a
// stack its lowest layer's, a merged container mine's. An asset from another container precedes the same asset as
// there. If several positions remain, file names decide.
package packing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
	"assay/model"
)

// Packer plans and writes containers.
var Packer = &model.Packer{Extension: ".ppac", Variants: []string{"later", "published"},
	Files: packFiles, Stack: stack, Patch: patch, Replace: replace, Merge: merge}

// plan is a container that is to be written.
type plan struct {
	write.Archive
	computesSums bool
}

func (p plan) Len() int { return p.Archive.Len }

// ComputesSums implements model.ArchivePlan.
func (p plan) ComputesSums() bool { return p.computesSums }

func (p plan) Write(ctx context.Context, w io.Writer) error { return write.Encode(ctx, w, p.Archive) }

// verbatim is a container that is copied unchanged: the document does not specify the order of sections, sizes and
// lengths, and the user may need the bytes in its trash.
type verbatim struct{ file *ppac.File }

func (v verbatim) Len() int { return v.file.Len() }

// ComputesSums implements model.ArchivePlan.
func (v verbatim) ComputesSums() bool { return false }

func (v verbatim) Write(ctx context.Context, w io.Writer) error {
	_, err := io.Copy(w, v.file.Part(ctx, model.Span{Size: v.file.Source.Size()}))
	return err
}

// packFiles returns a container of files. A file named like a TPU, as files without a name are exported, keeps that
// TPU, with digits of either case. For other files the unique ID is the CRC-32 of the name, or the next free ID, so
// that an asset has the same TPU in each version of a package.
func packFiles(files []model.PackedFile, o model.PackOptions) (model.ArchivePlan, error) {
	types, err := typesOf(o.Types)
	if err != nil {
		return nil, err
	}
	tpus, err := identify(files, types)
	if err != nil {
		return nil, err
	}
	a := write.Archive{Layout: write.Layout{Later: o.Variant != "published"}, Len: len(files)}
	for _, f := range files {
		a.Modified = max(a.Modified, f.ModTime.UnixMilli())
	}
	a.Created = a.Modified // the same files make the same bytes
	a.Asset = func(i int) (write.Asset, error) {
		f := &files[i]
		changed := f.ModTime.UnixMilli()
		return write.Asset{TPU: write.TPU(tpus[i]), Created: changed, Modified: changed, Size: f.Size, Expanded: f.Size,
			Metadata: []write.MetadataEntry{{Key: "filename", Value: f.Name}}, Open: f.Open}, nil
	}
	return plan{a, true}, nil
}

// typesOf returns the types by extension of a table in hexadecimal digits.
func typesOf(table map[string]string) (map[string]uint16, error) {
	types := make(map[string]uint16, len(table))
	for extension, text := range table {
		id, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(text), "0x"), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("the type of .%s must be a number of up to four hexadecimal digits, such as 0200, not %s",
				model.OneLine(extension, 60), model.OneLine(text, 60))
		}
		types[extension] = uint16(id)
	}
	return types, nil
}

// identify returns the TPU of each file; types go before the registered ones.
func identify(files []model.PackedFile, types map[string]uint16) ([]ppac.TPU, error) {
	tpus := make([]ppac.TPU, len(files))
	users := make(map[ppac.TPU]int, len(files))
	hasTPU := make([]bool, len(files))
	for i, f := range files {
		if err := checkFilename(f.Name); err != nil {
			return nil, err
		}
		base := path.Base(f.Name)
		tpu, ok := ppac.ParseTPU(strings.TrimSuffix(base, path.Ext(base)))
		if !ok {
			continue
		}
		if other, isUsed := users[tpu]; isUsed {
			return nil, fmt.Errorf("%s and %s have the same key %v; rename one of them",
				model.OneLine(files[other].Name, 400), model.OneLine(f.Name, 400), tpu)
		}
		tpus[i], users[tpu], hasTPU[i] = tpu, i, true
	}
	for i, f := range files {
		if hasTPU[i] {
			continue
		}
		extension := strings.ToLower(path.Ext(f.Name))
		typ, isOwn := types[strings.TrimPrefix(extension, ".")]
		if !isOwn {
			typ, _ = ppac.TypeOf(extension)
		}
		tpu := ppac.TPU{Type: typ, Unique: crc32.ChecksumIEEE([]byte(f.Name))}
		for {
			if _, isTaken := users[tpu]; !isTaken {
				break
			}
			tpu.Unique++
		}
		tpus[i], users[tpu] = tpu, i
	}
	return tpus, nil
}

// checkFilename refuses names that metadata cannot hold, or that would be read as others.
func checkFilename(name string) error {
	switch {
	case len(name) > 255:
		return fmt.Errorf("the name %s has %d bytes; a package holds names of at most 255", model.OneLine(name, 400),
			len(name))
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %s is not UTF-8, as names in a package are; rename the file",
			model.OneLine(name, 400))
	case strings.Contains(name, `\`):
		return fmt.Errorf(`the name %s has a \, which separates folders in a package; rename the file`,
			model.OneLine(name, 400))
	}
	return nil
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
		last := len(s.assets) - 1
		for !s.assets[last].exists() {
			last--
		}
		result.add(last, s.assets[last].i, nil)
		a.addAsset(s.assets)
	}
	result.assets = arrange(ctx, a, result.assets)
	topFile := lastFile(result.files)
	if topFile != nil && result.isWhole(topFile) {
		return verbatim{topFile}, ctx.Err()
	}
	return result.container(ctx, topFile)
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
		a.Metadata, err = toWrite(described.Pairs())
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

// toWrite returns metadata that was read, to be written.
func toWrite(pairs []ppac.MetadataEntry, err error) ([]write.MetadataEntry, error) {
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
