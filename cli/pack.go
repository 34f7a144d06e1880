package cli

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"assay/formats"
	"assay/model"
)

const (
	// indexesMost is the memory for the indexes of two packages of a million assets: without a limit, garbage would
	// take as much again.
	indexesMost = 150 << 20
	// garbageBelow is how much garbage may gather, in percent of what is in use, as long as it stays below that limit:
	// a folder of 10,000 files is packed with 6 % less CPU.
	garbageBelow = 400
)

type packCommand struct {
	From    []string `arg:"" name:"from" help:"A folder, or packages in load order (later ones override earlier ones)."`
	Output  string   `short:"o" required:"" placeholder:"FILE" help:"Package to create (X.ppac). An existing file is never overwritten."`
	Types   string   `placeholder:"TABLE" help:"File that maps extensions to asset types, one per line, such as png 0200. Overrides the built-in types."`
	Variant string   `placeholder:"NAME" help:"Package layout: later (read by current libraries) or published (allows assets over 4 GiB). Default: later."`
}

// Run writes a package.
func (c *packCommand) Run(s *session) error {
	packer, err := formats.PackerFor(c.Output)
	if err != nil {
		return err
	}
	if c.Variant != "" && !slices.Contains(packer.Variants, c.Variant) {
		return fmt.Errorf("there is no variant %s; give %s", model.OneLine(c.Variant, 100),
			strings.Join(packer.Variants, " or "))
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(indexesMost))
	defer debug.SetGCPercent(debug.SetGCPercent(garbageBelow))
	s.status = s.runner.Pack(s.ctx, c.From, PackOptions{Output: c.Output, Packer: packer, Types: c.Types,
		PackOptions: model.PackOptions{Variant: c.Variant}})
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
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(indexesMost))
	s.status = s.runner.Patch(s.ctx, c.Old, c.New, c.Output, packer)
	return nil
}
