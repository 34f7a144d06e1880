//go:build cgo && !nowindow

package ui

import (
	"context"

	"assay/ui/window"
)

// HasWindow says that the program was built with a window.
const HasWindow = true

func run(ctx context.Context, o Options) error { return window.Run(ctx, o) }
