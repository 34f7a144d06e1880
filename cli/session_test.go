package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
	"assay/model/scene"
)

// files are functions that open documents, by the names of files.
type files map[string]func() *model.Document

// runner returns a runner that opens those files, and its outputs.
func (f files) runner() (r *cli.Runner, out, messages *bytes.Buffer) {
	out, messages = new(bytes.Buffer), new(bytes.Buffer)
	open := func(_ context.Context, path string) (*model.Document, error) {
		make, ok := f[path]
		if !ok {
			return nil, errors.New(path + " is not there")
		}
		return make(), nil
	}
	return &cli.Runner{Open: open, Out: out, Err: messages}, out, messages
}

// document returns a func that opens a document with a text and assets.
func document(name, value string, assets ...*model.Payload) func() *model.Document {
	return func() *model.Document {
		all := model.Span{Size: int64(len(value))}
		root := &model.Node{Type: "File", Span: all}
		root.SetChildren(model.List{{Name: "field", Type: "text", Span: all, Value: value}})
		d := model.NewDocument(model.NewSource(name, strings.NewReader(value), all.Size), "test", "1", root)
		if len(assets) > 0 {
			d.Payloads = model.PayloadList(assets)
		}
		return d
	}
}

func asset(key, content string, verdict model.Verdict) *model.Payload {
	return &model.Payload{Key: key, Name: key + ".txt", Size: int64(len(content)),
		Stored: model.Span{Offset: 2, Size: 2},
		Open: func(context.Context) (io.ReadCloser, error) {
			return &model.CheckedStream{ReadCloser: io.NopCloser(strings.NewReader(content)),
				AtEnd: func() (model.Verdict, string) { return verdict, "its sum is another" }}, nil
		},
		Verify: func(ctx context.Context) (model.Verdict, string, error) {
			return verdict, "its sum is another", ctx.Err()
		}}
}

func brokenAsset(key string) *model.Payload {
	a := asset(key, "", model.Unknown)
	a.Verify = func(context.Context) (model.Verdict, string, error) {
		return model.Unknown, "", errors.New("it ends early")
	}
	a.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("it ends early") }
	return a
}

func withWarning(make func() *model.Document) func() *model.Document {
	return func() *model.Document {
		d := make()
		d.Root().Child(0).Warnf(model.Warning, model.Span{}, "it is odd")
		return d
	}
}

func TestUnopenableFilesAreErrors(t *testing.T) {
	r, out, messages := files{}.runner()
	ctx := t.Context()
	for verb, status := range map[string]int{
		"tree": r.Tree(ctx, "x", cli.TreeOptions{Depth: -1}), "dump": r.Dump(ctx, "x", ""),
		"verify": r.Verify(ctx, []string{"x"}, cli.VerifyOptions{}),
		"diff":   r.Diff(ctx, "x", "x", cli.DiffOptions{}), "thumbnail": r.Thumbnail(ctx, "x", "y", 64),
		"extract": r.Extract(ctx, []string{"x"}, cli.ExtractOptions{Folder: t.TempDir()}),
	} {
		assert.Equal(t, cli.ExitError, status, verb)
	}
	assert.Equal(t, 6, strings.Count(messages.String(), "x is not there"))
	assert.NotContains(t, out.String(), "x is")
}

func TestTreeStopsAtItsDepthAndDumpPrintsDamagedFiles(t *testing.T) {
	r, out, _ := files{"a": document("a", "hello"), "odd": withWarning(document("odd", "hello"))}.runner()
	assert.Equal(t, cli.ExitOK, r.Tree(t.Context(), "a", cli.TreeOptions{Depth: -1}))
	assert.Contains(t, out.String(), "field")
	out.Reset()
	assert.Equal(t, cli.ExitOK, r.Tree(t.Context(), "a", cli.TreeOptions{}))
	assert.NotContains(t, out.String(), "field", "below the depth")
	out.Reset()
	assert.Equal(t, cli.ExitProblems, r.Dump(t.Context(), "odd", ""))
	assert.True(t, json.Valid(out.Bytes()), "the output is complete")
}

