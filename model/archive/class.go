package archive

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"assay/model"
	"assay/model/picture"
	"assay/model/text"
)

// Class is what an asset is to look at, as far as its media type or its name tells.
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

// classes are those of media types, by what stands before the slash.
var classes = map[string]Class{"image": Image, "audio": Sound, "text": Text, "model": Scene, "font": Font}

// looks is what a class is told by: a media type, and the extension of a name.
type looks struct{ media, extension string }

// extensionMost is the longest extension that tells anything.
const extensionMost = 12

// classOf returns the class of an asset. There are few of what it is told by among many assets.
func (r *reading) classOf(p *model.Payload) Class {
	l := looks{p.MediaType, path.Ext(p.Name)}
	if len(l.extension) > extensionMost { // a part of a name, of which there may be many
		l.extension = ""
	}
	c, ok := r.classes[l]
	if !ok {
		c = l.class()
		r.classes[l] = c
	}
	return c
}

func (l looks) class() Class {
	kind, form, _ := strings.Cut(l.media, "/")
	c := classes[kind]
	if strings.HasPrefix(form, "json") || strings.HasPrefix(form, "xml") {
		c = Text
	}
	switch {
	case c != Other:
	case picture.Named(l.extension):
		c = Image
	case text.Named(l.extension):
		c = Text
	}
	return c
}

// typeOf returns what the document calls the type of an asset; where it knows none, what the name or the content says.
func typeOf(p *model.Payload) string {
	if p.Type != model.UnknownType {
		return p.Type
	}
	extension := strings.TrimPrefix(path.Ext(p.Name), ".")
	odd := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if extension != "" && len(extension) <= extensionMost && !strings.ContainsFunc(extension, odd) {
		return strings.ToLower(extension)
	}
	media, _, _ := strings.Cut(p.MediaType, "/")
	return cmp.Or(media, p.Type)
}

// Class returns that of the i-th asset.
func (a *Archive) Class(i int) Class { return a.entries[i].class }

// Facts are what several assets have in common.
type Facts struct {
	Count        int
	Size, Packed int64  // of all: their contents, as far as those are known, and what is stored
	Folder       string // that all are in or below, with a slash at the end; empty: they have none
	Same         []Fact // their type, and how they are stored
}

// Fact is a column, and the cell that all assets have in it.
type Fact struct{ Column, Value string }

// Facts finds what assets, which are listed by their positions, have in common.
func (a *Archive) Facts(assets []int) Facts {
	f := Facts{Count: len(assets)}
	t := a.Table()
	same := make(map[int]any)
	for k, i := range assets {
		e := &a.entries[i]
		f.Size += max(0, e.size)
		f.Packed += e.stored
		if folder := e.name[:strings.LastIndexByte(e.name, '/')+1]; k == 0 {
			f.Folder = folder
		} else {
			for !strings.HasPrefix(folder, f.Folder) {
				f.Folder = f.Folder[:strings.LastIndexByte(strings.TrimSuffix(f.Folder, "/"), '/')+1]
			}
		}
		for _, c := range []int{Type, Form} {
			if v, ok := same[c]; !a.Has(c) || k > 0 && !ok {
				continue
			} else if cell := t.Cell(int64(i), c); k == 0 {
				same[c] = cell
			} else if cell != v {
				delete(same, c)
			}
		}
	}
	for _, c := range []int{Type, Form} {
		if v, ok := same[c]; ok && v != nil {
			f.Same = append(f.Same, Fact{a.columns[c].Name, model.FormatValue(v)})
		}
	}
	return f
}
