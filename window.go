//go:build cgo && !nowindow

package main

import (
	"context"

	"assay/ui"
	"assay/ui/window"
)

// hasWindow says that the program was built with a window.
const hasWindow = true

func showWindow(ctx context.Context, o ui.Options) error { return window.Run(ctx, o) }
