package material_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/scene"
)

func TestMaterialsThatABundleNames(t *testing.T) {
	look := gpbtest.SceneIn(t, map[string][]byte{
		"res/a/crates.gpb":      gpbtest.Crates(t, "both=wood,iron", "first=wood", "unknown=stone,iron", "nothing"),
		"res/a/crates.material": gpbtest.Colors("wood", "iron"),
		"res/b/crates.gpb":      gpbtest.Crates(t, "both=wood,iron"),
	})
	s := look("res/a/crates.gpb")
	assert.Equal(t, []string{"wood", "iron"}, gpbtest.MaterialNames(s, "both"))
	assert.Equal(t, []string{"wood", "none"}, gpbtest.MaterialNames(s, "first"), "one name is for the first part")
	assert.Equal(t, []string{"stone?", "iron"}, gpbtest.MaterialNames(s, "unknown"))
	assert.Equal(t, []string{"none", "none"}, gpbtest.MaterialNames(s, "nothing"))
	assert.Equal(t, []string{"res/a/crates.material has no material stone"}, s.Missing)
	assert.Same(t, gpbtest.NodesByName(s)["both"].Material(0), gpbtest.NodesByName(s)["first"].Material(0))

	s = look("res/b/crates.gpb")
	assert.Equal(t, []string{"wood", "iron"}, gpbtest.MaterialNames(s, "both"), "those of the only file of the project")
	assert.Equal(t, []string{"guessed: wood of crates.material for both", "guessed: iron of crates.material for both"}, s.Missing)
}

// TestGuessedMaterials has projects in which only code says which materials nodes have.
func TestGuessedMaterials(t *testing.T) {
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
			[]string{"guessed: seymour of seymour.material for boy", "guessed: plane of floor.material for floor"}},
		"the only file of the project, of another name": {
			[]string{"wall"}, map[string][]byte{"light.material": gpbtest.Colors("lighting")},
			map[string]string{"wall": "lighting"}, []string{"guessed: lighting of light.material for wall"}},
		"those beside the bundle, not those of the root": {
			[]string{"boy", "floor"},
			map[string][]byte{"seymour.material": gpbtest.Colors("seymour"), "floor.material": gpbtest.Colors("plane"),
				"../seymour.material": gpbtest.Colors("other"), "../floor.material": gpbtest.Colors("ceiling")},
			map[string]string{"boy": "seymour", "floor": "plane"},
			[]string{"guessed: seymour of seymour.material for boy", "guessed: plane of floor.material for floor"}},
		"the library of another bundle": {
			[]string{"wall"}, map[string][]byte{"duck.material": gpbtest.Colors("duck"), "duck.gpb": nil},
			map[string]string{"wall": "none"}, nil},
		"a base and its heir": {
			[]string{"a", "b", "c", "d"}, map[string][]byte{"any.material": []byte("material base\n{\n}\nmaterial heir : base\n{\n}\n")},
			map[string]string{"a": "heir"}, []string{"guessed: heir of any.material for a, b, c and 1 more"}},
		"names that only resemble each other": {
			[]string{"floor1"}, map[string][]byte{"a.material": gpbtest.Colors("floor", "wall"), "b.material": gpbtest.Colors("roof")},
			map[string]string{"floor1": "none"}, nil},
		"the name of the mesh": {
			[]string{"a"}, map[string][]byte{"seymour.material": gpbtest.Colors("crate", "wall")},
			map[string]string{"a": "crate"}, []string{"guessed: crate of seymour.material for a"}},
		"a name beside one that a file assigns": {
			[]string{"a=wall", "wall", "c"}, map[string][]byte{"seymour.material": gpbtest.Colors("wall")},
			map[string]string{"a": "wall", "wall": "wall", "c": "none"}, []string{"guessed: wall of seymour.material for wall"}},
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

