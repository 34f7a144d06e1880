package desktop

import (
	"io"

	"assay/model"
)

// AppID identifies the program in all files and settings that it creates on a system.
const AppID = "org.assay.Assay"

// Registration adds and removes the data by which a desktop finds the program and its file types: files on
// freedesktop.org desktops, registry keys on Windows.
type Registration struct {
	Data     string // folder of shared data: $XDG_DATA_HOME of a user, /usr/share of a system
	Config   string // folder of the user's settings, with the default programs
	Home     string // home folder of the user: Unregister removes empty folders below it
	State    string // folder for the previous default programs; empty saves none
	Program  string // absolute path of the program
	Types    []model.FileType
	Pictures Pictures
	Progress io.Writer // progress, one line for each step
	Staged   bool      // Data will be used at another path: the desktop's tools are not run
}

// Pictures holds the icon of the program.
type Pictures struct {
	App []byte // PNG, 512 x 512
	SVG []byte // the same as SVG
}

// TypeIconID returns the resource number of the icon of the i-th file type in a Windows program. Number 1 is the
// program's own icon.
func TypeIconID(i int) int { return i + 2 }

// TypeIcon returns the icon of a type's files as PNG, or the program's if the type has none.
func TypeIcon(t model.FileType, program []byte) []byte {
	if t.Picture == nil {
		return program
	}
	return t.Picture
}
