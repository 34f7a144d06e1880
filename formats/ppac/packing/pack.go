package packing

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
	"assay/model"
)

// Packer is how containers are written.
var Packer = &model.Packer{Extension: ".ppac", Variants: []string{"later", "published"},
	Files: packFiles, Stack: stack, Patch: patch, Replace: replace, Merge: merge}

// packing is a container that is to be written.
type packing struct {
	write.Archive
	sums bool // Write computes them all
}

// Len is the number of assets.
func (p packing) Len() int { return p.Archive.Len }

// Sums implements model.Packing.
func (p packing) Sums() bool { return p.sums }

// Write writes the container.
func (p packing) Write(ctx context.Context, w io.Writer) error { return write.To(ctx, w, p.Archive) }

// typesByExtension are the library's present types by the Extensions of files.
var typesByExtension = func() map[string]uint16 {
	types := map[string]uint16{"jpeg": 0x0202, "tiff": 0x0203, "yml": 0x0103, "htm": 0x0106, "ppac": 0x0605,
		"pac": 0x0605}
	for id, extension := range ppac.Extensions {
		if id == 1 || id >= 0x100 || types[extension] == 0 {
			types[extension] = max(types[extension], uint16(id))
		}
	}
	return types
}()

// packFiles returns the container of some files. A file whose name is a TPU, as files without a name are exported,
// keeps that; of others the unique id is the CRC-32 of the name, so that an asset has the same TPU in each version of a
// package, or the next id that is free.
func packFiles(files []model.PackedFile, o model.PackOptions) (model.Packing, error) {
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
	return packing{a, true}, nil
}

// typesOf returns the types by extension: the registered ones, and those of a table in hexadecimal digits.
func typesOf(table map[string]string) (map[string]uint16, error) {
	types := make(map[string]uint16, len(typesByExtension)+len(table))
	for extension, id := range typesByExtension {
		types[extension] = id
	}
	for extension, text := range table {
		id, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(text), "0x"), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("the type of .%s is a number of up to four hexadecimal digits, such as 0200, not %s",
				model.OneLine(extension, 60), model.OneLine(text, 60))
		}
		types[extension] = uint16(id)
	}
	return types, nil
}

// identify returns the TPU of each file.
func identify(files []model.PackedFile, types map[string]uint16) ([]ppac.TPU, error) {
	tpus := make([]ppac.TPU, len(files))
	users := make(map[ppac.TPU]int, len(files))
	named := make([]bool, len(files))
	for i, f := range files {
		if err := checkFilename(f.Name); err != nil {
			return nil, err
		}
		base := path.Base(f.Name)
		tpu, ok := ppac.ParseTPU(strings.TrimSuffix(base, path.Ext(base)))
		if !ok {
			continue
		}
		if other, twice := users[tpu]; twice {
			return nil, fmt.Errorf("%s and %s have one key: %v; rename one of them",
				model.OneLine(files[other].Name, 400), model.OneLine(f.Name, 400), tpu)
		}
		tpus[i], users[tpu], named[i] = tpu, i, true
	}
	for i, f := range files {
		if named[i] {
			continue
		}
		extension := strings.ToLower(strings.TrimPrefix(path.Ext(f.Name), "."))
		tpu := ppac.TPU{Type: types[extension], Unique: crc32.ChecksumIEEE([]byte(f.Name))}
		for {
			if _, taken := users[tpu]; !taken {
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

// fileOf returns the container that a document shows; nil for an empty file.
func fileOf(ctx context.Context, d *model.Document) (*ppac.File, error) {
	if f := ppac.Of(d); f != nil || d.Source.Size() == 0 {
		return f, nil
	}
	if d.Payloads == nil && d.Format == "ppac" { // without assets
		return ppac.Read(ctx, d.Source)
	}
	return nil, fmt.Errorf("%s is not a PPAC package", model.OneLine(d.Source.Name(), 400))
}

// checkWhole refuses a container of which assets or metadata may be missing: they would be taken for removed ones.
func checkWhole(f *ppac.File) error {
	if f == nil {
		return nil
	}
	lost := f.Missing()
	if lost == "" {
		return nil
	}
	return fmt.Errorf("%s: the %s is damaged: what is missing would count as removed; "+
		"verify lists what is wrong with the package", model.OneLine(f.Source.Name(), 400), lost)
}

// archiveOf returns the container of assets that are copied from others. last is the one whose layout and metadata of
// the file it gets.
func archiveOf(ctx context.Context, last *ppac.File, all []visibleAsset) (packing, error) {
	if last == nil {
		return packing{Archive: write.Archive{Layout: write.Layout{Later: true}}}, nil
	}
	a := write.Archive{Layout: write.Layout{Later: last.Layout.Later, MemorySize: last.Layout.MemorySize},
		Created: last.Header.Created, Modified: last.Header.Modified, Len: len(all)}
	for _, c := range all {
		if l := c.f.Layout; l.Later != last.Layout.Later || l.MemorySize != last.Layout.MemorySize {
			return packing{}, fmt.Errorf("%s is %s and %s is %s: packages of different revisions cannot be put together",
				model.OneLine(c.f.Source.Name(), 400), l, model.OneLine(last.Source.Name(), 400), last.Layout)
		}
	}
	var err error
	if a.Metadata, err = pairsOf(last); err != nil {
		return packing{}, err
	}
	a.Asset = func(i int) (write.Asset, error) { return all[i].packed() }
	return packing{Archive: a}, ctx.Err()
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

// packed returns an asset to be written as it is stored, with what is recorded about it, or with its other content.
func (s *visibleAsset) packed() (write.Asset, error) {
	a, err := copied(s.f, s.i)
	if n := s.content; n != nil {
		a.Size, a.Expanded, a.Compression, a.Open = n.Size, n.Size, write.Stored, n.Open
		a.Adler32, a.SHA256 = nil, nil
		a.Modified = max(a.Modified, n.ModTime.UnixMilli())
	}
	return a, err
}

// copied returns an asset as it is stored, with what is recorded about it.
func copied(f *ppac.File, i int) (write.Asset, error) {
	a, err := f.Asset(i)
	if err == nil {
		err = a.ReadDataEntry()
	}
	x := &a.Entry
	if err != nil {
		return write.Asset{}, broken(&a, err)
	}
	out := write.Asset{TPU: write.TPU(x.TPU), Created: a.Created, Modified: a.Modified, Size: a.Data.Size,
		Expanded: int64(x.MemorySize), Compression: x.Compression, Adler32: &x.Adler32, SHA256: &x.SHA256,
		Open: func(ctx context.Context) (io.ReadCloser, error) { return io.NopCloser(a.Stored(ctx)), nil }}
	span := a.Tail()
	if f.Layout.Later {
		span = f.Block(x.TPU)
	}
	if out.Encoded, err = f.Source.Bytes(span); out.Encoded == nil {
		out.Encoded = []byte{}
	}
	return out, err
}

// broken is the error of an asset that cannot be copied.
func broken(a *ppac.Asset, why error) error {
	return fmt.Errorf("%s: %v: %s; verify lists what is wrong with the package", model.OneLine(a.Source.Name(), 400),
		a.Entry.TPU, why)
}
