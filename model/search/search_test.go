package search_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
	"assay/model/modeltest"
	"assay/model/search"
)

// asset is an asset of a test package, compressed or not.
type asset struct {
	name, content string
	packed        bool
}

// pack returns a package: a line, then for each asset a line with its name, its kind and its size, and its bytes.
func pack(assets ...asset) string {
	b := bytes.NewBufferString("PACK\n")
	for _, a := range assets {
		content, kind := []byte(a.content), "plain"
		if a.packed {
			var packed bytes.Buffer
			w, _ := flate.NewWriter(&packed, flate.BestSpeed)
			_, _ = w.Write(content)
			_ = w.Close()
			content, kind = packed.Bytes(), "deflate"
		}
		fmt.Fprintf(b, "%s %s %d\n", a.name, kind, len(content))
		b.Write(content)
	}
	return b.String()
}

// open opens a package or a list of fields: "FIELDS", then lines such as "item name class=Texture size=12".
func open(_ context.Context, src *model.Source) (*model.Document, error) {
	all, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	root := &model.Node{Type: "Root", Span: model.Span{Size: src.Size()}}
	d := model.NewDocument(src, "made", "", root)
	switch {
	case bytes.HasPrefix(all, []byte("PACK\n")):
		return d, readPack(d, all)
	case bytes.HasPrefix(all, []byte("FIELDS\n")):
		readFields(d, string(all))
	case bytes.HasPrefix(all, []byte("BROKEN")):
		return nil, errors.New("it is broken (at 0x6)")
	}
	return d, nil
}

func readPack(d *model.Document, all []byte) error {
	d.IsPackage = true
	var list model.PayloadList
	for at := 5; at < len(all); {
		line, err := bufio.NewReader(bytes.NewReader(all[at:])).ReadString('\n')
		if err != nil {
			return nil // the package is cut
		}
		at += len(line)
		p := &model.Payload{}
		var kind string
		var size int
		if n, _ := fmt.Sscanf(line, "%s %s %d", &p.Name, &kind, &size); n < 3 {
			return nil
		}
		p.Key, p.Type = fmt.Sprint("key", len(list)), strings.TrimPrefix(filepath.Ext(p.Name), ".")
		p.Stored = model.Span{Offset: int64(at), Size: int64(min(size, len(all)-at))}
		p.Size = p.Stored.Size
		stored := all[p.Stored.Offset:p.Stored.End()]
		p.Open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(stored)), nil }
		if kind == "deflate" {
			p.Codec, p.Size = kind, -1
			p.Open = func(context.Context) (io.ReadCloser, error) {
				return flate.NewReader(bytes.NewReader(stored)), nil
			}
		}
		p.Verify = func(context.Context) (model.Verdict, string, error) {
			if strings.HasSuffix(p.Name, ".bad") {
				return model.Invalid, "", nil
			}
			return model.Valid, "", nil
		}
		p.Node = &model.Node{Name: fmt.Sprint(len(list)), Type: "Entry", Key: p.Key, Span: p.Stored}
		p.Node.SetChildren(model.List{{Name: "sum", Type: "u32", Value: uint64(len(list)), Role: model.RoleSum}})
		list = append(list, p)
		at = int(p.Stored.End())
	}
	var nodes model.List
	for _, p := range list {
		nodes = append(nodes, p.Node)
	}
	d.Root().SetChildren(nodes)
	d.Payloads = list
	return nil
}

func readFields(d *model.Document, text string) {
	var items model.List
	for _, line := range strings.Split(text, "\n")[1:] {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		n := &model.Node{Name: fmt.Sprint(len(items)), Type: words[0], Key: words[1]}
		var fields model.List
		for _, f := range words[2:] {
			name, value, _ := strings.Cut(f, "=")
			leaf := &model.Node{Name: name, Type: "string", Value: value}
			var number uint64
			if _, err := fmt.Sscan(value, &number); err == nil {
				leaf.Value = number
			}
			fields = append(fields, leaf)
		}
		n.SetChildren(fields)
		items = append(items, n)
	}
	d.Root().SetChildren(items)
}

// formats are packages and lists of fields.
var formats = search.Formats{
	Opens: func(name string) bool { return strings.HasSuffix(name, ".pack") || strings.HasSuffix(name, ".fields") },
	Packs: func(name string) bool { return strings.HasSuffix(name, ".pack") },
}

func searchOf(t testing.TB, terms search.Terms) *search.Search {
	t.Helper()
	q, err := terms.Parse()
	require.NoError(t, err)
	return &search.Search{Query: q, Open: open, Formats: formats,
		OpenFile: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", open)
		}}
}

