package packing

import (
	"context"
	"io"

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
