package dragout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	getCursorPos     = user32.NewProc("GetCursorPos")
	windowFromPoint  = user32.NewProc("WindowFromPoint")
	getAncestor      = user32.NewProc("GetAncestor")
	setCapture       = user32.NewProc("SetCapture")
	releaseCapture   = user32.NewProc("ReleaseCapture")
	screenToClient   = user32.NewProc("ScreenToClient")
	postMessage      = user32.NewProc("PostMessageW")
	getAsyncKeyState = user32.NewProc("GetAsyncKeyState")
	openClipboard    = user32.NewProc("OpenClipboard")
	emptyClipboard   = user32.NewProc("EmptyClipboard")
	setClipboardData = user32.NewProc("SetClipboardData")
	closeClipboard   = user32.NewProc("CloseClipboard")
	getClipboardData = user32.NewProc("GetClipboardData")
	createWindow     = user32.NewProc("CreateWindowExW")
	destroyWindow    = user32.NewProc("DestroyWindow")
	dragQueryFile    = shell32.NewProc("DragQueryFileW")
)

// oleSession drags by OLE. Inside the window the toolkit handles a drag. When the pointer leaves it, OLE takes over,
// and returns control if the pointer comes back. Meanwhile the thread of the window runs an event loop of Windows.
type oleSession struct {
	opts    Options
	folder  *folder
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	events  chan Event

	// Owned by the thread of the window.
	offer *offer // nil without a drag
	inOLE bool   // OLE has the drag
}

