//go:build !cgo || nowindow

package ui

import (
	"context"
	"errors"
)

// HasWindow says that the program was built with a window.
const HasWindow = false

func run(context.Context, Options) error {
	return errors.New("this program was built without a window: build it with cgo (CGO_ENABLED=1), or use tree, dump, verify and the other verbs")
}
