package desktop

import (
	"context"
	"errors"
)

// HasSystem says that there is no place where the types are registered for all users.
const HasSystem = false

var errBundle = errors.New("on macOS the bundle declares its file types: move Assay.app into the Applications folder (make macos builds it), or remove it from there")

// Register says what to do instead: macOS reads the types of a program from its bundle.
func (r *Registration) Register(context.Context) error { return errBundle }

// Unregister says what to do instead.
func (r *Registration) Unregister(context.Context) error { return errBundle }

// SetDefault says what to do instead.
func (r *Registration) SetDefault(context.Context) error {
	return errors.New("on macOS, choose it in Finder: Get Info of such a file, Open with, Assay, Change All")
}
