//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"
)

// rig is a program with a window and a source, and the events of the source.
type rig struct {
	*Source
	t      *testing.T
	hand   *hand
	window xproto.Window
	folder string

	mu   sync.Mutex
	news []Event
}

// patient has timeouts that are long enough for any machine; a test shortens only those that it tests.
var patient = timeouts{query: defaultTimeouts.query, resend: defaultTimeouts.resend, report: defaultTimeouts.report,
	readyWait: time.Hour, answer: time.Hour, refusal: time.Hour, finish: time.Hour, release: time.Hour}

func newRig(t *testing.T, change ...func(*timeouts)) *rig {
	r := &rig{t: t, hand: newHand(t), folder: t.TempDir()}
	r.window = newWindow(t, r.hand.con, 50, 50, false)
	wait := patient
	for _, f := range change {
		f(&wait)
	}
	con, err := connect("")
	require.NoError(t, err)
	o := Options{Window: uintptr(r.window), Folder: r.folder, Scale: 1, OnState: r.heard}
	r.Source = &Source{newSession(o, con, wait)}
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		if t.Failed() {
			t.Logf("reported: %+v", r.news)
		}
	})
	return r
}

func (r *rig) heard(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news = append(r.news, e)
}

// last returns the latest event of a state.
func (r *rig) last(s State) (Event, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.news) - 1; i >= 0; i-- {
		if r.news[i].State == s {
			return r.news[i], true
		}
	}
	return Event{}, false
}

// ends waits for the end of the only drag, which must be state.
func (r *rig) ends(want State) Event {
	r.t.Helper()
	var got Event
	eventually(r.t, "the drag is over: "+want.String(), func() bool {
		for s := Dropped; s <= Copied; s++ {
			if e, ok := r.last(s); ok {
				got = e
				return true
			}
		}
		return false
	})
	require.Equal(r.t, want.String(), got.State.String(), got.Text)
	require.NotEmpty(r.t, got.Text)
	return got
}

func (r *rig) comes(s State) {
	r.t.Helper()
	eventually(r.t, s.String(), func() bool { _, ok := r.last(s); return ok })
}

// drag presses the button in the window and moves away from it.
func (r *rig) drag(items ...Item) {
	r.t.Helper()
	r.grab(items...)
	r.to(400, 700)
}

func (r *rig) grab(items ...Item) {
	r.t.Helper()
	r.hand.move(100, 100)
	r.hand.button(true)
	require.NoError(r.t, r.Start(items))
}

func (r *rig) to(x, y int16) {
	r.hand.move(x, y)
	r.Move(false)
}

func (r *rig) over(k *taker) {
	x, y := k.at()
	r.to(x, y)
}

func (r *rig) drop() {
	r.hand.button(false)
	r.End()
}

// kept returns the files in the private folder.
func (r *rig) kept() []string {
	var out []string
	_ = filepath.WalkDir(r.folder, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, p)
		}
		return nil
	})
	return out
}

func text(name, content string) Item {
	return Item{Name: name, Size: int64(len(content)), Write: func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader(content))
		return err
	}}
}

// slow returns an item that is written when the channel is closed.
func slow(name, content string, until <-chan struct{}) Item {
	it := text(name, content)
	write := it.Write
	it.Write = func(ctx context.Context, w io.Writer) error {
		select {
		case <-until:
			return write(ctx, w)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return it
}

func soon(d *time.Duration) { *d = 50 * time.Millisecond }
