package content

import (
	"context"
	"image/color"
	"slices"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// Sheet is the view of several assets of a document, each to be drawn small, with its name.
type Sheet struct {
	Document *model.Document
	Assets   []int    // their positions among the payloads: pictures, then the others, each in the file's order
	Names    []string // of each
	Total    int      // assets in all
	Marks    []Mark   // of each; may be nil
}

// Mark is a mark of an asset on a sheet, beside its name; its zero value is no mark.
type Mark struct {
	Word  string
	Color color.NRGBA
}

// ViewKind implements model.View.
func (*Sheet) ViewKind() model.ViewKind { return model.SheetView }

// maxSheet is the maximum number of assets on a sheet.
const maxSheet = 100_000

// SheetOf lists the assets of a document; nil if there are fewer than two.
func SheetOf(ctx context.Context, d *model.Document) (*Sheet, error) {
	if d.Payloads == nil || d.Payloads.Len() < 2 {
		return nil, nil
	}
	total := d.Payloads.Len()
	var b sheetBuilder
	err := model.DescribeEach(ctx, d.Payloads, 0, min(total, maxSheet), func(i int, p *model.Payload) bool {
		b.add(i, p)
		return true
	})
	if err != nil {
		return nil, err
	}
	return b.sheet(d, total), nil
}

// SheetOfAssets lists some assets of a document, by their positions among its payloads.
func SheetOfAssets(ctx context.Context, d *model.Document, assets []int) (*Sheet, error) {
	var b sheetBuilder
	for _, i := range assets[:min(len(assets), maxSheet)] {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p := d.Payloads.At(i); p != nil {
			b.add(i, p)
		}
	}
	return b.sheet(d, len(assets)), nil
}

// sheetBuilder sorts pictures before other assets.
type sheetBuilder struct{ pictures, others Sheet }

func (b *sheetBuilder) add(i int, p *model.Payload) {
	list := &b.others
	if strings.HasPrefix(p.MediaType, "image/") || picture.HasExtension(p.Name) {
		list = &b.pictures
	}
	list.Assets = append(list.Assets, i)
	list.Names = append(list.Names, strings.ReplaceAll(p.Name, `\`, "/"))
}

func (b *sheetBuilder) sheet(d *model.Document, total int) *Sheet {
	return &Sheet{Document: d, Total: total, Assets: slices.Concat(b.pictures.Assets, b.others.Assets),
		Names: slices.Concat(b.pictures.Names, b.others.Names)}
}
