package project_test

import (
	"context"
	"fmt"
	"io"
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
	"assay/model/modeltest"
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
		"res/png/duck.png": {Path: "res/png/duck.png"},
		`res\png\duck.png`: {Path: "res/png/duck.png"},
		"RES/PNG/Duck.PNG": {Path: "res/png/duck.png"},
		"near.png": {Path: "res/models/near.png",
			Substitution: "near.png not found; using res/models/near.png, which has the same name"},
		".//beside.png":     {Path: "res/materials/beside.png"},
		"../png/duck.png":   {Path: "res/png/duck.png"},
		"beside.png":        {Path: "res/materials/beside.png"},
		"@floor":            {Path: "res/dxt/floor.dds"},
		"@lost":             {Problem: "@lost: res/lost.dds is not in the project"},
		"@circle":           {Problem: "@circle: @@circle is not in the project"},
		"@other":            {Problem: "@other: @floor is not in the project"},
		"@none":             {Problem: "there is no game.config with the alias @none"},
		"no.png":            {Problem: "no.png is not in the project"},
		"":                  {Problem: "a path is empty"},
		"/etc/passwd":       {Problem: "/etc/passwd is an absolute path and was ignored"},
		`C:\a.png`:          {Problem: `C:\a.png is an absolute path and was ignored`},
		"../../../../a.png": {Problem: "../../../../a.png points outside the project; ignored"},
		"textures/only.png": {Path: "res/other/only.png",
			Substitution: "textures/only.png not found; using res/other/only.png, which has the same name"},
		"textures/only.dds": {Path: "res/other/only.png",
			Substitution: "textures/only.dds not found; using res/other/only.png, which has the same name"},
		"textures/twice.png":               {Problem: "textures/twice.png not found; 2 files have this name, so none was chosen"},
		"res/png":                          {Problem: "res/png is not in the project"},
		"res/png/BOTH.png":                 {Problem: "res/png/BOTH.png not found; 2 files have this name, so none was chosen"},
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
	order := []struct {
		path    string
		guessed bool
	}{
		{"a/X.png", false}, {"res/text/a/X.png", false}, // as it is written, from the root and from the text's folder
		{"A/X.PNG", false}, {"res/Text/a/x.png", false}, // the same without regard to case
		{"res/models/a/X.png", true}, {"res/a/X.png", true}, // from the file's folder and those above it
		{"res/models/A/x.png", true}, {"res/A/x.png", true},
		{"elsewhere/X.png", true}, // of the same name
	}
	for _, place := range order {
		files[place.path] = file("")
	}
	for _, place := range order {
		want := project.Found{Path: place.path}
		if place.guessed {
			want.Substitution = "a/X.png is not there; " + place.path + ", of the same name, is shown in its place"
		}
		assert.Equal(t, want, around(files).Find("a/X.png", "res/text"))
		delete(files, place.path)
	}
	assert.Equal(t, "a/X.png is not in the project", around(files).Find("a/X.png", "res/text").Problem)
}

// TestWhereAPathIsLookedForWithoutAText: the file of a name that no text has is the nearest.
func TestWhereAPathIsLookedForWithoutAText(t *testing.T) {
	files := fstest.MapFS{}
	order := []string{"res/models/X.png", "res/X.png", "X.png"}
	for _, name := range order {
		files[name] = file("")
	}
	for _, want := range order {
		assert.Equal(t, project.Found{Path: want}, around(files).Find("X.png", ""))
		delete(files, want)
	}
}

// TestWhereAPathIsLookedForWithoutARoot has no res and no game.config: the folder of the file that was opened need not
// be the root.
func TestWhereAPathIsLookedForWithoutARoot(t *testing.T) {
	order := []string{"models/X.png", "X.png", "texts/X.png"}
	root := tree(t, order...)
	for _, want := range order {
		p := around(fstest.MapFS{}).Elsewhere(filepath.Join(root, "a.scene")).For("models/a.gpb")
		assert.Equal(t, project.Found{Path: want}, p.Find("X.png", "texts"))
		require.NoError(t, os.Remove(filepath.Join(root, filepath.FromSlash(want))))
	}
}

// TestAPictureIsOneTextureForEachMeaning has two texts that name one picture: beside the first, far from the other.
func TestAPictureIsOneTextureForEachMeaning(t *testing.T) {
	p := around(fstest.MapFS{"res/models/rock.png": file("")})
	beside, far := p.Texture("rock.png", "res/models"), p.Texture("rock.png", "res/materials")
	assert.Equal(t, []string{"res/models/rock.png", ""}, []string{beside.Path, beside.Substitution})
	assert.Equal(t, []string{"res/models/rock.png", "rock.png is not there; res/models/rock.png, of the same name, is " +
		"shown in its place"}, []string{far.Path, far.Substitution})
	assert.Same(t, beside, p.Texture("rock.png", "res/models"))
}

// TestAPathThatBeginsWithAnAt is that of a file where it is no alias, here as game.config cannot be read.
func TestAPathThatBeginsWithAnAt(t *testing.T) {
	p := around(fstest.MapFS{"@logo.png": file(""), "game.config": file(strings.Repeat(" ", properties.MaxSize+1))})
	assert.Equal(t, project.Found{Path: "@logo.png"}, p.Find("@logo.png", "."))
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
	modeltest.Link(t, "..", filepath.Join(root, "res", "textures", "up"))
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
	modeltest.Link(t, secret, filepath.Join(root, "game/res/out.png"))
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

// TestTheRootOfAPackage is the package, which has no res.
func TestTheRootOfAPackage(t *testing.T) {
	src := model.NewSource("a.pack", strings.NewReader("x"), 1)
	d := model.NewDocument(src, "pack", "", &model.Node{})
	var all model.PayloadList
	for _, name := range []string{"models/a.gpb", "models/X.png", "X.png"} {
		all = append(all, &model.Payload{Name: name, Size: 1, Stored: model.Span{Size: 1},
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }})
	}
	d.Payloads = all
	bundle, err := d.Nested(t.Context(), all[0], 10)
	require.NoError(t, err)
	assert.Equal(t, project.Found{Path: "X.png"}, project.Around(bundle).Find("X.png", "models"))
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

// TestManyFiles has more files than are looked through for a name: what is the only one of them may not be the only
// one.
func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{"a/first.material": file(""), "a/first.png": file("")}
	p := around(files)
	assert.Equal(t, "a/first.material", p.OnlyFile(".material"))
	for i := range 30_000 {
		files[fmt.Sprintf("res/f%d/a.png", i)] = file("")
	}
	p = around(files)
	assert.Equal(t, "z.png is not in the project; only the first 20000 files were searched", p.Find("z.png", ".").Problem)
	assert.Equal(t, "res/f3/a.png", p.Find("res/f3/a.png", ".").Path)
	assert.Equal(t, "a/first.png", p.Find("b/first.png", ".").Path, "a substitution is told")
	assert.Empty(t, p.OnlyFile(".material"))
}
