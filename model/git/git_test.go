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

func TestOpenHeadReadsTheStoredVersion(t *testing.T) {
	needGit(t)
	root := modeltest.Folder(t, map[string]string{"sub/-odd name.bin": "committed\r\n\x00", "sub/new.bin": "never"})
	path := filepath.Join(root, "sub", "-odd name.bin")
	read := func(path string) (string, error) {
		src, err := git.OpenHead(t.Context(), path)
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
	src, err := git.OpenHead(t.Context(), path)
	require.NoError(t, err)
	defer src.Close()
	assert.Equal(t, path, src.Home(), "references are found beside the file")
	around := src.Version().Files(root)
	b, err := fs.ReadFile(around, "sub/-odd name.bin")
	require.NoError(t, err)
	assert.Equal(t, "committed\r\n\x00", string(b), "as it was then")
	all, err := fs.ReadDir(around, "sub")
	require.NoError(t, err)
	assert.Len(t, all, 1, "files that were never committed are absent")
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

func TestVersionsAreNamedByTheirContent(t *testing.T) {
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
		git.VersionNames(t.Context(), path, versions))
	assert.Equal(t, []string{""}, git.VersionNames(t.Context(), filepath.Join(elsewhere, "first"), []string{path}))
}

func TestMergedVersionsAreNamedByBranchOrCommit(t *testing.T) {
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
	assert.Equal(t, []string{"base", "main", "theirs"}, names(), "without a merge")
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

func TestFilesOfDifftoolsAreTemporary(t *testing.T) {
	assert.True(t, git.IsTemporary("/tmp/git-blob-IismPb/scene.gpb"))
	assert.True(t, git.IsTemporary("/tmp/git-difftool.x1/left/a/scene.gpb"))
	assert.False(t, git.IsTemporary("/home/me/git-blob.gpb"))
	assert.False(t, git.IsTemporary("scene.gpb"))
}
