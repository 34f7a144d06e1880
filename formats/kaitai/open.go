package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

// Open reads src as the description says. What is wrong with the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	m := &machine{ctx: ctx, description: d}
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	s := &stream{kind: c, src: src, span: model.Span{Size: src.Size()}}
	r := &reading{machine: m, c: c, s: s}
	r.stream(newObject(d.Root, nil, nil, s))
	root := c.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.ctx = context.Background()
	doc := model.NewDocument(src, d.ID, "as described", root)
	doc.Why = "the description " + model.FileName(d.File) + " says how it is read"
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = d.findPayloads(ctx, doc)
	return doc, ctx.Err()
}

// blobOf returns bytes that an expression made as the value of a node.
func blobOf(b []byte) model.Blob {
	size := int64(len(b))
	return model.Blob{Source: model.NewSource("", bytes.NewReader(b), size), Span: model.Span{Size: size}}
}
