package kaitai

import (
	"context"
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

// Open reads src as the description says. What is wrong with the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	budget := newBudget(src.Size())
	c.StopLists(budget.isSpent)
	whole := newStream(c, &opened{budget: budget})
	newReading(ctx, whole, c).wholeStream(newObject(d.Root, nil, nil, whole))
	root := c.Close()
	root.SetReadAs(d.Root)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, d.ID, "(from NAME.ksy)", root)
	doc.Budget = budget
	doc.Why = "the description " + model.FileName(d.File) + " says how it is read"
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = d.findPayloads(ctx, doc)
	return doc, ctx.Err()
}
