package formats_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
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
