package project_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
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

// projectOf returns the project around res/models/duck.gpb with some files.
func projectOf(files fstest.MapFS) *project.Project {
	return project.New(files, "res/models/duck.gpb")
}

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestPathsAreFoundAsTheEngineAndByName(t *testing.T) {
	p := projectOf(fstest.MapFS{
		"game.config":              textFile("aliases\n{\n floor = res/dxt/floor.dds\n circle = @@circle\n other = @floor\n lost = res/lost.dds\n}\n"),
		"res/png/duck.png":         textFile(""),
		"res/png/Both.png":         textFile(""),
		"res/png/both.png":         textFile(""),
		"res/models/near.png":      textFile(""),
		"res/dxt/floor.dds":        textFile(""),
		"res/materials/beside.png": textFile(""),
		"res/other/only.png":       textFile(""),
		"res/a/twice.png":          textFile(""),
		"res/b/twice.png":          textFile(""),
	})
	for name, want := range map[string]project.Found{
		"res/png/duck.png": {Path: "res/png/duck.png"},
		`res\png\duck.png`: {Path: "res/png/duck.png"},
		"RES/PNG/Duck.PNG": {Path: "res/png/duck.png"},
		"near.png": {Path: "res/models/near.png",
			Substitution: "guessed: res/models/near.png by its name (near.png was not found)"},
		".//beside.png":     {Path: "res/materials/beside.png"},
		"../png/duck.png":   {Path: "res/png/duck.png"},
		"beside.png":        {Path: "res/materials/beside.png"},
		"@floor":            {Path: "res/dxt/floor.dds"},
		"@lost":             {Problem: "@lost: res/lost.dds is not in the project", Missing: "res/lost.dds"},
		"@circle":           {Problem: "@circle: @@circle is not in the project", Missing: "@@circle"},
		"@other":            {Problem: "@other: @floor is not in the project", Missing: "@floor"},
		"@none":             {Problem: "there is no game.config with the alias @none"},
		"no.png":            {Problem: "no.png is not in the project"},
		"":                  {Problem: "a path is empty"},
		"/etc/passwd":       {Problem: "/etc/passwd is an absolute path and was ignored"},
		`C:\a.png`:          {Problem: `C:\a.png is an absolute path and was ignored`},
		"../../../../a.png": {Problem: "../../../../a.png points outside the project; ignored"},
		"textures/only.png": {Path: "res/other/only.png",
			Substitution: "guessed: res/other/only.png by its name (textures/only.png was not found)"},
		"textures/only.dds": {Path: "res/other/only.png",
			Substitution: "guessed: res/other/only.png by its name (textures/only.dds was not found)"},
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
	link, problem := p.Link("@lost")
	assert.Equal(t, "res/lost.dds", link.File, "the file is missing, not the alias")
	assert.Equal(t, "@lost: res/lost.dds is not in the project", problem)
}

// TestCandidatesAreFoundInOrder has a file at each searched position of a path, and removes the found one each time.
func TestCandidatesAreFoundInOrder(t *testing.T) {
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
		files[place.path] = textFile("")
	}
	for _, place := range order {
		want := project.Found{Path: place.path}
		if place.guessed {
			want.Substitution = "guessed: " + place.path + " by its name (a/X.png was not found)"
		}
		assert.Equal(t, want, projectOf(files).Find("a/X.png", "res/text"))
		delete(files, place.path)
	}
	assert.Equal(t, "a/X.png is not in the project", projectOf(files).Find("a/X.png", "res/text").Problem)
}

func TestNameInNoTextIsTheNearestFile(t *testing.T) {
	files := fstest.MapFS{}
	order := []string{"res/models/X.png", "res/X.png", "X.png"}
	for _, name := range order {
		files[name] = textFile("")
	}
	for _, want := range order {
		assert.Equal(t, project.Found{Path: want}, projectOf(files).Find("X.png", ""))
		delete(files, want)
	}
}

// TestFilesAreFoundWithoutARoot has no res and no game.config: the folder of the opened file need not be the root.
func TestFilesAreFoundWithoutARoot(t *testing.T) {
	order := []string{"models/X.png", "X.png", "texts/X.png"}
	root := writeTree(t, order...)
	for _, want := range order {
		p := projectOf(fstest.MapFS{}).ForOutside(filepath.Join(root, "a.scene")).ForFile("models/a.gpb")
		assert.Equal(t, project.Found{Path: want}, p.Find("X.png", "texts"))
		require.NoError(t, os.Remove(filepath.Join(root, filepath.FromSlash(want))))
	}
}

