package archive

import (
	"cmp"
	"path"
	"slices"
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

// Overview is the view of a file of assets as a whole: what they are, and which of them stand out.
type Overview struct {
	*Archive
	Kinds        []Kind // the most bytes first
	Size, Packed int64  // of all contents, and what is stored of them; 0 unless the sizes of all are known

	// Positions of assets, at most outstanding of each.
	Largest  []int // the largest first
	Newest   []int // the newest first; none where no times are recorded
	Troubled []int // that cannot leave the file as they should
	Failing  int   // how many of those there are
	Pictures []int // the first pictures, of which there may be more
}

// Kind is the assets of a type.
type Kind struct {
	Name  string
	Count int
	Size  int64 // as Archive has it
}

// outstanding is how many assets of each sort an overview lists, and picturesMost how many pictures.
const (
	outstanding  = 5
	picturesMost = 24
)

// ViewKind implements model.View.
func (*Overview) ViewKind() model.ViewKind { return model.OverviewView }

// Overview returns what there is to say of all assets.
func (a *Archive) Overview() *Overview {
	o := &Overview{Archive: a, Pictures: a.pictures}
	kinds := make([]Kind, len(a.texts))
	size := func(i int) int64 {
		if e := &a.entries[i]; e.size < 0 {
			return e.stored
		}
		return a.entries[i].size
	}
	time := func(i int) int64 { return a.entries[i].modified }
	known := true
	for i := range a.entries {
		e := &a.entries[i]
		kinds[e.kind].Count++
		kinds[e.kind].Size += size(i)
		o.Size += e.size
		o.Packed += e.stored
		known = known && e.size >= 0
		o.Largest = keepMost(o.Largest, i, size)
		o.Newest = keepMost(o.Newest, i, time)
		if a.Troubled(i) {
			if o.Failing++; len(o.Troubled) < outstanding {
				o.Troubled = append(o.Troubled, i)
			}
		}
	}
	if !known { // what assets are made of may overlap
		o.Size, o.Packed = 0, 0
	}
	for i, k := range kinds {
		if k.Name = a.texts[i]; k.Count > 0 {
			o.Kinds = append(o.Kinds, k)
		}
	}
	slices.SortStableFunc(o.Kinds, func(x, y Kind) int {
		return cmp.Or(cmp.Compare(y.Size, x.Size), cmp.Compare(y.Count, x.Count))
	})
	return o
}

// keepMost puts an asset among those of which something is most, if it is one of them and anything is known of it.
func keepMost(most []int, i int, of func(i int) int64) []int {
	what := of(i)
	if what <= 0 || len(most) == outstanding && what <= of(most[outstanding-1]) {
		return most
	}
	at := slices.IndexFunc(most, func(k int) bool { return of(k) < what })
	if at < 0 {
		at = len(most)
	}
	most = slices.Insert(most, at, i)
	return most[:min(len(most), outstanding)]
}
