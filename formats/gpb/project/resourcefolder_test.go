package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/project"
	"assay/model"
	"assay/model/modeltest"
)

// tree writes files into a new folder, each with its own path as its content.
func tree(t *testing.T, names ...string) string {
	root := t.TempDir()
	for _, name := range names {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(name), 0o600))
	}
	return root
}

// withResources returns the project around a file in root that has the files of a resource folder, too.
func withResources(t *testing.T, root, name, resources string) *project.Project {
	src, err := model.OpenFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	src.SetResources(resources)
	return project.Around(src)
}

func TestResources(t *testing.T) {
	root := tree(t, "game/res/a/duck.gpb", "game/res/a/duck.scene", "game/res/png/both.png", "game/res/only.png")
	resources := tree(t, "assets/res/png/both.png", "assets/res/png/duck.png", "assets/deep/er/far.png",
		"assets/x/twice.png", "assets/y/twice.png", "assets/only.png", "assets/packed.png", "assets/m/Duck.material",
		"assets/b.scene", "assets/duck.scene", "outside.png")
	assets := filepath.Join(resources, "assets")
	modeltest.Link(t, filepath.Join(resources, "outside.png"), filepath.Join(assets, "out.png"))
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
		"/etc/passwd": {Problem: "/etc/passwd is an absolute path, which may lead out of the project and is not " +
			"followed"},
		"../../../../../no.png": {Problem: "../../../../../no.png points outside the project; ignored"},
		"res/packed.dds": {Path: in + "packed.png",
			Substitution: "res/packed.dds not found; using resource folder/packed.png, which has the same name"},
	} {
		assert.Equal(t, want, p.Find(name, "res/a"), name)
	}
	assert.Equal(t, "res/only.png", p.Find(filepath.Join(root, "game", "res", "a", "..", "only.png"), "res/a").Path,
		"an absolute path into the project")
	assert.NotEmpty(t, p.Find(filepath.Join(root, "other.png"), "res/a").Problem)
	assert.Equal(t, in+"res/png/duck.png", p.Find("../png/duck.png", in+"res/models").Path, "beside the text")
	assert.Equal(t, in+"m/Duck.material", p.OwnFile(".material"))
	assert.Equal(t, []string{"res/a/duck.scene", in + "duck.scene", in + "b.scene"}, p.Siblings(".scene"))
	assert.True(t, p.MeansFile("res/a/duck.gpb", in), "its place in the project")
	assert.True(t, p.MeansFile("elsewhere/Duck.gpb", in), "its name")
	assert.False(t, p.MeansFile("elsewhere/other.gpb", in), "another name")
	assert.False(t, p.MeansFile("", in), "no name")
	assert.True(t, p.MeansFile("elsewhere/duck.gpb", "res/b/c"), "the only file of its name, where the path has nothing")
	assert.False(t, p.MeansFile("res/png/both.png", "res/a"), "another file")
	assert.Equal(t, filepath.Join(assets, "m", "Duck.material"), p.OnDisk(p.OwnFile(".material"), root))
	assert.Equal(t, filepath.Join(root, "game", "res", "x"), p.OnDisk("res/x", filepath.Join(root, "game", "res", "a")))
	assert.Equal(t, filepath.Join(root, "game"), p.Root())
	same := p.For(in + "m/other.gpb")
	assert.Equal(t, in+"m/Duck.material", same.Find("duck.material", in+"m").Path)
}

func TestAResourceFolderThatIsGone(t *testing.T) {
	root := tree(t, "res/duck.gpb", "res/near.png")
	p := withResources(t, root, "res/duck.gpb", filepath.Join(root, "gone"))
	assert.Equal(t, "res/near.png", p.Find("near.png", "res").Path)
	assert.Equal(t, "far.png is neither in the project nor in the resource folder gone", p.Find("far.png", "res").Problem)
	assert.Empty(t, p.OwnFile(".material"))
}

func TestResourcesOfWhatIsNoFile(t *testing.T) {
	src := model.NewSource("duck.gpb", strings.NewReader(""), 0)
	src.SetResources(tree(t, "res/png/duck.png", "duck.material"))
	p := project.Around(src)
	assert.Equal(t, "resource folder/res/png/duck.png", p.Find("res/png/duck.png", ".").Path)
	assert.Equal(t, "resource folder/duck.material", p.OwnFile(".material"))
	_, err := p.Text("resource folder/duck.material")
	assert.NoError(t, err)
}

func TestWhatIsLookedAtIsNoted(t *testing.T) {
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
	p := project.Around(src)
	_, err = p.Text("res/duck.material")
	require.NoError(t, err)
	for _, name := range []string{"res/png/duck.png", "lake/water.png"} {
		_, err = p.For("res/duck.material").Texture(name, "res").Image(t.Context())
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
