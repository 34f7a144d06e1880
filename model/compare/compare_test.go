package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/model/compare/report"
	"assay/model/modeltest"
)

type tree = modeltest.Tree

var (
	leaf, layoutLeaf, timeNode = modeltest.Leaf, modeltest.OffsetNode, modeltest.TimeNode
	node, list                 = modeltest.Node, modeltest.List
	document, noise            = modeltest.Document, modeltest.Noise
)

func both(t testing.TB, a, b tree) []string {
	t.Helper()
	c := modeltest.Compare(t, document("1", a), document("1", b), compare.Options{})
	modeltest.CheckMirror(t, c)
	checkSteps(t, c)
	return modeltest.Rows(t, c)
}

// checkSteps checks that Next and Previous visit the same rows as Rows.
func checkSteps(t testing.TB, c *compare.Comparison) {
	t.Helper()
	var want, forth, back []string
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		want = append(want, fmt.Sprint(p.Path(), p.Status))
		return nil
	}))
	var last *compare.Pair
	p := c.Root()
	if !p.IsRow() {
		p = p.Next()
	}
	for ; p != nil; p = p.Next() {
		forth = append(forth, fmt.Sprint(p.Path(), p.Status))
		last = p
		require.LessOrEqual(t, len(forth), len(want)+1)
	}
	for p = last; p != nil; p = p.Previous() {
		back = append(back, fmt.Sprint(p.Path(), p.Status))
		require.LessOrEqual(t, len(back), len(want)+1)
	}
	slices.Reverse(back)
	assert.Equal(t, want, forth)
	assert.Equal(t, want, back)
}

const long = "a text that is long enough to be known by its content alone"

func scene(extra ...tree) tree {
	return node("", "Scene", "", append([]tree{
		leaf("version", uint64(1)),
		layoutLeaf("index_offset", 40),
		list("nodes", "Node",
			node("", "", "cube", leaf("text", long+" cube"), leaf("x", float32(1))),
			node("", "", "ball", leaf("text", long+" ball"), leaf("x", float32(2))),
			node("", "", "lamp", leaf("text", long+" lamp"), leaf("x", float32(3))),
		),
		list("points", "Point",
			node("", "", "", leaf("x", int64(1)), leaf("y", int64(1))),
			node("", "", "", leaf("x", int64(2)), leaf("y", int64(4))),
			node("", "", "", leaf("x", int64(3)), leaf("y", int64(9))),
		),
	}, extra...)...)
}

func TestDocumentsPairsNodes(t *testing.T) {
	change := func(f func(s *tree)) tree {
		s := scene()
		f(&s)
		return s
	}
	nodes := func(s *tree) *[]tree { return &s.Children[2].Children }
	points := func(s *tree) *[]tree { return &s.Children[3].Children }
	number := func(l *[]tree) {
		for i := range *l {
			if i > 0 {
				(*l)[i].Name = fmt.Sprint(i - 1)
			}
		}
		(*l)[0].Value = uint64(len(*l) - 1)
	}
	tests := []struct {
		name string
		to   tree
		want []string
	}{
		{"nothing", scene(), nil},
		{"a value", change(func(s *tree) { (*nodes(s))[2].Children[1].Value = float32(7) }),
			[]string{"~ /nodes/1 ball", "~ /nodes/1/x"}},
		{"an element added", change(func(s *tree) {
			*nodes(s) = slices.Insert(*nodes(s), 2, node("", "Node", "tree", leaf("text", "new")))
			number(nodes(s))
			s.Children[1].Value = uint64(60)
		}), []string{"+ /nodes/1 tree"}},
		{"an element removed", change(func(s *tree) { *nodes(s) = slices.Delete(*nodes(s), 1, 2); number(nodes(s)) }),
			[]string{"- /nodes/0 cube"}},
		{"order", change(func(s *tree) { n := *nodes(s); n[1], n[2], n[3] = n[2], n[3], n[1]; number(nodes(s)) }),
			[]string{"> /nodes/2 cube"}},
		{"two changed places around one that stays", change(func(s *tree) {
			n := *nodes(s)
			n[1], n[3] = n[3], n[1]
			number(nodes(s))
		}), []string{"> /nodes/0 lamp", "> /nodes/2 cube"}},
		{"another key", change(func(s *tree) { (*nodes(s))[3].Key = "torch" }), []string{"> /nodes/2 torch"}},
		{"a point inserted", change(func(s *tree) {
			*points(s) = slices.Insert(*points(s), 2, node("", "Point", "", leaf("x", int64(8)), leaf("y", int64(8))))
			number(points(s))
		}), []string{"+ /points/1"}},
		{"a point inserted, the next one changed", change(func(s *tree) {
			(*points(s))[2].Children[1].Value = int64(5)
			*points(s) = slices.Insert(*points(s), 2, node("", "Point", "", leaf("x", int64(8)), leaf("y", int64(8))))
			number(points(s))
		}), []string{"+ /points/1", "~ /points/2/y"}},
		{"only the layout", change(func(s *tree) { s.Children[1].Value = uint64(99) }), []string{"~ /index_offset"}},
		{"a field more", scene(leaf("name", "x")), []string{"+ /name"}},
		{"another type", change(func(s *tree) { s.Children[0].Type = "int64" }), []string{"~ /version"}},
		{"a list empty", change(func(s *tree) { *nodes(s) = (*nodes(s))[:1]; number(nodes(s)) }),
			[]string{"- /nodes/0 cube", "- /nodes/1 ball", "- /nodes/2 lamp"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, both(t, scene(), test.to))
		})
	}
}

