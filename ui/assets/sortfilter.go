package assets

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
)

const filterDelay = 120 * time.Millisecond // time without typing before the filter applies

func (p *Panel) update(delay time.Duration) {
	var names []string
	if p.treeOutdated && p.tree != nil {
		names = p.tree.Names(p.currentGroup)
	}
	p.updateGroup(names, delay)
}

// updateGroup finds and sorts the assets of the group or the matches of the filter, off the UI thread, then displays
// them.
func (p *Panel) updateGroup(names []string, delay time.Duration) {
	a := p.archive
	if a == nil {
		return
	}
	t := a.Table()
	filter, ok := p.filter.Parse()
	if !ok {
		p.lane.Stop()
		p.count.SetText("")
		return
	}
	grouping, tree, group, column, order := p.chosenGrouping(), p.tree, p.currentGroup, p.sortColumn, p.sortOrder
	first := !p.listedOnce && p.complete
	if p.treeOutdated {
		tree = nil
	}
	var closed func(folder string) bool
	if p.isTree() {
		group = 0
		collapsed := maps.Clone(p.closed)
		closed = func(folder string) bool { return collapsed[folder] }
	}
	p.lane.Go(func(ctx context.Context) func() {
		if delay > 0 && !p.group.Pause(ctx, delay) {
			return nil
		}
		var err error
		if tree == nil {
			if tree, err = grouping.build(ctx, a); err == nil {
				group = tree.Find(names)
			}
			if err == nil && first && group == 0 && closed == nil {
				group = tree.FirstBranch()
			}
		}
		var next listing
		if err == nil {
			next, err = newListing(ctx, a, t, tree, group, filter, column, order, closed)
			next.scattered = next.filtered || grouping.name != fixedGroupings[0].name && next.lines == nil
		}
		return func() {
			if err != nil {
				p.count.SetText(host.Sentence(err))
				return
			}
			p.showListing(tree, group, next)
		}
	})
}

func (p *Panel) showListing(tree *archive.Tree, group int, next listing) {
	keepAsset, revealAsset := p.Current(), p.revealAsset
	_, row := p.selection()
	marks := p.marks(tree)
	if p.revealAsset = -1; revealAsset >= 0 {
		keepAsset, marks = revealAsset, nil
	}
	if next.filtered && !p.listing.filtered {
		p.rowBeforeFilter = row
	}
	unfiltered := p.listing.filtered && !next.filtered && row < 0 && p.tree != nil && group == p.currentGroup
	p.tree, p.treeOutdated, p.currentGroup, p.listing = tree, false, group, next
	p.listedOnce = p.listedOnce || p.complete
	p.showCrumbs()
	p.tiles.ShowFolders(next.scattered)
	p.count.SetText(p.countText())
	first := p.rows.First()
	p.relist()
	p.rows.SetSort(slices.Index(p.columns, p.sortColumn), p.sortOrder)
	if p.toggledRow >= 0 {
		p.rows.SetFirst(first)
		p.setSelection(p.toggledRow)
		p.toggledRow = -1
		return
	}
	keepRow := int64(-1)
	if keepAsset >= 0 {
		keepRow = p.listing.rowOf(keepAsset)
	}
	switch {
	case p.opensGroup && !next.filtered && revealAsset < 0:
		p.opensGroup = false
		p.goTo(p.rowAfterOpening())
	case keepRow >= 0 || marks != nil:
		p.mark(keepRow, marks)
	case revealAsset >= 0:
		p.reveal(revealAsset)
	case unfiltered && p.rowBeforeFilter < p.listing.Len():
		p.setSelection(p.rowBeforeFilter)
	}
	if p.reportReveal && keepAsset == p.Current() {
		p.reportReveal = false
		p.selectionChanged()
	}
}

// marks returns the selection by asset index, followed by the selection of groups if next is the displayed tree. It
// returns nil if fewer than two rows are selected.
func (p *Panel) marks(next *archive.Tree) []bool {
	selected, _ := p.selection()
	if selected.Count() < 2 {
		return nil
	}
	assets := p.archive.Len()
	marks := make([]bool, assets, assets+len(next.Groups))
	if p.tree == next {
		marks = marks[:cap(marks)]
	}
	for row := range selected.Below(p.listing.Len()) {
		if i := p.markOf(row); i >= 0 && i < len(marks) {
			marks[i] = true
		}
	}
	return marks
}

// markOf returns the index of a row in marks, or -1.
func (p *Panel) markOf(row int64) int {
	if g, ok := p.listing.group(row); ok && g >= 0 {
		return p.archive.Len() + g
	}
	return p.listing.asset(row)
}

// mark selects a row, and the rows of marks.
func (p *Panel) mark(current int64, marks []bool) {
	selected := rows.SingleRow(current)
	if marks == nil {
		p.view().Select(current, selected)
		return
	}
	for row := range p.listing.Len() {
		if i := p.markOf(row); i >= 0 && i < len(marks) && marks[i] {
			selected.Add(row, row+1)
		}
	}
	p.view().Select(current, selected)
	p.selectionChanged()
}

