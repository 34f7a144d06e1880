//go:build !windows

package model

import (
	"os"

	"github.com/moby/sys/atomicwriter"
)

func openShared(path string) (*os.File, error) { return os.Open(path) }

func replaceFile(path string, content []byte, perm os.FileMode) error {
	return atomicwriter.WriteFile(path, content, perm)
}
