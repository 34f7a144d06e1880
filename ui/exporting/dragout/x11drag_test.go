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
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneFileIsDropped(t *testing.T) {
	for name, m := range map[string]manners{
		"plain":           {},
		"in a frame":      {managed: true},
		"by proxy":        {proxy: true},
		"yes comes late":  {late: true},
		"version 3":       {version: 3},
		"a later version": {version: 6},
		"never says when": {leaveOff: true},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTaker(t, m)
			r := newRig(t, func(p *timeouts) {
				if m.leaveOff {
					p.finish = 2 * time.Second // after it has read the files
				}
			})
			when := time.Date(2020, 5, 6, 7, 8, 9, 0, time.UTC)
			it := text("a rock #1 100%.png", "rock")
			it.ModTime = when
			r.drag(it)
			r.comes(Ready)
			r.over(k)
			k.sees("the position", func() bool { return k.asked > 0 })
			r.drop()
			e := r.ends(Dropped)
			assert.Equal(t, 1, e.Files)
			assert.Equal(t, int64(4), e.Done)
			assert.Contains(t, k.types, k.con.atom.XdndDirectSave0)
			files := k.files()
			require.Len(t, files, 1)
			for path, content := range files {
				assert.Equal(t, "rock", content)
				assert.Equal(t, "a rock #1 100%.png", filepath.Base(path))
				info, err := os.Stat(path)
				require.NoError(t, err)
				assert.True(t, info.ModTime().Equal(when))
				run := filepath.Dir(filepath.Dir(path))
				assert.Equal(t, r.folder, filepath.Dir(run))
				info, err = os.Stat(run)
				require.NoError(t, err)
				assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
			}
			assert.Equal(t, 1, k.worst, "one position at a time")
			require.NoError(t, r.Close())
			assert.Empty(t, r.kept(), "nothing is left after the end")
		})
	}
}

func TestHostileNamesBecomeSafeAndUnique(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t)
	items := []Item{
		text("../../etc/passwd", "0"), text("/etc/passwd", "1"), text("C:\\x", "2"),
		text("a\nb\r\nfile:///etc/shadow", "3"),
		text("Same", "4"), text("same", "5"), text("SAME", "6"), text("", "7"), text("..", "8"), text("con.txt", "9"),
		text(strings.Repeat("é", 300)+".txt", "10"), text(strings.Repeat("é", 300)+".txt", "11"), text("x\x00y", "12"),
		text("\u202egnp.exe", "13"), text("bad\xffutf8", "14"),
	}
	for i := len(items); i < 50; i++ {
		items = append(items, text(fmt.Sprintf("file %d", i), fmt.Sprint(i)))
	}
	r.drag(items...)
	r.over(k)
	r.comes(Ready)
	r.drop()
	assert.Equal(t, 50, r.ends(Dropped).Files)
	assert.NotContains(t, k.types, k.con.atom.XdndDirectSave0, "direct save names one file")
	files := k.files()
	require.Len(t, files, 50)
	contents, names, dirs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for path, content := range files {
		contents[content] = true
		names[strings.ToLower(filepath.Base(path))] = true
		dirs[filepath.Dir(path)] = true
		assert.LessOrEqual(t, len(filepath.Base(path)), 255)
	}
	assert.Len(t, contents, 50, "every file arrived")
	assert.Len(t, names, 50, "no two names differ by case only")
	assert.Len(t, dirs, 1, "no name leads elsewhere")
}

func TestFoldersAreDropped(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t)
	in := func(folder string, it Item) Item {
		it.Folder = folder
		return it
	}
	r.drag(in("art/a/", text("1", "0")), in("art", text("2", "1")), in("../art/a", text("a/b", "2")),
		in("art", text("a", "3")), text("b", "4"))
	r.over(k)
	r.comes(Ready)
	r.drop()
	assert.Equal(t, 5, r.ends(Dropped).Files)
	var got []string
	for path, content := range k.files() {
		below := strings.SplitN(strings.TrimPrefix(path, r.folder+"/"), "/", 3) // in the folders of the run and the drag
		got = append(got, content+" "+below[2])
	}
	assert.ElementsMatch(t, []string{"0 art/a/1", "1 art/2", "2 unnamed/art/a/a_b", "3 art/a (2)", "4 b"}, got)
}

