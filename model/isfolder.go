package model

import "os"

// IsFolder reports whether a folder is at a path.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
