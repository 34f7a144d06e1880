//go:build unix

package desktop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"assay/model"
	"assay/model/userdata"
)

// claim makes this process the instance of dir. It returns nil without an error if another process is that instance.
//
// The lock is released when its process ends for any reason, so that a crashed instance does not block others. Its
// stale socket is removed under the lock.
func claim(dir string) (*Instance, error) {
	if err := makePrivate(dir); err != nil {
		return nil, err
	}
	lock, err := userdata.TryLock(filepath.Join(dir, "lock"))
	if lock == nil {
		return nil, err
	}
	l, err := listen(filepath.Join(dir, "socket"))
	if err != nil {
		lock.Close()
		return nil, err
	}
	return newInstance(l, lock.Close), nil
}

func listen(socket string) (net.Listener, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func dial(ctx context.Context, dir string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", filepath.Join(dir, "socket"))
}

func isOwnedByUser(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// makePrivate creates dir if it is missing, and returns an error if other users can access it.
func makePrivate(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !isOwnedByUser(info) {
		return fmt.Errorf("%s is not a folder that only you can access, so a running Assay was not contacted",
			model.FileName(dir))
	}
	return nil
}
