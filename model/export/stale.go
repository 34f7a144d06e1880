package export

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The name of a file that is not complete, or has no other name yet.
const (
	partPrefix = ".assay-"
	partSuffix = ".part"
)

// partAge is the minimum age of a part that was certainly abandoned, if there are no locks: no write takes a day.
const partAge = 24 * time.Hour

// removeStaleParts removes the parts that killed programs left in a folder, once for each folder. It ignores errors, as
// the remaining parts do no harm.
func (d *Directory) removeStaleParts(root *os.Root, folder string) {
	d.mu.Lock()
	swept := d.swept[folder]
	d.swept[folder] = true
	d.mu.Unlock()
	if swept {
		return
	}
	dir, err := root.Open(folder)
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	_ = dir.Close()
	for _, name := range names {
		if !strings.HasPrefix(name, partPrefix) || !strings.HasSuffix(name, partSuffix) {
			continue
		}
		path := filepath.Join(folder, name)
		if info, err := root.Lstat(path); err == nil && info.Mode().IsRegular() && isAbandoned(root, path, info) {
			_ = root.Remove(path)
		}
	}
}
