// Package tree shows the pairs of a comparison as a tree, searches them, and steps from change to change.
//
// It also shows the old and the new values of the selected pair, and the changes below it.
package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

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

// Layout is the arrangement of the pairs in one tree or two.
type Layout uint8

const (
	Merged   Layout = iota // one tree, old and new values side by side
	TwoTrees               // the old tree and the new one side by side
)

// maxOpened is the maximum number of rows that are opened at once.
const maxOpened = 3000

// Tree is the tree of pairs.
type Tree struct {
	host     host.Host
	group    *work.Group
	openLane *work.Lane

	Comparison *compare.Comparison
	filter     filter
	Layout     Layout
	View       *outline.View[*children]

	described struct { // cache of the pair that Describe described last, for HasChildren
		position rowPos
		pair     *compare.Pair
	}
	notesOf   func(side int, n *model.Node) (flag rows.Mark, tip string)
	unread    []rowPos // visible pairs with unread changes
	isReading bool

	OnSelect   func(p *compare.Pair)
	OnMenu     func(p *compare.Pair, pos fyne.Position)
	OnActivate func(p *compare.Pair)
}

// New returns an empty tree that shows differences.
func New(h host.Host, style *paint.Style, group *work.Group) *Tree {
	l := &Tree{host: h, group: group, openLane: group.Lane(), filter: filter{statuses: compared.Differing}}
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 60), ColumnWidths: l.columnWidths}
	l.View = outline.NewView(h, style, l, new(children), options)
	l.View.MaxRows = maxOpened
	l.View.OnCurrent = func(position rowPos) { l.OnSelect(l.Pair(position)) }
	l.View.OnActivate = func(position rowPos) bool {
		p := l.Pair(position)
		if p.Leaf() {
			l.OnActivate(p)
		}
		return p.Leaf()
	}
	l.View.OnMenu = func(position rowPos, pos fyne.Position) { l.OnMenu(l.Pair(position), pos) }
	l.View.OnFrame = l.readChanges
	l.View.Rows.OnResize = l.equalizeWidths
	l.SetLayout(Merged)
	return l
}

// The columns of both layouts. Each begins with a sign.
const (
	signColumn = iota
	nameColumn
	typeColumn
	oldColumn
	newColumn
	changeColumn

	sideColumns = 3 // number of columns of each of two trees
)

// SetLayout shows one tree or two.
func (l *Tree) SetLayout(layout Layout) {
	l.Layout = layout
	if layout == Merged {
		l.View.SetColumns([]int{nameColumn}, []rows.Column{{Min: compared.SignWidth}, {Title: "Name", Min: 80}, {Title: "Type"},
			{Title: "Old"}, {Title: "New"}, {Title: "Change"}}...)
	} else {
		l.View.SetColumns([]int{nameColumn, nameColumn + sideColumns}, []rows.Column{{Min: compared.SignWidth},
			{Title: l.sideTitle(0), Min: 80}, {Title: "Type"}, {Title: "Value"},
			{Title: l.sideTitle(1), Min: 80}, {Title: "Type"}, {Title: "Value"}}...)
	}
	l.View.Rows.Refresh()
}

// SetNoted marks the nodes that have notes: noted returns a flag and the sentences of the notes, on a node of the old
// side (0) or of the new one (1); no flag for a node without notes.
func (l *Tree) SetNoted(noted func(side int, n *model.Node) (flag rows.Mark, tip string)) {
	l.notesOf = noted
	l.View.Forget()
	l.View.Rows.Refresh()
}

// SetItems displays the changes of items from now on.
func (l *Tree) SetItems(m *compared.Items) {
	l.filter.items = m
	l.View.Forget()
	if m.HasMoved() {
		l.setFilter(l.filter)
	}
	l.View.Rows.Refresh()
}

// Items returns the changes of items; nil until they are collected.
func (l *Tree) Items() *compared.Items { return l.filter.items }

// Shows reports whether a pair has one of the visible statuses.
func (l *Tree) Shows(p *compare.Pair) bool {
	return l.filter.statuses.Has(l.Items().Status(p)) || l.filter.statuses.Any(l.Items().Counts(p))
}

