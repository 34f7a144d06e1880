package desktop

import (
	"context"
	"errors"
)

// HasSystem reports whether types can be registered for all users.
const HasSystem = false

var errBundle = errors.New("on macOS the bundle declares its file types: move Assay.app into the Applications folder (make macos builds it), or remove it from there")

// Register returns an error with instructions: macOS reads the types of a program from its bundle.
func (r *Registration) Register(context.Context) error { return errBundle }

// Unregister returns an error with instructions.
func (r *Registration) Unregister(context.Context) error { return errBundle }

// SetDefault returns an error with instructions.
func (r *Registration) SetDefault(context.Context) error {
	return errors.New("on macOS, choose it in Finder: Get Info of such a file, Open with, Assay, Change All")
}
