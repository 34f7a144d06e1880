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

// Source is the structure that a View shows.
type Source[L Level] interface {
	// Below returns what is shown below the node at a place when it is opened.
	Below(p Place[L]) L
	// Opens reports whether there is anything below the node at a place.
	Opens(p Place[L]) bool
	// Describe returns what stands in the row of a place. It is remembered while the row is about.
	Describe(p Place[L]) Row
	// Names returns what a person may type to go to a place.
	Names(p Place[L]) (name, key string)
}

// Preparer is a Source of which some nodes take long to open.
type Preparer[L Level] interface {
	// Ready reports whether the node at a place can be opened at once.
	Ready(p Place[L]) bool
	// Prepare gets the node at a place ready in the background and calls then on the UI thread.
	Prepare(p Place[L], then func())
}

// Seeker is a Source that looks through long levels in the background.
type Seeker[L Level] interface {
	// Seek looks through stretches, one after the other, for the first child that begins with what is typed, in lower
	// case, and calls found with its stretch and its position on the UI thread. A new search ends the one before.
	Seek(stretches []Stretch[L], prefix string, found func(in Stretch[L], pos int))
	// EndSeek ends a search.
	EndSeek()
}

// Row is what stands in a row: a cell for each column, and the icon of the node.
type Row struct {
	Cells []rows.Cell
	Icon  rows.Mark
}

// State is what a View remembers between sessions, and over a reload.
type State struct {
	Open    []model.Path
	Current model.Path
	First   int64
}

// Events are what the owner of a View is told. Any of them may be nil.
type Events[L Level] struct {
	OnCurrent  func(p Place[L])                   // the user went to another node
	OnActivate func(p Place[L]) bool              // Enter or double click; false: the node opens or closes
	OnMenu     func(p Place[L], at fyne.Position) // secondary click or menu key
}

// View shows an outline as rows that open and close.
type View[L Level] struct {
	*Outline[L]
	Events[L]
	// Rows is the widget.
	Rows *rows.Rows
	// OnFrame is called before a frame is painted, when what is in view is described. It may be nil.
	OnFrame func()
	// Steady leaves the columns as wide as they are once the first rows have been measured.
	Steady bool
	// Most is how many rows are opened at once by opening a whole subtree.
	Most int64

	host      host.Host
	source    Source[L]
	trees     []int // columns that show the structure
	described map[Place[L]]*described
	measured  bool        // the columns have had their widths shared out; used if Steady
	widest    []float32   // what the cells of each column wanted that were in view; in device-independent pixels
	least     []float32   // what they wanted if levels are indented by no more than is clear
	common    []float32   // what most of them wanted
	wants     []float32   // of the cells of one column that are in view
	top       float32     // what the name of the root wanted
	room      int         // pixels of the first column that shows the structure
	names     []shownName // of what was in view when it was painted last
	step      float32     // that a level is indented by; it shrinks as one goes deeper where there is little room
}

// described is a row as it is remembered, by its place as if it were closed.
type described struct {
	Row
	opens  bool
	wanted []float32 // by each cell without its hint and its indent, in device-independent pixels
}

// shownName is a row in view that is below another one.
type shownName struct {
	depth float32
	row   *described
}

// describedMost is how many rows are remembered: some pages.
const describedMost = 1024

// NewView makes a View of nothing; SetColumns and Reset are to be called before it is shown.
func NewView[L Level](h host.Host, style *paint.Style, source Source[L], nothing L, options rows.Options) *View[L] {
	v := &View[L]{host: h, source: source, Most: 50_000, step: stepMost, described: map[Place[L]]*described{}}
	v.Outline = New(nothing, source.Below)
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
		OnMenu: func(row int64, at fyne.Position) {
			if row >= 0 && v.OnMenu != nil {
				v.OnMenu(v.At(row), at)
			}
		},
		OnExpand:    v.right,
		OnCollapse:  v.left,
		OnExpandAll: v.OpenAll,
		OnFoldAll:   v.close,
		OnTypeAhead: v.typeAhead,
		OnPress:     v.press,
	}
	return v
}

