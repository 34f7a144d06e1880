package material_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/modeltest"
	"assay/model/scene"
	"assay/model/userdata"
)

func TestMaterialsNamedByABundleAreFound(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{
		"res/a/crates.gpb":      gpbtest.Crates(t, "both=wood,iron", "first=wood", "unknown=stone,iron", "nothing"),
		"res/a/crates.material": gpbtest.Colors("wood", "iron"),
		"res/b/crates.gpb":      gpbtest.Crates(t, "both=wood,iron"),
	})
	s := sceneOf("res/a/crates.gpb")
	assert.Equal(t, []string{"wood", "iron"}, gpbtest.MaterialNames(s, "both"))
	assert.Equal(t, []string{"wood", "none"}, gpbtest.MaterialNames(s, "first"), "one name is for the first part")
	assert.Equal(t, []string{"stone?", "iron"}, gpbtest.MaterialNames(s, "unknown"))
	assert.Equal(t, []string{"none", "none"}, gpbtest.MaterialNames(s, "nothing"))
	assert.Equal(t, []string{"res/a/crates.material has no material stone"}, s.Missing)
	assert.Same(t, gpbtest.NodesByName(s)["both"].Material(0), gpbtest.NodesByName(s)["first"].Material(0))

	s = sceneOf("res/b/crates.gpb")
	assert.Equal(t, []string{"wood", "iron"}, gpbtest.MaterialNames(s, "both"), "those of the only file of the project")
	assert.Equal(t, []string{"guessed: material from crates.material (wood, for both)", "guessed: material from crates.material (iron, for both)"}, s.Missing)
}

// In these projects only code assigns materials to nodes.
func TestGuessedMaterialsAreOfFilesBesideTheBundle(t *testing.T) {
	for name, c := range map[string]struct {
		nodes   []string
		files   map[string][]byte
		want    map[string]string
		missing []string
	}{
		"a file of a node's name, and the only material of the library": {
			[]string{"boy", "floor"},
			map[string][]byte{"seymour.material": gpbtest.Colors("seymour"), "floor.material": gpbtest.Colors("plane")},
			map[string]string{"boy": "seymour", "floor": "plane"},
			[]string{"guessed: material from seymour.material (seymour, for boy)", "guessed: material from floor.material (plane, for floor)"}},
		"the only file of the project, of another name": {
			[]string{"wall"}, map[string][]byte{"light.material": gpbtest.Colors("lighting")},
			map[string]string{"wall": "lighting"}, []string{"guessed: material from light.material (lighting, for wall)"}},
		"those beside the bundle, not those of the root": {
			[]string{"boy", "floor"},
			map[string][]byte{"seymour.material": gpbtest.Colors("seymour"), "floor.material": gpbtest.Colors("plane"),
				"../seymour.material": gpbtest.Colors("other"), "../floor.material": gpbtest.Colors("ceiling")},
			map[string]string{"boy": "seymour", "floor": "plane"},
			[]string{"guessed: material from seymour.material (seymour, for boy)", "guessed: material from floor.material (plane, for floor)"}},
		"the library of another bundle": {
			[]string{"wall"}, map[string][]byte{"duck.material": gpbtest.Colors("duck"), "duck.gpb": nil},
			map[string]string{"wall": "none"}, nil},
		"a base and its heir": {
			[]string{"a", "b", "c", "d"}, map[string][]byte{"any.material": []byte("material base\n{\n}\nmaterial heir : base\n{\n}\n")},
			map[string]string{"a": "heir"}, []string{"guessed: material from any.material (heir, for a, b, c and 1 more)"}},
		"names that only resemble each other": {
			[]string{"floor1"}, map[string][]byte{"a.material": gpbtest.Colors("floor", "wall"), "b.material": gpbtest.Colors("roof")},
			map[string]string{"floor1": "none"}, nil},
		"the name of the mesh": {
			[]string{"a"}, map[string][]byte{"seymour.material": gpbtest.Colors("crate", "wall")},
			map[string]string{"a": "crate"}, []string{"guessed: material from seymour.material (crate, for a)"}},
		"a name beside one that a file assigns": {
			[]string{"a=wall", "wall", "c"}, map[string][]byte{"seymour.material": gpbtest.Colors("wall")},
			map[string]string{"a": "wall", "wall": "wall", "c": "none"}, []string{"guessed: material from seymour.material (wall, for wall)"}},
	} {
		files := map[string][]byte{"res/seymour.gpb": gpbtest.Crates(t, c.nodes...)}
		for file, b := range c.files {
			files["res/"+file] = b
		}
		s := gpbtest.SceneIn(t, files)("res/seymour.gpb")
		for node, want := range c.want {
			assert.Equal(t, want, gpbtest.MaterialNames(s, node)[0], "%s: %s", name, node)
		}
		assert.Equal(t, c.missing, s.Missing, name)
	}
}

