// Package packing plans containers: of files, of containers in load order, of the differences between two containers,
// and of a three-way merge. Package ppac reads the containers, and package write writes the result.
//
// sides.go finds an asset in each container and arranges it in the result, difference.go compares and copies it.
//
// Assets of the later revision with equal SHA-256 in their indexes count as identical and are not read: a damaged
// content with an intact checksum is no difference. Verify finds it.
//
// A result has the order of the source indexes, so that a comparison shows no moves: a patch the new container's, a
// stack its lowest layer's, a merged container mine's. An asset from another container precedes the same
// asset as there. If several positions remain, file names decide.
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
