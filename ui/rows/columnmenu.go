package rows

import "fyne.io/fyne/v2"

// openColumnMenu opens the menu of the header: the order of the rows, and the columns. The first column cannot be
// hidden.
func (r *Rows) openColumnMenu(pos fyne.Position) {
	items := r.sortItems()
	for i, c := range r.columns {
		if c.Title == "" {
			continue
		}
		item := fyne.NewMenuItem(c.Title, func() {
			r.columns[i].hiddenByUser = !r.columns[i].hiddenByUser
			r.columnsChanged()
		})
		item.Checked, item.Disabled = !c.hiddenByUser, i == 0
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
				r.columns[i].hiddenByUser, r.columns[i].userWidth = r.columns[i].Extra, 0
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