// countText returns the number of listed assets and groups.
func (p *Panel) countText() string {
	files := int64(len(p.listing.assets))
	text := host.Count(files, p.Word)
	if n := len(p.listing.groups); n > 0 && !p.listing.filtered {
		groups := host.Count(n, p.groupWord())
		if files == 0 {
			text = groups
		} else {
			text = groups + ", " + text
		}
	}
	switch {
	case p.listing.filtered && files == 0:
		return "No matches"
	case !p.complete:
		text += fmt.Sprintf(" – reading %s", host.Count(p.archive.Total, p.Word))
	case p.listing.filtered:
		return p.matchText(files)
	}
	return text
}

// matchText returns the number of matches and, if it is not obvious, the groups or columns that contain them.
func (p *Panel) matchText(files int64) string {
	group := p.currentGroup
	if p.listing.searchedAll {
		group = 0
	}
	text := fmt.Sprintf("%s of %s", host.Number(files), host.Count(p.tree.Groups[group].Count, p.Word))
	if len(p.listing.columns) > 0 {
		text += ", by " + strings.Join(p.listing.columns, " or ")
	}
	if p.listing.searchedAll {
		text += ", none in " + model.OneLine(p.tree.Groups[p.currentGroup].Name, 40)
	}
	return text
}

// openOrderMenu opens the menu of the columns, for tiles and names, which have no header.
func (p *Panel) openOrderMenu() {
	if p.archive == nil {
		return
	}
	m := fyne.NewMenu("")
	add := func(label string, checked bool, column int, order rows.Order) {
		item := fyne.NewMenuItem(label, func() {
			p.sort(column, order)
			p.Focus()
		})
		item.Checked = checked
		m.Items = append(m.Items, item)
	}
	current := slices.Index(p.columns, p.sortColumn)
	for i, c := range p.columns {
		add(titleOf(p.archive.Columns()[c]), i == current, i, max(p.sortOrder, rows.Ascending))
	}
	add("Order of the File", current < 0, 0, rows.Unsorted)
	if current >= 0 {
		m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		add("Ascending", p.sortOrder == rows.Ascending, current, rows.Ascending)
		add("Descending", p.sortOrder == rows.Descending, current, rows.Descending)
	}
	p.Menu(m, fyne.CurrentApp().Driver().AbsolutePositionForObject(p.orderButton).AddXY(0, p.orderButton.Size().Height))
}

func (p *Panel) sort(column int, order rows.Order) {
	if p.archive == nil {
		return
	}
	p.sortColumn, p.sortOrder = p.columns[column], order
	if order == rows.Unsorted {
		p.sortColumn = -1
	}
	p.saveOrder()
	p.update(0)
}

// read reads the assets and displays the first ones immediately.
func (p *Panel) read() {
	p.count.SetText("Reading…")
	d := p.document
	read := func(ctx context.Context, onGrow func(a *archive.Archive)) (*archive.Archive, error) {
		return archive.Read(ctx, d, onGrow)
	}
	if p.Read != nil {
		read = p.Read().Read
	}
	p.reading.Go(func(ctx context.Context) func() {
		show := func(a *archive.Archive, complete bool) {
			if p.document == d {
				p.showArchive(a, complete)
			}
		}
		onGrow := func(a *archive.Archive) { p.group.Do(ctx, func() { show(a, false) }) }
		a, err := read(ctx, onGrow)
		return func() {
			if err != nil {
				p.count.SetText(host.Sentence(err))
				return
			}
			show(a, true)
		}
	})
}

// showArchive displays the assets read so far.
func (p *Panel) showArchive(a *archive.Archive, complete bool) {
	first := p.archive == nil
	names := p.groupToReopen
	if p.tree != nil {
		names = p.tree.Names(p.currentGroup)
	}
	p.archive, p.complete = a, complete
	if first {
		p.loadOrder()
	}
	if first && a.Total > maxSorted {
		p.sortColumn, p.sortOrder = -1, rows.Unsorted
	}
	p.setColumns()
	if complete {
		p.offerGroupings()
		p.filterField.SetPlaceHolder(p.example())
		p.verifyFew()
	}
	p.regroup(names)
	if complete && p.node != nil && p.reportedPath == nil {
		p.selectAssetOf(p.node)
	}
}

// maxSorted is the maximum number of assets that are sorted by name by default.
const maxSorted = 100_000

// setColumns displays the columns of the archive that are not empty.
func (p *Panel) setColumns() {
	var columns []int
	for i := range p.archive.Columns() {
		if p.Columns == nil && p.archive.IsInformative(i) {
			columns = append(columns, i)
		}
	}
	for _, name := range p.Columns {
		i := slices.IndexFunc(p.archive.Columns(), func(c model.Column) bool { return c.Name == name })
		columns = append(columns, i)
	}
	if slices.Equal(columns, p.columns) {
		return
	}
	p.columns = columns
	var visible []rows.Column
	for _, i := range columns {
		c := p.archive.Columns()[i]
		column := rows.Column{Title: titleOf(c), Sortable: true, Width: 48, Min: 48, Extra: c.IsOptional}
		if c.Numeric {
			column.Align = paint.AlignRight
		}
		if i == archive.Name {
			column.Width, column.Min = 160, 120
			if p.Tall {
				column.Min += tallRow
			}
		}
		visible = append(visible, column)
	}
	p.rows.SetColumns(visible...)
	p.loadWidths()
}

