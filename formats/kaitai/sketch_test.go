package kaitai

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestSkeletonsAreDescriptions(t *testing.T) {
	for name, head := range map[string]string{"level.dat": "PAK1\x02", "x": "", "a.7z": "7z\xbc\xaf", "b.Pak": "1234",
		"c.a-b": "ab"} {
		text := Skeleton(name, []byte(head))
		d, err := (&Library{ImportsAnywhere: true}).Read("x.ksy", []byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, strings.HasPrefix(head, "PAK1"), d.Magic() != nil, text)
		doc := openBytes(t, text, head)
		assert.Equal(t, d.Magic() != nil, doc.Root().ChildNamed("magic") != nil, text)
		assert.Empty(t, doc.Root().Problems(), text)
	}
}

func TestSketchesAreFields(t *testing.T) {
	content := "PAK1\x14\x00\x00\x00\x08\x00\x00\x00name\x00\x00\x00\x00"
	src := model.NewSource("x", strings.NewReader(content), int64(len(content)))
	text := Skeleton("x.pak", []byte(content))
	for _, c := range []struct {
		at        model.Span
		title     string
		why, want string // of the added node
	}{
		{model.Span{Offset: 4, Size: 4}, "u4 = 20", "it is the size of the file", "20"},
		{model.Span{Offset: 8, Size: 4}, "u4 = 8", "it is the bytes that follow it", "8"},
		{model.Span{Offset: 8, Size: 4}, "u4be = 134217728", "", "134217728"},
		{model.Span{Offset: 12, Size: 8}, "text of 8 bytes", "", "name"},
		{model.Span{Offset: 12, Size: 8}, "4 × u2", "", "[24942, 25965, 0, 0]"},
		{model.Span{Offset: 19, Size: 1}, "u1 = 0", "", "0"},
		{model.Span{Offset: 0, Size: 3}, "3 bytes", "", ""},
	} {
		all, err := Sketches(text, "", src, c.at)
		require.NoError(t, err)
		found := false
		for _, s := range all {
			d := openBytes(t, s.Text, content)
			var added *model.Node
			for i := range d.Root().Len() {
				if n := d.Root().Child(i); strings.HasPrefix(n.Name, "at_") {
					added = n
				}
			}
			require.NotNil(t, added, s.Text)
			if s.Title == c.title {
				found = true
				assert.Equal(t, c.why, s.Why, c.title)
				if c.want != "" {
					assert.Equal(t, c.want, fmt.Sprint(model.FormatValue(added.Value)), c.title)
				}
			}
		}
		assert.True(t, found, c.title)
	}
	records := "PAK1\x03\x00\x00\x00one\x00\x00\x00\x00\x01two\x00\x00\x00\x00\x02six\x00\x00\x00\x00\x04\xffabcdefg"
	src = model.NewSource("x", strings.NewReader(records), int64(len(records)))
	all, err := Sketches(text, "", src, model.Span{Offset: 8, Size: 8})
	require.NoError(t, err)
	assert.Equal(t, "3 × record of 8 bytes", all[0].Title)
	assert.Equal(t, "the number at 0x4 is their count", all[0].Why)
	counted, err := Sketches(text+"  - {id: count, type: u4}\n", "", src, model.Span{Offset: 8, Size: 8})
	require.NoError(t, err)
	assert.Equal(t, "count is their count", counted[0].Why)
	assert.Equal(t, 3, openBytes(t, counted[0].Text, records).Root().ChildNamed("at_8").Len())
	for _, types := range []string{"types: {}\n", "types: {a: {}}\n", "types:\n    a: {}\n", "types:\n"} {
		others, err := Sketches(text+types, "", src, model.Span{Offset: 8, Size: 8})
		require.NoError(t, err)
		assert.NotNil(t, openBytes(t, others[0].Text, records).Root().ChildNamed("at_8"), others[0].Text)
	}
	list := openBytes(t, all[0].Text, records).Root().ChildNamed("at_8")
	require.NotNil(t, list, all[0].Text)
	assert.Equal(t, 3, list.Len())
	text = all[0].Text
	all, err = Sketches(text, "size", src, model.Span{Offset: 23, Size: 1})
	require.NoError(t, err)
	assert.Contains(t, all[0].Text, " size: {pos: 0x7", "a key of the records is no field")
	all, err = Sketches(text, "first", src, model.Span{Offset: 16, Size: 7})
	require.NoError(t, err)
	filled, err := Sketches(all[0].Text, "last", src, model.Span{Offset: 31, Size: 1})
	require.NoError(t, err)
	list = openBytes(t, filled[0].Text, records).Root().ChildNamed("at_8")
	require.Equal(t, 3, list.Len(), filled[0].Text)
	require.Equal(t, 2, list.Child(2).Len(), "no bytes are left: "+filled[0].Text)
	assert.Equal(t, uint64(4), list.Child(2).ChildNamed("last").Value)
	all, err = Sketches(text, "number", src, model.Span{Offset: 23, Size: 1})
	require.NoError(t, err)
	assert.Equal(t, "u1 = 2", all[0].Title, "a byte of the second record")
	list = openBytes(t, all[0].Text, records).Root().ChildNamed("at_8")
	for i, want := range []uint64{1, 2, 4} {
		n := list.Child(i).ChildNamed("number")
		require.NotNil(t, n, all[0].Text)
		assert.Equal(t, want, n.Value, "of every record")
	}
}

