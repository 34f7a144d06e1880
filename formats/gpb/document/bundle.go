package document

import (
	"context"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/export"
	"assay/formats/gpb/project"
	"assay/model"
)

// bundle is a bundle and the scenes that are made of it.
type bundle struct {
	*gpb.Bundle
	composed *compose.Bundle
}

// Open opens a bundle with what is around it. Whatever is wrong with its content is a Problem in the document; the
// error is the context's.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.Around(src)
	opened, err := gpb.Open(ctx, src)
	if err != nil {
		return nil, err
	}
	b := &bundle{opened, compose.NewBundle(opened.File, p)}
	d := b.Document
	d.Payloads = export.Bundle(b.Bundle, b.composed)
	d.View = b.view()
	d.Thing = b.describe()
	d.Keys = b.keys()
	if p != nil {
		d.Project = p.Root()
	}
	return d, nil
}

// nodeKey is where a node begins, and its type: the object of a node is found by it.
type nodeKey struct {
	offset int64
	typ    string
}

// keyOf returns the key of the node of an object.
func keyOf(offset int64, typ gpb.TypeID) nodeKey { return nodeKey{offset, typ.String()} }
