package git

import (
	"path/filepath"
	"strings"
)

// Temporary reports whether a file is one that git makes for a difftool, and removes after it.
func Temporary(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		if strings.HasPrefix(name, "git-blob-") || strings.HasPrefix(name, "git-difftool.") {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
