package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func leaf(name string, off, size int64, value any) *model.Node {
	return &model.Node{Name: name, Type: "t", Span: model.Span{Offset: off, Size: size}, Value: value}
}

func tree(name string, off, size int64, kids ...*model.Node) *model.Node {
	n := &model.Node{Name: name, Type: "T", Span: model.Span{Offset: off, Size: size}}
	n.SetChildren(model.List(kids))
	return n
}

func document(size int64, kids ...*model.Node) *model.Document {
	src := model.NewSource("test", bytes.NewReader(make([]byte, size)), size)
	return model.NewDocument(src, "test", "1", tree("", 0, size, kids...))
}

func check(t *testing.T, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func TestCheckCountsOwnedBytesGapsAndOverlaps(t *testing.T) {
	for _, c := range []struct {
		name      string
		kids      []*model.Node
		accounted int64
		gaps      []model.Span
		overlaps  []model.Span
	}{
		{"nothing", nil, 0, []model.Span{{Offset: 0, Size: 100}}, nil},
		{"everything", []*model.Node{leaf("a", 0, 40, nil), leaf("b", 40, 60, nil)}, 100, nil, nil},
		{"order changed", []*model.Node{leaf("b", 40, 60, nil), leaf("a", 0, 40, nil)}, 100, nil, nil},
		{"only leaves own", []*model.Node{tree("a", 0, 100, leaf("b", 10, 10, nil))}, 10,
			[]model.Span{{Offset: 0, Size: 10}, {Offset: 20, Size: 80}}, nil},
		{"twice", []*model.Node{leaf("a", 0, 60, nil), leaf("b", 50, 50, nil)}, 100, nil,
			[]model.Span{{Offset: 50, Size: 10}}},
		{"one inside of another", []*model.Node{leaf("a", 0, 100, nil), leaf("b", 50, 10, nil), leaf("c", 55, 10, nil)},
			100, nil, []model.Span{{Offset: 50, Size: 15}}},
		{"a gap owns nothing", []*model.Node{leaf("a", 0, 10, nil), {Name: "g", Type: model.Gap,
			Span: model.Span{Offset: 10, Size: 90}}}, 10, []model.Span{{Offset: 10, Size: 90}}, nil},
		{"beyond the file", []*model.Node{leaf("a", 90, 100, nil)}, 10, []model.Span{{Offset: 0, Size: 90}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := check(t, document(100, c.kids...))
			assert.Equal(t, c.accounted, r.Accounted)
			assert.Equal(t, c.gaps, r.Gaps)
			assert.Equal(t, c.overlaps, r.Overlaps)
		})
	}
}

func TestManySpansInAnyOrderAreCountedExactly(t *testing.T) {
	const n = 200_000 // more than are kept unsorted
	kids := make([]*model.Node, 0, n)
	for i := range int64(n) {
		kids = append(kids, leaf("x", i*7919%n*2, 1, nil))
	}
	r := check(t, document(2*n, kids...))
	assert.EqualValues(t, n, r.Accounted)
	assert.Len(t, r.Gaps, n)
	assert.Empty(t, r.Overlaps)
}

func TestSolidListsAreNotWalked(t *testing.T) {
	list := &model.Node{Name: "list", Type: "R[]", Span: model.Span{Size: 1 << 40}}
	list.SetChildren(&model.Elements{Count: 1 << 37, Solid: true, Make: func(int) *model.Node {
		t.Error("a solid list was walked")
		return &model.Node{}
	}})
	src := model.NewSource("big", bytes.NewReader(nil), 1<<40)
	root := tree("", 0, 1<<40, list)
	r := check(t, model.NewDocument(src, "test", "1", root))
	assert.EqualValues(t, int64(1<<40), r.Accounted)
}

func TestDocumentFindsPathsAndOwners(t *testing.T) {
	records := &model.Node{Name: "recs", Type: "R[]", Span: model.Span{Offset: 20, Size: 40}}
	count := leaf("count", 20, 4, uint64(9))
	records.SetChildren(&model.Elements{First: model.List{count}, Count: 9,
		Make: func(i int) *model.Node {
			return tree("", 24+int64(i)*4, 4, leaf("x~/y", 24+int64(i)*4, 4, uint64(i)))
		},
		Lookup: func(off int64) (int, int) { return int(off-24) / 4, int(off-24)/4 + 1 }})
	// recs lies in the span of outer but is not its child, as an index between assets may.
	outer := tree("outer", 0, 100, leaf("a", 0, 20, nil), leaf("b", 60, 40, nil))
	d := document(110, outer, records)
	d.ShowGaps(check(t, d))

	for _, c := range []struct {
		off  int64
		path string
	}{
		{0, "/outer/a"}, {19, "/outer/a"}, {20, "/recs/count"}, {24, "/recs/0/x~0~1y"}, {59, "/recs/8/x~0~1y"},
		{60, "/outer/b"}, {105, "/gap/0"},
	} {
		n := d.Owner(c.off)
		require.NotNil(t, n, "byte %d", c.off)
		assert.Equal(t, c.path, n.PathText())
		again, err := d.Find(c.path)
		require.NoError(t, err)
		assert.Equal(t, n.Span, again.Span)
		assert.Equal(t, n.Span, d.At(n.Path()).Span)
	}
	for _, near := range []string{"/outer/a", "/recs/8/x~0~1y", "/gap/0", "/"} {
		last, err := d.Find(near)
		require.NoError(t, err)
		for off := range int64(111) {
			want, got := d.Owner(off), d.OwnerNear(last, off)
			require.Equal(t, want == nil, got == nil, "byte %d", off)
			if want != nil {
				assert.Equal(t, want.PathText(), got.PathText(), "byte %d", off)
			}
		}
	}
	assert.Nil(t, d.Owner(1000))
	assert.Nil(t, d.At(model.Path{0, 7}))
	_, err := d.Find("/outer/nothing/x")
	assert.EqualError(t, err, `there is no "nothing" in /outer`)
}

func TestGapsDoNotHideNamedNodes(t *testing.T) {
	d := document(10, leaf("a", 0, 1, nil), leaf("b", 1, 1, nil), leaf("c", 2, 1, nil), leaf("d", 3, 1, nil),
		leaf("e", 4, 1, nil))
	d.ShowGaps(check(t, d))
	for _, path := range []string{"/a", "/e", "/gap", "/gap/0"} {
		n, err := d.Find(path)
		require.NoError(t, err)
		assert.Equal(t, path, n.PathText())
	}
}

func TestDumpFormatIsStable(t *testing.T) {
	bad := leaf("text", 8, 4, "a\uFFFD\"\n")
	bad.SetRaw([]byte{'a', 0xff, '"', '\n'})
	bad.Warnf(model.Warning, bad.Span, "not UTF-8")
	enum := leaf("kind", 12, 1, uint64(4))
	enum.Symbols = model.Symbol("TRIANGLES")
	d := document(100,
		leaf("big", 0, 8, uint64(math.MaxUint64)), bad, enum,
		leaf("small", 13, 8, int64(math.MinInt64)),
		leaf("floats", 21, 20, model.Scalars{float32(0.1), float32(math.MaxFloat32), math.NaN(), math.Inf(-1),
			float32(math.Inf(1))}),
		leaf("none", 41, 1, model.None{}),
		leaf("block", 42, 8, model.Blob{Source: model.NewSource("b", bytes.NewReader([]byte("abc")), 3),
			Span: model.Span{Size: 3}}),
		tree("list", 50, 50, leaf("0", 50, 50, nil)))
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, check(t, d)))
	assert.Contains(t, out.String(), `"value":18446744073709551615`)
	assert.Contains(t, out.String(), `"value":-9223372036854775808`)
	assert.Contains(t, out.String(), `"value":[0.1,3.4028234663852886e+38,"NaN","-Inf","Inf"]`)
	assert.Contains(t, out.String(), `"value":"none"`)
	assert.Contains(t, out.String(),
		`{"bytes":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}`)
	assert.Contains(t, out.String(), `"symbol":"TRIANGLES"`)
	assert.Contains(t, out.String(), `"raw":"61ff220a"`)
	var got struct {
		Format   string
		Coverage struct{ Accounted int64 }
		Problems []struct{ Severity, Path, Message string }
		Root     struct{ Children []json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.EqualValues(t, 100, got.Coverage.Accounted)
	assert.Len(t, got.Root.Children, 8)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "/text", got.Problems[0].Path)
}

