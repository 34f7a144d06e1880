package git_test

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/git"
	"assay/model/modeltest"
)

func TestVersionOfHead(t *testing.T) {
	needGit(t)
	root := modeltest.New(t, map[string]string{"sub/-odd name.bin": "committed\r\n\x00", "sub/new.bin": "never"})
	path := filepath.Join(root, "sub", "-odd name.bin")
	read := func(path string) (string, error) {
		src, err := git.Head(t.Context(), path)
		if err != nil {
			return "", err
		}
		defer src.Close()
		b, err := io.ReadAll(src.Reader(model.Span{Size: src.Size()}))
		return string(b), err
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(root))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	_, err := read(path)
	assert.ErrorContains(t, err, "is not in a git repository")
	run := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@x"}, args...)...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	run("init", "-q")
	_, err = read(path)
	assert.ErrorContains(t, err, "has no commit yet")
	run("add", "--", "sub/-odd name.bin")
	run("commit", "-q", "-m", "first")
	require.NoError(t, os.WriteFile(path, []byte("later"), 0o600))
	got, err := read(path)
	require.NoError(t, err)
	assert.Equal(t, "committed\r\n\x00", got)
	src, err := git.Head(t.Context(), path)
	require.NoError(t, err)
	defer src.Close()
	assert.Equal(t, path, src.Home(), "what it refers to is around the file")
	around := src.Version().Files(root)
	b, err := fs.ReadFile(around, "sub/-odd name.bin")
	require.NoError(t, err)
	assert.Equal(t, "committed\r\n\x00", string(b), "as it was then")
	all, err := fs.ReadDir(around, "sub")
	require.NoError(t, err)
	assert.Len(t, all, 1, "what was never committed is not there")
	below, err := fs.ReadDir(src.Version().Files(filepath.Join(root, "sub")), ".")
	require.NoError(t, err)
	assert.Equal(t, "-odd name.bin", below[0].Name(), "a project may be below the top")
	t.Chdir(root) // as a difftool is started
	t.Setenv("GIT_DIR", ".git")
	t.Setenv("GIT_WORK_TREE", ".")
	got, err = read(path)
	require.NoError(t, err)
	assert.Equal(t, "committed\r\n\x00", got)
	_, err = read(filepath.Join(root, "sub", "new.bin"))
	assert.EqualError(t, err, "new.bin is not in git's HEAD: it was never committed")
}
