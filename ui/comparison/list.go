package comparison

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// layout is how the tree of pairs is laid out.
type layout uint8

const (
	merged   layout = iota // one tree, old and new values beside each other
	twoTrees               // the old tree and the new one side by side
)

// opensMost is how many rows are opened at once.
const opensMost = 3000

// list is the tree of pairs.
type list struct {
	host    host.Host
	group   *work.Group
	opening *work.Lane

	c      *compare.Comparison
	filter filter
	layout layout
	tree   *outline.View[*children]

	described struct { // the pair that was described last: whether it opens is asked next
		at   place
		pair *compare.Pair
	}
	unread  []place // pairs in view of which the changes are not read yet
	reading bool

	onSelect   func(p *compare.Pair)
	onMenu     func(p *compare.Pair, at fyne.Position)
	onActivate func(p *compare.Pair)
}

func newList(h host.Host, style *paint.Style, group *work.Group) *list {
	l := &list{host: h, group: group, opening: group.Lane(), filter: filter{states: differences}}
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 60), Share: l.share}
	l.tree = outline.NewView(h, style, l, new(children), options)
	l.tree.Most = opensMost
	l.tree.OnCurrent = func(at place) { l.onSelect(l.pair(at)) }
	l.tree.OnActivate = func(at place) bool {
		p := l.pair(at)
		if p.Leaf() {
			l.onActivate(p)
		}
		return p.Leaf()
	}
	l.tree.OnMenu = func(at place, where fyne.Position) { l.onMenu(l.pair(at), where) }
	l.tree.OnFrame = l.readChanges
	l.tree.Rows.OnResize = l.resized
	l.setLayout(merged)
	return l
}

// The columns of both layouts; a sign comes first.
const (
	signColumn = iota
	nameColumn
	typeColumn
	oldColumn
	newColumn
	changeColumn

	sideColumns = 3 // that each of two trees has
)

// signWide is the width of a column of signs.
const signWide = 24

// setLayout shows one tree or two.
func (l *list) setLayout(to layout) {
	l.layout = to
	if to == merged {
		l.tree.SetColumns([]int{nameColumn}, []rows.Column{{Min: signWide}, {Title: "Name", Min: 80}, {Title: "Type"},
			{Title: "Old"}, {Title: "New"}, {Title: "Change"}}...)
	} else {
		l.tree.SetColumns([]int{nameColumn, nameColumn + sideColumns}, []rows.Column{{Min: signWide},
			{Title: l.sideTitle(0), Min: 80}, {Title: "Type"}, {Title: "Value"},
			{Title: l.sideTitle(1), Min: 80}, {Title: "Type"}, {Title: "Value"}}...)
	}
	l.tree.Rows.Refresh()
}

// states are those of the pairs that are shown.
func (l *list) states() states { return l.filter.states }

// setStates has the next search or comparison show the pairs in some states only.
func (l *list) setStates(s states) { l.filter.states = s }

func (l *list) sideTitle(side int) string {
	title := []string{"Old", "New"}[side]
	if l.c == nil {
		return title
	}
	return title + ": " + [2]*model.Document{l.c.Old, l.c.New}[side].Source.Name()
}

// share divides the width among the columns.
func (l *list) share(w float32) []float32 {
	w -= signWide
	wants := make([]float32, len(l.tree.Rows.Columns()))
	for column := range wants {
		wants[column] = l.tree.Widest(column)
	}
	if l.layout == merged {
		values := max(wants[oldColumn], wants[newColumn])
		wants[oldColumn], wants[newColumn] = values, values
		return append([]float32{signWide},
			rows.Divide(w, wants[nameColumn:], []float32{0.31, 0.11, 0.215, 0.215, 0.15})...)
	}
	for column := nameColumn; column < nameColumn+sideColumns; column++ {
		wants[column] = max(wants[column], wants[column+sideColumns])
	}
	half := rows.Divide(w/2, wants[nameColumn:nameColumn+sideColumns], []float32{0.5, 0.17, 0.33})
	return slices.Concat([]float32{signWide}, half, half)
}

// resized returns the columns of both trees one width.
func (l *list) resized(column int, width float32) {
	if l.layout == merged || column == signColumn {
		return
	}
	widths := l.tree.Rows.Widths()
	widths[(column-nameColumn+sideColumns)%(2*sideColumns)+nameColumn] = width
	l.tree.Rows.SetWidths(widths)
}

// set shows a comparison with what differs opened.
func (l *list) set(c *compare.Comparison) {
	l.opening.Stop()
	l.host.Busy("", 0, nil)
	l.c, l.filter.kept, l.described.pair = c, nil, nil
	l.tree.Reset(l.above())
	l.openChanges()
	if l.tree.Len() == 1 && l.Ready(l.tree.Root()) {
		l.tree.Expand(l.tree.Root())
	}
	if l.layout == twoTrees {
		for side := range 2 {
			l.tree.Rows.SetTitle(nameColumn+side*sideColumns, l.sideTitle(side))
		}
	}
	l.tree.Rows.Refresh()
}

// setFilter shows other states or what a search left, and keeps what is open and current as far as it is shown.
func (l *list) setFilter(v filter) {
	if l.c == nil {
		return
	}
	current, open := l.tree.CurrentPath(), l.tree.Opened()
	if v.kept != nil || l.filter.kept != nil {
		open = nil
	}
	l.filter = v
	l.tree.Rebuild(l.above(), open)
	if open == nil {
		l.openChanges()
	}
	l.tree.Rows.Refresh()
	if current == nil {
		return
	}
	if at, ok := l.tree.Find(current); ok {
		l.reveal(l.tree.Row(at))
	}
}

// reveal goes to a row without an event.
func (l *list) reveal(row int64) {
	l.tree.Rows.Refresh()
	l.tree.Rows.SetCurrent(row)
	l.tree.Rows.ScrollTo(row)
}

// current is the pair that the keyboard acts on, or nil.
func (l *list) current() *compare.Pair {
	if at, ok := l.tree.Current(); ok {
		return l.pair(at)
	}
	return nil
}

// selected lists the selected pairs, at most limit of them.
func (l *list) selected(limit int) []*compare.Pair {
	var pairs []*compare.Pair
	for _, at := range l.tree.Selected() {
		if len(pairs) == limit {
			break
		}
		pairs = append(pairs, l.pair(at))
	}
	return pairs
}

// readMost is the size of values in which the first difference is looked for unasked.
const readMost = 64 << 20

// readChanges reads what changed in the long values that are in view, off the UI thread.
func (l *list) readChanges() {
	if len(l.unread) == 0 || l.reading {
		return
	}
	places := l.unread
	l.unread, l.reading = nil, true
	var long []*compare.Pair
	for _, at := range places {
		long = append(long, l.pair(at))
	}
	was := l.tree.Outline
	l.group.Go(func(ctx context.Context) func() {
		texts := make([]string, len(long))
		for i, p := range long {
			if ctx.Err() != nil {
				return nil
			}
			texts[i] = changeOfLong(ctx, p)
		}
		return func() {
			l.reading = false
			for i, at := range places {
				if row := l.tree.Described(at); row != nil && l.tree.Outline == was && l.layout == merged {
					row.Cells[changeColumn].Text = texts[i]
				}
			}
			l.tree.Rows.Refresh()
		}
	})
}
