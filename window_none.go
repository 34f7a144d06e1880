//go:build !cgo || nowindow

package main

import (
	"context"
	"errors"

	"assay/ui"
)

// hasWindow says that the program was built with a window.
const hasWindow = false

func showWindow(context.Context, ui.Options) error {
	return errors.New("this program was built without a window: build it with cgo (CGO_ENABLED=1), or use tree, dump, verify and the other verbs")
}