func TestVerifyPrintsChecksumsAndProblems(t *testing.T) {
	for name, c := range map[string]struct {
		open   func() *model.Document
		status int
		want   []string
	}{
		"no assets": {document("a", "v"), cli.ExitOK, []string{"a: test 1, 1 bytes, 100% decoded", "\nOK\n"}},
		"a warning": {withWarning(document("a", "v")), cli.ExitProblems, []string{"it is odd", "\n0 errors, 1 warning\n"}},
		"all valid": {document("a", "v", asset("k", "1", model.Valid), asset("l", "2", model.Unrecorded)), cli.ExitOK,
			[]string{"checksums: 1 valid, 0 invalid, 1 not recorded, 0 not verifiable"}},
		"a bad sum": {document("a", "v", asset("k", "1", model.Valid), asset("l", "2", model.Invalid)), cli.ExitProblems,
			[]string{"1 valid, 1 invalid", "0x2 /: its sum is another"}},
		"unreadable": {document("a", "v", brokenAsset("k")), cli.ExitProblems, []string{"1 not verifiable", "it ends early"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, out, _ := files{"a": c.open}.runner()
			assert.Equal(t, c.status, r.Verify(t.Context(), []string{"a"}, cli.VerifyOptions{}))
			for _, s := range c.want {
				assert.Contains(t, out.String(), s)
			}
		})
	}
}

func TestVerifyListsProblemsInTheOrderOfTheAssets(t *testing.T) {
	var assets []*model.Payload
	for i := range 600 {
		a := asset("k", "", model.Invalid)
		a.Stored.Offset = int64(i)
		assets = append(assets, a)
	}
	r, out, _ := files{"a": document("a", "v", assets...)}.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{"a"}, cli.VerifyOptions{}))
	var last int64 = -1
	for line := range strings.Lines(out.String()) {
		f := strings.Fields(line)
		if len(f) > 2 && f[2] == "/:" {
			offset := parse(t, f[1])
			require.Equal(t, last+1, offset)
			last = offset
		}
	}
	assert.EqualValues(t, 599, last)
}

func parse(t *testing.T, hex string) (n int64) {
	for _, d := range strings.TrimPrefix(hex, "0x") {
		n = n*16 + int64(strings.IndexRune("0123456789abcdef", d))
	}
	require.GreaterOrEqual(t, n, int64(0))
	return n
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	waits := asset("k", "", model.Valid)
	waits.Verify = func(ctx context.Context) (model.Verdict, string, error) {
		cancel()
		return model.Unknown, "", ctx.Err()
	}
	r, _, messages := files{"a": document("a", "v", waits)}.runner()
	assert.Equal(t, cli.ExitError, r.Verify(over, []string{"a"}, cli.VerifyOptions{}))
	assert.Equal(t, "assay: interrupted\n", messages.String())
}

