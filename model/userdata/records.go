package userdata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assay/model"
)

// Records keeps a value in each of its files. It may be used from any goroutine, and by several programs at once.
type Records[T any] struct {
	path        string
	contentName string // the files have: "assignments"
	limit       int64  // bytes of a file
	mu          sync.Mutex
}

// RecordsIn returns the records in the folder at path, which need not exist. A file has at most maxSize bytes; content
// names the values in messages.
func RecordsIn[T any](path, content string, maxSize int64) *Records[T] {
	return &Records[T]{path: path, contentName: content, limit: maxSize}
}

// Path returns the path of the file with a name.
func (r *Records[T]) Path(name string) string { return filepath.Join(r.path, name+extension) }

const extension = ".json"

// Read returns the value in the file with a name, or the zero value if there is no file.
func (r *Records[T]) Read(name string) (value T, err error) {
	path := r.Path(name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return value, nil
	case err != nil || !info.Mode().IsRegular():
		return value, r.unreadable(path)
	case info.Size() > r.limit:
		return value, fmt.Errorf("the %s file %s is larger than %d bytes", r.contentName,
			filepath.Base(path), r.limit)
	}
	b, err := model.ReadShared(path)
	if err == nil {
		err = json.Unmarshal(b, &value)
	}
	if err != nil {
		var none T
		return none, r.unreadable(path)
	}
	return value, nil
}

func (r *Records[T]) unreadable(path string) error {
	return fmt.Errorf("the %s in %s cannot be read", r.contentName, filepath.Base(path))
}

// Entry is a file of the folder.
type Entry struct {
	Name  string // for Read
	Size  int64
	Write time.Time // when it was written
}

// Entries lists the files of the folder.
func (r *Records[T]) Entries() ([]Entry, error) {
	files, err := os.ReadDir(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var entries []Entry
	for _, file := range files {
		name, ok := cutExtension(file.Name())
		info, err := file.Info()
		if ok && err == nil && info.Mode().IsRegular() {
			entries = append(entries, Entry{name, info.Size(), info.ModTime()})
		}
	}
	return entries, err
}

func cutExtension(name string) (stem string, ok bool) {
	return name[:len(name)-len(filepath.Ext(name))], filepath.Ext(name) == extension
}

// lockTimeout is the maximum time that a change waits for another program's.
const lockTimeout = 5 * time.Second

// Change calls change, which reads and writes files, while no other program changes files of this folder.
func (r *Records[T]) Change(change func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := MakeFolder(r.path, 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	unlock, err := Lock(ctx, filepath.Join(r.path, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return change()
}

// Write writes the file with a name, in a Change.
func (r *Records[T]) Write(name string, value T) error {
	b, err := r.encode(value)
	if err != nil {
		return err
	}
	return model.ReplaceFile(r.Path(name), b, 0o600)
}

func (r *Records[T]) encode(value T) ([]byte, error) {
	b, err := json.MarshalIndent(value, "", "\t")
	if err == nil && int64(len(b)) > r.limit {
		err = fmt.Errorf("a file can have %d bytes of %s at most", r.limit, r.contentName)
	}
	return b, err
}

func (r *Records[T]) writeEach(values map[string]T) error {
	for name, value := range values {
		if err := r.Write(name, value); err != nil {
			return err
		}
	}
	return nil
}

// maxAsideFiles is the maximum number of kept damaged files of one name.
const maxAsideFiles = 9

// keepAside renames a damaged file in a Change, so that it is not overwritten.
func (r *Records[T]) keepAside(name string) error {
	path := r.Path(name)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return err // it is a pipe, a folder or a link, which writing refuses
	}
	for i := range maxAsideFiles {
		aside := fmt.Sprintf("%s.broken%d", path, i+1)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(path, aside)
		}
	}
	return fmt.Errorf("the damaged %s file %s is not replaced, as %d others are beside it; remove some", r.contentName,
		filepath.Base(path), maxAsideFiles)
}

// Remove removes the file with a name, in a Change. A missing file is no error.
func (r *Records[T]) Remove(name string) error {
	if err := os.Remove(r.Path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// retryInterval is the time between two attempts of Lock.
const retryInterval = 10 * time.Millisecond

// Lock acquires the lock at a path, creating the file if needed, as soon as it is free. It ends with the context's
// error.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := TryLock(path)
		switch {
		case err != nil:
			return nil, err
		case f != nil:
			return func() { _ = f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another Assay process has locked %s: %w", filepath.Base(path), ctx.Err())
		case <-time.After(retryInterval):
		}
	}
}
