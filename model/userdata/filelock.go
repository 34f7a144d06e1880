package userdata

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

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
