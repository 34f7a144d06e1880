package modeltest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// HasLinks reports whether symbolic links can be made and followed. Windows permits them only to some users, and Wine
// makes links that lead nowhere.
var HasLinks = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "links")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if os.WriteFile(file, nil, 0o600) != nil || os.Symlink(file, link) != nil {
		return false
	}
	_, err = os.Stat(link)
	return err == nil
})

// Symlink makes a symbolic link, or skips the test where there are none.
func Symlink(t testing.TB, target, link string) {
	t.Helper()
	if !HasLinks() {
		t.Skip("SKIPPED: no symbolic links")
	}
	require.NoError(t, os.Symlink(target, link))
}
