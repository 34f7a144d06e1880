package notes_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/notes"
)

// file writes a file and opens it as a document: items of 16 bytes with the keys a, b, c and so on.
func file(t *testing.T, path, content string) *model.Document {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	return document(src)
}

func document(src *model.Source) *model.Document {
	root := &model.Node{Type: "File", Span: model.Span{Size: src.Size()}}
	items := &model.Node{Name: "items", Type: "Item[]", Span: root.Span}
	n := int(src.Size() / 16)
	items.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		at := int64(16 * i)
		item := &model.Node{Type: "Item", Key: string(rune('a' + i)), Span: model.Span{Offset: at, Size: 16}}
		item.SetChildren(model.List{{Name: "head", Type: "u64", Span: model.Span{Offset: at, Size: 8}},
			{Name: "tail", Type: "u64", Span: model.Span{Offset: at + 8, Size: 8}}})
		return item
	}, Lookup: func(off int64) (int, int) { return int(off / 16), int(off/16) + 1 }})
	root.SetChildren(model.List{items})
	return model.NewDocument(src, "made", "1", root)
}

// archive writes and opens a package of contents, with 8 bytes before each.
func archive(t *testing.T, path string, contents ...string) *model.Document {
	t.Helper()
	all := strings.Join(append([]string{""}, contents...), "8 bytes.")
	require.NoError(t, os.WriteFile(path, []byte(all), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	root := &model.Node{Type: "Package", Span: model.Span{Size: src.Size()}}
	assets := &model.Node{Name: "assets", Type: "Asset[]", Span: root.Span}
	var list model.List
	var payloads model.PayloadList
	at := int64(0)
	for i, c := range contents {
		span := model.Span{Offset: at + 8, Size: int64(len(c))}
		n := &model.Node{Name: fmt.Sprint(i), Type: "Asset", Span: model.Span{Offset: at, Size: span.Size + 8}}
		n.SetChildren(model.List{{Name: "mark", Type: "bytes", Span: model.Span{Offset: at, Size: 8}},
			{Name: "data", Type: "bytes", Span: span}})
		list = append(list, n)
		payloads = append(payloads, &model.Payload{Name: fmt.Sprintf("asset%d.bin", i), Node: n, Size: span.Size,
			Stored: span})
		at = span.End()
	}
	assets.SetChildren(list)
	root.SetChildren(model.List{assets})
	d := model.NewDocument(src, "made", "1", root)
	d.IsPackage, d.Payloads = true, payloads
	return d
}

// indexed adds an index to a package. Its entries have the keys of the assets and are their nodes.
func indexed(d *model.Document) *model.Document {
	index := &model.Node{Name: "index", Type: "Entry[]", Parent: d.Root(), Index: 1}
	var entries model.List
	for i := range d.Payloads.Len() {
		p := d.Payloads.At(i)
		p.Key, p.Node.Key = fmt.Sprint("key", i), fmt.Sprint("key", i)
		p.Node = &model.Node{Name: fmt.Sprint(i), Type: "Entry", Key: p.Key, Span: model.Span{Offset: int64(i), Size: 1}}
		entries = append(entries, p.Node)
	}
	index.SetChildren(entries)
	d.Root().SetChildren(model.List{d.Root().Child(0), index})
	return d
}

// content returns n items of 16 bytes.
func content(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%-16s", fmt.Sprint("item ", i))
	}
	return b.String()
}

// add stores a note on the node at a path of a document, or on bytes.
func add(t *testing.T, s *notes.Store, d *model.Document, path string, bytes *model.Span, text string) []notes.Change {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	c, err := notes.NewNote(t.Context(), d, n, bytes)
	require.NoError(t, err)
	c.Put[0].Color, c.Put[0].Text = notes.Red, text
	undo, err := s.Apply(c)
	require.NoError(t, err)
	return undo
}

func placed(t *testing.T, s *notes.Store, d *model.Document) *notes.Placement {
	t.Helper()
	sheets, err := s.Sheets()
	require.NoError(t, err)
	p, err := notes.Place(t.Context(), d, sheets, nil)
	require.NoError(t, err)
	again, err := notes.Place(t.Context(), d, sheets, p)
	require.NoError(t, err)
	assert.Equal(t, p, again, "a placement from the previous one is the same")
	return p
}

// describe lists notes as their texts, nodes and bytes.
func describe(all []notes.PlacedNote) (lines []string) {
	for _, n := range all {
		line := fmt.Sprintf("%s %s %v", n.Text, n.Node, n.Bytes)
		if n.OnBytes {
			line += " bytes"
		}
		if n.Earlier {
			line += " earlier"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestNotesReappearForTheSameBytes(t *testing.T) {
	folder := t.TempDir()
	s := notes.StoreIn(filepath.Join(folder, "deep", "notes"))
	d := file(t, filepath.Join(folder, "one"), content(4))
	assert.Empty(t, placed(t, s, d).All(), "none yet")
	add(t, s, d, "/items/b", nil, "second")
	undo := add(t, s, d, "/", &model.Span{Offset: 20, Size: 6}, "bytes")
	add(t, s, d, "/", nil, "whole")
	want := []string{"whole / 0x0 +64", "second /items/1 0x10 +16", "bytes /items/1 0x14 +6 bytes"}
	assert.Equal(t, want, describe(placed(t, s, d).Present()))

	other := file(t, filepath.Join(folder, "copy of one"), content(4))
	p := placed(t, notes.StoreIn(s.Path()), other)
	assert.Equal(t, want, describe(p.All()), "a copy, another program")
	assert.Empty(t, placed(t, s, file(t, filepath.Join(folder, "two"), content(5))).All(), "another file")

	b, err := other.Find("/items/b")
	require.NoError(t, err)
	assert.Equal(t, want[1:], describe(p.OnNode(b)))
	assert.Empty(t, p.OnNode(b.Child(0)))
	assert.Equal(t, want, describe(p.InSpan(model.Span{Offset: 25, Size: 1})), "the largest first")
	assert.Equal(t, want[:1], describe(p.InSpan(model.Span{Offset: 40, Size: 10})))
	found, ok := p.Find(b, nil)
	assert.True(t, ok && found.Text == "second")
	found, ok = p.Find(nil, &model.Span{Offset: 20, Size: 6})
	assert.True(t, ok && found.Text == "bytes")
	_, ok = p.Find(b.Child(0), nil)
	assert.False(t, ok)

	_, err = s.Apply(undo...)
	require.NoError(t, err)
	assert.Equal(t, want[:2], describe(placed(t, s, d).All()))
}

func TestStepWrapsAround(t *testing.T) {
	s := notes.StoreIn(t.TempDir())
	d := file(t, filepath.Join(t.TempDir(), "one"), content(4))
	_, ok := placed(t, s, d).Step(nil, 0, 1)
	assert.False(t, ok)
	for _, path := range []string{"/items/b", "/items/d"} {
		add(t, s, d, path, nil, path)
	}
	p := placed(t, s, d)
	step := func(from *notes.PlacedNote, offset int64, by int) string {
		n, ok := p.Step(from, offset, by)
		assert.True(t, ok)
		return n.Text
	}
	b, d2 := &p.All()[0], &p.All()[1]
	assert.Equal(t, []string{"/items/d", "/items/b", "/items/b", "/items/d"},
		[]string{step(b, 0, 1), step(d2, 0, 1), step(d2, 0, -1), step(b, 0, -1)})
	assert.Equal(t, []string{"/items/b", "/items/d", "/items/d", "/items/b"},
		[]string{step(nil, 0, 1), step(nil, 17, 1), step(nil, 0, -1), step(nil, 47, -1)})
}

func TestNotesOnAnAssetReappearInOtherPackages(t *testing.T) {
	folder := t.TempDir()
	s := notes.StoreIn(filepath.Join(folder, "notes"))
	one := archive(t, filepath.Join(folder, "one"), content(3), content(4))
	add(t, s, one, "/assets/1", nil, "asset")
	add(t, s, one, "/assets/1/data", &model.Span{Offset: 8 + 48 + 8 + 20, Size: 4}, "bytes")
	add(t, s, one, "/assets", nil, "list")
	add(t, s, one, "/assets/1/mark", nil, "mark")

	two := archive(t, filepath.Join(folder, "two"), content(5), content(2), content(4))
	at := int64(8 + 80 + 8 + 32 + 8)
	assert.Equal(t, []string{fmt.Sprintf("asset /assets/2 %#x +64", at),
		fmt.Sprintf("bytes /assets/2/data %#x +4 bytes", at+20)}, describe(placed(t, s, two).All()))

	src, err := two.Nested(context.Background(), two.Payloads.At(2), model.ExpandLimit)
	require.NoError(t, err)
	inside := document(src)
	assert.Equal(t, []string{"asset / 0x0 +64", "bytes /items/1/head 0x14 +4 bytes"}, describe(placed(t, s, inside).All()),
		"opened on its own")
	add(t, s, inside, "/items/c/head", nil, "head")
	assert.Contains(t, describe(placed(t, s, one).All()), fmt.Sprintf("head /assets/1/data %#x +8 bytes", 8+48+8+32),
		"a package does not know what is in it")
}

// An asset of an index has three nodes: its entry, its element, and the field with its bytes.
func TestNoteOnAnyNodeOfAnAssetBelongsToTheAsset(t *testing.T) {
	folder := t.TempDir()
	for i, path := range []string{"/index/key1", "/assets/key1", "/assets/key1/data"} {
		s := notes.StoreIn(filepath.Join(folder, fmt.Sprint("notes", i)))
		d := indexed(archive(t, filepath.Join(folder, "one"), content(3), content(4)))
		add(t, s, d, path, nil, "asset")
		add(t, s, d, "/", &model.Span{Offset: 8 + 48 + 8 + 20, Size: 4}, "bytes")
		p := placed(t, s, d)
		assert.Equal(t, []string{"asset /index/1 0x40 +64", "bytes /assets/1/data 0x54 +4 bytes"}, describe(p.All()), path)
		assert.Len(t, p.InAsset(1), 2)
		assert.Empty(t, p.InAsset(0))
		for _, other := range []string{"/index/key1", "/assets/key1", "/assets/key1/data"} {
			n, err := d.Find(other)
			require.NoError(t, err)
			found, ok := p.Find(n, nil)
			assert.True(t, ok && found.Text == "asset", other)
		}
		src, err := d.Nested(t.Context(), d.Payloads.At(1), model.ExpandLimit)
		require.NoError(t, err)
		assert.Equal(t, []string{"asset / 0x0 +64", "bytes /items/1/head 0x14 +4 bytes"},
			describe(placed(t, s, document(src)).All()), path)
	}
}

func TestNotesOfAnEarlierVersionCanBeCarried(t *testing.T) {
	folder := t.TempDir()
	s := notes.StoreIn(filepath.Join(folder, "notes"))
	path := filepath.Join(folder, "one")
	d := file(t, path, content(4))
	add(t, s, d, "/items/b", nil, "second")
	add(t, s, d, "/items/d", nil, "last")
	add(t, s, d, "/", &model.Span{Offset: 36, Size: 4}, "bytes")

	d = file(t, path, strings.Repeat("-", 16)+content(2))
	p := placed(t, s, d)
	assert.Empty(t, p.Present())
	assert.Equal(t, []string{"second /items/1 0x10 +16 earlier", "bytes /items/2/head 0x24 +4 bytes earlier",
		"last  0x30 +16 earlier"}, describe(p.All()))
	changes, left, err := notes.Carry(t.Context(), d, p)
	require.NoError(t, err)
	assert.Equal(t, 1, left, "the last item no longer exists")
	undo, err := s.Apply(changes...)
	require.NoError(t, err)
	assert.Equal(t, []string{"second /items/1 0x10 +16", "bytes /items/2/head 0x24 +4 bytes", "last  0x30 +16 earlier"},
		describe(placed(t, s, d).All()))

	third := file(t, path, content(3))
	assert.Equal(t, []string{"second /items/1 0x10 +16 earlier", "bytes /items/2/head 0x24 +4 bytes earlier",
		"last  0x30 +16 earlier"}, describe(placed(t, s, third).All()), "each once")
	back := file(t, path, content(4))
	assert.Len(t, placed(t, s, back).All(), 3, "the notes of the first version stay with it")
	assert.Len(t, placed(t, s, back).Present(), 3)
	_, err = s.Apply(undo...)
	require.NoError(t, err)
	assert.Empty(t, placed(t, s, d).Present())
}

// A large file is identified by a sample: a note remains after changes outside it, and is of an earlier version if its
// own bytes changed.
func TestNotesOnALargeFileDependOnItsSample(t *testing.T) {
	folder := t.TempDir()
	s := notes.StoreIn(filepath.Join(folder, "notes"))
	large := []byte(content(1 << 17)) // 2 MiB
	open := func(name string) *model.Document { return file(t, filepath.Join(folder, name), string(large)) }
	d := open("one")
	add(t, s, d, "/", &model.Span{Offset: 110_000, Size: 10}, "here")
	large[70_000] ^= 1
	assert.Equal(t, []string{"here /items/6875 0x1adb0 +10 bytes"}, describe(placed(t, s, open("two")).All()))
	large[110_004] ^= 1
	assert.Equal(t, []string{"here /items/6875 0x1adb0 +10 bytes earlier"}, describe(placed(t, s, open("three")).All()))
	large[0] ^= 1
	assert.Empty(t, placed(t, s, open("four")).All())
}

func TestNotesAreExportedAndImported(t *testing.T) {
	folder := t.TempDir()
	s := notes.StoreIn(filepath.Join(folder, "notes"))
	d := file(t, filepath.Join(folder, "one"), content(4))
	add(t, s, d, "/items/b", nil, "<second>")
	sheets, err := s.Sheets()
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, notes.Export(&out, sheets))
	assert.NotContains(t, out.String(), folder, "paths are not exported")
	assert.Contains(t, out.String(), `"color": "red",`)
	assert.Contains(t, out.String(), `"text": "<second>",`)

	other := notes.StoreIn(filepath.Join(folder, "other"))
	changes, left, err := notes.Parse(bytes.NewReader(out.Bytes()))
	require.NoError(t, err)
	assert.Zero(t, left)
	for range 2 {
		_, err = other.Apply(changes...)
		require.NoError(t, err)
		assert.Equal(t, []string{"<second> /items/1 0x10 +16"}, describe(placed(t, other, d).All()))
	}
	var none bytes.Buffer
	require.NoError(t, notes.Export(&none, nil))
	assert.JSONEq(t, `{"contents": []}`, none.String())
}

func TestInvalidNotesAreSkippedAndKept(t *testing.T) {
	sum := strings.Repeat("0", 40)
	note := func(fields string) string {
		return fmt.Sprintf(`{"contents":[{"size":64,"digest":"%s","name":"x","notes":[{"id":"1","bytes":"%s",%s}]}]}`,
			sum, sum, fields)
	}
	for text, want := range map[string]int{
		`{"contents":[{"size":-1,"notes":[{},{}]}]}`:                    2,
		`{"contents":[{"size":64,"digest":"` + sum + `"}]}`:             1,
		`{"contents":[{"size":64,"digest":"..\/..","notes":[{}]}]}`:     1,
		note(`"offset":60,"size":5`):                                    1,
		note(`"offset":-1,"size":5`):                                    1,
		note(`"offset":9223372036854775807,"size":9223372036854775807`): 1,
		note(`"text":"` + strings.Repeat("x", 5000) + `"`):              1,
		note(`"text":"fine","color":"plaid"`):                           0,
		`{}`:                                                            0,
	} {
		_, skipped, err := notes.Parse(strings.NewReader(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, skipped, text)
	}
	for _, text := range []string{"", "{", `{"contents":7}`, strings.Repeat(" ", 65<<20)} {
		_, _, err := notes.Parse(strings.NewReader(text))
		assert.Error(t, err)
	}
	s := notes.StoreIn(t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(s.Path(), "40-"+sum+".json"), []byte("{"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.Path(), "41-"+sum+".json"), []byte(`{"size":64}`), 0o600))
	sheets, err := s.Sheets()
	assert.Empty(t, sheets)
	assert.ErrorContains(t, err, "cannot be read")
	_, err = s.Apply(notes.Change{Content: notes.Content{Size: 64, Digest: sum}})
	assert.ErrorContains(t, err, "cannot be read", "a file that cannot be read is not overwritten")
}

func TestLastLocationsOfAStoredSheetAreKept(t *testing.T) {
	sum := strings.Repeat("0", 40)
	s := notes.StoreIn(t.TempDir())
	var places []string
	for i := range 10 {
		places = append(places, fmt.Sprintf(`"/files/%d"`, i))
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.Path(), "40-"+sum+".json"), fmt.Appendf(nil,
		`{"size":64,"digest":"%s","places":[%s],"notes":[{"id":"1","bytes":"%s","offset":0,"size":5}]}`,
		sum, strings.Join(places, ","), sum), 0o600))
	sheets, err := s.Sheets()
	require.NoError(t, err)
	require.Len(t, sheets, 1)
	assert.Len(t, sheets[0].Locations, 8)
	assert.Equal(t, "/files/9", sheets[0].File(), "the last location is the current one")
}

func TestNumberOfNotesIsBounded(t *testing.T) {
	const most = 10
	s := notes.StoreIn(t.TempDir())
	s.SetMost(most)
	sum := strings.Repeat("0", 40)
	c := notes.Change{Content: notes.Content{Size: 64, Digest: sum}, Name: "x"}
	for i := range most {
		c.Put = append(c.Put, notes.Note{ID: fmt.Sprint(i), Digest: sum})
	}
	_, err := s.Apply(c)
	require.NoError(t, err)
	sheets, err := s.Sheets()
	require.NoError(t, err)
	assert.Len(t, sheets[0].Notes, most)
	one := notes.Change{Content: notes.Content{Size: 65, Digest: sum}, Put: []notes.Note{{ID: "x", Digest: sum}}}
	_, err = s.Apply(notes.Change{Content: c.Content, Remove: []string{"0"}}, one, notes.Change{Content: one.Content,
		Put: []notes.Note{{ID: "y", Digest: sum}}})
	assert.ErrorContains(t, err, "limit of")
	sheets, err = s.Sheets()
	require.NoError(t, err)
	require.Len(t, sheets, 1, "no change is stored if one exceeds the limit")
	assert.Len(t, sheets[0].Notes, most)
	s.SetMost(most - 1)
	sheets, err = s.Sheets()
	assert.Empty(t, sheets)
	assert.ErrorContains(t, err, "more than 9")
}

func TestStoreIsSharedByPrograms(t *testing.T) {
	folder := t.TempDir()
	d := file(t, filepath.Join(folder, "one"), content(4))
	one, two := notes.StoreIn(filepath.Join(folder, "notes")), notes.StoreIn(filepath.Join(folder, "notes"))
	placed(t, one, d)
	add(t, two, d, "/items/a", nil, "two")
	add(t, one, d, "/items/b", nil, "one")
	assert.Equal(t, []string{"two /items/0 0x0 +16", "one /items/1 0x10 +16"}, describe(placed(t, two, d).All()))
}

func BenchmarkPlace(b *testing.B) {
	s, _ := notes.StoreIn(b.TempDir()), b.TempDir()
	src := model.NewSource("made", strings.NewReader(content(1000)), 16_000)
	d := document(src)
	n, _ := d.Find("/items/7")
	c, err := notes.NewNote(b.Context(), d, n, nil)
	require.NoError(b, err)
	_, err = s.Apply(c)
	require.NoError(b, err)
	for b.Loop() {
		sheets, _ := s.Sheets()
		_, _ = notes.Place(b.Context(), d, sheets, nil)
	}
}

// endless is a large file of zeros that counts the bytes read.
type endless struct{ read atomic.Int64 }

func (e *endless) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	e.read.Add(int64(len(p)))
	return len(p), nil
}

