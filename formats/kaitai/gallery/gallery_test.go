package gallery

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
)

// describeIn writes a description for files of an extension.
func describeIn(t *testing.T, folder, name string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o755))
	file := filepath.Join(folder, name+".ksy")
	text := fmt.Sprintf("meta: {id: %s, file-extension: %[1]s}\nseq: [{id: a, type: u1}]", name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// TestFoldersAreListedAtMostOnceASecond tests that unrecognized files do not each walk the folders, and that new
// descriptions are found.
func TestFoldersAreListedAtMostOnceASecond(t *testing.T) {
	top := t.TempDir()
	mine, project := filepath.Join(top, "mine"), filepath.Join(top, "project")
	now := time.Unix(1e9, 0)
	g := &Gallery{UserFolders: func() []string { return []string{mine} }, now: func() time.Time { return now }}
	recognized := func(extension string) bool {
		file := filepath.Join(project, "maps", "file."+extension)
		return g.Recognize([]byte("x"), file, file) != nil
	}
	describeIn(t, mine, "one")
	assert.True(t, recognized("one"))
	describeIn(t, mine, "two")
	describeIn(t, filepath.Join(project, ProjectFolder), "three")
	assert.True(t, recognized("three"), "a folder around the file that was not looked into")
	assert.False(t, recognized("two"), "the folder is taken to be as it was")
	now = now.Add(listingLifetime)
	assert.True(t, recognized("two"))

	require.NoError(t, os.Remove(describeIn(t, mine, "two")))
	assert.Len(t, g.List(""), 1, "who asks for a list gets what is there")
}

// TestTheLongestMagicWins tests that the longest of the matching contents recognizes a file, and the first of those of
// one length.
func TestTheLongestMagicWins(t *testing.T) {
	folder := t.TempDir()
	for name, contents := range map[string]string{"a": "PK", "b": "PKLVL1", "c": "PKLVL1", "d": "PKL"} {
		text := fmt.Sprintf("meta: {id: %s}\nseq: [{id: a, contents: %s}]", name, contents)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".ksy"), []byte(text), 0o644))
	}
	describeIn(t, folder, "lvl")
	g := &Gallery{UserFolders: func() []string { return []string{folder} }}
	for head, want := range map[string]string{"PKLVL1 and so on": "b", "PKLV": "d", "PK": "a", "P": "lvl"} {
		d := g.Recognize([]byte(head), "", "file.lvl")
		require.NotNil(t, d, head)
		assert.Equal(t, want, d.ID, head)
	}
}

func TestDescriptionsBesideAFileAreOfferedNotRecognized(t *testing.T) {
	top := t.TempDir()
	beside, file := describeIn(t, top, "one"), filepath.Join(top, "file.one")
	describeIn(t, filepath.Join(top, "below"), "two")
	above := filepath.Join(top, "above.ksy")
	text := "meta: {id: above, imports: [../other]}\nseq: [{id: a, type: u1}]"
	require.NoError(t, os.WriteFile(above, []byte(text), 0o644))
	g := new(Gallery)
	found := g.EntriesBeside(file)
	require.Len(t, found, 2)
	assert.ErrorContains(t, found[0].Err, "is outside the folder")
	assert.Equal(t, beside, found[1].File)
	assert.NoError(t, found[1].Err)
	assert.Nil(t, g.Recognize([]byte("x"), file, file))
	assert.Empty(t, g.EntriesBeside(""))
}

func TestFoldersOfTheUserAreAddedOnce(t *testing.T) {
	top := t.TempDir()
	f := Folders{Own: filepath.Join(top, "own")}
	assert.Equal(t, []string{f.Own}, f.All())
	published := filepath.Join(top, "published formats")
	describeIn(t, filepath.Join(published, "common"), "part")
	for range 2 {
		require.NoError(t, f.Add(published))
	}
	assert.Equal(t, []string{f.Own, published}, f.All())
	g := &Gallery{UserFolders: f.All}
	assert.Len(t, g.List(""), 1)
	text := "meta: {id: whole, imports: [/common/part]}\nseq: [{id: p, type: part}]"
	require.NoError(t, os.MkdirAll(filepath.Join(published, "game"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(published, "game", "whole.ksy"), []byte(text), 0o644))
	for _, e := range g.List("") {
		assert.NoError(t, e.Err, "an absolute import is found below the folder that was added")
	}
	assert.ErrorContains(t, f.Add(filepath.Join(top, "nowhere")), "is not a folder that can be read")
	require.NoError(t, f.Remove(published))
	assert.Equal(t, []string{f.Own}, f.All())
}

func TestFoldersOfDescriptionsAreWatched(t *testing.T) {
	top := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	for _, folder := range []string{in("added", "deep", "deeper"), in("added", ".git"), in("game", ".assay", "formats", "old"),
		in("game", "levels"), in("alone")} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
	}
	f := Folders{Own: in("own")}
	require.NoError(t, f.Add(in("added")))
	assert.ElementsMatch(t, []string{in("own"), in("added"), in("added", "deep"), in("added", "deep", "deeper"),
		in("game", ".assay", "formats"), in("game", ".assay", "formats", "old"),
		in("alone", ".assay"), in("alone", ".assay", "formats")},
		f.Watched([]string{in("game", "levels", "one.lvl"), in("game", "two.lvl"), in("alone", "three.lvl")}))
}