func TestMaterialsAssignedByCodeAreGuessedByName(t *testing.T) {
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{
		"res/a/duck.gpb": gpbtest.Crates(t, "one", "two"), "res/materials/duck.material": gpbtest.Colors("any"),
		"res/b/room.gpb": gpbtest.Crates(t, "one", "two"), "res/b/room.material": gpbtest.Colors("base", "two"),
	})
	s := sceneOf("res/a/duck.gpb")
	assert.Equal(t, []string{"any", "any"}, gpbtest.MaterialNames(s, "one"), "the only material")
	assert.Equal(t, "guessed: material from duck.material (any, for one, two)", s.Missing[len(s.Missing)-1])
	s = sceneOf("res/b/room.gpb")
	assert.Equal(t, []string{"none", "none"}, gpbtest.MaterialNames(s, "one"))
	assert.Equal(t, []string{"two", "two"}, gpbtest.MaterialNames(s, "two"), "the material of the node's name")
}

func TestCyclicInheritanceOfMaterialsEnds(t *testing.T) {
	circle := []byte("material a : c\n{\n}\nmaterial b : a\n{\n}\nmaterial c : b\n{\n}\nmaterial me : me\n{\n" +
		"  technique\n  {\n    pass\n    {\n      u_diffuseColor = 1, 0, 0, 1\n    }\n  }\n}\n")
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"crate.gpb": gpbtest.Crates(t, "x=a,me"), "crate.material": circle})
	assert.Equal(t, []string{"a", "me"}, gpbtest.MaterialNames(sceneOf("crate.gpb"), "x"))

	d, err := document.OpenText(t.Context(), model.NewSource("crate.material", bytes.NewReader(circle), int64(len(circle))))
	require.NoError(t, err)
	r, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	told := 0
	for _, p := range r.Problems {
		assert.Contains(t, p.Message, "inherits from itself")
		told++
	}
	assert.Equal(t, 4, told, "one for each material")
}

// TestLastMaterialInsideAnEntryCounts also tests that a material in a node is merged with the one that the node
// inherits.
func TestLastMaterialInsideAnEntryCounts(t *testing.T) {
	const technique = "technique\n{\npass\n{\nu_diffuseColor = %s\n}\n}\n"
	red, blue := fmt.Sprintf(technique, "${red}"), fmt.Sprintf(technique, "0, 0, 1, 1")
	s := gpbtest.SceneIn(t, map[string][]byte{"crates.gpb": gpbtest.Crates(t, "base", "heir", "both"), "a.scene": []byte(
		"${red} = 1, 0, 0, 1\nscene s\n{\npath = crates.gpb\nnode base\n{\nmaterial\n{\n" + red + "}\n}\n" +
			"node heir : base\n{\nmaterial\n{\nu_ambientColor = 0, 1, 0\n}\n}\n" +
			"node both\n{\nmaterial a\n{\n" + red + "}\nmaterial b\n{\n" + blue + "}\n}\n}\n")})("a.scene")
	materialOf := func(node string) []any {
		m := gpbtest.NodesByName(s)[node].Material(0)
		return []any{m.Name, m.Diffuse, m.Ambient}
	}
	assert.Equal(t, []any{"base", [4]float32{1, 0, 0, 1}, [3]float32{}}, materialOf("base"))
	assert.Equal(t, []any{"heir", [4]float32{1, 0, 0, 1}, [3]float32{0, 1, 0}}, materialOf("heir"))
	assert.Equal(t, []any{"b", [4]float32{0, 0, 1, 1}, [3]float32{}}, materialOf("both"))
}

