package packing

import (
	"fmt"
	"hash/crc32"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
	"assay/model"
)

// packFiles returns the container of some files. A file whose name is a TPU, as files without a name are exported, in
// digits of either case, keeps that; of others the unique id is the CRC-32 of the name, so that an asset has the same
// TPU in each version of a package, or the next id that is free.
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
			return nil, fmt.Errorf("the type of .%s is a number of up to four hexadecimal digits, such as 0200, not %s",
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
			return nil, fmt.Errorf("%s and %s have the same key %v; rename one of them",
				model.OneLine(files[other].Name, 400), model.OneLine(f.Name, 400), tpu)
		}
		tpus[i], users[tpu], named[i] = tpu, i, true
	}
	for i, f := range files {
		if named[i] {
			continue
		}
		extension := strings.ToLower(path.Ext(f.Name))
		typ, own := types[strings.TrimPrefix(extension, ".")]
		if !own {
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
