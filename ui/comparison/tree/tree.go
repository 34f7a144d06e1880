// Package tree shows the pairs of a comparison as a tree, searches them, and steps from change to change.
//
// It also shows the old and the new values of the selected pair, and what changed below it.
package tree

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Layout is how the tree of pairs is laid out.
type Layout uint8

const (
	Merged   Layout = iota // one tree, old and new values beside each other
	TwoTrees               // the old tree and the new one side by side
)

// opensMost is how many rows are opened at once.
const opensMost = 3000

// Tree is the tree of pairs.
type Tree struct {
	host    host.Host
	group   *work.Group
	opening *work.Lane

	Comparison *compare.Comparison
	filter     filter
	Layout     Layout
	View       *outline.View[*children]

	described struct { // the pair that was described last: whether it opens is asked next
		at   place
		pair *compare.Pair
	}
	noted   func(side int, n *model.Node) (flag rows.Mark, tip string)
	unread  []place // pairs in view of which the changes are not read yet
	reading bool

	OnSelect   func(p *compare.Pair)
	OnMenu     func(p *compare.Pair, at fyne.Position)
	OnActivate func(p *compare.Pair)
}

// New makes an empty tree that shows what differs.
func New(h host.Host, style *paint.Style, group *work.Group) *Tree {
	l := &Tree{host: h, group: group, opening: group.Lane(), filter: filter{states: compared.Differing}}
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 60), Share: l.share}
	l.View = outline.NewView(h, style, l, new(children), options)
	l.View.Most = opensMost
	l.View.OnCurrent = func(at place) { l.OnSelect(l.Pair(at)) }
	l.View.OnActivate = func(at place) bool {
		p := l.Pair(at)
		if p.Leaf() {
			l.OnActivate(p)
		}
		return p.Leaf()
	}
	l.View.OnMenu = func(at place, where fyne.Position) { l.OnMenu(l.Pair(at), where) }
	l.View.OnFrame = l.readChanges
	l.View.Rows.OnResize = l.resized
	l.SetLayout(Merged)
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

// SetLayout shows one tree or two.
func (l *Tree) SetLayout(to Layout) {
	l.Layout = to
	if to == Merged {
		l.View.SetColumns([]int{nameColumn}, []rows.Column{{Min: compared.SignWide}, {Title: "Name", Min: 80}, {Title: "Type"},
			{Title: "Old"}, {Title: "New"}, {Title: "Change"}}...)
	} else {
		l.View.SetColumns([]int{nameColumn, nameColumn + sideColumns}, []rows.Column{{Min: compared.SignWide},
			{Title: l.sideTitle(0), Min: 80}, {Title: "Type"}, {Title: "Value"},
			{Title: l.sideTitle(1), Min: 80}, {Title: "Type"}, {Title: "Value"}}...)
	}
	l.View.Rows.Refresh()
}

// SetNoted marks the nodes that have notes: noted returns a flag and the sentences of the notes, on a node of the old
// side (0) or of the new one (1); no flag for a node without notes.
func (l *Tree) SetNoted(noted func(side int, n *model.Node) (flag rows.Mark, tip string)) {
	l.noted = noted
	l.View.Forget()
	l.View.Rows.Refresh()
}

// States are those of the pairs that are shown.
func (l *Tree) States() compared.States { return l.filter.states }

// SetStates has the next search or comparison show the pairs in some states only.
func (l *Tree) SetStates(s compared.States) { l.filter.states = s }

func (l *Tree) sideTitle(side int) string {
	title := []string{"Old", "New"}[side]
	if l.Comparison == nil {
		return title
	}
	return title + ": " + [2]*model.Document{l.Comparison.Old, l.Comparison.New}[side].Source.Name()
}

