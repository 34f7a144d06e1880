package export_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/model/modeltest"
)

// asset returns a payload with bytes in memory and a checksum.
func asset(key, name, content string) *model.Payload {
	return &model.Payload{Key: key, Name: name, Type: "Asset", MediaType: "text/plain", Size: int64(len(content)),
		Open: checked(content, adler32.Checksum([]byte(content)))}
}

func checked(content string, recorded uint32) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) {
		h := adler32.New()
		return &model.CheckedStream{ReadCloser: io.NopCloser(io.TeeReader(strings.NewReader(content), h)),
			AtEnd: func() (model.Verdict, string) {
				if h.Sum32() != recorded {
					return model.Invalid, ""
				}
				return model.Valid, ""
			}}, nil
	}
}

func stream(r func() io.Reader) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(r()), nil }
}

func picks(list ...*model.Payload) []export.Pick {
	all, err := export.NewChooser(nil)
	if err != nil {
		panic(err)
	}
	var out []export.Pick
	for _, p := range all.Choose(context.Background(), model.PayloadList(list), "file", "") {
		for i := range p.Len() {
			out = append(out, export.Pick{From: p.From, Index: p.Index + i, File: p.File})
		}
	}
	return out
}

func run(t *testing.T, folder export.Folder, opts export.Options, list ...*model.Payload) *export.Report {
	t.Helper()
	plan, err := export.NewPlan(t.Context(), folder, picks(list...), opts)
	require.NoError(t, err)
	return plan.Run(t.Context())
}

// files returns the contents of the files below a folder by their paths.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	}))
	return out
}

func open(t *testing.T, path string) *export.Directory {
	d := export.OpenDirectory(path)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	return d
}

func TestRunWritesSafeNamesOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	when := time.Date(2012, 3, 4, 5, 6, 7, 89_000_000, time.UTC)
	a := asset("1", "a/rock.txt", "rock")
	a.ModTime = when
	plan, err := export.NewPlan(t.Context(), open(t, dir), picks(a, asset("2", "../../b.txt", "climber"),
		asset("3", "a/ROCK.txt", "other rock")), export.Options{Sums: true})
	require.NoError(t, err)
	assert.NoDirExists(t, dir, "a plan writes nothing")
	assert.Equal(t, "a/rock.txt", plan.Item(0).Target)

	r := plan.Run(t.Context())
	assert.Equal(t, map[string]string{"a/rock.txt": "rock", "b.txt": "climber", "a/ROCK (2).txt": "other rock"},
		files(t, dir))
	assert.Equal(t, 3, r.Exported)
	assert.Equal(t, 2, r.Renamed)
	assert.False(t, r.Bad())
	info, err := os.Stat(filepath.Join(dir, "a", "rock.txt"))
	require.NoError(t, err)
	assert.True(t, when.Equal(info.ModTime()), info.ModTime())

	var out bytes.Buffer
	require.NoError(t, r.WriteJSON(&out))
	assert.True(t, strings.HasPrefix(out.String(),
		`[{"key":"1","name":"a/rock.txt","path":"a/rock.txt","bytes":4,"sha256":"`))
	assert.Contains(t, out.String(), `"path":"b.txt","bytes":7,"sha256":"`)
	out.Reset()
	require.NoError(t, r.WriteText(&out))
	assert.Contains(t, out.String(), "exported  1  a/rock.txt  verified\n")
	assert.Contains(t, out.String(), "exported  2  b.txt  (original name: ../../b.txt)  verified\n")
}

