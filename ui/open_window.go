//go:build cgo && !nowindow

package ui

import (
	"context"

	"assay/ui/window"
)

func run(ctx context.Context, o Options) error { return window.Run(ctx, o) }