func TestLongListComesInParts(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t)
	items := make([]Item, 2000)
	for i := range items {
		items[i] = text(fmt.Sprintf("%s %d", strings.Repeat("long name ", 10), i), fmt.Sprint(i))
	}
	r.drag(items...)
	r.comes(Ready)
	r.over(k)
	r.drop()
	r.ends(Dropped)
	assert.Len(t, k.files(), len(items))
	k.sees("more than one part", func() bool { return k.parts > 3 })
}

func TestNothingIsOfferedBeforeFilesAreReady(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t)
	until := make(chan struct{})
	r.drag(text("a", "a"), slow("b", "b", until))
	r.over(k)
	r.comes(Preparing)
	r.drop()
	eventually(t, "progress", func() bool { e, _ := r.last(Preparing); return e.Done == 1 && e.Total == 2 })
	k.count(func() { assert.Zero(t, k.enters) })
	close(until)
	r.ends(Dropped)
	assert.Len(t, k.files(), 2)
}

// Mutter, which forwards drags from X11 windows to native ones, requests the types once and the files at any time.
func TestRequestsWaitForTheFiles(t *testing.T) {
	for name, end := range map[string]func(r *rig, until chan struct{}){
		"ready":     func(_ *rig, until chan struct{}) { close(until) },
		"cancelled": func(r *rig, _ chan struct{}) { r.Cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			until := make(chan struct{})
			k := newTaker(t, manners{leaveOff: true})
			a := &k.con.atom
			r := newRig(t)
			r.grab(slow("a", "content", until))
			owned := func() bool {
				o, err := xproto.GetSelectionOwner(k.con.x, a.XdndSelection).Reply()
				return err == nil && o.Owner != 0
			}
			eventually(t, "the drag has begun", func() bool {
				if !owned() {
					return false
				}
				k.ask(a.XdndSelection, a.TARGETS)
				_, types, ok := k.answered()
				return ok && assert.Subset(t, types, []uint32{uint32(a.URIList), uint32(a.PlainUTF8)})
			})
			k.ask(a.XdndSelection, a.URIList)
			r.comes(Preparing)
			assert.False(t, k.failed, "it is not refused")
			end(r, until)
			list, _, ok := k.answered()
			require.Equal(t, name == "ready", ok)
			if ok {
				for _, content := range readURIs(t, string(list)) {
					assert.Equal(t, "content", content)
				}
			}
		})
	}
}

func TestDropThroughACompositorWaitsForTheFiles(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "wayland-none")
	for name, want := range map[string]State{"ready": Dropped, "cancelled": Canceled} {
		t.Run(name, func(t *testing.T) {
			until := make(chan struct{})
			k := newTaker(t, manners{})
			r := newRig(t, func(p *timeouts) { soon(&p.readyWait) })
			r.drag(slow("a", "content", until))
			r.over(k)
			k.sees("the position", func() bool { return k.asked > 0 })
			r.drop()
			k.sees("the drop", func() bool { return k.drops > 0 })
			if want == Canceled {
				r.Cancel()
				r.ends(want)
				return
			}
			close(until)
			r.ends(want)
			assert.Len(t, k.files(), 1)
		})
	}
}

func TestNoDirectSaveThroughACompositor(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "wayland-none")
	k := newTaker(t, manners{})
	r := newRig(t)
	r.drag(text("a", "content"))
	r.comes(Ready)
	r.over(k)
	r.drop()
	r.ends(Dropped)
	assert.NotContains(t, k.types, k.con.atom.XdndDirectSave0)
	assert.Len(t, k.files(), 1)
}

func TestDropThatIsTooEarlyIsRefused(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t, func(p *timeouts) { soon(&p.readyWait) })
	r.drag(text("a", "a"), slow("b", "b", nil))
	r.over(k)
	r.drop()
	assert.Contains(t, r.ends(Refused).Text, "not ready")
	k.count(func() { assert.Zero(t, k.enters) })
	eventually(t, "the files are gone", func() bool { return len(r.kept()) == 0 })
}