// TestTexturesAreShared has two texts that name one picture: beside the first, far from the other.
func TestTexturesAreShared(t *testing.T) {
	p := projectOf(fstest.MapFS{"res/models/rock.png": textFile("")})
	beside, far := p.Texture("rock.png", "res/models"), p.Texture("rock.png", "res/materials")
	assert.Equal(t, []string{"res/models/rock.png", ""}, []string{beside.Path, beside.Substitution})
	assert.Equal(t, []string{"res/models/rock.png", "guessed: res/models/rock.png by its name (rock.png was " +
		"not found)"}, []string{far.Path, far.Substitution})
	assert.Same(t, beside, p.Texture("rock.png", "res/models"))
}

// TestFileMayHaveTheNameOfAnAlias has a game.config that cannot be read.
func TestFileMayHaveTheNameOfAnAlias(t *testing.T) {
	p := projectOf(fstest.MapFS{"@logo.png": textFile(""), "game.config": textFile(strings.Repeat(" ", properties.MaxSize+1))})
	assert.Equal(t, project.Found{Path: "@logo.png"}, p.Find("@logo.png", "."))
	assert.Equal(t, project.Found{Problem: "there is no alias @logo: game.config is too large (limit: " +
		"16777216 bytes)"}, p.Find("@logo", "."))
}

// TestUnreadableRootIsReadAgain looks for a file before its folder is there.
func TestUnreadableRootIsReadAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "game")
	write := func() {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "res"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, "res", "a.png"), nil, 0o600))
	}
	write()
	p := projectOf(fstest.MapFS{}).ForOutside(filepath.Join(root, "res", "a.gpb"))
	require.NoError(t, os.RemoveAll(root))
	assert.Equal(t, project.Found{Problem: "the folder of res/a.png cannot be read"}, p.Find("res/a.png", "."))
	assert.Equal(t, "the folder of b.png cannot be read", p.Texture("b.png", ".").Missing)
	write()
	assert.Equal(t, project.Found{Path: "res/a.png"}, p.Find("res/a.png", "."))
	assert.Equal(t, "b.png is not in the project", p.Texture("b.png", ".").Missing)
}

// TestFilesBelowALinkAreListedOnce has a folder with a link to its parent.
func TestFilesBelowALinkAreListedOnce(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "res", "textures"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "res", "textures", "wood.png"), nil, 0o600))
	modeltest.Symlink(t, "..", filepath.Join(root, "res", "textures", "up"))
	p := projectOf(fstest.MapFS{}).ForOutside(filepath.Join(root, "res", "a.gpb"))
	assert.Equal(t, "res/textures/up/textures/wood.png", p.Find("res/textures/up/textures/wood.png", ".").Path)
	assert.Equal(t, "res/textures/wood.png", p.Find("nowhere/wood.png", ".").Path)
	all, err := p.Files(func(name string) bool { return name == "wood.png" })
	require.NoError(t, err)
	assert.Equal(t, []string{"res/textures/wood.png"}, all)
}

func TestProjectStartsAboveItsResources(t *testing.T) {
	root := t.TempDir()
	write := func(name string) string {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte("text"), 0o600))
		return full
	}
	secret := write("secret.png")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "game/res"), 0o755))
	modeltest.Symlink(t, secret, filepath.Join(root, "game/res/out.png"))
	write("game/res/in.png")
	for name, want := range map[string]string{
		"game/res/models/duck.gpb": "res/models/duck.gpb", "game/level/duck.gpb": "level/duck.gpb",
		"alone/a/b/c/d/duck.gpb": "duck.gpb",
	} {
		src, err := model.OpenFile(write(name))
		require.NoError(t, err)
		p := project.ForSource(src)
		assert.Equal(t, want, p.Path())
		src.Close()
		if strings.HasPrefix(name, "game") {
			assert.Equal(t, "res/in.png", p.Find("res/in.png", ".").Path)
			assert.Empty(t, p.Find("res/out.png", ".").Path, "a link out of the project is not followed")
			assert.Empty(t, p.Find("../secret.png", ".").Path)
		}
	}
	assert.Nil(t, project.ForSource(model.NewSource("a.gpb", strings.NewReader(""), 0)),
		"bytes in memory have nothing around them")
}