func TestDeepStructuresAreWalkedWithoutRecursion(t *testing.T) {
	const depth = 200_000
	n := leaf("x", 0, 10, uint64(1))
	for range depth {
		n = tree("n", 0, 10, n)
	}
	d := document(10, n)
	r := check(t, d)
	assert.EqualValues(t, 10, r.Accounted)
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, r))
	assert.Equal(t, depth+2, strings.Count(out.String(), `{"name"`))
	assert.Equal(t, strings.Count(out.String(), "{"), strings.Count(out.String(), "}"))
}

func TestProblemsAreBounded(t *testing.T) {
	kids := make([]*model.Node, 30_000)
	for i := range kids {
		kids[i] = leaf(fmt.Sprint(i), int64(i), 1, nil)
		kids[i].Warnf(model.Error, kids[i].Span, "wrong")
	}
	r := check(t, document(30_000, kids...))
	assert.Len(t, r.Problems, 10_000)
	assert.Equal(t, 20_000, r.Omitted)
	assert.True(t, r.Bad())
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	kids := make([]*model.Node, 10_000)
	for i := range kids {
		kids[i] = leaf("x", int64(i), 1, nil)
	}
	_, err := document(10_000, kids...).Check(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestOutlineHasNodesProblemsAndEscapedText(t *testing.T) {
	bad := leaf("evil", 0, 4, "\u202egnp.exe\n")
	bad.Warnf(model.Error, bad.Span, "it lies")
	d := document(8, tree("part", 0, 8, bad, leaf("x", 4, 4, uint64(7))))
	var out bytes.Buffer
	require.NoError(t, d.Outline(context.Background(), &out, check(t, d), model.OutlineOptions{Depth: -1}))
	assert.Equal(t, `test 1, 8 bytes, 100% decoded, 1 problem
/ [T] @ 0x0 +8
  part [T] @ 0x0 +8
    evil [t] = <U+202E>gnp.exe\n @ 0x0 +4
      ! error at 0x0: it lies
    x [t] = 7 @ 0x4 +4
`, out.String())
	out.Reset()
	require.NoError(t, d.Outline(context.Background(), &out, check(t, d), model.OutlineOptions{Depth: 1}))
	assert.NotContains(t, out.String(), "evil")
}

// If two files differ only in data that an outline omits, their outlines differ in one line.
func TestOutlineEndsWithTheDigestOfTheLayout(t *testing.T) {
	outline := func(file []byte) []string {
		offset := leaf("offset", 0, 4, uint64(file[0]))
		offset.Role = model.RoleOffset
		d := model.NewDocument(model.NewSource("t", bytes.NewReader(file), int64(len(file))), "test", "1",
			tree("", 0, 8, offset, leaf("x", 4, 2, uint64(file[4])), leaf("gap", 6, 2, nil)))
		var out bytes.Buffer
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true}))
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	base := outline([]byte{1, 0, 0, 0, 5, 0, 0, 0})
	last := len(base) - 1
	assert.Contains(t, base[last], "layout (offsets, sizes, padding): sha256 ")
	for _, file := range [][]byte{{2, 0, 0, 0, 5, 0, 0, 0}, {1, 0, 0, 0, 5, 0, 0, 9}} {
		got := outline(file)
		assert.Equal(t, base[:last], got[:last])
		assert.NotEqual(t, base[last], got[last])
	}
	value := outline([]byte{1, 0, 0, 0, 6, 0, 0, 0})
	assert.NotEqual(t, base[:last], value[:last])
	assert.Equal(t, base[last], value[last], "a value does not change the layout")
}

