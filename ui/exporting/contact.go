package exporting

import (
	"context"
	"image"
	"image/png"
	"io"
	"path"
	"strings"

	"assay/model"
	"assay/model/thumbs"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/thumbnail"
)

// sheetSide is the side of a picture on a contact sheet in pixels.
const sheetSide = 192

// SaveSheet draws the assets that nodes stand for on one picture, or all of the document if that is fewer than two, and
// asks where to write it.
func (p *Panel) SaveSheet(d *model.Document, nodes doc.Nodes, o thumbnail.Options) {
	dark := paint.ThemeColors(p.list.rows).Dark
	p.find(d, nodes, func(c *chosen) {
		p.job("Creating contact sheet", func(ctx context.Context) (func(), error) {
			s := thumbs.Sheet{Side: sheetSide, Dark: dark}
			assets := c.positions
			if len(assets) < 2 && d.Payloads != nil {
				assets = positions(0, d.Payloads.Len())
			}
			s.Total = len(assets)
			for _, i := range assets[:min(len(assets), thumbs.Most)] {
				s.Names = append(s.Names, d.Payloads.At(i).Name)
			}
			s.Picture = func(ctx context.Context, k int) image.Image { return o.Draw(ctx, d, assets[k], sheetSide) }
			img, err := s.Draw(ctx)
			return func() {
				p.Tell(host.Count(min(s.Total, thumbs.Most), "picture") + " on the contact sheet.")
				name := strings.TrimSuffix(path.Base(d.Source.Name()), path.Ext(d.Source.Name()))
				p.Save(name+" contact sheet.png", func(out io.Writer) error { return png.Encode(out, img) })
			}, err
		})
	})
}

// CopyNames puts the names of the assets that nodes stand for on the clipboard, a line each.
func (p *Panel) CopyNames(d *model.Document, nodes doc.Nodes) {
	p.find(d, nodes, func(c *chosen) {
		var names []string
		for _, i := range c.positions {
			names = append(names, model.OneLine(d.Payloads.At(i).Name, nameMost))
		}
		for _, a := range c.made {
			names = append(names, model.OneLine(a.Name, nameMost))
		}
		p.Copy(strings.Join(names, "\n"))
		p.Tell("Copied " + host.Count(len(names), "name") + ".")
	})
}

// nameMost is how many characters of a name are copied.
const nameMost = 4096
