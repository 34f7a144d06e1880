//go:build linux || freebsd || netbsd || openbsd || dragonfly

package window

/*
#cgo LDFLAGS: -Wl,--wrap=_glfwParseUriList -Wl,--wrap=_glfwInputDrop
#include <stdlib.h>
#include "dropped_unix.h"
*/
import "C"

import "unsafe"

// onNothingDropped is called, on the toolkit's goroutine, when a list of files was dropped that names none.
var onNothingDropped func()

// hearOfNothing has f called when what was dropped on the window names no file.
func hearOfNothing(f func()) { onNothingDropped = f }

//export assayNothingDropped
func assayNothingDropped() {
	if onNothingDropped != nil {
		onNothingDropped()
	}
}

// hideAddresses returns a list of files as the toolkit may see it.
func hideAddresses(list string) string {
	c := C.CString(list)
	defer C.free(unsafe.Pointer(c))
	C.hide_addresses_without_path(c)
	return C.GoString(c)
}
