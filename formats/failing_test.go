package formats_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/find"
	"assay/model/query"
	"assay/model/render"
	"assay/model/scene"
)

// stumbling is the bytes of a file of which one read fails, as on a disk with a bad sector or a network that was away.
// Of pages that were read it counts no further reads, as a system keeps them in memory.
type stumbling struct {
	b     []byte
	page  int64 // how many bytes; 0: every read counts
	fails int64 // the number of the read, from 1

	mu    sync.Mutex
	reads int64
	kept  map[int64]bool
}

var errStumbled = errors.New("input/output error")

func (s *stumbling) ReadAt(p []byte, off int64) (int, error) {
	if s.stumbles(off, int64(len(p))) {
		return 0, errStumbled
	}
	return bytes.NewReader(s.b).ReadAt(p, off)
}

func (s *stumbling) stumbles(off, size int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.page == 0 {
		s.reads++
		return s.reads == s.fails
	}
	for page := off / s.page; page <= (off+size-1)/s.page; page++ {
		if s.kept[page] {
			continue
		}
		if s.reads++; s.reads == s.fails {
			return true
		}
		s.kept[page] = true
	}
	return false
}

// readIn are the files that are read: small ones of each layout, and those in the folder that SAMPLES names.
func readIn(t *testing.T) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for name, b := range formatstest.Files(t) {
		if len(b) <= readEach {
			all[name] = b
		}
	}
	var effect bytes.Buffer
	shaders := &gpb.Effect{ID: "flat", Vertex: "void main() {}", Fragment: "void main() { discard; }"}
	require.NoError(t, gpbtest.Write(&effect, &gpb.File{Objects: []gpb.Object{shaders}}, gpbtest.V12, gpbtest.ByID))
	all["effect.gpb"] = effect.Bytes()
	twice := []byte("\xABGPB\xBB\r\n\x1A\n\x01\x02\x02\x00\x00\x00") // two references that lead to one offset
	for _, id := range []string{"a", "b"} {
		twice = append(append(append(twice, 1, 0, 0, 0), id...), byte(gpb.TypeMesh), 0, 0, 0, 41, 0, 0, 0)
	}
	all["twice.gpb"] = append(twice, make([]byte, 8)...)
	folder := os.Getenv("SAMPLES")
	if folder == "" {
		return all
	}
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && formats.Recognize(model.NewSource(path, bytes.NewReader(b), int64(len(b)))) != nil {
			all[path] = b
		}
		return err
	}))
	return all
}

// count is how many reads there were.
func (s *stumbling) count() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// readEach is up to how many bytes of a file each read of it fails; of more, the first read of each page does.
const (
	readEach = 32 << 10
	pageSize = 4 << 10
)

// A read that fails once is reported in tree, dump, verify and extract: by the exit status, unless what is printed is
// all the same that of the sound file.
func TestFailedReadsAreReported(t *testing.T) {
	for name, b := range readIn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for verb, do := range map[string]func(*cli.Runner) int{
				"tree": func(r *cli.Runner) int { return r.Tree(t.Context(), "x", cli.TreeOptions{Depth: -1}) },
				"dump": func(r *cli.Runner) int { return r.Dump(t.Context(), "x", "") },
				"verify": func(r *cli.Runner) int {
					return r.Verify(t.Context(), []string{"x"}, cli.VerifyOptions{Deep: true})
				},
				"extract": func(r *cli.Runner) int {
					return r.Extract(t.Context(), []string{"x"},
						cli.ExtractOptions{Folder: t.TempDir(), List: true, JSON: true})
				},
			} {
				checkFailedReads(t, verb, b, do)
				if t.Failed() {
					return
				}
			}
		})
	}
}

// checkFailedReads runs a verb on a file once for each of its reads, which then fails.
func checkFailedReads(t *testing.T, verb string, b []byte, do func(*cli.Runner) int) {
	t.Helper()
	file := func(fails int64) *stumbling {
		s := &stumbling{b: b, fails: fails, kept: make(map[int64]bool)}
		if len(b) > readEach {
			s.page = pageSize
		}
		return s
	}
	run := func(s *stumbling) (status int, out, talk string) {
		var o, e bytes.Buffer
		open := func(ctx context.Context, _ string) (*model.Document, error) {
			return formats.Opener{}.Open(ctx, model.NewSource("x", s, int64(len(s.b))))
		}
		status = do(&cli.Runner{Open: open, OpenSource: formats.Opener{}.Open, Out: &o, Err: &e})
		return status, o.String(), e.String()
	}
	sound := file(0)
	want, out, _ := run(sound)
	reads := sound.count()
	sparser := int64(30) // later reads are like earlier ones
	switch {
	case testing.Short():
		sparser = 2
	case len(b) <= 1<<10:
		sparser = reads
	}
	for n := int64(1); n <= reads; n += 1 + n/(sparser+1) {
		var status int
		var got, talk string
		require.NotPanics(t, func() { status, got, talk = run(file(n)) }, "%s, read %d", verb, n)
		if status == want && out != got && !strings.Contains(got+talk, errStumbled.Error()) {
			assert.Equal(t, out, got, "%s, read %d of %d", verb, n, reads)
			return
		}
	}
}