// Statuses returns the visible statuses.
func (l *Tree) Statuses() compared.Statuses { return l.filter.statuses }

// SetStatuses sets the visible statuses. It takes effect with the next search or comparison.
func (l *Tree) SetStatuses(s compared.Statuses) { l.filter.statuses = s }

func (l *Tree) sideTitle(side int) string {
	title := []string{"Old", "New"}[side]
	if l.Comparison == nil {
		return title
	}
	return title + ": " + [2]*model.Document{l.Comparison.Old, l.Comparison.New}[side].Source.Name()
}

// columnWidths divides the width among the columns.
func (l *Tree) columnWidths(w float32) []float32 {
	w -= compared.SignWidth
	widths := make([]float32, len(l.View.Rows.Columns()))
	for column := range widths {
		widths[column] = l.View.Widest(column)
	}
	if l.Layout == Merged {
		values := max(widths[oldColumn], widths[newColumn])
		widths[oldColumn], widths[newColumn] = values, values
		return append([]float32{compared.SignWidth},
			rows.DivideWidth(w, widths[nameColumn:], []float32{0.31, 0.11, 0.215, 0.215, 0.15})...)
	}
	for column := nameColumn; column < nameColumn+sideColumns; column++ {
		widths[column] = max(widths[column], widths[column+sideColumns])
	}
	half := rows.DivideWidth(w/2, widths[nameColumn:nameColumn+sideColumns], []float32{0.5, 0.17, 0.33})
	return slices.Concat([]float32{compared.SignWidth}, half, half)
}

// equalizeWidths sets a column of both trees to one width.
func (l *Tree) equalizeWidths(column int, width float32) {
	if l.Layout == Merged || column == signColumn {
		return
	}
	widths := l.View.Rows.Widths()
	widths[(column-nameColumn+sideColumns)%(2*sideColumns)+nameColumn] = width
	l.View.Rows.SetWidths(widths)
}

