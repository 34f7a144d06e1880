//go:build linux && cgo && !x11

package wayland

/*
#cgo pkg-config: wayland-client
#include <stdlib.h>
#include <wayland-client.h>
#include "client.h"
*/
import "C"

import (
	"errors"
	"image"
	"os"
	"runtime/cgo"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/go-gl/glfw/v3.4/glfw"
	"golang.org/x/sys/unix"
)

// Client is a second client of the compositor, on the connection of the toolkit.
type Client struct {
	handle  cgo.Handle
	events  func(Event)
	surface unsafe.Pointer

	mu     sync.Mutex // protects native against its end
	native *C.struct_client
}

// unsupported is the reason of client_open for a compositor without a required interface.
const unsupported = 2

// Open creates a client for the window of a surface. It must be called on the toolkit's thread, or while that is
// blocked. Wait calls events.
func Open(surface uintptr, events func(Event)) (*Client, error) {
	if surface == 0 {
		return nil, errors.New("the window is not a Wayland window")
	}
	display := glfw.GetWaylandDisplay()
	c := &Client{events: events, surface: pointer(surface)}
	c.handle = cgo.NewHandle(c)
	var why C.int
	c.native = C.client_open(unsafe.Pointer(display), c.surface, C.uintptr_t(c.handle), &why)
	if c.native == nil {
		c.handle.Delete()
		if why == unsupported {
			return nil, errors.New("the compositor does not support drag and drop version 3")
		}
		return nil, errors.New("the compositor is not responding")
	}
	return c, nil
}

// pointer converts the toolkit's handle of a surface to a C pointer.
func pointer(surface uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&surface)) }

// Wait handles events until there was one, Wake is called or the limit has passed; a negative limit never passes. It
// returns an error if the connection has ended.
func (c *Client) Wait(limit time.Duration) error {
	if C.client_wait(c.native, C.int(milliseconds(limit))) < 0 {
		return ErrEnded
	}
	return nil
}

// milliseconds converts a limit for poll: -1 is forever, and a fraction of a millisecond is rounded up.
func milliseconds(limit time.Duration) int64 {
	if limit < 0 {
		return -1
	}
	return (limit + time.Millisecond - 1).Milliseconds()
}

// Wake ends Wait. It may be called from any goroutine, and after Close.
func (c *Client) Wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.native != nil {
		C.client_wake(c.native)
	}
}

// Close closes the client. It must be called after the last Wait.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	C.client_close(c.native)
	c.native = nil
	c.handle.Delete()
}

// Drag passes the current drag of the window to the compositor, and returns the number of its source, or 0 if no button
// is down.
func (c *Client) Drag(types []string) int {
	return withTypes(types, func(t **C.char) C.int { return C.client_drag(c.native, t) })
}

// Copy offers types on the clipboard, and returns the number of its source.
func (c *Client) Copy(types []string) int {
	return withTypes(types, func(t **C.char) C.int { return C.client_copy(c.native, t) })
}

func withTypes(types []string, f func(**C.char) C.int) int {
	list := make([]*C.char, len(types)+1)
	for i, t := range types {
		list[i] = C.CString(t)
		defer C.free(unsafe.Pointer(list[i]))
	}
	array := (**C.char)(C.malloc(C.size_t(len(list)) * C.size_t(unsafe.Sizeof(list[0]))))
	defer C.free(unsafe.Pointer(array))
	copy(unsafe.Slice(array, len(list)), list)
	return int(f(array))
}

// ShowPicture displays an image during a drag, with its corner at the pointer.
func (c *Client) ShowPicture(img *image.RGBA, scale int) {
	pixels := make([]C.uint32_t, len(img.Pix)/4)
	for i := range pixels {
		p := img.Pix[4*i : 4*i+4]
		pixels[i] = C.uint32_t(p[3])<<24 | C.uint32_t(p[0])<<16 | C.uint32_t(p[1])<<8 | C.uint32_t(p[2])
	}
	C.client_picture(c.native, &pixels[0], C.int(img.Rect.Dx()), C.int(img.Rect.Dy()), C.int(scale))
}

// EndSource cancels a drag or removes the content of the clipboard.
func (c *Client) EndSource(source int) { C.client_end(c.native, C.int(source)) }