func TestMissingMaterialsOfAnEntryAreReported(t *testing.T) {
	for value, want := range map[string]string{
		"":               "a path is empty",
		"#wood":          "a path is empty",
		"a.material":     "res/a.material does not begin with a material",
		"a.material#oak": "res/a.material has no material oak",
		"empty.material": "res/empty.material does not begin with a material",
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a"), "res/a.material": []byte(
			"other x\n{\n}\nmaterial wood\n{\n}\n"), "res/empty.material": nil, "res/a.scene": []byte(
			"scene s\n{\npath = crate.gpb\nnode a\n{\nmaterial = " + value + "\n}\n}\n")})("res/a.scene")
		assert.Equal(t, []string{want}, s.Missing, value)
	}
}

func TestMaterialsOfAProjectAreListedUpToALimit(t *testing.T) {
	const many = 100_000
	var text bytes.Buffer
	for i := range many {
		fmt.Fprintf(&text, "material m%d\n{\n}\n", i)
	}
	sceneOf := gpbtest.SceneIn(t, map[string][]byte{"crate.gpb": gpbtest.Crates(t, "x=m99999,m0"),
		"crate.material": text.Bytes()})
	assert.Equal(t, []string{"m99999", "m0"}, gpbtest.MaterialNames(sceneOf("crate.gpb"), "x"))

	nodes := make([]string, 11_000)
	for i := range nodes {
		nodes[i] = fmt.Sprintf("n%d=m%d,", i, i)
	}
	s := gpbtest.SceneIn(t, map[string][]byte{"crate.gpb": gpbtest.Crates(t, nodes...), "crate.material": text.Bytes()})("crate.gpb")
	assert.Contains(t, s.Missing, "more than 10000 materials; the rest is ignored")
	drawn := 0
	s.Walk(func(n *scene.Node, _ scene.Matrix) { drawn++ })
	assert.Equal(t, len(nodes), drawn, "all nodes are there")
}

func TestAssignableMaterialsAreListed(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	open := gpbtest.ProjectIn(t, root, userdata.AssignmentsIn(t.TempDir()), map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a"),
		"res/z.material": gpbtest.Colors("wood", "iron"), "res/deep/A.MATERIAL": gpbtest.Colors("gold"),
		"res/wood.png": nil, "res/readme.txt": nil, "res/broken.material": {0xff, 0, 0xff}})
	d := gpbtest.ViewedScene(t, open("res/crate.gpb"))
	assert.Equal(t, root, d.Materials.Root())
	all, err := d.Materials.List(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []model.Material{{File: "res/deep/A.MATERIAL", ID: "gold"}, {File: "res/z.material", ID: "wood"},
		{File: "res/z.material", ID: "iron"}, {File: "res/wood.png"}}, all)

	require.NoError(t, os.WriteFile(filepath.Join(other, "own.material"), gpbtest.Colors("own", "more"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "own.png"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "empty.material"), nil, 0o600))
	for file, want := range map[string][]model.Material{
		filepath.Join(other, "own.material"): {{File: filepath.Join(other, "own.material"), ID: "own"},
			{File: filepath.Join(other, "own.material"), ID: "more"}},
		filepath.Join(other, "own.png"):       {{File: filepath.Join(other, "own.png")}},
		filepath.Join(root, "res/z.material"): {{File: "res/z.material", ID: "wood"}, {File: "res/z.material", ID: "iron"}},
	} {
		in, err := d.Materials.ReadFile(t.Context(), file)
		require.NoError(t, err)
		assert.Equal(t, want, in)
	}
	for file, want := range map[string]string{"own.txt": "own.txt is not a material file (.material) or a supported image",
		"empty.material": "empty.material has no material", "gone.material": "gone.material cannot be opened"} {
		_, err := d.Materials.ReadFile(t.Context(), filepath.Join(other, file))
		assert.ErrorContains(t, err, want)
	}
	assert.Contains(t, d.Materials.Extensions(), ".png")
}

// given are the assignments of any project.
type given []model.Assignment

func (g given) ForProject(string) ([]model.Assignment, string, error) { return g, "given", nil }

// unreadable are assignments in a file that makes no sense.
type unreadable struct{}

func (unreadable) ForProject(string) ([]model.Assignment, string, error) {
	return nil, "broken.json", fmt.Errorf("the assignments in broken.json cannot be read")
}