func TestRefusalOfATargetIsExplained(t *testing.T) {
	for name, c := range map[string]struct {
		manner manners
		state  State
		drops  int
		text   string
		ends   func(p *timeouts) // shortens a timeout
	}{
		"refuses":          {manners{refuse: true}, Refused, 0, "does not accept these files", func(p *timeouts) { soon(&p.refusal) }},
		"wants to move":    {manners{move: true}, Refused, 0, "does not accept these files", func(p *timeouts) { soon(&p.refusal) }},
		"does not answer":  {manners{mute: true}, Refused, 0, "not responding", func(p *timeouts) { soon(&p.answer) }},
		"speaks version 2": {manners{version: 2}, Refused, 0, "Files cannot be dropped there.", func(*timeouts) {}},
		"declines at last": {manners{decline: true}, Refused, 1, "did not accept", func(*timeouts) {}},
		"never fetches": {manners{ignore: make(chan struct{})}, Failed, 1, "did not read",
			func(p *timeouts) { soon(&p.finish) }},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTaker(t, c.manner)
			r := newRig(t, c.ends)
			r.drag(text("a", "a"), text("b", "b"))
			r.comes(Ready)
			r.over(k)
			r.drop()
			assert.Contains(t, r.ends(c.state).Text, c.text)
			k.count(func() { assert.Equal(t, c.drops, k.drops) })
			if c.drops == 0 {
				k.sees("it was left", func() bool { return k.leaves == k.enters })
				eventually(t, "the files are gone", func() bool { return len(r.kept()) == 0 })
			}
		})
	}
}

func TestSlowTargetGetsOnePositionAtATime(t *testing.T) {
	hold, ignore := make(chan struct{}), make(chan struct{})
	k := newTaker(t, manners{hold: hold, ignore: ignore})
	r := newRig(t)
	r.drag(text("a", "a"), text("b", "b"))
	r.comes(Ready)
	r.over(k)
	k.sees("a position", func() bool { return k.asked == 1 })
	x, y := k.at()
	for i := range int16(20) {
		r.to(x+i, y)
	}
	r.drop()
	k.count(func() { assert.Equal(t, 1, k.asked, "no more positions before the answer") })
	close(hold)
	k.sees("the drop", func() bool { return k.drops == 1 })
	close(ignore)
	r.ends(Dropped)
	assert.Len(t, k.files(), 2)
	assert.Equal(t, 1, k.worst)
}

func TestDropThatIsFetchedDuringTheNextDrag(t *testing.T) {
	ignore := make(chan struct{})
	k := newTaker(t, manners{ignore: ignore})
	r := newRig(t)
	r.drag(text("first", "1"), text("first too", "1"))
	r.comes(Ready)
	r.over(k)
	r.drop()
	k.sees("the drop", func() bool { return k.drops == 1 })
	r.drag(text("second", "2"))
	eventually(t, "the second is ready", func() bool { e, _ := r.last(Ready); return e.Files == 1 })
	close(ignore)
	r.ends(Dropped)
	for _, content := range k.files() {
		assert.Equal(t, "1", content)
	}
	r.Cancel()
	r.comes(Canceled)
}

func TestDragEndsWhenTheTargetCloses(t *testing.T) {
	a := dial(t).atom
	for name, when := range map[string]xproto.Atom{
		"on entering": a.XdndEnter, "hovering": a.XdndPosition, "dropped on": a.XdndDrop,
	} {
		t.Run(name, func(t *testing.T) {
			k := newTaker(t, manners{dieAt: when})
			r := newRig(t)
			r.drag(text("a", "a"), text("b", "b"))
			r.comes(Ready)
			r.over(k)
			if name != "dropped on" {
				<-k.gone
				r.drop()
				r.ends(Refused)
				return
			}
			r.drop()
			assert.Contains(t, r.ends(Failed).Text, "closed")
		})
	}
}

func TestEscapeEndsTheDrag(t *testing.T) {
	for name, escape := range map[string]func(*rig){
		"by key":     func(r *rig) { r.hand.escape() },
		"by call":    func(r *rig) { r.Cancel() },
		"by a new":   func(r *rig) { require.NoError(r.t, r.Start([]Item{text("new", "")})) },
		"by closing": func(r *rig) { require.NoError(r.t, r.Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			k := newTaker(t, manners{})
			r := newRig(t)
			r.drag(text("a", "a"), text("b", "b"))
			r.comes(Ready)
			r.over(k)
			k.sees("a position", func() bool { return k.asked > 0 })
			escape(r)
			r.ends(Canceled)
			k.sees("it was left", func() bool { return k.leaves > 0 && k.drops == 0 })
			r.Cancel()
			eventually(t, "the files are gone", func() bool { return len(r.kept()) == 0 })
		})
	}
}

