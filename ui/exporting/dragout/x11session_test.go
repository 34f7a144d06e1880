//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fyne.io/fyne/v2/driver"
)

func TestUnavailableSourceGivesTheReason(t *testing.T) {
	for name, o := range map[string]Options{
		"no window":   {},
		"no display":  {Window: 1, Display: ":65000"},
		"bad display": {Window: 1, Display: "?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Open(o)
			ok, why := s.Available()
			assert.False(t, ok)
			assert.Contains(t, why, "export panel")
			require.EqualError(t, s.Start([]Item{text("a", "a")}), why)
			require.EqualError(t, s.CopyFiles(context.Background(), []Item{text("a", "a")}), why)
			s.Move(false)
			s.End()
			s.Cancel()
			require.NoError(t, s.Close())
		})
	}
}

func TestSetNativeTakesTheWindow(t *testing.T) {
	for _, c := range []any{driver.X11WindowContext{WindowHandle: 7}, driver.WaylandWindowContext{}, nil} {
		o := Options{Scale: 2}
		o.SetNative(c)
		assert.Equal(t, c == driver.X11WindowContext{WindowHandle: 7}, o.Window == 7)
		assert.Zero(t, o.Surface)
		assert.Equal(t, float32(2), o.Scale)
	}
}

func TestNothingToDragIsAnError(t *testing.T) {
	require.Error(t, newRig(t).Start(nil))
}

func TestDisplayThatEndsIsReported(t *testing.T) {
	name, stop, err := startDisplay(t.TempDir())
	require.NoError(t, err)
	defer stop()
	states := make(chan Event, 100)
	s := Open(Options{Window: 1, Display: name, Folder: t.TempDir(), OnState: func(e Event) { states <- e }})
	ok, why := s.Available()
	require.True(t, ok, why)
	require.NoError(t, s.Start([]Item{slow("a", "a", nil)}))
	require.Equal(t, Preparing, (<-states).State)
	stop()
	eventually(t, "it is noticed", func() bool { ok, _ := s.Available(); return !ok })
	for e := range states {
		if e.State != Preparing {
			assert.Equal(t, Failed, e.State)
			break
		}
	}
	require.NoError(t, s.Close())
}

func TestFoldersOfCrashedRunsAreRemoved(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"run-crashed/1", "run-alive/1", "other/1"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, name), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(base, name, "file"), nil, 0o600))
	}
	alive, err := lockFolder(filepath.Join(base, "run-alive"))
	require.NoError(t, err)
	outside := filepath.Join(t.TempDir(), "kept")
	require.NoError(t, os.Mkdir(outside, 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(base, "run-link")))

	removeAbandoned(base)
	assert.NoDirExists(t, filepath.Join(base, "run-crashed"))
	assert.FileExists(t, filepath.Join(base, "run-alive/1/file"))
	assert.FileExists(t, filepath.Join(base, "other/1/file"))
	assert.DirExists(t, outside)

	require.NoError(t, alive.Close())
	removeAbandoned(base)
	assert.NoDirExists(t, filepath.Join(base, "run-alive"))
}

func TestBaseFolderBecomesPrivate(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	require.NoError(t, os.Mkdir(base, 0o755))
	f := &folder{base: base}
	dir, err := f.newBatchFolder()
	require.NoError(t, err)
	info, err := os.Stat(base)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, f.close())
	assert.NoDirExists(t, dir)
	_, err = f.newBatchFolder()
	require.ErrorIs(t, err, os.ErrClosed)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = (&folder{base: file}).newBatchFolder()
	require.Error(t, err)
}

// paste requests the clipboard as another program does.
func paste(t *testing.T, k *taker, typ xproto.Atom) (data []byte, words []uint32, ok bool) {
	k.ask(k.con.atom.CLIPBOARD, typ)
	return k.answered()
}

func (k *taker) ask(selection, typ xproto.Atom) {
	k.count(func() { k.reply, k.failed = nil, false })
	xproto.ConvertSelection(k.con.x, k.window, selection, typ, k.drop, 0)
}

func (k *taker) answered() (data []byte, words []uint32, ok bool) {
	k.sees("an answer", func() bool { return k.reply != nil || k.failed })
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := 0; i+4 <= len(k.reply); i += 4 {
		words = append(words,
			uint32(k.reply[i])|uint32(k.reply[i+1])<<8|uint32(k.reply[i+2])<<16|uint32(k.reply[i+3])<<24)
	}
	return k.reply, words, !k.failed
}

func TestClipboardOffersTheLatestFilesInEachType(t *testing.T) {
	k := newTaker(t, manners{leaveOff: true})
	a := &k.con.atom
	r := newRig(t)
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("a b", "1"), text("../c", "2")}))
	r.comes(Copied)

	_, types, ok := paste(t, k, a.TARGETS)
	require.True(t, ok)
	assert.Subset(t, types, []uint32{uint32(a.URIList), uint32(a.Copied), uint32(a.UTF8), uint32(a.TIMESTAMP)})
	list, _, ok := paste(t, k, a.URIList)
	require.True(t, ok)
	files := readURIs(t, string(list))
	require.Len(t, files, 2)
	copied, _, ok := paste(t, k, a.Copied)
	require.True(t, ok)
	assert.Regexp(t, `^copy\nfile:///.*/a%20b\nfile:///.*/.._c$`, string(copied))
	plain, _, ok := paste(t, k, a.UTF8)
	require.True(t, ok)
	assert.Regexp(t, `^/.*/a b\n/.*/.._c$`, string(plain))
	_, _, ok = paste(t, k, a.XdndDirectSave0)
	assert.False(t, ok)

	// Several at once.
	one, two := k.atom("TAKER_ONE"), k.atom("TAKER_TWO")
	k.con.setWords(k.window, k.drop, a.Pair, uint32(a.URIList), uint32(one), uint32(a.XdndDirectSave0), uint32(two))
	_, pairs, ok := paste(t, k, a.MULTIPLE)
	require.True(t, ok)
	assert.Equal(t, []uint32{uint32(a.URIList), uint32(one), uint32(a.XdndDirectSave0), 0}, pairs)
	assert.Equal(t, string(list), k.con.getText(k.window, one))

	// The next files replace these, which stay on disk.
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("new", "3")}))
	eventually(t, "the new ones", func() bool { e, _ := r.last(Copied); return e.Files == 1 })
	list, _, ok = paste(t, k, a.URIList)
	require.True(t, ok)
	assert.Len(t, readURIs(t, string(list)), 1)
	assert.Len(t, r.kept(), 3)

	// Another program copies.
	xproto.SetSelectionOwner(k.con.x, k.window, a.CLIPBOARD, 0)
	s := r.platform.(*session)
	eventually(t, "it is noticed", func() bool {
		got := make(chan bool)
		s.enqueue(func() { got <- s.clip == nil })
		return <-got
	})
}

func TestCanceledOrReplacedCopyKeepsNoFiles(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithCancel(context.Background())
	require.NoError(t, r.CopyFiles(ctx, []Item{slow("a", "a", nil)}))
	r.comes(Preparing)
	cancel()
	r.comes(Canceled)
	require.NoError(t, r.CopyFiles(context.Background(), []Item{slow("b", "b", nil)}))
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("c", "c")}))
	r.comes(Copied)
	eventually(t, "only the last is kept", func() bool { return len(r.kept()) == 1 })
}