func target(node, mesh string, part int) model.Target {
	return model.Target{File: "res/crate.gpb", Node: node, Mesh: mesh, Part: part}
}

func crateMaterial(id string) model.Material {
	return model.Material{File: "res/crate.material", ID: id}
}

func TestUserAssignsMaterials(t *testing.T) {
	all := model.AllParts
	for name, c := range map[string]struct {
		given []model.Assignment
		want  map[string]string // of the parts of nodes
	}{
		"none": {nil, map[string]string{"a": "wood iron", "b": "none none"}},
		"all parts of a node": {[]model.Assignment{{To: target("b", "crate", all), Material: crateMaterial("gold")}},
			map[string]string{"a": "wood iron", "b": "gold gold"}},
		"a part of a node, which the bundle names": {[]model.Assignment{{To: target("a", "crate", 1), Material: crateMaterial("gold")}},
			map[string]string{"a": "wood gold", "b": "none none"}},
		"a part that is not there": {[]model.Assignment{{To: target("a", "crate", 7), Material: crateMaterial("gold")}},
			map[string]string{"a": "wood iron", "b": "none none"}},
		"the mesh on any node, and a part of one": {[]model.Assignment{{To: target("a", "crate", 0), Material: crateMaterial("iron")},
			{To: target("", "crate", all), Material: crateMaterial("gold")}}, map[string]string{"a": "iron gold", "b": "gold gold"}},
		"a mesh of another file": {[]model.Assignment{{To: model.Target{File: "res/box.gpb", Mesh: "crate", Part: all},
			Material: crateMaterial("gold")}}, map[string]string{"a": "wood iron", "b": "none none"}},
		"another name": {[]model.Assignment{{To: target("c", "crate", all), Material: crateMaterial("gold")}},
			map[string]string{"a": "wood iron", "b": "none none"}},
		"instead of a material": {[]model.Assignment{{To: model.Target{Has: crateMaterial("wood")}, Material: crateMaterial("gold")}},
			map[string]string{"a": "gold iron", "b": "none none"}},
		"in a circle": {[]model.Assignment{{To: model.Target{Has: crateMaterial("wood")}, Material: crateMaterial("iron")},
			{To: model.Target{Has: crateMaterial("iron")}, Material: crateMaterial("wood")}}, map[string]string{"a": "iron wood", "b": "none none"}},
	} {
		open := gpbtest.ProjectIn(t, t.TempDir(), given(c.given), map[string][]byte{
			"res/crate.gpb":      gpbtest.Crates(t, "a=wood,iron", "b"),
			"res/crate.material": gpbtest.Colors("wood", "iron", "gold"),
			"res/room.scene":     []byte("scene room\n{\n  path = res/crate.gpb\n  node a\n  {\n  }\n}\n"),
		})
		for _, file := range []string{"res/crate.gpb", "res/room.scene"} {
			s := gpbtest.ViewedScene(t, open(file))
			for node, want := range c.want {
				assert.Equal(t, want, strings.Join(gpbtest.MaterialNames(s, node), " "), "%s: %s in %s", name, node, file)
			}
			assert.Empty(t, s.Missing, name)
		}
	}
}

func TestUserAssignsPictures(t *testing.T) {
	var wood bytes.Buffer
	require.NoError(t, png.Encode(&wood, image.NewGray(image.Rect(0, 0, 3, 2))))
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "own.png"), wood.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "own.material"),
		[]byte("material own\n{\n sampler u_diffuseTexture\n {\n path = own.png\n }\n}\n"), 0o600))
	for _, ref := range []model.Material{{File: "res/wood.png"}, {File: filepath.Join(other, "own.png")},
		{File: filepath.Join(other, "own.material"), ID: "own"}} {
		open := gpbtest.ProjectIn(t, t.TempDir(), given{{To: target("a", "crate", model.AllParts), Material: ref}},
			map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a"), "res/wood.png": wood.Bytes()})
		d := open("res/crate.gpb")
		s := gpbtest.ViewedScene(t, d)
		assert.Equal(t, []string{"the assigned image " + ref.Name() +
			" is not drawn on crate, which has no texture coordinates"}, s.Missing)
		m := gpbtest.NodesByName(s)["a"].Material(1)
		require.NotNil(t, m)
		assert.Equal(t, ref, m.Origin)
		img, err := m.Texture.Texture.Image(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 3, img.Bounds().Dx())
		var glb bytes.Buffer
		for _, f := range gpbtest.Payload(t, d, "scene").Forms {
			if f.Name == "glb" {
				_ = f.Write(t.Context(), &glb) // what it tells is about the animation
			}
		}
		assert.Contains(t, glb.String(), `"materials":[{"name":"`+ref.Name()+`"`, "it is exported, too")
		beside, _ := d.Source.Dependencies()
		assert.Contains(t, beside, "given", "pictures of the file depend on the file of assignments")
	}
}

