// Package formats recognizes files and opens them. The content decides, or the extension if the content is ambiguous. A
// new format is one new folder and one line in the table, which recognizes and opens files and registers them and their
// icons with desktops. formats.go opens files, raw.go those of unknown format.
//
// A file of none of these formats opens as one leaf if its content is of a known kind (picture, sound, text), else as
// one gap with a sentence about its likely type.
package formats

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/casset"
	"assay/formats/decode"
	"assay/formats/dprsim"
	"assay/formats/gpb/document"
	"assay/formats/kaitai"
	"assay/formats/kaitai/gallery"
	"assay/formats/ppac"
	"assay/formats/ppac/packing"
	"assay/model"
	"assay/model/archive"
	"assay/model/content"
)

// headSize is the number of first bytes that identify the format of a file.
const headSize = 64 << 10

// table has all formats; a format is one folder and one line here.
var table = slices.Concat(
	document.Formats(),
	casset.Formats(),
	ppac.Formats(packing.Packer),
	dprsim.Formats(),
)

// All returns the formats.
func All() []decode.Format { return slices.Clone(table) }

// FileTypes returns the file types of Assay for registration with desktops.
func FileTypes() []model.FileType {
	types := make([]model.FileType, len(table))
	for i, f := range table {
		types[i] = f.FileType
		types[i].Icon = cmp.Or(f.Icon, f.Name)
	}
	return types
}

func init() { // assets of packages that are files of the table are named as such
	content.AddTypes(FileTypes())
	archive.AddExtensions(FileTypes())
}

// Recognize returns the format of src, or nil if it is unknown or src cannot be read. It reads the first bytes only.
func Recognize(src *model.Source) *decode.Format {
	head, err := headOf(src)
	if err != nil {
		return nil
	}
	return recognize(src, head, table)
}

// recognize returns the format, among some, of a file that begins with head, or nil.
func recognize(src *model.Source, head []byte, among []decode.Format) (maybe *decode.Format) {
	extension := strings.ToLower(filepath.Ext(src.Name()))
	for _, f := range among {
		switch f.Sniff(head, src.Size()) {
		case decode.Yes:
			return &f
		case decode.Maybe:
			if slices.Contains(f.Extensions(), extension) {
				maybe = &f
			}
		}
	}
	return maybe
}

// headOf returns the first bytes of src, which identify the format. The error is a *model.OpenError: a file with an
// unreadable beginning must not count as one of unknown format.
func headOf(src *model.Source) ([]byte, error) {
	head, err := src.Bytes(model.Span{Size: min(headSize, src.Size())})
	if err == nil {
		return head, nil
	}
	cause := err
	if read, ok := errors.AsType[*model.ReadError](src.Err()); ok {
		cause = read.Err
	}
	return nil, &model.OpenError{Path: src.Name(), Reason: "cannot be read: " + cause.Error(), Err: err}
}

// Opener opens files in the formats of the table, and in the formats that a gallery describes.
type Opener struct {
	Gallery *gallery.Gallery // nil for no descriptions
}

// Open opens src in its recognized format, else by a description that matches its first bytes or its name, else as
// plain bytes. No description is used if the extension or an altered beginning is that of a format of the table.
func (o Opener) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	d, err := o.open(ctx, src)
	if d != nil && Recognize(src) == nil {
		addPictureAsset(d, src)
	}
	return o.withAssetForms(d), err
}

// withAssetForms lets the assets of a package be exported in the forms of the files that they are.
func (o Opener) withAssetForms(d *model.Document) *model.Document {
	if d != nil && d.IsPackage && d.Payloads != nil {
		// o.open: the assets of a package in the package are not wrapped again
		d.Payloads = content.NestedFiles{Open: o.open, Forms: wholeForms}.Payloads(d)
		d.Item = content.NestedFiles{Open: o.Open}.Item(d)
	}
	return d
}

// wholeForms are the forms of files as a whole, by their extensions.
var wholeForms = func() map[string][]model.Form {
	forms := make(map[string][]model.Form)
	for _, f := range table {
		maps.Copy(forms, f.Forms)
	}
	return forms
}()

// openSource opens src in a format. The document of a container knows how such are written.
func openSource(ctx context.Context, f *decode.Format, src *model.Source) (*model.Document, error) {
	d, err := f.Open(ctx, src)
	if d != nil && d.IsPackage {
		d.Packer = f.Packer
	}
	return d, err
}

// open is Open without the assets of pictures, and without the forms of the files in packages.
func (o Opener) open(ctx context.Context, src *model.Source) (*model.Document, error) {
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	if f := recognize(src, head, table); f != nil {
		return openSource(ctx, f, src)
	}
	if d := o.descriptionOf(src, head); d != nil {
		return d.Open(ctx, src)
	}
	return OpenRaw(src, expectedTitle(src.Name()), nearMiss(head))
}

// TitleOf returns the title of the format of src, or "" if it is unknown or src cannot be read.
func (o Opener) TitleOf(src *model.Source) string {
	head, err := headOf(src)
	if err != nil {
		return ""
	}
	if f := recognize(src, head, table); f != nil {
		return f.Title
	}
	if d := o.descriptionOf(src, head); d != nil {
		return d.Title
	}
	return ""
}

