//go:build !linux || !cgo || x11

package wayland

import (
	"errors"
	"image"
	"time"
)

// Client is the connection to the compositor. It is not implemented on this system.
type Client struct{}

// Open returns an error: this system has no Wayland.
func Open(uintptr, func(Event)) (*Client, error) {
	return nil, errors.New("this program was built without Wayland")
}

// Wait and the other methods are never called, because there is no client.
func (*Client) Wait(time.Duration) error     { return ErrEnded }
func (*Client) Wake()                        {}
func (*Client) Close()                       {}
func (*Client) Drag([]string) int            { return 0 }
func (*Client) Copy([]string) int            { return 0 }
func (*Client) ShowPicture(*image.RGBA, int) {}
func (*Client) EndSource(int)                {}
func (*Client) Arm() bool                    { return false }
func (*Client) Disarm()                      {}
func (*Client) Release()                     {}
func (*Client) SendPosition()                {}

// Scale returns 1: this system has no Wayland.
func Scale(uintptr) float32 { return 1 }

// OnScale does nothing: this system has no Wayland.
func OnScale(uintptr, func()) {}

// Lost returns false: this system has no Wayland.
func Lost() bool { return false }

// Activate does nothing: this system has no Wayland.
func Activate(uintptr, string) {}
