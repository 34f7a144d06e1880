package formats_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/model"
	"assay/model/verbs"
)

// stumbling is the bytes of a file of which one read fails, as on a disk with a bad sector or a network that was away.
type stumbling struct {
	b     []byte
	fails int64 // the number of the read, from 1
	reads atomic.Int64
}

var errStumbled = errors.New("input/output error")

func (s *stumbling) ReadAt(p []byte, off int64) (int, error) {
	if s.reads.Add(1) == s.fails {
		return 0, errStumbled
	}
	return bytes.NewReader(s.b).ReadAt(p, off)
}

// A read that fails once is told, in every verb: by the exit status, unless what is printed is all the same that of the
// sound file.
func TestAReadThatFailsIsTold(t *testing.T) {
	for format, files := range written(t) {
		for name, b := range files {
			if len(b) > 32<<10 {
				continue
			}
			t.Run(format+" "+name, func(t *testing.T) {
				t.Parallel()
				for verb, do := range map[string]func(*verbs.Runner) int{
					"tree": func(r *verbs.Runner) int { return r.Tree(t.Context(), "x", verbs.TreeOptions{Depth: -1}) },
					"dump": func(r *verbs.Runner) int { return r.Dump(t.Context(), "x", "") },
					"verify": func(r *verbs.Runner) int {
						return r.Verify(t.Context(), []string{"x"}, verbs.VerifyOptions{Deep: true})
					},
					"extract": func(r *verbs.Runner) int {
						return r.Extract(t.Context(), []string{"x"},
							verbs.ExtractOptions{Folder: t.TempDir(), JSON: true})
					},
				} {
					run := func(s *stumbling) (status int, out string) {
						var o bytes.Buffer
						open := func(ctx context.Context, _ string) (*model.Document, error) {
							return formats.Open(ctx, model.NewSource("x", s, int64(len(s.b))))
						}
						status = do(&verbs.Runner{Open: open, OpenSource: formats.Open, Out: &o, Err: io.Discard})
						return status, o.String()
					}
					sound := &stumbling{b: b}
					want, out := run(sound)
					for n := int64(1); n <= sound.reads.Load(); n += 1 + n/10 {
						s := &stumbling{b: b, fails: n}
						var status int
						var got string
						require.NotPanics(t, func() { status, got = run(s) }, "%s, read %d", verb, n)
						if status == want {
							assert.Equal(t, out, got, "%s, read %d of %d", verb, n, sound.reads.Load())
						}
						if t.Failed() {
							return
						}
					}
				}
			})
		}
	}
}
