package model_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestFileNamesAreDisplayedConsistently(t *testing.T) {
	for path, want := range map[string]string{
		"/x/duck.gpb":          "duck.gpb",
		"/x/\x83e\x83X.gpb":    `\x83e\x83X.gpb`, // Shift-JIS
		"/\xff/caf\u00e9.ppac": "caf\u00e9.ppac",
		"a\nb\u202e.gpb":       `a\nb<U+202E>.gpb`,
		"\ufffd":               "\ufffd", // a valid character
	} {
		assert.Equal(t, want, model.FileName(path))
	}
	assert.Equal(t, `a\xe2…`, model.OneLine("a\xe2\x82", 2))
	n := &model.Node{Value: "\uFFFDGPB"}
	n.SetRaw([]byte("\xabGPB"))
	assert.Equal(t, `\xabGPB`, n.ValueText(), "the invalid byte, not its replacement character")
}

func TestPathsCanBeParsedFromTheirText(t *testing.T) {
	here, err := filepath.Abs("a b\x83") // with a drive on Windows
	require.NoError(t, err)
	for _, path := range []string{"/a/b.gpb", "", "/a/100%.gpb", filepath.FromSlash("/x/\x83e%41\x83X #?.gpb"), here} {
		text := model.EncodePath(path)
		assert.Equal(t, path, model.DecodePath(text))
	}
	address := "file:///" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(here)), "/")
	assert.Equal(t, filepath.Dir(here), model.DecodePath(address), "as others write it")
	assert.Equal(t, "/a/100%.gpb", model.EncodePath("/a/100%.gpb"))
	assert.Equal(t, "file:///%83", model.EncodePath("/\x83"))
	assert.Equal(t, "file://%zz", model.DecodePath("file://%zz"))
}

func TestNamesAreOrderedByTheirNumbers(t *testing.T) {
	names := []string{"t10.state", "t9.state", "T2", "t009.state", "a", "t10", "B", "", "t1a2", "b", "t1a10", "9", "10"}
	slices.SortFunc(names, model.CompareNames)
	assert.Equal(t, []string{"", "9", "10", "a", "B", "b", "t1a2", "t1a10", "T2", "t009.state", "t9.state", "t10",
		"t10.state"}, names)
}

func TestKeysAreOrderedByTheirHexDigits(t *testing.T) {
	names := []string{"t10", "0100-0002-000000A0", "0100-0002-00000010.png", "0100-0002-0000000A", "9", "face 7",
		"0100-0002-0000000a.png", "0100-000A-00000001", "00ff00ff00ff00ff", "0100-0002-00000010"}
	slices.SortFunc(names, model.CompareNames)
	assert.Equal(t, []string{"00ff00ff00ff00ff", "0100-0002-0000000A", "0100-0002-0000000a.png", "0100-0002-00000010",
		"0100-0002-00000010.png", "0100-0002-000000A0", "0100-000A-00000001", "9", "face 7", "t10"}, names)
}

func BenchmarkCompareNames(b *testing.B) {
	for b.Loop() {
		model.CompareNames("objects/Character_Left_Hand_0012", "objects/character_left_hand_0013")
	}
}

func TestTitleIsTheNameAndTheLabelOrKey(t *testing.T) {
	labelled := func(n model.Node, label string) model.Node {
		n.SetLabel(func() string { return label })
		return n
	}
	for _, c := range []struct {
		node  model.Node
		title string
	}{
		{model.Node{Name: "transform"}, "transform"},
		{model.Node{Name: "0", Key: "VisualSceneNode"}, "0 VisualSceneNode"},
		{model.Node{Name: "camera", Key: "Camera01"}, "camera Camera01"},
		{model.Node{Name: "header", Key: "header"}, "header"},
		{labelled(model.Node{Name: "3", Key: "0001-0001-00000003"}, "images/icon.png"), "3 images/icon.png"},
		{labelled(model.Node{Name: "3", Key: "0001-0001-00000003"}, ""), "3 0001-0001-00000003"},
		{model.Node{Key: "alone"}, "alone"},
		{model.Node{Name: "7"}, "7"},
	} {
		assert.Equal(t, c.title, c.node.Title())
	}
}

func TestLongPathOfTitlesKeepsItsEnd(t *testing.T) {
	root := &model.Node{}
	n := root
	for range 30 {
		below := &model.Node{Name: "0", Key: "k"}
		n.SetChildren(model.List{below})
		n = below
	}
	path := n.TitlePath()
	assert.Contains(t, path, "0 k / 0 k")
	assert.Equal(t, "… / 0 k", path[:len("… / 0 k")])
	assert.Less(t, len(path), 100)
	d := model.NewDocument(model.NewSource("a.gpb", bytes.NewReader(nil), 0), "test", "1", root)
	assert.Equal(t, "a.gpb", d.Title(root))
	assert.Equal(t, "0 k", d.Title(n))
}

func TestElementsAreCountedWithoutTheFieldsAroundThem(t *testing.T) {
	list := func(names ...string) *model.Node {
		n, l := new(model.Node), model.List{}
		for _, name := range names {
			l = append(l, &model.Node{Name: name})
		}
		n.SetChildren(l)
		return n
	}
	assert.Equal(t, 3, list("size", "count", "0", "1", "2", "end").ElementCount())
	assert.Equal(t, 2, list("size", "count", "0", "1").FirstElementIndex())
	assert.Equal(t, 2, list("first", "second").ElementCount(), "named children are elements where none has an index")
	assert.Equal(t, 0, new(model.Node).ElementCount())
	counted := list("count")
	counted.Child(0).Role = model.RoleCount
	assert.Equal(t, 0, counted.ElementCount())
	torn := new(model.Node)
	torn.SetChildren(&model.Elements{Count: 2, Make: func(int) *model.Node { return new(model.Node) },
		Last: model.List{{Name: "2"}, {Name: "end"}}})
	assert.Equal(t, 3, torn.ElementCount(), "an element that ends too early counts")
}
