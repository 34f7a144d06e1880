// Package kaitai reads files by Kaitai Struct descriptions (.ksy), published at
// https://doc.kaitai.io/ksy_reference.html and https://doc.kaitai.io/user_guide.html. Descriptions are interpreted, not
// compiled. The whole language is supported except custom processes, which leave the bytes unchanged with a problem; a
// duplicate key or ID is an error.
//
// Library loads a Description (library.go, yaml.go, keys.go, resolve.go, plan.go), and Description.Open reads a file. A
// decoder (read.go) reads objects (object.go), values (leaf.go, bits.go), lists (list.go) and instances (instance.go).
// valid.go validates values, process.go transforms bytes, show.go creates the nodes of instances, payload.go lists the
// assets, and views.go has the views of objects. check.go checks a description without a file; sketch.go, insert.go and
// complete.go help to write one.
//
// Constants limit descriptions and files, and a budget (budget.go) limits the time and the memory for a document.
package kaitai

import (
	"context"
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

// Names and keys beyond those of the language:
//
//   - An attribute without an ID is named _unnamed0 by its index.
//   - Transformed bytes have no bytes in the file: the stored ones are the leaf _raw.
//   - The bytes between the end of an object and its size are _padding.
//   - The span of a bit field is all bytes with its bits; it owns the bytes without an earlier field.
//   - -webide-representation sets labels, with whole numbers in hexadecimal unless dec is given, as in the language's
//     editor.
//   - -assay-export (true, false or {name, media-type}) selects the bytes that can be exported.
//   - -assay-view makes the objects of a type pictures, meshes, scenes, sounds or texts, by the nodes at the paths that
//     it names, and their fields links.
//
// Differences from the programs that the language's own compiler makes:
//
//   - An error in an attribute with a size, or in an element of a list of objects of one size, does not stop reading.
//   - An invalid value is an error, and reading continues.
//   - Bit fields of both orders may share a byte, with a warning. The remaining bits of a byte are dropped before a
//     number, bytes, a text or an object with a size, as from version 0.11 of the language on.
//   - A value instance that returns an enclosing object does not display it again.
//   - Instances that need one another more than 1000 deep are an error.
//   - An element of a list that includes a terminator without consuming it is not followed by that terminator again.
//   - A choice in a list without a matching case is an empty element.
//   - _index outside a repeated attribute, also in instances, is the index of the object in its list, and an error if
//     it is in no list. In repeat-until it is the index of the last element; some of the compiler's programs add one.
//   - _sizeof of an object of variable size is the number of bytes it took, once it is read.

// Open reads src by the description. An error in the file is a problem in the document.
func (d *Description) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, d.Root.Name, binary.LittleEndian, types)
	budget := newBudget(src.Size())
	c.StopLists(budget.isStopped)
	defer budget.Until(ctx)()
	fileStream := newStream(c, &documentState{budget: budget})
	newDecoder(fileStream, c).wholeStream(newObject(d.Root, nil, nil, fileStream))
	root := c.Close()
	root.SetReadAs(d.Root)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, d.ID, "(from "+model.FileName(d.File)+")", root)
	doc.Budget = budget
	fileStream.doc.document = doc
	doc.Why = "by the description " + model.FileName(d.File)
	doc.Meaning = d.meaning
	doc.Description = &model.Description{Files: d.Files, Rule: d.rule,
		Text: func(file string) string { return d.texts[file] }}
	doc.View = func(ctx context.Context, n *model.Node) (model.View, error) { return view(ctx, src, n) }
	doc.Payloads = findPayloads(ctx, doc)
	return doc, ctx.Err()
}
