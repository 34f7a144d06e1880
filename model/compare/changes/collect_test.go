package changes_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/model/modeltest"
)

type tree = modeltest.Tree

var (
	leaf, layoutLeaf = modeltest.Leaf, modeltest.OffsetNode
	node, list       = modeltest.Node, modeltest.List
	document, items  = modeltest.Document, modeltest.Items
)

// compareItems compares two documents whose nodes of the type Item are items.
func compareItems(t *testing.T, old, new tree) *compare.Comparison {
	t.Helper()
	docs := [2]*model.Document{document("1", old), document("1", new)}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "thing", IsLocation: func(n *model.Node) bool { return n.Name == "x" }},
				n.Type == "Thing"
		}
	}
	return modeltest.Compare(t, docs[0], docs[1], compare.Options{})
}

func overviewOf(t *testing.T, old, new tree) *changes.Overview {
	t.Helper()
	o, err := changes.Collect(context.Background(), compareItems(t, old, new))
	require.NoError(t, err)
	return o
}

func TestAnOverviewCountsItems(t *testing.T) {
	index := func(keys ...string) tree {
		var entries []tree
		for i, k := range keys {
			entries = append(entries, node("", "Entry", k, leaf("size", uint64(i))))
		}
		return list("index", "Entry", entries...)
	}
	old := node("", "File", "", leaf("exporter", "one"), index("t1", "t2", "t3"),
		list("things", "Thing", items([3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 3})...))
	new := node("", "File", "", leaf("exporter", "two"), index("t1", "t2", "t4"),
		list("things", "Thing", items([3]int{1, 9, 1}, [3]int{2, 2, 9}, [3]int{4, 40, 40})...))
	o := overviewOf(t, old, new)
	assert.Equal(t, "1 thing changed; 1 thing moved; 1 thing added; 1 thing removed; 1 other value changed",
		o.Headline(),
		"entries that have the keys of things are not counted again")
	var lines []string
	for _, l := range o.Lines(10) {
		lines = append(lines, l.Sign+" "+l.Text)
	}
	assert.Equal(t, []string{"~ thing t2: mass 2 → 9 (+7)", "> thing t1: x 1 → 9 (+8)"}, lines[:2])
	assert.Equal(t, `~ exporter "one" → "two"`, lines[len(lines)-1])
}

func TestRecordsWithoutKeysInAnotherOrderAreCounted(t *testing.T) {
	record := func(i int, weight uint64) tree {
		return node("", "Record", "", leaf("name", fmt.Sprint("record ", i)), leaf("kind", uint64(i)),
			leaf("flags", uint64(i)), leaf("weight", weight))
	}
	old := list("records", "Record", record(1, 1), record(2, 2), record(3, 3), record(4, 4))
	for _, test := range []struct {
		name  string
		new   tree
		want  string
		total compare.Counts
	}{
		{"reversed", list("records", "Record", record(4, 4), record(3, 3), record(2, 2), record(1, 1)),
			"4 records moved", compare.Counts{Moved: 4}},
		{"reversed, and one changed", list("records", "Record", record(4, 4), record(3, 3), record(2, 9), record(1, 1)),
			"records[2]/weight 2 → 9 (+7), 3 records moved", compare.Counts{Changed: 1, Moved: 3}},
		{"another name of the list", list("table", "Record", record(4, 4), record(3, 3), record(2, 2), record(1, 1)),
			"table: 4 records moved", compare.Counts{Moved: 4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			old := old
			old.Name = test.new.Name
			c := compareItems(t, node("", "File", "", old), node("", "File", "", test.new))
			o, err := changes.Collect(t.Context(), c)
			require.NoError(t, err)
			assert.Equal(t, test.want, o.Sentence())
			test.total.Same = c.Counts().Same
			assert.Equal(t, test.total, o.Total(c.Counts()))
		})
	}
}

