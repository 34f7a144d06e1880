package doc

import (
	"context"
	"strings"

	"assay/model"
	"assay/model/archive"
	"assay/ui/tree"
)

// ahead finds the first child of a long list that begins with what is typed by the names of the assets, if each child
// stands for one and they come in the same order. It is called off the UI thread.
func ahead(assets *archive.Shared) tree.Ahead {
	return func(ctx context.Context, list *model.Node, from, to int, prefix string) (int, bool) {
		a, err := assets.Read(ctx, func(*archive.Archive) {})
		if err != nil || a.Len() == 0 {
			return 0, false
		}
		places, err := a.Document.AssetIndex(ctx)
		if err != nil {
			return 0, false
		}
		first, err := places.First(ctx, list.Child(from), 2)
		if err != nil || len(first) != 1 {
			return 0, false
		}
		last, err := places.First(ctx, list.Child(to-1), 2)
		if err != nil || len(last) != 1 || last[0]-first[0] != to-1-from {
			return 0, false
		}
		i, err := a.Begins(ctx, prefix, first[0], last[0]+1)
		if err != nil || i < 0 {
			return -1, err == nil && strings.Trim(prefix, "0123456789") != "" // a number is the name of an element
		}
		return from + i - first[0], true
	}
}