func TestExtractWritesSelectedAssets(t *testing.T) {
	good := document("a", "v", asset("k", "one", model.Valid), asset("l", "two", model.Unrecorded))
	for name, c := range map[string]struct {
		open     func() *model.Document
		options  cli.ExtractOptions
		status   int
		files    map[string]string
		out      string
		messages string
	}{
		"everything": {open: good, files: map[string]string{"k.txt": "one", "l.txt": "two"}, out: "2 exported"},
		"one by key": {open: good, options: cli.ExtractOptions{Only: []string{"l"}},
			files: map[string]string{"l.txt": "two"}, out: "1 exported"},
		"an odd file": {open: withWarning(good), status: cli.ExitProblems,
			files:    map[string]string{"k.txt": "one", "l.txt": "two"},
			messages: "a has problems"},
		"a bad sum": {open: document("a", "v", asset("k", "one", model.Invalid)), status: cli.ExitProblems,
			files: map[string]string{"k.txt": "one"}, out: "its sum is another"},
		"a bad asset": {open: document("a", "v", brokenAsset("k"), asset("l", "two", model.Valid)), status: cli.ExitProblems,
			files: map[string]string{"l.txt": "two"}, out: "1 failed"},
		"a list": {open: good, options: cli.ExtractOptions{List: true}, files: map[string]string{},
			out: "k.txt"},
		"no name": {open: good, options: cli.ExtractOptions{Only: []string{"m"}}, status: cli.ExitProblems,
			files: map[string]string{}, messages: "no asset matches m"},
		"no form": {open: good, options: cli.ExtractOptions{Form: "png", Only: []string{"k"}}, status: cli.ExitError,
			files: map[string]string{}, messages: "cannot export as png; available: raw"},
		"a filter": {open: good, options: cli.ExtractOptions{Only: []string{"l.* size > 2"}},
			files: map[string]string{"l.txt": "two"}, out: "1 exported"},
		"no filter": {open: good, options: cli.ExtractOptions{Only: []string{"size > big"}}, status: cli.ExitError,
			files: map[string]string{}, messages: `"big" is not one`},
	} {
		t.Run(name, func(t *testing.T) {
			r, out, messages := files{"a": c.open}.runner()
			c.options.Folder = filepath.Join(t.TempDir(), "out")
			assert.Equal(t, c.status, r.Extract(t.Context(), []string{"a"}, c.options))
			assert.Equal(t, c.files, filesIn(t, c.options.Folder))
			assert.Contains(t, out.String(), c.out)
			assert.Contains(t, messages.String(), c.messages)
		})
	}
}

func filesIn(t *testing.T, dir string) map[string]string {
	all := make(map[string]string)
	list, err := os.ReadDir(dir)
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(b)
	}
	return all
}

func TestExtractTakesAssetsOfTheLastLayer(t *testing.T) {
	stacked := func(open func() *model.Document) func() *model.Document {
		return func() *model.Document { d := open(); d.IsLayered = true; return d }
	}
	under, over := document("under", "v", asset("k", "old", model.Valid), asset("l", "kept", model.Valid)),
		document("over", "v", asset("k", "new", model.Valid))
	r, _, messages := files{"under": stacked(under), "over": stacked(over)}.runner()
	dir := filepath.Join(t.TempDir(), "out")
	assert.Equal(t, cli.ExitOK, r.Extract(t.Context(), []string{"under", "over"}, cli.ExtractOptions{Folder: dir}))
	assert.Equal(t, map[string]string{"k.txt": "new", "l.txt": "kept"}, filesIn(t, dir))
	assert.Contains(t, messages.String(), "1 asset overridden by later files")

	r, _, _ = files{"under": under, "over": over}.runner() // files that are not layered
	dir = filepath.Join(t.TempDir(), "out")
	assert.Equal(t, cli.ExitOK, r.Extract(t.Context(), []string{"under", "over"}, cli.ExtractOptions{Folder: dir}))
	assert.Len(t, filesIn(t, filepath.Join(dir, "under")), 2)
	assert.Len(t, filesIn(t, filepath.Join(dir, "over")), 1)
}

func TestExtractListsAssetsAsJSON(t *testing.T) {
	r, out, _ := files{"a": document("a", "v", asset("k", "one", model.Valid))}.runner()
	dir := filepath.Join(t.TempDir(), "out")
	assert.Equal(t, cli.ExitOK, r.Extract(t.Context(), []string{"a"},
		cli.ExtractOptions{Folder: dir, List: true, JSON: true}))
	var rows []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &rows), out.String())
	require.Len(t, rows, 1)
	assert.Equal(t, "k", rows[0]["key"])
	assert.NotEmpty(t, rows[0]["sha256"])
	assert.Empty(t, filesIn(t, dir))
}

func TestDiffHasItsStatusesInEveryForm(t *testing.T) {
	f := files{"a": document("a", "one"), "same": document("same", "one"), "b": document("b", "two")}
	for _, form := range []cli.DiffForm{cli.DiffText, cli.DiffJSON, cli.DiffMarkdown, cli.DiffHTML} {
		r, out, _ := f.runner()
		assert.Equal(t, cli.ExitProblems, r.Diff(t.Context(), "a", "b", cli.DiffOptions{Form: form}))
		assert.Contains(t, out.String(), "two", form)
		assert.Equal(t, cli.ExitOK, r.Diff(t.Context(), "a", "same", cli.DiffOptions{Form: form}))
		assert.Equal(t, cli.ExitError, r.Diff(t.Context(), "a", "gone", cli.DiffOptions{Form: form}))
	}
}

