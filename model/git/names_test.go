package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/git"
)

func TestNames(t *testing.T) {
	root, do := repository(t, nil)
	path := filepath.Join(root, "a file.gpb")
	write := func(path, content string) string {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	for _, content := range []string{"first", "second", "third"} {
		write(path, content)
		do("add", ".")
		do("commit", "-qm", content)
	}
	first := do("rev-parse", "--short", "HEAD~2")
	write(path, "staged")
	do("add", ".")
	write(path, "edited")
	elsewhere := t.TempDir()
	var versions []string
	for _, content := range []string{"first", "third", "staged", "unknown"} {
		versions = append(versions, write(filepath.Join(elsewhere, content), content))
	}
	versions = append(versions, path, os.DevNull)
	assert.Equal(t, []string{first[:len(first)-1], "HEAD", "index", "", "working tree", ""},
		git.Names(t.Context(), path, versions))
	assert.Equal(t, []string{""}, git.Names(t.Context(), filepath.Join(elsewhere, "first"), []string{path}))
}

func TestMergeNames(t *testing.T) {
	root, do := repository(t, nil)
	path := filepath.Join(root, "a.gpb")
	commit := func(content string) string {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		do("add", ".")
		do("commit", "-qm", content)
		hash := do("rev-parse", "--short", "HEAD")
		return hash[:len(hash)-1]
	}
	names := func() []string {
		base, mine, theirs := git.MergeNames(t.Context(), path)
		return []string{base, mine, theirs}
	}
	base := commit("base")
	assert.Equal(t, []string{"base", "main", "theirs"}, names(), "nothing is merged")
	do("checkout", "-qb", "a/feature")
	theirs := commit("theirs")
	do("checkout", "-q", "main")
	mine := commit("mine")
	conflict := func(args ...string) {
		c := exec.Command("git", args...)
		c.Dir = root
		require.Error(t, c.Run())
	}
	conflict("merge", "a/feature")
	assert.Equal(t, []string{base, "main", "a/feature"}, names())
	do("merge", "--abort")
	do("checkout", "-q", "--detach", "main")
	conflict("cherry-pick", theirs)
	assert.Equal(t, []string{base, mine, "a/feature"}, names())
}
