package comparison

import (
	"context"
	"path/filepath"

	"assay/model"
	"assay/model/git"
)

// HeadSide is the version of a file in the HEAD of the git repository that it is in. git must be installed.
func HeadSide(path string, open func(ctx context.Context, src *model.Source) (*model.Document, error)) Side {
	name := filepath.Base(path)
	return Side{Title: name + " (HEAD)", Hint: path + " in git's HEAD", Open: func(ctx context.Context) (*model.Document, error) {
		src, err := git.Head(ctx, path)
		if err != nil {
			return nil, err
		}
		d, err := open(ctx, src)
		if err != nil {
			src.Close()
		}
		return d, err
	}}
}
