//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/model/userdata"
)

// maxLockWait is the maximum time that a registration waits for another one.
const maxLockWait = 10 * time.Second

// lock prevents other registrations of this user from changing the default programs until unlock, which removes all
// traces of the lock.
func (r *Registration) lock(ctx context.Context) (unlock func(), err error) {
	if r.State == "" || r.Staged {
		return func() {}, nil
	}
	path := filepath.Join(r.State, "register.lock")
	ctx, cancel := context.WithTimeout(ctx, maxLockWait)
	defer cancel()
	for {
		if err := userdata.MakeFolder(r.State, 0o700); err != nil {
			return nil, err
		}
		f, err := userdata.Try(path)
		if f != nil && isAt(f, path) {
			return func() {
				_ = os.Remove(path) // before unlocking: waiting processes check the path again
				f.Close()
				_ = os.Remove(r.State) // if it is empty
				r.removeEmpty(filepath.Dir(r.State))
			}, nil
		}
		if f != nil {
			f.Close()
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the folder has just been removed
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another Assay process is changing the default apps (%s is locked). Try again later", path)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	existing, err := os.Lstat(path)
	return err == nil && os.SameFile(open, existing)
}
