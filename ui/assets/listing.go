package assets

import (
	"cmp"
	"context"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
)

// listing is the rows of the panel: "..", groups, then assets.
type listing struct {
	hasParent   bool
	groups      []int
	assets      query.Order // the listed assets, in order
	filtered    bool
	words       []string // the words of the filter, in lower case
	columns     []string // titles of the columns that contain the words, if no name does
	searchedAll bool     // the group has no matches, and all assets were searched
	// The assets are from several folders, so that their rows include the folder.
	scattered bool
	lines     []line // rows of a tree, which replace groups and assets; else nil
}

// newListing returns the listing of a group, or the matches of a filter in and below it. If there are no matches, it
// searches all groups.
func newListing(ctx context.Context, a *archive.Archive, t *model.Table, tree *archive.Tree, group int,
	filter *query.Filter, column int, order rows.Order, closed func(folder string) bool) (listing, error) {
	s := listing{hasParent: group > 0, filtered: !filter.Empty(), words: filter.RequiredWords()}
	assets := tree.AssetsIn(group)
	asTree := closed != nil && !s.filtered
	if asTree {
		assets = tree.AssetsBelow(0)
	}
	var err error
	if s.filtered {
		s.hasParent = false
		if assets, err = s.find(ctx, t, tree.AssetsBelow(group), filter); err == nil && len(assets) == 0 && group > 0 {
			assets, err = s.find(ctx, t, tree.AssetsBelow(0), filter)
			s.searchedAll = len(assets) > 0
		}
		if err != nil {
			return s, err
		}
		slices.Sort(assets)
	} else {
		s.groups = slices.Clone(tree.Groups[group].Groups)
		sortGroups(tree, s.groups, column, order)
	}
	if column >= 0 && order != rows.Unsorted {
		assets, err = a.Sort(ctx, t, assets, column, order == rows.Descending)
	}
	if s.assets = assets; asTree {
		s.arrangeTree(tree, closed, column, order)
	}
	return s, err
}

// find returns the assets with the filter's words in their names or, if there are none, in other columns.
func (s *listing) find(ctx context.Context, t *model.Table, assets query.Order, f *query.Filter) (query.Order, error) {
	found, err := query.FilterTable(ctx, t, assets, f, []int{archive.Name})
	if err != nil || len(found) > 0 || !f.HasWords() {
		return found, err
	}
	if found, err = query.FilterTable(ctx, t, assets, f, nil); err == nil {
		s.columns = query.ColumnsWithWords(t, found, f)
	}
	return found, err
}

// sortGroups sorts groups, which are in order of their names, by a column.
func sortGroups(tree *archive.Tree, groups []int, column int, order rows.Order) {
	key := func(g int) int64 {
		switch column {
		case archive.Size:
			return tree.Groups[g].Size
		case archive.Stored:
			return tree.Groups[g].Stored
		}
		return 0
	}
	slices.SortStableFunc(groups, func(x, y int) int { return cmp.Compare(key(x), key(y)) })
	if order == rows.Descending {
		slices.Reverse(groups)
	}
}

func (s *listing) Len() int64 {
	if s.lines != nil {
		return int64(len(s.lines))
	}
	n := int64(len(s.groups) + len(s.assets))
	if s.hasParent {
		n++
	}
	return n
}

// group returns the group of a row, or -1 for "..". It returns false for an asset or an invalid row.
func (s *listing) group(row int64) (int, bool) {
	if row < 0 {
		return 0, false
	}
	if s.lines != nil {
		if row >= s.Len() || s.lines[row].group < 0 {
			return 0, false
		}
		return int(s.lines[row].group), true
	}
	if s.hasParent {
		if row == 0 {
			return -1, true
		}
		row--
	}
	if row < int64(len(s.groups)) {
		return s.groups[row], true
	}
	return 0, false
}

// asset returns the asset of a row, or -1.
func (s *listing) asset(row int64) int {
	if s.lines != nil {
		if row < 0 || row >= s.Len() {
			return -1
		}
		return int(s.lines[row].asset)
	}
	first := s.Len() - int64(len(s.assets))
	if row < first || row >= s.Len() {
		return -1
	}
	return int(s.assets[row-first])
}

// rowOf returns the row of an asset, or -1.
func (s *listing) rowOf(asset int) int64 {
	if s.lines != nil {
		return int64(slices.IndexFunc(s.lines, func(l line) bool { return int(l.asset) == asset }))
	}
	if i := slices.Index(s.assets, uint32(asset)); i >= 0 {
		return s.Len() - int64(len(s.assets)) + int64(i)
	}
	return -1
}

// rowSource implements rows.Cells for a Panel.
type rowSource Panel

var (
	_ rows.Cells  = (*rowSource)(nil)
	_ rows.Leader = (*rowSource)(nil)
)

func (r *rowSource) Len() int64 { return r.listing.Len() }

// The space before a name, in device-independent pixels.
const (
	iconSpace  = 20 // width of an icon, a triangle or a sign
	tallRow    = 34 // height of a row with a thumbnail, and width of the thumbnail
	treeIndent = 14 // indent of a level of a tree
)

