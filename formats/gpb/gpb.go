// Package gpb reads gameplay bundles (.gpb), the scene and font files of the gameplay 3D engine, versions 1.0 to 1.5.
//
// The format is published as gameplay-bundle.txt in the engine's tools. The files in its order, with the numbers of the
// objects:
//
//	gpb.go          File Structure: Identifier
//	header.go       File Structure: Header
//	bundle.go       File Structure: Data; Objects, ID's and Xrefs
//	references.go   References
//	primitives.go   Primitives, Arrays
//	types.go        Enums, and the objects as values
//	scene.go        1 Scene, 2 Node
//	animation.go    3 Animations, 4 Animation, 5 AnimationChannel
//	model.go        11 Model, 16 Material, 17 Effect
//	camera.go       32 Camera, 33 Light
//	mesh.go         34 Mesh, 35 MeshPart, 36 MeshSkin
//	font.go         128 Font
//	glyph.go        the Glyph of a Font
//
// Three files follow an object from bytes to values: bundle.go, that of its number, and primitives.go, for its arrays;
// types.go has what comes out.
//
// The document says 1.1 and describes what was written between October 2012 and October 2013. What encoders of each
// version really wrote differs from it (no parent_id before 1.2, material names instead of materials, no bounds in
// skins, two object counts), and version 1.0 has three layouts. What is not in the document:
//
//	layouts.go      what differs between versions, and between the document and real files
//	trial.go        what the first reading in a layout finds out
//	choose.go       which layout a file has: the first, in the order of layouts.go, that accounts for every byte and
//	                meets every offset of the reference table; if none does, the one that meets most
//	mend.go         damaged files: a reference table with a wrong count or wrong lengths of ids
//	exporter.go     an exporter of 2013 with layouts of its own
//	recover.go      damaged files: what the reference table leads to is read from there, and listed under "recovered"
//	objects.go      the object that a node of the document is
//	signature.go    files that only begin like a bundle
//	fields.go       what each field means, by the words of fields.md
//
// Everything is little-endian, nothing is aligned. Strings are a 32-bit length and that many bytes.
//
// Rooms beside the decoder, of which it knows the names in its links alone, read what is around a bundle (properties,
// project), make scenes of both (material, compose), and put these into documents (export, document).
//
// Not supported: GPBx, a variant with blend shapes, whose signature signature.go names; and objects that no
// reference leads to, as nothing else tells their type.
package gpb

import (
	"bytes"
	"cmp"
	"context"
	"sync"

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
func Sniff(head []byte, _ int64) decode.Confidence {
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
	objects  func() objectIndex
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
	d := model.NewDocument(src, "gpb", r.variant(), r.shown.root)
	d.Why = why
	d.FindKey, d.Meaning = r.findKey, Fields.Meaning
	b := &Bundle{File: r.found.file, Document: d, reader: r}
	b.objects = sync.OnceValue(b.indexObjects)
	return b, nil
}

// Read reads the content of a bundle without its structure. The error is the context's.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	r, _, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	return r.found.file, nil
}

// Each visits the objects of the file in their order: those of both lists, then those that were recovered. node returns
// the node of the object.
func (b *Bundle) Each(visit func(o Object, node func() *model.Node)) {
	r := b.reader
	element := func(list *model.Node, i int) func() *model.Node {
		return func() *model.Node { return r.elementNode(list, i) }
	}
	for i, m := range r.found.file.Meshes {
		visit(m, element(r.shown.lists.meshes, i))
	}
	for i, o := range r.found.file.Objects {
		if r.shown.lists.objects == nil {
			visit(o, func() *model.Node { return cmp.Or(r.shown.only, r.shown.root) })
			continue
		}
		visit(o, element(r.shown.lists.objects, i))
	}
	for i, o := range r.recovered {
		if o.object != nil && !o.collapsed {
			visit(o.object, element(r.shown.lists.recovered, i))
		}
	}
}

// elementNode returns the i-th element of a list, or the root if it has none: a file may change between the probe's
// reading, which met the element, and the one that recorded the list.
func (r *reader) elementNode(list *model.Node, i int) *model.Node {
	if list == nil {
		return r.shown.root
	}
	if i += list.Before(); i < 0 || i >= list.Len() {
		return r.shown.root
	}
	return list.Child(i)
}

// findKey returns the path of the object with an id, or of its reference if the object is not stored.
func (r *reader) findKey(key string) (model.Path, bool) {
	i, ok := r.indexOf(key)
	if !ok {
		return nil, false
	}
	if p, ok := r.objectPath(i); ok {
		return p, true
	}
	return r.referenceNode(i).Path(), true
}