// Arm makes Crossed report when the pointer leaves the window, at any speed. It returns true if the pointer has left
// already. It must be called on the toolkit's thread.
func (c *Client) Arm() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.native != nil && C.client_arm(c.native) != 0
}

// Disarm reverts Arm.
func (c *Client) Disarm() { C.client_disarm(c.native) }

// Release sends the toolkit a release of the button, which it does not receive after Drag. It must be called on the
// toolkit's thread.
func (c *Client) Release() {
	c.mu.Lock()
	open := c.native != nil
	c.mu.Unlock()
	if open {
		C.toolkit_release(c.surface) // calls back into widgets
	}
}

// SendPosition sends the toolkit the position of the pointer, which it does not receive during a drag: a following
// click without a motion would use the position where the drag began. It must be called on the toolkit's thread.
func (c *Client) SendPosition() {
	var x, y C.double
	c.mu.Lock()
	open := c.native != nil
	if open {
		C.client_position(c.native, &x, &y)
	}
	c.mu.Unlock()
	if open {
		C.toolkit_point(c.surface, x, y) // calls back into widgets
	}
}

// Scale returns the number of pixels per device-independent pixel of a window. It must be called on the toolkit's
// thread.
func Scale(surface uintptr) float32 { return float32(C.toolkit_scale(pointer(surface))) }

// OnScale sets the func called on the toolkit's thread after each change of the scale of the window, once the toolkit
// has handled it. It supports one window. It must be called on the toolkit's thread.
func OnScale(surface uintptr, f func()) {
	C.toolkit_watch_scale(pointer(surface), C.uintptr_t(cgo.NewHandle(f)))
}

//export waylandScaled
func waylandScaled(listener C.uintptr_t) { cgo.Handle(listener).Value().(func())() }

// Lost reports whether the compositor has closed the toolkit's connection. It must be called on the toolkit's thread,
// and only for a Wayland window.
func Lost() bool {
	return hungUp(int(C.wl_display_get_fd((*C.struct_wl_display)(unsafe.Pointer(glfw.GetWaylandDisplay())))))
}

// hungUp reports whether the other end of a socket is closed. It reads no data, which others read.
func hungUp(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd)}}
	_, err := unix.Poll(fds, 0)
	return err == nil && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
}

// Activate raises a window, with the token of the user's action that requested it. Without a token, the compositor may
// only mark the window. It must be called on the toolkit's thread.
func Activate(surface uintptr, token string) {
	display := glfw.GetWaylandDisplay()
	if token == "" {
		C.toolkit_focus(pointer(surface))
		return
	}
	t := C.CString(token)
	defer C.free(unsafe.Pointer(t))
	if C.surface_activate(unsafe.Pointer(display), pointer(surface), t) == 0 {
		C.toolkit_focus(pointer(surface))
	}
}

//export waylandEvent
func waylandEvent(handle C.uintptr_t, source, kind, value C.int, x, y C.double) {
	c := cgo.Handle(handle).Value().(*Client)
	c.events(Event{Kind: Kind(kind), Source: int(source), Value: int(value), X: float64(x), Y: float64(y)})
}

//export waylandSend
func waylandSend(handle C.uintptr_t, source C.int, mime *C.char, fd C.int) {
	c := cgo.Handle(handle).Value().(*Client)
	// Nonblocking, so that a reader that does not read cannot block a write beyond its deadline.
	_ = syscall.SetNonblock(int(fd), true)
	c.events(Event{Kind: Send, Source: int(source), Type: C.GoString(mime), File: os.NewFile(uintptr(fd), "target"),
		Own: hasOtherEnd(int(fd))})
}

// hasOtherEnd reports whether this process also has the other end of a pipe.
func hasOtherEnd(fd int) bool {
	var this syscall.Stat_t
	if syscall.Fstat(fd, &this) != nil || this.Mode&syscall.S_IFMT != syscall.S_IFIFO {
		return false
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return false
	}
	for _, e := range open {
		var other syscall.Stat_t
		n, err := strconv.Atoi(e.Name())
		if err == nil && n != fd && syscall.Fstat(n, &other) == nil && other.Ino == this.Ino && other.Dev == this.Dev {
			return true
		}
	}
	return false
}
