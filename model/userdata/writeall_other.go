//go:build !linux

package userdata

// WriteAll writes the files with some names, in a Change.
func (f *Records[T]) WriteAll(values map[string]T) error { return f.writeEach(values) }
