// Package assets holds what the program carries inside itself: its icon, and small sample files that this project
// wrote.
package assets

import _ "embed"

// Icon is the program's icon: a PNG of 512 x 512 pixels, rendered from icon.svg.
//
//go:embed icon.png
var Icon []byte

// IconSVG is the program's icon as SVG.
//
//go:embed icon.svg
var IconSVG []byte
