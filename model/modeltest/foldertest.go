package modeltest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Day is when all files were changed last.
var Day = time.Date(2026, 2, 3, 12, 0, 0, 0, time.Local)

// New makes a folder with files, by their paths and contents.
func New(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		require.NoError(t, os.Chtimes(path, Day, Day))
	}
	return root
}

// Link makes a symbolic link, or skips the test where there are none: Windows lets only developers make them, and
// Wine 8 says that it did and makes none.
func Link(t testing.TB, target, path string) {
	t.Helper()
	err := os.Symlink(target, path)
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil {
		t.Skipf("SKIPPED: there are no symbolic links here: %v", err)
	}
}

// Versions makes two folders that differ in all ways: "came", "gone", "was" that moved to "is/now", "sub/longer" and
// "sub/byte" that changed, and "same".
func Versions(t testing.TB) (old, new string) {
	t.Helper()
	old = New(t, map[string]string{"same": "same", "sub/longer": "short", "sub/byte": "abcdef", "gone": "gone",
		"was": "the content stays", ".git/x": "1"})
	new = New(t, map[string]string{"same": "same", "sub/longer": "longer!", "sub/byte": "abcXef", "came": "come!",
		"is/now": "the content stays", ".git/x": "2"})
	return old, new
}
