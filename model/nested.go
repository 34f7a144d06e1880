package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ExpandLimit is how far an asset is expanded unless told otherwise: 4 GiB.
const ExpandLimit = 4 << 30

// Content that expands to more than both is out of all proportion to the bytes that it is stored in.
const (
	ExcessLeast = 1 << 30
	ExcessTimes = 100
)

// MostExpanded returns how far content is expanded whose size is not recorded, by the number of bytes that it is stored
// in: to ExpandLimit, and no further than is in proportion.
func MostExpanded(stored int64) int64 {
	return min(ExpandLimit, max(ExcessLeast, ExcessTimes*min(stored, ExpandLimit)))
}

// Nested returns the payload's content as a Source of its own, so that a file inside of a file opens as a document.
// Content that is stored as it is stays a part of parent; other content is expanded, to at most limit bytes, into
// memory or beyond 16 MiB into a temporary file that is gone after Close.
func (p *Payload) Nested(ctx context.Context, parent *Source, limit int64) (*Source, error) {
	s, err := p.nested(ctx, parent, limit)
	if err == nil && parent != nil {
		s.in = append(slices.Clone(parent.in), parent.name)
		s.home, s.asset = parent.Home(), p.Type
		s.SetResources(parent.Resources())
		s.SetAssignments(parent.Assignments())
		s.depends.Store(parent.noted())
	}
	return s, err
}

func (p *Payload) nested(ctx context.Context, parent *Source, limit int64) (*Source, error) {
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
	if p.Codec != "" && p.Size < 0 {
		limit = min(limit, MostExpanded(p.Stored.Size))
	}
	return expand(ctx, p.Name, r, limit)
}

func expand(ctx context.Context, name string, r io.Reader, limit int64) (*Source, error) {
	s, err := spool(ctx, name, r, limit)
	switch {
	case errors.Is(err, errTooLong):
		return nil, fmt.Errorf("%s expands to more than the limit of %d bytes", name, limit)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be expanded: %w", name, err)
	}
	return s, nil
}
