package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/export"
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
	inputs := from
	if o.Types != "" {
		inputs = append(slices.Clip(from), o.Types)
	}
	if err := r.checkOutput(o.Output, newFile, inputs...); err != nil {
		return r.trouble(err)
	}
	write := r.packStack
	if len(from) == 1 && isFolder(from[0]) {
		write = r.packFolder
	}
	if err := write(ctx, from, o); err != nil {
		return r.trouble(err)
	}
	return Fine
}

// packStack writes the archive of archives that are loaded one over the other.
func (r *Runner) packStack(ctx context.Context, from []string, o PackOptions) error {
	if o.Variant != "" || o.Types != "" {
		return errors.New("--variant and --types apply only when packing a folder")
	}
	layers, err := r.openEach(ctx, "specify one folder, or packages", from...)
	if err != nil {
		return err
	}
	defer model.CloseDocuments(layers...)
	p, err := o.Packer.Stack(ctx, layers)
	if err != nil {
		return err
	}
	return r.writeArchive(ctx, o.Output, p, layers)
}

// packFolder writes the archive of the files in a folder.
func (r *Runner) packFolder(ctx context.Context, from []string, o PackOptions) error {
	files, err := export.Files(ctx, from[0], func(why string) { fmt.Fprintf(r.Err, "assay: left out: %s\n", why) })
	if err == nil && o.Types != "" {
		o.PackOptions.Types, err = export.ReadTypes(o.Types)
	}
	if err != nil {
		return err
	}
	p, err := o.Packer.Files(files, o.PackOptions)
	if err != nil {
		return err
	}
	return r.writeArchive(ctx, o.Output, p, nil)
}

// writeArchive writes an archive, and says what is in it. from are the documents that it is copied from.
func (r *Runner) writeArchive(ctx context.Context, output string, p model.ArchivePlan, from []*model.Document) error {
	size, err := export.Write(ctx, export.Target{Path: output}, p, from, r.OpenSource)
	if err != nil {
		return export.Failure(given(output), err)
	}
	_, err = fmt.Fprintf(r.Out, "%s: %s, %s\n", given(output), model.PlainCount(p.Len(), "asset"),
		humanize.IBytes(uint64(size)))
	return err
}