// The lines of an item are not indented, so that moving it into another item changes one of them.
func TestOutlineWithoutOffsetsListsItemsAtTheMargin(t *testing.T) {
	node := func(i int, key string, kids ...*model.Node) *model.Node {
		n := tree(strconv.Itoa(i), 0, 8, leaf("place", 0, 1, uint64(1)), tree("children", 1, 6, kids...),
			leaf("mesh", 7, 1, key+"Mesh"))
		n.Type, n.Key = "Node", key
		return n
	}
	outline := func(roots ...*model.Node) string {
		d := document(8, tree("nodes", 0, 8, roots...))
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "node"}, n.Type == "Node" }
		var out bytes.Buffer
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true}))
		text, _, _ := strings.Cut(out.String(), "layout (")
		return text
	}
	before := outline(node(0, "a", node(0, "b"), node(1, "c")))
	assert.Equal(t, `/ [T]
  nodes [T]
[Node] a
  place [t] = 1
  children [T]
[Node] b
  children of [Node] a
  place [t] = 1
  children [T]
  mesh [t] = bMesh
[Node] c
  children of [Node] a
  place [t] = 1
  children [T]
  mesh [t] = cMesh
[Node] a, continued
  mesh [t] = aMesh
`, before)

	after := outline(node(0, "a", node(0, "w", node(0, "b"), node(1, "c"))))
	kept := strings.Replace(after, `[Node] w
  children of [Node] a
  place [t] = 1
  children [T]
`, "", 1)
	kept = strings.Replace(kept, "[Node] w, continued\n  mesh [t] = wMesh\n", "", 1)
	assert.Equal(t, before, strings.ReplaceAll(kept, "children of [Node] w", "children of [Node] a"))
}

