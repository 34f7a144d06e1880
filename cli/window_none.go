//go:build !cgo || nowindow

package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"assay/ui"
)

// hasWindow reports whether the program was built with a window.
const hasWindow = false

// windowProgramName is the file name of the program with the window, which may be installed in the folder of the
// console program.
const windowProgramName = "assayw.exe"

// windowProgram returns the path of the program with the window in the folder of this program; without such a file, of
// this program.
func windowProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	other := filepath.Join(filepath.Dir(program), windowProgramName)
	if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
		return other, nil
	}
	return program, nil
}

// isWindowProgram reports whether a program is a separate program with the window.
func isWindowProgram(program string) bool { return filepath.Base(program) == windowProgramName }

// showWindow starts the program with the window, and waits until it ends, as git difftool expects.
func showWindow(ctx context.Context, o ui.Options) error {
	program, err := windowProgram()
	if err != nil {
		return err
	}
	if !isWindowProgram(program) {
		return errors.New("this build has no window. Install the package assay (or build with CGO_ENABLED=1), or use a command such as tree, dump, or verify")
	}
	command := exec.CommandContext(ctx, program, os.Args[1:]...)
	command.Stderr = os.Stderr
	return command.Run()
}