// Frame requests the thumbnails of the rows in view.
func (r *rowSource) Frame(c *paint.Canvas, _, height int) {
	p := (*Panel)(r)
	if p.mode != detailsMode {
		return
	}
	first, rowHeight := r.rows.First(), r.style.RowHeight(c.Scale)
	if p.Tall {
		p.requestAll(first, min(first+int64(height/max(1, c.Px(tallRow)))+2, r.Len()),
			float32(c.Px(tallRow-4))/thumbnail.Side)
		return
	}
	p.requestSmall(first, min(first+int64(height/max(1, rowHeight))+2, r.Len()), c.Scale)
}

func (r *rowSource) Cell(row int64, column int) rows.Cell {
	cell := r.cell(row, r.columns[column])
	if r.listing.lines != nil && r.columns[column] == archive.Name {
		cell.Indent = treeIndent * float32(r.listing.lines[row].depth)
	}
	return cell
}

func (r *rowSource) cell(row int64, c int) rows.Cell {
	if g, ok := r.listing.group(row); ok {
		return r.groupCell(g, c)
	}
	i := r.listing.asset(row)
	if i < 0 {
		return rows.Cell{}
	}
	if c == archive.Name {
		return r.nameCell(i)
	}
	v := r.archive.Table().Cell(int64(i), c)
	cell := rows.Cell{Tone: paint.Dim}
	if _, ok := v.(int64); ok {
		cell.Tone = paint.Normal
	}
	cell.Text = host.FormatValue(v)
	if c == archive.Checksum && r.archive.HasProblem(i) {
		cell.Tone = paint.Error
	}
	return cell
}

func (r *rowSource) nameCell(i int) rows.Cell {
	base := model.OneLine(r.archive.Base(i), 300)
	cell := rows.Cell{Text: base, Lead: iconSpace, CutMiddle: true, Tone: (*Panel)(r).tone(i)}
	if r.Tall {
		cell.Lead += tallRow + 4
	}
	if r.Noted != nil {
		cell.Flag, cell.Tip = r.Noted(i)
	}
	cell.Hint = (*Panel)(r).folderOf(i)
	cell.Highlight(r.listing.words...)
	return cell
}

// folderOf returns the folder of an asset if the list has assets of several folders, or "".
func (p *Panel) folderOf(i int) string {
	if !p.listing.scattered {
		return ""
	}
	return model.OneLine(strings.TrimSuffix(strings.TrimRight(p.archive.Path(i), "/"), p.archive.Base(i)), 300)
}

func (r *rowSource) groupCell(g, column int) rows.Cell {
	if g < 0 {
		if column == archive.Name {
			return rows.Cell{Text: "..", Lead: iconSpace}
		}
		return rows.Cell{}
	}
	group := &r.tree.Groups[g]
	switch column {
	case archive.Name:
		return rows.Cell{Text: model.OneLine(group.Name, 300), Lead: iconSpace, Hint: host.Count(group.Count, r.Word),
			CutMiddle: true}
	case archive.Size:
		switch group.Known {
		case 0:
			return rows.Cell{}
		case group.Count:
			return rows.Cell{Text: host.Number(group.Size)}
		}
		return rows.Cell{Text: "> " + host.Number(group.Size)}
	case archive.Stored:
		return rows.Cell{Text: host.Number(group.Stored)}
	}
	if n := (*Panel)(r).sum(g, column); n > 0 {
		return rows.Cell{Text: host.Number(n), Tone: paint.Warning}
	}
	return rows.Cell{}
}

// maxSummed is the maximum number of assets of a group whose cells are added up, for each group in view, while it is
// painted.
const maxSummed = 2_000

// sum returns the sum of the cells of a group's assets in a column of counts, 0 in any other column.
func (p *Panel) sum(group, column int) (sum int64) {
	if !p.archive.Columns()[column].Sum || p.tree.Groups[group].Count > maxSummed {
		return 0
	}
	if n, ok := p.countSums[group]; ok {
		return n
	}
	t := p.archive.Table()
	for _, i := range p.tree.AssetsBelow(group) {
		n, _ := t.Cell(int64(i), column).(uint64)
		sum += int64(n)
	}
	if p.countSums == nil {
		p.countSums = make(map[int]int64)
	}
	p.countSums[group] = sum
	return sum
}

