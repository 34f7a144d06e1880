//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/display/wayland"
)

// fakeCompositor receives the calls of a session. Its events reach the session as those of a real compositor do.
type fakeCompositor struct {
	handle func(wayland.Event)
	queue  chan wayland.Event
	woken  chan struct{}
	gone   chan struct{}

	mu       sync.Mutex
	outside  bool
	up       bool // no button is down
	sources  int
	types    []string
	ended    []int
	released int
	pointed  int // number of positions of the pointer sent to the toolkit
	hint     string
}

func (f *fakeCompositor) Wait(limit time.Duration) error {
	var over <-chan time.Time
	if limit >= 0 {
		over = time.After(limit)
	}
	select {
	case e := <-f.queue:
		f.handle(e)
	case <-f.woken:
	case <-over:
	case <-f.gone:
		return wayland.ErrEnded
	}
	return nil
}

func (f *fakeCompositor) Wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

func (f *fakeCompositor) note(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

func (f *fakeCompositor) offer(types []string) (source int) {
	f.note(func() {
		if !f.up {
			f.sources++
			source, f.types = f.sources, types
		}
	})
	return source
}

func (f *fakeCompositor) Close()                  {}
func (f *fakeCompositor) Drag(types []string) int { return f.offer(types) }
func (f *fakeCompositor) Copy(types []string) int { return f.offer(types) }
func (f *fakeCompositor) Show(c *card)            { f.note(func() { f.hint = c.hint }) }
func (f *fakeCompositor) EndSource(source int)    { f.note(func() { f.ended = append(f.ended, source) }) }
func (f *fakeCompositor) Arm() (outside bool)     { f.note(func() { outside = f.outside }); return }
func (f *fakeCompositor) Disarm()                 {}
func (f *fakeCompositor) Release()                { f.note(func() { f.released++ }) }
func (f *fakeCompositor) SendPosition()           { f.note(func() { f.pointed++ }) }

// waylandRig is a program with a native window, and its compositor.
type waylandRig struct {
	rig
	fake *fakeCompositor
}

func newWaylandRig(t *testing.T, change ...func(*timeouts)) *waylandRig {
	r := &waylandRig{rig: rig{t: t, folder: t.TempDir()}}
	wait := defaultTimeouts
	soon(&wait.report)
	for _, f := range change {
		f(&wait)
	}
	s := newWaylandSession(Options{Folder: r.folder, Scale: 1, OnState: r.heard}, wait)
	r.fake = &fakeCompositor{handle: s.handle, queue: make(chan wayland.Event), woken: make(chan struct{}, 1),
		gone: make(chan struct{})}
	s.begin(r.fake)
	r.Source = &Source{s}
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		assert.Empty(t, r.kept(), "nothing is left after the end")
		if t.Failed() {
			t.Logf("reported: %+v", r.news)
		}
	})
	return r
}

// out drags items out of the window.
func (r *waylandRig) out(items ...Item) {
	r.t.Helper()
	require.NoError(r.t, r.Start(items))
	r.says(wayland.Crossed, 0)
	r.comes(Preparing)
}

// says makes the compositor send an event about the newest source.
func (r *waylandRig) says(kind wayland.Kind, value int) {
	source := 0
	r.fake.note(func() { source = r.fake.sources })
	r.fake.queue <- wayland.Event{Kind: kind, Source: source, Value: value}
}

// asks makes a program request the files in a type. The channel receives everything that it could read.
func (r *waylandRig) asks(form string) <-chan string {
	source := 0
	r.fake.note(func() { source = r.fake.sources })
	in, out, err := os.Pipe()
	require.NoError(r.t, err)
	r.fake.queue <- wayland.Event{Kind: wayland.Send, Source: source, Type: form, File: out}
	answer := make(chan string, 1)
	go func() {
		defer in.Close()
		b, _ := io.ReadAll(in)
		answer <- string(b)
	}()
	return answer
}

func (r *waylandRig) hint(want string) {
	r.t.Helper()
	eventually(r.t, "the picture says "+want,
		func() (ok bool) { r.fake.note(func() { ok = r.fake.hint == want }); return })
}

