package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
)

var (
	before = map[string]string{"story.txt": "one\ntwo\nthree\nfour\n", "icon.bin": "\x00red", "tree.bin": "\x00green",
		"gone.bin": "\x00gone"}
	ofMine = map[string]string{"story.txt": "ONE\ntwo\nthree\nfour\n", "icon.bin": "\x00blue", "tree.bin": "\x00green",
		"gone.bin": "\x00gone", "new.bin": "\x00mine"}
	ofTheirs = map[string]string{"story.txt": "one\ntwo\nthree\nFOUR\n", "icon.bin": "\x00red", "tree.bin": "\x00yellow"}
	ofBoth   = map[string]string{"story.txt": "ONE\ntwo\nthree\nFOUR\n", "icon.bin": "\x00blue", "tree.bin": "\x00yellow",
		"new.bin": "\x00mine"}
)

func TestPackagesAreMergedAssetByAsset(t *testing.T) {
	for _, variant := range []string{"later", "published"} {
		three := []string{pack(t, "--variant", variant, folderOf(t, before)), pack(t, "--variant", variant, folderOf(t, ofMine)),
			pack(t, "--variant", variant, folderOf(t, ofTheirs))}
		merged := filepath.Join(t.TempDir(), "merged.ppac")
		args := append([]string{"merge", "-o", merged}, three...)
		status, out, messages := do(t, args...)
		require.Zero(t, status, messages)
		assert.Equal(t, ofBoth, loadedAssets(t, merged), out)
		status, _, messages = do(t, args...)
		assert.Equal(t, ExitError, status)
		assert.Contains(t, messages, "already exists; choose another name")
		status, _, messages = do(t, append(args, "--replace")...)
		assert.Zero(t, status, messages)
		status, text, _ := do(t, "verify", merged)
		assert.Zero(t, status, text)

		// Both changed one asset, and one removed an asset that the other changed.
		theirs := maps.Clone(ofTheirs)
		theirs["icon.bin"] = "\x00orange"
		mine := maps.Clone(ofMine)
		mine["gone.bin"], mine["story.txt"] = "\x00not gone", "1\ntwo\nthree\nfour\n"
		theirs["story.txt"] = "uno\ntwo\nthree\nfour\n"
		three[1], three[2] = pack(t, "--variant", variant, folderOf(t, mine)), pack(t, "--variant", variant, folderOf(t, theirs))
		again := filepath.Join(t.TempDir(), "again.ppac")
		args = append([]string{"merge", "-o", again}, three...)
		status, out, messages = do(t, args...)
		id := func(name string) string {
			found := regexp.MustCompile(`conflict  ` + name + ` \[(\S+)\]`).FindStringSubmatch(out)
			require.NotNil(t, found, out)
			return found[1]
		}
		assert.Equal(t, ExitProblems, status)
		assert.Contains(t, messages, "3 conflicts; nothing written")
		assert.Contains(t, out, "story.txt line 1 ["+id("story.txt line 1")+"]: mine: 1; theirs: uno; base: one\n")
		assert.Contains(t, out, "gone.bin ["+id("gone.bin")+"]: mine: 5 → 9 bytes, 4 bytes inserted at 0x1; theirs: nothing; base: 5 bytes\n")
		assert.NoFileExists(t, again)
		status, _, messages = do(t, append(args, "--take", "both")...)
		assert.Equal(t, ExitError, status)
		assert.Contains(t, messages, "gone.bin cannot take both versions")
		status, text, messages = do(t, append(args, "--take", id("icon.bin")+"=theirs", "--take", id("story.txt line 1")+"=both",
			"--take", "mine")...)
		require.Zero(t, status, messages+text)
		got := loadedAssets(t, again)
		assert.Equal(t, "1\nuno\ntwo\nthree\nfour\n", got["story.txt"])
		assert.Equal(t, "\x00not gone", got["gone.bin"])
		assert.Equal(t, "\x00orange", got["icon.bin"])
	}
}

