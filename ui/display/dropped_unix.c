//go:build linux || freebsd || netbsd || openbsd || dragonfly

// GLFW reads beyond the end of a list of files that has a URI without a path, and ends the program if a list has no
// files left. The linker replaces its two functions by the wrappers below.

#include <stdint.h>
#include <string.h>
#include "dropped_unix.h"

void assayNothingDropped(uintptr_t listener);

static uintptr_t nothing_listener; // 0: none

// Weak, because test programs link this file without the library.
extern char **__real__glfwParseUriList(char *text, int *count) __attribute__((weak));
extern void __real__glfwInputDrop(void *window, int count, const char **paths) __attribute__((weak));

void hide_addresses_without_path(char *list) {
	for (char *line = list; *line; line += strcspn(line, "\r\n")) {
		line += strspn(line, "\r\n");
		size_t length = strcspn(line, "\r\n");
		if (length >= 7 && !strncmp(line, "file://", 7) && !memchr(line + 7, '/', length - 7)) line[0] = '#'; // a comment
	}
}

char **__wrap__glfwParseUriList(char *text, int *count) {
	hide_addresses_without_path(text);
	return __real__glfwParseUriList(text, count);
}

void __wrap__glfwInputDrop(void *window, int count, const char **paths) {
	if (count > 0) __real__glfwInputDrop(window, count, paths);
	else if (nothing_listener) assayNothingDropped(nothing_listener);
}

void listen_for_nothing(uintptr_t listener) { nothing_listener = listener; }
