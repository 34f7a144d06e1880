package tree

import (
	"strings"

	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/rows"
)

func (t *Tree) toggle(row int64) {
	if t.mirror.At(row).Open != nil {
		t.close(row)
	} else {
		t.open(row)
	}
}

func (t *Tree) open(row int64) {
	if _, n := t.mirror.Expand(t.mirror.At(row)); n > 0 {
		t.rows.Inserted(row+1, n)
	}
}

func (t *Tree) close(row int64) {
	n := t.mirror.Collapse(t.mirror.At(row))
	if n == 0 {
		return
	}
	clear(t.items) // a branch that is opened again is another one
	current := t.rows.Current()
	t.rows.Removed(row+1, n)
	if current > row && current <= row+n {
		t.goTo(row)
	}
}

// goTo makes a row current as the user would.
func (t *Tree) goTo(row int64) {
	t.rows.SetCurrent(row)
	t.rows.ScrollTo(row)
	t.current(row)
}

func (t *Tree) right(row int64) {
	if t.mirror.At(row).Open == nil {
		t.open(row)
	} else {
		t.goTo(row + 1)
	}
}

func (t *Tree) left(row int64) {
	p := t.mirror.At(row)
	if p.Open != nil {
		t.close(row)
	} else if up, ok := p.Up(); ok {
		t.goTo(t.mirror.Row(up))
	}
}

// openAll opens the whole subtree of a row, up to a bound.
func (t *Tree) openAll(row int64) {
	before := t.mirror.Len()
	all := t.mirror.openAll(t.mirror.At(row), openMax)
	if n := t.mirror.Len() - before; n > 0 {
		first, current := t.rows.First(), t.rows.Current()
		t.rows.Refresh()
		t.rows.SetFirst(first)
		t.rows.SetCurrent(current)
	}
	if !all {
		t.host.Tell("The first 50,000 rows are open; more than that are opened one by one.")
	}
}

// foldAll closes everything below a row, and the row.
func (t *Tree) foldAll(row int64) { t.close(row) }

// CollapseAll closes everything but the root.
func (t *Tree) CollapseAll() {
	if t.root == nil {
		return
	}
	t.rebuild([]model.Path{{}})
	t.rows.SetCurrent(0)
	t.rows.Refresh()
	t.current(0)
}

// ExpandCurrent opens the whole subtree of the current row.
func (t *Tree) ExpandCurrent() {
	if row := t.rows.Current(); row >= 0 {
		t.openAll(row)
	}
}

// press opens and closes where the triangle is clicked.
func (t *Tree) press(on rows.Pointer) rows.Claim {
	if on.Button != desktop.MouseButtonPrimary || on.Row < 0 || on.Row >= t.mirror.Len() {
		return rows.Pass
	}
	px := func(l float32) int { return int(l*on.Scale + .5) }
	p := t.mirror.At(on.Row)
	if !(*source)(t).disclosure(p, (*source)(t).item(p), on.X, px) {
		return rows.Pass
	}
	t.toggle(on.Row)
	return rows.Handled
}

// typeAheadRows is how many rows are looked at for one that begins with what is typed.
const typeAheadRows = 200_000

func (t *Tree) typeAhead(prefix string) {
	n := t.mirror.Len()
	if n == 0 {
		return
	}
	start := max(0, t.rows.Current())
	prefix = strings.ToLower(prefix)
	if len([]rune(prefix)) == 1 { // the same letter again goes on
		start = (start + 1) % n
	}
	for i := range min(n, typeAheadRows) {
		row := (start + i) % n
		c := t.mirror.node(t.mirror.At(row))
		if strings.HasPrefix(strings.ToLower(c.Name), prefix) || c.Key != "" && strings.HasPrefix(strings.ToLower(c.Key), prefix) {
			t.goTo(row)
			return
		}
	}
}
