package model

import (
	"slices"
	"strings"
)

// FileType is a file type for the user and the desktop: the data for shared-mime-info, a registry or a bundle's
// Info.plist.
type FileType struct {
	MIME    string
	Title   string   // "gameplay bundle"
	Icon    string   // short name of the icon: "gpb"; empty for the format's name
	Picture []byte   // the icon, a PNG of 256 x 256 pixels; nil for the program's
	Globs   []string // "*.gpb"; empty if other types have the extension too, so that the content decides
	// "*.pac": other types have it too; on a system that does not check the content, the program is only one choice
	Shared []string
	Parent string  // MIME type that it is a kind of; empty for plain bytes
	Magic  []Magic // any of these identifies the type
	Scene  bool    // its files are drawn as scenes
}

// Extensions returns the extensions of the type's files, in lower case and with their dots.
func (t *FileType) Extensions() []string { return trimGlobs(slices.Concat(t.Globs, t.Shared)) }

// OwnExtensions returns the extensions that no files of other types have.
func (t *FileType) OwnExtensions() []string { return trimGlobs(slices.Clone(t.Globs)) }

func trimGlobs(globs []string) []string {
	for i, glob := range globs {
		globs[i] = strings.TrimPrefix(glob, "*")
	}
	return globs
}

// IsText reports whether the type's files are texts, which any editor shows.
func (t *FileType) IsText() bool { return t.Parent == "text/plain" }

// Magic are bytes that a file of a type has.
type Magic struct {
	Bytes []byte
	From  int     // offset
	To    int     // last offset to check; From if 0
	And   []Magic // one of them must match too
}