// An element that moved within its list has the same lines; one line has a digest of the order.
func TestOutlineWithoutOffsetsSortsByKey(t *testing.T) {
	outline := func(keys ...string) string {
		nodes := []*model.Node{leaf("count", 0, 1, uint64(len(keys)))}
		for i, key := range keys {
			n := tree(strconv.Itoa(i), 1, 6, leaf("mesh", 7, 1, key+"Mesh"))
			n.Key = key
			nodes = append(nodes, n)
		}
		var out bytes.Buffer
		d := document(8, tree("nodes", 0, 8, nodes...))
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true}))
		return out.String()
	}
	before, after, ok := strings.Cut(outline("c", "a", "b"), "    order of 3 elements in the file: sha256 ")
	require.True(t, ok)
	_, after, _ = strings.Cut(after, "\n")
	assert.Equal(t, outline("a", "b", "c"), before+after)
	assert.NotEqual(t, outline("b", "a", "c"), outline("c", "a", "b"))
	assert.Less(t, strings.Index(outline("c", "a"), "aMesh"), strings.Index(outline("c", "a"), "cMesh"))
	assert.NotEqual(t, outline("a", "b", "a"), outline("a", "a", "b"), "repeated keys do not identify elements")
}

// A long list without keys that is reordered differs in one line.
func TestOutlineWithoutOffsetsSortsByContent(t *testing.T) {
	outline := func(b []byte) []string {
		nodes := []*model.Node{leaf("count", 0, 1, uint64(len(b)))}
		for i, v := range b {
			nodes = append(nodes, tree(strconv.Itoa(i), 1+int64(i), 1, leaf("x", 1+int64(i), 1, uint64(v))))
		}
		size := int64(len(b)) + 1
		d := model.NewDocument(model.NewSource("test", bytes.NewReader(append([]byte{0}, b...)), size), "test", "1",
			tree("/", 0, size, tree("vertices", 0, size, nodes...)))
		var out bytes.Buffer
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true}))
		return strings.Split(out.String(), "\n")
	}
	b := make([]byte, 300)
	for i := range b {
		b[i] = byte(7 * i)
	}
	old := outline(b)
	slices.Reverse(b)
	new := outline(b)
	require.Len(t, new, len(old))
	var changed []string
	for i := range old {
		if old[i] != new[i] {
			changed = append(changed, new[i])
		}
	}
	require.Len(t, changed, 1)
	assert.Contains(t, changed[0], "order of 300 elements in the file: sha256 ")
	short := outline([]byte{2, 1})
	assert.Less(t, slices.IndexFunc(short, func(s string) bool { return strings.HasSuffix(s, "= 2") }),
		slices.IndexFunc(short, func(s string) bool { return strings.HasSuffix(s, "= 1") }), "a short list stays as it is")
}

// An element with few short fields is one line.
func TestOutlineWithoutOffsetsPutsElementsInALine(t *testing.T) {
	long := strings.Repeat("x", 70)
	numbers := make(model.Scalars, 20)
	for i := range numbers {
		numbers[i] = uint64(7)
	}
	d := document(100, tree("list", 0, 100, tree("0", 0, 2, leaf("a", 0, 1, uint64(1)), leaf("b", 1, 1, "two")),
		tree("1", 2, 71, leaf("a", 2, 1, uint64(3)), leaf("b", 3, 70, long)), tree("2", 73, 1, tree("c", 73, 1)),
		tree("3", 74, 20, leaf("d", 74, 20, numbers))))
	for offsets, want := range map[bool]string{false: `/ [T]
  list [T]
    - [T]: a = 1, b = two
    - [T]
      a [t] = 3
      b [t] = ` + long + `
    - [T]
      c [T]
    - [T]
      d [t] = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … 20 in all], sha256 49888e2c9b742b59
layout (offsets, sizes, padding): sha256 6e340b9cffb37a98
`, true: "a [t] = 1 @"} {
		var out bytes.Buffer
		options := model.OutlineOptions{Depth: -1, NoOffsets: !offsets}
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), options))
		if offsets {
			assert.Contains(t, out.String(), want)
		} else {
			assert.Equal(t, want, out.String())
		}
	}
}

