package outline

import (
	"image"
	"iter"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Source is the structure of a View.
type Source[L Level] interface {
	// Below returns the level of the node of a row when it is expanded.
	Below(p RowPos[L]) L
	// HasChildren reports whether the node of a row has children.
	HasChildren(p RowPos[L]) bool
	// Describe returns the cells of a row. They are cached while the row is near the view.
	Describe(p RowPos[L]) RowCells
	// Names returns the texts that the user may type to go to a row.
	Names(p RowPos[L]) (name, label string)
}

// Preparer is a Source with nodes that take long to expand.
type Preparer[L Level] interface {
	// Ready reports whether the node of a row can be expanded without delay.
	Ready(p RowPos[L]) bool
	// Prepare prepares the node of a row in the background and then calls done on the UI thread.
	Prepare(p RowPos[L], done func())
}

// Seeker is a Source that searches long levels in the background.
type Seeker[L Level] interface {
	// Seek searches the ranges in order for the first child that begins with prefix, which is in lower case, and
	// calls found with its range and position on the UI thread. A new search cancels the previous one.
	Seek(ranges []LevelRange[L], prefix string, found func(r LevelRange[L], pos int))
	// EndSeek ends a search.
	EndSeek()
}

// RowCells is the content of a row: a cell for each column, and the icon of the node.
type RowCells struct {
	Cells []rows.Cell
	Icon  rows.Mark
}

// State is the state of a View that is stored between sessions and kept on reload.
type State struct {
	Open    []model.Path
	Current model.Path
	First   int64
}

// Events are the callbacks of a View. Any may be nil.
type Events[L Level] struct {
	OnCurrent  func(p RowPos[L])                    // the user selected another node
	OnActivate func(p RowPos[L]) bool               // Enter or double click; false: the node expands or collapses
	OnMenu     func(p RowPos[L], pos fyne.Position) // secondary click or menu key
}

// View displays an outline as rows that expand and collapse.
type View[L Level] struct {
	*Outline[L]
	Events[L]
	// Rows is the widget.
	Rows *rows.Rows
	// OnFrame is called before each frame, after the rows in view were described. It may be nil.
	OnFrame func()
	// KeepsWidths keeps the widths of the columns after the first rows were measured.
	KeepsWidths bool
	// MaxRows is the maximum number of rows that expanding a subtree adds.
	MaxRows int64

	host      host.Host
	source    Source[L]
	trees     []int // columns that display the tree
	described map[RowPos[L]]*described
	measured  bool      // the first rows were measured; only used if KeepsWidths
	widest    []float32 // the widths needed by the visible cells of each column so far, in device-independent pixels
	common    []float32 // the width that most of them need
	widths    []float32 // the needed widths of the visible cells of one column
	rootWidth float32   // the width that the name of the root needs
	textWidth int       // pixels of the first column that displays the tree
	step      float32   // indent of a level; it shrinks when deep rows come into view, until the width changes
}

// described is the cached content of a row, by its RowPos as if it were collapsed.
type described struct {
	RowCells
	opens      bool
	cellWidths []float32 // width of each cell without its hint and indent, in device-independent pixels
}

// maxDescribed is the maximum number of cached rows: some pages.
const maxDescribed = 1024

// NewView returns an empty View. Call SetColumns and Reset before its first frame.
func NewView[L Level](h host.Host, style *paint.Style, source Source[L], empty L, options rows.Options) *View[L] {
	v := &View[L]{host: h, source: source, MaxRows: 50_000, step: maxStep, described: map[RowPos[L]]*described{}}
	v.Outline = New(empty, source.Below)
	v.Rows = rows.New(h, style, (*table[L])(v), options)
	v.Rows.Events = rows.Events{
		OnCurrent: func(row int64) {
			if row >= 0 && v.OnCurrent != nil {
				v.OnCurrent(v.At(row))
			}
		},
		OnActivate: func(row int64) {
			if v.OnActivate == nil || !v.OnActivate(v.At(row)) {
				v.Toggle(row)
			}
		},
		OnMenu: func(row int64, pos fyne.Position) {
			if row >= 0 && v.OnMenu != nil {
				v.OnMenu(v.At(row), pos)
			}
		},
		OnExpand:      v.expandOrNext,
		OnCollapse:    v.collapseOrUp,
		OnExpandAll:   v.ExpandAll,
		OnCollapseAll: v.collapse,
		OnTypeAhead:   v.typeAhead,
		OnPress:       v.press,
	}
	return v
}

// SetColumns sets the columns; trees display the tree. Cached rows are dropped.
func (v *View[L]) SetColumns(trees []int, columns ...rows.Column) {
	v.trees = trees
	for _, widths := range []*[]float32{&v.widest, &v.common} {
		*widths = make([]float32, len(columns))
	}
	v.Forget()
	v.Rows.SetColumns(columns...)
}

// Reset displays another structure, collapsed and from its top. rootLevel displays only the root, or is empty.
func (v *View[L]) Reset(rootLevel L) {
	v.resetWidths()
	v.replace(rootLevel)
	v.Rows.SetSource((*table[L])(v))
}

// resetWidths resets the widths of the cells.
func (v *View[L]) resetWidths() {
	clear(v.widest)
	clear(v.common)
	v.textWidth, v.rootWidth, v.measured = 0, 0, false
}

// Rebuild displays the same structure with another order or filter, with the nodes at the paths in open expanded and no
// current row.
func (v *View[L]) Rebuild(rootLevel L, open []model.Path) {
	v.replace(rootLevel)
	v.Reopen(open)
	v.Rows.SetCurrent(-1)
	v.Rows.Refresh()
}

func (v *View[L]) replace(rootLevel L) {
	v.Outline = New(rootLevel, v.source.Below)
	v.Forget()
}

// Forget drops all cached rows, so that they are described again.
func (v *View[L]) Forget() { clear(v.described) }

// Described returns the cached content of a row, which may be changed, or nil if it is not cached.
func (v *View[L]) Described(p RowPos[L]) *RowCells {
	if d := v.described[RowPos[L]{In: p.In, Pos: p.Pos}]; d != nil {
		return &d.RowCells
	}
	return nil
}

func (v *View[L]) describe(p RowPos[L]) *described {
	key := RowPos[L]{In: p.In, Pos: p.Pos}
	if d := v.described[key]; d != nil {
		return d
	}
	if len(v.described) >= maxDescribed {
		clear(v.described)
	}
	d := &described{RowCells: v.source.Describe(p), opens: v.source.HasChildren(p)}
	for _, column := range v.trees {
		if cell := &d.Cells[column]; cell.String() != "" {
			cell.Lead = triangleSide + afterTriangle
			if d.Icon.Paint != nil {
				cell.Lead += iconSide + afterIcon
			}
		}
	}
	v.described[key] = d
	return d
}

// Current returns the current row, and false if there is no such row.
func (v *View[L]) Current() (p RowPos[L], ok bool) {
	row := v.Rows.Current()
	if row < 0 || row >= v.Len() {
		return p, false
	}
	return v.At(row), true
}

// CurrentPath returns the path of the current row, or nil.
func (v *View[L]) CurrentPath() model.Path {
	if p, ok := v.Current(); ok {
		return p.Path()
	}
	return nil
}

// Selected iterates over the selected rows.
func (v *View[L]) Selected() iter.Seq2[int64, RowPos[L]] {
	return func(yield func(int64, RowPos[L]) bool) {
		selection := v.Rows.Selection()
		for row := range selection.Below(v.Len()) {
			if !yield(row, v.At(row)) {
				return
			}
		}
	}
}

// Reveal expands the ancestors of the node at a path and makes it current, without an event. It returns false if the
// node is not displayed.
func (v *View[L]) Reveal(path model.Path) bool {
	if v.Len() == 0 {
		return false
	}
	p, ok := v.Find(path)
	if ok {
		v.Rows.SetCurrent(v.RowOf(p))
	}
	v.Rows.Refresh()
	if ok {
		v.Rows.ScrollTo(v.Rows.Current())
	}
	return ok
}

// State returns the expanded nodes, the current row and the scroll position.
func (v *View[L]) State() State {
	return State{Open: v.Expanded(), Current: v.CurrentPath(), First: v.Rows.First()}
}

// Restore displays another structure and applies a state, as far as its nodes exist.
func (v *View[L]) Restore(rootLevel L, s State) {
	v.Rebuild(rootLevel, s.Open)
	if s.Current != nil && v.Len() > 0 {
		if p, ok := v.Find(s.Current); ok {
			v.Rows.Refresh()
			v.Rows.SetCurrent(v.RowOf(p))
		}
	}
	v.Rows.SetFirst(s.First)
}

// GoTo makes a row current as the user does.
func (v *View[L]) GoTo(row int64) {
	v.Rows.SetCurrent(row)
	v.Rows.ScrollTo(row)
	if v.OnCurrent != nil {
		v.OnCurrent(v.At(row))
	}
}

// Widest returns the width that the visible cells of a column need, without their hints, in device-independent pixels.
// With KeepsWidths, it is the width of the first visible cells.
func (v *View[L]) Widest(column int) float32 { return v.widest[column] }

// Common returns the width that is enough for most visible cells of a column: a few long ones among many do not count.
func (v *View[L]) Common(column int) float32 { return v.common[column] }

// RootWidth returns the width that the name of the root needs, in device-independent pixels.
func (v *View[L]) RootWidth() float32 { return v.rootWidth }

// Lengths in device-independent pixels.
const (
	maxStep       = 8 // maximum indent of a level
	minStep       = 4
	minNameWidth  = 48 // the width of a name that the indent leaves
	triangleSide  = 11
	afterTriangle = 4
	iconSide      = 11
	afterIcon     = 6
	clickMargin   = 4  // distance from a triangle at which a click counts
	minGuideGap   = 6  // distance between the lines of the levels
	depthFrom     = 16 // from this depth on, a number indicates the depth
)

// table implements rows.Cells for a View.
type table[L Level] View[L]

func (t *table[L]) Len() int64 { return t.Outline.Len() }

func (t *table[L]) Cell(row int64, column int) rows.Cell {
	v := (*View[L])(t)
	p := v.At(row)
	cell := v.describe(p).Cells[column]
	if cell.Lead > 0 {
		cell.Indent = float32(p.Depth()) * v.step
	}
	return cell
}

// Frame describes and measures the rows in view.
func (t *table[L]) Frame(c *paint.Canvas, _, _ int) {
	v := (*View[L])(t)
	first, end := v.Rows.First(), min(v.Len(), v.Rows.First()+v.Rows.Page()+2)
	grown := !(v.KeepsWidths && v.measured) && v.measure(c, first, end)
	v.measured = v.measured || end-first > 1
	if v.OnFrame != nil {
		v.OnFrame()
	}
	if grown {
		v.Rows.UpdateWidths()
	}
	v.indent(c, first, end)
}

// measure measures the cells of the rows in [first, end), and reports whether one needs more width than before.
func (v *View[L]) measure(c *paint.Canvas, first, end int64) (grown bool) {
	for row := first; row < end; row++ {
		p := v.At(row)
		d := v.describe(p)
		d.measure(c) // it may have been forgotten meanwhile
		for column := range d.cellWidths {
			switch width := d.widthAt(column, p.Depth(), maxStep); {
			case p.IsRoot():
				if column == v.trees[0] && width > v.rootWidth {
					v.rootWidth, grown = width, true
				}
			case width > v.widest[column]:
				v.widest[column], grown = width, true
			}
		}
	}
	for column := range v.common {
		if width := v.commonWidth(c, column, first, end); width > v.common[column] {
			v.common[column], grown = width, true
		}
	}
	return grown
}

// longShare is the number of visible cells for each that may be wider than Common.
const longShare = 8

// commonWidth returns the width that is enough for most visible cells of a column, except for the root's, or 0 if
// nearly all are empty.
func (v *View[L]) commonWidth(c *paint.Canvas, column int, first, end int64) float32 {
	v.widths = v.widths[:0]
	for row := first; row < end; row++ {
		p := v.At(row)
		d := v.describe(p)
		d.measure(c) // it may have been forgotten meanwhile
		switch {
		case p.IsRoot():
		case d.Cells[column].String() == "":
			v.widths = append(v.widths, 0)
		default:
			v.widths = append(v.widths, d.widthAt(column, p.Depth(), maxStep))
		}
	}
	if len(v.widths) == 0 {
		return 0
	}
	slices.Sort(v.widths)
	return v.widths[len(v.widths)-1-len(v.widths)/longShare]
}

// widthAt returns the width of a cell at a depth, with an indent of step for each level.
func (d *described) widthAt(column, depth int, step float32) float32 {
	if d.Cells[column].Lead > 0 {
		return d.cellWidths[column] + float32(depth)*step
	}
	return d.cellWidths[column]
}

// measure measures the cells.
func (d *described) measure(c *paint.Canvas) {
	if d.cellWidths != nil {
		return
	}
	d.cellWidths = make([]float32, len(d.Cells))
	for i, cell := range d.Cells {
		cell.Hint = ""
		d.cellWidths[i] = rows.WidthOf(c, cell)
	}
}

// indent sets the indent of a level so that the names of the rows in [first, end) remain readable. It depends on their
// depth only, so that rows do not move sideways because of a long name.
func (v *View[L]) indent(c *paint.Canvas, first, end int64) {
	if textWidth := v.Rows.TextWidth(c, v.trees[0], 0); textWidth != v.textWidth {
		v.textWidth, v.step = textWidth, maxStep
	}
	available := float32(v.textWidth)/c.Scale - triangleSide - afterTriangle - iconSide - afterIcon - minNameWidth
	for row := first; row < end; row++ {
		v.step = min(v.step, max(minStep, available/float32(max(1, v.At(row).Depth()))))
	}
}

// PaintLead paints the triangle and the icon of a row, and its depth if the indent is too small.
func (t *table[L]) PaintLead(c *paint.Canvas, row int64, column int, lead image.Rectangle) {
	v := (*View[L])(t)
	p := v.At(row)
	d := v.describe(p)
	square := func(x, side int) image.Rectangle {
		y := lead.Min.Y + (lead.Dy()-side)/2
		return image.Rect(x, y, x+side, y+side)
	}
	x := lead.Min.X
	if p.Depth() >= depthFrom {
		depth := strconv.Itoa(p.Depth())
		x -= c.Px(afterTriangle) + c.Measure(depth, paint.Regular)
		c.Text(x, c.Baseline(lead, paint.Regular), depth, paint.Regular, c.Colors.Faint, 0)
	}
	v.paintGuides(c, p.Depth(), lead, x)
	if d.opens {
		direction := paint.PointRight
		if p.Open != nil {
			direction = paint.PointDown
		}
		c.Triangle(square(lead.Min.X, c.Px(triangleSide)), direction, c.Colors.Dim)
	}
	if d.Icon.Paint != nil {
		x := lead.Min.X + c.Px(triangleSide) + c.Px(afterTriangle)
		d.Icon.Paint(c, square(x, c.Px(iconSide)), c.Colors.ForTone(d.Icon.Tone))
	}
}

// paintGuides paints, left of end, a line below the triangle of each ancestor of a row, unless they are too near to one
// another.
func (v *View[L]) paintGuides(c *paint.Canvas, depth int, lead image.Rectangle, end int) {
	interval := 1
	for float32(interval)*v.step < minGuideGap {
		interval++
	}
	for level := depth - interval; level > 0; level -= interval {
		x := lead.Min.X - int(float32(depth-level)*v.step*c.Scale) + c.Px(triangleSide)/2
		if x < c.Clip.Min.X {
			return
		}
		if x < end {
			c.Line(x, lead.Min.Y, x, lead.Max.Y, paint.Mix(c.Colors.Faint, c.Colors.Background, 0.6))
		}
	}
}

// press expands or collapses a node when its triangle is clicked.
func (v *View[L]) press(on rows.Pointer) rows.PressResult {
	if on.Button != desktop.MouseButtonPrimary || on.Row < 0 || on.Row >= v.Len() || on.Lead.Empty() {
		return rows.Pass
	}
	from := on.Lead.Min.X - int(clickMargin*on.Scale)
	to := on.Lead.Min.X + int((triangleSide+clickMargin)*on.Scale+0.5)
	if on.X < from || on.X >= to || !v.describe(v.At(on.Row)).opens {
		return rows.Pass
	}
	v.Toggle(on.Row)
	return rows.Handled
}
