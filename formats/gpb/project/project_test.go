package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/folder/foldertest"
)

// around returns the project around res/models/duck.gpb that has some files.
func around(files fstest.MapFS) *project.Project {
	return project.New(files, "res/models/duck.gpb")
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestFind(t *testing.T) {
	p := around(fstest.MapFS{
		"game.config":              file("aliases\n{\n floor = res/dxt/floor.dds\n circle = @@circle\n other = @floor\n lost = res/lost.dds\n}\n"),
		"res/png/duck.png":         file(""),
		"res/png/Both.png":         file(""),
		"res/png/both.png":         file(""),
		"res/models/near.png":      file(""),
		"res/dxt/floor.dds":        file(""),
		"res/materials/beside.png": file(""),
		"res/other/only.png":       file(""),
		"res/a/twice.png":          file(""),
		"res/b/twice.png":          file(""),
	})
	for name, want := range map[string]project.Found{
		"res/png/duck.png":  {Path: "res/png/duck.png"},
		`res\png\duck.png`:  {Path: "res/png/duck.png"},
		"RES/PNG/Duck.PNG":  {Path: "res/png/duck.png"},
		"near.png":          {Path: "res/models/near.png"},
		".//near.png":       {Path: "res/models/near.png"},
		"../png/duck.png":   {Path: "res/png/duck.png"},
		"beside.png":        {Path: "res/materials/beside.png"},
		"@floor":            {Path: "res/dxt/floor.dds"},
		"@lost":             {Problem: "@lost: res/lost.dds is not in the project"},
		"@circle":           {Problem: "@circle: @@circle is not in the project"},
		"@other":            {Problem: "@other: @floor is not in the project"},
		"@none":             {Problem: "there is no alias @none in game.config"},
		"no.png":            {Problem: "no.png is not in the project"},
		"/etc/passwd":       {Problem: "/etc/passwd is an absolute path, which may lead out of the project and is not followed"},
		`C:\a.png`:          {Problem: `C:\a.png is an absolute path, which may lead out of the project and is not followed`},
		"../../../../a.png": {Problem: "../../../../a.png leads out of the project and is not followed"},
		"textures/only.png": {Path: "res/other/only.png",
			Substitution: "textures/only.png is not there; res/other/only.png, of the same name, is shown in its place"},
		"textures/only.dds": {Path: "res/other/only.png",
			Substitution: "textures/only.dds is not there; res/other/only.png, of the same name, is shown in its place"},
		"textures/twice.png":               {Problem: "textures/twice.png is not there, and there are 2 files of its name"},
		"res/png":                          {Problem: "res/png is not in the project"},
		"res/png/BOTH.png":                 {Problem: "res/png/BOTH.png is not there, and there are 2 files of its name"},
		"a\x00.png":                        {Problem: "a\\x00.png is not a path"},
		strings.Repeat("a/", 600) + "a.md": {Problem: ""},
	} {
		got := p.Find(name, "res/materials")
		if want == (project.Found{}) || strings.ContainsRune(name, 0) {
			assert.Contains(t, got.Problem, "is not a path")
			continue
		}
		assert.Equal(t, want, got, "%q", name)
	}
}

// TestWhereAPathIsLookedFor has a file in each place where a path is looked for, and takes away the one that is found.
func TestWhereAPathIsLookedFor(t *testing.T) {
	files := fstest.MapFS{}
	order := []string{
		"res/models/a/X.png", "res/a/X.png", "a/X.png", // as it is written, from the file's folder and those above it
		"res/text/a/X.png",                             // from the folder of the text
		"res/models/A/x.png", "res/A/x.png", "A/X.PNG", // the same without regard to case
		"res/Text/a/x.png",
		"elsewhere/X.png", // of the same name
	}
	for _, name := range order {
		files[name] = file("")
	}
	for _, want := range order {
		assert.Equal(t, want, around(files).Find("a/X.png", "res/text").Path)
		delete(files, want)
	}
	assert.Equal(t, "a/X.png is not in the project", around(files).Find("a/X.png", "res/text").Problem)
}

// TestAPathThatBeginsWithAnAtIsAnAlias has a file of such a name, and a game.config that cannot be read.
func TestAPathThatBeginsWithAnAtIsAnAlias(t *testing.T) {
	p := around(fstest.MapFS{"@logo": file(""), "game.config": file(strings.Repeat(" ", properties.MaxSize+1))})
	assert.Equal(t, project.Found{Problem: "there is no alias @logo: game.config has more than the 16777216 bytes that " +
		"are read of such a file"}, p.Find("@logo", "."))
}

// TestARootThatCannotBeReadIsTriedAgain looks for a file before its folder is there.
func TestARootThatCannotBeReadIsTriedAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "game")
	write := func() {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "res"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, "res", "a.png"), nil, 0o600))
	}
	write()
	p := around(fstest.MapFS{}).Elsewhere(filepath.Join(root, "res", "a.gpb"))
	require.NoError(t, os.RemoveAll(root))
	assert.Equal(t, project.Found{Problem: "the folder of res/a.png cannot be read"}, p.Find("res/a.png", "."))
	assert.Equal(t, "the folder of b.png cannot be read", p.Texture("b.png", ".").Missing)
	write()
	assert.Equal(t, project.Found{Path: "res/a.png"}, p.Find("res/a.png", "."))
	assert.Equal(t, "b.png is not in the project", p.Texture("b.png", ".").Missing)
}

