package cli

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// errClosedPipe is the error of a write to a pipe without a reader.
const errClosedPipe = windows.ERROR_NO_DATA

// console returns the writer for messages, and a func that displays them when the command has ended: a program of the
// window subsystem has no console if Explorer starts it.
func console() (messages io.Writer, show func(status int)) {
	if h, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE); err == nil && h != 0 && h != windows.InvalidHandle {
		return os.Stderr, func(int) {}
	}
	var buffer bytes.Buffer
	return &buffer, func(status int) {
		if status != ExitError || buffer.Len() == 0 {
			return
		}
		text, err := windows.UTF16PtrFromString(buffer.String())
		if err == nil {
			title, _ := windows.UTF16PtrFromString("Assay")
			_, _ = windows.MessageBox(0, text, title, windows.MB_ICONERROR)
		}
	}
}

// showsColors reports whether a file is a console that displays colors, and enables them: by default, a Windows
// console prints escape sequences as they are.
func showsColors(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	return windows.GetConsoleMode(h, &mode) == nil &&
		windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
