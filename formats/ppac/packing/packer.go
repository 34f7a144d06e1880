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

// container is one that is to be written.
type container struct {
	write.Archive
	sums bool // Write computes them all
}

// Len is the number of assets.
func (c container) Len() int { return c.Archive.Len }

// Sums implements model.Packing.
func (c container) Sums() bool { return c.sums }

// Write writes the container.
func (c container) Write(ctx context.Context, w io.Writer) error { return write.To(ctx, w, c.Archive) }
