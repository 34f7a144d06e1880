package model

import (
	"slices"
	"strings"
)

// FileType is a kind of file as people and desktops know it: what shared-mime-info, a registry or a bundle's Info.plist
// say.
type FileType struct {
	MIME    string
	Title   string   // "gameplay bundle"
	Icon    string   // short name of the icon: "gpb"; empty for the format's name
	Picture []byte   // the icon, a PNG of 256 x 256 pixels; nil for the program's
	Globs   []string // "*.gpb"; empty where the extension belongs to others too and only the content tells
	// "*.pac": belongs to others too; where a system does not look at the content, the program is one to choose
	Shared []string
	Parent string  // MIME type that it is a kind of; empty for plain bytes
	Magic  []Magic // any of these tells the type
}

// Extensions returns the extensions of the type's files, in lower case and with their dots.
func (t *FileType) Extensions() []string { return extensions(slices.Concat(t.Globs, t.Shared)) }

// OwnExtensions returns the extensions that no files of other types have.
func (t *FileType) OwnExtensions() []string { return extensions(slices.Clone(t.Globs)) }

func extensions(globs []string) []string {
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
	To    int     // last offset to look at; From if 0
	And   []Magic // of which one must be there too
}
