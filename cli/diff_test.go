package cli

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
)

// twoVersions writes two folders, mine and theirs, with a scene, a picture, and a text that differ.
func twoVersions(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	all := assets.Samples()
	scene := all[slices.IndexFunc(all, func(s assets.Sample) bool { return s.Name == "duck.gpb" })].Bytes
	for name, files := range map[string]map[string][]byte{
		"mine": {"scene.gpb": scene, "picture.png": plainPNG(t, 8, 8, red), "words.txt": []byte("one\ntwo\n")},
		"theirs": {"scene.gpb": bytes.ReplaceAll(scene, []byte("beak"), []byte("nose")),
			"picture.png": plainPNG(t, 8, 8, blue), "words.txt": []byte("one\nzwei\n")},
	} {
		require.NoError(t, os.Mkdir(name, 0o700))
		for file, content := range files {
			require.NoError(t, os.WriteFile(filepath.Join(name, file), content, 0o600))
		}
	}
}

// TestUnchangedFilesListChangedFilesTheyUse compares folders with an unchanged material that uses a changed picture.
func TestUnchangedFilesListChangedFilesTheyUse(t *testing.T) {
	t.Chdir(t.TempDir())
	const texture = "material m\n{\ntechnique\n{\npass\n{\nsampler u_diffuseTexture\n{\npath = picture.png\n}\n}\n}\n}\n"
	for v, painted := range map[string]color.Color{"mine": red, "theirs": blue} {
		require.NoError(t, os.Mkdir(v, 0o700))
		for name, content := range map[string][]byte{"picture.png": plainPNG(t, 8, 8, painted),
			"other.png": plainPNG(t, 8, 8, red), "painted.material": []byte(texture),
			"other.material": []byte(strings.ReplaceAll(texture, "picture", "other")),
		} {
			require.NoError(t, os.WriteFile(filepath.Join(v, name), content, 0o600))
		}
	}
	for form, want := range map[string]string{
		"text":     "= painted.material: same bytes; uses picture.png, which differs\n",
		"json":     `"uses":["picture.png"]`,
		"markdown": "## same: painted.material\n\nsame bytes; uses picture.png, which differs\n",
		"html":     "<br>same bytes; uses picture.png, which differs</p>"} {
		status, out, messages := do(t, "diff", "--as", form, "mine", "theirs")
		assert.Equal(t, 1, status, messages)
		assert.Contains(t, out, want)
		assert.NotContains(t, out, "other")
	}
	status, out, _ := do(t, "diff", "mine", "mine")
	assert.Zero(t, status)
	assert.Empty(t, out)
}

// TestChangeTextDoesNotDependOnTheFolder compares files alone, in folders, in packages, and in nested packages.
func TestChangeTextDoesNotDependOnTheFolder(t *testing.T) {
	twoVersions(t)
	for _, v := range []string{"mine", "theirs"} {
		status, _, messages := do(t, "pack", v, "-o", v+".ppac")
		require.Zero(t, status, messages)
		require.NoError(t, os.Mkdir("of "+v, 0o700))
		require.NoError(t, os.Rename(v+".ppac", filepath.Join("of "+v, "inner.ppac")))
		for _, p := range [][2]string{{v, v + ".ppac"}, {"of " + v, "outer " + v + ".ppac"}} {
			status, _, messages = do(t, "pack", p[0], "-o", p[1])
			require.Zero(t, status, messages)
		}
	}
	const pixels = "64 of 64 pixels changed, maximum difference 170 of 255"
	for pair, wants := range map[[2]string][]string{
		{"mine/picture.png", "theirs/picture.png"}: {pixels},
		{"mine/words.txt", "theirs/words.txt"}:     {"1 of 2 lines changed"},
		{"mine/scene.gpb", "theirs/scene.gpb"}:     {"beak"},
		{"mine", "theirs"}:                         {pixels, "1 of 2 lines changed", "beak"},
		{"mine.ppac", "theirs.ppac"}: {"~ asset picture.png: " + pixels, "~ asset words.txt: 1 of 2 lines changed",
			"~ asset scene.gpb: ", "beak"},
		{"outer mine.ppac", "outer theirs.ppac"}: {"#   ~ asset inner.ppac: 3 assets", "#     ~ asset picture.png: " + pixels,
			"#     ~ asset words.txt: 1 of 2 lines changed", "#     ~ asset scene.gpb: ", "beak"},
	} {
		for _, form := range []string{"text", "json", "markdown", "html"} {
			status, out, messages := do(t, "diff", "--as", form, pair[0], pair[1])
			assert.Equal(t, 1, status, messages)
			for _, want := range wants {
				if _, sentence, ok := strings.Cut(want, ": "); ok && form != "text" {
					want = sentence
				}
				assert.Contains(t, out, want, "%s %s", form, pair)
			}
		}
	}
}

// TestNestedFilesAreComparedToTheLimit compares deeply nested packages.
func TestNestedFilesAreComparedToTheLimit(t *testing.T) {
	twoVersions(t)
	const deep = 5
	for _, v := range []string{"mine", "theirs"} {
		for range deep {
			status, _, messages := do(t, "pack", v, "-o", "inner.ppac")
			require.Zero(t, status, messages)
			require.NoError(t, os.RemoveAll(v))
			require.NoError(t, os.Mkdir(v, 0o700))
			require.NoError(t, os.Rename("inner.ppac", filepath.Join(v, "inner.ppac")))
		}
	}
	status, out, messages := do(t, "diff", "mine/inner.ppac", "theirs/inner.ppac")
	assert.Equal(t, 1, status, messages)
	assert.Contains(t, out, "#         ~ asset inner.ppac: contents not compared: it is nested 3 files deep; ")
	assert.NotContains(t, out, "words.txt")
}

// TestTheNullDeviceIsAnAbsentFile compares a file with the null device, as git difftool does for added and removed
// files.
func TestTheNullDeviceIsAnAbsentFile(t *testing.T) {
	twoVersions(t)
	for _, file := range []string{"scene.gpb", "picture.png", "words.txt"} {
		file = filepath.Join("mine", file)
		for _, form := range []string{"text", "json", "markdown", "html"} {
			status, out, messages := do(t, "diff", "--as", form, os.DevNull, file)
			assert.Equal(t, ExitProblems, status, messages)
			assert.Contains(t, out, "the file was added")
			assert.NotContains(t, out, "unknown format", "of a file that does not exist")
			status, out, messages = do(t, "diff", "--as", form, file, os.DevNull)
			assert.Equal(t, ExitProblems, status, messages)
			assert.Contains(t, out, "the file was removed")
		}
		_, out, _ := do(t, "diff", os.DevNull, file)
		assert.Contains(t, out, "# 1 added\n")
		_, out, _ = do(t, "diff", file, os.DevNull)
		assert.Contains(t, out, "# 1 removed\n")
	}
}

// TestIgnoredRangesAreNotListed tests that no ranges of bytes are listed before "no differences".
func TestIgnoredRangesAreNotListed(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old.txt", []byte("a\nb"), 0o600))
	require.NoError(t, os.WriteFile("new.txt", []byte("a\nb\n"), 0o600))
	status, out, _ := do(t, "diff", "--ignore", "eol", "old.txt", "new.txt")
	assert.Equal(t, ExitOK, status)
	assert.Equal(t, "# no differences (1 ignored by the rules)\n", out)
	status, out, _ = do(t, "diff", "--ignore", "indentation", "--summary", "old.txt", "new.txt")
	assert.Equal(t, ExitProblems, status)
	assert.Equal(t, "# line ends LF (none after the last line) → LF\n", out)
}
