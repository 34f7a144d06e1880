//go:build !linux

package userdata

// WriteAll writes the files with some names, in a Change.
func (r *Records[T]) WriteAll(values map[string]T) error { return r.writeEach(values) }