// TestNodesAtTheSameOffsetDidNotMove moves elements around one that keeps its index and its offset.
func TestNodesAtTheSameOffsetDidNotMove(t *testing.T) {
	file := func(keys string) tree {
		var all []tree
		for _, k := range keys {
			all = append(all, node("", "Node", string(k), leaf("text", long+string(k))))
		}
		return node("", "Root", "", list("nodes", "Node", all...))
	}
	assert.Equal(t, []string{"> /nodes/4 c", "> /nodes/5 b"}, both(t, file("abcdef"), file("aefdcb")))
	assert.Equal(t, []string{"> /nodes/0 c", "> /nodes/2 a"}, both(t, file("abc"), file("cba")))
}

func TestNodesWithAnotherParentAreMoved(t *testing.T) {
	child := func(key string, kids ...tree) tree {
		return node("", "", key, leaf("text", long+" "+key), list("children", "Node", kids...))
	}
	a := node("", "Root", "", list("nodes", "Node", child("a", child("b"), child("c")), child("d")))
	t.Run("below another", func(t *testing.T) {
		b := node("", "Root", "", list("nodes", "Node", child("a", child("c")), child("d", child("b"))))
		got := both(t, a, b)
		assert.Contains(t, got, "> /nodes/1/children/0 b")
		assert.NotContains(t, strings.Join(got, "\n"), "+")
		assert.NotContains(t, strings.Join(got, "\n"), "- ")
	})
	t.Run("below one that is new", func(t *testing.T) {
		b := node("", "Root", "", list("nodes", "Node", child("a", child("group", child("b")), child("c")), child("d")))
		assert.Equal(t, []string{"~ /nodes/0 a", "+ /nodes/0/children/0 group", "> /nodes/0/children/0/children/0 b"},
			both(t, a, b))
	})
	t.Run("their parent is gone", func(t *testing.T) {
		b := node("", "Root", "", list("nodes", "Node", child("d"), child("b"), child("c")))
		assert.Equal(t, []string{"- /nodes/0 a", "> /nodes/1 b", "> /nodes/2 c"}, both(t, a, b))
	})
}

func TestRepeatedKeysAreMatchedInOrder(t *testing.T) {
	item := func(v string) tree { return node("", "", "same", leaf("v", v)) }
	a := node("", "Root", "", list("items", "Item", item("1"), item("2"), item("3")))
	b := node("", "Root", "", list("items", "Item", item("1"), item("x"), item("3")))
	assert.Equal(t, []string{"~ /items/1 same", "~ /items/1/v"}, both(t, a, b), "matched by occurrence")

	two := func(v string) tree {
		return node("", "Root", "", list("index", "Entry", node("", "", "k", leaf("v", "e"))),
			list("assets", "Asset", node("", "", "k", leaf("v", v))))
	}
	assert.Equal(t, []string{"~ /assets/0 k", "~ /assets/0/v"}, both(t, two("1"), two("2")), "a key of two types")
}

