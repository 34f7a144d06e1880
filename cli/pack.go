package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/formats"
	"assay/model"
	"assay/model/export"
)

const (
	// maxIndexMemory is the memory for the indexes of two packages of a million assets. Without a limit, garbage would
	// double it.
	maxIndexMemory = 150 << 20
	// packGCPercent is the garbage allowed below that limit, in percent of the memory in use: it saves 6 % of CPU time
	// for a folder of 10,000 files.
	packGCPercent = 400
)

type packCommand struct {
	From []string `arg:"" name:"from" help:"A folder, or packages in load order (later ones override earlier ones)."`
	PackOptions
}

// PackOptions are the flags of pack.
type PackOptions struct {
	Output  string `short:"o" required:"" placeholder:"FILE" help:"Package to create (X.ppac). An existing file is never overwritten."`
	Types   string `placeholder:"TABLE" help:"File that maps extensions to asset types, one per line, such as png 0200. Overrides the built-in types."`
	Variant string `placeholder:"NAME" help:"Package layout: later (read by current libraries) or published (allows assets over 4 GiB). Default: later."`

	Packer *model.Packer `kong:"-"` // writer of the format of Output
}

// Run writes a package.
func (c *packCommand) Run(s *session) error {
	var err error
	if c.Packer, err = formats.PackerFor(c.Output); err != nil {
		return err
	}
	if c.Variant != "" && !slices.Contains(c.Packer.Variants, c.Variant) {
		return fmt.Errorf("unknown variant %s; use %s", model.OneLine(c.Variant, 100),
			strings.Join(c.Packer.Variants, " or "))
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(maxIndexMemory))
	defer debug.SetGCPercent(debug.SetGCPercent(packGCPercent))
	s.status = s.runner.Pack(s.ctx, c.From, c.PackOptions)
	return nil
}

type patchCommand struct {
	Old    string `arg:"" help:"The old package."`
	New    string `arg:"" help:"The new package."`
	Output string `short:"o" required:"" placeholder:"FILE" help:"Patch to create. An existing file is never overwritten."`
}

// Run writes a patch.
func (c *patchCommand) Run(s *session) error {
	packer, err := formats.PackerFor(c.Output)
	if err != nil {
		return err
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(maxIndexMemory))
	s.status = s.runner.Patch(s.ctx, c.Old, c.New, c.Output, packer)
	return nil
}

// Pack writes a package with the files of a folder, or with the assets of packages that are loaded in order.
func (r *Runner) Pack(ctx context.Context, sources []string, o PackOptions) int {
	inputs := sources
	if o.Types != "" {
		inputs = append(slices.Clip(sources), o.Types)
	}
	if err := r.checkOutput(o.Output, newFile, inputs...); err != nil {
		return r.reportError(err)
	}
	write := r.packStack
	if len(sources) == 1 && isFolder(sources[0]) {
		write = r.packFolder
	}
	if err := write(ctx, sources, o); err != nil {
		return r.reportError(err)
	}
	return ExitOK
}

// packStack writes a package with the assets of packages that are loaded in order.
func (r *Runner) packStack(ctx context.Context, sources []string, o PackOptions) error {
	if o.Variant != "" || o.Types != "" {
		return errors.New("--variant and --types apply only when packing a folder")
	}
	layers, err := r.openEach(ctx, "specify one folder, or packages", sources...)
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

// packFolder writes a package with the files of a folder.
func (r *Runner) packFolder(ctx context.Context, sources []string, o PackOptions) error {
	files, err := export.Files(ctx, sources[0], func(reason string) {
		fmt.Fprintf(r.Err, "assay: skipped: %s\n", reason)
	})
	options := model.PackOptions{Variant: o.Variant}
	if err == nil && o.Types != "" {
		options.Types, err = export.ReadTypes(o.Types)
	}
	if err != nil {
		return err
	}
	p, err := o.Packer.Files(files, options)
	if err != nil {
		return err
	}
	return r.writeArchive(ctx, o.Output, p, nil)
}

// writeArchive writes a package and prints a summary of its content. Sources are the documents whose assets are copied.
func (r *Runner) writeArchive(ctx context.Context, output string, p model.ArchivePlan,
	sources []*model.Document) error {
	size, err := export.WriteArchive(ctx, export.Target{Path: output}, p, sources, r.OpenSource)
	if err != nil {
		return export.Failure(displayPath(output), err)
	}
	_, err = fmt.Fprintf(r.Out, "%s: %s, %s\n", displayPath(output), model.PlainCount(p.Len(), "asset"),
		humanize.IBytes(uint64(size)))
	return err
}

// Patch writes a package that turns an old package into a new one when it is loaded after the old one. If no assets
// were added or changed, it writes no file. It prints the assets that only the old package has: a patch cannot remove
// assets.
func (r *Runner) Patch(ctx context.Context, old, new, output string, packer *model.Packer) int {
	if err := r.checkOutput(output, newFile, old, new); err != nil {
		return r.reportError(err)
	}
	sides, err := r.openEach(ctx, adviceFile, old, new)
	if err != nil {
		return r.reportError(err)
	}
	defer model.CloseDocuments(sides...)
	p, err := packer.Patch(ctx, sides[0], sides[1])
	if err == nil && p.Len() > 0 {
		err = r.writeArchive(ctx, output, p, sides)
	}
	for _, d := range sides {
		err = cmp.Or(err, sourceError(d))
	}
	if err != nil {
		return r.reportError(err)
	}
	out := bufio.NewWriter(r.Out)
	switch {
	case p.Len() > 0:
		fmt.Fprintf(out, "%d added, %d changed, %d removed\n", p.Added, p.Changed, len(p.Removed))
	case len(p.Removed) > 0:
		fmt.Fprintf(out, "nothing was added or changed, %d removed: no patch was written\n", len(p.Removed))
	default:
		fmt.Fprintf(out, "the packages have the same assets: no patch was written\n")
	}
	names, err := namesOf(ctx, sides[0], p.Removed)
	for _, key := range p.Removed {
		if name := model.OneLine(names[key], 400); name != "" {
			key = name + " (" + key + ")"
		}
		fmt.Fprintf(out, "removed %s\n", key)
	}
	if err != nil {
		return r.reportError(err)
	}
	if err := out.Flush(); err != nil {
		return r.reportError(err)
	}
	if len(p.Removed) > 0 {
		fmt.Fprintf(r.Err, "assay: a patch cannot remove assets: %s of %s will remain\n",
			model.PlainCount(len(p.Removed), "asset"), displayPath(old))
		fmt.Fprintf(r.Err, "assay: %s does not have them; assay pack %s -o FILE copies it\n", displayPath(new),
			displayPath(new))
	}
	return ExitOK
}

// namesOf returns the names of the assets with these keys, by key.
func namesOf(ctx context.Context, d *model.Document, keys []string) (map[string]string, error) {
	names := make(map[string]string, len(keys))
	if len(keys) == 0 || d.Payloads == nil {
		return names, nil
	}
	for _, key := range keys {
		names[key] = ""
	}
	err := model.DescribeEach(ctx, d.Payloads, 0, d.Payloads.Len(), func(_ int, p *model.Payload) bool {
		if name, ok := names[p.Key]; ok && name == "" {
			names[strings.Clone(p.Key)] = strings.Clone(p.Name)
		}
		return true
	})
	return names, err
}
