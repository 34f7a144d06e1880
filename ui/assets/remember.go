package assets

import (
	"fmt"
	"strings"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
	"assay/ui/rows"
	"assay/ui/thumbnail"
)

// listSettings holds the settings of the lists in one type of tab.
type listSettings struct {
	Mode   mode
	Side   float32            // size of thumbnails, in device-independent pixels
	Column string             // the sort column; empty: unsorted
	Order  rows.Order         // order of the sort column
	Widths map[string]float32 // widths of the columns that the user chose, by name
}

// The minimum and maximum size of thumbnails, in device-independent pixels.
const (
	minSide = 48
	maxSide = 256
)

// storedSettings returns the settings of the kind of tab.
func (p *Panel) storedSettings() host.Setting[listSettings] {
	if p.Columns != nil {
		return host.Setting[listSettings]("lists.pairs of " + p.Word + "s")
	}
	return host.Setting[listSettings]("lists." + p.Word + "s")
}

// loadSettings loads the settings of lists in one type of tab.
func (p *Panel) loadSettings() {
	p.settings = listSettings{Side: thumbnail.Side, Column: archive.ColumnName(archive.Name), Order: rows.Ascending}
	p.storedSettings().Load(&p.settings)
	p.settings.Side = max(minSide, min(p.settings.Side, maxSide))
	p.settings.Mode = max(detailsMode, min(p.settings.Mode, tileMode))
}

// saveSettings saves the settings of the list.
func (p *Panel) saveSettings() { p.storedSettings().Save(p.settings) }

// saveOrder saves the sort order.
func (p *Panel) saveOrder() {
	if p.settings.Column, p.settings.Order = "", p.order; p.column >= 0 {
		p.settings.Column = p.archive.Columns()[p.column].Name
	}
	p.saveSettings()
}

// loadOrder restores the sort order, if the list has its column.
func (p *Panel) loadOrder() {
	p.column, p.order = -1, rows.Unsorted
	for i, c := range p.archive.Columns() {
		if c.Name == p.settings.Column && p.archive.Has(i) {
			p.column, p.order = i, p.settings.Order
		}
	}
}

// saveWidths stores the widths of the columns that the user changed.
func (p *Panel) saveWidths() {
	if p.settings.Widths == nil {
		p.settings.Widths = map[string]float32{}
	}
	for i, width := range p.rows.Widths() {
		p.settings.Widths[p.archive.Columns()[p.columns[i]].Name] = width
	}
	p.saveSettings()
}

// loadWidths restores the widths of the columns, if all are stored.
func (p *Panel) loadWidths() {
	var widths []float32
	for _, i := range p.columns {
		width, ok := p.settings.Widths[p.archive.Columns()[i].Name]
		if !ok {
			return
		}
		widths = append(widths, width)
	}
	p.rows.SetWidths(widths)
}

// drawnScale returns the scale of drawn thumbnails. It doubles in steps, so that they are not drawn again for each step
// of the slider.
func (p *Panel) drawnScale(scale float32) float32 {
	side := float32(thumbnail.Side)
	for side < p.settings.Side {
		side *= 2
	}
	return scale * side / thumbnail.Side
}

// setSide sets the side of the thumbnails.
func (p *Panel) setSide(side float32) {
	if side = max(minSide, min(side, maxSide)); side == p.settings.Side {
		return
	}
	p.settings.Side = side
	p.sizeSlider.SetValue(float64(side))
	p.tiles.SetSide(side)
	p.saveSettings()
}

func titleOf(c model.Column) string { return strings.ToUpper(c.Name[:1]) + c.Name[1:] }

// example returns the placeholder of the filter, with columns and values of this document.
func (p *Panel) example() string {
	text := "Part of a name, *" + extension(p.archive)
	if p.archive.Len() > 0 {
		text += ", size > 1 MB"
		cell := p.archive.Table().Cell(0, archive.Type)
		text += fmt.Sprintf(", type = %v", cell)
	}
	return text
}

// extension returns the first extension of an asset.
func extension(a *archive.Archive) string {
	for i := range min(a.Len(), 100) {
		if base := a.Base(i); strings.LastIndexByte(base, '.') > 0 {
			return base[strings.LastIndexByte(base, '.'):]
		}
	}
	return ".png"
}
