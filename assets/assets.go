// Package assets holds what the program carries inside itself: its icon, and small sample files that this project
// wrote.
package assets

import (
	"embed"
	"io/fs"
)

// Icon is the program's icon: a PNG of 512 x 512 pixels, rendered from icon.svg.
//
//go:embed icon.png
var Icon []byte

// WindowIcon is the icon for the window, which does not wait for 512 x 512 pixels to be decoded: 144 x 144.
//
//go:embed icon-144.png
var WindowIcon []byte

// IconSVG is the program's icon as SVG.
//
//go:embed icon.svg
var IconSVG []byte

//go:embed formats/*.ksy
var formats embed.FS

// Formats returns the descriptions of formats that the program carries: Kaitai Struct files (.ksy) at the top.
func Formats() fs.FS {
	sub, err := fs.Sub(formats, "formats")
	if err != nil {
		panic(err) // the name above is not a path
	}
	return sub
}