// TestSketchesDescribeAHeaderStepByStep describes a header, and the named records at an offset in it, from the first
// byte to the last.
func TestSketchesDescribeAHeaderStepByStep(t *testing.T) {
	content := "PAK1\x03\x00\x00\x00\x10\x00\x00\x00\xff\xff\xff\xff\x03oneAB\x04fourAB\x02noAB\x00\x00"
	src := model.NewSource("x", strings.NewReader(content), int64(len(content)))
	text := Skeleton("x.pak", []byte(content))
	for i, c := range []struct {
		name  string
		at    model.Span
		title string // of the first field
	}{
		{"other", model.Span{Offset: 12, Size: 4}, "u4 = 4294967295"},
		{"count", model.Span{Offset: 4, Size: 4}, "u4 = 3"},
		{"records_at", model.Span{Offset: 8, Size: 4}, "u4 = 16"},
		{"records", model.Span{Offset: 16, Size: 6}, "3 × record with a name and 2 bytes"},
	} {
		all, err := Sketches(text, c.name, src, c.at)
		require.NoError(t, err)
		require.Equal(t, c.title, all[0].Title)
		if text = all[0].Text; i == 3 {
			whole, err := Sketches(text, "again", src, model.Span{Offset: 16, Size: 18})
			require.NoError(t, err)
			assert.Equal(t, c.title, whole[0].Title, "all records are selected")
			assert.Equal(t, "each begins with the length of a name; count is their count", all[0].Why)
		}
	}
	assert.Equal(t, `meta:
  id: pak
  file-extension: pak
  endian: le
seq:
  - id: magic
    contents: PAK1
  - {id: count, type: u4}
  - {id: records_at, type: u4}
instances:
  other: {pos: 0xc, type: u4}
  records: {pos: records_at, type: records_record, repeat: expr, repeat-expr: count}
types:
  records_record:
    seq:
      - {id: len_name, type: u1}
      - {id: name, type: str, size: len_name, encoding: UTF-8}
      - {id: data, size: 2}
    to-string: name
`, text)
	root := openBytes(t, text, content).Root()
	assert.Equal(t, 3, root.ChildNamed("records").Len())
	assert.Empty(t, root.Problems())
}

func TestFloatsOfAUsualSizeAreFirst(t *testing.T) {
	content := "\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x20\x41"
	src := model.NewSource("x", strings.NewReader(content), int64(len(content)))
	for title, size := range map[string]int64{"f4 = 1": 4, "3 × f4": 12} {
		all, err := Sketches("meta: {id: x, endian: le}\n", "", src, model.Span{Size: size})
		require.NoError(t, err)
		assert.Equal(t, title, all[0].Title)
	}
}

// TestFieldsAreAddedToEveryStyle adds fields to descriptions of different styles of YAML.
func TestFieldsAreAddedToEveryStyle(t *testing.T) {
	content := "PAK1\x08\x00\x00\x00\x10\x00\x00\x00abcdefgh"
	src := model.NewSource("x", strings.NewReader(content), int64(len(content)))
	for _, text := range []string{
		"meta: {id: x}\nseq: [{id: m, size: 4}]\n",
		"meta: {id: x}",
		"meta:\n  id: x # é\ninstances:\n    old: {pos: 0, size: 1}\n    # last\nseq:\n- {id: m, size: 4}\n",
		"meta: {id: x}\ninstances: {old: {pos: 0, size: 1}}\nseq: []\n",
		"meta: {id: x}\ninstances: {}\n",
		"meta: {id: x}\ninstances:\nseq: []\n",
		"{meta: {id: x}, seq: []}",
		"{meta: {id: x, title: é}, seq: []}",
	} {
		var next string
		for range 3 {
			all, err := Sketches(text, "", src, model.Span{Offset: 4, Size: 4})
			require.NoError(t, err)
			for i, title := range []string{"u4le = 8", "u4le = 8, the offset of bytes", "u4le = 8, the size of the bytes after it"} {
				at := slices.IndexFunc(all, func(s Sketch) bool { return s.Title == title })
				require.GreaterOrEqual(t, at, 0, title)
				root := openBytes(t, all[at].Text, content).Root()
				require.NotNil(t, root.ChildNamed("at_4"), all[at].Text)
				assert.Equal(t, i > 0, root.ChildNamed("at_4_data") != nil || root.ChildNamed("at_4_2_data") != nil ||
					root.ChildNamed("at_4_3_data") != nil, all[at].Text)
				if i == 0 {
					next = all[at].Text
				}
			}
			text = next
		}
		root := openBytes(t, text, content).Root()
		assert.NotNil(t, root.ChildNamed("at_4_3"), text)
		assert.Equal(t, strings.Contains(text, "old"), root.ChildNamed("old") != nil, text)
	}
}
