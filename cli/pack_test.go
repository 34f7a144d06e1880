package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
)

// folderOf writes files with these names into a folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

// loadedAssets returns the assets of packages that are loaded in order, by their names.
func loadedAssets(t *testing.T, packages ...string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	status, _, messages := do(t, append([]string{"extract", "-o", dir}, packages...)...)
	require.Zero(t, status, messages)
	all := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(b)
		return err
	}))
	return all
}

// pack runs the command pack, and returns the path of the package.
func pack(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.ppac")
	status, _, messages := do(t, append([]string{"pack", "-o", out}, args...)...)
	require.Zero(t, status, messages)
	status, text, _ := do(t, "verify", out)
	require.Zero(t, status, text)
	return out
}

var (
	older = map[string]string{"a.txt": "one", "b/same.json": "{}", "b/gone.bin": "\x00", "empty.css": "",
		"0200-0007-0000002A.png": "named by its key"}
	newer = map[string]string{"a.txt": "two", "b/same.json": "{}", "c.txt": "added", "empty.css": "",
		"0200-0007-0000002A.png": "named by its key"}
)

func TestPatchHasTheDifferencesOfTwoPackages(t *testing.T) {
	for _, variant := range []string{"later", "published"} {
		t.Run(variant, func(t *testing.T) {
			from, to := folderOf(t, older), folderOf(t, newer)
			for _, same := range []string{"b/same.json", "empty.css", "0200-0007-0000002A.png"} {
				info, err := os.Stat(filepath.Join(from, same))
				require.NoError(t, err)
				require.NoError(t, os.Chtimes(filepath.Join(to, same), info.ModTime(), info.ModTime()))
			}
			oldPack, newPack := pack(t, "--variant", variant, from), pack(t, "--variant", variant, to)
			assert.Equal(t, older, loadedAssets(t, oldPack))
			assert.Equal(t, newer, loadedAssets(t, newPack))

			p := filepath.Join(t.TempDir(), "p.ppac")
			status, out, messages := do(t, "patch", oldPack, newPack, "-o", p)
			require.Zero(t, status, messages)
			assert.Contains(t, out, "1 added, 1 changed, 1 removed\nremoved b/gone.bin (0001-0000-")
			assert.Contains(t, messages, "a patch cannot remove assets: 1 asset of "+oldPack+" will remain")
			assert.Equal(t, map[string]string{"a.txt": "two", "c.txt": "added"}, loadedAssets(t, p))

			shown := loadedAssets(t, oldPack, p)
			stacked := loadedAssets(t, pack(t, oldPack, p))
			assert.Equal(t, shown, stacked)
			delete(shown, "b/gone.bin")
			assert.Equal(t, newer, shown)

			nothing := filepath.Join(t.TempDir(), "nothing.ppac")
			status, out, messages = do(t, "patch", newPack, newPack, "-o", nothing)
			require.Zero(t, status, messages)
			assert.Equal(t, "the packages have the same assets: no patch was written\n", out)
			assert.NoFileExists(t, nothing)

			fewer := pack(t, "--variant", variant, folderOf(t, map[string]string{"empty.css": newer["empty.css"]}))
			more := pack(t, fewer, pack(t, "--variant", variant, folderOf(t, map[string]string{"x.txt": "x"})))
			status, out, messages = do(t, "patch", more, fewer, "-o", nothing)
			require.Zero(t, status, messages)
			assert.NoFileExists(t, nothing)
			assert.Contains(t, out, "nothing was added or changed, 1 removed: no patch was written\nremoved x.txt (")
			assert.Contains(t, messages, "assay pack "+fewer+" -o FILE")
		})
	}
}

func TestThePackageOfOnePackageIsItself(t *testing.T) {
	for _, variant := range []string{"later", "published"} {
		first := pack(t, pack(t, "--variant", variant, folderOf(t, older)))
		second := pack(t, first)
		a, err := os.ReadFile(first)
		require.NoError(t, err)
		b, err := os.ReadFile(second)
		require.NoError(t, err)
		assert.Equal(t, a, b)
	}
}

