package compared

import (
	"context"

	"assay/model"
)

// Open opens the sides that are not open yet.
func Open(ctx context.Context, sides [2]Side, docs [2]*model.Document) ([2]*model.Document, error) {
	for i := range docs {
		if docs[i] != nil {
			continue
		}
		d, err := sides[i].Open(ctx)
		if err != nil {
			return docs, err
		}
		docs[i] = d
	}
	return docs, nil
}

// ChangedOnDisk says which of the files of documents is another one on disk; nil: none is.
func ChangedOnDisk(docs []*model.Document) (err error) {
	for _, d := range docs {
		if e := d.Source.Changed(); e != nil {
			err = e
		}
	}
	return err
}
