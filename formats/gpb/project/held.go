package project

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"

	"assay/model"
)

// maxHeld is the maximum size of the bundles of one project in memory, in bytes. A .scene may name 64 of 64 MB each.
const maxHeld = 256 << 20

// held manages the files of a project that are in memory, ordered by last use. The bytes of a dropped file are read
// again on demand.
type held struct {
	limit int64
	mu    sync.Mutex
	size  int64
	files []*heldFile
}

// heldFile is a file of a project that may be in memory.
type heldFile struct {
	parent *held
	load   func() (*bytes.Reader, error)
	name   string
	size   int64
	data   *bytes.Reader // nil while it is not in memory
}

// HeldFile reads a file of the project. Its bytes may be dropped and read again, to stay within maxHeld.
func (s *store) HeldFile(full string) (*model.Source, error) {
	load := func() (*bytes.Reader, error) { return s.bytesOf(full, maxFileSize) }
	f := &heldFile{parent: &s.held, name: full, load: load}
	f.parent.mu.Lock()
	defer f.parent.mu.Unlock()
	if err := f.read(); err != nil {
		return nil, err
	}
	f.size = f.data.Size()
	return model.NewSource(path.Base(full), f, f.size), nil
}

// ReadAt implements io.ReaderAt.
func (f *heldFile) ReadAt(p []byte, offset int64) (int, error) {
	data, err := f.bytes()
	if err != nil {
		return 0, err
	}
	return data.ReadAt(p, offset)
}

var _ io.ReaderAt = (*heldFile)(nil)

// bytes returns the bytes of the file; they stay valid if the file is dropped.
func (f *heldFile) bytes() (*bytes.Reader, error) {
	f.parent.mu.Lock()
	defer f.parent.mu.Unlock()
	if f.data == nil {
		if err := f.read(); err != nil {
			return nil, err
		}
		if f.data.Size() != f.size {
			f.parent.drop(f)
			return nil, fmt.Errorf("%s: %w", Printable(f.name), model.ErrChanged)
		}
	} else if last := f.parent.files[len(f.parent.files)-1]; last != f {
		i := slices.Index(f.parent.files, f)
		f.parent.files = append(slices.Delete(f.parent.files, i, i+1), f)
	}
	return f.data, nil
}

// read reads the bytes of a file that is not in memory, and drops the least recently used ones.
func (f *heldFile) read() (err error) {
	if f.data, err = f.load(); err != nil {
		f.data = nil
		return err
	}
	parent := f.parent
	parent.files, parent.size = append(parent.files, f), parent.size+f.data.Size()
	for parent.size > parent.limit && parent.files[0] != f {
		parent.drop(parent.files[0])
	}
	return nil
}

// drop drops the bytes of a file.
func (h *held) drop(f *heldFile) {
	h.files = slices.DeleteFunc(h.files, func(other *heldFile) bool { return other == f })
	h.size -= f.data.Size()
	f.data = nil
}
