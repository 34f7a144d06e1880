//go:build !windows

package cli

import (
	"io"
	"os"
	"syscall"
)

// errClosedPipe is the error of a write to a pipe without a reader.
const errClosedPipe = syscall.EPIPE

// console returns the writer for messages, and a func that displays them when the command has ended.
func console() (messages io.Writer, show func(status int)) { return os.Stderr, func(int) {} }

// showsColors reports whether a file is a terminal.
func showsColors(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
