// Package assets embeds the program's icon and small sample files that this project wrote.
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

// Sample is a small file that this project wrote, for users without a file at hand.
type Sample struct {
	Name  string // a file name
	Title string // for display
	Bytes []byte
}

//go:generate go test -run TestSamples -update .

var (
	//go:embed samples/duck.gpb
	duck []byte
	//go:embed samples/goregular.gpb
	goRegular []byte
	//go:embed samples/pond.ppac
	pond []byte
	//go:embed samples/sky.casset
	sky []byte
	//go:embed samples/ball.world
	ball []byte
	//go:embed samples/ball.experiment
	experiment []byte
)

// Samples lists the sample files. The first is the default one.
func Samples() []Sample {
	return []Sample{
		{"duck.gpb", "Rubber duck: a scene with a skin, animations, a camera, and lights (gameplay bundle 1.4)", duck},
		{"goregular.gpb", "Go Regular: a font in three sizes (gameplay bundle 1.5)", goRegular},
		{"pond.ppac", "A small game package: a scene, an image, text, and a shader (PPAC 4.0)", pond},
		{"sky.casset", "A sky: textures and references between objects (CrystalEngine bundle 3.0)", sky},
		{"ball.world", "A ball of catoms (DPRSim world)", ball},
		{"ball.experiment", "Settings for simulating the ball (DPRSim experiment)", experiment},
	}
}
