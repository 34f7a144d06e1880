package model

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"
)

// NodePayload is any node as an asset that was not one: itself and all below it as JSON.
func NodePayload(d *Document, n *Node) *Payload {
	name := n.Name
	switch {
	case n.Parent == nil:
		name = d.Source.Stem()
	case n.CallName() != "":
		name = n.CallName()
	case n.Parent.Parent != nil && (n.Name == "" || n.Element()):
		name = n.Parent.Name + "-" + n.Name
	}
	write := func(ctx context.Context, w io.Writer) error { return DumpNode(ctx, w, n) }
	p := &Payload{Key: n.PathText(), Name: oneName(name) + ".json", Type: "node", MediaType: "application/json",
		Node: n, Size: -1, Stored: n.Span,
		Forms: []Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: write}}}
	if n.Size > 0 && n.Within(d.Source.Size()) {
		p.Size = n.Size
		p.Open = bytesOf(d.Source, n.Span)
		p.Forms = append(p.Forms, Form{Name: "raw", Extension: ".bin", MediaType: "application/octet-stream"})
	}
	return p
}

// SpanPayload is a range of bytes as an asset, as they are in the file.
func SpanPayload(d *Document, s Span) *Payload {
	return &Payload{Key: fmt.Sprintf("%#x+%d", s.Offset, s.Size),
		Name: fmt.Sprintf("%s-%x-%x.bin", d.Source.Stem(), s.Offset, s.End()),
		Type: "bytes", MediaType: "application/octet-stream", Size: s.Size, Stored: s, Open: bytesOf(d.Source, s)}
}

func bytesOf(src *Source, s Span) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) {
		if !s.Within(src.Size()) {
			return nil, fmt.Errorf("%d bytes at %#x are not in the file", s.Size, s.Offset)
		}
		return io.NopCloser(src.Reader(s)), nil
	}
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// oneName leaves no separators in a name.
func oneName(name string) string {
	name = strings.NewReplacer("/", "_", `\`, "_").Replace(name)
	if name == "" {
		return "node"
	}
	return name
}
