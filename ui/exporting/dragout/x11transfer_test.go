//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDirectSaveWritesNoTemporaryCopy(t *testing.T) {
	host, _ := os.Hostname()
	for _, prefix := range []string{"file://", "file://localhost", "file://" + host} {
		dir := t.TempDir()
		k := newTaker(t, manners{save: prefix + dir + "/%s"})
		r := newRig(t)
		// The copy in the private folder is never complete, so the target receives the direct save.
		var calls atomic.Int32
		content := strings.Repeat("direct", 100_000)
		it := text("../cliff 1.png", content)
		write := it.Write
		it.Write = func(ctx context.Context, w io.Writer) error {
			if calls.Add(1) == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return write(ctx, w)
		}
		r.drag(it)
		r.over(k)
		k.sees("a position", func() bool { return k.asked > 0 })
		eventually(t, "the writing has begun", func() bool { return calls.Load() == 1 })
		r.drop()
		r.ends(Dropped)
		assert.Equal(t, ".._cliff 1.png", k.name)
		assert.Equal(t, "S", string(k.reply))
		data, err := os.ReadFile(filepath.Join(dir, ".._cliff 1.png"))
		require.NoError(t, err)
		assert.Equal(t, content, string(data))
		entries, _ := os.ReadDir(dir)
		assert.Len(t, entries, 1)
		assert.Empty(t, r.kept(), "no temporary copy")
	}
}

func TestDirectSaveAfterFilesAreReady(t *testing.T) {
	dir := t.TempDir()
	k := newTaker(t, manners{save: "file://" + dir + "/%s"})
	r := newRig(t)
	r.drag(text("a", "a"))
	r.comes(Ready)
	r.over(k)
	r.drop()
	r.ends(Dropped)
	data, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	assert.Equal(t, "a", string(data))
	eventually(t, "the copy is gone", func() bool { return len(r.kept()) == 0 })
}

func TestDirectSaveThatFailsLeavesTheFolderUnchanged(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "there"), []byte("old"), 0o600))
	for name, c := range map[string]struct{ uri, file, answer, why string }{
		"a file is there":  {"file://" + dir + "/%s", "there", "E", "already"},
		"another machine":  {"file://elsewhere.invalid/%s", "a", "F", "unsupported location"},
		"not a file":       {"http://localhost/%s", "a", "F", "unsupported location"},
		"no folder":        {"file://" + dir + "/none/%s", "a", "E", "none"},
		"a folder's name":  {"file://" + dir + "/", "a", "F", "unsupported location"},
		"nothing":          {" ", "a", "F", "unsupported location"},
		"the asset is bad": {"file://" + dir + "/%s", "bad", "E", "checksum"},
		"the asset panics": {"file://" + dir + "/%s", "panic", "E", "index"},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTaker(t, manners{save: c.uri})
			r := newRig(t)
			it := text(c.file, "new")
			calls := new(atomic.Int32)
			fine := it.Write
			it.Write = func(ctx context.Context, w io.Writer) error {
				switch {
				case calls.Add(1) == 1:
					return fine(ctx, w)
				case c.file == "bad":
					_, _ = w.Write([]byte("half"))
					return errors.New("the checksum is wrong")
				case c.file == "panic":
					return fmt.Errorf("%d", []int{}[calls.Load()])
				}
				return fine(ctx, w)
			}
			r.drag(it)
			r.comes(Ready)
			r.over(k)
			r.drop()
			assert.Contains(t, r.ends(Failed).Text, c.why)
			assert.Equal(t, c.answer, string(k.reply))
			entries, _ := os.ReadDir(dir)
			require.Len(t, entries, 1, "nothing half-written")
			data, _ := os.ReadFile(filepath.Join(dir, "there"))
			assert.Equal(t, "old", string(data))
		})
	}
}

func TestDirectSaveContinuesWithoutItsTarget(t *testing.T) {
	for name, m := range map[string]manners{"gives up": {hurry: true}, "dies": {}} {
		t.Run(name, func(t *testing.T) {
			dir, until := t.TempDir(), make(chan struct{})
			m.save = "file://" + dir + "/%s"
			k := newTaker(t, m)
			r := newRig(t)
			r.drag(slow("a", "content", until))
			r.over(k)
			k.sees("a position", func() bool { return k.asked > 0 })
			r.drop()
			eventually(t, "it is being saved",
				func() bool { e, _ := r.last(Preparing); return strings.Contains(e.Text, "saved") })
			if !m.hurry {
				k.con.x.Close()
				<-k.gone
			}
			close(until)
			assert.Equal(t, "Saved as a.", r.ends(Dropped).Text)
			data, err := os.ReadFile(filepath.Join(dir, "a"))
			require.NoError(t, err)
			assert.Equal(t, "content", string(data))
		})
	}
}

func TestCancelEndsDirectSave(t *testing.T) {
	dir := t.TempDir()
	k := newTaker(t, manners{save: "file://" + dir + "/%s"})
	r := newRig(t)
	r.drag(slow("a", "a", nil))
	r.over(k)
	k.sees("a position", func() bool { return k.asked > 0 })
	r.drop()
	eventually(t, "it is being saved", func() bool {
		e,
			_ := r.last(Preparing)
		return strings.Contains(e.Text, "saved")
	})
	r.Cancel()
	r.ends(Canceled)
	assert.Equal(t, "E", string(k.reply))
	entries, _ := os.ReadDir(dir)
	assert.Empty(t, entries)
}
