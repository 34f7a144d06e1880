//go:build cgo && !nowindow

package cli

import (
	"context"
	"os"

	"assay/ui"
	"assay/ui/command"
	"assay/ui/window"
)

// hasWindow reports whether the program was built with a window.
const hasWindow = true

// windowProgram is the path of the program that opens the window: this one.
func windowProgram() (string, error) { return os.Executable() }

// isBeside returns false: this program opens the window itself.
func isBeside(string) bool { return false }

func showWindow(ctx context.Context, o ui.Options) error {
	o.Keys = command.File()
	return window.Run(ctx, o)
}
