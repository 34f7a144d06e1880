package project

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"

	"assay/model"
)

// Cached returns a function that makes a value once and caches it. If the context of a caller ends, the caller gets its
// error at once, even while another call makes the value. A value that was not completed because its context ended is
// made again by the next call.
func Cached[T any](build func(context.Context) (T, error)) func(context.Context) (T, error) {
	lock := make(chan struct{}, 1) // one call at a time can send to it
	var value T
	var err error
	isMade := false
	return func(ctx context.Context) (none T, _ error) {
		select {
		case lock <- struct{}{}:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		defer func() { <-lock }()
		if !isMade {
			value, err = build(ctx)
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			isMade = true
		}
		return value, err
	}
}

// maxCachedBytes is the maximum size of the bundles of one project in memory, in bytes. A .scene may name 64 of 64 MB
// each.
const maxCachedBytes = 256 << 20

// fileCache manages the files of a project that are in memory, ordered by last use. The bytes of a dropped file are
// read again on demand.
type fileCache struct {
	limit int64
	mu    sync.Mutex
	size  int64
	files []*cachedFile
}

// cachedFile is a file of a project that may be in memory.
type cachedFile struct {
	parent *fileCache
	load   func() (*bytes.Reader, error)
	name   string
	size   int64
	data   *bytes.Reader // nil while it is not in memory
}

// CachedFile reads a file of the project. Its bytes may be dropped and read again, to stay within maxCachedBytes.
func (s *store) CachedFile(inRoot string) (*model.Source, error) {
	load := func() (*bytes.Reader, error) { return s.bytesOf(inRoot, maxFileSize) }
	f := &cachedFile{parent: &s.cache, name: inRoot, load: load}
	f.parent.mu.Lock()
	defer f.parent.mu.Unlock()
	if err := f.read(); err != nil {
		return nil, err
	}
	f.size = f.data.Size()
	return model.NewSource(path.Base(inRoot), f, f.size), nil
}

// ReadAt implements io.ReaderAt.
func (f *cachedFile) ReadAt(p []byte, offset int64) (int, error) {
	data, err := f.bytes()
	if err != nil {
		return 0, err
	}
	return data.ReadAt(p, offset)
}

var _ io.ReaderAt = (*cachedFile)(nil)

// bytes returns the bytes of the file; they stay valid if the file is dropped.
func (f *cachedFile) bytes() (*bytes.Reader, error) {
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
func (f *cachedFile) read() (err error) {
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
func (h *fileCache) drop(f *cachedFile) {
	h.files = slices.DeleteFunc(h.files, func(other *cachedFile) bool { return other == f })
	h.size -= f.data.Size()
	f.data = nil
}