// TestChangesOfThePackageMetadataConflict changes the metadata of a package in both versions.
func TestChangesOfThePackageMetadataConflict(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		t.Run(name, func(t *testing.T) {
			titled := func(title string) string {
				var b bytes.Buffer
				require.NoError(t, ppactest.Write(&b, ppactest.Archive{Layout: layout, Created: 1, Modified: 2,
					Metadata: ppactest.Pairs("title", title), Assets: []ppactest.Asset{{TPU: ppactest.NewTPU(0x200, 0, 1),
						Content: []byte("content")}}}))
				return file(t, title+".ppac", b.String())
			}
			base, mine, theirs := titled("old"), titled("mine"), titled("theirs")
			title := func(path string) string {
				_, out, _ := do(t, "tree", "--no-offsets", path)
				return regexp.MustCompile(`"?(old|mine|theirs)"?\n`).FindStringSubmatch(out)[1]
			}
			merged := filepath.Join(t.TempDir(), "merged.ppac")
			status, out, messages := do(t, "merge", "-o", merged, base, mine, theirs)
			assert.Equal(t, ExitProblems, status)
			assert.Equal(t, "conflict  metadata of the package [metadata]: mine: title: mine; "+
				"theirs: title: theirs; base: title: old\n", out)
			assert.Contains(t, messages, "1 conflict; nothing written")
			assert.NoFileExists(t, merged)
			for _, test := range []struct {
				mine, theirs, want string
				take               []string
			}{
				{mine, base, "mine", nil},
				{base, theirs, "theirs", nil},
				{mine, theirs, "mine", []string{"--take", "mine"}},
				{mine, theirs, "theirs", []string{"--take", "metadata=theirs"}},
			} {
				args := append([]string{"merge", "--replace", "-o", merged, base, test.mine, test.theirs}, test.take...)
				status, _, messages = do(t, args...)
				require.Zero(t, status, messages)
				assert.Equal(t, test.want, title(merged))
			}
			status, _, messages = do(t, "merge", base, mine, theirs, "--take", "metadata=both")
			assert.Equal(t, ExitError, status)
			assert.Contains(t, messages, "cannot take both for metadata")
		})
	}
}

// TestMergeListsRenamedAndRemovedAssets tests that each row states what a version did, also a rename beside a change of
// the content.
func TestMergeListsRenamedAndRemovedAssets(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		t.Run(name, func(t *testing.T) {
			version := func(title string, names ...string) string {
				a := ppactest.Archive{Layout: layout, Created: 1, Modified: 2}
				for i, name := range names {
					if name != "" {
						a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x200, 0, uint32(i)),
							Content: []byte(title), Metadata: ppactest.Pairs("filename", name, "kept", "yes")})
					}
				}
				var b bytes.Buffer
				require.NoError(t, ppactest.Write(&b, a))
				return file(t, title+".ppac", b.String())
			}
			base, mine := version("base", "a.txt", "b.txt", "c.txt"), version("new", "a.txt", "", "", "d.txt")
			theirs := version("their", "renamed.txt", "b.txt")
			_, out, _ := do(t, "merge", base, mine, theirs)
			assert.Contains(t, out, "conflict  a.txt [0200-0000-00000000]: mine: 1 of 1 line changed, filename: a.txt; "+
				"theirs: 1 of 1 line changed, filename: renamed.txt; base: 4 bytes, filename: a.txt\n")
			assert.Contains(t, out, "mine      c.txt [0200-0000-00000002]: removed in both\n")
			assert.Contains(t, out, "mine      d.txt [0200-0000-00000003]: added in mine\n")
			_, out, _ = do(t, "merge", base, base, theirs)
			assert.Contains(t, out, "theirs    a.txt [0200-0000-00000000]: changed in theirs: 4 bytes, filename: a.txt → "+
				"5 bytes, filename: renamed.txt\n")
		})
	}
}

