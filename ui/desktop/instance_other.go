//go:build !unix

package desktop

import "os"

// tryLock takes the lock at path by opening it for itself alone: systems without flock refuse to remove a file that
// another process has open.
func tryLock(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if os.IsExist(err) {
		return nil, nil
	}
	return f, err
}

// mine: folders below a user's own local data are this user's.
func mine(os.FileInfo) bool { return true }
