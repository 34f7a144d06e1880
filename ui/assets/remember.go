package assets

import (
	"encoding/json"

	"fyne.io/fyne/v2"

	"assay/model/archive"
	"assay/ui/rows"
	"assay/ui/thumbnail"
)

// remembered is how the lists of a kind of tab were shown last.
type remembered struct {
	Mode   mode
	Side   float32            // of thumbnails, in device-independent pixels
	Column string             // that is sorted by; empty: none
	Order  rows.Order         // of it
	Widths map[string]float32 // of the columns, by their names, if the user chose them
}

// The sizes of thumbnails.
const (
	sideLeast = 48
	sideMost  = 256
)

// key names the kind of tab in the preferences.
func (p *Panel) key() string {
	if p.Columns != nil {
		return "lists.pairs of " + p.Word + "s"
	}
	return "lists." + p.Word + "s"
}

// recall takes over how such lists were shown last.
func (p *Panel) recall() {
	p.last = remembered{Side: thumbnail.Side, Column: archive.ColumnName(archive.Name), Order: rows.Ascending}
	_ = json.Unmarshal([]byte(fyne.CurrentApp().Preferences().String(p.key())), &p.last)
	p.last.Side = max(sideLeast, min(p.last.Side, sideMost))
	p.last.Mode = max(details, min(p.last.Mode, pictures))
}

// remember keeps how the list is shown now.
func (p *Panel) remember() {
	b, err := json.Marshal(p.last)
	if kept := fyne.CurrentApp().Preferences(); err == nil && kept.String(p.key()) != string(b) {
		kept.SetString(p.key(), string(b))
	}
}

// rememberOrder keeps by what the list is sorted.
func (p *Panel) rememberOrder() {
	if p.last.Column, p.last.Order = "", p.order; p.column >= 0 {
		p.last.Column = p.archive.Columns()[p.column].Name
	}
	p.remember()
}

// recallOrder sorts by what such lists were sorted by last, if there is such a column.
func (p *Panel) recallOrder() {
	p.column, p.order = -1, rows.Unsorted
	for i, c := range p.archive.Columns() {
		if c.Name == p.last.Column && p.archive.Has(i) {
			p.column, p.order = i, p.last.Order
		}
	}
}

// rememberWidths keeps the widths of the columns, which the user has changed.
func (p *Panel) rememberWidths() {
	if p.last.Widths == nil {
		p.last.Widths = map[string]float32{}
	}
	for i, width := range p.rows.Widths() {
		p.last.Widths[p.archive.Columns()[p.columns[i]].Name] = width
	}
	p.remember()
}

// recallWidths gives the columns the widths that they had, if all of them are known.
func (p *Panel) recallWidths() {
	var widths []float32
	for _, i := range p.columns {
		width, ok := p.last.Widths[p.archive.Columns()[i].Name]
		if !ok {
			return
		}
		widths = append(widths, width)
	}
	p.rows.SetWidths(widths)
}

// drawn is the scale at which thumbnails are drawn: in few sizes, so that they are not drawn anew for each step of the
// slider.
func (p *Panel) drawn(scale float32) float32 {
	side := float32(thumbnail.Side)
	for side < p.last.Side {
		side *= 2
	}
	return scale * side / thumbnail.Side
}

// setSide makes the thumbnails as large as that.
func (p *Panel) setSide(side float32) {
	if side = max(sideLeast, min(side, sideMost)); side == p.last.Side {
		return
	}
	p.last.Side = side
	p.sides.SetValue(float64(side))
	p.tiles.SetSide(side)
	p.remember()
}
