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
	t := &Tree{host: h, group: group, openLane: group.Lane(), filter: filter{statuses: compared.Differing}}
	options := rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 60), ColumnWidths: t.columnWidths}
	t.View = outline.NewView(h, style, t, new(children), options)
	t.View.MaxRows = maxOpened
	t.View.OnCurrent = func(position rowPos) { t.OnSelect(t.Pair(position)) }
	t.View.OnActivate = func(position rowPos) bool {
		p := t.Pair(position)
		if p.Leaf() {
			t.OnActivate(p)
		}
		return p.Leaf()
	}
	t.View.OnMenu = func(position rowPos, pos fyne.Position) { t.OnMenu(t.Pair(position), pos) }
	t.View.OnFrame = t.readChanges
	t.View.Rows.OnResize = t.equalizeWidths
	t.SetLayout(Merged)
	return t
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
func (t *Tree) SetLayout(layout Layout) {
	t.Layout = layout
	if layout == Merged {
		t.View.SetColumns([]int{nameColumn}, []rows.Column{{Min: compared.SignWidth}, {Title: "Name", Min: 80}, {Title: "Type"},
			{Title: "Old"}, {Title: "New"}, {Title: "Change"}}...)
	} else {
		t.View.SetColumns([]int{nameColumn, nameColumn + sideColumns}, []rows.Column{{Min: compared.SignWidth},
			{Title: t.sideTitle(0), Min: 80}, {Title: "Type"}, {Title: "Value"},
			{Title: t.sideTitle(1), Min: 80}, {Title: "Type"}, {Title: "Value"}}...)
	}
	t.View.Rows.Refresh()
}

// SetNoted marks the nodes that have notes: noted returns a flag and the sentences of the notes, on a node of the old
// side (0) or of the new one (1); no flag for a node without notes.
func (t *Tree) SetNoted(noted func(side int, n *model.Node) (flag rows.Mark, tip string)) {
	t.notesOf = noted
	t.View.Forget()
	t.View.Rows.Refresh()
}

// SetItems displays the changes of items from now on.
func (t *Tree) SetItems(m *compared.Items) {
	t.filter.items = m
	t.View.Forget()
	if m.HasMoved() {
		t.setFilter(t.filter)
	}
	t.View.Rows.Refresh()
}

// Items returns the changes of items; nil until they are collected.
func (t *Tree) Items() *compared.Items { return t.filter.items }

// Shows reports whether a pair has one of the visible statuses.
func (t *Tree) Shows(p *compare.Pair) bool {
	return t.filter.statuses.Has(t.Items().Status(p)) || t.filter.statuses.Any(t.Items().Counts(p))
}

// Statuses returns the visible statuses.
func (t *Tree) Statuses() compared.Statuses { return t.filter.statuses }

// SetStatuses sets the visible statuses. It takes effect with the next search or comparison.
func (t *Tree) SetStatuses(s compared.Statuses) { t.filter.statuses = s }

func (t *Tree) sideTitle(side int) string {
	title := []string{"Old", "New"}[side]
	if t.Comparison == nil {
		return title
	}
	return title + ": " + [2]*model.Document{t.Comparison.Old, t.Comparison.New}[side].Source.Name()
}

