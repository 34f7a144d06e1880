package content

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// NestedFiles opens the files that assets are.
type NestedFiles struct {
	// Open opens a source as the file that its content is.
	Open model.Opener
	// Forms are the export formats of a file by its extension, in lower case and with its dot. Their writers are found
	// in the file.
	Forms map[string][]model.Form
}

// Payloads returns the assets of a document with the forms of the files that they are. It is a model.Describer and a
// model.Verifier if the document's are both.
func (f NestedFiles) Payloads(d *model.Document) model.Payloads {
	p := payloads{d.Payloads, d, f}
	if bulk, ok := d.Payloads.(interface {
		model.Describer
		model.Verifier
	}); ok {
		return &bulkPayloads{p, bulk}
	}
	return &p
}

// Unwrap returns the assets of a document as its format lists them.
func Unwrap(all model.Payloads) model.Payloads {
	switch all := all.(type) {
	case *bulkPayloads:
		return all.Payloads
	case *payloads:
		return all.Payloads
	}
	return all
}

type payloads struct {
	model.Payloads
	document *model.Document
	reader   NestedFiles
}

// At describes the i-th asset.
func (p *payloads) At(i int) *model.Payload {
	a := p.Payloads.At(i)
	if a != nil {
		p.addForms(a)
	}
	return a
}

// bulkPayloads is a list of assets that can be described and verified in bulk.
type bulkPayloads struct {
	payloads
	bulk interface {
		model.Describer
		model.Verifier
	}
}

// DescribeEach implements model.Describer.
func (b *bulkPayloads) DescribeEach(ctx context.Context, from, to int, each func(i int, a *model.Payload) bool) error {
	return b.bulk.DescribeEach(ctx, from, to, func(i int, a *model.Payload) bool {
		b.addForms(a)
		return each(i, a)
	})
}

// VerifyEach implements model.Verifier.
func (b *bulkPayloads) VerifyEach(ctx context.Context, from, to int,
	each func(i int, v model.Verdict, why string, err error),
) error {
	return b.bulk.VerifyEach(ctx, from, to, each)
}

func (p *payloads) addForms(a *model.Payload) {
	if a.Problem != "" || a.Open == nil || a.Size == 0 {
		return
	}
	extension := strings.ToLower(path.Ext(a.Name))
	forms := p.reader.Forms[extension]
	isPicture := picture.HasExtension(a.Name) && extension != ".svg" // a drawing has no pixels of its own
	if forms == nil && !isPicture {
		return
	}
	if len(a.Forms) == 0 {
		a.Forms = []model.Form{{Name: "raw"}}
	}
	asset := *a // as the format describes it
	if isPicture {
		a.Forms = append(a.Forms[:len(a.Forms):len(a.Forms)], picture.Forms(extension,
			func(ctx context.Context, use func(*model.Source) error) error {
				src, err := p.document.Nested(ctx, &asset, model.ExpandLimit)
				if err != nil {
					return err
				}
				defer src.Close()
				return use(src)
			})...)
		return
	}
	for _, f := range forms {
		f.FromContent = true
		if len(f.Extensions) > 0 {
			f.Files = func(ctx context.Context) (model.Form, error) { return p.files(ctx, &asset, f.Name) }
		} else {
			f.Has = func(ctx context.Context) error {
				return p.open(ctx, &asset, f.Name, func(model.Form) error { return nil })
			}
			f.Write = func(ctx context.Context, w io.Writer) error {
				return p.open(ctx, &asset, f.Name, func(f model.Form) error { return f.Write(ctx, w) })
			}
		}
		a.Forms = append(a.Forms[:len(a.Forms):len(a.Forms)], f)
	}
}

// files returns a form of several files of the file that an asset is.
func (p *payloads) files(ctx context.Context, a *model.Payload, form string) (found model.Form, err error) {
	err = p.open(ctx, a, form, func(f model.Form) error {
		found = f
		return nil
	})
	found.FromContent = true
	found.WriteFiles = func(ctx context.Context, w io.Writer, file int, names []string) error {
		return p.open(ctx, a, form, func(f model.Form) error { return f.WriteFiles(ctx, w, file, names) })
	}
	return found, err
}

// open opens the file that an asset is, calls use with one of its forms, and closes the file.
func (p *payloads) open(ctx context.Context, a *model.Payload, form string, use func(f model.Form) error) error {
	d, err := p.document.OpenNested(ctx, a, model.ExpandLimit, p.reader.Open)
	if err != nil {
		return err
	}
	defer d.Source.Close()
	f, err := formOf(ctx, d, form)
	if err != nil {
		return err
	}
	return use(f)
}

// maxAssetsExamined is the number of assets of a file that are searched for one with a form.
const maxAssetsExamined = 10_000

// formOf returns a form of a whole file: the only asset's with this form, or of the asset with the whole view of the
// file.
func formOf(ctx context.Context, d *model.Document, name string) (model.Form, error) {
	var found []*model.Payload
	var forms []model.Form
	if d.Payloads != nil {
		for i := range min(d.Payloads.Len(), maxAssetsExamined) {
			a := d.Payloads.At(i)
			for _, f := range a.Forms {
				if f.Name == name && !f.IsRaw() && !f.FromContent {
					found, forms = append(found, a), append(forms, f)
				}
			}
		}
	}
	switch len(found) {
	case 0:
		return model.Form{}, fmt.Errorf("%w %s", model.ErrNoForm, name)
	case 1:
		return forms[0], nil
	}
	var finder ViewFinder
	view, err := finder.Find(ctx, d, d.Root())
	if err != nil {
		return model.Form{}, err
	}
	defer view.Close()
	origin := finder.Origin(ctx, d, d.Root(), view).Node
	for i, a := range found {
		if origin != nil && a.Node == origin {
			return forms[i], nil
		}
	}
	return model.Form{}, fmt.Errorf("it contains %d items that can be exported as %s; open it and choose one", len(found), name)
}

// maxNestedFile is the maximum size of a changed asset that is opened as a file, in bytes.
const maxNestedFile = 256 << 20

// Item returns a func that returns the items of the nodes of a package, as its document does; an asset can be opened
// as a file.
func (f NestedFiles) Item(d *model.Document) func(n *model.Node) (model.Item, bool) {
	item := d.Item
	if item == nil {
		return nil
	}
	return func(n *model.Node) (model.Item, bool) {
		t, ok := item(n)
		if ok && t.Content != nil {
			t.File = func(ctx context.Context) (*model.Document, error) { return f.fileOf(ctx, d, n) }
		}
		return t, ok
	}
}

// fileOf opens the asset of a node; it returns nil if the node has several, or one without a structure.
func (f NestedFiles) fileOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Document, error) {
	i, err := d.OnlyAsset(ctx, n)
	if i < 0 {
		return nil, err
	}
	p := d.Payloads.At(i)
	if p.IsDerived() || p.Problem != "" || p.Open == nil || p.Size == 0 {
		return nil, nil
	}
	if p.Size > maxNestedFile {
		return nil, fmt.Errorf("%s is larger than %d bytes", p.Name, maxNestedFile)
	}
	file, err := d.OpenNested(ctx, p, maxNestedFile, f.Open)
	if err == nil && (file.Content || file.Format == model.UnknownFormat) {
		file.Source.Close()
		return nil, nil
	}
	return file, err
}