func TestThumbnailsAreSquaresOfTheGivenSize(t *testing.T) {
	drawn := func() *model.Document {
		d := document("a", "v")()
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: image.NewGray(image.Rect(0, 0, 300, 100))}, nil
		}
		return d
	}
	r, _, messages := files{"a": drawn, "plain": document("plain", "v")}.runner()
	to := filepath.Join(t.TempDir(), "a.png")
	assert.Equal(t, cli.ExitOK, r.Thumbnail(t.Context(), "a", to, 64))
	f, err := os.Open(to)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, image.Rect(0, 0, 64, 64), img.Bounds())

	assert.Equal(t, cli.ExitOK, r.Thumbnail(t.Context(), "a", to, 32))
	_, err = f.Seek(0, io.SeekStart)
	require.NoError(t, err)
	img, err = png.Decode(f)
	require.NoError(t, err, "thumbnailers that have the file open read the new picture")
	assert.Equal(t, image.Rect(0, 0, 32, 32), img.Bounds())

	assert.Equal(t, cli.ExitError, r.Thumbnail(t.Context(), "plain", to, 64), "nothing to draw")
	assert.Equal(t, cli.ExitError, r.Thumbnail(t.Context(), "a", filepath.Join(t.TempDir(), "no", "a.png"), 64))
	for _, size := range []int{cli.MinThumbnailSize - 1, cli.MaxThumbnailSize + 1} {
		assert.Equal(t, cli.ExitError, r.Thumbnail(t.Context(), "a", to, size))
	}
	assert.Contains(t, messages.String(), "the size is 16 to 1024 pixels")
}

func TestContactSheetsShowAssetsOrFiles(t *testing.T) {
	several := func() *model.Document {
		d := document("a", "v")()
		d.Payloads = model.PayloadList{{Name: "a.png"}, {Name: "dir/b.png"}, {Name: "c.png"}}
		return d
	}
	r, _, messages := files{"several": several, "plain": document("plain", "v")}.runner()
	to := filepath.Join(t.TempDir(), "a.png")
	o := cli.SheetOptions{Size: 64}
	size := func() image.Point {
		f, err := os.Open(to)
		require.NoError(t, err)
		defer f.Close()
		c, err := png.DecodeConfig(f)
		require.NoError(t, err)
		return image.Pt(c.Width, c.Height)
	}
	assert.Equal(t, cli.ExitOK, r.ContactSheet(t.Context(), []string{"several"}, to, o))
	assets := size()
	assert.Equal(t, cli.ExitOK, r.ContactSheet(t.Context(), []string{"several", "plain"}, to, o))
	assert.Less(t, size().Y, assets.Y, "two files in one row")
	assert.Equal(t, cli.ExitError, r.ContactSheet(t.Context(), []string{"several", "plain", "gone"}, to, o))
	assert.Equal(t, assets, size(), "an unreadable file keeps its cell")
	assert.Contains(t, messages.String(), "gone")
	assert.Equal(t, cli.ExitError, r.ContactSheet(t.Context(), []string{"plain"}, to, o))
	assert.Contains(t, messages.String(), "plain: no assets for a contact sheet")
	assert.Equal(t, cli.ExitError, r.ContactSheet(t.Context(), []string{"several"}, to, cli.SheetOptions{Size: 7}))
	assert.Equal(t, cli.ExitError, r.ContactSheet(t.Context(), []string{"several"}, "a.gif", o))
}