// PaintLead paints the object before a name: a triangle and an icon, or the sign and the thumbnail of an asset.
func (r *rowSource) PaintLead(c *paint.Canvas, row int64, _ int, lead image.Rectangle) {
	g, folder := r.listing.group(row)
	side := min(lead.Dy(), c.Px(iconSpace)) - c.Px(4)
	pos := image.Pt(lead.Min.X, lead.Min.Y+(lead.Dy()-side)/2)
	square := image.Rectangle{pos, pos.Add(image.Pt(side, side))}
	if folder && r.listing.lines != nil {
		direction := paint.PointDown
		if r.closed[(*Panel)(r).path(g)] {
			direction = paint.PointRight
		}
		c.Triangle(square, direction, c.Colors.Dim)
		return
	}
	i := r.listing.asset(row)
	small := r.loader.Small(i, side)
	switch {
	case folder:
		rows.PaintIcon(c, square, rows.Folder)
	case r.Sign == nil && small != nil && !r.Tall:
		size := small.Bounds().Size()
		c.Picture(square.Min.Add(image.Pt(side-size.X, side-size.Y).Div(2)), small)
	case r.Sign == nil:
		rows.PaintIcon(c, square, (*Panel)(r).icon(i))
	default:
		c.Label(lead, r.Sign(i), paint.Bold, c.Colors.ForTone((*Panel)(r).tone(i)), paint.AlignLeft)
	}
	if img := r.loader.Picture(i); r.Tall && img != nil {
		corner := image.Pt(c.Px(tallRow)-img.Bounds().Dx(), lead.Dy()-img.Bounds().Dy()).Div(2)
		c.Picture(image.Pt(lead.Min.X+c.Px(iconSpace), lead.Min.Y).Add(corner), img)
	}
}

// icon returns the icon of an asset.
func (p *Panel) icon(i int) rows.Icon {
	if i < 0 {
		return rows.File
	}
	return icons[p.archive.Class(i)]
}

var icons = [...]rows.Icon{archive.Other: rows.File, archive.Image: rows.Image, archive.Sound: rows.Sound,
	archive.Text: rows.Text, archive.Scene: rows.Scene, archive.Font: rows.Font}

// tileSource implements rows.Data for a Panel.
type tileSource Panel

func (s *tileSource) Len() int64 { return s.listing.Len() }

// requestTiles requests the thumbnails of the rows in view.
func (p *Panel) requestTiles(from, to int64, scale float32) {
	if p.mode == tileMode {
		p.smallSide = int(p.settings.Side*scale + .5)
		p.requestAll(from, to, p.drawnScale(scale))
	}
}

// requestSmall requests the thumbnails before names, which only images have.
func (p *Panel) requestSmall(from, to int64, scale float32) {
	p.smallSide = p.style.RowHeight(scale) - 2*int(2*scale+.5)
	p.requestThumbnails(from, to, p.drawnScale(scale), func(i int) bool { return p.archive.Class(i) == archive.Image })
}

func (p *Panel) requestAll(from, to int64, scale float32) {
	p.requestThumbnails(from, to, scale, func(int) bool { return true })
}

func (p *Panel) requestThumbnails(from, to int64, scale float32, include func(i int) bool) {
	var assets []int
	for row := max(0, from); row < to; row++ {
		if i := p.listing.asset(row); i >= 0 && include(i) {
			assets = append(assets, i)
		}
	}
	p.loader.Request(p.document, scale, assets)
}

// Tile returns the tile of a group or an asset.
func (s *tileSource) Tile(row int64) rows.Tile {
	if g, ok := s.listing.group(row); ok {
		if g < 0 {
			return rows.Tile{Name: "..", Icon: rows.Folder}
		}
		group := &s.tree.Groups[g]
		return rows.Tile{Name: model.OneLine(group.Name, 300), Note: host.Count(group.Count, s.Word), Icon: rows.Folder}
	}
	i := s.listing.asset(row)
	if i < 0 {
		return rows.Tile{}
	}
	base := s.archive.Base(i)
	tile := rows.Tile{Name: model.OneLine(base, 300)}
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 && len(base)-dot <= 6 {
		tile.Word = strings.ToUpper(base[dot+1:])
	}
	if n, ok := s.archive.Table().Cell(int64(i), archive.Size).(int64); ok {
		tile.Note = host.Size(n)
	}
	tile.Where = (*Panel)(s).folderOf(i)
	tile.Tone, tile.Icon = (*Panel)(s).tone(i), (*Panel)(s).icon(i)
	switch s.mode {
	case tileMode, listMode:
		if small := s.loader.Small(i, s.smallSide); small != nil {
			tile.Picture = small
		}
	}
	return tile
}

// headLayout arranges three objects in a row: the path of a group, which can be scrolled if it is too long, a text that
// gets the remaining width, and choices.
type headLayout struct{}

// minPathWidth is the minimum width of the path, in device-independent pixels.
const minPathWidth = 60

func (headLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	choices := o[2].MinSize()
	return fyne.NewSize(minPathWidth+choices.Width, max(o[0].MinSize().Height, o[1].MinSize().Height, choices.Height))
}

func (headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	choices := o[2].MinSize().Width
	available := size.Width - choices
	crumbs := min(o[0].(*container.Scroll).Content.MinSize().Width, available)
	place := func(o fyne.CanvasObject, x, width float32) {
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(width, size.Height))
	}
	place(o[0], 0, crumbs)
	place(o[1], crumbs+theme.Padding(), max(0, available-crumbs-2*theme.Padding()))
	place(o[2], available, choices)
}