// lines runs a search and returns a line for each match and problem.
func lines(t testing.TB, s *search.Search, roots ...string) []string {
	t.Helper()
	var all []string
	require.NoError(t, s.Run(t.Context(), roots, func(f search.FileResults) error {
		var b strings.Builder
		require.NoError(t, search.NewText(&b).Write(f.Name, f))
		if b.Len() > 0 {
			all = append(all, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
		}
		if f.Problem != "" {
			all = append(all, f.Name+" ! "+f.Problem)
		}
		if f.Truncated {
			all = append(all, f.Name+" and more")
		}
		return nil
	}))
	return all
}

// tree returns a folder with packages in packages.
func tree(t testing.TB) string {
	deepest := pack(asset{"note.txt", "a duck in the deep", true})
	return modeltest.Folder(t, map[string]string{
		"a.txt": "the duck\nand the DUCK\n",
		"b.pack": pack(asset{"duck.png", "no text\x00", false}, asset{"words.txt", "one duck", false},
			asset{"zipped.txt", "a packed duck, a packed duck", true}, asset{"list.fields", fields, true},
			asset{"wrong.bad", "x", false}),
		"c/outer.pack": pack(asset{"inner.pack", pack(asset{"deepest.pack", deepest, false},
			asset{"plain.txt", "plain duck", false}), false}),
		"c/packed.pack": pack(asset{"inner.pack", pack(asset{"plain.txt", "plain duck", false}), true}),
		"d.fields":      fields,
		"e.fields":      "BROKEN",
		"utf16.bin":     "\x00d\x00u\x00c\x00k\x00!",
	})
}

const fields = "FIELDS\nObject first class=Texture size=2000000 width=64\nObject second class=Mesh size=10\n"

func TestSearchFindsEachKind(t *testing.T) {
	root := tree(t)
	broken := "e.fields ! it is broken (at 0x6)"
	for name, tt := range map[string]struct {
		terms search.Terms
		want  []string
	}{
		"text": {search.Terms{Kind: search.Text, Text: "duck", Interpretation: "utf-8", MatchCase: true}, []string{
			"a.txt @ 0x4 +4: the duck",
			"b.pack @ 0x5 +4: duck.png plain 8",
			"b.pack: words.txt @ 0x34 +4: one duckzipped.txt deflate 38",
			"b.pack: zipped.txt @ 0x9 +4 (decompressed): a packed duck, a packed duck",
			"b.pack: zipped.txt @ 0x18 +4 (decompressed): a packed duck, a packed duck",
			"c/outer.pack: inner.pack / plain.txt @ 0x83 +4: plain duck",
			"c/outer.pack: inner.pack / deepest.pack / note.txt @ 0x2 +4 (decompressed): a duck in the deep",
			"c/packed.pack: inner.pack / plain.txt @ 0x1e +4 (decompressed): plain duck",
			broken,
		}},
		"text in any encoding": {search.Terms{Kind: search.Text, Text: "DUCK!"}, []string{
			broken, "utf16.bin @ 0x0 +10: duck!"}},
		"bytes": {search.Terms{Kind: search.Bytes, Text: "6e 6f ?? 74"}, []string{
			"b.pack: duck.png @ 0x16 +4: 6e 20 38 0a [6e 6f 20 74] 65 78 74 00 77 6f 72 64", broken,
		}},
		"a number": {search.Terms{Kind: search.Bytes, Text: "0x6475", Interpretation: "int16", Order: find.BigEndian,
			Only: "a.*"}, []string{"a.txt @ 0x4 +2: 74 68 65 20 [64 75] 63 6b 0a 61 6e 64 20 74", broken}},
		"assets of a name": {search.Terms{Kind: search.Text, Text: "duck", Only: "*.txt"}, []string{
			"a.txt @ 0x4 +4: the duck", "a.txt @ 0x11 +4: and the DUCK",
			"b.pack: words.txt @ 0x34 +4: one duckzipped.txt deflate 38",
			"b.pack: zipped.txt @ 0x9 +4 (decompressed): a packed duck, a packed duck",
			"b.pack: zipped.txt @ 0x18 +4 (decompressed): a packed duck, a packed duck",
			"c/outer.pack: inner.pack / plain.txt @ 0x83 +4: plain duck",
			"c/outer.pack: inner.pack / deepest.pack / note.txt @ 0x2 +4 (decompressed): a duck in the deep",
			"c/packed.pack: inner.pack / plain.txt @ 0x1e +4 (decompressed): plain duck",
			broken,
		}},
		"names": {search.Terms{Kind: search.Names, Text: "duck or first or *.fields"}, []string{
			"b.pack: duck.png: /key0 @ 0x16 +8",
			"b.pack: list.fields: /key3 @ 0x8b +99",
			"b.pack: list.fields: /first @ 0x0 +0 (decompressed): 0 first",
			"d.fields", "d.fields: /first @ 0x0 +0: 0 first", "e.fields", broken,
		}},
		"names with conditions": {search.Terms{Kind: search.Names, Text: "*.txt size < 10"}, []string{
			"b.pack: words.txt: /key1 @ 0x30 +8", broken}},
		"columns of a list of assets": {search.Terms{Kind: search.Names, Text: "compression = none packed < 9 *.txt"}, []string{
			"b.pack: words.txt: /key1 @ 0x30 +8", broken}},
		"values": {search.Terms{Kind: search.Values, Text: "class = texture size > 1 MB"}, []string{
			"b.pack: list.fields: /first @ 0x0 +0 (decompressed): class = Texture",
			"d.fields: /first @ 0x0 +0: class = Texture", broken,
		}},
		"the size of an item, or its field": {search.Terms{Kind: search.Values, Text: "class = mesh size < 5 size = 10"},
			[]string{"b.pack: list.fields: /second @ 0x0 +0 (decompressed): class = Mesh",
				"d.fields: /second @ 0x0 +0: class = Mesh", broken}},
		"a word in values": {search.Terms{Kind: search.Values, Text: "mesh"}, []string{
			"b.pack: list.fields: /second/class @ 0x0 +0 (decompressed): Mesh", "d.fields: /second/class @ 0x0 +0: Mesh", broken,
		}},
		"the verdict of a checksum": {search.Terms{Kind: search.Values, Text: "sum = invalid"}, []string{
			"b.pack: wrong.bad: /key4 @ 0x100 +1: sum = 4", broken,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, lines(t, searchOf(t, tt.terms), root))
		})
	}
}

