//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef int (*io_error_handler)(void *display);

void assayDisplayEnded(uintptr_t listener);

static uintptr_t display_listener; // the X library has one handler, called with the display only

static int display_ended(void *display) {
	assayDisplayEnded(display_listener);
	return 0;
}

// listen_to_x11 sets the X library's handler for a lost display. It uses the library that the toolkit has loaded, and
// never loads one.
static void listen_to_x11(uintptr_t listener) {
	display_listener = listener;
	void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		library = dlopen("libX11.so", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return;
	io_error_handler (*set)(io_error_handler) =
		(io_error_handler (*)(io_error_handler))dlsym(library, "XSetIOErrorHandler");
	if (set != NULL)
		set(display_ended);
}
*/
import "C"

import "runtime/cgo"

// OnEnd sets the func called when the X display ends, on the toolkit's goroutine; kind is "X11". Without it, the
// library prints two lines and ends the program. Call OnEnd after the toolkit has started, and before a window is
// displayed.
func OnEnd(f func(kind string)) {
	C.listen_to_x11(C.uintptr_t(cgo.NewHandle(f)))
}

//export assayDisplayEnded
func assayDisplayEnded(listener C.uintptr_t) {
	cgo.Handle(listener).Value().(func(kind string))("X11")
	select {} // the library ends the program if this returns; the program ends itself once all data is saved
}