// Such a project has no folder res.
func TestProjectOfAnAssetStartsAtItsPackage(t *testing.T) {
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
	assert.Equal(t, project.Found{Path: "X.png"}, project.ForSource(bundle).Find("X.png", "models"))
}

func TestHugePicturesAreNotDecoded(t *testing.T) {
	dds := append([]byte("DDS \x7c\x00\x00\x00"), make([]byte, 120)...)
	copy(dds[84:], "DXT1")
	dds[80], dds[14], dds[18] = 4, 0xff, 0xff
	p := projectOf(fstest.MapFS{"res/a.dds": textFile(string(dds)), "res/a.pvr": textFile("PVR\x03" + strings.Repeat("\x00", 60))})
	for name, want := range map[string]string{"res/a.dds": "res/a.dds cannot be drawn: DDS: the image is too large to display (16711680 × 16711680",
		"res/a.pvr": "res/a.pvr cannot be drawn: PVR: the image is empty (0 × 0 pixels)"} {
		_, err := p.Texture(name, ".").Image(t.Context())
		assert.ErrorContains(t, err, want)
	}
}

func TestTotalSizeOfTextsIsLimited(t *testing.T) {
	large := textFile("a\n{\n}\n// " + strings.Repeat(" ", properties.MaxSize*2/3))
	p := projectOf(fstest.MapFS{"res/a.scene": large, "res/b.scene": large, "res/c.scene": textFile("c\n{\n}\n")})
	first, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Equal(t, "a", first.Children[0].Name)
	_, err = p.Text("res/b.scene")
	assert.ErrorContains(t, err, "too many text files")
	_, err = p.Text("res/c.scene")
	assert.NoError(t, err)
	again, err := p.Text("res/a.scene")
	require.NoError(t, err)
	assert.Same(t, first, again)
}

func TestUnreadableTextHasAnErrorEachTime(t *testing.T) {
	large := textFile(strings.Repeat(" ", properties.MaxSize+1))
	p := projectOf(fstest.MapFS{"res/large.material": large, "res/folder.material/a.png": textFile("")})
	for name, why := range map[string]string{
		"res/large.material":  "res/large.material is too large (limit: 16777216 bytes)",
		"res/folder.material": "res/folder.material is not a file",
		"res/none.material":   "res/none.material cannot be opened",
	} {
		for range 2 {
			_, err := p.Text(name)
			assert.EqualError(t, err, why)
		}
	}
}

// TestSearchOfManyFilesIsLimited has more files than are searched for a name, so the only match may not be the only
// one.
func TestSearchOfManyFilesIsLimited(t *testing.T) {
	files := fstest.MapFS{"a/first.material": textFile(""), "a/first.png": textFile("")}
	p := projectOf(files)
	assert.Equal(t, "a/first.material", first(p.OnlyFile(".material")))
	for i := range 30_000 {
		files[fmt.Sprintf("res/f%d/a.png", i)] = textFile("")
	}
	p = projectOf(files)
	assert.Equal(t, "z.png is not in the project; only the first 20000 files were searched", p.Find("z.png", ".").Problem)
	assert.Equal(t, "res/f3/a.png", p.Find("res/f3/a.png", ".").Path)
	assert.Equal(t, "a/first.png", p.Find("b/first.png", ".").Path, "a substitution is reported")
	assert.Empty(t, first(p.OnlyFile(".material")))
}

// writeTree writes files into a new folder, each with its own path as its content.
func writeTree(t *testing.T, names ...string) string {
	root := t.TempDir()
	for _, name := range names {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(name), 0o600))
	}
	return root
}

// withResources returns the project around a file in root, with a resource folder.
func withResources(t *testing.T, root, name, resources string) *project.Project {
	src, err := model.OpenFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	src.SetResources(resources)
	return project.ForSource(src)
}

