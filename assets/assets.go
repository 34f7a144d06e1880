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

// Step is a step for new users: a picture of the window, and what to do in it.
type Step struct {
	Title, Text string
	Picture     func(light bool) []byte // a PNG of the window in the dark or the light theme
}

//go:embed steps/*.png
var steps embed.FS

// stepPicture returns a func that reads a picture of a step by its file name.
func stepPicture(name string) func(light bool) []byte {
	return func(light bool) []byte {
		file := "steps/" + name + ".png"
		if light {
			file = "steps/" + name + "-light.png"
		}
		picture, err := steps.ReadFile(file)
		if err != nil {
			panic(err) // a name in Steps has no file
		}
		return picture
	}
}

// Steps lists the first steps.
func Steps() []Step {
	return []Step{
		{"Open and look", "Drop files or a folder on the window, or press Ctrl+O. The tree lists the structure of the " +
			"file. Select a row: the preview shows it, its bytes are highlighted, and Details explains it. Drag in " +
			"a scene to rotate it; F11 maximizes the preview, Shift+F11 moves it to the side.", stepPicture("look")},
		{"Find", "Ctrl+Shift+F filters the tree: a part of a name, *.png, size > 100 KB, or name ~ duck. Ctrl+P goes to " +
			"an item, tab, or command by a part of its name. Ctrl+F finds bytes, and Ctrl+Shift+G searches all files " +
			"of a folder and the assets in them.", stepPicture("find")},
		{"Export", "Ctrl+5 lists the assets of a package. The Export panel writes all, the filtered, or the selected " +
			"assets: as they are, images as PNG, or models as GLB. You can also drag assets from a list or the " +
			"preview into a folder or another app.", stepPicture("export")},
		{"Compare", "Ctrl+D compares the file with another one, Ctrl+Shift+H with its last version in Git. F8 goes to the " +
			"next change. Drop two files at once, and a notice offers to compare them.", stepPicture("compare")},
	}
}

//go:embed formats/*.ksy
var formats embed.FS

// Formats returns the descriptions of formats that the program carries, as Kaitai Struct files (.ksy) in the root
// folder.
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
