package verbs

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/export"
	"assay/model/pack"
)

// PackOptions are how pack goes.
type PackOptions struct {
	Output string        // the archive to write, which must not be there yet
	Packer *model.Packer // how it is written
	Types  string        // the path of a table of types by extension; empty for none
	model.PackOptions
}

// Pack writes an archive: of the files in a folder, or of archives that are loaded one over the other.
func (r *Runner) Pack(ctx context.Context, from []string, o PackOptions) int {
	if len(from) == 1 && isFolder(from[0]) {
		return r.packFolder(ctx, from[0], o)
	}
	if o.Variant != "" || o.Types != "" {
		return r.trouble(errors.New("--variant and --types are for files of a folder: assets of packages stay as they are"))
	}
	var layers []*model.Document
	for _, path := range from {
		d, err := r.open(ctx, path, "give one folder, or packages")
		if err != nil {
			return r.trouble(err)
		}
		defer d.Source.Close()
		layers = append(layers, d)
	}
	p, err := o.Packer.Stack(ctx, layers)
	if err == nil {
		err = r.writeArchive(ctx, o.Output, p, layers)
	}
	if err != nil {
		return r.trouble(err)
	}
	return Fine
}

// packFolder writes the archive of the files in a folder.
func (r *Runner) packFolder(ctx context.Context, dir string, o PackOptions) int {
	files, err := pack.Files(ctx, dir)
	if err == nil && o.Types != "" {
		o.PackOptions.Types, err = pack.ReadTypes(o.Types)
	}
	var p model.ArchivePlan
	if err == nil {
		p, err = o.Packer.Files(files, o.PackOptions)
	}
	if err == nil {
		err = r.writeArchive(ctx, o.Output, p, nil)
	}
	if err != nil {
		return r.trouble(err)
	}
	return Fine
}

// writeArchive writes an archive, and says what is in it. from are the documents that it is copied from.
func (r *Runner) writeArchive(ctx context.Context, output string, p model.ArchivePlan, from []*model.Document) error {
	size, err := pack.Write(ctx, pack.Target{Path: output}, p, from, r.OpenSource)
	if err != nil {
		return export.Failure(given(output), err)
	}
	fmt.Fprintf(r.Out, "%s: %s, %s\n", given(output), model.PlainCount(p.Len(), "asset"), humanize.IBytes(uint64(size)))
	return nil
}
