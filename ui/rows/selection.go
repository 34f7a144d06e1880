package rows

import "slices"

// selectAll selects all rows. It returns false if only one row can be selected.
func (r *Rows) selectAll() bool {
	if !r.options.Multi {
		return false
	}
	r.selection = rowsFrom(r.AllFrom, r.Len())
	r.selectionChanged()
	r.repaint()
	return true
}

// toggle adds the current row to the selection, or removes it.
func (r *Rows) toggle() bool {
	if !r.options.Multi || r.current < 0 {
		return false
	}
	r.selection.Toggle(r.current)
	r.selectionChanged()
	r.repaint()
	return true
}

// step makes the row delta rows below the current one current.
func (r *Rows) step(delta int64) {
	if r.current < 0 {
		r.goTo(r.first)
		return
	}
	r.goTo(r.current + delta)
}

// page moves the view and the current row by a page minus one row, so that the user keeps orientation.
func (r *Rows) page(direction int64) {
	step := direction * max(1, r.Page()-1)
	if r.current >= 0 {
		r.SetFirst(r.first + step)
	}
	r.step(step)
}

// goTo makes a row current and scrolls to it. If the shift key is down, it extends the selection.
func (r *Rows) goTo(row int64) {
	n := r.Len()
	if n == 0 {
		return
	}
	row = max(0, min(row, n-1))
	if r.options.Multi && r.isShiftDown() && r.anchor >= 0 {
		r.extend(row, false)
	} else {
		r.selectOnly(row)
	}
	r.ScrollTo(row)
}

// selectOnly makes a row current and the only selected one; -1 clears both.
func (r *Rows) selectOnly(row int64) {
	previous := r.selection
	r.selection = SingleRow(row)
	r.anchor = row
	r.makeCurrent(row)
	if !slices.Equal(previous.list, r.selection.list) {
		r.selectionChanged()
	}
	r.repaint()
}

// extend selects the rows from the anchor to row: in addition to the selection if add is true, else instead of it.
func (r *Rows) extend(row int64, add bool) {
	if !add {
		r.selection = Intervals{}
	}
	r.selection.Add(min(r.anchor, row), max(r.anchor, row)+1)
	r.makeCurrent(row)
	r.selectionChanged()
}

func (r *Rows) makeCurrent(row int64) {
	if row == r.current {
		return
	}
	r.current = row
	r.repaint()
	if r.OnCurrent != nil {
		r.OnCurrent(row)
	}
}

func (r *Rows) selectionChanged() {
	if r.OnSelection != nil {
		r.OnSelection()
	}
}