func TestFiltersTestTheSizeOfANamedFile(t *testing.T) {
	file := filepath.Join(modeltest.Folder(t, map[string]string{"a.txt": "the duck"}), "a.txt")
	for only, want := range map[string][]string{"size = 8": {"a.txt @ 0x4 +4: the duck"}, "size < 8": nil} {
		assert.Equal(t, want, lines(t, searchOf(t, search.Terms{Kind: search.Text, Text: "duck", Only: only}), file))
	}
}

// TestDamagedFilesAreReported searches files that cannot be read, in whole or in part.
func TestDamagedFilesAreReported(t *testing.T) {
	whole := pack(asset{"one.txt", "a duck", false}, asset{"two.txt", strings.Repeat("duck ", 1000), true})
	root := modeltest.Folder(t, map[string]string{"cut.pack": whole[:len(whole)-20], "whole.pack": whole,
		"a.fields": "BROKEN"})
	modeltest.Symlink(t, "nowhere", filepath.Join(root, "link"))
	modeltest.Symlink(t, root, filepath.Join(root, "loop"))
	s := searchOf(t, search.Terms{Kind: search.Text, Text: "duck"})
	ducks := strings.Repeat(" duck", 14) + " d"
	two := []string{": two.txt @ 0x0 +4 (decompressed): duck" + ducks, ": two.txt @ 0x5 +4 (decompressed): duck duck" + ducks}
	first := ": one.txt @ 0x17 +4: a ducktwo.txt deflate 55"
	s.MaxHits = 3
	all := lines(t, s, root)
	assert.Equal(t, []string{"a.fields ! it is broken (at 0x6)",
		"cut.pack" + first, "cut.pack" + two[0], "cut.pack" + two[1], "cut.pack and more",
		"link ! is a link to nowhere, which does not exist",
		"whole.pack" + first, "whole.pack" + two[0], "whole.pack" + two[1], "whole.pack and more"}, all)
	assert.Equal(t, all[:5], lines(t, s, filepath.Join(root, "a.fields"), filepath.Join(root, "cut.pack")), "by itself")
	s.MaxHits = 0
	all = lines(t, s, filepath.Join(root, "cut.pack"))
	assert.Equal(t, "cut.pack ! two.txt: unexpected EOF", all[len(all)-1])
	none := lines(t, s, filepath.Join(root, "none"))
	require.Len(t, none, 1)
	assert.Contains(t, none[0], "none ! cannot be opened: no such file")
}