func TestTextsAreMergedByLines(t *testing.T) {
	base, mine := file(t, "a.material", "material a\n{\n  x = 1\n\n  y = 2\n}\n"), "material a\n{\n  x = 10\n\n  y = 2\n}\n"
	theirs := file(t, "c.material", "material a\n{\n  x = 1\n\n  y = 20\n}\n")
	out := filepath.Join(t.TempDir(), "m.material")
	status, text, messages := do(t, "merge", base, file(t, "b.material", mine), theirs, "-o", out)
	require.Zero(t, status, messages)
	assert.Contains(t, text, "mine      line 3 [1]\ntheirs    line 5 [2]\n")
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, "material a\n{\n  x = 10\n\n  y = 20\n}\n", string(b))

	// Both sides move a closing brace, to different lines.
	base = file(t, "a.material", "material a\n{\n  x = 1\n}\n\nmaterial b\n{\n}\n\nmaterial c\n{\n}\n\n// end\n")
	one := file(t, "b.material", "material a\n{\n  x = 1\n\nmaterial b\n{\n}\n\nmaterial c\n{\n}\n}\n\n// end\n")
	two := file(t, "c.material", "material a\n{\n  x = 1\n\nmaterial b\n{\n}\n}\n\nmaterial c\n{\n}\n\n// end\n")
	torn := filepath.Join(t.TempDir(), "torn.material")
	status, _, messages = do(t, "merge", base, one, two, "-o", torn)
	assert.Equal(t, ExitError, status)
	assert.Contains(t, messages, "was not written: the merged file has a problem")
	assert.NoFileExists(t, torn)
}

func TestUnmergeableFilesAreTakenWhole(t *testing.T) {
	base, mine, theirs := file(t, "a.bin", "\x00one\xff"), file(t, "b.bin", "\x00two\xfe"), file(t, "c.bin", "\x00three\xfd")
	out := filepath.Join(t.TempDir(), "x.bin")
	status, text, messages := do(t, "merge", base, mine, theirs, "-o", out)
	assert.Equal(t, ExitProblems, status)
	assert.Contains(t, messages, "assay: cannot merge this format (unknown format); take one version\n")
	assert.Contains(t, text, "conflict  the whole file [file]: mine: 4 of 5 bytes changed, at 0x1; theirs: 4 of 5 bytes changed, at 0x1, now 6 bytes; base: 5 bytes")
	status, _, messages = do(t, "merge", base, mine, theirs, "-o", out, "--take", "theirs")
	require.Zero(t, status, messages)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, "\x00three\xfd", string(b))
	for _, test := range [][2]string{{"nothing", "invalid --take value nothing: use mine"}, {"none=mine", "cannot take mine for none"},
		{"a,b=mine", "cannot take mine for a,b."}} {
		status, _, messages = do(t, "merge", base, mine, theirs, "--take", test[0])
		assert.Equal(t, ExitError, status)
		assert.Contains(t, messages, test[1])
	}
	status, _, _ = do(t, "merge", base, mine, base, "-o", filepath.Join(t.TempDir(), "y"))
	assert.Zero(t, status, "only mine changed")
}