func openPlatform(o Options) platform {
	if o.Window == 0 {
		return unavailable("Files cannot be dragged out before the window is open. Use the export panel.")
	}
	s := &oleSession{opts: o, folder: &folder{base: cmp.Or(o.Folder, baseFolder())}, events: make(chan Event, 64)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.workers.Go(func() {
		removeAbandoned(s.folder.base)
		for {
			select {
			case e := <-s.events:
				o.OnState(e)
			case <-s.ctx.Done():
				return
			}
		}
	})
	return s
}

// Available implements platform.
func (s *oleSession) Available() (bool, string) { return true, "" }

func (s *oleSession) start(items []Item) { s.offer = newOffer(s.ctx, s.folder, items) }

// Move starts the drag of OLE when the pointer has left the window.
func (s *oleSession) Move(bool) {
	if s.offer != nil && !s.inOLE && !s.overOwnWindow() {
		s.drag()
	}
}

// End handles a release of the button inside the window. OLE handles a release outside, in drag.
func (s *oleSession) End() { s.finish(Inside, "") }

// Cancel ends a drag inside the window.
func (s *oleSession) Cancel() { s.finish(Canceled, sentence(context.Canceled)) }

func (s *oleSession) finish(state State, text string) {
	o := s.offer
	if o == nil || s.inOLE {
		return
	}
	s.offer = nil
	e := Event{State: state, Text: text, Files: len(o.items), Done: o.progress.done.Load(), Total: o.progress.total,
		Problems: o.problems()}
	e.Text = withFailures(&batch{problems: e.Problems, files: e.Files - len(e.Problems)}, e.Text)
	s.report(e)
}

// drag runs the drag of OLE.
func (s *oleSession) drag() {
	// a thread can be initialized several times, and GLFW may have done so
	if status, _, _ := oleInitialize.Call(0); int32(status) < 0 {
		s.finish(Failed, sentence(fmt.Errorf("cannot start OLE (%#x)", uint32(status))))
		return
	}
	data, dragSource := newDataObject(s.offer), newDropSource(s.overOwnWindow)
	defer data.release()
	defer dragSource.release()
	_, _, _ = releaseCapture.Call()
	s.inOLE = true
	var effect uint32
	status, _, _ := doDragDrop.Call(uintptr(unsafe.Pointer(data)), uintptr(unsafe.Pointer(dragSource)), effectCopy,
		uintptr(unsafe.Pointer(&effect)))
	s.inOLE = false
	if dragSource.returned && buttonDown() {
		_, _, _ = setCapture.Call(s.opts.Window)
		return
	}
	if !dragSource.returned {
		switch {
		case status == resultDrop && effect&effectCopy != 0:
			s.finish(Dropped, "Files copied to the other app.")
		case status == resultDrop:
			s.finish(Refused, "Files cannot be dropped there.")
		case status == resultCanceled:
			s.finish(Canceled, sentence(context.Canceled))
		default:
			s.finish(Failed, sentence(fmt.Errorf("the other app failed (%#x)", uint32(status))))
		}
	}
	s.postRelease()
}

// postRelease sends the toolkit the release of the button, which OLE has consumed.
func (s *oleSession) postRelease() {
	const buttonUp = 0x0202 // WM_LBUTTONUP
	position := pointer()
	_, _, _ = screenToClient.Call(s.opts.Window, uintptr(unsafe.Pointer(&position)))
	_, _, _ = postMessage.Call(s.opts.Window, buttonUp, 0, uintptr(uint16(position.x))|uintptr(uint16(position.y))<<16)
}

type point struct{ x, y int32 }

func pointer() point {
	var position point
	_, _, _ = getCursorPos.Call(uintptr(unsafe.Pointer(&position)))
	return position
}

// overOwnWindow reports whether the pointer is over the program's window.
func (s *oleSession) overOwnWindow() bool {
	position := pointer()
	w, _, _ := windowFromPoint.Call(uintptr(uint32(position.x)) | uintptr(uint32(position.y))<<32)
	const root = 2 // GA_ROOT
	w, _, _ = getAncestor.Call(w, root)
	return w == s.opts.Window
}

func buttonDown() bool {
	const left = 1 // VK_LBUTTON
	state, _, _ := getAsyncKeyState.Call(left)
	return state&0x8000 != 0
}

func (s *oleSession) copyFiles(ctx context.Context, items []Item) {
	ctx, stop := context.WithCancel(ctx)
	unlink := context.AfterFunc(s.ctx, stop)
	o := newOffer(ctx, s.folder, items)
	event := Event{State: Preparing, Clipboard: true, Text: "The files are being prepared.", Files: len(items),
		Total: o.progress.total}
	s.report(event)
	s.workers.Go(func() {
		defer stop()
		defer unlink()
		b := o.writeAll()
		event.Done, event.Problems, event.Files = o.progress.done.Load(), b.problems, b.files
		err := ctx.Err()
		if err == nil && len(b.paths) == 0 {
			err = b.problems[0].Err
		}
		if err == nil {
			err = toClipboard(b.paths)
		}
		switch {
		case err == nil:
			event.State, event.Text = Copied, withFailures(b, "The files are on the clipboard.")
		case isCancel(err):
			event.State, event.Text = Canceled, sentence(err)
		default:
			event.State, event.Text = Failed, sentence(err)
		}
		s.report(event)
	})
}

// report sends an event unless the source is closed.
func (s *oleSession) report(e Event) {
	select {
	case s.events <- e:
	case <-s.ctx.Done():
	}
}

// toClipboard puts paths on the clipboard, which belongs to a thread while it is open. The owner is a window of this
// thread: Windows waits for the previous owner, and the thread of the program's window may be blocked in close.
func toClipboard(paths []string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const messageOnly = ^uintptr(2) // HWND_MESSAGE
	class, err := windows.UTF16PtrFromString("STATIC")
	if err != nil {
		return err
	}
	owner, _, err := createWindow.Call(0, uintptr(unsafe.Pointer(class)), 0, 0, 0, 0, 0, 0, messageOnly, 0, 0, 0)
	if owner == 0 {
		return fmt.Errorf("cannot own the clipboard: %w", err)
	}
	defer destroyWindow.Call(owner)
	if did, _, err := openClipboard.Call(owner); did == 0 {
		return fmt.Errorf("cannot open the clipboard: %w", err)
	}
	defer closeClipboard.Call()
	_, _, _ = emptyClipboard.Call()
	if h := globalOf(dropFiles(paths)); h != 0 {
		if did, _, _ := setClipboardData.Call(hdrop, h); did != 0 {
			return nil
		}
		_, _ = windows.LocalFree(windows.Handle(h))
	}
	return errors.New("cannot put the files on the clipboard")
}

// clearClipboard removes files below a folder from the clipboard, because the folder is about to be removed.
func clearClipboard(folder string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if did, _, _ := openClipboard.Call(0); did == 0 {
		return
	}
	defer closeClipboard.Call()
	h, _, _ := getClipboardData.Call(hdrop)
	if h == 0 {
		return
	}
	first := make([]uint16, windows.MAX_LONG_PATH)
	_, _, _ = dragQueryFile.Call(h, 0, uintptr(unsafe.Pointer(&first[0])), uintptr(len(first)))
	if strings.HasPrefix(windows.UTF16ToString(first), folder+`\`) {
		_, _, _ = emptyClipboard.Call()
	}
}

// Close ends everything and removes the files.
func (s *oleSession) Close() error {
	s.stop()
	s.workers.Wait()
	if s.folder.path != "" {
		clearClipboard(s.folder.path)
	}
	return s.folder.close()
}