func TestPlantedChangesAreFound(t *testing.T) {
	var paths []model.Path
	first := document("1", scene())
	require.NoError(t, model.Walk(first.Root(), func(n *model.Node) (bool, error) {
		if n.Leaf() && n.Name != "names" {
			paths = append(paths, n.Path())
		}
		return true, nil
	}, nil))
	for _, p := range paths {
		planted := scene()
		at := &planted
		for _, i := range p {
			at = &at.Children[i]
		}
		switch v := at.Value.(type) {
		case string:
			at.Value = v + "!"
		case uint64:
			at.Value = v + 1
		case int64:
			at.Value = v + 1
		case float32:
			at.Value = v + 1
		}
		n := first.At(p)
		want := []string{}
		for up := n.Parent; up != nil; up = up.Parent {
			if up.Key != "" {
				want = append(want, "~ "+up.PathText()+" "+up.Key)
			}
		}
		want = append(want, "~ "+n.PathText())
		assert.Equal(t, want, both(t, scene(), planted), n.PathText())
	}
}

func TestSwappedFilesMirrorTheResult(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var grow func(depth int) tree
	grow = func(depth int) tree {
		key := ""
		if r.IntN(3) > 0 {
			key = fmt.Sprint("k", r.IntN(12))
		}
		t := node("", "Node", key, leaf("v", int64(r.IntN(3))), leaf("text", strings.Repeat("x", r.IntN(50))))
		var kids []tree
		for range r.IntN(5) {
			if depth > 0 {
				kids = append(kids, grow(depth-1))
			}
		}
		t.Children = append(t.Children, list("children", "Node", kids...))
		return t
	}
	for range 300 {
		a, b := grow(3), grow(3)
		if r.IntN(2) == 0 {
			b = node("", "Node", a.Key, append(slices.Clone(a.Children[:1]), b.Children[1:]...)...)
		}
		a.Name, b.Name = "", ""
		both(t, a, b)
	}
}

func TestFormatVersionsAreComparedByMeaning(t *testing.T) {
	old := node("", "Root", "", leaf("version", uint64(4)), list("fonts", "Font",
		node("", "", "arial", leaf("size", uint64(12)), leaf("old_field", "x")),
		node("", "", "times", leaf("size", uint64(10)), leaf("old_field", "x"))))
	now := node("", "Root", "", leaf("version", uint64(4)), list("fonts", "Font",
		node("", "", "arial", leaf("size", int64(12)), leaf("bearing", float32(1))),
		node("", "", "times", leaf("size", int64(11)), leaf("bearing", float32(1)))))
	c := modeltest.Compare(t, document("1.4", old), document("1.5", now), compare.Options{})
	assert.Equal(t, []string{"~ /", "~ /fonts/1 times", "~ /fonts/1/size"}, modeltest.Rows(t, c))
	assert.Equal(t, []compare.VersionField{
		{Type: "Font", Name: "bearing", Status: compare.Added, Count: 2},
		{Type: "Font", Name: "old_field", Status: compare.Removed, Count: 2},
	}, c.OneVersion)
	modeltest.CheckMirror(t, c)
	var out bytes.Buffer
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{}))
	assert.Contains(t, out.String(), "made 1.4 → made 1.5")
	assert.Contains(t, out.String(), "only the new file has bearing in [Font] (2 times)")
	new := node("", "Root", "", leaf("version", uint64(4)), list("fonts", "Font",
		node("", "", "arial", leaf("size", uint64(12)), leaf("old_field", "x"), leaf("bearing", float32(1)))))
	c = modeltest.Compare(t, document("1.4", old), document("1.5", new), compare.Options{})
	out.Reset()
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{}))
	assert.Contains(t, out.String(), "only the new file has bearing in [Font] (1 time)")
}

func TestOtherFormatsAreComparedByBytes(t *testing.T) {
	a, b := document("1", scene()), document("1", scene())
	b.Format = "other"
	c := modeltest.Compare(t, a, b, compare.Options{})
	assert.True(t, c.BytesOnly)
	assert.False(t, c.Same())
	assert.Contains(t, c.Note, "different formats")
	assert.Equal(t, []string{"~ /"}, modeltest.Rows(t, c))
}