func TestProblemOfOneAssetDoesNotStopTheOthers(t *testing.T) {
	bomb := func(codec string, size int64) *model.Payload {
		return &model.Payload{Key: "bomb", Name: "bomb", Codec: codec, Size: size,
			Open: stream(func() io.Reader { return endless{} })}
	}
	for name, c := range map[string]struct {
		asset   *model.Payload
		opts    export.Options
		outcome export.Outcome
		verdict model.Verdict
		problem string
	}{
		"bad checksum": {&model.Payload{Key: "k", Name: "n", Size: 3, Open: checked("abc", 1)}, export.Options{},
			export.Exported, model.Invalid,
			"its content differs from its recorded checksum"},
		"unknown codec": {&model.Payload{Key: "k", Name: "n", Size: 100, Codec: "7",
			Problem: "compression 7 is unknown", Open: checked("abc", 1)}, export.Options{}, export.Exported,
			model.Invalid,
			"compression 7 is unknown; its content differs from its recorded checksum"},
		"a problem of which another one is a part": {&model.Payload{Key: "k", Name: "n", Size: 3,
			Problem: "its content differs from its recorded checksum; it is written as it is", Open: checked("abc", 1)},
			export.Options{}, export.Exported, model.Invalid,
			"its content differs from its recorded checksum; it is written as it is"},
		"read error": {&model.Payload{Key: "k", Name: "n", Size: -1, Open: stream(func() io.Reader {
			return io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errors.New("stream is broken at 0x7")))
		})}, export.Options{}, export.Failed, 0, "stream is broken at 0x7"},
		"cannot open": {&model.Payload{Key: "k", Name: "n",
			Open: func(context.Context) (io.ReadCloser, error) { return nil, errors.New("no") }},
			export.Options{}, export.Failed, 0, "no"},
		"declared bomb": {bomb("zlib", 1_000_000), export.Options{}, export.Failed, 0,
			"stopped after 1000000 bytes: it expands to more than the limit"},
		"limited bomb": {bomb("zlib", -1), export.Options{Limit: 3 << 20}, export.Failed, 0,
			"stopped after 3145728 bytes: it expands to more than the limit"},
		"short": {&model.Payload{Key: "k", Name: "n", Size: 5, Open: checked("abc", adler32.Checksum([]byte("abc")))},
			export.Options{}, export.Exported, model.Valid,
			"it has 3 bytes, but 5 are recorded"},
		"no such form": {asset("k", "n", "abc"), export.Options{}, export.Skipped, 0,
			"it cannot be exported as glb; available: raw"},
		"reader without progress": {&model.Payload{Key: "k", Name: "n", Size: -1,
			Open: stream(func() io.Reader { return stuck{} })}, export.Options{}, export.Failed, 0,
			io.ErrNoProgress.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			list := model.PayloadList{asset("first", "first", "1"), c.asset, asset("last", "last", "2")}
			choice := []export.Pick{{From: list}, {From: list, Index: 1}, {From: list, Index: 2}}
			if name == "no such form" {
				choice[1].Form = "glb"
			}
			plan, err := export.NewPlan(t.Context(), open(t, dir), choice, c.opts)
			require.NoError(t, err)
			r := plan.Run(t.Context())
			row := r.Row(1)
			assert.Equal(t, c.outcome, row.Outcome)
			assert.Equal(t, c.verdict, row.Verdict)
			assert.Equal(t, c.problem, row.Problem)
			assert.Equal(t, c.outcome == export.Exported, row.Path != "")
			got := files(t, dir)
			assert.Equal(t, "1", got["first"], "the other assets are written")
			assert.Equal(t, "2", got["last"])
			want := 2
			if c.outcome == export.Exported {
				want = 3
			}
			assert.Len(t, got, want, "no temporary file is left")
			assert.Equal(t, c.outcome != export.Skipped, r.Bad())
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestJSONOfEveryKindOfRow(t *testing.T) {
	bad := asset("bad", "bad.txt", "abc")
	bad.Open = checked("abc", 1)
	none := asset("none", "none.txt", "abc")
	none.Open = stream(func() io.Reader { return strings.NewReader("abc") })
	fails := asset("fails", "fails.txt", "abc")
	fails.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("gone") }
	r := run(t, open(t, t.TempDir()), export.Options{Sums: true}, bad, none, fails)
	const sum = `"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`
	var out bytes.Buffer
	require.NoError(t, r.WriteJSON(&out))
	assert.Equal(t, `[{"key":"bad","name":"bad.txt","path":"bad.txt","bytes":3,`+sum+`,"form":"raw","verified":false,"problem":"its content differs from its recorded checksum"}
,{"key":"none","name":"none.txt","path":"none.txt","bytes":3,`+sum+`,"form":"raw","verified":null}
,{"key":"fails","name":"fails.txt","problem":"gone"}
]
`, out.String())
	out.Reset()
	n, wrong, err := export.WriteListing(t.Context(), &out, picks(bad, none, fails), export.Options{Sums: true})
	require.NoError(t, err)
	assert.Equal(t, 3, n)
	assert.True(t, wrong)
	assert.Equal(t, `[{"key":"bad","name":"bad.txt","path":"bad.txt","bytes":3,`+sum+`,"form":"raw","verified":false,"problem":"its content differs from its recorded checksum","media_type":"text/plain","forms":["raw"]}
,{"key":"none","name":"none.txt","path":"none.txt","bytes":3,`+sum+`,"form":"raw","verified":null,"media_type":"text/plain","forms":["raw"]}
,{"key":"fails","name":"fails.txt","problem":"gone","media_type":"text/plain","forms":["raw"]}
]
`, out.String())
	out.Reset()
	require.NoError(t, run(t, export.DiscardFolder{}, export.Options{}).WriteJSON(&out))
	assert.Equal(t, "[]\n", out.String())
}