func TestElementAtTheLastLevelOfAnOutlineHasNoFields(t *testing.T) {
	d := document(100, tree("list", 0, 2, tree("0", 0, 2, leaf("a", 0, 1, uint64(1)))))
	var out bytes.Buffer
	require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: 2, NoOffsets: true}))
	assert.Equal(t, "/ [T]\n  list [T]\n    - [T]\n", out.String())
}

// A line of an outline has the beginning of a long value, and a digest that differs if the rest does.
func TestOutlineDistinguishesLongValues(t *testing.T) {
	outline := func(last byte) string {
		b := append(make([]byte, 99), last)
		src := model.NewSource("test", bytes.NewReader(b), 100)
		numbers := make(model.Scalars, 0, len(b))
		for _, v := range b {
			numbers = append(numbers, uint64(v))
		}
		d := document(100, leaf("blob", 0, 100, model.Blob{Source: src, Span: model.Span{Size: 100}}),
			leaf("numbers", 0, 100, model.Numbers{Source: src, Count: 100}), leaf("scalars", 0, 100, numbers),
			leaf("text", 0, 100, strings.Repeat("x", 400)+string(rune('a'+last))), leaf("short", 0, 1, "same"))
		var out bytes.Buffer
		require.NoError(t, d.OutlineNode(t.Context(), &out, d.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true}))
		return out.String()
	}
	old, new := strings.Split(outline(0), "\n"), strings.Split(outline(1), "\n")
	require.Len(t, old, len(new))
	var changed []string
	for i := range old {
		if old[i] != new[i] {
			name, _, _ := strings.Cut(strings.TrimSpace(old[i]), " ")
			changed = append(changed, name)
		}
	}
	assert.Equal(t, []string{"blob", "numbers", "scalars", "text"}, changed)
	assert.Contains(t, outline(0), "blob [t] = 100 bytes, sha256 cd00e292c5970d3c\n", "as sha256sum has it")
}

func TestSpanEndsDoNotOverflow(t *testing.T) {
	assert.False(t, model.Span{Offset: math.MaxInt64 - 1, Size: 10}.Within(100))
	assert.False(t, model.Span{Offset: 1, Size: math.MaxInt64}.Within(100))
	assert.False(t, model.Span{Offset: -1, Size: 1}.Within(100))
	assert.True(t, model.Span{Offset: 100, Size: 0}.Within(100))
	assert.False(t, model.Span{Offset: 1, Size: math.MaxInt64}.Contains(0))
	assert.True(t, model.Span{Offset: 1, Size: math.MaxInt64}.Contains(5))
	assert.Equal(t, model.Span{Offset: 2, Size: 8}, model.Span{Offset: 2, Size: 2}.Join(model.Span{Offset: 9, Size: 1}))
}

// Each of many levels has a problem; their full paths would take gigabytes.
func TestProblemsOfDeepNodesHaveBoundedPaths(t *testing.T) {
	const depth = 20_000
	root := &model.Node{Type: "Root", Span: model.Span{Size: 1}}
	for n, i := root, 0; i < depth; i++ {
		k := &model.Node{Name: "child", Span: root.Span}
		k.Warnf(model.Note, k.Span, "here")
		n.SetChildren(model.List{k})
		n = k
	}
	d := model.NewDocument(model.NewSource("deep", strings.NewReader("x"), 1), "f", "", root)
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, r.Problems)
	bytes := 0
	for _, p := range r.Problems {
		bytes += len(p.Path)
	}
	assert.Less(t, bytes, 8<<20)
	assert.Equal(t, depth, len(r.Problems)+r.Omitted, "those that are not listed are counted")
	assert.Equal(t, "/child/child", r.Problems[1].Path)
}