func TestItemsThatMovedIntoAddedRecordsAreCounted(t *testing.T) {
	group := func(name string, keys ...string) tree {
		var things []tree
		for _, k := range keys {
			things = append(things, node("", "Thing", k, leaf("text", strings.Repeat(k[1:], 80))))
		}
		return node("", "Group", "", leaf("name", name), list("things", "Thing", things...))
	}
	o := overviewOf(t, node("", "File", "", list("groups", "Group", group("a", "k1", "k2", "k3", "k4"))),
		node("", "File", "", list("groups", "Group", group("a"), group("b", "x1", "x2"), group("c", "x3", "x4"))))
	assert.Equal(t, "4 things renamed; 4 other changes", o.Headline())
}

func TestTheTotalHasAddedAndRemovedValues(t *testing.T) {
	item := list("things", "Thing", items([3]int{1, 1, 1})...)
	changed := list("things", "Thing", items([3]int{1, 1, 2})...)
	c := compareItems(t, node("", "File", "", leaf("gone", "x"), leaf("exporter", "one"), item),
		node("", "File", "", leaf("exporter", "two"), changed, leaf("late", "y")))
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, compare.Counts{Same: c.Counts().Same, Changed: 2, Added: 1, Removed: 1}, o.Total(c.Counts()))
}

func TestOverviewOfIdenticalFilesIsEmpty(t *testing.T) {
	same := node("", "File", "", list("things", "Thing", items([3]int{1, 1, 1})...))
	o := overviewOf(t, same, same)
	assert.Empty(t, o.Headline())
	assert.Empty(t, o.Lines(10))
}

func TestAnOverviewOfThousandsOfItems(t *testing.T) {
	var a, b [][3]int
	for i := range 5000 {
		a, b = append(a, [3]int{i, i, i}), append(b, [3]int{i, i, i + 1})
	}
	o := overviewOf(t, node("", "File", "", list("things", "Thing", items(a...)...)),
		node("", "File", "", list("things", "Thing", items(b...)...)))
	assert.Equal(t, "5,000 things changed", o.Headline())
	assert.EqualValues(t, 5000, int64(len(o.Items))+o.Unlisted)
}

func TestALargePageListsTheFirstRowsOfEachItem(t *testing.T) {
	item := func(key string, value uint64) tree {
		n := node("", "Thing", key)
		for i := range 150 {
			n.Children = append(n.Children, leaf(fmt.Sprint("f", i), value))
		}
		return n
	}
	page := func(items int) string {
		var old, new []tree
		for i := range items {
			key := fmt.Sprint("t", i)
			old, new = append(old, item(key, 1)), append(new, item(key, 2))
		}
		a, b := node("", "File", "", list("things", "Thing", old...)),
			node("", "File", "", list("things", "Thing", new...))
		var out bytes.Buffer
		require.NoError(t, report.HTML(t.Context(), compareItems(t, a, b), &out))
		return out.String()
	}
	few := page(2)
	assert.Equal(t, 200, strings.Count(few, "<tr class=changed>"))
	assert.Contains(t, few, "and 50 more in thing t0")
	assert.Contains(t, few, "100 rows not listed. For all rows")
	many := page(100)
	assert.Equal(t, 3000, strings.Count(many, "<tr class=changed>"))
	assert.Contains(t, many, "12,000 rows not listed. For all rows")
	assert.Less(t, len(many), 600_000)
}

func TestRenamedAndEditedItemsArePaired(t *testing.T) {
	old := items([3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 3})
	new := items([3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 30})
	new[1].Key, new[2].Key = "first", "second"
	o := overviewOf(t, node("", "File", "", list("things", "Thing", old...)),
		node("", "File", "", list("things", "Thing", new...)))
	assert.Equal(t, "1 thing changed; 1 thing renamed", o.Headline())
	assert.Equal(t, "thing second, was t3 (53% similar): mass 3 → 30 (+27)", o.Lines(10)[0].Text)
	assert.Equal(t, "thing first, was t2", o.Lines(10)[1].Text)
}