func TestFormsWriteOtherContent(t *testing.T) {
	dir := t.TempDir()
	p := asset("k", "duck.gpb", "bytes")
	p.Forms = []model.Form{{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary",
		Write: func(_ context.Context, w io.Writer) error {
			for range 100_000 {
				if _, err := io.WriteString(w, "0123456789"); err != nil {
					return err
				}
			}
			return nil
		}}, {Name: "raw"}}
	choice := picks(p, p)
	choice[1].Form = "raw"
	plan, err := export.NewPlan(t.Context(), open(t, dir), choice, export.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"glb", "raw"}, plan.Item(0).Forms)
	r := plan.Run(t.Context())
	assert.Equal(t, 2, r.Exported)
	got := files(t, dir)
	assert.Equal(t, strings.Repeat("0123456789", 100_000), got["duck.glb"])
	assert.Equal(t, "bytes", got["duck.gpb"])
}

func TestConflictRulesDecideTheName(t *testing.T) {
	ask := func(answers ...export.Answer) func(context.Context, export.Item) export.Answer {
		return func(context.Context, export.Item) export.Answer {
			a := answers[0]
			answers = answers[1:]
			return a
		}
	}
	for name, c := range map[string]struct {
		opts                                       export.Options
		a, b                                       string
		numbered                                   bool
		exported, renamed, replaced, skipped, asks int
	}{
		"number":    {export.Options{Conflict: export.Number}, "old a", "old b", true, 3, 2, 0, 0, 0},
		"skip":      {export.Options{Conflict: export.Skip}, "old a", "old b", false, 1, 0, 0, 2, 0},
		"overwrite": {export.Options{Conflict: export.Overwrite}, "new a", "new b", false, 3, 0, 2, 0, 0},
		"ask once": {export.Options{Conflict: export.Ask, Ask: ask(export.Answer{Rule: export.Overwrite, All: true})},
			"new a", "new b", false, 3, 0, 2, 0, 1},
		"ask each": {export.Options{Conflict: export.Ask,
			Ask: ask(export.Answer{Rule: export.Skip}, export.Answer{Rule: export.Overwrite})},
			"old a", "new b", false, 2, 0, 1, 1, 2},
		"ask to number": {export.Options{Conflict: export.Ask, Ask: ask(export.Answer{Rule: export.Number, All: true})},
			"old a", "old b", true, 3, 2, 0, 0, 1},
		"no one to ask": {export.Options{Conflict: export.Ask}, "old a", "old b", false, 1, 0, 0, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, n := range []string{"a", "b"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, n+".txt"), []byte("old "+n), 0o600))
			}
			asked := 0
			if answer := c.opts.Ask; answer != nil {
				c.opts.Ask = func(ctx context.Context, item export.Item) export.Answer {
					asked++
					return answer(ctx, item)
				}
			}
			r := run(t, open(t, dir), c.opts, asset("a", "a.txt", "new a"), asset("b", "b.txt", "new b"),
				asset("c", "c.txt", "new c"))
			want := map[string]string{"a.txt": c.a, "b.txt": c.b, "c.txt": "new c"}
			if c.numbered {
				want["a (2).txt"], want["b (2).txt"] = "new a", "new b"
			}
			assert.Equal(t, want, files(t, dir))
			assert.Equal(t, []int{c.exported, c.renamed, c.replaced, c.skipped, c.asks},
				[]int{r.Exported, r.Renamed, r.Replaced, r.Skipped, asked})
			assert.False(t, r.Bad())
		})
	}
}

