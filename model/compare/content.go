package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"assay/model"
)

// ErrNoContent says that a pair is no asset in both files, so that there is no content to compare.
var ErrNoContent = errors.New("there is no asset on both sides")

// SameContent expands the assets of a pair and compares their contents: whether two assets that are stored in two ways are one,
// or whether one that was taken for the same by its recorded checksum is. It reads all of both.
func (c *Comparison) SameContent(ctx context.Context, p *Pair) (bool, error) {
	if p.Old == nil || p.New == nil {
		return false, ErrNoContent
	}
	a, err := payloadOf(ctx, c.Old, p.Old)
	if err != nil {
		return false, err
	}
	b, err := payloadOf(ctx, c.New, p.New)
	if err != nil {
		return false, err
	}
	if a.Problem != "" || b.Problem != "" {
		return false, fmt.Errorf("the content cannot be expanded: %s", a.Problem+b.Problem)
	}
	if a.Size >= 0 && b.Size >= 0 && a.Size != b.Size {
		return false, nil
	}
	x, err := a.Open(ctx)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := b.Open(ctx)
	if err != nil {
		return false, err
	}
	defer y.Close()
	return sameReaders(ctx, x, y)
}

func sameReaders(ctx context.Context, x, y io.Reader) (bool, error) {
	p, q := make([]byte, windowSize), make([]byte, windowSize)
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		for _, err := range []error{errX, errY} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if n != m || !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if n < len(p) {
			return true, nil
		}
	}
}

// payloadOf finds the asset that a node, or the entry that leads to it, stands for.
func payloadOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Payload, error) {
	if d.Payloads == nil || n.Key == "" {
		return nil, ErrNoContent
	}
	var byKey *model.Payload
	for i := range d.Payloads.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := d.Payloads.At(i)
		if p.Key != n.Key {
			continue
		}
		if p.Node != nil && p.Node.Offset == n.Offset && p.Node.Size == n.Size {
			return p, nil
		}
		if byKey == nil {
			byKey = p
		}
	}
	if byKey == nil {
		return nil, ErrNoContent
	}
	return byKey, nil
}