func TestWaylandDropKeepsTheFilesForTheTarget(t *testing.T) {
	r := newWaylandRig(t)
	require.NoError(t, r.Start([]Item{text("a #1.bin", "one"), text("../b", "two")}))
	r.Move(false)
	assert.Empty(t, r.kept(), "inside the window, nothing is written")
	r.fake.note(func() { assert.Zero(t, r.fake.sources) })
	r.says(wayland.Crossed, 0)
	r.comes(Ready)
	r.fake.note(func() {
		assert.Equal(t, []string{uriListType, plainType}, r.fake.types)
		assert.Equal(t, 1, r.fake.released, "the toolkit is told that the button is up")
	})
	r.End() // as the toolkit then does
	r.hint("Drop in a folder or another app")
	r.says(wayland.Target, 1)
	r.says(wayland.Action, 1)
	r.hint("Drop to copy")
	r.says(wayland.Dropped, 0)
	files := readURIs(t, <-r.asks(uriListType))
	assert.Len(t, files, 2)
	assert.Regexp(t, `^/.*/a #1.bin\n/.*/.._b$`, <-r.asks(plainType))
	assert.Empty(t, <-r.asks("image/png"), "what was not offered is not given")
	r.says(wayland.Finished, 0)
	r.says(wayland.Canceled, 0) // as sway does
	assert.Equal(t, 2, r.ends(Dropped).Files)
	assert.Len(t, r.kept(), 2, "the target may still be reading them")
	r.fake.note(func() { assert.Contains(t, r.fake.ended, 1) })
}

func TestWaylandRequestsWaitForTheFiles(t *testing.T) {
	r := newWaylandRig(t)
	until := make(chan struct{})
	r.out(slow("a", "content", until))
	early := r.asks(uriListType)
	r.says(wayland.Dropped, 0)
	r.says(wayland.Finished, 0) // some targets finish before they have read
	close(until)
	for _, content := range readURIs(t, <-early) {
		assert.Equal(t, "content", content)
	}
	r.says(wayland.Finished, 0)
	r.ends(Dropped)
}

func TestWaylandDragsEndWithoutADrop(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(r *waylandRig)
		want State
		text string
	}{
		"nothing takes it": {func(r *waylandRig) { r.says(wayland.Canceled, 0) }, Refused,
			"Files cannot be dropped there."},
		"refused at the end": {func(r *waylandRig) { r.says(wayland.Dropped, 0); r.says(wayland.Canceled, 0) },
			Refused, "did not accept the files"},
		"nothing was read": {func(r *waylandRig) { r.says(wayland.Dropped, 0); r.says(wayland.Finished, 0) }, Refused,
			"did not accept the files"},
		"never finishes": {func(r *waylandRig) { r.says(wayland.Dropped, 0) }, Failed, "did not read the files"},
		"Escape": {func(r *waylandRig) { r.says(wayland.Escaped, 0) }, Canceled,
			"The drag was canceled."},
		"Cancel": {func(r *waylandRig) { r.Cancel() }, Canceled, "The drag was canceled."},
		"the next begins": {func(r *waylandRig) { require.NoError(r.t, r.Start([]Item{text("b", "b")})) }, Canceled,
			"The drag was canceled."},
		"never taken over": {func(r *waylandRig) { r.says(wayland.Released, 0) }, Refused,
			"Files cannot be dropped there."},
		"compositor ends": {func(r *waylandRig) { close(r.fake.gone) }, Failed,
			"Lost the connection to the Wayland display."},
		"back home": {func(r *waylandRig) {
			r.says(wayland.Entered, 0)
			assert.Empty(r.t, <-r.asks(uriListType), "the program does not wait for itself")
			r.says(wayland.Landed, 0)
		}, Inside, "the program's own window"},
		"back home, as only the question tells": {func(r *waylandRig) {
			_, out, err := os.Pipe()
			require.NoError(r.t, err)
			r.fake.queue <- wayland.Event{Kind: wayland.Send, Source: 1, Type: uriListType, File: out, Own: true}
			r.says(wayland.Dropped, 0)
			r.says(wayland.Finished, 0)
		}, Inside, "the program's own window"},
		"back home, as the question after the end tells": {func(r *waylandRig) {
			<-r.asks(uriListType) // of the previous target
			_, out, err := os.Pipe()
			require.NoError(r.t, err)
			r.says(wayland.Dropped, 0)
			r.says(wayland.Finished, 0)
			r.fake.queue <- wayland.Event{Kind: wayland.Send, Source: 1, Type: uriListType, File: out, Own: true}
		}, Inside, "the program's own window"},
		"back home, refused": {func(r *waylandRig) { r.says(wayland.Entered, 0); r.says(wayland.Canceled, 0) }, Inside,
			"the program's own window"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newWaylandRig(t, func(p *timeouts) { soon(&p.finish); p.report = time.Second })
			r.out(text("a", "a"))
			r.comes(Ready)
			c.end(r)
			assert.Contains(t, r.ends(c.want).Text, c.text)
			r.fake.note(func() { assert.Equal(t, c.want == Inside, r.fake.pointed == 1, "where the next click goes") })
			eventually(t, "no files stay", func() bool { return len(r.kept()) == 0 })
		})
	}
}