// An input is recognized through a link to it.
func TestInputsAreNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
	}
	link := filepath.Join(t.TempDir(), "link")
	modeltest.Symlink(t, filepath.Join(dir, "a.txt"), link)
	r := run(t, open(t, dir), export.Options{Conflict: export.Overwrite, Inputs: []string{link}},
		asset("a", "a.txt", "new"), asset("b", "b.txt", "new"))
	assert.Equal(t, map[string]string{"a.txt": "old", "b.txt": "new"}, files(t, dir))
	assert.True(t, r.Bad())
	for row := range r.Rows() {
		if row.Name == "a.txt" {
			assert.Contains(t, row.Problem, "one of the inputs")
		}
	}
}

func TestRuleAppliesToFilesCreatedAfterThePlan(t *testing.T) {
	for rule, want := range map[export.Rule]map[string]string{
		export.Number:    {"a.txt": "late", "a (2).txt": "new"},
		export.Skip:      {"a.txt": "late"},
		export.Overwrite: {"a.txt": "new"},
		export.Ask:       {"a.txt": "late"},
	} {
		t.Run(rule.String(), func(t *testing.T) {
			dir := t.TempDir()
			plan, err := export.NewPlan(t.Context(), open(t, dir), picks(asset("a", "a.txt", "new")),
				export.Options{Conflict: rule})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("late"), 0o600))
			plan.Run(t.Context())
			assert.Equal(t, want, files(t, dir))
		})
	}
}

func TestTemplateFieldsAreReplaced(t *testing.T) {
	p := asset("0001-0002", "tex/a/rock.png", "x")
	p.Type = "Te/xture"
	for text, want := range map[string]string{
		"":                            "tex/a/rock.png",
		export.Flat:                   "rock.png",
		"{key}":                       "0001-0002.png",
		"{type}/{index}-{name}{ext}":  "Te_xture/7-rock.png",
		"{file}/{dir}{name}-old{ext}": "world.ppac/tex/a/rock-old.png",
		"../{name}":                   "rock.png",
	} {
		tmpl, err := export.ParseTemplate(text)
		require.NoError(t, err)
		assert.Equal(t, want, export.SafePath(tmpl.Name(p, model.Form{}, 7, "world.ppac")), text)
	}
	byType, err := export.ParseTemplate("{type}/{name}{ext}")
	require.NoError(t, err)
	p.Type = model.UnknownType
	assert.Equal(t, "png/rock.png", byType.Name(p, model.Form{}, 1, ""), "the type in lists")
	for _, text := range []string{"{nam}", "{name", "name}"} {
		_, err := export.ParseTemplate(text)
		assert.Error(t, err, text)
	}
	tmpl, err := export.ParseTemplate("")
	require.NoError(t, err)
	assert.Equal(t, "dir.d/a", tmpl.Name(&model.Payload{Name: `dir.d\a`}, model.Form{}, 1, ""))
	each := tmpl.ForFiles([]*model.Document{{}, {}})
	assert.Equal(t, "world.ppac/tex/a/rock.png", each.Name(p, model.Form{}, 1, "world.ppac"))
	alone := &model.Payload{Name: "rock.dds"}
	assert.Equal(t, "rock.png", each.Name(alone, model.Form{Extension: ".png"}, 1, "rock.dds"), "a file of one asset")
	assert.Equal(t, "K_1.glb", tmpl.Name(&model.Payload{Key: "K/1"}, model.Form{Extension: ".glb"}, 1, ""))
}

