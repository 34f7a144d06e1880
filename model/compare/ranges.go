package compare

import (
	"context"

	"assay/model"
	"assay/model/compare/align"
)

// RangesMost is the number of ranges that a report lists.
const RangesMost = 10_000

// Ranges are the parts of two files that differ, for files that are compared as bytes only.
type Ranges struct {
	Edits   []align.Edit // the first of them
	Omitted int          // how many more there are
}

// FindRanges aligns the bytes of files that were compared as bytes only, so that reports list what was changed,
// inserted and removed. It does nothing for other comparisons. progress may be nil.
func (c *Comparison) FindRanges(ctx context.Context, progress model.Progress) error {
	if !c.BytesOnly || c.Ranges != nil {
		return nil
	}
	edits, err := align.Bytes(ctx, c.Old.Source, c.Old.Source.Size(), c.New.Source, c.New.Source.Size(), progress)
	if err != nil {
		return err
	}
	n := min(len(edits), RangesMost)
	c.Ranges = &Ranges{Edits: append([]align.Edit(nil), edits[:n]...), Omitted: len(edits) - n}
	return nil
}
