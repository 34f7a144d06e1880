package archive

import (
	"cmp"
	"path"
	"strings"
	"time"
	"unicode"

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

func (k typeKey) class() Class {
	kind, subtype, _ := strings.Cut(k.media, "/")
	c := classes[kind]
	if strings.HasPrefix(subtype, "json") || strings.HasPrefix(subtype, "xml") {
		c = Text
	}
	switch {
	case c != Other:
	case picture.HasExtension(k.extension):
		c = Image
	case text.HasExtension(k.extension):
		c = Text
	default:
		c = classesByExtension[strings.ToLower(k.extension)]
	}
	return c
}

// Class returns the class of the i-th asset.
func (a *Archive) Class(i int) Class { return a.entries[i].class }

// The columns of every archive, before the columns of its format.
const (
	Name = iota
	Type
	Size
	Stored
	Modified
	Checksum
	Compression
	ownColumns
)

// Asset holds the cells of an asset in the columns that every package has, except for its checksum.
type Asset struct {
	Name, Type, Compression string // empty if unknown
	Size, Stored            int64  // -1 if unknown
	Modified                int64  // Unix seconds; 0 if not recorded
}

// AssetOf returns the cells of an asset.
func AssetOf(p *model.Payload) Asset {
	s := Asset{Name: strings.ReplaceAll(p.Name, `\`, "/"), Type: TypeOf(p),
		Compression: cmp.Or(p.Codec, uncompressed), Size: p.Size, Stored: p.Stored.Size}
	if !p.ModTime.IsZero() {
		s.Modified = p.ModTime.Unix()
	}
	return s
}

// TypeOf returns the document's name of the type of an asset, or if it is unknown, the type by the name or the content.
func TypeOf(p *model.Payload) string {
	if p.Type != model.UnknownType {
		return p.Type
	}
	extension := strings.TrimPrefix(path.Ext(p.Name), ".")
	isUnusual := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if extension != "" && len(extension) <= maxExtension && !strings.ContainsFunc(extension, isUnusual) {
		return strings.ToLower(extension)
	}
	media, _, _ := strings.Cut(p.MediaType, "/")
	return cmp.Or(media, p.Type)
}

// Cell returns the cell of a column; nil if not recorded.
func (a Asset) Cell(column int) any {
	if v := ownColumnInfo[column].cell(a); v != "" {
		return v
	}
	return nil
}

const uncompressed = "none" // the compression of uncompressed assets

// ownColumnInfo describes the columns that every package has, by their numbers. A new one is a number and a line here;
// a new property is a field of Asset and of entry, and is set in AssetOf and in add.
var ownColumnInfo = [ownColumns]struct {
	model.Column
	// informs reports whether the cell of an asset adds information to the other columns; nil: every cell does.
	informs func(e *entry, p *model.Payload) bool
	// cell returns the cell of an asset; nil if not recorded.
	cell func(s Asset) any
}{
	Name: {model.Column{Name: "name", Type: "string"}, nil,
		func(s Asset) any { return s.Name }},
	Type: {model.Column{Name: "type", Type: "string", IsGroupable: true, MatchesExtension: true}, nil,
		func(s Asset) any { return s.Type }},
	Size: {model.Column{Name: "size", Type: "bytes", Numeric: true, OnlyByName: true}, nil,
		func(s Asset) any {
			switch {
			case s.Size >= 0:
				return s.Size
			case s.Stored > 0: // stored data
				return s.Stored
			}
			return nil
		}},
	Stored: {model.Column{Name: "packed", Type: "bytes", Numeric: true, OnlyByName: true},
		func(e *entry, _ *model.Payload) bool { return e.size >= 0 && e.stored != e.size && !e.hasProblem },
		func(s Asset) any {
			if s.Stored < 0 {
				return nil
			}
			return s.Stored
		}},
	Modified: {model.Column{Name: "modified", Type: "time", OnlyByName: true},
		func(e *entry, _ *model.Payload) bool { return e.modified != 0 },
		func(s Asset) any {
			if s.Modified == 0 {
				return nil
			}
			return time.Unix(s.Modified, 0).UTC().Format(time.DateTime)
		}},
	Checksum: {model.Column{Name: "checksum", Type: "string", OnlyByName: true, IsGroupable: true, Names: model.Checksums,
		Values: []string{"valid", "invalid", "cannot be checked", "not checked"}},
		func(e *entry, _ *model.Payload) bool { return e.hasChecksum },
		func(Asset) any { return nil }},
	Compression: {model.Column{Name: "compression", Type: "string", OnlyByName: true, IsGroupable: true,
		Names: []string{"form"}}, // the earlier name: it is in saved filters and scripts

		func(_ *entry, p *model.Payload) bool { return p.Codec != "" },
		func(s Asset) any { return s.Compression }},
}

// OwnColumns returns the columns that every archive has, by their numbers.
func OwnColumns() []model.Column {
	out := make([]model.Column, 0, ownColumns)
	for _, c := range ownColumnInfo {
		out = append(out, c.Column)
	}
	return out
}

// ColumnName returns the name of a column of every archive.
func ColumnName(column int) string { return ownColumnInfo[column].Name }
