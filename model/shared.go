package model

import (
	"io"
	"os"
)

// OpenShared opens a file or folder for reading, so that others may write to it, replace it, rename it and remove it
// meanwhile. On Windows os.Open shares no right to rename or remove.
func OpenShared(path string) (*os.File, error) { return openShared(path) }

// ReadShared reads a whole file that OpenShared opens.
func ReadShared(path string) ([]byte, error) {
	f, err := openShared(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// ReplaceFile writes a file, which is there as a whole or not at all, in the place of one that may be there. Windows
// refuses that while another program has the old one open. Who only looks at it, as what indexes or scans files does,
// is soon done, and is waited for.
func ReplaceFile(path string, content []byte, perm os.FileMode) error {
	return replaceFile(path, content, perm)
}
