package ask

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Item is a choice in a QuickList.
type Item struct {
	Name, Note, Where string
	ID                string // keeps the item current while the query changes; may be empty
	Dim               bool   // painted dim: a heading, a hint, or an item with a problem
	On                func() // nil: the item cannot be chosen
}

// QuickList is a list over the window in which the user types a part of a name.
type QuickList struct {
	host.None
	popup        *widget.PopUp
	field        *control.Field
	table        *rows.List[Item]
	query        string        // query of the items
	message      *widget.Label // a message instead of items
	lane         *work.Lane
	group        *work.Group
	search       func(ctx context.Context, query string, show func([]Item))
	blank        string // the message before anything is typed
	enterPending bool   // Enter was pressed before there were items
}

// Size of the list: in device-independent pixels, or the share of the window if that is more.
const (
	minWidth, minHeight = 680, 380
	windowShare         = 0.45
)

// ShowQuickList opens a list of the found items over a canvas. blank is the message while the query is empty and there
// are no items. search runs in a job and may call show several times.
func ShowQuickList(c fyne.Canvas, style *paint.Style, group *work.Group, placeholder, blank string,
	search func(ctx context.Context, query string, show func([]Item))) *QuickList {
	l := &QuickList{lane: group.Lane(), group: group, search: search, blank: blank}
	l.field = control.NewField(l, placeholder)
	l.field.OnChanged = l.find
	l.field.OnKey = l.Key
	l.table = rows.NewList(l, style, rows.Options{MinSize: fyne.NewSize(200, 100), Fit: true}, l.columns()...)
	l.table.OnActivate, l.table.OnClick = l.run, l.run
	l.message = widget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	l.message.Importance = widget.LowImportance
	content := container.NewBorder(l.field, nil, nil, nil, l.table.Table, container.NewCenter(l.message))
	l.popup = widget.NewPopUp(content, c)
	window := c.Size()
	size := fyne.NewSize(min(max(minWidth, window.Width*windowShare), window.Width-40),
		min(max(minHeight, window.Height*windowShare), window.Height-80))
	l.popup.Resize(size)
	l.popup.ShowAtPosition(fyne.NewPos((window.Width-size.Width)/2, 56))
	c.Focus(l.field)
	l.find("")
	return l
}

// Close closes the list.
func (l *QuickList) Close() {
	l.lane.Stop()
	l.popup.Hide()
}

// Field returns the field in which the user types.
func (l *QuickList) Field() *control.Field { return l.field }

// Items returns the current items.
func (l *QuickList) Items() []Item { return l.table.Items }

func (l *QuickList) find(query string) {
	l.enterPending = false
	l.lane.Go(func(ctx context.Context) func() {
		n := 0
		show := func(found []Item) {
			n = len(found)
			l.group.Do(ctx, func() { l.show(found, query) })
		}
		l.search(ctx, query, show)
		return func() {
			l.enterPending = false
			if n == 0 {
				l.show(nil, query)
				l.message.SetText(l.emptyMessage(query))
			}
		}
	})
}

// emptyMessage returns the message if there are no items.
func (l *QuickList) emptyMessage(query string) string {
	if strings.TrimSpace(query) == "" {
		return l.blank
	}
	return "No matches"
}

// show displays the items found so far. The current item stays current, except the first one: then the new first item
// is current.
func (l *QuickList) show(found []Item, query string) {
	row := 0
	current := l.table.Current()
	if previous, ok := l.table.Item(current); ok && current > 0 {
		row = max(0, slices.IndexFunc(found, func(item Item) bool {
			return previous.ID != "" && item.ID == previous.ID ||
				query == l.query && item.Name == previous.Name && item.Where == previous.Where &&
					item.Note == previous.Note
		}))
	}
	l.message.SetText("")
	l.query = query
	l.table.Set(found)
	if len(found) > 0 {
		l.table.SetCurrent(row)
	}
	if l.enterPending && l.ready() {
		l.run(row)
	}
}

// ready reports whether the current item is a result for the text in the field, and can be chosen.
func (l *QuickList) ready() bool {
	item, ok := l.table.Item(l.table.Current())
	return ok && l.query == l.field.Text && item.On != nil
}

// Key moves in the list, chooses the current item, or closes the list.
func (l *QuickList) Key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyDown, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp:
		l.table.Key(ev)
	case fyne.KeyReturn, fyne.KeyEnter:
		if l.enterPending = !l.ready(); !l.enterPending {
			l.run(l.table.Current())
		}
	case fyne.KeyEscape:
		l.Close()
	default:
		return false
	}
	return true
}

func (l *QuickList) run(row int) {
	if item, ok := l.table.Item(row); ok && item.On != nil {
		l.Close()
		item.On()
	}
}

func (l *QuickList) columns() []rows.ListColumn[Item] {
	return []rows.ListColumn[Item]{
		{Share: 0.4, Cell: func(i Item) rows.Cell {
			cell := rows.Cell{Text: i.Name, CutMiddle: true}
			if i.Dim {
				cell.Tone = paint.Dim
			}
			return l.highlight(cell)
		}},
		{Share: 0.18, Cell: func(i Item) rows.Cell { return rows.Cell{Text: i.Note, Tone: paint.Dim} }},
		{Share: 0.42, Cell: func(i Item) rows.Cell {
			cell := rows.Cell{Text: i.Where, Tone: paint.Dim, CutMiddle: true}
			if highlight(i.Name, l.query) != nil {
				return cell
			}
			return l.highlight(cell)
		}},
	}
}

// highlight highlights the letters of a cell that match the query.
func (l *QuickList) highlight(c rows.Cell) rows.Cell {
	if c.Pieces = highlight(c.Text, l.query); c.Pieces != nil {
		c.Text, c.HighlightTone = "", paint.Warning
	}
	return c
}

// ContainsWords reports whether texts contain all words of a query, ignoring case.
func ContainsWords(query string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)),
		func(word string) bool { return !strings.Contains(all, word) })
}

// highlight splits a text into pieces with the matches of a query highlighted: the query as a whole, its words, or its
// letters in order. It returns nil if the text does not match.
func highlight(text, query string) []paint.Piece {
	lower := strings.ToLower(text)
	query = strings.ToLower(strings.TrimSpace(query))
	if query == "" || len(lower) != len(text) {
		return nil
	}
	marks := make([]bool, len(text))
	if !markWords(marks, lower, []string{query}) && !markWords(marks, lower, strings.Fields(query)) &&
		!markLetters(marks, lower, query) {
		return nil
	}
	return paint.MarkPieces(text, marks)
}

// markWords marks words. It marks nothing and returns false if a word is missing.
func markWords(marks []bool, lower string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(lower, w) {
			return false
		}
	}
	for _, w := range words {
		setMarks(marks, strings.Index(lower, w), len(w))
	}
	return true
}

// markLetters marks the letters of a query in order. It marks nothing and returns false if a letter is missing.
func markLetters(marks []bool, lower, query string) bool {
	from := 0
	var indexes []int
	for _, r := range query {
		i := strings.IndexRune(lower[from:], r)
		if i < 0 {
			return false
		}
		indexes = append(indexes, from+i)
		from += i + utf8.RuneLen(r)
	}
	for _, index := range indexes {
		_, n := utf8.DecodeRuneInString(lower[index:])
		setMarks(marks, index, n)
	}
	return true
}

func setMarks(marks []bool, at, n int) {
	for i := at; i < min(at+n, len(marks)); i++ {
		marks[i] = true
	}
}