// The last items of a list are paired at a lower similarity, when the list is compared: after the references to them.
func TestReferencesToItemsPairedLateAreNotChanges(t *testing.T) {
	text := func(seed uint64, n int) string {
		r := rand.New(rand.NewPCG(seed, 0))
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(r.IntN(26))
		}
		return string(b)
	}
	item := func(key string, words ...string) tree {
		return node("", "Thing", key, leaf("text", strings.Join(words, "")))
	}
	file := func(a, b tree) tree {
		return node("", "File", "", leaf("first", a.Key),
			list("index", "Entry", node("", "Entry", a.Key, leaf("flags", uint64(7)))),
			list("some", "Thing", a), list("others", "Thing", b), leaf("last", a.Key))
	}
	shared := text(1, 80)
	old := file(item("old name", shared, text(2, 20)), item("goes", text(3, 100)))
	new := file(item("new name", shared, text(4, 20)), item("comes", text(5, 100)))
	o := overviewOf(t, old, new)
	require.NotEmpty(t, o.Items)
	assert.Equal(t, "old name", o.Items[0].OldName)
	docs := [2]*model.Document{document("1", old), document("1", new)}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
	}
	c := modeltest.Compare(t, docs[0], docs[1], compare.Options{})
	modeltest.CheckMirror(t, c)
	assert.Equal(t, []string{"> /index/0 new name", "~ /some/0 new name", "~ /some/0/text", "- /others/0 goes",
		"+ /others/0 comes"}, modeltest.Rows(t, c))
}

func TestDissimilarItemsAreAddedAndRemoved(t *testing.T) {
	old := items([3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 3})
	new := items([3]int{1, 1, 1}, [3]int{7, 70, 71}, [3]int{8, 80, 81})
	o := overviewOf(t, node("", "File", "", list("things", "Thing", old...)),
		node("", "File", "", list("things", "Thing", new...)))
	assert.Equal(t, "2 things added; 2 things removed", o.Headline())
}

func TestItemInTheSameFieldUnderAnotherKeyIsRenamed(t *testing.T) {
	file := func(key, text string) tree {
		return node("", "File", "", list("index", "Entry", node("", "Entry", key, leaf("flags", uint64(7)))),
			tree{Name: "font", Type: "Thing", Key: key, Children: []tree{leaf("text", strings.Repeat(text, 20))}})
	}
	o := overviewOf(t, file("old name", "one "), file("new name", "quite another "))
	require.Len(t, o.Items, 1)
	assert.Equal(t, "old name", o.Items[0].OldName)
	assert.Zero(t, o.Others+int64(len(o.Values)), "the entry follows")
}

func linesOf(o *changes.Overview) []string {
	var lines []string
	for _, l := range o.Lines(100) {
		lines = append(lines, strings.TrimSpace(l.Sign+" "+l.Text))
	}
	return lines
}

func TestItemMovedIntoANewOneHasItsOldParent(t *testing.T) {
	item := func(key string, kids ...tree) tree {
		return node("", "Thing", key, leaf("mass", uint64(len(key))), leaf("text", strings.Repeat(key+" ", 20)),
			list("children", "Thing", kids...))
	}
	file := func(items ...tree) tree {
		return node("", "File", "", list("things", "Thing", items...))
	}
	o := overviewOf(t, file(item("hero", item("body"))), file(item("hero", item("group", item("body")))))
	assert.Equal(t, "1 thing moved; 1 thing added", o.Headline())
	assert.Contains(t, linesOf(o), "> thing body: was in hero, is in group")

	heavy := item("body")
	heavy.Children[0].Value = uint64(99)
	docs := [2]*model.Document{document("1", file(item("hero", item("body")))),
		document("1", file(item("hero", item("group", heavy))))}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		d.FindKey = func(key string) (model.Path, bool) { return nil, key == "hero" || key == "body" }
	}
	o, err := changes.Collect(t.Context(), modeltest.Compare(t, docs[0], docs[1], compare.Options{}))
	require.NoError(t, err)
	assert.Equal(t, "1 thing moved and changed; 1 thing added", o.Headline())
	assert.Contains(t, linesOf(o), "~ thing body: was in hero, is in group; mass 4 → 99 (+95)")
}