// TestUnavailableFormIsAnError tests that a form of no asset is one error, regardless of the number of assets, and
// that nothing is written or listed.
func TestUnavailableFormIsAnError(t *testing.T) {
	a := asset("a", "1", model.Valid)
	a.Forms = []model.Form{{Name: "glb"}, {Name: "json"}}
	all := files{"f": document("f", "v", a, asset("b", "2", model.Valid))}
	for _, list := range []bool{true, false} {
		dir := t.TempDir()
		r, out, messages := all.runner()
		assert.Equal(t, cli.ExitError, r.Extract(t.Context(), []string{"f"},
			cli.ExtractOptions{Folder: dir, Form: "bogus", List: list}))
		assert.Equal(t, "assay: cannot export as bogus; available: glb, json, or raw\n", messages.String())
		assert.Empty(t, out.String())
		written, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, written)
	}
}

func TestMistypedIgnoredFieldIsReported(t *testing.T) {
	all := files{"old": document("old", "1"), "new": document("new", "2")}
	r, _, messages := all.runner()
	status := r.Diff(t.Context(), "old", "new", cli.DiffOptions{Ignore: []string{"fieldd"}})
	assert.Equal(t, cli.ExitProblems, status)
	assert.Equal(t, "assay: --ignore: no field named fieldd; did you mean field?\n", messages.String())
	r, _, messages = all.runner()
	status = r.Diff(t.Context(), "old", "new", cli.DiffOptions{Ignore: []string{"field"}})
	assert.Equal(t, cli.ExitOK, status, "nothing else differs")
	assert.Empty(t, messages.String())
}

func TestVerifyOfFoldersPrintsTheNumberOfFiles(t *testing.T) {
	dir := t.TempDir()
	all := make(files)
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("v"), 0o600))
		all[filepath.Join(dir, name)] = document(name, "v")
	}
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitOK, r.Verify(t.Context(), []string{dir}, cli.VerifyOptions{Recursive: true}))
	assert.Regexp(t, `\nOK, 2 files\n$`, out.String())
}

// TestThumbnailFormatFollowsTheFileName tests that the extension determines the format of a thumbnail.
func TestThumbnailFormatFollowsTheFileName(t *testing.T) {
	dir := t.TempDir()
	all := files{"f": func() *model.Document {
		d := document("f", "v")()
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: image.NewGray(image.Rect(0, 0, 30, 10))}, nil
		}
		return d
	}}
	for name, decode := range map[string]func([]byte) error{
		"out.png":  func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err },
		"out.JPG":  func(b []byte) error { _, err := jpeg.Decode(bytes.NewReader(b)); return err },
		"noending": func(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err },
	} {
		r, _, messages := all.runner()
		require.Equal(t, cli.ExitOK, r.Thumbnail(t.Context(), "f", filepath.Join(dir, name), 64), messages)
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.NoError(t, decode(b), name)
	}
	r, _, messages := all.runner()
	assert.Equal(t, cli.ExitError, r.Thumbnail(t.Context(), "f", filepath.Join(dir, "out.webp"), 64))
	assert.Equal(t, "assay: cannot write .webp thumbnails; use .png or .jpg\n", messages.String())
	assert.NoFileExists(t, filepath.Join(dir, "out.webp"))
}

// TestVerifyWarnsOfAbsentTextures tests that verify warns of missing files that a scene needs, but not of guessed ones.
func TestVerifyWarnsOfAbsentTextures(t *testing.T) {
	shows := func(s *scene.Scene) func() *model.Document {
		return func() *model.Document {
			d := document("f", "v")()
			d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
			return d
		}
	}
	guess := model.Guessed + "material from red.material (red, for box)"
	all := files{"whole": shows(&scene.Scene{Missing: []string{guess}}),
		"lacks": shows(&scene.Scene{Missing: []string{guess, "red.png is not there", "b is shown as a"},
			Absent: []string{"red.png is not there"}, Incomplete: true})}
	r, _, _ := all.runner()
	assert.Equal(t, cli.ExitOK, r.Verify(t.Context(), []string{"whole"}, cli.VerifyOptions{}))
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{"lacks"}, cli.VerifyOptions{}))
	assert.Contains(t, out.String(), "warning 0x0 /: red.png is not there\n")
	assert.NotContains(t, out.String(), "guessed")
	assert.NotContains(t, out.String(), "shown as")
}
