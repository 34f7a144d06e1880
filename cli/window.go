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

// windowProgram returns the path of the program that opens the window: this one.
func windowProgram() (string, error) { return os.Executable() }

// isWindowProgram returns false: this program opens the window itself.
func isWindowProgram(string) bool { return false }

func showWindow(ctx context.Context, o ui.Options) error {
	o.Keys = command.KeysPath()
	return window.Run(ctx, o)
}