func TestExpansionIsBounded(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{
		"bomb.pack": pack(asset{"bomb.bin", strings.Repeat("\x00", 1<<20) + "duck", true},
			asset{"bomb.pack", strings.Repeat("\x00", 1<<20) + "duck", true}, asset{"small.txt", "duck", true})})
	s := searchOf(t, search.Terms{Kind: search.Text, Text: "duck"})
	s.MaxExpanded = 1 << 16
	const more = "expands to more than "
	assert.Equal(t, []string{"bomb.pack ! bomb.bin: it " + more + "65536 bytes; only the first part was searched",
		"bomb.pack: small.txt @ 0x0 +4 (decompressed): duck", "bomb.pack ! bomb.pack: bomb.pack " + more + "the limit of 65536 bytes"},
		lines(t, s, root))
	nested := "duck"
	for range 20 {
		nested = pack(asset{"x.pack", nested, true})
	}
	s.MaxExpanded = 0
	assert.Empty(t, lines(t, s, modeltest.Folder(t, map[string]string{"deep.pack": nested})), "packages in packages, too")
}

// TestAssetsInAssetsAreBounded searches nested packages: a few kilobytes can contain millions of them.
func TestAssetsInAssetsAreBounded(t *testing.T) {
	nested := pack(asset{"x.txt", "duck", true})
	for range 5 {
		var all []asset
		for i := range 6 {
			all = append(all, asset{fmt.Sprint(i, ".pack"), nested, false})
		}
		nested = pack(all...)
	}
	s := searchOf(t, search.Terms{Kind: search.Text, Text: "duck"})
	s.MaxNested = 50
	found := lines(t, s, modeltest.Folder(t, map[string]string{"wide.pack": nested}))
	assert.Less(t, len(found), 50)
	reported := 0
	for _, line := range found {
		if strings.Contains(line, "more than 50 nested assets; only the first were searched") {
			reported++
		}
	}
	assert.Equal(t, 1, reported)
}

// TestManyHitsComeInOrder searches many files, some of them large.
func TestManyHitsComeInOrder(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("%03d.txt", i)] = "duck"
	}
	files["100.txt"] = strings.Repeat(strings.Repeat("-", 9999)+"duck", 1000) // several segments
	var many []asset
	for i := range 3000 {
		many = append(many, asset{fmt.Sprintf("%d.txt", i), "packed duck", true})
	}
	files["150.txt"] = pack(many...)
	root := modeltest.Folder(t, files)
	s := searchOf(t, search.Terms{Kind: search.Text, Text: "duck", Interpretation: "utf-8"})
	s.Progress = func(_, _ int64) {}
	last, hits := search.FileResults{}, 0
	end := int64(0)
	require.NoError(t, s.Run(t.Context(), []string{root}, func(f search.FileResults) error {
		assert.LessOrEqual(t, last.Name, f.Name)
		for _, h := range f.Hits {
			if f.Name == "100.txt" {
				assert.Equal(t, end+9999, h.Span.Offset)
				end = h.Span.End()
			}
		}
		last = f
		hits += len(f.Hits)
		return nil
	}))
	assert.Equal(t, 199-1+1000+3000, hits)
}

func TestSearchStopsAtOnce(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"a.txt": strings.Repeat("duck", 1_000_000), "b.txt": "duck"})
	s := searchOf(t, search.Terms{Kind: search.Text, Text: "duck"})
	enough := errors.New("enough")
	parts := 0
	assert.ErrorIs(t, s.Run(t.Context(), []string{root}, func(search.FileResults) error {
		parts++
		return enough
	}), enough)
	assert.Equal(t, 1, parts)
	ctx, stop := context.WithCancel(t.Context())
	assert.ErrorIs(t, s.Run(ctx, []string{root}, func(search.FileResults) error {
		stop()
		return nil
	}), context.Canceled)
}

func TestInvalidTermsAreErrors(t *testing.T) {
	for text, terms := range map[string]search.Terms{
		"enter part of a name":        {Kind: search.Names},
		"type the text to search for": {Kind: search.Text},
		`"z" is not a hex digit`:      {Kind: search.Bytes, Text: "zz"},
		"unknown search type morse":   {Kind: search.Text, Text: "x", Interpretation: "morse"},
		"cannot search smells":        {Kind: "smells", Text: "x"},
		"sise":                        {Kind: search.Names, Text: "sise > 5"},
		"add a value for type":        {Kind: search.Text, Text: "x", Only: "type > "},
	} {
		_, err := terms.Parse()
		assert.ErrorContains(t, err, text)
	}
}

