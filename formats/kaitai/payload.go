package kaitai

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"assay/model"
	"assay/model/content"
)

// Bounds on the look for blocks of bytes that can leave a file: so many nodes are looked at, in the order of the file.
const (
	maxLooked   = 100_000
	maxPayloads = 10_000
	leastBytes  = 64 // of a block that the description does not name as an asset
)

// payloads are the blocks of bytes of a file: those of leastBytes or more, and those of attributes with -assay-export.
type payloads struct {
	d      *model.Document
	blocks []block
}

type block struct {
	path   model.Path
	export *Export // nil if the description does not name it
}

// findPayloads returns the blocks of bytes of a document; nil if there are none. It is called when a file is opened:
// Len is asked on the window's own goroutine, and nobody could cancel it there.
func (d *Description) findPayloads(ctx context.Context, doc *model.Document) model.Payloads {
	p := payloads{d: doc}
	looked := 0
	// The parts of a picture or of a sound are of no use alone.
	shown := content.Of(doc.Source).Known()
	ended := model.Walk(doc.Root(), func(n *model.Node) (bool, error) {
		if looked++; looked > maxLooked {
			return false, fmt.Errorf("blocks of bytes after the first %d nodes are not listed as assets", maxLooked)
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if n.Role == model.RoleElsewhere && !n.Leaf() {
			return false, nil // what an instance shows may be endless, and its bytes are mostly those of attributes
		}
		if a, is := n.ReadAs().(*Attribute); is && !d.exports && a.isSmall() {
			return false, nil // a list of small records
		}
		b, ok := n.Value.(model.Blob)
		if !ok {
			return true, nil
		}
		export := d.exportOf(n)
		if export == nil && (b.Span.Size < leastBytes || shown) {
			return true, nil
		}
		if len(p.blocks) == maxPayloads {
			return false, fmt.Errorf("blocks of bytes after the first %d are not listed as assets", maxPayloads)
		}
		p.blocks = append(p.blocks, block{n.Path(), export})
		return true, nil
	}, nil)
	if ended != nil {
		doc.Root().Warn(model.Note, doc.Root().Span, "%v", ended)
	}
	if len(p.blocks) == 0 {
		return nil
	}
	return p
}

// exportOf returns what -assay-export says of a block of bytes; nil if it says nothing.
func (d *Description) exportOf(n *model.Node) *Export {
	if !d.exports {
		return nil
	}
	if a := attributeOf(n); a != nil {
		return a.Export
	}
	return nil
}

// Len is the number of blocks.
func (p payloads) Len() int { return len(p.blocks) }

// At describes the i-th block.
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
	kind := content.TypeOf(head[:read])
	out.Key, out.Type, out.Node, out.Size = n.PathText(), n.Type, n, b.Span.Size
	out.Name = assetName(n, cmp.Or(kind.Extension, ".bin"))
	out.MediaType = kind.Media
	if e := p.blocks[i].export; e != nil {
		out.Name, out.MediaType = cmp.Or(e.Name, out.Name), cmp.Or(e.MediaType, out.MediaType)
	}
	out.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(src.Reader(model.Span{Size: src.Size()})), nil
	}
	return out
}

// assetName returns a file name for a block of bytes: the label of the nearest object around it that has one, if that
// is a file name, else with the way from there to the block; without a label, the way from the root.
func assetName(block *model.Node, extension string) string {
	name := block.PathText()
	for n := block; n.Parent != nil; n = n.Parent {
		if label := n.Label(); fileName.MatchString(label) {
			return label
		} else if label != "" {
			name = "/" + label + strings.TrimPrefix(name, n.PathText())
			break
		}
	}
	return strings.ReplaceAll(name[1:], "/", "-") + extension
}

// fileName is what the name of a file with an extension looks like.
var fileName = regexp.MustCompile(`^[^{}]*[^ .{}]\.[A-Za-z][A-Za-z0-9]{0,7}$`)

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
