package ppac

import (
	"context"
	"strconv"

	"assay/model"
	looks "assay/model/content"
)

// thing says that the content of an entry is an asset to people, of which type, and how it is stored.
func (f *file) thing(n *model.Node) (model.Thing, bool) {
	if n.Parent != f.assetList || n.Key == "" {
		return model.Thing{}, false
	}
	id, err := strconv.ParseUint(n.Key[:min(4, len(n.Key))], 16, 16)
	if err != nil {
		return model.Thing{}, false
	}
	t := model.Thing{Kind: "asset", Group: typeName(uint16(id)), Bytes: n.Size}
	if f.index.n <= lookedThrough {
		t.Content = func(ctx context.Context) (any, error) { return f.look(ctx, n.Key) }
	}
	return t, true
}

const (
	lookedThrough = 100_000  // entries of a container whose assets are looked at when they changed
	lookedLimit   = 16 << 20 // bytes of one of them
)

// look returns what an asset looks like, if it is of a kind that is shown.
func (f *file) look(ctx context.Context, key string) (any, error) {
	path, ok := f.findKey(key)
	if !ok {
		return nil, nil
	}
	p := payloads{f}.At(path[len(path)-1])
	if !looks.Shown(p.MediaType) || p.Size > lookedLimit || p.Problem != "" {
		return nil, nil
	}
	src, err := p.Nested(ctx, f.src, lookedLimit)
	if err != nil {
		return nil, err
	}
	return looks.View(ctx, src)
}
