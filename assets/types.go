package assets

import _ "embed"

// IconSVG is the program's icon as SVG.
//
//go:embed icon.svg
var IconSVG []byte

//go:embed types/gpb.png
var gpbIcon []byte

//go:embed types/casset.png
var cassetIcon []byte

//go:embed types/ppac.png
var ppacIcon []byte

//go:embed types/world.png
var worldIcon []byte

//go:embed types/experiment.png
var experimentIcon []byte

// TypeIcons gives the pictures of the file types by name: PNGs of 256 x 256 pixels, rendered from types/*.svg.
func TypeIcons() map[string][]byte {
	return map[string][]byte{"gpb": gpbIcon, "casset": cassetIcon, "ppac": ppacIcon, "world": worldIcon, "experiment": experimentIcon}
}
