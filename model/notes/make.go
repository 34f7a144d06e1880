package notes

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"
	"time"

	"assay/model"
)

// New returns the change that adds a note on a node, or on a range of bytes of a document; its color and its text are
// the caller's to set.
func New(ctx context.Context, d *model.Document, n *model.Node, bytes *model.Span) (Change, error) {
	note := Note{ID: rand.Text(), Range: bytes != nil, Made: time.Now().UTC().Truncate(time.Second)}
	span := model.Span{}
	if bytes != nil {
		span, n = *bytes, around(d, *bytes)
	}
	if n != nil {
		note.Node = n.NamePath()
		if bytes == nil {
			span = n.Span
		}
		note.Within = max(0, span.Offset-n.Offset)
	}
	span.Offset = min(max(0, span.Offset), d.Source.Size())
	span.Size = min(max(0, span.Size), d.Source.Size()-span.Offset)
	c := Change{Name: d.Source.Name(), Place: place(d.Source)}
	of := model.Span{Size: d.Source.Size()}
	asset, err := assetOf(ctx, d, n, span)
	if err != nil {
		return c, err
	}
	if asset != nil {
		of, c.Name, c.Place = asset.Stored, asset.Name, assetPlace(d.Source, asset.Name)
		below, isPart := strings.CutPrefix(note.Node, asset.Node.NamePath())
		switch {
		case bytes == nil && (isNodeOf(n, asset) || span == of):
			note.Node, note.Within, span = "/", 0, of
		case isPart:
			note.Node = cmp.Or(below, "/")
		default: // the node of the asset knows nothing of its bytes
			note.Node, note.Within, note.Range = "", 0, true
		}
	}
	if len(note.Node) > TextMost {
		note.Node, note.Range = "", true
	}
	if c.Content, err = contentOf(ctx, d.Source, of); err != nil {
		return c, err
	}
	if note.Digest, err = digest(ctx, d.Source, span); err != nil {
		return c, err
	}
	note.Offset, note.Size = span.Offset-of.Offset, span.Size
	c.Put = []Note{note}
	return c, nil
}

// isNodeOf reports whether a node is that of an asset, or has its key.
func isNodeOf(n *model.Node, asset *model.Payload) bool {
	return n.Path().Equal(asset.Node.Path()) || n.Key != "" && n.Key == asset.Key
}

// assetOf returns the asset of an archive that a node is, or that has all bytes of a span of the node; nil if there is
// none.
func assetOf(ctx context.Context, d *model.Document, n *model.Node, span model.Span) (*model.Payload, error) {
	if !d.Packs || d.Payloads == nil || n == nil {
		return nil, nil
	}
	i, err := d.OnlyAsset(ctx, n)
	if i < 0 {
		return nil, err
	}
	p := d.Payloads.At(i)
	if p == nil || p.Node == nil || p.Stored.Size < assetLeast || !p.Stored.Within(d.Source.Size()) {
		return nil, nil
	}
	if isNodeOf(n, p) || span.Size > 0 && p.Stored.Contains(span.Offset) && span.End() <= p.Stored.End() {
		return p, nil
	}
	return nil, nil
}

// Carry returns the changes that make notes of those of an earlier version whose nodes are still in the document, and
// the number of those whose nodes are not.
func Carry(ctx context.Context, d *model.Document, p *Placement) (changes []Change, left int, err error) {
	for _, old := range p.Earlier() {
		n := d.At(old.Path)
		if old.Node == "" || n == nil || old.Range && (!old.At.Within(d.Source.Size()) || old.At.End() > n.End()) {
			left++
			continue
		}
		var bytes *model.Span
		if old.Range {
			bytes = &old.At
		}
		c, err := New(ctx, d, n, bytes)
		if err != nil {
			return nil, 0, err
		}
		c.Put[0].Color, c.Put[0].Text, c.Put[0].From = old.Color, old.Text, old.ID
		changes = append(changes, c)
	}
	return changes, left, nil
}
