package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

func document(all ...*model.Payload) *model.Document {
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(nil), 0), "test", "1", &model.Node{})
	d.Payloads = model.PayloadList(all)
	return d
}

func documentWithNames(names ...string) *model.Document {
	var all []*model.Payload
	for i, name := range names {
		all = append(all, &model.Payload{Name: name, Type: "T", Size: int64(i + 1), Stored: model.Span{Size: 10}})
	}
	return document(all...)
}

func read(t testing.TB, d *model.Document) *archive.Archive {
	t.Helper()
	a, err := archive.Read(context.Background(), d, func(*archive.Archive) {})
	require.NoError(t, err)
	return a
}

func paths(a *archive.Archive, rows query.Order) []string {
	out := []string{}
	for _, i := range rows {
		out = append(out, a.Path(int(i)))
	}
	return out
}

func TestFoldersComeFromTheNames(t *testing.T) {
	a := read(t, documentWithNames("b.txt", "art/t10.png", "art/deep/x", "/art/t2.png", `sounds\a.wav`, "art//./y", "z/"))
	tree, err := a.Folders(context.Background())
	require.NoError(t, err)
	root := tree.Groups[0]
	assert.Equal(t, 7, root.Count)
	assert.Equal(t, []string{"b.txt", "z/"}, paths(a, tree.AssetsIn(0)))
	var names []string
	for _, g := range root.Groups {
		names = append(names, tree.Groups[g].Name)
	}
	assert.Equal(t, []string{"art", "sounds"}, names)
	art := tree.Find([]string{"art"})
	assert.Equal(t, []string{"art/t10.png", "/art/t2.png", "art//./y"}, paths(a, tree.AssetsIn(art)))
	assert.Equal(t, 4, tree.Groups[art].Count)
	assert.Equal(t, int64(2+3+4+6), tree.Groups[art].Size)
	assert.Len(t, tree.AssetsBelow(art), 4)
	deep := tree.Find([]string{"art", "deep"})
	assert.Equal(t, []string{"art", "deep"}, tree.Names(deep))
	assert.Equal(t, art, tree.Find([]string{"art", "gone"}), "the deepest existing folder")
	assert.Equal(t, "z", a.Base(6))
}

func TestNamesAreSortedNaturallyByTheirLastParts(t *testing.T) {
	a := read(t, documentWithNames("art/t10.png", "b.txt", "art/t2.png", "art/y"))
	sorted := func(descending bool) []string {
		rows, err := a.Sort(context.Background(), a.Table(), query.Order{3, 1, 0, 2}, archive.Name, descending)
		require.NoError(t, err)
		return paths(a, rows)
	}
	assert.Equal(t, []string{"b.txt", "art/t2.png", "art/t10.png", "art/y"}, sorted(false))
	assert.Equal(t, []string{"art/y", "art/t10.png", "art/t2.png", "b.txt"}, sorted(true))
}

func TestVeryDeepFoldersAreBounded(t *testing.T) {
	a := read(t, documentWithNames(string(bytes.Repeat([]byte("d/"), 5000))+"x"))
	tree, err := a.Folders(context.Background())
	require.NoError(t, err)
	assert.Less(t, len(tree.Groups), 100)
	assert.Equal(t, 1, tree.Groups[0].Count)
}

func TestTableHasTheCellsThatFiltersCompare(t *testing.T) {
	check := func(context.Context) (model.Verdict, string, error) { return model.Valid, "", nil }
	d := document(
		&model.Payload{Name: "images/icon.png", Type: "image", Size: 2_000_000, Stored: model.Span{Size: 9},
			Codec:  "zlib",
			Verify: check, ModTime: time.Date(2013, 5, 1, 0, 0, 0, 0, time.UTC)},
		&model.Payload{Name: "1999.txt", Type: "text", Size: -1, Problem: "broken"},
	)
	a := read(t, d)
	row := func(i int64) (cells []any) {
		for c := range a.Columns() {
			cells = append(cells, a.Table().Cell(i, c))
		}
		return cells
	}
	assert.Equal(t, []any{"images/icon.png", "image", int64(2_000_000), int64(9), "2013-05-01 00:00:00", "not checked",
		"zlib"}, row(0))
	assert.Equal(t, []any{"1999.txt", "text", nil, int64(0), nil, nil, "none"}, row(1))
	a.SetVerdict(0, model.Invalid)
	assert.Equal(t, "invalid", a.Table().Cell(0, archive.Checksum))
	assert.True(t, a.HasProblem(0))
	for text, want := range map[string]int{
		"ICON": 1, "icon png": 1, "icon wav": 0, "*.txt": 1, "i*o*.png": 1, "ico*o*.png": 0, "icon.*": 1, "images/*": 1,
		"*": 2, "icon.???": 1, "image": 1, "2000000": 0, "size > 1.5 MB": 1,
		"size < 1 MB": 0, "modified >= 2013 and modified < 2014": 1, "checksum = invalid": 1, "compression = zlib": 1, "form = zlib": 1, "form = none": 1, `"icon png"`: 0, "200": 0,
	} {
		f, err := query.Parse(text, query.TableColumns(a.Table()))
		require.NoError(t, err, text)
		got, err := query.FilterTable(context.Background(), a.Table(), nil, f, nil)
		require.NoError(t, err)
		assert.Len(t, got, want, text)
	}
	_, err := query.Parse("size > big", query.TableColumns(a.Table()))
	assert.ErrorContains(t, err, "size needs a number")
	_, err = query.Parse("bulk > 1", query.TableColumns(a.Table()))
	assert.ErrorContains(t, err, `unknown column "bulk"; there are name, type, size`)
}