// SetColumns sets the columns; trees are those that show the structure. What stood in the others is forgotten.
func (v *View[L]) SetColumns(trees []int, columns ...rows.Column) {
	v.trees = trees
	for _, widths := range []*[]float32{&v.widest, &v.least, &v.common} {
		*widths = make([]float32, len(columns))
	}
	v.Forget()
	v.Rows.SetColumns(columns...)
}

// Reset shows another structure, closed and from its top. above shows the root alone, or nothing.
func (v *View[L]) Reset(above L) {
	v.unmeasure()
	v.replace(above)
	v.Rows.SetSource((*table[L])(v))
}

// unmeasure forgets what the cells wanted.
func (v *View[L]) unmeasure() {
	clear(v.widest)
	clear(v.least)
	clear(v.common)
	v.room, v.top, v.measured = 0, 0, false
}

// Rebuild shows the same structure in another way, with the nodes at some paths open. Nothing is current.
func (v *View[L]) Rebuild(above L, open []model.Path) {
	v.replace(above)
	v.Reopen(open)
	v.Rows.SetCurrent(-1)
	v.Rows.Refresh()
}

func (v *View[L]) replace(above L) {
	v.Outline = New(above, v.source.Below)
	v.Forget()
}

// Forget has all rows described anew.
func (v *View[L]) Forget() { clear(v.described) }

// Described returns what stands in the row of a place, to be changed; nil if it is not in view any more.
func (v *View[L]) Described(p Place[L]) *Row {
	if d := v.described[Place[L]{In: p.In, Pos: p.Pos}]; d != nil {
		return &d.Row
	}
	return nil
}

