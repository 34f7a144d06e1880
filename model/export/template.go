package export

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/model"
	"assay/model/archive"
)

// Template makes file names of assets: text with fields in braces, {dir}, {name}, {ext}, {key}, {type}, {index} and
// {file}. Its result is made safe afterwards.
type Template struct {
	text           string
	parts          []part
	skipsOwnFolder bool // assets that are files themselves get no folder
}

type part struct {
	text  string
	field bool
}

// Keep is the template that keeps each asset's own name and folder.
const Keep = "{dir}{name}{ext}"

// Flat is the template that keeps each asset's own name and puts all into one folder.
const Flat = "{name}{ext}"

// PerFile is the template that keeps each asset's own name and folder, in a folder with the name of its file.
const PerFile = "{file}/" + Keep

var fields = []string{"dir", "name", "ext", "key", "type", "index", "file"}

// ParseTemplate reads a template. Empty means Keep. One without {ext} gets it at its end.
func ParseTemplate(text string) (Template, error) {
	if text == "" {
		text = Keep
	}
	t := Template{text: text}
	hasExt := false
	for rest := text; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			t.parts = append(t.parts, part{text: rest})
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if rest[open] == '}' || end < 0 {
			return Template{}, fmt.Errorf("the name template %q has an unmatched brace", text)
		}
		if open > 0 {
			t.parts = append(t.parts, part{text: rest[:open]})
		}
		name := rest[open+1 : open+end]
		if !slices.Contains(fields, name) {
			return Template{}, fmt.Errorf("unknown field {%s}; available fields are {%s}", name, strings.Join(fields, "}, {"))
		}
		hasExt = hasExt || name == "ext"
		t.parts = append(t.parts, part{name, true})
		rest = rest[open+end+1:]
	}
	if !hasExt {
		t.parts = append(t.parts, part{"ext", true})
	}
	return t, nil
}

// ForFiles returns the template for the assets of some files: PerFile instead of Keep if there are several, unless all
// are layers of a stack. A file that is an asset itself, such as a picture, gets no folder.
func (t Template) ForFiles(files []*model.Document) Template {
	isAlone := func(d *model.Document) bool { return !d.IsLayered }
	if t.text != Keep || len(files) < 2 || !slices.ContainsFunc(files, isAlone) {
		return t
	}
	perFile, _ := ParseTemplate(PerFile)
	perFile.skipsOwnFolder = true
	return perFile
}

// HasFolders reports whether the template keeps folders.
func (t Template) HasFolders() bool { return slices.Contains(t.parts, part{"dir", true}) }

// String returns the template's text.
func (t Template) String() string { return t.text }

// Name returns the path of an asset by the template, before it is made safe. number counts the exported assets from 1;
// file is the name of the asset's file.
func (t Template) Name(p *model.Payload, form model.Form, number int, file string) string {
	dir, stem, ext := nameParts(p, form)
	if t.skipsOwnFolder && p.Name == file {
		return stem + ext
	}
	var b strings.Builder
	for _, s := range t.parts {
		if !s.field {
			b.WriteString(s.text)
			continue
		}
		switch s.text {
		case "dir":
			b.WriteString(dir)
		case "name":
			b.WriteString(stem)
		case "ext":
			b.WriteString(ext)
		case "key":
			b.WriteString(SafeName(p.Key))
		case "type":
			b.WriteString(SafeName(archive.TypeOf(p)))
		case "index":
			b.WriteString(strconv.Itoa(number))
		case "file":
			b.WriteString(SafeName(file))
		}
	}
	return b.String()
}

// nameParts cuts the name of an asset into its folder with a slash, its name, and the extension of its form.
func nameParts(p *model.Payload, form model.Form) (dir, stem, ext string) {
	name := p.Name
	if name == "" {
		name = SafeName(p.Key)
	}
	name = strings.ReplaceAll(name, `\`, "/")
	dir, name = path.Split(name)
	stem, ext = splitExt(name)
	if form.Extension != "" {
		ext = form.Extension
	}
	return dir, stem, ext
}
