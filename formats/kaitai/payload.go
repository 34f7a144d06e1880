package kaitai

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"assay/model"
	"assay/model/content"
)

// Bounds on the look for blocks of bytes that can leave a file: so many nodes are looked at, in the order of the file.
const (
	maxLooked   = 100_000
	maxPayloads = 10_000
	leastBytes  = 64 // of a block that the description does not name as an asset
)

// payloads are the blocks of bytes of a file: those of 64 bytes or more, and those that -assay-export names.
type payloads struct {
	d      *model.Document
	blocks []block
}

type block struct {
	path   model.Path
	export *Export // nil if the description does not name it
}

// findPayloads looks for blocks of bytes; nil if there are none.
func findPayloads(ctx context.Context, d *model.Document, exports map[string]*Export) model.Payloads {
	p := payloads{d: d}
	looked := 0
	// The parts of a picture or of a sound are of no use alone.
	shown := content.Of(d.Source).Known()
	_ = model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if looked++; looked > maxLooked || len(p.blocks) >= maxPayloads || ctx.Err() != nil {
			return false, io.EOF
		}
		if n.Role == model.RoleElsewhere && !n.Leaf() {
			return false, nil // what an instance shows may be endless, and its bytes are mostly those of attributes
		}
		b, ok := n.Value.(model.Blob)
		if !ok {
			return true, nil
		}
		export := exports[n.Name]
		if export != nil || b.Span.Size >= leastBytes && !shown {
			p.blocks = append(p.blocks, block{n.Path(), export})
		}
		return true, nil
	}, nil)
	if len(p.blocks) == 0 {
		return nil
	}
	return p
}

// exports returns what -assay-export says, by the ids of attributes.
func (d *Description) exports() map[string]*Export {
	exports := make(map[string]*Export)
	var visit func(t *Type)
	visit = func(t *Type) {
		for _, list := range [][]*Attribute{t.Seq, t.Instances} {
			for _, a := range list {
				if a.Export != nil {
					exports[a.ID] = a.Export
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
	return exports
}

// Len is the number of blocks.
func (p payloads) Len() int { return len(p.blocks) }

// At describes the i-th block. Its name is its path, with the extension of what its content is.
func (p payloads) At(i int) *model.Payload {
	n := p.d.At(p.blocks[i].path)
	if n == nil {
		return model.SpanPayload(p.d, model.Span{})
	}
	out := model.SpanPayload(p.d, n.Span)
	b, ok := n.Value.(model.Blob)
	if !ok {
		return out
	}
	src := b.Source.Section(n.Name, b.Span)
	head := make([]byte, min(3072, src.Size()))
	read, _ := src.ReadAt(head, 0)
	kind := mimetype.Detect(head[:read])
	out.Key, out.Type, out.Node, out.Size = n.PathText(), n.Type, n, b.Span.Size
	out.Name = strings.ReplaceAll(out.Key[1:], "/", "-") + cmp.Or(kind.Extension(), ".bin")
	out.MediaType = kind.String()
	if e := p.blocks[i].export; e != nil {
		out.Name, out.MediaType = cmp.Or(e.Name, out.Name), cmp.Or(e.MediaType, out.MediaType)
	}
	out.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(src.Reader(model.Span{Size: src.Size()})), nil
	}
	return out
}

// view returns what a node of a described file looks like: the file as a whole, or a block of bytes that is a file of a
// kind that is shown.
func view(ctx context.Context, src *model.Source, n *model.Node) (model.View, error) {
	if n.Parent == nil {
		return content.View(ctx, src)
	}
	b, ok := n.Value.(model.Blob)
	if !ok {
		return nil, nil
	}
	inner := b.Source.Section(n.Name, b.Span)
	if !content.Of(inner).Known() {
		return nil, nil
	}
	return content.View(ctx, inner)
}
