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
	"assay/ui/rows"
)

const filterDelay = 120 * time.Millisecond // after the last letter

func (p *Panel) arrange(delay time.Duration) {
	var names []string
	if p.stale && p.tree != nil {
		names = p.tree.Names(p.at)
	}
	p.show(names, delay)
}

// show finds and sorts the assets of the group or the matches of the filter, off the UI thread, then displays them.
func (p *Panel) show(names []string, delay time.Duration) {
	a := p.archive
	if a == nil {
		return
	}
	t := a.Table()
	filter, ok := p.typing.Parse()
	if !ok {
		p.lane.Stop()
		p.count.SetText("")
		return
	}
	group, tree, at, column, order := p.chosenGrouping(), p.tree, p.at, p.column, p.order
	first := !p.begun && p.complete
	if p.stale {
		tree = nil
	}
	var closed func(folder string) bool
	if p.isTree() {
		at = 0
		shut := maps.Clone(p.closed)
		closed = func(folder string) bool { return shut[folder] }
	}
	p.lane.Go(func(ctx context.Context) func() {
		if delay > 0 && !p.group.Pause(ctx, delay) {
			return nil
		}
		var err error
		if tree == nil {
			if tree, err = group.make(ctx, a); err == nil {
				at = tree.Find(names)
			}
			if err == nil && first && at == 0 && closed == nil {
				at = tree.Sole()
			}
		}
		var shown listing
		if err == nil {
			shown, err = arranged(ctx, a, t, tree, at, filter, column, order, closed)
			shown.scattered = shown.filtered || group.name != groupings[0].name && shown.lines == nil
		}
		return func() {
			if err != nil {
				p.count.SetText(host.Sentence(err))
				return
			}
			p.arranged(tree, at, shown)
		}
	})
}

func (p *Panel) arranged(tree *archive.Tree, at int, shown listing) {
	keep, wanted := p.Current(), p.wanted
	_, row := p.selection()
	marks := p.marks(tree)
	if p.wanted = -1; wanted >= 0 {
		keep, marks = wanted, nil
	}
	if shown.filtered && !p.shown.filtered {
		p.before = row
	}
	unfiltered := p.shown.filtered && !shown.filtered && row < 0 && p.tree != nil && at == p.at
	p.tree, p.stale, p.at, p.shown = tree, false, at, shown
	p.begun = p.begun || p.complete
	p.showCrumbs()
	p.tiles.SetWhere(shown.scattered)
	p.count.SetText(p.counted())
	first := p.rows.First()
	p.refresh()
	p.rows.SetSort(slices.Index(p.columns, p.column), p.order)
	if p.kept >= 0 {
		p.rows.SetFirst(first)
		p.setSelection(p.kept)
		p.kept = -1
		return
	}
	switch entered := p.entered && !shown.filtered; {
	case entered && wanted < 0:
		p.entered = false
		p.goTo(p.landing())
	case keep >= 0:
		if row := p.shown.row(keep); row >= 0 {
			p.mark(row, marks)
		} else if marks != nil {
			p.mark(-1, marks)
		} else if wanted >= 0 {
			p.reveal(wanted)
		}
	case marks != nil:
		p.mark(-1, marks)
	case unfiltered && p.before < p.shown.Len():
		p.setSelection(p.before)
	}
	if p.stepping && keep == p.Current() {
		p.stepping = false
		p.selected()
	}
}

// marks returns which assets are selected, by index, and behind them which groups if the next listing is of the same
// tree. It returns nil if fewer than two rows are selected.
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
	for _, part := range selected.All() {
		for row := part.From; row < part.To; row++ {
			if at := p.markOf(row); at >= 0 && at < len(marks) {
				marks[at] = true
			}
		}
	}
	return marks
}

// markOf returns the index of a row in marks, or -1.
func (p *Panel) markOf(row int64) int {
	if g, ok := p.shown.group(row); ok && g >= 0 {
		return p.archive.Len() + g
	}
	return p.shown.asset(row)
}

// mark selects a row, and the rows of marks.
func (p *Panel) mark(current int64, marks []bool) {
	selected := rows.Just(current)
	if marks == nil {
		p.view().Select(current, selected)
		return
	}
	for row := range p.shown.Len() {
		if at := p.markOf(row); at >= 0 && at < len(marks) && marks[at] {
			selected.Add(row, row+1)
		}
	}
	p.view().Select(current, selected)
	p.selected()
}

// counted returns the number of listed assets and groups.
func (p *Panel) counted() string {
	files := int64(len(p.shown.rows))
	text := host.Count(files, p.Word)
	if n := len(p.shown.groups); n > 0 && !p.shown.filtered {
		groups := host.Count(n, p.groupWord())
		if files == 0 {
			text = groups
		} else {
			text = groups + ", " + text
		}
	}
	switch {
	case p.shown.filtered && files == 0:
		return "No matches"
	case !p.complete:
		text += fmt.Sprintf(" – reading %s", host.Count(p.archive.Total, p.Word))
	case p.shown.filtered:
		return p.matchText(files)
	}
	return text
}

// matchText returns the number of matches and, if it is not obvious, the groups or columns that contain them.
func (p *Panel) matchText(files int64) string {
	in := p.at
	if p.shown.outside {
		in = 0
	}
	text := fmt.Sprintf("%s of %s", host.Number(files), host.Count(p.tree.Groups[in].Count, p.Word))
	if len(p.shown.by) > 0 {
		text += ", by " + strings.Join(p.shown.by, " or ")
	}
	if p.shown.outside {
		text += ", none in " + model.OneLine(p.tree.Groups[p.at].Name, 40)
	}
	return text
}

// askOrder opens the menu of the columns, for tiles and names, which have no header.
func (p *Panel) askOrder() {
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
	at := slices.Index(p.columns, p.column)
	for i, c := range p.columns {
		add(titleOf(p.archive.Columns()[c]), i == at, i, max(p.order, rows.Ascending))
	}
	add("Order of the File", at < 0, 0, rows.Unsorted)
	if at >= 0 {
		m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		add("Ascending", p.order == rows.Ascending, at, rows.Ascending)
		add("Descending", p.order == rows.Descending, at, rows.Descending)
	}
	p.Menu(m, fyne.CurrentApp().Driver().AbsolutePositionForObject(p.orders).AddXY(0, p.orders.Size().Height))
}

func (p *Panel) sort(column int, order rows.Order) {
	if p.archive == nil {
		return
	}
	p.column, p.order = p.columns[column], order
	if order == rows.Unsorted {
		p.column = -1
	}
	p.rememberOrder()
	p.arrange(0)
}