func TestOptionsIgnoreDifferences(t *testing.T) {
	a := node("", "Root", "", timeNode("created", 1), leaf("x", float32(1)), leaf("comment", "a"))
	b := node("", "Root", "", timeNode("created", 2), leaf("x", float32(1.0001)), leaf("comment", "b"))
	tests := []struct {
		name string
		o    compare.Options
		want int
	}{
		{"none", compare.Options{}, 3},
		{"times", compare.Options{Times: true}, 2},
		{"tolerance", compare.Options{Tolerance: 0.001}, 2},
		{"names", compare.Options{Names: []string{"comment"}}, 2},
		{"all", compare.Options{Times: true, Tolerance: 0.001, Names: []string{"comment"}}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := modeltest.Compare(t, document("1", a), document("1", b), test.o)
			assert.Len(t, modeltest.Rows(t, c), test.want)
			assert.EqualValues(t, 3-test.want, c.Ignored)
			assert.Equal(t, test.want == 0, c.Same())
		})
	}
}

func TestPairsOfTheUserAreCompared(t *testing.T) {
	a := node("", "Root", "", list("nodes", "Node", node("", "", "a", leaf("v", "1")),
		node("", "", "b", leaf("v", "2"))))
	b := node("", "Root", "", list("nodes", "Node", node("", "", "x", leaf("v", "1")),
		node("", "", "b", leaf("v", "2"))))
	assert.Equal(t, []string{"- /nodes/0 a", "+ /nodes/0 x"}, both(t, a, b))
	c := modeltest.Compare(t, document("1", a), document("1", b),
		compare.Options{Pairs: []compare.Match{{Old: model.Path{0, 1}, New: model.Path{0, 1}}}})
	assert.Equal(t, []string{"> /nodes/0 x"}, modeltest.Rows(t, c))
	_, err := compare.Documents(context.Background(), document("1", a), document("1", b),
		compare.Options{Pairs: []compare.Match{{Old: model.Path{9}}}}, nil)
	assert.ErrorContains(t, err, "no longer exists in the files")
}

func TestUndecodedBytesAreCompared(t *testing.T) {
	make := func(hidden string) *model.Document {
		data := "abcd" + hidden
		root := &model.Node{Type: "Root", Span: model.Span{Size: int64(len(data))}}
		root.SetChildren(model.List{{Name: "v", Type: "text", Span: model.Span{Size: 4}, Value: "abcd"}})
		return model.NewDocument(model.NewSource("x", strings.NewReader(data), int64(len(data))), "made", "1", root)
	}
	c := modeltest.Compare(t, make("1111"), make("1112"), compare.Options{})
	assert.Equal(t, []string{"~ /gap/0"}, modeltest.Rows(t, c))
}

func TestJSONHasTheDocumentedMembers(t *testing.T) {
	b := scene()
	b.Children[2].Children[1].Children[1].Value = float32(5)
	b.Children[2].Children = b.Children[2].Children[:3]
	c := modeltest.Compare(t, document("1", scene()), document("1", b), compare.Options{})
	var out bytes.Buffer
	require.NoError(t, report.JSON(t.Context(), c, &out))
	var d struct {
		Same, Changed, Moved, Added, Removed int
		Changes                              []struct {
			Status, Path, Type, Key string
			Old, New                *struct{ Offset, Size int64 }
			OldValue                any `json:"old_value"`
			NewValue                any `json:"new_value"`
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &d), out.String())
	assert.Equal(t, []int{2, 0, 0, 1}, []int{d.Changed, d.Moved, d.Added, d.Removed})
	require.Len(t, d.Changes, 3)
	assert.Equal(t, "/nodes/0/x", d.Changes[1].Path)
	assert.EqualValues(t, 1, d.Changes[1].OldValue)
	assert.EqualValues(t, 5, d.Changes[1].NewValue)
	assert.Nil(t, d.Changes[2].New)
	assert.Equal(t, "lamp", d.Changes[2].Key)
}

