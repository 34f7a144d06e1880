package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// Open reads src as a description says. What is wrong with the file is a problem in the document.
func Open(ctx context.Context, src *model.Source, d *Description) (*model.Document, error) {
	m := &machine{ctx: ctx, description: d, used: d.used()}
	m.budget.Store(maxShown)
	m.measure()
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	s := &stream{kind: c, src: src, span: model.Span{Size: src.Size()}}
	r := &reading{machine: m, c: c, s: s}
	r.object(m.newObject(d.Root, nil, nil, s))
	root := c.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.ctx = context.Background()
	return model.NewDocument(src, d.ID, "as described", root), nil
}

// used returns the ids that expressions of a description mention.
func (d *Description) used() map[string]bool {
	used := make(map[string]bool)
	add := func(all ...*expression.Expression) {
		for _, e := range all {
			if e == nil {
				continue
			}
			for _, id := range append(e.Names(), e.Fields()...) {
				used[id] = true
			}
		}
	}
	var visit func(t *Type)
	visit = func(t *Type) {
		add(t.Text)
		if t.Endian != nil {
			add(t.Endian.On)
			for _, c := range t.Endian.Cases {
				add(c.On)
			}
		}
		for _, list := range [][]*Attribute{t.Params, t.Seq, t.Instances} {
			for _, a := range list {
				add(a.expressions()...)
				add(a.Value)
				add(a.Type.Args...)
				for _, c := range a.Switch.Cases {
					add(c.On)
					add(c.Type.Args...)
				}
			}
		}
		for _, inner := range t.Types {
			visit(inner)
		}
	}
	for _, top := range d.Imports {
		visit(top)
	}
	return used
}

// blobOf returns bytes that an expression made as the value of a node.
func blobOf(b []byte) model.Blob {
	return model.Blob{Source: model.NewSource("", bytes.NewReader(b), int64(len(b))), Span: model.Span{Size: int64(len(b))}}
}