func TestResourceFolderIsSearchedAfterTheProject(t *testing.T) {
	root := writeTree(t, "game/res/a/duck.gpb", "game/res/a/duck.scene", "game/res/png/both.png", "game/res/only.png")
	resources := writeTree(t, "assets/res/png/both.png", "assets/res/png/duck.png", "assets/deep/er/far.png",
		"assets/x/twice.png", "assets/y/twice.png", "assets/only.png", "assets/packed.png", "assets/m/Duck.material",
		"assets/b.scene", "assets/duck.scene", "outside.png")
	assets := filepath.Join(resources, "assets")
	modeltest.Symlink(t, filepath.Join(resources, "outside.png"), filepath.Join(assets, "out.png"))
	p := withResources(t, root, "game/res/a/duck.gpb", assets)
	in := "resource folder/"
	missing := func(name string) string { return name + " is neither in the project nor in the resource folder assets" }
	for name, want := range map[string]project.Found{
		"res/png/both.png":              {Path: "res/png/both.png"},
		"res/png/duck.png":              {Path: in + "res/png/duck.png"},
		"RES/png/DUCK.png":              {Path: in + "res/png/duck.png"},
		"../../../art/res/png/duck.png": {Path: in + "res/png/duck.png"},
		"/home/x/res/png/duck.png":      {Path: in + "res/png/duck.png"},
		`C:\art\png\duck.png`:           {Path: in + "res/png/duck.png"},
		"textures/far.png":              {Path: in + "deep/er/far.png"},
		"textures/only.png":             {Path: in + "only.png"},
		"textures/twice.png":            {Problem: "textures/twice.png not found; 2 files have this name, so none was chosen"},
		"none.png":                      {Problem: missing("none.png")},
		"out.png":                       {Problem: missing("out.png")},
		"../outside.png":                {Problem: missing("../outside.png")},
		"/etc/passwd":                   {Problem: "/etc/passwd is an absolute path and was ignored"},
		"../../../../../no.png":         {Problem: "../../../../../no.png points outside the project; ignored"},
		"res/packed.dds": {Path: in + "packed.png",
			Substitution: "guessed: resource folder/packed.png by its name (res/packed.dds was not found)"},
	} {
		assert.Equal(t, want, p.Find(name, "res/a"), name)
	}
	assert.Equal(t, "res/only.png", p.Find(filepath.Join(root, "game", "res", "a", "..", "only.png"), "res/a").Path,
		"an absolute path into the project")
	assert.NotEmpty(t, p.Find(filepath.Join(root, "other.png"), "res/a").Problem)
	assert.Equal(t, in+"res/png/duck.png", p.Find("../png/duck.png", in+"res/models").Path, "beside the text")
	assert.Equal(t, in+"m/Duck.material", first(p.OwnFile(".material")))
	assert.Equal(t, []string{"res/a/duck.scene", in + "duck.scene", in + "b.scene"}, first(p.Siblings(".scene")))
	assert.True(t, p.RefersTo("res/a/duck.gpb", in), "its place in the project")
	assert.True(t, p.RefersTo("elsewhere/Duck.gpb", in), "its name")
	assert.False(t, p.RefersTo("elsewhere/other.gpb", in), "another name")
	assert.False(t, p.RefersTo("", in), "no name")
	assert.True(t, p.RefersTo("elsewhere/duck.gpb", "res/b/c"), "the only file of its name, where the path has nothing")
	assert.False(t, p.RefersTo("res/png/both.png", "res/a"), "another file")
	assert.Equal(t, filepath.Join(assets, "m", "Duck.material"), p.OnDisk(first(p.OwnFile(".material")), root))
	assert.Equal(t, filepath.Join(root, "game", "res", "x"), p.OnDisk("res/x", filepath.Join(root, "game", "res", "a")))
	assert.Equal(t, filepath.Join(root, "game"), p.Root())
	same := p.ForFile(in + "m/other.gpb")
	assert.Equal(t, in+"m/Duck.material", same.Find("duck.material", in+"m").Path)
}

func TestMissingResourceFolderIsReported(t *testing.T) {
	root := writeTree(t, "res/duck.gpb", "res/near.png")
	p := withResources(t, root, "res/duck.gpb", filepath.Join(root, "gone"))
	assert.Equal(t, "res/near.png", p.Find("near.png", "res").Path)
	assert.Equal(t, "far.png is neither in the project nor in the resource folder gone", p.Find("far.png", "res").Problem)
	assert.Empty(t, first(p.OwnFile(".material")))
}

