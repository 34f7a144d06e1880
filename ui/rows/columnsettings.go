package rows

import "assay/ui/host"

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
			c.userWidth, c.hiddenByUser = last.Widths[c.Title], c.Extra
			if hidden, ok := last.Hidden[c.Title]; ok && i > 0 {
				c.hiddenByUser = hidden
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
		if c.hiddenByUser != c.Extra {
			current.Hidden[c.Title] = c.hiddenByUser
		}
	}
	host.Setting[columnSettings](r.columnsKey).Save(current)
}

// showColumns hides the columns that the user has hidden, and displays the others.
func (r *Rows) showColumns() {
	for i := range r.columns {
		c := &r.columns[i]
		switch {
		case c.hiddenByUser && !c.hidden:
			c.widthBefore, c.hidden, c.Width = c.Width, true, 0
		case !c.hiddenByUser && c.hidden && c.widthBefore > 0:
			c.hidden, c.Width, c.widthBefore = false, c.widthBefore, 0
		}
	}
}
