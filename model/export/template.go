package export

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/model"
)

// Template makes file names of assets: text with fields in braces, {dir}, {name}, {ext}, {key}, {type}, {index} and
// {file}. Its result is made safe afterwards.
type Template struct {
	text  string
	parts []part
}

type part struct {
	text  string
	field bool
}

// Keep is the template that keeps each asset's own name and folder.
const Keep = "{dir}{name}{ext}"

// Flat is the template that keeps each asset's own name and puts all into one folder.
const Flat = "{name}{ext}"

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

// String is the template's text.
func (t Template) String() string { return t.text }

// Name is the path that an asset gets, before it is made safe. number counts from 1 in what is exported; file is the
// name of the file it comes from.
func (t Template) Name(p *model.Payload, form model.Form, number int, file string) string {
	dir, stem, ext := nameParts(p, form)
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
			b.WriteString(SafeName(p.Type))
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