// descriptionOf returns the description of src, which begins with head. It returns nil if there is none, or if the
// extension or an altered beginning is that of a format of the table.
func (o Opener) descriptionOf(src *model.Source, head []byte) *kaitai.Description {
	if o.Gallery == nil || expectedTitle(src.Name()) != "" || nearMiss(head) != "" {
		return nil
	}
	return o.Gallery.Recognize(head, src.Home(), src.Name())
}

// nearMiss returns the message of a format that almost recognizes a file that begins with head, or "".
func nearMiss(head []byte) string {
	head = head[:min(len(head), 16)]
	for _, f := range table {
		if f.Altered == nil {
			continue
		}
		if why := f.Altered(head); why != "" {
			return why
		}
	}
	return ""
}

// expectedTitle returns the title of the format that a file's name promises, or an empty string.
func expectedTitle(name string) string {
	extension := strings.ToLower(filepath.Ext(name))
	for _, f := range table {
		if slices.Contains(f.Extensions(), extension) {
			return f.Title
		}
	}
	return ""
}

// OpenFile opens the file at path. Closing the document's Source closes the file.
func (o Opener) OpenFile(ctx context.Context, path string) (*model.Document, error) {
	return model.OpenDocument(ctx, path, "", o.Open)
}

// PackerFor returns the packer of the archive format that the extension of a file names.
func PackerFor(name string) (*model.Packer, error) {
	var extensions []string
	for _, f := range table {
		if f.Packer == nil {
			continue
		}
		if slices.Contains(f.Extensions(), strings.ToLower(filepath.Ext(name))) {
			return f.Packer, nil
		}
		extensions = append(extensions, f.Packer.Extension)
	}
	return nil, fmt.Errorf("cannot determine the package format from %s; use the extension %s",
		model.OneLine(name, 400), strings.Join(extensions, " or "))
}

// Pages returns the documentation of the formats, one page each: the table's, then the descriptions'.
func (o Opener) Pages() []*model.Page {
	var pages []*model.Page
	for _, f := range table {
		if f.Page != nil && !slices.Contains(pages, f.Page()) {
			pages = append(pages, f.Page())
		}
	}
	if o.Gallery == nil {
		return pages
	}
	for _, e := range o.Gallery.List("") {
		if e.Err == nil {
			pages = append(pages, e.Description.Page())
		}
	}
	return pages
}

// As returns a func that opens files as the named format, regardless of their content: a format of the table, of the
// gallery, or, if the name ends in .ksy, the description in that file.
func (o Opener) As(name string) (model.Opener, error) {
	if strings.HasSuffix(name, ".ksy") {
		g := o.Gallery
		if g == nil {
			g = new(gallery.Gallery)
		}
		d, err := g.Load(name)
		if err != nil {
			return nil, err
		}
		return o.withDescription(d), nil
	}
	var names []string
	var named []decode.Format
	for _, f := range table {
		names = append(names, f.Name)
		if f.Name == name {
			named = append(named, f)
		}
	}
	if len(named) > 0 {
		return func(ctx context.Context, src *model.Source) (*model.Document, error) {
			head, err := headOf(src)
			if err != nil {
				return nil, err
			}
			d, err := openSource(ctx, cmp.Or(recognize(src, head, named), &named[0]), src)
			return o.withAssetForms(d), err
		}, nil
	}
	if o.Gallery != nil {
		for _, e := range o.Gallery.List("") {
			switch {
			case e.Name != name:
			case e.Err != nil:
				return nil, e.Err
			default:
				return o.withDescription(e.Description), nil
			}
			names = append(names, e.Name)
		}
	}
	return nil, fmt.Errorf("unknown format %s; use one of %s, or a description file (.ksy)",
		model.OneLine(name, 100), strings.Join(slices.Compact(names), ", "))
}

// withDescription returns a func that opens files by a description, with the assets in them in all of their forms.
func (o Opener) withDescription(d *kaitai.Description) model.Opener {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		doc, err := d.Open(ctx, src)
		return o.withAssetForms(doc), err
	}
}

// Choice is a format for opening a file.
type Choice struct {
	Name  string // for As
	Title string
	From  string // the path of the description, or empty for a built-in format
	Err   error  // the reason why the description cannot be used, or nil
}

// Choices returns the formats for opening the file at a path: the descriptions beside it, the formats of the table, and
// the other descriptions for it.
func (o Opener) Choices(file string) []Choice {
	var choices []Choice
	listed := make(map[string]bool) // a description of the user overrides a bundled one
	list := func(entries []*gallery.Entry) {
		for _, e := range entries {
			if listed[e.File] || e.Bundled && listed[e.Name] {
				continue
			}
			listed[e.File], listed[e.Name] = true, true
			c := Choice{Name: e.Name, Title: e.Name, Err: e.Err}
			if !e.Bundled {
				c.Name, c.From = e.File, e.File
			}
			if e.Description != nil {
				c.Title = e.Description.Title
			}
			choices = append(choices, c)
		}
	}
	if o.Gallery != nil {
		list(o.Gallery.EntriesBeside(file))
	}
	for _, f := range table {
		if n := len(choices); n > 0 && choices[n-1].Name == f.Name {
			choices[n-1].Title += " or " + f.Title // the content decides between them
			continue
		}
		choices = append(choices, Choice{Name: f.Name, Title: f.Title})
	}
	if o.Gallery != nil {
		list(o.Gallery.List(file))
	}
	return choices
}
