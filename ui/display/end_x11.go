//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef int (*ioErrorHandler)(void *display);

void assayDisplayEnded(uintptr_t listener);

static uintptr_t displayListener; // the X library has one place for a handler, which takes nothing but the display

static int displayEnded(void *display) {
	assayDisplayEnded(displayListener);
	return 0;
}

// listenToX11 has the X library tell of a lost display. It uses the library that the toolkit has loaded, and loads
// none.
static void listenToX11(uintptr_t listener) {
	displayListener = listener;
	void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		library = dlopen("libX11.so", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return;
	ioErrorHandler (*set)(ioErrorHandler) = (ioErrorHandler (*)(ioErrorHandler))dlsym(library, "XSetIOErrorHandler");
	if (set != NULL)
		set(displayEnded);
}
*/
import "C"

import "runtime/cgo"

// OnEnd has f called when the X display ends, on the goroutine of the toolkit. The library would otherwise end
// the program with two lines of its own. The toolkit has started, and no window is shown yet.
func OnEnd(f func(kind string)) {
	C.listenToX11(C.uintptr_t(cgo.NewHandle(f)))
}

//export assayDisplayEnded
func assayDisplayEnded(listener C.uintptr_t) {
	cgo.Handle(listener).Value().(func(kind string))("X11")
	select {} // the library ends the program if this returns; the program ends itself when all is written
}
