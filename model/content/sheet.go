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
	Total    int      // assets that there are
	Marks    []Mark   // of each; nil: none has one
}

// Mark is what is said of an asset on a sheet besides its name; its zero value says nothing.
type Mark struct {
	Word  string
	Color color.NRGBA
}

// ViewKind implements model.View.
func (*Sheet) ViewKind() model.ViewKind { return model.SheetView }

// sheetMost is how many assets are on a sheet.
const sheetMost = 20_000

// SheetOf lists the assets of a document; nil if there are fewer than two.
func SheetOf(ctx context.Context, d *model.Document) (*Sheet, error) {
	if d.Payloads == nil || d.Payloads.Len() < 2 {
		return nil, nil
	}
	s := &Sheet{Document: d, Total: d.Payloads.Len()}
	n := min(s.Total, sheetMost)
	names := make([]string, n)
	var others []int
	err := model.DescribeEach(ctx, d.Payloads, 0, n, func(i int, p *model.Payload) bool {
		names[i] = strings.ReplaceAll(p.Name, `\`, "/")
		if strings.HasPrefix(p.MediaType, "image/") || picture.Named(p.Name) {
			s.Assets = append(s.Assets, i)
		} else {
			others = append(others, i)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	s.Assets = slices.Concat(s.Assets, others)
	for _, i := range s.Assets {
		s.Names = append(s.Names, names[i])
	}
	return s, nil
}
