package assets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// read reads the assets and shows the first of them at once.
func (p *Panel) read() {
	p.count.SetText("Reading…")
	d := p.document
	read := func(ctx context.Context, grown func(a *archive.Archive)) (*archive.Archive, error) {
		return archive.Read(ctx, d, grown)
	}
	if p.Read != nil {
		read = p.Read().Read
	}
	p.reading.Go(func(ctx context.Context) func() {
		show := func(a *archive.Archive, complete bool) {
			if p.document == d {
				p.grown(a, complete)
			}
		}
		grown := func(a *archive.Archive) { p.group.Show(ctx, func() { show(a, false) }) }
		a, err := read(ctx, grown)
		return func() {
			if err != nil {
				p.count.SetText(host.Sentence(err))
				return
			}
			show(a, true)
		}
	})
}

// grown shows the assets that have been read so far.
func (p *Panel) grown(a *archive.Archive, complete bool) {
	first := p.archive == nil
	var names []string
	if p.tree != nil {
		names = p.tree.Names(p.at)
	}
	p.archive, p.complete = a, complete
	if first {
		p.recallOrder()
	}
	if first && a.Total > sortedMost {
		p.column, p.order = -1, rows.Unsorted
	}
	p.setColumns()
	if complete {
		p.offerGroupings()
		p.filter.SetPlaceHolder(p.example())
	}
	p.regroup(names, 0)
	if complete && p.node != nil && p.went == nil {
		p.follow(p.node)
	}
}

// sortedMost is the number of assets up to which they are sorted by name without being asked for it.
const sortedMost = 100_000

// setColumns shows the columns of the archive that have something in them.
func (p *Panel) setColumns() {
	var columns []int
	for i := range p.archive.Columns() {
		if p.Columns == nil && p.archive.Has(i) {
			columns = append(columns, i)
		}
	}
	for _, name := range p.Columns {
		i := slices.IndexFunc(p.archive.Columns(), func(c model.Column) bool { return c.Name == name })
		columns = append(columns, i)
	}
	if slices.Equal(columns, p.columns) {
		return
	}
	p.columns = columns
	var shown []rows.Column
	for _, i := range columns {
		c := p.archive.Columns()[i]
		column := rows.Column{Title: strings.ToUpper(c.Name[:1]) + c.Name[1:], Sortable: true, Width: 48, Min: 48}
		if c.Numeric {
			column.Align = paint.Trailing
		}
		if i == archive.Name {
			column.Width, column.Min = 160, 120
			if p.Tall {
				column.Min += tallRow
			}
		}
		shown = append(shown, column)
	}
	p.rows.SetColumns(shown...)
	p.recallWidths()
}

// example is what belongs into the filter, with this file's own columns and values.
func (p *Panel) example() string {
	text := "Part of a name, *" + extension(p.archive)
	if p.archive.Len() > 0 {
		text += ", size > 1 MB"
		cell := p.archive.Table().Cell(0, archive.Type)
		text += fmt.Sprintf(", type = %v", cell)
	}
	return text
}

// extension is that of the first asset which has one.
func extension(a *archive.Archive) string {
	for i := range min(a.Len(), 100) {
		if base := a.Base(i); strings.LastIndexByte(base, '.') > 0 {
			return base[strings.LastIndexByte(base, '.'):]
		}
	}
	return ".png"
}
