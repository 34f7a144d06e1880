package packing

import (
	"context"
	"io"

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

// Len is the number of assets.
func (p plan) Len() int { return p.Archive.Len }

// ComputesSums implements model.ArchivePlan.
func (p plan) ComputesSums() bool { return p.computesSums }

// Write writes the container.
func (p plan) Write(ctx context.Context, w io.Writer) error { return write.To(ctx, w, p.Archive) }

// verbatim is a container that is written as it is: the document leaves the order of sections, sizes and lengths open,
// and what it lists as trash may be wanted.
type verbatim struct{ file *ppac.File }

// Len is the number of assets.
func (v verbatim) Len() int { return v.file.Len() }

// ComputesSums implements model.ArchivePlan.
func (v verbatim) ComputesSums() bool { return false }

// Write writes the container.
func (v verbatim) Write(ctx context.Context, w io.Writer) error {
	_, err := io.Copy(w, v.file.Part(ctx, model.Span{Size: v.file.Source.Size()}))
	return err
}