func TestUserAssignsATarga(t *testing.T) {
	targa := []byte{2: 2, 12: 1, 14: 1, 16: 24, 20: 255}
	open := gpbtest.ProjectIn(t, t.TempDir(), given{{To: target("a", "crate", model.AllParts),
		Material: model.Material{File: "res/red.tga"}}},
		map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a"), "res/red.tga": targa})
	m := gpbtest.NodesByName(gpbtest.ViewedScene(t, open("res/crate.gpb")))["a"].Material(0)
	require.NotNil(t, m)
	img, err := m.Texture.Texture.Image(t.Context())
	require.NoError(t, err, "a picture that the engine does not load")
	r, g, b, _ := img.At(0, 0).RGBA()
	assert.Equal(t, [3]uint32{0xffff, 0, 0}, [3]uint32{r, g, b})
}

func TestUserChoosesATechnique(t *testing.T) {
	text := []byte("material wood\n{\n  technique day\n  {\n    pass\n    {\n      u_diffuseColor = 1, 0, 0, 1\n    }\n  }\n" +
		"  technique night\n  {\n    pass\n    {\n      u_diffuseColor = 0, 0, 1, 1\n    }\n  }\n}\n")
	night, noon := crateMaterial("wood"), crateMaterial("wood")
	night.Technique, noon.Technique = "night", "noon"
	for ref, want := range map[model.Material]struct {
		technique int
		missing   []string
	}{
		night: {1, nil}, noon: {0, []string{"material wood: the chosen technique noon does not exist"}},
	} {
		open := gpbtest.ProjectIn(t, t.TempDir(), given{{To: model.Target{Has: crateMaterial("wood")}, Material: ref}},
			map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a=wood"), "res/crate.material": text})
		s := gpbtest.ViewedScene(t, open("res/crate.gpb"))
		m := gpbtest.NodesByName(s)["a"].Material(0)
		assert.Equal(t, []string{"day", "night"}, m.Techniques)
		assert.Equal(t, want.technique, m.Technique)
		assert.Equal(t, want.missing, s.Missing)
		spheres := gpbtest.ViewedScene(t, open("res/crate.material"))
		spheres.Walk(func(n *scene.Node, _ scene.Matrix) {
			if n.Mesh != nil {
				assert.Equal(t, want.technique, n.Material(0).Technique, "the text shows it, too")
			}
		})
	}
}

// TestReplacementIsPreviewedOnItsMesh has a material that the user replaced by one of another file.
func TestReplacementIsPreviewedOnItsMesh(t *testing.T) {
	open := gpbtest.ProjectIn(t, t.TempDir(), given{{To: model.Target{Has: crateMaterial("wood")},
		Material: model.Material{File: "res/other.material", ID: "gold"}}},
		map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a=wood,iron"), "res/crate.material": gpbtest.Colors("wood", "iron"),
			"res/other.material": gpbtest.Colors("gold")})
	var all []string
	gpbtest.ViewedScene(t, open("res/crate.material")).Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			all = append(all, n.Material(0).Name+" on "+n.Mesh.Name)
		}
	})
	assert.Equal(t, []string{"gold on crate", "iron on crate"}, all)
}

