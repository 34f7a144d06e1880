//go:build linux || freebsd || netbsd || openbsd || dragonfly

package window

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>

typedef int (*ioErrorHandler)(void *display);

int assayDisplayEnded(void *display);

// hearOfX11 has the X library tell of a lost display. It uses the library that the toolkit has loaded, and loads none.
static void hearOfX11(void) {
	void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		library = dlopen("libX11.so", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return;
	ioErrorHandler (*set)(ioErrorHandler) = (ioErrorHandler (*)(ioErrorHandler))dlsym(library, "XSetIOErrorHandler");
	if (set != NULL)
		set(assayDisplayEnded);
}
*/
import "C"

import "unsafe"

// onDisplayEnded is called by the X library, which has one such place in a process.
var onDisplayEnded func(kind string)

// hearOfDisplay has f called when the X display ends, on the goroutine of the toolkit. The library would otherwise end
// the program with two lines of its own. The toolkit has started, and no window is shown yet.
func hearOfDisplay(f func(kind string)) {
	onDisplayEnded = f
	C.hearOfX11()
}

//export assayDisplayEnded
func assayDisplayEnded(unsafe.Pointer) C.int {
	onDisplayEnded("X11")
	select {} // the library ends the program if this returns; the program ends itself when all is written
}
