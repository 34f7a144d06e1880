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

// maxInMemory is the number of bytes of a stream that stay in memory; a longer stream is written to a temporary file.
const maxInMemory = 16 << 20

var errTooLong = errors.New("more bytes than the limit")

// Spool reads a stream to its end and returns its bytes as a Source, which keeps them in memory or beyond 16 MiB in a
// temporary file that Close removes. Only the space on the disk bounds it.
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
	n, err := io.CopyN(&head, r, maxInMemory)
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

// plainTemporaryError names the folder of temporary files, which the user can change, instead of the file.
func plainTemporaryError(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("cannot write a temporary file in %s: %w (set TMPDIR to use another folder)", os.TempDir(), p.Err)
}