func TestInvalidAssignmentsAreReported(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "huge.png"), nil, 0o600))
	require.NoError(t, os.Truncate(filepath.Join(other, "huge.png"), 1<<40))
	require.NoError(t, os.WriteFile(filepath.Join(other, "huge.material"), nil, 0o600))
	require.NoError(t, os.Truncate(filepath.Join(other, "huge.material"), 1<<40))
	modeltest.Symlink(t, "loop.material", filepath.Join(other, "loop.material"))
	sceneOf := func(ref model.Material) *scene.Scene {
		open := gpbtest.ProjectIn(t, root, given{{To: target("x", "crate", model.AllParts), Material: ref}},
			map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "x"),
				"res/crate.material": []byte("material a : b\n{\n}\nmaterial b : a\n{\n}\nmaterial c\n{\n}\nmaterial d\n{\n}\n")})
		return gpbtest.ViewedScene(t, open("res/crate.gpb"))
	}
	for file, want := range map[string]string{
		"res/gone.material":                   "res/gone.material is not in the project",
		"../../gone.png":                      "../../gone.png points outside the project; ignored",
		filepath.Join(other, "gone.png"):      "gone.png is not in the project",
		filepath.Join(other, "none/gone.png"): "the folder of gone.png cannot be read",
		filepath.Join(other, "loop.material"): "loop.material is not in the project",
		filepath.Join(other, "huge.material"): "huge.material is too large",
		"res/crate.material":                  "the assigned material x does not exist in res/crate.material",
		"":                                    "a path is empty",
	} {
		id := "x"
		if filepath.Ext(file) == ".png" {
			id = ""
		}
		s := sceneOf(model.Material{File: file, ID: id})
		require.NotEmpty(t, s.Missing, file)
		assert.Contains(t, strings.Join(s.Missing, "\n"), want, file)
		assert.Equal(t, []string{"none", "none"}, gpbtest.MaterialNames(s, "x"), "the rest is there")
	}
	s := sceneOf(model.Material{File: filepath.Join(other, "huge.png")})
	_, err := gpbtest.NodesByName(s)["x"].Material(0).Texture.Texture.Image(t.Context())
	assert.ErrorContains(t, err, "bytes")
	s = sceneOf(model.Material{File: "res/crate.material", ID: "a"})
	assert.Equal(t, []string{"a", "a"}, gpbtest.MaterialNames(s, "x"), "a material whose parents are a circle")

	open := gpbtest.ProjectIn(t, t.TempDir(), unreadable{}, map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a")})
	assert.Equal(t, []string{"the assignments in broken.json cannot be read"}, gpbtest.ViewedScene(t, open("res/crate.gpb")).Missing)
}

// As many assignments are kept; each is of a part of another node.
func TestTenThousandAssignmentsApply(t *testing.T) {
	const many = 10_000
	var all given
	var nodes []string
	for i := range many {
		name := fmt.Sprint("n", i)
		nodes = append(nodes, name)
		all = append(all, model.Assignment{To: target(name, "crate", 1), Material: crateMaterial("gold")})
	}
	open := gpbtest.ProjectIn(t, t.TempDir(), all, map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, nodes...),
		"res/crate.material": gpbtest.Colors("iron", "gold")})
	s := gpbtest.ViewedScene(t, open("res/crate.gpb"))
	assert.Equal(t, []string{"none", "gold"}, gpbtest.MaterialNames(s, nodes[many-1]))
}

// TestUnusedMaterialsAndPicturesAreListed has a material that a scene names, one of another bundle, and the parent of
// one.
func TestUnusedMaterialsAndPicturesAreListed(t *testing.T) {
	open := gpbtest.ProjectIn(t, t.TempDir(), userdata.AssignmentsIn(t.TempDir()), map[string][]byte{
		"res/crate.gpb": gpbtest.Crates(t, "a"), "res/crate.material": gpbtest.Colors("own"),
		"res/ship.gpb": gpbtest.Crates(t, "b"), "res/ship.material": gpbtest.Colors("hull"),
		"res/z.material": append(gpbtest.Colors("wood", "iron"), "material rust : iron\n{\n}\n"...),
		"res/y.material": gpbtest.Colors("first", "next"), "res/wood.png": nil,
		"res/all.scene": []byte("scene\n{\nnode a\n{\nmaterial = res/z.material#wood\nmaterial[1] = res/y.material\n}\n}\n")})
	d := gpbtest.ViewedScene(t, open("res/crate.gpb"))
	free, err := d.Materials.Unused(t.Context(), d.Files())
	require.NoError(t, err)
	assert.Equal(t, []model.Material{{File: "res/crate.material", ID: "own"}, {File: "res/y.material", ID: "next"},
		{File: "res/z.material", ID: "rust"}, {File: "res/wood.png"}}, free)
}
