package model

import (
	"slices"
	"sync"
)

// besidesMost is how many paths are noted.
const besidesMost = 1 << 14

// besides is the paths that were noted. It is shared by a source and those inside of it.
type besides struct {
	mu    sync.Mutex
	paths map[string]struct{}
}

// NoteBeside notes that something else on disk was read, or looked for, to make what is seen of the source.
func (s *Source) NoteBeside(path string) {
	b := s.noted()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.paths) <= besidesMost {
		b.paths[path] = struct{}{}
	}
}

// Beside returns the files and folders that were noted, in order; those that were looked for need not be there. It is
// false if they were too many to note.
func (s *Source) Beside() (paths []string, whole bool) {
	b := s.noted()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.paths) > besidesMost {
		return nil, false
	}
	for path := range b.paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths, true
}

func (s *Source) noted() *besides {
	if b := s.besides.Load(); b != nil {
		return b
	}
	s.besides.CompareAndSwap(nil, &besides{paths: make(map[string]struct{})})
	return s.besides.Load()
}
