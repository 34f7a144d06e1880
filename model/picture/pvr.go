package picture

import (
	"context"
	"fmt"
	"io"

	"assay/model"
)

func isPVR(f *sample) bool { return IsPVR(f.head) }

// openPVR reads the largest picture of a PVR file.
func openPVR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	b, err := io.ReadAll(stream(ctx, src))
	if err != nil {
		return p, err
	}
	d, err := ReadPVR(b)
	if err != nil {
		return p, err
	}
	if err := bounded(d.Width, d.Height, 4); err != nil {
		return p, err
	}
	if p.Image, err = d.Decode(ctx, b); err != nil {
		return p, fmt.Errorf("its pixels cannot be drawn: %w", err)
	}
	p.Format = d.Format.String()
	return p, nil
}