func TestResourceFolderServesBytesInMemory(t *testing.T) {
	src := model.NewSource("duck.gpb", strings.NewReader(""), 0)
	src.SetResources(writeTree(t, "res/png/duck.png", "duck.material"))
	p := project.ForSource(src)
	assert.Equal(t, "resource folder/res/png/duck.png", p.Find("res/png/duck.png", ".").Path)
	assert.Equal(t, "resource folder/duck.material", first(p.OwnFile(".material")))
	_, err := p.Text("resource folder/duck.material")
	assert.NoError(t, err)
}

func TestAccessedPathsAreNoted(t *testing.T) {
	root, chosen := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) string {
		full := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
		return full
	}
	duck := write(root, "res/duck.gpb", "")
	material := write(root, "res/duck.material", "material duck\n{\n}\n")
	picture := write(root, "res/png/duck.png", "")
	other := write(chosen, "lake/water.png", "")
	src, err := model.OpenFile(duck)
	require.NoError(t, err)
	defer src.Close()
	src.SetResources(chosen)
	p := project.ForSource(src)
	_, err = p.Text("res/duck.material")
	require.NoError(t, err)
	for _, name := range []string{"res/png/duck.png", "lake/water.png"} {
		_, err = p.ForFile("res/duck.material").Texture(name, "res").Image(t.Context())
		require.ErrorContains(t, err, "cannot be drawn")
	}
	paths, whole := src.Dependencies()
	assert.True(t, whole)
	for _, want := range []string{material, picture, other, filepath.Dir(picture), filepath.Dir(other), chosen, root} {
		assert.Contains(t, paths, want)
	}
	inside, err := (&model.Payload{Name: "a", Size: 0}).Nested(t.Context(), src, 1)
	require.NoError(t, err)
	inside.NoteDependency("of what is inside")
	paths, _ = src.Dependencies()
	assert.Contains(t, paths, "of what is inside")
}

// first returns the first of two results, which has no error.
func first[T any](result T, _ error) T { return result }

func TestFilesOfARemovedProjectAreErrors(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "game")
	require.NoError(t, os.Mkdir(folder, 0o700))
	file := filepath.Join(folder, "duck.gpb")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	src, err := model.OpenFile(file)
	require.NoError(t, err)
	defer src.Close()
	p := project.ForSource(src)
	require.NoError(t, os.RemoveAll(folder))
	_, err = p.OwnFile(".material")
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = p.OnlyFile(".material")
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = p.Siblings(".scene")
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = p.Text("duck.scene")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestUnusedFourthChannelIsOpaque has a DDS picture of 32 bits a pixel without alpha, whose fourth byte is 0.
func TestUnusedFourthChannelIsOpaque(t *testing.T) {
	b := make([]byte, 128+4)
	copy(b, "DDS \x7c")
	for at, v := range map[int]uint32{12: 1, 16: 1, 80: 0x40, 88: 32, 92: 0xff0000, 96: 0xff00, 100: 0xff} {
		binary.LittleEndian.PutUint32(b[at:], v)
	}
	copy(b[128:], []byte{10, 20, 30, 0})
	p := projectOf(fstest.MapFS{"res/a.dds": textFile(string(b))})
	img, err := p.Texture("res/a.dds", ".").Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 1, 1), img.Bounds())
	assert.Equal(t, color.NRGBA{30, 20, 10, 255}, color.NRGBAModel.Convert(img.At(0, 0)))
}

func TestCachedValueIsMadeOnce(t *testing.T) {
	calls := 0
	value := project.Cached(func(context.Context) (*int, error) {
		calls++
		return &calls, errors.New("made with an error")
	})
	first, err := value(t.Context())
	assert.EqualError(t, err, "made with an error")
	again, err := value(t.Context())
	assert.Error(t, err)
	assert.Same(t, first, again)
	assert.Equal(t, 1, calls)
}

func TestCachedValueDoesNotBlockACanceledCaller(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	begun, goOn, done := make(chan bool), make(chan bool), make(chan int)
	value := project.Cached(func(ctx context.Context) (int, error) {
		if ctx == ended {
			cancel()
			return 1, nil
		}
		begun <- true
		<-goOn
		return 2, nil
	})
	v, err := value(ended)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, v, "what was made as its context ended is not kept")
	go func() {
		v, _ := value(context.Background())
		done <- v
	}()
	<-begun
	_, err = value(ended)
	assert.ErrorIs(t, err, context.Canceled, "while another call makes the value")
	close(goOn)
	assert.Equal(t, 2, <-done)
}
