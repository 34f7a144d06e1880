// Package formats recognises files and opens them. Content decides; the extension only where content leaves it open.
// A new format is one new folder and one line in the table: recognising and opening, registering with desktops and
// icons all come from there.
package formats

import (
	"cmp"
	"context"
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
	"assay/formats/ppac"
	"assay/formats/ppac/packing"
	"assay/formats/raw"
	"assay/model"
	"assay/model/content"
	"assay/model/inside"
)

// headSize is how many of a file's first bytes the formats judge.
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

// FileTypes returns what desktops are told about the files that Assay opens.
func FileTypes() []model.FileType {
	types := make([]model.FileType, len(table))
	for i, f := range table {
		types[i] = f.FileType
		types[i].Icon = cmp.Or(f.Icon, f.Name)
	}
	return types
}

func init() { content.Know(FileTypes()) } // assets of packages that are files of the table are named as such

// Recognise returns the format of src, or nil if it is none of them. It reads the first bytes only.
func Recognise(src *model.Source) *decode.Format { return recognise(src, table) }

// recognise returns the one of some formats that src is of; nil if it is of none.
func recognise(src *model.Source, among []decode.Format) (maybe *decode.Format) {
	head, extension := headOf(src, headSize), strings.ToLower(filepath.Ext(src.Name()))
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

// headOf returns the first bytes of src, at most so many; fewer if they cannot be read.
func headOf(src *model.Source, most int64) []byte {
	head := make([]byte, min(most, src.Size()))
	n, _ := src.ReadAt(head, 0)
	return head[:n]
}

// Opener opens files: in the formats of the table, and as the descriptions of a gallery say.
type Opener struct {
	Gallery *kaitai.Gallery // nil: there are no descriptions
}

// Open opens src in the format that it is recognised as, as plain bytes if in none.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	return Opener{}.Open(ctx, src)
}

// Open opens src in the format that it is recognised as, else as a description says whose files begin so or are named
// so, else as plain bytes.
func (o Opener) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	d, err := o.open(ctx, src)
	return o.withInside(d), err
}

// withInside has the assets of a package leave it in the forms of the files that they are.
func (o Opener) withInside(d *model.Document) *model.Document {
	if d != nil && d.Packs && d.Payloads != nil {
		d.Payloads = inside.Reader{Open: o.open, Forms: wholeForms}.Payloads(d)
	}
	return d
}

// wholeForms are the forms of files as a whole, by their extensions.
var wholeForms = func() map[string][]model.Form {
	all := make(map[string][]model.Form)
	for _, f := range table {
		maps.Copy(all, f.Forms)
	}
	return all
}()

// opened opens src in a format. The document of a container knows how such are written.
func opened(ctx context.Context, f *decode.Format, src *model.Source) (*model.Document, error) {
	d, err := f.Open(ctx, src)
	if d != nil && d.Packs {
		d.Packer = f.Packer
	}
	return d, err
}

func (o Opener) open(ctx context.Context, src *model.Source) (*model.Document, error) {
	if f := Recognise(src); f != nil {
		return opened(ctx, f, src)
	}
	expected, altered := expected(src.Name()), altered(src)
	if expected == "" && altered == "" {
		if d := o.described(src); d != nil {
			return d.Open(ctx, src)
		}
	}
	return raw.Open(src, expected, altered)
}

// Recognise returns the title of the format of src; "" if it is none.
func (o Opener) Recognise(src *model.Source) string {
	if f := Recognise(src); f != nil {
		return f.Title
	}
	if d := o.described(src); d != nil {
		return d.Title
	}
	return ""
}

// described returns the description of src; nil if there is none.
func (o Opener) described(src *model.Source) *kaitai.Description {
	if o.Gallery == nil {
		return nil
	}
	return o.Gallery.Recognise(headOf(src, headSize), src.Home(), src.Name())
}

// altered returns what a format says about a file that it does not read; empty if none says anything.
func altered(src *model.Source) string {
	head := headOf(src, 16)
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

// expected returns the title of the format that a file's name promises, or an empty string.
func expected(name string) string {
	extension := strings.ToLower(filepath.Ext(name))
	for _, f := range table {
		if slices.Contains(f.Extensions(), extension) {
			return f.Title
		}
	}
	return ""
}

// OpenFile opens the file at path. Closing the document's Source closes the file.
func OpenFile(ctx context.Context, path string) (*model.Document, error) {
	return Opener{}.OpenFile(ctx, path)
}

// OpenFile opens the file at path. Closing the document's Source closes the file.
func (o Opener) OpenFile(ctx context.Context, path string) (*model.Document, error) {
	return model.OpenDocument(ctx, path, "", o.Open)
}

// As returns what opens files as the format of that name, whatever their content says: one of the table, one of the
// gallery, or, if the name ends in .ksy, the description in that file.
func (o Opener) As(name string) (func(ctx context.Context, src *model.Source) (*model.Document, error), error) {
	if strings.HasSuffix(name, ".ksy") {
		gallery := o.Gallery
		if gallery == nil {
			gallery = new(kaitai.Gallery)
		}
		d, err := gallery.Load(name)
		if err != nil {
			return nil, err
		}
		return d.Open, nil
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
			d, err := opened(ctx, cmp.Or(recognise(src, named), &named[0]), src)
			return o.withInside(d), err
		}, nil
	}
	if o.Gallery != nil {
		for _, e := range o.Gallery.List("") {
			switch {
			case e.Name != name:
			case e.Err != nil:
				return nil, e.Err
			default:
				return e.Description.Open, nil
			}
			names = append(names, e.Name)
		}
	}
	return nil, fmt.Errorf("there is no format %s; give one of %s, or the path of a description (.ksy)",
		model.OneLine(name, 100), strings.Join(slices.Compact(names), ", "))
}

// PackerFor returns how the archive is written that a file is to be, by its extension.
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
	return nil, fmt.Errorf("%s does not say which archive to write: give it the extension %s",
		model.OneLine(name, 400), strings.Join(extensions, " or "))
}

// Choice is what a file can be read as.
type Choice struct {
	Name  string // for As
	Title string
	From  string // the path of the description that says how; empty for a format of the program
	Err   error  // why the description cannot be used; nil if it can
}

// Choices returns what the file at a path can be read as: the descriptions that lie beside it, the formats of the
// table, and the other descriptions for it.
func (o Opener) Choices(file string) []Choice {
	var all []Choice
	listed := make(map[string]bool) // a description of the user's takes the place of a bundled one
	list := func(entries []*kaitai.Entry) {
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
			all = append(all, c)
		}
	}
	if o.Gallery != nil {
		list(o.Gallery.Beside(file))
	}
	for _, f := range table {
		if n := len(all); n > 0 && all[n-1].Name == f.Name {
			all[n-1].Title += " or " + f.Title // the content says which of them it is
			continue
		}
		all = append(all, Choice{Name: f.Name, Title: f.Title})
	}
	if o.Gallery != nil {
		list(o.Gallery.List(file))
	}
	return all
}
