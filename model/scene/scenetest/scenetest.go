// Package scenetest makes scenes for tests.
package scenetest

import "fmt"

// Floats is scene.Floats in memory.
type Floats []float32

// Read implements scene.Floats.
func (s Floats) Read(first int, into []float32) error {
	if first < 0 || first > len(s) || len(into) > len(s)-first {
		return fmt.Errorf("floats %d to %d of %d", first, first+len(into), len(s))
	}
	copy(into, s[first:])
	return nil
}

// Indices is scene.Indices in memory.
type Indices []uint32

// Len returns the number of indices.
func (s Indices) Len() int { return len(s) }

// Read implements scene.Indices.
func (s Indices) Read(first int, into []uint32) error {
	if first < 0 || first > len(s) || len(into) > len(s)-first {
		return fmt.Errorf("indices %d to %d of %d", first, first+len(into), len(s))
	}
	copy(into, s[first:])
	return nil
}
