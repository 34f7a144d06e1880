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

// plan is a container that is to be written.
type plan struct {
	write.Archive
	computesSums bool
}

// Len is the number of assets.
func (p plan) Len() int { return p.Archive.Len }

// ComputesSums implements model.ArchivePlan.
func (p plan) ComputesSums() bool { return p.computesSums }

// Write writes the container.
func (p plan) Write(ctx context.Context, w io.Writer) error { return write.To(ctx, w, p.Archive) }
