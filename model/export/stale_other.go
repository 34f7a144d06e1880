//go:build !unix

package export

import (
	"os"
	"time"
)

func mayWrite(string) error { return nil } // known when the first file is written

func lockPart(int) {}

// isAbandoned reports whether a part was abandoned, by its age.
func isAbandoned(_ *os.Root, _ string, info os.FileInfo) bool {
	return time.Since(info.ModTime()) > partAge
}
