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
	"assay/formats/gpb/project"
	"assay/model"
)

// magic is the identifier that every bundle begins with.
var magic = []byte("\xABGPB\xBB\r\n\x1A\n")

var types = &decode.Types{
	Numbers: [...]string{model.U8: "byte", model.U16: "ushort", model.U32: "uint", model.U64: "ulong",
		model.S8: "char", model.S16: "short", model.S32: "int", model.S64: "long", model.F32: "float",
		model.F64:  "double",
		model.Bool: "bool"},
	Text: "string", Bytes: "byte[]",
}

// Sniff reports whether head begins with the identifier of a bundle.
func Sniff(head []byte, _ int64) decode.Sure {
	if bytes.HasPrefix(head, magic) {
		return decode.Yes
	}
	return decode.No
}

// Open reads a bundle. Whatever is wrong with its content is a Problem in the document; the error is the context's.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	r, why, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	r.file.project = project.Around(src)
	r.record(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := model.NewDocument(src, "gpb", r.variant(), r.root)
	d.Why = why
	d.FindKey = r.findKey
	d.Payloads = r.payloads()
	d.View = r.view()
	d.Thing = r.thing()
	d.Keys = r.keys()
	if p := r.file.project; p != nil {
		d.Project = p.Root()
	}
	return d, nil
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
