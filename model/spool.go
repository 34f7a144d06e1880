package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// spoolInMemory is how many bytes of a stream are kept in memory; a longer one goes into a temporary file.
const spoolInMemory = 16 << 20

// errTooLong says that a stream has more bytes than the limit.
var errTooLong = errors.New("more bytes than the limit")

// Spool reads a stream to its end and returns its bytes as a Source, which has them in memory or beyond 16 MiB in a
// temporary file that is gone after Close. Only the room on the disk bounds it.
func Spool(ctx context.Context, name string, r io.Reader) (*Source, error) {
	s, err := spool(ctx, name, r, math.MaxInt64-1)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return s, nil
}

// spool reads at most limit bytes; it returns errTooLong if there are more.
func spool(ctx context.Context, name string, r io.Reader, limit int64) (*Source, error) {
	r = io.LimitReader(ContextReader(ctx, r), limit+1)
	var head bytes.Buffer
	n, err := io.CopyN(&head, r, spoolInMemory)
	if err == io.EOF {
		if n > limit {
			return nil, errTooLong
		}
		return NewSource(name, bytes.NewReader(head.Bytes()), n), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := temporarySource(name)
	if err != nil {
		return nil, err
	}
	n, err = io.Copy(s.file, io.MultiReader(&head, r))
	if err == nil && n > limit {
		err = errTooLong
	}
	if err != nil {
		s.Close()
		return nil, plainTemporaryError(err)
	}
	s.size, s.r = n, newBlockCache(s.file, n)
	return s, nil
}

// temporarySource makes a temporary file. Where the system permits it, the file has no name from the beginning, so that
// nothing is left of it if the program is killed.
func temporarySource(name string) (*Source, error) {
	f, err := os.CreateTemp("", "assay-*")
	if err != nil {
		return nil, plainTemporaryError(err)
	}
	s := &Source{name: name, file: f}
	if os.Remove(f.Name()) != nil {
		s.remove = f.Name()
	}
	return s, nil
}

// plainTemporaryError names the folder of temporary files, which a person can change, instead of the file.
func plainTemporaryError(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("cannot write a temporary file in %s: %w (set TMPDIR to use another folder)", os.TempDir(), p.Err)
}

// ContextReader returns a reader of the same bytes that ends with a context, whose error it returns then.
func ContextReader(ctx context.Context, r io.Reader) io.Reader { return &contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
