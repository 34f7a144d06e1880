package comparison

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"fyne.io/fyne/v2"

	"assay/model/compare"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
)

// form is a form of the report.
type form struct {
	name, extension string
	write           func(ctx context.Context, c *compare.Comparison, w io.Writer) error
}

var forms = []form{
	{"Text", ".txt", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Text(ctx, c, w, report.Options{All: true})
	}},
	{"Markdown", ".md", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Markdown(ctx, c, w, report.Options{All: true})
	}},
	{"JSON", ".json", report.JSON},
	{"HTML", ".html", report.HTML},
}

// copiedMost is how large a report may be to be put on the clipboard.
const copiedMost = 16 << 20

// clip is a report on its way to the clipboard; one that is too long ends.
type clip struct{ bytes.Buffer }

// Write fails once the report is longer than a clipboard should hold.
func (b *clip) Write(p []byte) (int, error) {
	if b.Len()+len(p) > copiedMost {
		return 0, fmt.Errorf("the report is larger than %d MiB; save it to a file instead", copiedMost>>20)
	}
	return b.Buffer.Write(p)
}

// ReportForms are the names of the forms of a report.
func ReportForms() []string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// CopyReport puts the report on the clipboard, in one of ReportForms.
func (c *Comparison) CopyReport(i int) {
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	writing := c.Group.Lane()
	c.Busy(compared.WritingReport, -1, func() {
		writing.Stop()
		c.Busy("", 0, nil)
	})
	writing.Go(func(ctx context.Context) func() {
		var out clip
		err := f.write(ctx, found, &out)
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.complain(err)
				return
			}
			c.Copy(out.String())
			c.Tell("Copied the report as " + f.name + ".")
		}
	})
}

// SaveReport asks for a file and writes the report to it, in one of ReportForms.
func (c *Comparison) SaveReport(i int) {
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	c.SaveWithStop("comparison"+f.extension, func(ctx context.Context, w io.Writer) error {
		return f.write(ctx, found, w)
	})
}

// showMenu offers the forms of the report below a button.
func (c *Comparison) showReportMenu(below fyne.CanvasObject) {
	var items []*fyne.MenuItem
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Copy as "+f.name, func() { c.CopyReport(i) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Save as "+f.name+"…", func() { c.SaveReport(i) }))
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(below)
	c.Menu(fyne.NewMenu("", items...), at.AddXY(0, below.Size().Height))
}
