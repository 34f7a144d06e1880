package rows

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
)

// columnSettings holds the user's settings for the columns of a list, by title.
type columnSettings struct {
	Widths map[string]float32 `json:"widths,omitempty"`
	Hidden map[string]bool    `json:"hidden,omitempty"`
}

// StoreColumns stores the columns that the user hides, and with Options.Flex the widths that the user sets, in the
// preferences under a key, and restores them. An empty key stores nothing.
func (r *Rows) StoreColumns(key string) {
	if r.columnsKey == key {
		return
	}
	r.columnsKey = key
	r.restoreColumns()
	r.layout()
	r.repaint()
}

// restoreColumns applies the stored settings to the columns.
func (r *Rows) restoreColumns() {
	if r.columnsKey != "" {
		var last columnSettings
		host.Setting[columnSettings](r.columnsKey).Load(&last)
		for i := range r.columns {
			c := &r.columns[i]
			c.userWidth, c.switchedOff = last.Widths[c.Title], c.Extra
			if hidden, ok := last.Hidden[c.Title]; ok && i > 0 {
				c.switchedOff = hidden
			}
		}
	}
	r.showColumns()
}

// saveColumns stores the user's settings.
func (r *Rows) saveColumns() {
	if r.columnsKey == "" {
		return
	}
	current := columnSettings{Widths: map[string]float32{}, Hidden: map[string]bool{}}
	for _, c := range r.columns {
		if c.userWidth > 0 {
			current.Widths[c.Title] = c.userWidth
		}
		if c.switchedOff != c.Extra {
			current.Hidden[c.Title] = c.switchedOff
		}
	}
	host.Setting[columnSettings](r.columnsKey).Save(current)
}

// showColumns hides the columns that are switched off, and displays the others.
func (r *Rows) showColumns() {
	for i := range r.columns {
		c := &r.columns[i]
		switch {
		case c.switchedOff && !c.hidden:
			c.widthBefore, c.hidden, c.Width = c.Width, true, 0
		case !c.switchedOff && c.hidden && c.widthBefore > 0:
			c.hidden, c.Width, c.widthBefore = false, c.widthBefore, 0
		}
	}
}

// openColumnMenu opens the menu of the header: the order of the rows, and the columns. The first column cannot be
// hidden.
func (r *Rows) openColumnMenu(pos fyne.Position) {
	items := r.sortItems()
	for i, c := range r.columns {
		if c.Title == "" {
			continue
		}
		item := fyne.NewMenuItem(c.Title, func() {
			r.columns[i].switchedOff = !r.columns[i].switchedOff
			r.columnsChanged()
		})
		item.Checked, item.Disabled = !c.switchedOff, i == 0
		items = append(items, item)
	}
	if len(items) == 0 {
		return
	}
	items = append(items, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Fit All Columns", func() {
			for i, c := range r.columns {
				if !c.hidden {
					r.resizeColumn(i, min(r.WidthInView(i), maxFitWidth))
				}
			}
		}),
		fyne.NewMenuItem("Reset Columns", func() {
			r.widthsChosen = false
			for i := range r.columns {
				r.columns[i].switchedOff, r.columns[i].userWidth = r.columns[i].Extra, 0
			}
			r.columnsChanged()
		}))
	r.host.Menu(fyne.NewMenu("", items...), pos)
}

// sortItems returns the menu item with the columns by which the rows can be sorted, or nothing.
func (r *Rows) sortItems() []*fyne.MenuItem {
	var columns []*fyne.MenuItem
	for i, c := range r.columns {
		if c.Title == "" || !c.Sortable || r.OnSort == nil {
			continue
		}
		item := fyne.NewMenuItem(c.Title, func() { r.clickTitle(i) })
		item.Checked = r.sortColumn == i && r.order != Unsorted
		if item.Checked && r.order == Descending {
			item.Label += " (descending)"
		}
		columns = append(columns, item)
	}
	if len(columns) == 0 {
		return nil
	}
	sort := fyne.NewMenuItem("Sort By", nil)
	sort.ChildMenu = fyne.NewMenu("", columns...)
	return []*fyne.MenuItem{sort, fyne.NewMenuItemSeparator()}
}

// columnsChanged applies and stores a change of the columns.
func (r *Rows) columnsChanged() {
	r.showColumns()
	r.saveColumns()
	r.layout()
	r.repaint()
}
