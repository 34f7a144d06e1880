package archive

import (
	"path"
	"strings"

	"assay/model"
	"assay/model/picture"
	"assay/model/text"
)

// Class is the kind of an asset's content, by its media type or its name.
type Class uint8

// The classes.
const (
	Other Class = iota
	Image
	Sound
	Text
	Scene
	Font
)

// classes are the classes of media types, by the part before the slash.
var classes = map[string]Class{"image": Image, "audio": Sound, "text": Text, "model": Scene, "font": Font}

// classesByExtension are the classes of files that Assay opens, by extension.
var classesByExtension = map[string]Class{}

// AddExtensions adds the extensions of file types to those that determine a class. It is called before any other
// function of the package.
func AddExtensions(types []model.FileType) {
	for _, t := range types {
		for _, extension := range t.Extensions() {
			if t.Scene {
				classesByExtension[extension] = Scene
			} else if t.IsText() {
				classesByExtension[extension] = Text
			}
		}
	}
}

// typeKey determines a class: a media type, and the extension of a name.
type typeKey struct{ media, extension string }

// maxExtension is the length of the longest extension that determines a class.
const maxExtension = 12

// classOf returns the class of an asset. Many assets share few media types and extensions, so it caches the result.
func (r *archiveReader) classOf(p *model.Payload) Class {
	l := typeKey{p.MediaType, path.Ext(p.Name)}
	if len(l.extension) > maxExtension { // a part of a name; there may be many
		l.extension = ""
	}
	c, ok := r.classes[l]
	if !ok {
		c = l.class()
		r.classes[l] = c
	}
	return c
}

func (l typeKey) class() Class {
	kind, subtype, _ := strings.Cut(l.media, "/")
	c := classes[kind]
	if strings.HasPrefix(subtype, "json") || strings.HasPrefix(subtype, "xml") {
		c = Text
	}
	switch {
	case c != Other:
	case picture.HasExtension(l.extension):
		c = Image
	case text.HasExtension(l.extension):
		c = Text
	default:
		c = classesByExtension[strings.ToLower(l.extension)]
	}
	return c
}

// Class returns the class of the i-th asset.
func (a *Archive) Class(i int) Class { return a.entries[i].class }