// share divides the width among the columns.
func (l *Tree) share(w float32) []float32 {
	w -= compared.SignWide
	wants := make([]float32, len(l.View.Rows.Columns()))
	for column := range wants {
		wants[column] = l.View.Widest(column)
	}
	if l.Layout == Merged {
		values := max(wants[oldColumn], wants[newColumn])
		wants[oldColumn], wants[newColumn] = values, values
		return append([]float32{compared.SignWide},
			rows.Divide(w, wants[nameColumn:], []float32{0.31, 0.11, 0.215, 0.215, 0.15})...)
	}
	for column := nameColumn; column < nameColumn+sideColumns; column++ {
		wants[column] = max(wants[column], wants[column+sideColumns])
	}
	half := rows.Divide(w/2, wants[nameColumn:nameColumn+sideColumns], []float32{0.5, 0.17, 0.33})
	return slices.Concat([]float32{compared.SignWide}, half, half)
}

// resized returns the columns of both trees one width.
func (l *Tree) resized(column int, width float32) {
	if l.Layout == Merged || column == signColumn {
		return
	}
	widths := l.View.Rows.Widths()
	widths[(column-nameColumn+sideColumns)%(2*sideColumns)+nameColumn] = width
	l.View.Rows.SetWidths(widths)
}

// Set shows a comparison with what differs opened.
func (l *Tree) Set(c *compare.Comparison) {
	l.opening.Stop()
	l.host.Busy("", 0, nil)
	l.Comparison, l.filter.kept, l.described.pair = c, nil, nil
	l.View.Reset(l.above())
	l.openChanges()
	if l.View.Len() == 1 && l.Ready(l.View.Root()) {
		l.View.Expand(l.View.Root())
	}
	if l.Layout == TwoTrees {
		for side := range 2 {
			l.View.Rows.SetTitle(nameColumn+side*sideColumns, l.sideTitle(side))
		}
	}
	l.View.Rows.Refresh()
}

// setFilter shows other states or what a search left, and keeps what is open and current as far as it is shown.
func (l *Tree) setFilter(v filter) {
	if l.Comparison == nil {
		return
	}
	current, open := l.View.CurrentPath(), l.View.Opened()
	if v.kept != nil || l.filter.kept != nil {
		open = nil
	}
	l.filter = v
	l.View.Rebuild(l.above(), open)
	if open == nil {
		l.openChanges()
	}
	l.View.Rows.Refresh()
	if current == nil {
		return
	}
	if at, ok := l.View.Find(current); ok {
		l.reveal(l.View.Row(at))
	}
}

// reveal goes to a row without an event.
func (l *Tree) reveal(row int64) {
	l.View.Rows.Refresh()
	l.View.Rows.SetCurrent(row)
	l.View.Rows.ScrollTo(row)
}

// Current is the pair that the keyboard acts on, or nil.
func (l *Tree) Current() *compare.Pair {
	if at, ok := l.View.Current(); ok {
		return l.Pair(at)
	}
	return nil
}

// Selected lists the selected pairs, at most limit of them.
func (l *Tree) Selected(limit int) []*compare.Pair {
	var pairs []*compare.Pair
	for _, at := range l.View.Selected() {
		if len(pairs) == limit {
			break
		}
		pairs = append(pairs, l.Pair(at))
	}
	return pairs
}

// readMost is the size of values in which the first difference is looked for unasked.
const readMost = 64 << 20

// readChanges reads what changed in the long values that are in view, off the UI thread.
func (l *Tree) readChanges() {
	if len(l.unread) == 0 || l.reading {
		return
	}
	places := l.unread
	l.unread, l.reading = nil, true
	var long []*compare.Pair
	for _, at := range places {
		long = append(long, l.Pair(at))
	}
	was := l.View.Outline
	l.group.Go(func(ctx context.Context) func() {
		texts := make([]string, len(long))
		for i, p := range long {
			if ctx.Err() != nil {
				return nil
			}
			texts[i] = compared.LongChange(ctx, p)
		}
		return func() {
			l.reading = false
			for i, at := range places {
				if row := l.View.Described(at); row != nil && l.View.Outline == was && l.Layout == Merged {
					row.Cells[changeColumn].Text = texts[i]
				}
			}
			l.View.Rows.Refresh()
		}
	})
}