// TestUnsuitableFilesAreNotMerged tests that merging unsuitable files prints an error and writes nothing.
func TestUnsuitableFilesAreNotMerged(t *testing.T) {
	archive := func(contents ...string) string {
		a := ppactest.Archive{Created: 1, Modified: 2}
		for _, text := range contents {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x200, 0, 1), Content: []byte(text)})
		}
		var b bytes.Buffer
		require.NoError(t, ppactest.Write(&b, a))
		return file(t, "x.ppac", b.String())
	}
	one, twice, none := archive("\x00one"), archive("\x00one", "\x00two"), archive()
	raw, empty := file(t, "x.bin", "\x00raw"), file(t, "empty", "")
	other := file(t, "other.ppac", "PPAC\x00\x09\x00\x00")
	cut := file(t, "cut.ppac", "PPAC\x00\x04\x00\x00")
	for _, test := range []struct {
		base, mine, theirs string
		status             int
		says               string
	}{
		{one, one, raw, ExitOK, "cannot merge files of different formats (mine: ppac 4.0"},
		{raw, one, twice, ExitProblems, "the base has a different format (unknown format; the versions: ppac 4.0"},
		{one, twice, empty, ExitProblems, "cannot merge files of different formats"},
		{one, twice, other, ExitProblems, "theirs: ppac 9.0); take one version\n"},
		{one, twice, cut, ExitError, "cut.ppac: the index is damaged"},
		{cut, one, twice, ExitError, "cut.ppac: the index is damaged"},
		{one, twice, none, ExitProblems, "1 conflict; nothing written"},
		{one, one, none, ExitOK, ""},
		{one, one, twice, ExitOK, ""}, // of assets with one key, the last is loaded
		{empty, one, twice, ExitProblems, "1 conflict; nothing written"},
		{empty, empty, empty, ExitOK, ""},
	} {
		dir := t.TempDir()
		status, _, messages := do(t, "merge", test.base, test.mine, test.theirs, "-o", filepath.Join(dir, "merged.ppac"))
		assert.Equal(t, test.status, status, messages)
		assert.Contains(t, messages, test.says)
		all, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Equal(t, test.status == ExitOK, len(all) == 1, messages)
	}
}

// TestGitMergesPackages tests the merge driver of git-setup: git merges packages in which different assets changed.
func TestGitMergesPackages(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	program, dir, home := buildWithoutWindow(t), t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A",
		"GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"), "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A",
		"GIT_COMMITTER_EMAIL": "a@b", "GIT_CEILING_DIRECTORIES": filepath.Dir(dir)} {
		t.Setenv(name, value)
	}
	t.Chdir(dir)
	git := func(args ...string) {
		t.Helper()
		out, err := exec.Command("git", args...).CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
	}
	commit := func(files map[string]string) {
		t.Helper()
		b, err := os.ReadFile(pack(t, folderOf(t, files)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("world.ppac", b, 0o600))
		git("add", ".")
		git("commit", "-qm", "a version")
	}
	git("init", "-q", "-b", "main")
	git("config", "merge.assay.driver", "'"+program+"' merge %O %A %B -o %A --replace --git=%P")
	require.NoError(t, os.WriteFile(".gitattributes", []byte("*.ppac merge=assay\n"), 0o600))
	commit(before)
	git("checkout", "-q", "-b", "feature")
	commit(ofTheirs)
	git("checkout", "-q", "main")
	commit(ofMine)
	git("merge", "-q", "feature")
	assert.Equal(t, ofBoth, loadedAssets(t, "world.ppac"))

	// As a mergetool, the program without a window merges changes that do not conflict, or reports conflicts.
	sides := []string{pack(t, folderOf(t, before)), pack(t, folderOf(t, ofMine)), pack(t, folderOf(t, ofTheirs))}
	require.NoError(t, os.WriteFile("merged.ppac", []byte("<<<<<<<"), 0o600))
	require.NoError(t, exec.Command(program, append(append([]string{"mergetool"}, sides...), "merged.ppac")...).Run())
	assert.Equal(t, ofBoth, loadedAssets(t, "merged.ppac"))
	other := maps.Clone(ofTheirs)
	other["icon.bin"] = "\x00orange"
	sides[2] = pack(t, folderOf(t, other))
	require.Error(t, exec.Command(program, append(append([]string{"mergetool"}, sides...), "merged.ppac")...).Run())
	assert.Equal(t, ofBoth, loadedAssets(t, "merged.ppac"), "as before")

	// As git's merge driver, it names the command that resolves conflicts.
	status, _, messages := do(t, append([]string{"merge", "-o", "merged.ppac", "--replace", "--git=art/world.ppac"}, sides...)...)
	assert.Equal(t, 1, status)
	assert.Equal(t, "assay: art/world.ppac: 1 conflict; kept your version. Resolve with git mergetool -t assay\n", messages)
	assert.Equal(t, ofBoth, loadedAssets(t, "merged.ppac"), "as before")
}