func TestFormatVersionIsNotAlsoAValue(t *testing.T) {
	file := func(version string, mass int) tree {
		v := leaf("version", version)
		v.Symbol = version
		return node("", "File", "", v, list("things", "Thing", items([3]int{1, 1, mass})...))
	}
	docs := [2]*model.Document{document("1.0", file("1.0", 1)), document("1.1", file("1.1", 2))}
	for _, d := range docs {
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
	}
	o, err := changes.Collect(t.Context(), modeltest.Compare(t, docs[0], docs[1], compare.Options{}))
	require.NoError(t, err)
	assert.Equal(t, "1 thing changed; made 1.0 → 1.1", o.Headline())
	assert.Equal(t, []string{"~ thing t1: mass 1 → 2 (+1)"}, linesOf(o))
}

func TestValuesAreNamedByTheirStructOrItem(t *testing.T) {
	file := func(v uint64) tree {
		field := tree{Name: "speed", Type: "field", Children: []tree{leaf("header", "u32"), leaf("value", v)}}
		return node("", "File", "", list("schema", "Entry", node("", "Entry", "class", leaf("fields", v))),
			list("things", "Thing", node("", "Thing", "t1", leaf("own", v),
				tree{Name: "fields", Type: "Field[]", Children: []tree{field}})))
	}
	entry := func(v string) tree {
		return node("", "File", "", list("things", "Thing", node("", "Thing", "t1",
			list("metadata", "Entry", node("", "Entry", "author", layoutLeaf("length", 6), leaf("key", "author"),
				leaf("value", v))))))
	}
	none := node("", "File", "", list("things", "Thing", node("", "Thing", "t1", list("metadata", "MetadataEntry"))))
	some := node("", "File", "", list("things", "Thing", node("", "Thing", "t1",
		list("metadata", "MetadataEntry", node("", "", "author", leaf("key", "author"), leaf("value", "me"))))))
	assert.Equal(t, []string{"~ thing t1: metadata entry author added"}, linesOf(overviewOf(t, none, some)))
	assert.Equal(t, []string{`~ thing t1: author "me" → "you"`}, linesOf(overviewOf(t, entry("me"), entry("you"))))
	assert.ElementsMatch(t, []string{"~ thing t1: own 1 → 2 (+1); speed/value 1 → 2 (+1)", "~ class: fields 1 → 2 (+1)"},
		linesOf(overviewOf(t, file(1), file(2))))
}

func TestSpacingIsReportedOnce(t *testing.T) {
	space := func(s string) tree {
		return tree{Name: "separator", Type: "separator", Value: s, Role: model.RoleSpacing}
	}
	file := func(s, name string) tree {
		return node("", "File", "", space(s), leaf("name", name),
			list("things", "Thing", node("", "Thing", "t1", space(s), leaf("own", "x"), space(s))))
	}
	assert.Equal(t, []string{"~ thing t1", "~ spacing changed"}, linesOf(overviewOf(t, file(" ", "a"), file("\n", "a"))))
	assert.Equal(t, []string{"~ thing t1", `~ name "a" → "b"`, "~ spacing changed"},
		linesOf(overviewOf(t, file(" ", "a"), file("\n", "b"))))
	assert.Equal(t, []string{"~ thing t1", "~ line ends changed"},
		linesOf(overviewOf(t, file("\n  ", "a"), file("\r\n  ", "a"))))
	assert.Equal(t, []string{"~ thing t1", "~ spacing changed"},
		linesOf(overviewOf(t, file("\n  ", "a"), file("\r\n    ", "a"))))
}

// The first element of a namespace has another separator than the next: an element that became the first or the second,
// because others moved or were added, has the spacing of its new location.
func TestTheSpacingOfALocationIsNotAChange(t *testing.T) {
	file := func(names ...string) tree {
		var all []tree
		for i, name := range names {
			space := tree{Name: "separator", Type: "separator", Value: "  ", Role: model.RoleSpacing}
			if i == 0 {
				space.Value = "\n  "
			}
			all = append(all, node("", "Property", name, space, leaf("value", name)))
		}
		return node("", "File", "", list("members", "Property", all...))
	}
	for _, test := range []struct {
		old, new []string
		want     compare.Counts
	}{
		{[]string{"a", "b"}, []string{"b", "a"}, compare.Counts{Moved: 1}},
		{[]string{"a", "b"}, []string{"c", "a", "b"}, compare.Counts{Added: 1}},
		{[]string{"a", "b"}, []string{"b"}, compare.Counts{Removed: 1}},
	} {
		got := modeltest.Compare(t, document("1", file(test.old...)), document("1", file(test.new...)),
			compare.Options{}).Counts()
		got.Same, got.Changed, got.Parents = 0, got.Changed-got.Parents, 0
		assert.Equal(t, test.want, got, "%v %v", test.old, test.new)
	}
}

