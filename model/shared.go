package model

import (
	"fmt"
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

// ReadText reads a file with a text that people write, such as a description: a regular file of up to most bytes. A
// pipe or a device is not opened, and of a file that grows meanwhile no more is read.
func ReadText(path string, most int64) ([]byte, error) {
	info, err := StatFile(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, &OpenError{path, fmt.Sprintf("has %d bytes; %d are allowed", info.Size(), most), nil}
	}
	f, err := openShared(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, &OpenError{path, "was replaced while it was opened", err}
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// ReplaceFile writes a file, which is there as a whole or not at all, in the place of one that may be there. Windows
// refuses that while another program has the old one open. Who only looks at it, as what indexes or scans files does,
// is soon done, and is waited for.
func ReplaceFile(path string, content []byte, perm os.FileMode) error {
	return replaceFile(path, content, perm)
}
