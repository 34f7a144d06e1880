package archive

import (
	"context"
	"sync"

	"assay/model"
)

// Shared is the assets of a document, read once for all callers. It is safe for concurrent use.
type Shared struct {
	document *model.Document
	run      func(job func(ctx context.Context))

	mu      sync.Mutex
	started bool
	read    *Archive // so far; nil until the first assets are read
	err     error
	done    bool
	grown   chan struct{} // closed when more is read
}

// NewShared returns the assets of a document, which are read by a job of run at the first call of Read. run may be
// called on any goroutine; the job ends with the context that run gives it.
func NewShared(d *model.Document, run func(job func(ctx context.Context))) *Shared {
	return &Shared{document: d, run: run, grown: make(chan struct{})}
}

// Read waits until all assets are read, and returns them. grown is called from time to time with the assets read so
// far. The job continues when ctx ends.
func (s *Shared) Read(ctx context.Context, grown func(a *Archive)) (*Archive, error) {
	s.mu.Lock()
	starts := !s.started
	s.started = true
	s.mu.Unlock()
	if starts {
		s.run(func(ctx context.Context) {
			a, err := Read(ctx, s.document, func(a *Archive) { s.publish(a, nil, false) })
			s.publish(a, err, true)
		})
	}
	for {
		s.mu.Lock()
		a, err, ended, more := s.read, s.err, s.done, s.grown
		s.mu.Unlock()
		if ended {
			return a, err
		}
		if a != nil {
			grown(a)
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// publish stores the assets read so far and wakes the goroutines that wait in Read.
func (s *Shared) publish(a *Archive, err error, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.err, s.done = a, err, ended
	close(s.grown)
	s.grown = make(chan struct{})
}