// A tap of the key is shorter than the time between two queries of the keyboard: the window receives it as an event.
func TestShortTapOfEscapeCancels(t *testing.T) {
	r := newRig(t)
	con := r.hand.con
	for range 5 {
		r.drag(text("a", "a"))
		r.comes(Ready)
		// The window manager may move the focus for a moment after another window has closed.
		eventually(t, "the focus", func() bool {
			xproto.SetInputFocus(con.x, xproto.InputFocusPointerRoot, r.window, 0)
			f, err := xproto.GetInputFocus(con.x).Reply()
			return err == nil && f.Focus == r.window
		})
		r.hand.escape()()
		r.ends(Canceled)
		r.mu.Lock()
		r.news = nil
		r.mu.Unlock()
	}
}

func TestEscapeEndsTheWriting(t *testing.T) {
	r := newRig(t)
	r.drag(slow("a", "a", nil))
	r.comes(Preparing)
	r.hand.escape()
	r.ends(Canceled)
	eventually(t, "the files are gone", func() bool { return len(r.kept()) == 0 })
}

func TestDragInsideTheWindowWritesNothing(t *testing.T) {
	r := newRig(t)
	it := text("a", "a")
	it.Write = func(context.Context, io.Writer) error {
		t.Error("a drag inside the window writes nothing")
		return nil
	}
	r.grab(it)
	r.to(150, 150)
	r.drop()
	r.ends(Inside)
}

func TestDropOnNothingIsRefused(t *testing.T) {
	r := newRig(t)
	r.drag(text("a", "a"))
	r.comes(Ready)
	r.drop()
	r.ends(Refused)
}

func TestReleaseWithoutEndIsDetected(t *testing.T) {
	k := newTaker(t, manners{})
	r := newRig(t, func(p *timeouts) { soon(&p.release) })
	r.drag(text("a", "a"))
	r.comes(Ready)
	r.over(k)
	k.sees("a position", func() bool { return k.asked > 0 })
	r.hand.button(false)
	r.ends(Dropped)
}

func TestFilesThatCannotBeWrittenAreReported(t *testing.T) {
	bad := Item{Name: "bad", Write: func(context.Context,
		io.Writer) error {
		return errors.New("the compression is not known")
	}}
	k := newTaker(t, manners{})
	r := newRig(t)
	r.drag(text("a", "a"), bad, Item{Name: "empty"})
	r.comes(Ready)
	r.over(k)
	r.drop()
	e := r.ends(Dropped)
	assert.Equal(t, 1, e.Files)
	require.Len(t, e.Problems, 2)
	assert.Contains(t, e.Text, "2 of 3 could not be written; the first is bad: the compression is not known.")
	assert.Len(t, k.files(), 1)

	r = newRig(t)
	r.drag(bad)
	assert.Contains(t, r.ends(Failed).Text, "the compression is not known")
}

func TestPictureFollowsThePointer(t *testing.T) {
	k := newTaker(t, manners{refuse: true})
	r := newRig(t)
	r.drag(text("a", "a"), text("b", "b"))
	r.comes(Ready)
	s := r.platform.(*session)
	shown := func() (label, hint string, size int) {
		done := make(chan struct{})
		s.enqueue(func() {
			defer close(done)
			if s.drag != nil {
				label, hint, size = s.drag.picture.label, s.drag.picture.hint, s.drag.picture.size.X
			}
		})
		<-done
		return
	}
	r.over(k)
	eventually(t, "the picture says no", func() bool { _, hint, _ := shown(); return hint == "This app does not take the files" })
	label, _, size := shown()
	assert.Equal(t, "2 files", label)
	assert.Greater(t, size, 50)
	r.hand.move(150, 150)
	r.Move(true)
	eventually(t, "the own window takes it", func() bool { _, hint, _ := shown(); return hint == "Drop to add to the export list" })
	r.Move(false)
	eventually(t, "and elsewhere in it not",
		func() bool { _, hint, _ := shown(); return hint == "Drop on the export list or in another app" })
	r.Cancel()
	r.ends(Canceled)
}
