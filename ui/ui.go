// Package ui opens Assay's window, where the program was built with one.
package ui

import (
	"context"

	"assay/ui/session"
)

// Options are what the window is opened with.
type Options = session.Options

// Run shows the window until it is closed. The error says why there is none.
func Run(ctx context.Context, o Options) error { return run(ctx, o) }
