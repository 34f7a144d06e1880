package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

const (
	expandInMemory = 16 << 20
	// ExpandLimit is how far an asset is expanded unless told otherwise: 4 GiB.
	ExpandLimit = 4 << 30
)

// Nested gives the payload's content as a Source of its own, so that a file inside of a file opens as a document.
// Content that is stored as it is stays a part of parent; other content is expanded, to at most limit bytes, into
// memory or beyond 16 MiB into a temporary file that is gone after Close.
func (p *Payload) Nested(ctx context.Context, parent *Source, limit int64) (*Source, error) {
	if p.Problem != "" {
		return nil, fmt.Errorf("%s cannot be opened: %s", p.Name, p.Problem)
	}
	if p.Codec == "" && p.Size == p.Stored.Size {
		return parent.Section(p.Name, p.Stored), nil
	}
	r, err := p.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return expand(ctx, p.Name, r, limit)
}

func expand(ctx context.Context, name string, r io.Reader, limit int64) (*Source, error) {
	r = io.LimitReader(&contextReader{ctx, r}, limit+1)
	var head bytes.Buffer
	n, err := io.CopyN(&head, r, expandInMemory)
	if err == io.EOF {
		if n > limit {
			return nil, tooLarge(name, limit)
		}
		return NewSource(name, bytes.NewReader(head.Bytes()), n), nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be expanded: %w", name, err)
	}
	f, err := os.CreateTemp("", "assay-*")
	if err != nil {
		return nil, fmt.Errorf("%s needs a temporary file: %w", name, err)
	}
	s := &Source{name: name, file: f, temporary: true}
	n, err = io.Copy(f, io.MultiReader(&head, r))
	if err == nil && n > limit {
		err = tooLarge(name, limit)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("%s cannot be expanded: %w", name, err)
	}
	s.size, s.r = n, newBlockCache(f, n)
	return s, nil
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s expands to more than the limit of %d bytes", name, limit)
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