func TestPackReadsTypesFromATable(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.txt": "", "b.lvl": "", "c.jpeg": "", "d": ""})
	table := file(t, "types", "# of this game\n.LVL 0x8001\ntxt 8002\n\n")
	_, out, _ := do(t, "tree", pack(t, "--types", table, dir))
	for _, key := range []string{"8002-0000-", "8001-0000-", "0202-0000-", "0000-0000-"} {
		assert.Contains(t, out, key)
	}
	for content, reason := range map[string]string{"lvl\n": "line 1: expected an extension and a type",
		"lvl 12345\n": "up to four hexadecimal digits, such as 0200, not 12345"} {
		status, _, messages := do(t, "pack", "--types", file(t, "types", content), dir, "-o",
			filepath.Join(t.TempDir(), "x.ppac"))
		assert.Equal(t, 2, status)
		assert.Contains(t, messages, reason)
	}
}

func TestPackRefusesUnsuitableInputs(t *testing.T) {
	text := file(t, "a.txt", "text")
	good := pack(t, folderOf(t, newer))
	published := pack(t, "--variant", "published", folderOf(t, older))
	b, err := os.ReadFile(published)
	require.NoError(t, err)
	changed := strings.Replace(string(b), "named by", "NAMED by", 1) // its Adler-32 is not updated
	damaged := file(t, "damaged.ppac", changed)
	for _, test := range []struct {
		reason string
		args   []string
	}{
		{"use the extension .ppac", []string{"pack", text, "-o", "x.zip"}},
		{"unknown variant 5; use later or published", []string{"pack", "--variant", "5", text, "-o", "x.ppac"}},
		{"a.txt is not a PPAC package", []string{"pack", text, "-o", "x.ppac"}},
		{"a.txt is not a PPAC package", []string{"patch", good, text, "-o", "x.ppac"}},
		{"apply only when packing a folder", []string{"pack", "--variant", "later", good, "-o", "x.ppac"}},
		{"cannot combine packages of different revisions", []string{"pack", good, published, "-o", "x.ppac"}},
		{"the folder nowhere does not exist", []string{"pack", good, "-o", "nowhere/x.ppac"}},
		{"verification of the written package failed", []string{"pack", damaged, "-o", "x.ppac"}},
		{"link to nothing", []string{"pack", "links", "-o", "x.ppac"}},
		{"have the same key 0200-0000-00000001", []string{"pack", "twice", "-o", "x.ppac"}},
		{"a package holds names of at most 255", []string{"pack", "long", "-o", "x.ppac"}},
	} {
		t.Chdir(t.TempDir())
		require.NoError(t, os.Mkdir("links", 0o700))
		if modeltest.HasLinks() {
			require.NoError(t, os.Symlink("nothing", "links/link"))
		} else if slices.Contains(test.args, "links") {
			continue
		}
		require.NoError(t, os.Rename(folderOf(t, map[string]string{"a/0200-0000-00000001.png": "",
			"b/0200-0000-00000001.png": ""}), "twice"))
		require.NoError(t, os.Rename(folderOf(t, map[string]string{strings.Repeat(strings.Repeat("x", 99)+"/", 3) + "x": ""}),
			"long"))
		status, _, messages := do(t, test.args...)
		assert.Equal(t, 2, status, test.args)
		assert.Contains(t, messages, test.reason)
		assert.NoFileExists(t, "x.ppac")
	}
}

func TestPackKeepsAnExistingFile(t *testing.T) {
	there := file(t, "x.ppac", "there")
	status, _, messages := do(t, "pack", folderOf(t, older), "-o", there)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "already exists; choose another name")
	b, err := os.ReadFile(there)
	require.NoError(t, err)
	assert.Equal(t, "there", string(b))
}