// columnWidths divides the width among the columns.
func (t *Tree) columnWidths(w float32) []float32 {
	w -= compared.SignWidth
	widths := make([]float32, len(t.View.Rows.Columns()))
	for column := range widths {
		widths[column] = t.View.Widest(column)
	}
	if t.Layout == Merged {
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
func (t *Tree) equalizeWidths(column int, width float32) {
	if t.Layout == Merged || column == signColumn {
		return
	}
	widths := t.View.Rows.Widths()
	widths[(column-nameColumn+sideColumns)%(2*sideColumns)+nameColumn] = width
	t.View.Rows.SetWidths(widths)
}

// Set displays a comparison with the differences expanded.
func (t *Tree) Set(c *compare.Comparison) {
	t.openLane.Stop()
	t.host.Busy("", 0, nil)
	t.Comparison, t.filter.result, t.filter.items, t.described.pair = c, nil, nil, nil
	t.View.Reset(t.rootLevel())
	t.openChanges()
	if t.View.Len() == 1 && t.Ready(t.View.Root()) {
		t.View.Expand(t.View.Root())
	}
	if t.Layout == TwoTrees {
		for side := range 2 {
			t.View.Rows.SetTitle(nameColumn+side*sideColumns, t.sideTitle(side))
		}
	}
	t.View.Rows.Refresh()
}

// setFilter sets the visible pairs. Expanded pairs stay expanded, and the current pair stays current if it is visible.
func (t *Tree) setFilter(v filter) {
	if t.Comparison == nil {
		return
	}
	current, open := t.View.CurrentPath(), t.View.Expanded()
	if v.result != nil || t.filter.result != nil {
		open = nil
	}
	t.filter = v
	t.View.Rebuild(t.rootLevel(), open)
	if open == nil {
		t.openChanges()
	}
	t.View.Rows.Refresh()
	if current == nil {
		return
	}
	if position, ok := t.View.Find(current); ok {
		t.View.Rows.Refresh()
		t.View.Rows.GoTo(t.View.RowOf(position))
	}
}

// Current returns the current pair, or nil.
func (t *Tree) Current() *compare.Pair {
	if position, ok := t.View.Current(); ok {
		return t.Pair(position)
	}
	return nil
}

// Selected returns the selected pairs, at most limit of them.
func (t *Tree) Selected(limit int) []*compare.Pair {
	var pairs []*compare.Pair
	for _, position := range t.View.Selected() {
		if len(pairs) == limit {
			break
		}
		pairs = append(pairs, t.Pair(position))
	}
	return pairs
}

// readChanges reads the changes of the visible long values, off the UI thread.
func (t *Tree) readChanges() {
	if len(t.unread) == 0 || t.isReading {
		return
	}
	positions := t.unread
	t.unread, t.isReading = nil, true
	var pairs []*compare.Pair
	for _, position := range positions {
		pairs = append(pairs, t.Pair(position))
	}
	outlineBefore := t.View.Outline
	t.group.Go(func(ctx context.Context) func() {
		texts := make([]string, len(pairs))
		for i, p := range pairs {
			if ctx.Err() != nil {
				return nil
			}
			texts[i] = compared.Change(p, true)
		}
		return func() {
			t.isReading = false
			for i, position := range positions {
				row := t.View.Described(position)
				if row != nil && t.View.Outline == outlineBefore && t.Layout == Merged {
					row.Cells[changeColumn].Text = texts[i]
				}
			}
			t.View.Rows.Refresh()
		}
	})
}

// Describe returns the row of a pair.
func (t *Tree) Describe(position rowPos) outline.RowCells {
	p := t.Pair(position)
	t.described.position, t.described.pair = rowPos{In: position.In, Pos: position.Pos}, p
	values := compared.Cells(p)
	status := t.Items().Status(p)
	tone := compared.Tone(p)
	if status != p.Status {
		tone = compared.StatusTone(status)
	}
	sign := rows.Cell{Text: signOf(p, status), Tone: tone, Bold: true}
	if t.Layout == TwoTrees {
		cells := []rows.Cell{sign}
		for i, n := range []*model.Node{p.Old, p.New} {
			if n == nil {
				cells = append(cells, rows.Cell{}, rows.Cell{}, rows.Cell{})
				continue
			}
			name := t.nameCell(p, n)
			t.markNotes(&name, i, n)
			cells = append(cells, name, typeCell(n), values[i])
		}
		return outline.RowCells{Cells: cells}
	}
	change := cmp.Or(t.Items().Change(p), compared.Change(p, false))
	if compared.IsUnread(p) {
		t.unread = append(t.unread, rowPos{In: position.In, Pos: position.Pos})
	}
	name := t.nameCell(p, p.Node())
	t.noteBoth(&name, p)
	return outline.RowCells{Cells: []rows.Cell{sign, name, typeCell(p.Node()), values[0], values[1],
		{Text: change, Tone: tone}}}
}

func (t *Tree) markNotes(name *rows.Cell, side int, n *model.Node) {
	if t.notesOf == nil || n == nil {
		return
	}
	if flag, tip := t.notesOf(side, n); flag.Paint != nil {
		name.Flag, name.Tip = flag, tip
	}
}

// noteBoth marks the name of a pair if a node has notes. If the notes of both differ, the tooltip names the side.
func (t *Tree) noteBoth(name *rows.Cell, p *compare.Pair) {
	old := *name
	t.markNotes(&old, 0, p.Old)
	t.markNotes(name, 1, p.New)
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

func typeCell(n *model.Node) rows.Cell {
	return rows.Cell{Text: n.Type, Tone: paint.Dim, CutMiddle: true}
}

// nameCell returns a cell with the name of a pair's node, or of its file.
func (t *Tree) nameCell(p *compare.Pair, n *model.Node) rows.Cell {
	cell := rows.Cell{Text: n.Title(), CutMiddle: true}
	switch {
	case p.Parent() == nil:
		return rows.Cell{Text: t.rootName(n), CutMiddle: true, Bold: true}
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

func (t *Tree) rootName(n *model.Node) string {
	old, new := t.Comparison.Old.Source.Name(), t.Comparison.New.Source.Name()
	switch {
	case t.Layout == Merged && old != new:
		return old + " → " + new
	case n == t.Comparison.Old.Root() && t.Layout == TwoTrees:
		return old
	}
	return new
}

// signOf returns the sign of a pair in the tree, or a dot if only rows below it changed.
func signOf(p *compare.Pair, status compare.Status) string {
	switch {
	case status == compare.Same:
		return "="
	case p.IsRow() || status != compare.Changed:
		return compared.Sign(status)
	case p.Counts.Differences() > 0:
		return "•"
	}
	return ""
}