// changing is the bytes of a file that becomes another one after some reads: one that cannot be read, one with other
// bytes, or one that is damaged from its middle on.
type changing struct {
	reads atomic.Int64 // that are still as they were
	was   []byte
	is    []byte // nil: nothing can be read
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	if c.reads.Add(-1) >= 0 {
		return bytes.NewReader(c.was).ReadAt(p, off)
	}
	if c.is == nil {
		return 0, errors.New("the disk is gone")
	}
	return bytes.NewReader(c.is).ReadAt(p, off)
}

// visitAll looks at everything that a document has to show, as far as it can be had.
func visitAll(ctx context.Context, d *model.Document) {
	if r, err := d.Check(ctx, nil); err == nil {
		_ = d.Dump(ctx, io.Discard, r)
	}
	visit := func(root *model.Node) {
		_ = model.Walk(root, func(n *model.Node) (bool, error) {
			if n.Link != nil && n.Link.Target != nil {
				if p, ok := n.Link.Target(); ok {
					d.At(p)
				}
			}
			if d.FindKey != nil && n.Key != "" {
				d.FindKey(n.Key)
			}
			return true, nil
		}, nil)
	}
	visit(d.Root())
	for off := int64(0); off < d.Source.Size(); off += 97 {
		d.Owner(off)
	}
	for _, g := range d.Groups {
		if root, err := g.Build(ctx); err == nil {
			visit(root)
		}
	}
	for _, s := range d.Tables {
		if t, err := s.Open(ctx); err == nil && len(t.Columns) > 0 {
			_, _ = query.Sort(ctx, t, nil, len(t.Columns)-1, false)
		}
	}
	if d.View != nil {
		if v, err := d.View(ctx, d.Root()); err == nil {
			if s, ok := v.(*scene.Scene); ok {
				_, _ = render.Load(ctx, s)
			}
		}
	}
	if d.Payloads == nil {
		return
	}
	for i := range d.Payloads.Len() {
		p := d.Payloads.At(i)
		_, _, _ = p.Check(ctx)
		for _, f := range p.Forms {
			if f.Write != nil {
				_ = f.Write(ctx, io.Discard)
			}
		}
	}
	if places, err := d.AssetIndex(ctx); err == nil {
		_, _, _ = places.AssetsOf(ctx, []*model.Node{d.Root()})
	}
	if q, err := find.NewQuery("a"); err == nil {
		_, _ = find.Filter(ctx, d.Root(), q.Match, 100, find.FilterProgress{})
	}
}

func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	sparser := int64(6) // later reads are like earlier ones
	if testing.Short() {
		sparser = 1
	}
	files := formatstest.Files(t)
	maps.DeleteFunc(files, func(name string, _ []byte) bool { // one of each generation is enough
		return strings.HasPrefix(name, "package-") && name != "package-1.2.casset" ||
			strings.HasPrefix(name, "bundle-") && name != "bundle-2.0.casset" && name != "bundle-3.0.casset" ||
			strings.HasPrefix(name, "scene ") && name != "scene 1.0.gpb" && name != "scene 1.5.gpb"
	})
	for name, b := range files {
		other := bytes.Clone(b)
		for i := range other {
			other[i] ^= 0x55
		}
		cut := append(bytes.Clone(b[:len(b)/2]), bytes.Repeat([]byte{0xff}, len(b)-len(b)/2)...)
		for what, is := range map[string][]byte{"gone": nil, "another": other, "half": cut} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				for reads := int64(0); reads < 600; reads += 1 + reads/sparser {
					c := &changing{was: b, is: is}
					c.reads.Store(reads)
					assert.NotPanics(t, func() {
						d, err := formats.Opener{}.Open(t.Context(), model.NewSource(name, c, int64(len(b))))
						if err == nil {
							visitAll(t.Context(), d)
						}
					}, "after %d reads", reads)
					if t.Failed() {
						return
					}
				}
			})
		}
	}
}
