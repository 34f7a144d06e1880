//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

/*
#cgo LDFLAGS: -Wl,--wrap=_glfwParseUriList -Wl,--wrap=_glfwInputDrop
#include <stdlib.h>
#include "dropped_unix.h"
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// OnNothingDropped sets the func called, on the toolkit's goroutine, after a drop on the window without files.
func OnNothingDropped(f func()) { C.listen_for_nothing(C.uintptr_t(cgo.NewHandle(f))) }

//export assayNothingDropped
func assayNothingDropped(listener C.uintptr_t) { cgo.Handle(listener).Value().(func())() }

// hideAddresses applies hide_addresses_without_path to a list of URIs.
func hideAddresses(list string) string {
	c := C.CString(list)
	defer C.free(unsafe.Pointer(c))
	C.hide_addresses_without_path(c)
	return C.GoString(c)
}
