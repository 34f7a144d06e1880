package content

import (
	"context"
	"fmt"

	"assay/model"
)

// fileMost is how large an asset may be that is opened as a file where it changed.
const fileMost = 256 << 20

// Thing returns what tells what the nodes of a package are to people, as its document does; an asset can be opened as
// the file that it is.
func (r Reader) Thing(d *model.Document) func(n *model.Node) (model.Thing, bool) {
	of := d.Thing
	if of == nil {
		return nil
	}
	return func(n *model.Node) (model.Thing, bool) {
		t, is := of(n)
		if is && t.Content != nil {
			t.File = func(ctx context.Context) (*model.Document, error) { return r.fileOf(ctx, d, n) }
		}
		return t, is
	}
}

// fileOf opens the asset that a node stands for; nil if it stands for several, or for one without a structure.
func (r Reader) fileOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Document, error) {
	i, err := d.OnlyAsset(ctx, n)
	if i < 0 {
		return nil, err
	}
	p := d.Payloads.At(i)
	if p.IsMade() || p.Problem != "" || p.Open == nil || p.Size == 0 {
		return nil, nil
	}
	if p.Size > fileMost {
		return nil, fmt.Errorf("%s is larger than %d bytes", p.Name, fileMost)
	}
	src, err := d.Nested(ctx, p, fileMost)
	if err != nil {
		return nil, err
	}
	file, err := r.Open(ctx, src)
	if err != nil || file.Content || file.Format == model.UnknownFormat {
		src.Close()
		return nil, err
	}
	return file, nil
}