func TestMatchesAreWrittenAsJSONAndCSV(t *testing.T) {
	f := search.FileResults{Hits: []search.Hit{
		{Assets: []search.Asset{{Name: "a.pack"}, {Name: "b, c.txt"}}, Expanded: 1,
			Span: model.Span{Offset: 16, Size: 4}, Name: "b, c.txt", Text: "a \"duck\""},
		{Span: model.Span{Size: -1}, Name: "x", Type: "File"},
	}, Problem: "is broken"}
	for name, tt := range map[string]struct {
		make func(io.Writer) search.Writer
		want string
	}{
		"json": {search.NewJSON, `{"file":"x","assets":["a.pack","b, c.txt"],"expanded":1,"offset":16,"size":4,` +
			`"name":"b, c.txt","text":"a \"duck\""}
{"file":"x","name":"x","type":"File"}
{"file":"x","problem":"is broken"}
`},
		"csv": {search.NewCSV, `file,assets,path,offset,size,name,type,text
x,"a.pack / b, c.txt",,16,4,"b, c.txt",,"a ""duck"""
x,,,,,x,File,
`},
	} {
		var b strings.Builder
		w := tt.make(&b)
		require.NoError(t, w.Write("x", f))
		require.NoError(t, w.End())
		assert.Equal(t, tt.want, b.String(), name)
	}
}

// TestItemAndItsIndexEntryAreFoundOnce searches a file that has several nodes of one key: the largest is found.
func TestItemAndItsIndexEntryAreFoundOnce(t *testing.T) {
	s := searchOf(t, search.Terms{Kind: search.Names, Text: "duck or goose"})
	s.OpenFile = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", func(_ context.Context, src *model.Source) (*model.Document, error) {
			root := &model.Node{Span: model.Span{Size: src.Size()}}
			var all model.List
			for i, key := range []string{"duck", "goose", "duck", "duck"} {
				all = append(all, &model.Node{Name: model.IndexName(i), Key: key,
					Span: model.Span{Offset: int64(i), Size: []int64{1, 3, 5, 2}[i]}})
			}
			root.SetChildren(all)
			return model.NewDocument(src, "made", "", root), nil
		})
	}
	root := modeltest.Folder(t, map[string]string{"a": "0123456789"})
	assert.Equal(t, []string{"a: /duck~~2 @ 0x2 +5: 2 duck", "a: /goose @ 0x1 +3: 1 goose"}, lines(t, s, root))
}

// TestAFilterMeansTheSameAsInATree compares the matches of a search for values with those of a filter of the tree.
func TestAFilterMeansTheSameAsInATree(t *testing.T) {
	open := func(_ context.Context, src *model.Source) (*model.Document, error) {
		mesh := &model.Node{Name: "0", Type: "Object", Span: model.Span{Size: 600}}
		mesh.SetChildren(model.List{{Name: "class", Type: "string", Value: "Mesh", Span: model.Span{Size: 6}},
			{Name: "size", Type: "u32", Value: uint64(9), Span: model.Span{Offset: 6, Size: 4}}})
		texture := &model.Node{Name: "1", Type: "Object", Span: model.Span{Offset: 600, Size: 20}}
		texture.SetChildren(model.List{{Name: "class", Type: "string", Value: "Texture",
			Span: model.Span{Offset: 600, Size: 9}}})
		root := &model.Node{Span: model.Span{Size: src.Size()}}
		root.SetChildren(model.List{mesh, texture})
		return model.NewDocument(src, "made", "", root), nil
	}
	root := modeltest.Folder(t, map[string]string{"a": strings.Repeat("-", 700)})
	for filter, want := range map[string][]string{
		"size > 100":                   {"/0"},
		"class ~ mesh size > 100":      {"/0"},
		"class ~ texture size > 10":    {"/1"},
		"class ~ texture size > 100":   nil,
		"size = 9 type = object":       {"/0"},
		"/0 size < 10":                 {"/0", "/0/class", "/0/size"},
		"offset >= 600 not size > 19":  {"/1/class"},
		"name = class value = texture": {"/1/class"},
	} {
		q, err := find.NewQuery(filter)
		require.NoError(t, err)
		d, err := open(t.Context(), model.NewSource("a", bytes.NewReader(nil), 700))
		require.NoError(t, err)
		var tree, found []string
		require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
			if n.Parent != nil && q.Match(n) {
				tree = append(tree, n.PathText())
			}
			return true, nil
		}, nil))
		s := searchOf(t, search.Terms{Kind: search.Values, Text: filter})
		s.OpenFile = func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", open)
		}
		require.NoError(t, s.Run(t.Context(), []string{root}, func(f search.FileResults) error {
			for _, h := range f.Hits {
				found = append(found, h.Path)
			}
			return nil
		}))
		assert.Equal(t, want, tree, filter)
		assert.Equal(t, want, found, filter)
	}
}