// Set displays a comparison with the differences expanded.
func (l *Tree) Set(c *compare.Comparison) {
	l.openLane.Stop()
	l.host.Busy("", 0, nil)
	l.Comparison, l.filter.result, l.filter.items, l.described.pair = c, nil, nil, nil
	l.View.Reset(l.rootLevel())
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

// setFilter sets the visible pairs. Expanded pairs stay expanded, and the current pair stays current if it is visible.
func (l *Tree) setFilter(v filter) {
	if l.Comparison == nil {
		return
	}
	current, open := l.View.CurrentPath(), l.View.Expanded()
	if v.result != nil || l.filter.result != nil {
		open = nil
	}
	l.filter = v
	l.View.Rebuild(l.rootLevel(), open)
	if open == nil {
		l.openChanges()
	}
	l.View.Rows.Refresh()
	if current == nil {
		return
	}
	if position, ok := l.View.Find(current); ok {
		l.View.Rows.Refresh()
		l.View.Rows.GoTo(l.View.RowOf(position))
	}
}

// Current returns the current pair, or nil.
func (l *Tree) Current() *compare.Pair {
	if position, ok := l.View.Current(); ok {
		return l.Pair(position)
	}
	return nil
}

// Selected returns the selected pairs, at most limit of them.
func (l *Tree) Selected(limit int) []*compare.Pair {
	var pairs []*compare.Pair
	for _, position := range l.View.Selected() {
		if len(pairs) == limit {
			break
		}
		pairs = append(pairs, l.Pair(position))
	}
	return pairs
}

// readChanges reads the changes of the visible long values, off the UI thread.
func (l *Tree) readChanges() {
	if len(l.unread) == 0 || l.isReading {
		return
	}
	positions := l.unread
	l.unread, l.isReading = nil, true
	var pairs []*compare.Pair
	for _, position := range positions {
		pairs = append(pairs, l.Pair(position))
	}
	old := l.View.Outline
	l.group.Go(func(ctx context.Context) func() {
		texts := make([]string, len(pairs))
		for i, p := range pairs {
			if ctx.Err() != nil {
				return nil
			}
			texts[i] = compared.Change(p, true)
		}
		return func() {
			l.isReading = false
			for i, position := range positions {
				if row := l.View.Described(position); row != nil && l.View.Outline == old && l.Layout == Merged {
					row.Cells[changeColumn].Text = texts[i]
				}
			}
			l.View.Rows.Refresh()
		}
	})
}

// Describe returns the row of a pair.
func (l *Tree) Describe(position rowPos) outline.RowCells {
	p := l.Pair(position)
	l.described.position, l.described.pair = rowPos{In: position.In, Pos: position.Pos}, p
	values := compared.Cells(p)
	status := l.Items().Status(p)
	tone := compared.Tone(p)
	if status != p.Status {
		tone = compared.StatusTone(status)
	}
	sign := rows.Cell{Text: signOf(p, status), Tone: tone, Bold: true}
	if l.Layout == TwoTrees {
		cells := []rows.Cell{sign}
		for i, n := range []*model.Node{p.Old, p.New} {
			if n == nil {
				cells = append(cells, rows.Cell{}, rows.Cell{}, rows.Cell{})
				continue
			}
			name := l.nameCell(p, n)
			l.markNotes(&name, i, n)
			cells = append(cells, name, kindCell(n), values[i])
		}
		return outline.RowCells{Cells: cells}
	}
	change := cmp.Or(l.Items().Change(p), compared.Change(p, false))
	if compared.IsUnread(p) {
		l.unread = append(l.unread, rowPos{In: position.In, Pos: position.Pos})
	}
	name := l.nameCell(p, p.Node())
	l.noteBoth(&name, p)
	return outline.RowCells{Cells: []rows.Cell{sign, name, kindCell(p.Node()), values[0], values[1],
		{Text: change, Tone: tone}}}
}

func (l *Tree) markNotes(name *rows.Cell, side int, n *model.Node) {
	if l.notesOf == nil || n == nil {
		return
	}
	if flag, tip := l.notesOf(side, n); flag.Paint != nil {
		name.Flag, name.Tip = flag, tip
	}
}

// noteBoth marks the name of a pair if a node has notes. If the notes of both differ, the tooltip names the side.
func (l *Tree) noteBoth(name *rows.Cell, p *compare.Pair) {
	old := *name
	l.markNotes(&old, 0, p.Old)
	l.markNotes(name, 1, p.New)
	var tips []string
	if old.Tip != name.Tip && p.Old != nil && p.New != nil {
		for i, tip := range []string{old.Tip, name.Tip} {
			if tip != "" {
				tips = append(tips, []string{"Old: ", "New: "}[i]+tip)
			}
		}
		name.Tip = strings.Join(tips, "   ")
	} else if p.New == nil {
		name.Tip = old.Tip
	}
	if name.Flag.Paint == nil {
		name.Flag = old.Flag
	}
}

func kindCell(n *model.Node) rows.Cell {
	return rows.Cell{Text: n.Type, Tone: paint.Dim, CutMiddle: true}
}

// nameCell returns a cell with the name of a pair's node, or of its file.
func (l *Tree) nameCell(p *compare.Pair, n *model.Node) rows.Cell {
	cell := rows.Cell{Text: n.Title(), CutMiddle: true}
	switch {
	case p.Parent() == nil:
		return rows.Cell{Text: l.rootName(n), CutMiddle: true, Bold: true}
	case p.Status == compare.Same || p.Uncounted:
		cell.Tone = paint.Dim
	case p.Status != compare.Changed:
		cell.Tone = compared.StatusTone(p.Status)
	}
	if n.Key != n.Name && n.Key != n.DisplayName() {
		cell.Hint = n.Key
	}
	return cell
}

func (l *Tree) rootName(n *model.Node) string {
	old, new := l.Comparison.Old.Source.Name(), l.Comparison.New.Source.Name()
	switch {
	case l.Layout == Merged && old != new:
		return old + " → " + new
	case n == l.Comparison.Old.Root() && l.Layout == TwoTrees:
		return old
	}
	return new
}

// signOf returns the sign of a pair in the tree, or a dot if only rows below it changed.
func signOf(p *compare.Pair, status compare.Status) string {
	switch {
	case status == compare.Same:
		return "="
	case p.Row() || status != compare.Changed:
		return compared.Sign(status)
	case p.Counts.Differences() > 0:
		return "•"
	}
	return ""
}
