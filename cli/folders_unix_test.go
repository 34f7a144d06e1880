//go:build unix

package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
)

// TestVerifyReportsUnreadableFilesInAFolder tests that verify reports unreadable files in a folder, as the window and
// diff do.
func TestVerifyReportsUnreadableFilesInAFolder(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	one, far := filepath.Join(root, "one"), filepath.Join(root, "link", "far")
	require.NoError(t, os.WriteFile(one, nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "far"), nil, 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600))
	r, out, messages := files{one: document("one", "v"), far: document("far", "v")}.runner()
	assert.Equal(t, cli.ExitError, r.Verify(t.Context(), []string{root}, cli.VerifyOptions{Recursive: true}))
	assert.Contains(t, out.String(), one+": ")
	assert.Contains(t, out.String(), far+": ")
	assert.Contains(t, messages.String(), filepath.Join(root, "pipe")+" is a pipe, not a file; save its output to a file first")

	over, cancel := context.WithCancel(t.Context())
	cancel()
	out.Reset()
	assert.Equal(t, cli.ExitError, r.Verify(over, []string{root}, cli.VerifyOptions{Recursive: true}))
	assert.NotContains(t, out.String(), "accounted")
}
