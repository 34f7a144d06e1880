package archive

import (
	"context"
	"sync"

	"assay/model"
)

// Shared is the assets of a document, read once for all who ask for them. It is safe for concurrent use.
type Shared struct {
	document *model.Document
	run      func(job func(ctx context.Context))

	mu    sync.Mutex
	begun bool
	read  *Archive // so far; nil until the first assets are read
	err   error
	ended bool
	grown chan struct{} // closed when more is read
}

// NewShared returns the assets of a document, which are read by a job of run when somebody first asks for them. run may
// be called on any goroutine; the job ends with the context that run gives it.
func NewShared(d *model.Document, run func(job func(ctx context.Context))) *Shared {
	return &Shared{document: d, run: run, grown: make(chan struct{})}
}

// Read waits until all assets are read, and returns them. grown is called now and then with what has been read so far.
// The reading goes on when ctx ends.
func (s *Shared) Read(ctx context.Context, grown func(a *Archive)) (*Archive, error) {
	s.mu.Lock()
	begin := !s.begun
	s.begun = true
	s.mu.Unlock()
	if begin {
		s.run(func(ctx context.Context) {
			a, err := Read(ctx, s.document, func(a *Archive) { s.tell(a, nil, false) })
			s.tell(a, err, true)
		})
	}
	for {
		s.mu.Lock()
		a, err, ended, more := s.read, s.err, s.ended, s.grown
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

// tell passes on what has been read.
func (s *Shared) tell(a *Archive, err error, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.err, s.ended = a, err, ended
	close(s.grown)
	s.grown = make(chan struct{})
}