// regroup makes the groups again and enters the group with the path names.
func (p *Panel) regroup(names []string) {
	p.treeOutdated = true
	p.updateGroup(names, 0)
}

// chosenGrouping returns the chosen grouping, or the first one if the assets do not have it.
func (p *Panel) chosenGrouping() grouping {
	all := p.allGroupings()
	return all[max(0, slices.IndexFunc(all, func(g grouping) bool { return g.name == p.groupingName }))]
}

// listSettings holds the settings of the lists in one type of tab.
type listSettings struct {
	Mode   mode
	Side   float32            // size of thumbnails, in device-independent pixels
	Column string             // the sort column; empty: unsorted
	Order  rows.Order         // order of the sort column
	Widths map[string]float32 // widths of the columns that the user chose, by name
}

// The minimum and maximum size of thumbnails, in device-independent pixels.
const (
	minSide = 48
	maxSide = 256
)

// storedSettings returns the settings of the kind of tab.
func (p *Panel) storedSettings() host.Setting[listSettings] {
	if p.Columns != nil {
		return host.Setting[listSettings]("lists.pairs of " + p.Word + "s")
	}
	return host.Setting[listSettings]("lists." + p.Word + "s")
}

// loadSettings loads the settings of lists in one type of tab.
func (p *Panel) loadSettings() {
	p.settings = listSettings{Side: thumbnail.Side, Column: archive.ColumnName(archive.Name), Order: rows.Ascending}
	p.storedSettings().Load(&p.settings)
	p.settings.Side = max(minSide, min(p.settings.Side, maxSide))
	p.settings.Mode = max(detailsMode, min(p.settings.Mode, tileMode))
}

// saveSettings saves the settings of the list.
func (p *Panel) saveSettings() { p.storedSettings().Save(p.settings) }

// saveOrder saves the sort order.
func (p *Panel) saveOrder() {
	if p.settings.Column, p.settings.Order = "", p.sortOrder; p.sortColumn >= 0 {
		p.settings.Column = p.archive.Columns()[p.sortColumn].Name
	}
	p.saveSettings()
}

// loadOrder restores the sort order, if the list has its column.
func (p *Panel) loadOrder() {
	p.sortColumn, p.sortOrder = -1, rows.Unsorted
	for i, c := range p.archive.Columns() {
		if c.Name == p.settings.Column && p.archive.IsInformative(i) {
			p.sortColumn, p.sortOrder = i, p.settings.Order
		}
	}
}

// saveWidths stores the widths of the columns that the user changed.
func (p *Panel) saveWidths() {
	if p.settings.Widths == nil {
		p.settings.Widths = map[string]float32{}
	}
	for i, width := range p.rows.Widths() {
		p.settings.Widths[p.archive.Columns()[p.columns[i]].Name] = width
	}
	p.saveSettings()
}

// loadWidths restores the widths of the columns, if all are stored.
func (p *Panel) loadWidths() {
	var widths []float32
	for _, i := range p.columns {
		width, ok := p.settings.Widths[p.archive.Columns()[i].Name]
		if !ok {
			return
		}
		widths = append(widths, width)
	}
	p.rows.SetWidths(widths)
}

// drawnScale returns the scale of drawn thumbnails. It doubles in steps, so that they are not drawn again for each step
// of the slider.
func (p *Panel) drawnScale(scale float32) float32 {
	side := float32(thumbnail.Side)
	for side < p.settings.Side {
		side *= 2
	}
	return scale * side / thumbnail.Side
}

// setSide sets the side of the thumbnails.
func (p *Panel) setSide(side float32) {
	if side = max(minSide, min(side, maxSide)); side == p.settings.Side {
		return
	}
	p.settings.Side = side
	p.sizeSlider.SetValue(float64(side))
	p.tiles.SetSide(side)
	p.saveSettings()
}

func titleOf(c model.Column) string { return strings.ToUpper(c.Name[:1]) + c.Name[1:] }

// example returns the placeholder of the filter, with columns and values of this document.
func (p *Panel) example() string {
	text := "Part of a name, *" + extension(p.archive)
	if p.archive.Len() > 0 {
		text += ", size > 1 MB"
		cell := p.archive.Table().Cell(0, archive.Type)
		text += fmt.Sprintf(", type = %v", cell)
	}
	return text
}

// extension returns the first extension of an asset.
func extension(a *archive.Archive) string {
	for i := range min(a.Len(), 100) {
		if base := a.Base(i); strings.LastIndexByte(base, '.') > 0 {
			return base[strings.LastIndexByte(base, '.'):]
		}
	}
	return ".png"
}
