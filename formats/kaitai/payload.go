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

// Limits of the search for exportable blocks of bytes, in file order.
const (
	maxExamined = 100_000 // nodes
	maxPayloads = 10_000
)

// payloads are the blocks of bytes of a file, without constant ones, and its objects with views.
type payloads struct {
	d     *model.Document
	paths []model.Path
	// isRecognized means that the file is a picture, a sound or the like, whose blocks of bytes are of no use alone.
	isRecognized bool
}

// findPayloads returns the assets of a document, or nil if there are none. It is called when a file is opened, because
// Len runs on the window's goroutine, where it cannot be canceled.
func findPayloads(ctx context.Context, doc *model.Document) model.Payloads {
	p := payloads{d: doc, isRecognized: content.KindOf(doc.Source).IsKnown()}
	examined := 0
	ended := model.Walk(doc.Root(), func(n *model.Node) (bool, error) {
		if examined++; examined > maxExamined {
			return false, fmt.Errorf("blocks of bytes after the first %d nodes are not listed as assets", maxExamined)
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return p.add(n)
	}, nil)
	if ended != nil {
		doc.Root().Warnf(model.Note, doc.Root().Span, "%v", ended)
	}
	if len(p.paths) == 0 {
		return nil
	}
	return p
}

// add adds a node if it is an asset, and reports whether there may be assets below it.
func (p *payloads) add(n *model.Node) (descend bool, err error) {
	a := attributeOf(n)
	list, isList := n.ReadAs().(*attribute)
	b, isBytes := n.Value.(model.Blob)
	switch {
	case viewOf(n) != nil:
		p.paths = append(p.paths, n.Path())
		return false, nil
	case n.Role == model.RoleElsewhere && !n.Leaf() && (a == nil || !a.hasView()):
		return false, nil // instances may be endless, and their bytes mostly belong to attributes
	case isList && !list.plan.hasBytes:
		return false, nil
	case !isBytes || a.export() == nil && (b.Span.Size == 0 || p.isRecognized || !isBlock(n)):
		return true, nil
	case len(p.paths) == maxPayloads:
		return false, fmt.Errorf("blocks of bytes after the first %d are not listed as assets", maxPayloads)
	}
	p.paths = append(p.paths, n.Path())
	return true, nil
}

// isBlock reports whether a node is a field of bytes that differ from file to file and that -assay-export does not
// exclude, or the stored bytes of a processed one.
func isBlock(n *model.Node) bool {
	if n.Name == rawName {
		return true
	}
	a := attributeOf(n)
	return a != nil && a.Contents == nil && (a.Export == nil || !a.Export.none)
}

// export returns the -assay-export of an attribute, which may be nil, or nil.
func (a *attribute) export() *exportRule {
	if a != nil && a.Export != nil && !a.Export.none {
		return a.Export
	}
	return nil
}

func (p payloads) Len() int { return len(p.paths) }

// At describes the i-th asset.
func (p payloads) At(i int) *model.Payload {
	n := p.d.At(p.paths[i])
	if n == nil {
		return model.SpanPayload(p.d, model.Span{})
	}
	out := model.SpanPayload(p.d, n.Span)
	if v := viewOf(n); v != nil {
		v.fillPayload(p.d.Source, n, out)
		return out
	}
	b, ok := n.Value.(model.Blob)
	if !ok {
		return out
	}
	src := b.Source.Section(n.Name, b.Span)
	head, _ := src.Bytes(model.Span{Size: min(3072, src.Size())}) // partial on an error
	kind := content.TypeOf(head)
	out.Key, out.Type, out.Node, out.Size = n.PathText(), n.Type, n, b.Span.Size
	out.Name = assetName(n, cmp.Or(kind.Extension, ".bin"))
	out.MediaType = kind.Media
	if e := attributeOf(n).export(); e != nil {
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
			name = "/" + n.Title() + strings.TrimPrefix(name, n.PathText())
			break
		}
	}
	return strings.ReplaceAll(name[1:], "/", "-") + extension
}

// fileName matches the name of a file with an extension.
var fileName = regexp.MustCompile(`^[^{}]*[^ .{}]\.[A-Za-z][A-Za-z0-9]{0,7}$`)
