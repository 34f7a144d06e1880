//go:build !windows

package cli

import (
	"io"
	"os"
)

// console is where the program talks to a person, and what shows in the end what could not be read.
func console() (talk io.Writer, show func(status int)) { return os.Stderr, func(int) {} }

// showsColours reports whether a file is a terminal.
func showsColours(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