func TestALargeFileIsNotReadWhole(t *testing.T) {
	const size = 10 << 30
	var bytes endless
	d := document(model.NewSource("large", &bytes, size))
	s := notes.StoreIn(t.TempDir())
	sum := strings.Repeat("0", 40)
	for _, changes := range [][]notes.Change{nil, {{Content: notes.Content{Size: size - 1, Digest: sum},
		Put: []notes.Note{{ID: "1", Digest: sum}}}}} {
		_, err := s.Apply(changes...)
		require.NoError(t, err)
		placed(t, s, d)
		assert.Zero(t, bytes.read.Load(), "there are no notes for content of its size")
	}
	add(t, s, d, "/items/7", nil, "seventh")
	assert.Len(t, placed(t, s, d).Present(), 1)
	assert.Less(t, bytes.read.Load(), int64(4<<20))
}

// The changes are undone together.
func TestChangesOfOneContentBuildOnEachOther(t *testing.T) {
	store := notes.StoreIn(t.TempDir())
	digest := strings.Repeat("ab", 20)
	c := notes.Content{Size: 9, Digest: digest}
	note := func(id string) notes.Note { return notes.Note{ID: id, Size: 1, Digest: digest} }
	undo, err := store.Apply(notes.Change{Content: c, Name: "a", Put: []notes.Note{note("one")}},
		notes.Change{Content: c, Put: []notes.Note{note("two")}},
		notes.Change{Content: c, Remove: []string{"one"}, Put: []notes.Note{note("three")}})
	require.NoError(t, err)
	all, err := store.Sheets()
	require.NoError(t, err)
	require.Len(t, all, 1)
	var ids []string
	for _, n := range all[0].Notes {
		ids = append(ids, n.ID)
	}
	assert.ElementsMatch(t, []string{"two", "three"}, ids)
	_, err = store.Apply(undo...)
	require.NoError(t, err)
	all, err = store.Sheets()
	require.NoError(t, err)
	assert.Empty(t, all)
}