func TestWaylandDragEndsInsideUnlessItLeft(t *testing.T) {
	r := newWaylandRig(t)
	require.NoError(t, r.Start([]Item{text("a", "a")}))
	r.End()
	r.ends(Inside)
	r.says(wayland.Crossed, 0) // too late
	r.fake.note(func() { assert.Zero(t, r.fake.sources) })

	// A drag that begins outside, because its files were found late.
	r = newWaylandRig(t)
	r.fake.outside = true
	require.NoError(t, r.Start([]Item{text("a", "a")}))
	r.comes(Ready)

	// The button is up before the compositor can take over.
	r = newWaylandRig(t)
	r.fake.up = true
	require.NoError(t, r.Start([]Item{text("a", "a")}))
	r.says(wayland.Crossed, 0)
	r.End()
	r.ends(Inside)
}

func TestWaylandDropIsTooEarly(t *testing.T) {
	r := newWaylandRig(t)
	r.out(slow("a", "a", nil))
	r.says(wayland.Canceled, 0)
	assert.Equal(t, tooEarlyText, r.ends(Refused).Text)
}

func TestWaylandRequestsOfATargetAreBounded(t *testing.T) {
	r := newWaylandRig(t)
	until := make(chan struct{})
	long := make([]Item, 800)
	for i := range long {
		long[i] = text(strings.Repeat("x", 200), "a")
	}
	long[0] = slow("first", "a", until)
	r.out(long...)
	answers := make([]<-chan string, 1000)
	for i := range answers {
		answers[i] = r.asks("type/" + string(rune('a'+i%26)))
	}
	for i := maxDeferred; i < len(answers); i++ {
		assert.Empty(t, <-answers[i], "only so many wait")
	}
	close(until)
	for _, a := range answers[:maxDeferred] {
		assert.Empty(t, <-a)
	}
	r.comes(Ready)

	// A target that reads nothing does not keep the program from ending; the rig calls Close.
	in, out, err := os.Pipe()
	require.NoError(t, err)
	defer in.Close()
	out = nonblocking(t, out)
	r.fake.queue <- wayland.Event{Kind: wayland.Send, Source: 1, Type: uriListType, File: out}
	r.says(wayland.Dropped, 0)
	one := make([]byte, 1)
	_, err = in.Read(one)
	require.NoError(t, err)
	assert.Equal(t, "f", string(one))
}

// nonblocking returns a file that supports deadlines, as those of the compositor do.
func nonblocking(t *testing.T, f *os.File) *os.File {
	defer f.Close()
	fd, err := syscall.Dup(int(f.Fd()))
	require.NoError(t, err)
	require.NoError(t, syscall.SetNonblock(fd, true))
	return os.NewFile(uintptr(fd), "target")
}

func TestWaylandClipboardOffersTheLatestFiles(t *testing.T) {
	r := newWaylandRig(t)
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("a b", "1"), text("c", "2")}))
	r.comes(Copied)
	r.fake.note(func() { assert.Equal(t, []string{uriListType, plainType, copiedType}, r.fake.types) })
	assert.Len(t, readURIs(t, <-r.asks(uriListType)), 2)
	assert.Regexp(t, `^copy\nfile:///.*/a%20b\nfile:///.*/c$`, <-r.asks(copiedType))
	r.says(wayland.Canceled, 0)
	assert.Empty(t, <-r.asks(uriListType), "something else is on the clipboard")
	assert.Len(t, r.kept(), 2, "but they may still be read")

	require.NoError(t, r.CopyFiles(context.Background(), []Item{slow("b", "b", nil)}))
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("d", "d")}))
	eventually(t, "only the last is copied", func() bool { e, ok := r.last(Copied); return ok && e.Files == 1 })
	files := readURIs(t, <-r.asks(uriListType))
	assert.Len(t, files, 1)
	for path := range files {
		assert.Equal(t, "d", filepath.Base(path))
	}
}

func TestPictureIsBesideThePointerAtAnyScale(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 7, 5))
	img.Set(0, 0, color.White)
	for scale, size := range map[int]image.Point{1: {17, 25}, 2: {18, 26}, 3: {18, 27}} {
		out := besidePointer(img, 10, 20, scale)
		assert.Equal(t, size, out.Rect.Size())
		assert.Equal(t, uint8(0), out.RGBAAt(9, 20).A)
		assert.Equal(t, uint8(255), out.RGBAAt(10, 20).A)
	}
}
