package git_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/git"
	"assay/model/modeltest"
)

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
}

// repository returns a new repository, without the settings of the user.
func repository(t *testing.T, files map[string]string) (root string, do func(args ...string) string) {
	t.Helper()
	needGit(t)
	root = modeltest.Folder(t, files)
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"),
		"GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL":   filepath.Join(home, "gitconfig"), "GIT_CEILING_DIRECTORIES": filepath.Dir(root),
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	do = func(args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, "git %v: %s", args, out)
		return string(out)
	}
	do("init", "-q", "-b", "main")
	return root, do
}

// shouts is a script in place of the program: its tree is the file in capitals, and its status reports problems.
const shouts = "#!/bin/sh\n[ \"$1 $2 $3\" = 'tree --no-offsets --' ] || exit 2\ntr a-z A-Z < \"$4\"\nexit 1\n"

func TestSetupConfiguresGitAndUndoRestoresIt(t *testing.T) {
	for _, global := range []bool{false, true} {
		root, do := repository(t, map[string]string{"scene.gpb": "one\x00\n", "other.txt": "text\n"})
		program := filepath.Join(t.TempDir(), "it's a program")
		require.NoError(t, os.WriteFile(program, []byte(shouts), 0o700))
		do("add", ".")
		do("commit", "-qm", "first")
		require.NoError(t, os.WriteFile(filepath.Join(root, "scene.gpb"), []byte("two\x00\n"), 0o600))
		assert.Contains(t, do("diff"), "Binary files")

		before := do("config", "--list", "--show-origin")
		var talk bytes.Buffer
		setup := &git.Setup{Folder: root, Global: global, Program: program, Window: program,
			Extensions: []string{".gpb", ".casset"}, Archives: []string{".ppac"}, Texts: []string{".experiment"}, Log: &talk}
		for range 2 { // a second time changes nothing
			require.NoError(t, setup.Write(t.Context()))
		}
		assert.Equal(t, 1, strings.Count(talk.String(), "wrote "))
		assert.NotContains(t, talk.String(), "repaired")
		scope := map[bool]string{false: "--local", true: "--global"}[global]
		do("config", scope, "diff.assay.textconv", "assay tree --no-offsets") // as earlier versions wrote it
		require.NoError(t, setup.Write(t.Context()))
		assert.Equal(t, 1, strings.Count(talk.String(), "repaired the settings of an earlier setup\n"))
		diff := do("diff", "-a")
		assert.Contains(t, diff, "-ONE")
		assert.Contains(t, diff, "+TWO")
		assert.Equal(t, "'"+strings.ReplaceAll(program, "'", `'\''`)+`' mergetool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"`+"\n",
			do("config", "mergetool.assay.cmd"))
		assert.Contains(t, do("check-attr", "diff", "x.casset"), "diff: assay")
		assert.Contains(t, do("check-attr", "diff", "x.experiment"), "diff: set")
		assert.Contains(t, do("check-attr", "merge", "x.ppac"), "merge: assay")

		for range 2 {
			require.NoError(t, setup.Undo(t.Context()))
		}
		assert.Equal(t, before, do("config", "--list", "--show-origin"))
		assert.Contains(t, do("check-attr", "diff", "x.casset"), "diff: unspecified")
		assert.Contains(t, do("diff"), "Binary files")
	}
}

func TestSetupKeepsOtherSettings(t *testing.T) {
	root, do := repository(t, nil)
	path := filepath.Join(root, ".git", "info", "attributes")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("*.png binary"), 0o600))
	setup := &git.Setup{Folder: root, Program: "assay", Extensions: []string{".gpb"}, Log: new(bytes.Buffer)}
	require.NoError(t, setup.Write(t.Context()))
	assert.Contains(t, do("check-attr", "diff", "x.png"), "diff: unset")
	assert.Contains(t, do("check-attr", "diff", "x.gpb"), "diff: assay")
	require.NoError(t, setup.Undo(t.Context()))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "*.png binary\n", string(b))
}

func TestSetupOutsideOfARepositoryNeedsGlobal(t *testing.T) {
	root, _ := repository(t, nil)
	require.NoError(t, os.RemoveAll(filepath.Join(root, ".git")))
	setup := &git.Setup{Folder: root, Program: "assay", Log: new(bytes.Buffer)}
	assert.ErrorContains(t, setup.Write(t.Context()), "--global")
}