func TestMaterialsByCodeOnly(t *testing.T) {
	look := gpbtest.SceneIn(t, map[string][]byte{
		"res/a/duck.gpb": gpbtest.Crates(t, "one", "two"), "res/materials/duck.material": gpbtest.Colors("any"),
		"res/b/room.gpb": gpbtest.Crates(t, "one", "two"), "res/b/room.material": gpbtest.Colors("base", "two"),
	})
	s := look("res/a/duck.gpb")
	assert.Equal(t, []string{"any", "any"}, gpbtest.MaterialNames(s, "one"), "the only material")
	assert.Equal(t, "guessed: any of duck.material for one, two", s.Missing[len(s.Missing)-1])
	s = look("res/b/room.gpb")
	assert.Equal(t, []string{"none", "none"}, gpbtest.MaterialNames(s, "one"))
	assert.Equal(t, []string{"two", "two"}, gpbtest.MaterialNames(s, "two"), "the material of the node's name")
}

// TestMaterialsThatInheritInACircle opens a project whose materials are each other's parents.
func TestMaterialsThatInheritInACircle(t *testing.T) {
	circle := []byte("material a : c\n{\n}\nmaterial b : a\n{\n}\nmaterial c : b\n{\n}\nmaterial me : me\n{\n" +
		"  technique\n  {\n    pass\n    {\n      u_diffuseColor = 1, 0, 0, 1\n    }\n  }\n}\n")
	look := gpbtest.SceneIn(t, map[string][]byte{"crate.gpb": gpbtest.Crates(t, "x=a,me"), "crate.material": circle})
	assert.Equal(t, []string{"a", "me"}, gpbtest.MaterialNames(look("crate.gpb"), "x"))

	d, err := document.OpenText(t.Context(), model.NewSource("crate.material", bytes.NewReader(circle), int64(len(circle))))
	require.NoError(t, err)
	r, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	told := 0
	for _, p := range r.Problems {
		assert.Contains(t, p.Message, "go round in a circle")
		told++
	}
	assert.Equal(t, 4, told, "one for each material")
}

// TestMaterialsThatAnEntryDescribes: one of a node is merged with that which the node inherits, and of two the last
// counts.
func TestMaterialsThatAnEntryDescribes(t *testing.T) {
	const technique = "technique\n{\npass\n{\nu_diffuseColor = %s\n}\n}\n"
	red, blue := fmt.Sprintf(technique, "${red}"), fmt.Sprintf(technique, "0, 0, 1, 1")
	s := gpbtest.SceneIn(t, map[string][]byte{"crates.gpb": gpbtest.Crates(t, "base", "heir", "both"), "a.scene": []byte(
		"${red} = 1, 0, 0, 1\nscene s\n{\npath = crates.gpb\nnode base\n{\nmaterial\n{\n" + red + "}\n}\n" +
			"node heir : base\n{\nmaterial\n{\nu_ambientColor = 0, 1, 0\n}\n}\n" +
			"node both\n{\nmaterial a\n{\n" + red + "}\nmaterial b\n{\n" + blue + "}\n}\n}\n")})("a.scene")
	look := func(node string) []any {
		m := gpbtest.NodesByName(s)[node].Material(0)
		return []any{m.Name, m.Diffuse, m.Ambient}
	}
	assert.Equal(t, []any{"base", [4]float32{1, 0, 0, 1}, [3]float32{}}, look("base"))
	assert.Equal(t, []any{"heir", [4]float32{1, 0, 0, 1}, [3]float32{0, 1, 0}}, look("heir"))
	assert.Equal(t, []any{"b", [4]float32{0, 0, 1, 1}, [3]float32{}}, look("both"))
}

// TestMaterialsThatAnEntryDoesNotFind has references that lead to no material.
func TestMaterialsThatAnEntryDoesNotFind(t *testing.T) {
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

// TestAHundredThousandMaterialsOfAProject reads as many as are asked for, up to a bound that is told.
func TestAHundredThousandMaterialsOfAProject(t *testing.T) {
	const many = 100_000
	var text bytes.Buffer
	for i := range many {
		fmt.Fprintf(&text, "material m%d\n{\n}\n", i)
	}
	look := gpbtest.SceneIn(t, map[string][]byte{"crate.gpb": gpbtest.Crates(t, "x=m99999,m0"), "crate.material": text.Bytes()})
	assert.Equal(t, []string{"m99999", "m0"}, gpbtest.MaterialNames(look("crate.gpb"), "x"))

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