func TestReportsNameAndEscapeChanges(t *testing.T) {
	b := scene(leaf("note", "<script>|*\x1b[31m"))
	b.Children[0].Value = uint64(3)
	c := modeltest.Compare(t, document("1", scene()), document("1", b), compare.Options{})
	var text, color, md, page bytes.Buffer
	require.NoError(t, report.Text(t.Context(), c, &text, report.Options{}))
	require.NoError(t, report.Text(t.Context(), c, &color, report.Options{Color: true}))
	require.NoError(t, report.Markdown(t.Context(), c, &md, report.Options{}))
	require.NoError(t, report.HTML(t.Context(), c, &page))
	assert.Contains(t, text.String(), "~ /version [uint64] 1 → 3 (+2)\n")
	assert.Contains(t, text.String(), "# 1 changed, 1 added\n")
	assert.NotContains(t, text.String(), "\x1b")
	assert.Contains(t, color.String(), "\x1b[33m~ /version")
	assert.Contains(t, md.String(), `| changed | /version |`)
	assert.NotContains(t, page.String(), "<script>")
	assert.NotContains(t, page.String(), "\x1b")
}

func TestComparisonStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := compare.Documents(ctx, document("1", scene()), document("1", scene(leaf("x", "y"))), compare.Options{},
		nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestLongTextsAreShortenedAroundTheDifference(t *testing.T) {
	tests := []struct{ old, new, wantOld, wantNew string }{
		{"short", "shirt", `"short"`, `"shirt"`},
		{strings.Repeat("a", 40) + "X" + strings.Repeat("b", 40), strings.Repeat("a", 40) + "YY" +
			strings.Repeat("b", 40),
			`"…` + strings.Repeat("a", 24) + `{-X-}` + strings.Repeat("b", 24) + `…"`,
			`"…` + strings.Repeat("a", 24) + `{+YY+}` + strings.Repeat("b", 24) + `…"`},
	}
	for _, test := range tests {
		p := contents.PartChange{Old: `"` + test.old + `"`, New: `"` + test.new + `"`, Quoted: true}
		assert.Equal(t, test.wantOld+" → "+test.wantNew, p.Value())
	}
}

func TestDamageIsReported(t *testing.T) {
	a, b := document("1", scene()), document("1", scene(leaf("x", "y")))
	n := b.Root().Child(0)
	n.AddProblems(
		model.Problem{Severity: model.Error, Span: model.Span{Offset: 0x20}, Message: "it ends early"},
		model.Problem{Severity: model.Error, Message: "more"})
	c := modeltest.Compare(t, a, b, compare.Options{})
	want := "the new file is damaged: it ends early (at 0x20), and 1 more error; only the readable part was compared"
	assert.Equal(t, []string{want}, c.Notes())
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, want+": x added: y", changes.Brief(c, o))
	var out bytes.Buffer
	require.NoError(t, report.HTML(t.Context(), c, &out))
	assert.Contains(t, out.String(), want)
}

// TestBitFieldsAreComparedByTheirBits changes the neighbor of a bit field in the same byte.
func TestBitFieldsAreComparedByTheirBits(t *testing.T) {
	read := func(b byte) *model.Document {
		src := model.NewSource("a", bytes.NewReader([]byte{b}), 1)
		root := &model.Node{Type: "root", Span: model.Span{Size: 1}}
		whole := model.Span{Size: 1}
		root.SetChildren(model.List{
			{Name: "high", Type: "b4", Span: whole, Value: uint64(b >> 4), Bits: model.Bits{After: 4}},
			{Name: "low", Type: "b4", Span: whole, Value: uint64(b & 15), Bits: model.Bits{Before: 4}},
		})
		return model.NewDocument(src, "test", "", root)
	}
	c, err := compare.Documents(context.Background(), read(0x12), read(0x13), compare.Options{}, nil)
	require.NoError(t, err)
	assert.Equal(t, compare.Same, c.Root().Child(0).Status)
	assert.Equal(t, compare.Changed, c.Root().Child(1).Status)
}

// TestChangesAreDeterministic renames two items of one key: in every run, the new key is that of the first item.
func TestChangesAreDeterministic(t *testing.T) {
	file := func(entry, asset string) tree {
		return node("", "Root", "",
			node("entry", "Entry", entry, leaf("text", long+" 1")),
			node("asset", "Asset", asset, leaf("text", long+" 2")),
			list("notes", "Result", node("", "", asset, leaf("says", "short "+asset))))
	}
	for range 30 {
		assert.Equal(t, []string{"> /entry new", "> /asset newer", "- /notes/0 old", "+ /notes/0 newer"},
			both(t, file("old", "old"), file("new", "newer")))
	}
}
