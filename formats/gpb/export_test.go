package gpb

import (
	"context"

	"assay/model"
)

// Read reads the typed content of a bundle.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	r, _, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	return r.file, nil
}
