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

// beside is the file name of the program with the window, if it is installed beside one for the console.
const beside = "assayw.exe"

// windowProgram returns the path of the program that opens the window: the one beside this one or, if there is no such
// file, this one.
func windowProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	other := filepath.Join(filepath.Dir(program), beside)
	if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
		return other, nil
	}
	return program, nil
}

// isBeside reports whether a program is the one beside this one.
func isBeside(program string) bool { return filepath.Base(program) == beside }

// showWindow starts the program with the window beside this one, and waits until it ends, as git difftool expects.
func showWindow(ctx context.Context, o ui.Options) error {
	program, err := windowProgram()
	if err != nil {
		return err
	}
	if !isBeside(program) {
		return errors.New("this build has no window. Install the package assay (or build with CGO_ENABLED=1), or use a command such as tree, dump, or verify")
	}
	command := exec.CommandContext(ctx, program, os.Args[1:]...)
	command.Stderr = os.Stderr
	return command.Run()
}
