package archive

import (
	"path"
	"strings"

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

func classOf(p *model.Payload) Class {
	kind, form, _ := strings.Cut(p.MediaType, "/")
	c := classes[kind]
	if strings.HasPrefix(form, "json") || strings.HasPrefix(form, "xml") {
		c = Text
	}
	switch {
	case c != Other:
	case picture.Named(p.Name):
		c = Image
	case text.Named(path.Base(p.Name)):
		c = Text
	}
	return c
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