func TestAssetsAreGroupedByAColumn(t *testing.T) {
	d := documentWithNames("a", "b", "c")
	d.Payloads.At(1).Type = "U"
	d.Tables = []model.TableSource{{Name: "Fields", Assets: true, Open: func(context.Context) (*model.Table, error) {
		return &model.Table{Columns: []model.Column{{Name: "Size"}, {Name: "purpose", Numeric: true}}, Rows: 3,
			Cell: func(row int64, column int) any { return uint64(row / 2) }}, nil
	}}}
	a := read(t, d)
	own := len(read(t, documentWithNames("a")).Columns())
	require.Len(t, a.Columns(), own+1, "a second column of the same name is left out")
	tree, err := a.GroupBy(context.Background(), own)
	require.NoError(t, err)
	require.Len(t, tree.Groups, 3)
	assert.Equal(t, []string{"a", "b"}, paths(a, tree.AssetsIn(1)))
	tree, err = a.GroupBy(context.Background(), archive.Type)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "c"}, paths(a, tree.AssetsIn(tree.Find([]string{"T"}))))
	assert.Equal(t, 3, a.RootTree().Groups[0].Count)
}

func TestFirstAssetsAreShownWhileOthersAreRead(t *testing.T) {
	names := make([]string, 20_000)
	for i := range names {
		names[i] = fmt.Sprint("f/", i)
	}
	var seen []int
	a, err := archive.Read(context.Background(), documentWithNames(names...), func(a *archive.Archive) {
		seen = append(seen, a.Len())
		assert.Equal(t, 20_000, a.Total)
		_, err := a.Folders(context.Background())
		assert.NoError(t, err)
	})
	require.NoError(t, err)
	assert.Equal(t, []int{1024, 16384}, seen)
	assert.Equal(t, 20_000, a.Len())

	ctx, cancel := context.WithCancel(context.Background())
	_, err = archive.Read(ctx, documentWithNames(names...), func(*archive.Archive) { cancel() })
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAssetsWithoutATypeAreNamedByTheirKind(t *testing.T) {
	d := documentWithNames("duck.GPB", "a/b.png", "readme", "v1.2 of it", "known.png")
	for i := range 4 {
		d.Payloads.At(i).Type = model.UnknownType
	}
	d.Payloads.At(2).MediaType = "text/plain"
	a := read(t, d)
	var types []any
	for i := range int64(5) {
		types = append(types, a.Table().Cell(i, archive.Type))
	}
	assert.Equal(t, []any{"gpb", "png", "text", "unknown", "T"}, types)
	assert.Equal(t, []string{"T", "gpb", "png", "text", "unknown"}, a.Columns()[archive.Type].Values)
}

func TestSharedAssetsAreReadOnce(t *testing.T) {
	jobs, done := 0, make(chan bool)
	s := archive.NewShared(documentWithNames("a.png", "B/duck.PNG", "b/duck.txt"), func(job func(ctx context.Context)) {
		jobs++
		go func() {
			<-done
			job(t.Context())
		}()
	})
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := s.Read(ended, func(*archive.Archive) {})
	require.ErrorIs(t, err, context.Canceled, "the job continues after the first caller is canceled")
	close(done)
	a, err := s.Read(t.Context(), func(*archive.Archive) {})
	require.NoError(t, err)
	again, err := s.Read(t.Context(), func(*archive.Archive) {})
	require.NoError(t, err)
	assert.Same(t, a, again)
	assert.Equal(t, 1, jobs)
	for text, want := range map[string][]int{"duck": {1, 2}, "png": {0, 1}, "zzz": nil} {
		assert.Equal(t, want, havingWords(t, a, text), text)
	}
	assert.Equal(t, []int{1}, havingWords(t, a, "png", "b/"))
	assert.Empty(t, havingWords(t, a))
}

// havingWords lists the assets with all words in their names.
func havingWords(t testing.TB, a *archive.Archive, words ...string) (found []int) {
	t.Helper()
	require.NoError(t, a.EachNamed(t.Context(), words, func(i int) bool {
		found = append(found, i)
		return true
	}))
	return found
}

func BenchmarkNamedMillion(b *testing.B) {
	a := read(b, million())
	for b.Loop() {
		require.Len(b, havingWords(b, a, "icon_", "99999"), 19)
	}
}

// million returns a document of a million assets in a thousand folders.
func million() *model.Document {
	all := make(model.PayloadList, 1_000_000)
	for i := range all {
		all[i] = &model.Payload{Name: fmt.Sprintf("images/%03d/icon_%06d.png", i%1000, i), Type: "png", Size: int64(i),
			Stored: model.Span{Size: int64(i)}}
	}
	d := document()
	d.Payloads = all
	return d
}

func BenchmarkReadMillion(b *testing.B) {
	d := million()
	for b.Loop() {
		_, err := archive.Read(context.Background(), d, func(*archive.Archive) {})
		require.NoError(b, err)
	}
}

func BenchmarkFoldersMillion(b *testing.B) {
	a := read(b, million())
	for b.Loop() {
		_, err := a.Folders(context.Background())
		require.NoError(b, err)
	}
}

func BenchmarkFilterMillion(b *testing.B) {
	a := read(b, million())
	t := a.Table()
	for _, text := range []string{"99999", "size > 900 kB", "*99.png"} {
		b.Run(text, func(b *testing.B) {
			f, err := query.Parse(text, query.TableColumns(t))
			require.NoError(b, err)
			for b.Loop() {
				_, err := query.FilterTable(context.Background(), t, nil, f, nil)
				require.NoError(b, err)
			}
		})
	}
}