func TestProgressEndsComplete(t *testing.T) {
	var last export.Progress
	run(t, open(t, t.TempDir()), export.Options{Progress: func(p export.Progress) { last = p }}, asset("a", "a", "123"),
		asset("b", "b", "4567"))
	assert.Equal(t, []int64{2, 2, 7, 7}, []int64{int64(last.Done), int64(last.Items), last.Written, last.Bytes})
}

func TestCanceledRunKeepsFinishedFiles(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var list []*model.Payload
	for i := range 10 {
		list = append(list, asset(fmt.Sprint(i), fmt.Sprint(i), "content"))
	}
	list = append(list, &model.Payload{Key: "endless", Name: "endless", Size: -1,
		Open: func(context.Context) (io.ReadCloser, error) {
			cancel()
			return io.NopCloser(endless{}), nil
		}})
	for i := range 10 {
		list = append(list, asset("after", fmt.Sprint("after", i), "content"))
	}
	plan, err := export.NewPlan(t.Context(), open(t, dir), picks(list...), export.Options{Workers: 1})
	require.NoError(t, err)
	r := plan.Run(ctx)
	assert.True(t, r.Canceled)
	assert.True(t, r.Bad())
	assert.Equal(t, 10, r.Exported)
	assert.Equal(t, 11, r.Skipped)
	assert.Equal(t, "canceled", r.Row(10).Problem)
	assert.Len(t, files(t, dir), 10)
}

func TestExportWithoutATargetVerifies(t *testing.T) {
	bad := asset("bad", "bad", "abc")
	bad.Open = checked("abc", 1)
	r := run(t, export.DiscardFolder{}, export.Options{Sums: true}, asset("a", "a", strings.Repeat("abc", 1<<20)), bad)
	assert.Equal(t, model.Valid, r.Row(0).Verdict)
	assert.Equal(t, model.Invalid, r.Row(1).Verdict)
	assert.Equal(t, int64(3<<20), r.Row(0).Bytes)
}

func TestFilesOfAFormKnowTheirNames(t *testing.T) {
	dir := t.TempDir()
	p := asset("k", "duck.gpb", "bytes")
	p.Forms = []model.Form{{Name: "obj", Extensions: []string{".obj", ".mtl"},
		WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
			_, err := fmt.Fprintf(w, "%d%v", file, names)
			if file == 1 {
				return model.Loss{"skins are left out", "so are joints"}
			}
			return err
		}}}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "duck.mtl"), nil, 0o600))
	r := run(t, open(t, dir), export.Options{}, p, p)
	assert.Equal(t, map[string]string{"duck.mtl": "",
		"duck.obj": "0[duck.obj duck (2).mtl]", "duck (2).mtl": "1[duck.obj duck (2).mtl]",
		"duck (2).obj": "0[duck (2).obj duck (3).mtl]", "duck (3).mtl": "1[duck (2).obj duck (3).mtl]"}, files(t, dir))
	assert.Equal(t, 4, r.Exported)
	assert.Equal(t, 2, r.Doubtful)
	assert.Equal(t, "skins are left out; so are joints", r.Row(1).Problem)
}

func TestItemsStreamWithoutAFolder(t *testing.T) {
	all := assets()
	plan, err := export.NewPlan(context.Background(), export.DiscardFolder{},
		[]export.Pick{{From: all, Index: 1}, {From: all, Index: 2, Form: "pair"}}, export.Options{})
	require.NoError(t, err)
	var got []string
	for i := range plan.Len() {
		item := plan.Item(i)
		var b bytes.Buffer
		row, err := plan.Write(context.Background(), i, &b)
		require.NoError(t, err)
		assert.Equal(t, export.Exported, row.Outcome)
		assert.Equal(t, item.Target, row.Path)
		got = append(got, item.Target+" "+b.String())
	}
	assert.Equal(t, []string{"b.bin own", "c.one c.two", "c.two c.one"}, got)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	row, err := plan.Write(ctx, 0, io.Discard)
	assert.Error(t, err)
	assert.Equal(t, export.Failed, row.Outcome)
}
