// Package gpb reads gameplay bundles (.gpb), the scene and font files of the gameplay 3D engine, versions 1.0 to 1.5.
//
// The format is published as gameplay-bundle.txt in the engine's tools; the document says 1.1 and describes what was
// written between October 2012 and October 2013. What encoders of each version really wrote differs from it (no
// parent_id before 1.2, material names instead of materials, no bounds in skins, two object counts), and version 1.0
// has three layouts. The layout is therefore chosen by structure: the first reading that accounts for every byte and
// meets every offset of the reference table, in the order of layout.go; if none does, the one that meets most.
//
// Everything is little-endian, nothing is aligned. Strings are a 32-bit length and that many bytes.
//
// A broken object does not end the reading: whatever the reference table leads to is decoded from there and listed
// under "recovered".
//
// What is around a bundle is read in folders of their own: the texts in properties, the project in project. There is
// no sky in any of them: games draw theirs by code, with shaders of their own.
//
// Not supported: nothing that is known to exist. Objects whose type no reference tells cannot be read, as the format
// has no other place for it.
package gpb

import (
	"bytes"
	"context"

	"assay/formats/decode"
	"assay/model"
)

// Identifier is what every bundle begins with.
const Identifier = "\xABGPB\xBB\r\n\x1A\n"

var types = &decode.Types{
	Numbers: [...]string{model.U8: "byte", model.U16: "ushort", model.U32: "uint", model.U64: "ulong",
		model.S8: "char", model.S16: "short", model.S32: "int", model.S64: "long", model.F32: "float",
		model.F64:  "double",
		model.Bool: "bool"},
	Text: "string", Bytes: "byte[]",
}

// Sniff reports whether head begins with the identifier of a bundle.
func Sniff(head []byte, _ int64) decode.Sure {
	if bytes.HasPrefix(head, []byte(Identifier)) {
		return decode.Yes
	}
	return decode.No
}

// Bundle is an opened file: its structure, and its content as values.
type Bundle struct {
	*File
	Document *model.Document // without views and assets
	reader   *reader
}

// Open reads a bundle. Whatever is wrong with its content is a Problem in the document; the error is the context's.
func Open(ctx context.Context, src *model.Source) (*Bundle, error) {
	r, why, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	r.record(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := model.NewDocument(src, "gpb", r.variant(), r.root)
	d.Why = why
	d.FindKey = r.findKey
	return &Bundle{File: r.file, Document: d, reader: r}, nil
}

// Read reads the content of a bundle without its structure. The error is the context's.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	r, _, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	return r.file, nil
}

// Each visits the objects of the file in their order: those of both lists, then those that were recovered. node makes
// the node of one.
func (b *Bundle) Each(visit func(o Object, node func() *model.Node)) {
	r := b.reader
	element := func(list *model.Node, i int) func() *model.Node {
		return func() *model.Node { return r.element(list, i) }
	}
	for i, m := range r.file.Meshes {
		visit(m, element(r.lists.meshes, i))
	}
	for i, o := range r.file.Objects {
		if r.lists.objects == nil {
			visit(o, func() *model.Node { return r.element(r.root, r.root.Len()-1) })
			continue
		}
		visit(o, element(r.lists.objects, i))
	}
	for i, l := range r.recovered {
		if l.object != nil && !l.closed {
			visit(l.object, element(r.lists.recovered, i))
		}
	}
}

// element returns the i-th element of a list, or the root if it has none: a file may change between the quiet reading,
// which found the element, and the one that recorded the list.
func (r *reader) element(list *model.Node, i int) *model.Node {
	if list == nil {
		return r.root
	}
	if i += list.Before(); i < 0 || i >= list.Len() {
		return r.root
	}
	return list.Child(i)
}

func (r *reader) findKey(key string) (model.Path, bool) {
	i, ok := r.named(key)
	if !ok {
		return nil, false
	}
	if p, ok := r.object(i); ok {
		return p, true
	}
	return r.rowNode(i).Path(), true
}