// A removed and an added item are a renamed one only if their contents are similar, as in git.
func TestRenamedItemsHaveTheirSimilarity(t *testing.T) {
	item := func(key, text string) tree {
		return node("", "Thing", key, leaf("text", strings.Repeat(text, 20)), leaf("more", text))
	}
	file := func(a, b tree) tree {
		return node("", "File", "", list("things", "Thing", a, b))
	}
	o := overviewOf(t, file(item("camera1", "one "), item("wall1", "two ")),
		file(item("camera", "quite another "), item("wall2", "something else ")))
	assert.Equal(t, "2 things added; 2 things removed", o.Headline())

	text := func(seed uint64) string { return fmt.Sprintf("%x", modeltest.Noise(40, seed)) }
	list := func(key, more string) tree {
		return node("", "File", "", list("things", "Thing", node("", "Thing", key, leaf("text", text(1)+more))))
	}
	o = overviewOf(t, list("old", text(2)[:8]), list("new", text(3)[:8]))
	assert.Regexp(t, `^thing new, was old \((8|9)\d% similar\): text `, o.Sentence())
	o = overviewOf(t, list("old", text(2)+text(4)+text(5)), list("new", text(3)+text(6)+text(7)))
	assert.Equal(t, "1 thing added; 1 thing removed", o.Headline(), "a lone pair is no rename either")
}

func TestTimestampChangesAreReportedAsSuch(t *testing.T) {
	file := func(made, changed int64, mass int) tree {
		return node("", "File", "", modeltest.TimeNode("made", made), list("things", "Thing",
			node("", "Thing", "t1", modeltest.TimeNode("modified", changed), leaf("mass", uint64(mass))),
			node("", "Thing", "t2", leaf("mass", uint64(mass)))))
	}
	for _, c := range []struct {
		new      tree
		headline string
		sentence string
	}{
		{file(1, 2, 1), "1 thing changed (timestamps only)", "thing t1: only timestamps changed: modified 1 → 2 (+1)"},
		{file(2, 1, 1), "", "only timestamps changed: made 1 → 2 (+1)"},
		{file(2, 2, 1), "1 thing changed (timestamps only); 1 file timestamp changed", ""},
		{file(2, 2, 3), "2 things changed; 1 file timestamp changed", ""},
	} {
		o := overviewOf(t, file(1, 1, 1), c.new)
		assert.Equal(t, c.headline, o.Headline())
		if c.sentence != "" {
			assert.Equal(t, c.sentence, o.Sentence())
		}
	}
}

func TestBlockListsItsRanges(t *testing.T) {
	file := func(content string) *model.Document {
		root := node("", "File", "", list("things", "Thing", node("", "Thing", "t1", leaf("data", content))))
		d := document("1", root)
		data := d.Root().Child(0).Child(1).Child(0)
		data.Value = model.Blob{Source: d.Source, Span: model.Span{Offset: data.Offset, Size: int64(len(content))}}
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	old := strings.Repeat("0123456789", 100)
	for _, c := range []struct{ new, says string }{
		{old[:500] + "x" + old[501:], "data: 1 of 1,000 bytes changed, at 0x1f4"},
		{old[:500] + "xyz" + old[500:], "data: 1,000 → 1,003 bytes, 3 bytes inserted at 0x1f4"},
		{old[:500] + old[504:], "data: 1,000 → 996 bytes, 4 bytes removed at 0x1f4"},
		{"x" + old[1:999] + "y", "data: 2 ranges of bytes differ; the first is at 0x0"},
	} {
		o, err := changes.Collect(t.Context(), modeltest.Compare(t, file(old), file(c.new), compare.Options{}))
		require.NoError(t, err)
		assert.Equal(t, "thing t1: "+c.says, o.Sentence())
	}
}