func (v *View[L]) describe(p Place[L]) *described {
	key := Place[L]{In: p.In, Pos: p.Pos}
	if d := v.described[key]; d != nil {
		return d
	}
	if len(v.described) >= describedMost {
		clear(v.described)
	}
	d := &described{Row: v.source.Describe(p), opens: v.source.Opens(p)}
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

// Current returns the place that the keyboard acts on; false if there is none.
func (v *View[L]) Current() (p Place[L], ok bool) {
	row := v.Rows.Current()
	if row < 0 || row >= v.Len() {
		return p, false
	}
	return v.At(row), true
}

// CurrentPath returns its path; nil if there is none.
func (v *View[L]) CurrentPath() model.Path {
	if p, ok := v.Current(); ok {
		return p.Path()
	}
	return nil
}

// Selected lists the selected rows with their places.
func (v *View[L]) Selected() iter.Seq2[int64, Place[L]] {
	return func(yield func(int64, Place[L]) bool) {
		selection := v.Rows.Selection()
		for _, i := range selection.All() {
			for row := i.From; row < min(i.To, v.Len()); row++ {
				if !yield(row, v.At(row)) {
					return
				}
			}
		}
	}
}

// Reveal opens what the node at a path is in and goes to it, without an event; false if it is not shown.
func (v *View[L]) Reveal(path model.Path) bool {
	if v.Len() == 0 {
		return false
	}
	p, ok := v.Find(path)
	if ok {
		v.Rows.SetCurrent(v.Row(p))
	}
	v.Rows.Refresh()
	if ok {
		v.Rows.ScrollTo(v.Rows.Current())
	}
	return ok
}

// State returns what is open and where the view is.
func (v *View[L]) State() State {
	return State{Open: v.Opened(), Current: v.CurrentPath(), First: v.Rows.First()}
}

// Restore goes back to a state of the outline that above begins, as far as it is still there.
func (v *View[L]) Restore(above L, s State) {
	v.Rebuild(above, s.Open)
	if s.Current != nil && v.Len() > 0 {
		if p, ok := v.Find(s.Current); ok {
			v.Rows.Refresh()
			v.Rows.SetCurrent(v.Row(p))
		}
	}
	v.Rows.SetFirst(s.First)
}

// GoTo makes a row current as the user would.
func (v *View[L]) GoTo(row int64) {
	v.Rows.SetCurrent(row)
	v.Rows.ScrollTo(row)
	if v.OnCurrent != nil {
		v.OnCurrent(v.At(row))
	}
}

// Widest returns how wide the cells of a column want to be that are in view, without their hints, in device-independent
// pixels; if Steady, of those that were in view first.
func (v *View[L]) Widest(column int) float32 { return v.widest[column] }

// Least returns that width if levels are indented by no more than is clear.
func (v *View[L]) Least(column int) float32 { return v.least[column] }

// Common returns how wide most of the cells of a column wanted to be that were in view: a few long ones among many do
// not count.
func (v *View[L]) Common(column int) float32 { return v.common[column] }

// TopWidth returns how wide the name of the root wanted to be, in device-independent pixels.
func (v *View[L]) TopWidth() float32 { return v.top }

// Lengths in device-independent pixels.
const (
	stepMost      = 12 // that a level is indented by
	stepClear     = 6  // as long as names are whole then
	stepLeast     = 4
	nameLeast     = 120 // of a name that is to be read
	triangleSide  = 11
	afterTriangle = 4
	iconSide      = 11
	afterIcon     = 6
	reach         = 4  // how far beside a triangle a click counts
	guideLeast    = 6  // between the lines that show the levels
	deep          = 16 // from this depth on a number says how deep a node is
)

// table is a View as the rows see it.
type table[L Level] View[L]

// Len is the number of rows.
func (t *table[L]) Len() int64 { return t.Outline.Len() }

// Cell is what stands in a column of a row.
func (t *table[L]) Cell(row int64, column int) rows.Cell {
	v := (*View[L])(t)
	p := v.At(row)
	cell := v.describe(p).Cells[column]
	if cell.Lead > 0 {
		cell.Indent = float32(p.Depth()) * v.step
	}
	return cell
}

// Frame describes what is in view, and finds out how much room it wants.
func (t *table[L]) Frame(c *paint.Canvas, _, _ int) {
	v := (*View[L])(t)
	first, end := v.Rows.First(), min(v.Len(), v.Rows.First()+v.Rows.Page()+2)
	v.names = v.names[:0]
	for row := first; row < end; row++ {
		p := v.At(row)
		d := v.describe(p)
		d.measure(c)
		if p.Depth() > 0 {
			v.names = append(v.names, shownName{float32(p.Depth()), d})
		}
	}
	grown := !(v.Steady && v.measured) && v.measure(c, first, end)
	v.measured = v.measured || end-first > 1
	if v.OnFrame != nil {
		v.OnFrame()
	}
	if grown {
		v.Rows.Share()
	}
	v.indent(c)
}

// measure finds out how wide the cells of some rows want to be, and reports whether any of it is more than was known.
func (v *View[L]) measure(c *paint.Canvas, first, end int64) (grown bool) {
	for row := first; row < end; row++ {
		p := v.At(row)
		d := v.describe(p)
		d.measure(c) // it may have been forgotten meanwhile
		for column := range d.wanted {
			v.least[column] = max(v.least[column], d.room(column, p.Depth(), stepClear))
			switch wanted := d.room(column, p.Depth(), stepMost); {
			case p.Top():
				if column == v.trees[0] && wanted > v.top {
					v.top, grown = wanted, true
				}
			case wanted > v.widest[column]:
				v.widest[column], grown = wanted, true
			}
		}
	}
	for column := range v.common {
		if wanted := v.mostWant(c, column, first, end); wanted > v.common[column] {
			v.common[column], grown = wanted, true
		}
	}
	return grown
}

// fewLong is how many rows in view there are for each of which the cell may be longer than is common.
const fewLong = 8

// mostWant returns how wide most cells of a column want to be that are in view, but for the root's: where nearly all
// are empty, nothing.
func (v *View[L]) mostWant(c *paint.Canvas, column int, first, end int64) float32 {
	v.wants = v.wants[:0]
	for row := first; row < end; row++ {
		p := v.At(row)
		d := v.describe(p)
		d.measure(c) // it may have been forgotten meanwhile
		switch {
		case p.Top():
		case d.Cells[column].String() == "":
			v.wants = append(v.wants, 0)
		default:
			v.wants = append(v.wants, d.room(column, p.Depth(), stepMost))
		}
	}
	if len(v.wants) == 0 {
		return 0
	}
	slices.Sort(v.wants)
	return v.wants[len(v.wants)-1-len(v.wants)/fewLong]
}

// room is how wide a cell wants to be at a depth, where a level is indented by a step.
func (d *described) room(column, depth int, step float32) float32 {
	if d.Cells[column].Lead > 0 {
		return d.wanted[column] + float32(depth)*step
	}
	return d.wanted[column]
}

// measure finds out how much room the cells want.
func (d *described) measure(c *paint.Canvas) {
	if d.wanted != nil {
		return
	}
	d.wanted = make([]float32, len(d.Cells))
	for i, cell := range d.Cells {
		cell.Hint = ""
		d.wanted[i] = rows.Wanted(c, cell)
	}
}

// indent finds the step with which the names of rows can be read.
func (v *View[L]) indent(c *paint.Canvas) {
	column := v.trees[0]
	if room := v.Rows.TextWidth(c, column, 0); room != v.room {
		v.room, v.step = room, stepMost
	}
	for _, n := range v.names {
		whole := n.row.wanted[column]
		least := min(whole, n.row.Cells[column].Lead+nameLeast)
		room := float32(v.room) / c.Scale
		v.step = min(v.step, max(stepClear, (room-whole)/n.depth), max(stepLeast, (room-least)/n.depth))
	}
}

// PaintLead paints the triangle and the icon of a row, and how deep it is where the indent does not tell.
func (t *table[L]) PaintLead(c *paint.Canvas, row int64, column int, lead image.Rectangle) {
	v := (*View[L])(t)
	p := v.At(row)
	d := v.describe(p)
	square := func(x, side int) image.Rectangle {
		y := lead.Min.Y + (lead.Dy()-side)/2
		return image.Rect(x, y, x+side, y+side)
	}
	x := lead.Min.X
	if p.Depth() >= deep {
		depth := strconv.Itoa(p.Depth())
		x -= c.Px(afterTriangle) + c.Measure(depth, paint.Regular)
		c.Text(x, c.Baseline(lead, paint.Regular), depth, paint.Regular, c.Colors.Faint, 0)
	}
	v.paintGuides(c, p.Depth(), lead, x)
	if d.opens {
		direction := paint.Right
		if p.Open != nil {
			direction = paint.Down
		}
		c.Triangle(square(lead.Min.X, c.Px(triangleSide)), direction, c.Colors.Dim)
	}
	if d.Icon.Paint != nil {
		x := lead.Min.X + c.Px(triangleSide) + c.Px(afterTriangle)
		d.Icon.Paint(c, square(x, c.Px(iconSide)), c.Colors.Of(d.Icon.Tone))
	}
}

// paintGuides paints, left of end, a line below the triangle of each node that a row is below, but where they are too
// near to one another.
func (v *View[L]) paintGuides(c *paint.Canvas, depth int, lead image.Rectangle, end int) {
	every := 1
	for float32(every)*v.step < guideLeast {
		every++
	}
	for level := depth - every; level > 0; level -= every {
		x := lead.Min.X - int(float32(depth-level)*v.step*c.Scale) + c.Px(triangleSide)/2
		if x < c.Clip.Min.X {
			return
		}
		if x < end {
			c.Line(x, lead.Min.Y, x, lead.Max.Y, paint.Mix(c.Colors.Faint, c.Colors.Background, 0.6))
		}
	}
}

// press opens and closes where the triangle is clicked.
func (v *View[L]) press(on rows.Pointer) rows.Claim {
	if on.Button != desktop.MouseButtonPrimary || on.Row < 0 || on.Row >= v.Len() || on.Lead.Empty() {
		return rows.Pass
	}
	from := on.Lead.Min.X - int(reach*on.Scale)
	to := on.Lead.Min.X + int((triangleSide+reach)*on.Scale+0.5)
	if on.X < from || on.X >= to || !v.describe(v.At(on.Row)).opens {
		return rows.Pass
	}
	v.Toggle(on.Row)
	return rows.Handled
}