// TestABrokenDescriptionIsReadAgain tests that a description with an error is read again after its files changed, not
// before.
func TestABrokenDescriptionIsReadAgain(t *testing.T) {
	folder := t.TempDir()
	text := "meta: {id: whole, imports: [part]}\nseq: [{id: p, type: part}]"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "whole.ksy"), []byte(text), 0o644))
	g := &Gallery{UserFolders: func() []string { return []string{folder} }}
	broken := g.List("")
	require.Len(t, broken, 1)
	require.ErrorContains(t, broken[0].Err, `the import "part" is not found`)
	assert.Same(t, broken[0], g.List("")[0])
	describeIn(t, folder, "part")
	for _, e := range g.List("") {
		assert.NoError(t, e.Err)
	}
}

// TestFilesDoNotWaitForAFolder tests that files are recognized by the known descriptions while a folder is listed, and
// that removed ones are dropped afterwards.
func TestFilesDoNotWaitForAFolder(t *testing.T) {
	folder := t.TempDir()
	file := describeIn(t, folder, "one")
	now := time.Unix(1e9, 0)
	g := &Gallery{UserFolders: func() []string { return []string{folder} }, now: func() time.Time { return now }}
	require.NotNil(t, g.Recognize([]byte("x"), "", "file.one"))
	s := g.folderCache(folderKey{folder: folder, isOwn: true, recursive: true})
	now = now.Add(listingLifetime)
	require.NoError(t, os.Remove(file))
	s.reading.Lock()
	assert.NotNil(t, g.Recognize([]byte("x"), "", "file.one"), "while the folder is listed")
	s.reading.Unlock()
	assert.Nil(t, g.Recognize([]byte("x"), "", "file.one"))
	assert.Empty(t, s.current.Load().files)
}

// TestDescriptionsOfAProjectStayInItsFolder tests that a description of a project imports from its folder only, in
// whatever spelling the user chose its path.
func TestDescriptionsOfAProjectStayInItsFolder(t *testing.T) {
	top := t.TempDir()
	describeIn(t, top, "outside")
	formats := filepath.Join(top, "project", ".assay", "formats")
	describeIn(t, filepath.Join(formats, "common"), "part")
	for name, imported := range map[string]string{"inside": "../common/part", "hostile": "../../../../outside"} {
		text := fmt.Sprintf("meta: {id: %s, imports: [%s]}\nseq: [{id: a, type: u1}]", name, imported)
		require.NoError(t, os.MkdirAll(filepath.Join(formats, "game"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(formats, "game", name+".ksy"), []byte(text), 0o644))
	}
	modeltest.Symlink(t, filepath.Join(formats, "game"), filepath.Join(top, "link"))
	mine := describeIn(t, filepath.Join(top, "mine"), "mine")
	require.NoError(t, os.WriteFile(mine, []byte("meta: {id: mine, imports: [../outside]}\nseq: [{id: a, type: u1}]"), 0o644))
	modeltest.Symlink(t, mine, filepath.Join(formats, "mine.ksy"))
	g := new(Gallery)
	for in, game := range map[string]string{top: formats + "/game", top + "/project": ".assay/formats/game",
		formats: "game", formats + "/game": ".", top + "/link": ".", top + "/mine": "../link"} {
		t.Chdir(in)
		d, err := g.Load(filepath.Join(game, "inside.ksy"))
		require.NoError(t, err, game)
		assert.Equal(t, "inside", d.ID)
		_, err = g.Load(filepath.Join(game, "hostile.ksy"))
		assert.ErrorContains(t, err, "is outside the folder", "%s in %s", game, in)
	}
	t.Chdir(formats)
	_, err := g.Load("mine.ksy")
	assert.ErrorContains(t, err, "is outside the folder", "a link of the project")
	_, err = g.Load(mine)
	assert.NoError(t, err, "the user's own")
}

func TestDescriptionsBehindALinkToAFolderAreFound(t *testing.T) {
	top := t.TempDir()
	describeIn(t, filepath.Join(top, "there", "deep"), "one")
	link := filepath.Join(top, "link")
	modeltest.Symlink(t, filepath.Join(top, "there"), link)
	f := Folders{Own: filepath.Join(top, "own")}
	require.NoError(t, f.Add(link))
	g := &Gallery{UserFolders: f.All}
	require.Len(t, g.List(""), 1)
	assert.Equal(t, filepath.Join(link, "deep", "one.ksy"), g.List("")[0].File)
	assert.NotNil(t, g.Recognize([]byte("x"), "", "file.one"))
	assert.Equal(t, []string{link, filepath.Join(link, "deep"), f.Own}, f.Watched(nil))
}

// TestLinksToDescriptionsAreDescriptions tests that links to folders and broken links are ignored.
func TestLinksToDescriptionsAreDescriptions(t *testing.T) {
	top, folder := t.TempDir(), t.TempDir()
	modeltest.Symlink(t, describeIn(t, top, "one"), filepath.Join(folder, "link.ksy"))
	modeltest.Symlink(t, top, filepath.Join(folder, "folder.ksy"))
	modeltest.Symlink(t, filepath.Join(top, "gone.ksy"), filepath.Join(folder, "nothing.ksy"))
	g := &Gallery{UserFolders: func() []string { return []string{folder} }}
	require.Len(t, g.List(""), 1)
	assert.NoError(t, g.List("")[0].Err)
	assert.NotNil(t, g.Recognize([]byte("x"), "", "file.one"))
}

func TestFirstDescriptionOverTheLimitHasAnError(t *testing.T) {
	folder := t.TempDir()
	for i := range maxFound + 2 {
		require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("d%04d.ksy", i)), []byte("meta: {id: d}"), 0o644))
	}
	found := (&Gallery{UserFolders: func() []string { return []string{folder} }}).List("")
	require.Len(t, found, maxFound+1)
	assert.Equal(t, "d2000", found[maxFound].Name)
	assert.EqualError(t, found[maxFound].Err, folder+" has more than 2000 descriptions; this and the next ones are ignored")
}