func TestRevisionsFollowRenamedFiles(t *testing.T) {
	root, do := repository(t, map[string]string{"a dir/old.gpb": strings.Repeat("one\n", 20)})
	do("add", ".")
	do("commit", "-qm", "first, with a \x02 subject")
	do("mv", "a dir/old.gpb", "a dir/new.gpb")
	do("commit", "-qm", "renamed")
	path := filepath.Join(root, "a dir", "new.gpb")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("one\n", 19)+"two\n"), 0o600))
	do("commit", "-qam", "third")

	all, err := git.Revisions(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, all, 3)
	for i, want := range []struct{ subject, path, end string }{
		{"third", "a dir/new.gpb", "two\n"}, {"renamed", "a dir/new.gpb", "one\n"},
		{"first, with a \x02 subject", "a dir/old.gpb", "one\n"}} {
		assert.Equal(t, want.subject, all[i].Subject)
		assert.Equal(t, want.path, all[i].Path)
		assert.Equal(t, "A", all[i].Author)
		src, err := git.OpenAt(t.Context(), path, all[i])
		require.NoError(t, err)
		b, err := src.Bytes(model.Span{Size: src.Size()})
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(string(b), want.end))
		src.Close()
	}

	require.NoError(t, os.WriteFile(filepath.Join(root, "never.gpb"), nil, 0o600))
	_, err = git.Revisions(t.Context(), filepath.Join(root, "never.gpb"))
	assert.ErrorContains(t, err, "never committed")
}

// records is a script in place of the window: it records its arguments and the contents of the files. As a mergetool it
// writes $MERGES to the merged file, or fails if that is empty.
const records = "#!/bin/sh\necho \"$1 $#\" >> \"$RECORD\"\n" +
	"if [ \"$1\" = mergetool ]; then\n  [ -n \"$MERGES\" ] || exit 1\n  echo \"$MERGES\" > \"$5\"\n  shift\n" +
	"else\n  shift 3\nfi\nfor f; do cat \"$f\" >> \"$RECORD\"; echo \"|${f##*.}\" >> \"$RECORD\"; done\n"

// recorded sets up a repository with records as its tools. read returns the record and removes it.
func recorded(t *testing.T, files map[string]string) (root string, do func(args ...string) string,
	read func() string) {
	t.Helper()
	root, do = repository(t, files)
	program := filepath.Join(t.TempDir(), "a window")
	require.NoError(t, os.WriteFile(program, []byte(records), 0o700))
	record := filepath.Join(t.TempDir(), "record")
	t.Setenv("RECORD", record)
	setup := &git.Setup{Folder: root, Program: program, Window: program, Extensions: []string{".gpb"},
		Log: new(bytes.Buffer)}
	require.NoError(t, setup.Write(t.Context()))
	return root, do, func() string {
		t.Helper()
		b, err := os.ReadFile(record)
		require.NoError(t, err)
		require.NoError(t, os.Remove(record))
		return string(b)
	}
}

func TestDifftoolGetsBothVersions(t *testing.T) {
	root, do, read := recorded(t, map[string]string{"a file.gpb": "old"})
	do("add", ".")
	do("commit", "-qm", "first")
	require.NoError(t, os.WriteFile(filepath.Join(root, "a file.gpb"), []byte("new"), 0o600))
	do("difftool", "-y", "-t", "assay")
	assert.Equal(t, "compare 6\nnew|gpb\nold|gpb\nnew|gpb\n", read())
}

func TestMergetoolGetsThreeVersions(t *testing.T) {
	for _, c := range []struct{ name, base, want string }{
		{"edited in both", "base", "mergetool 5\nbase|gpb\nmine|gpb\ntheirs|gpb\nmerged\n|gpb\n"},
		{"added in both", "", "mergetool 5\n|gpb\nmine|gpb\ntheirs|gpb\nmerged\n|gpb\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"other": "x"}
			if c.base != "" {
				files["scene.gpb"] = c.base
			}
			root, do, read := recorded(t, files)
			commit := func(content string) {
				require.NoError(t, os.WriteFile(filepath.Join(root, "scene.gpb"), []byte(content), 0o600))
				do("add", ".")
				do("commit", "-qm", content)
			}
			do("add", ".")
			do("commit", "-qm", "first")
			do("branch", "theirs")
			commit("mine")
			do("checkout", "-q", "theirs")
			commit("theirs")
			do("checkout", "-q", "main")
			merge := exec.Command("git", "merge", "theirs")
			merge.Dir = root
			require.Error(t, merge.Run(), "there is a conflict")

			for _, content := range []string{"", "merged"} {
				t.Setenv("MERGES", content)
				tool := exec.Command("git", "mergetool", "-t", "assay")
				tool.Dir, tool.Stdin = root, strings.NewReader("n\n")
				out, err := tool.CombinedOutput()
				assert.Equal(t, content == "", err != nil, "%s", out)
				if content == "" {
					assert.Contains(t, string(out), "merge of scene.gpb failed")
					read()
				}
			}
			assert.Equal(t, c.want, read())
			do("commit", "-qm", "merged")
			b, err := os.ReadFile(filepath.Join(root, "scene.gpb"))
			require.NoError(t, err)
			assert.Equal(t, "merged\n", string(b))
		})
	}
}
