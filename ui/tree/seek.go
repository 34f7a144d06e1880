package tree

import (
	"context"

	"assay/model"
	"assay/ui/host"
	"assay/ui/outline"
)

var _ outline.Seeker[*children] = (*source)(nil)

// Seek looks through long levels for the first node that begins with what is typed.
func (s *source) Seek(stretches []outline.Stretch[*children], prefix string,
	found func(in outline.Stretch[*children], pos int)) {
	total := 0
	for _, in := range stretches {
		total += in.To - in.From
	}
	say := s.group.Progress
	s.seeker.Go(func(ctx context.Context) func() {
		progress := say(ctx, func(done, total int64) {
			s.host.Tell("Searching: " + host.Number(done) + " of " + host.Count(total, "row") + "…")
		})
		looked := int64(0)
		for _, in := range stretches {
			level := in.In.Level
			if s.Ahead != nil && level.order == nil {
				if pos, ok := s.Ahead(ctx, level.node, in.From, in.To, prefix); ok {
					return s.found(pos >= 0, func() { found(in, pos) })
				}
			}
			for pos := in.From; pos < in.To; pos++ {
				if looked++; looked%1024 == 0 {
					if ctx.Err() != nil {
						return nil
					}
					progress(looked, int64(total))
				}
				if n := level.node.Child(level.Index(pos)); outline.Begins(prefix, n.Name, n.CallName()) {
					return s.found(true, func() { found(in, pos) })
				}
			}
		}
		return s.found(false, nil)
	})
}

// found ends what is told of a search, and goes to what it found.
func (s *source) found(any bool, goTo func()) func() {
	return func() {
		if s.host.Tell(""); any {
			goTo()
		} else {
			s.host.Tell("No matching row.")
		}
	}
}

// EndSeek ends a search.
func (s *source) EndSeek() { s.seeker.Stop() }

// Ahead finds, of the children of a long list from one to another, the first that begins with a text, off the UI
// thread; -1 if none does. known is false where the children have to be looked at one by one.
type Ahead func(ctx context.Context, list *model.Node, from, to int, prefix string) (index int, known bool)
