package model_test

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

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