// TestLinksToFolders has a folder with a link to the one it is in: the files below are there once.
func TestLinksToFolders(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "res", "textures"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "res", "textures", "wood.png"), nil, 0o600))
	foldertest.Link(t, "..", filepath.Join(root, "res", "textures", "up"))
	p := around(fstest.MapFS{}).Elsewhere(filepath.Join(root, "res", "a.gpb"))
	assert.Equal(t, "res/textures/up/textures/wood.png", p.Find("res/textures/up/textures/wood.png", ".").Path)
	assert.Equal(t, "res/textures/wood.png", p.Find("nowhere/wood.png", ".").Path)
	all, err := p.Files(func(name string) bool { return name == "wood.png" })
	require.NoError(t, err)
	assert.Equal(t, []string{"res/textures/wood.png"}, all)
}

func TestTheRootOfAFile(t *testing.T) {
	root := t.TempDir()
	write := func(name string) string {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte("text"), 0o600))
		return full
	}
	secret := write("secret.png")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "game/res"), 0o755))
	foldertest.Link(t, secret, filepath.Join(root, "game/res/out.png"))
	write("game/res/in.png")
	for name, want := range map[string]string{
		"game/res/models/duck.gpb": "res/models/duck.gpb", "game/level/duck.gpb": "level/duck.gpb",
		"alone/a/b/c/d/duck.gpb": "duck.gpb",
	} {
		src, err := model.OpenFile(write(name))
		require.NoError(t, err)
		p := project.Around(src)
		assert.Equal(t, want, p.Path())
		src.Close()
		if strings.HasPrefix(name, "game") {
			assert.Equal(t, "res/in.png", p.Find("res/in.png", ".").Path)
			assert.Empty(t, p.Find("res/out.png", ".").Path, "a link out of the project is not followed")
			assert.Empty(t, p.Find("../secret.png", ".").Path)
		}
	}
	assert.Nil(t, project.Around(model.NewSource("a.gpb", strings.NewReader(""), 0)),
		"bytes in memory have nothing around them")
}

func TestHugePicturesAreNotDrawn(t *testing.T) {
	dds := append([]byte("DDS \x7c\x00\x00\x00"), make([]byte, 120)...)
	copy(dds[84:], "DXT1")
	dds[80], dds[14], dds[18] = 4, 0xff, 0xff
	p := around(fstest.MapFS{"res/a.dds": file(string(dds)), "res/a.pvr": file("PVR\x03" + strings.Repeat("\x00", 60))})
	for name, want := range map[string]string{"res/a.dds": "res/a.dds cannot be drawn: DDS: a picture of 16711680 × 16711680",
		"res/a.pvr": "res/a.pvr cannot be drawn: PVR: a picture of 0 × 0 pixels"} {
		_, err := p.Texture(name, ".").Image(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

// TestTextsAreBoundedTogether reads texts until they have as many bytes as one may have.
func TestTextsAreBoundedTogether(t *testing.T) {
	large := file("a\n{\n}\n// " + strings.Repeat(" ", properties.MaxSize*2/3))
	p := around(fstest.MapFS{"res/a.scene": large, "res/b.scene": large, "res/c.scene": file("c\n{\n}\n")})
	first, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Equal(t, "a", first.Spaces[0].Name)
	_, err = p.Text("res/b.scene")
	assert.ErrorContains(t, err, "more texts than are read")
	_, err = p.Text("res/c.scene")
	assert.NoError(t, err)
	again, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Same(t, first, again)
}

// TestATextThatCannotBeReadSaysWhyEachTime asks twice for texts that cannot be read.
func TestATextThatCannotBeReadSaysWhyEachTime(t *testing.T) {
	large := file(strings.Repeat(" ", properties.MaxSize+1))
	p := around(fstest.MapFS{"res/large.material": large, "res/folder.material/a.png": file("")})
	for name, why := range map[string]string{
		"res/large.material":  "res/large.material has more than the 16777216 bytes that are read of such a file",
		"res/folder.material": "res/folder.material is not a file",
		"res/none.material":   "res/none.material cannot be opened",
	} {
		for range 2 {
			_, err := p.Text(name)
			assert.EqualError(t, err, why)
		}
	}
}

func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 30_000 {
		files[fmt.Sprintf("res/f%d/a.png", i)] = file("")
	}
	p := around(files)
	assert.Empty(t, p.Find("z.png", ".").Path)
	assert.Equal(t, "res/f3/a.png", p.Find("res/f3/a.png", ".").Path)
}
