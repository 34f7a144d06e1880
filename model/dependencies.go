package model

import (
	"slices"
	"sync"
)

// dependenciesMost is how many paths are noted.
const dependenciesMost = 1 << 14

// dependencies are the paths that were noted. It is shared by a source and those inside of it.
type dependencies struct {
	mu    sync.Mutex
	paths map[string]struct{}
}

// NoteDependency notes that something else on disk was read, or looked for, to make what is seen of the source.
func (s *Source) NoteDependency(path string) {
	b := s.noted()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.paths) <= dependenciesMost {
		b.paths[path] = struct{}{}
	}
}

// Dependencies returns the files and folders that were noted, in order; those that were looked for need not be there.
// It is false if they were too many to note.
func (s *Source) Dependencies() (paths []string, whole bool) {
	b := s.noted()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.paths) > dependenciesMost {
		return nil, false
	}
	for path := range b.paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths, true
}

func (s *Source) noted() *dependencies {
	if b := s.depends.Load(); b != nil {
		return b
	}
	s.depends.CompareAndSwap(nil, &dependencies{paths: make(map[string]struct{})})
	return s.depends.Load()
}
