package formats

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/formats/kaitai"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/model/content"
)

// Opener opens files: in the formats of the table, and as the descriptions of a gallery say.
type Opener struct {
	Gallery *gallery.Gallery // nil: there are no descriptions
}

// Open opens src in the format that it is recognised as, as plain bytes if in none.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	return Opener{}.Open(ctx, src)
}

// Open opens src in the format that it is recognised as, else as a description says whose files begin so or are named
// so, else as plain bytes.
func (o Opener) Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	d, err := o.open(ctx, src)
	if d != nil && Recognise(src) == nil {
		asPicture(d, src)
	}
	return o.withInside(d), err
}

// withInside has the assets of a package leave it in the forms of the files that they are.
func (o Opener) withInside(d *model.Document) *model.Document {
	if d != nil && d.Packs && d.Payloads != nil {
		d.Payloads = content.Reader{Open: o.open, Forms: wholeForms}.Payloads(d)
		d.Thing = content.Reader{Open: o.Open}.Thing(d)
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
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	if f := recognise(src, head, table); f != nil {
		return opened(ctx, f, src)
	}
	expected, altered := expected(src.Name()), altered(head)
	if expected == "" && altered == "" {
		if d := o.described(src, head); d != nil {
			return d.Open(ctx, src)
		}
	}
	return OpenRaw(src, expected, altered)
}

// Recognise returns the title of the format of src, or "" if it is none or cannot be read.
func (o Opener) Recognise(src *model.Source) string {
	head, err := headOf(src)
	if err != nil {
		return ""
	}
	if f := recognise(src, head, table); f != nil {
		return f.Title
	}
	if d := o.described(src, head); d != nil {
		return d.Title
	}
	return ""
}

// described returns the description of src, which begins with head; nil if there is none.
func (o Opener) described(src *model.Source, head []byte) *kaitai.Description {
	if o.Gallery == nil {
		return nil
	}
	return o.Gallery.Recognise(head, src.Home(), src.Name())
}

// altered returns the statement of a format about a file that begins with head and that it does not read; empty if
// there is none.
func altered(head []byte) string {
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
