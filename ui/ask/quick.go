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

// Item is a choice in a List.
type Item struct {
	Name, Note, Where string
	Dim               bool   // it is listed, but cannot be used
	On                func() // nil: the item cannot be chosen yet
}

// List is the widget over the window.
type List struct {
	host.None
	popup  *widget.PopUp
	field  *control.Field
	table  *rows.Table
	items  items
	said   *widget.Label // a message instead of items
	lane   *work.Lane
	group  *work.Group
	search func(ctx context.Context, query string, show func([]Item))
	blank  string // the message before anything is typed
	taking bool   // Enter was pressed before there were items
}

// Size of the list: in device-independent pixels, or the share of the window if that is more.
const (
	wide, high = 680, 380
	share      = 0.45
)

// Show opens a list over a canvas. blank is the message while the query is empty and there are no items. search runs in
// a job and may call show several times.
func Show(c fyne.Canvas, style *paint.Style, group *work.Group, placeholder, blank string,
	search func(ctx context.Context, query string, show func([]Item))) *List {
	l := &List{lane: group.Lane(), group: group, search: search, blank: blank}
	l.field = control.NewField(l, placeholder)
	l.field.OnChanged = l.find
	l.field.OnKey = l.Key
	l.table = rows.NewTable(l, style, &l.items,
		rows.TableOptions{MinSize: fyne.NewSize(200, 100), Shares: []float32{0.4, 0.18, 0.42}, Fit: true},
		rows.Column{}, rows.Column{}, rows.Column{})
	l.table.OnActivate, l.table.OnClick = l.take, l.take
	l.said = widget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	l.said.Importance = widget.LowImportance
	content := container.NewBorder(l.field, nil, nil, nil, l.table, container.NewCenter(l.said))
	l.popup = widget.NewPopUp(content, c)
	window := c.Size()
	size := fyne.NewSize(min(max(wide, window.Width*share), window.Width-40),
		min(max(high, window.Height*share), window.Height-80))
	l.popup.Resize(size)
	l.popup.ShowAtPosition(fyne.NewPos((window.Width-size.Width)/2, 56))
	c.Focus(l.field)
	l.find("")
	return l
}

// Close closes the list.
func (l *List) Close() {
	l.lane.Stop()
	l.popup.Hide()
}

// Field returns the field in which the user types.
func (l *List) Field() *control.Field { return l.field }

// Items returns the current items.
func (l *List) Items() []Item { return l.items.all }

func (l *List) find(query string) {
	l.taking = false
	l.lane.Go(func(ctx context.Context) func() {
		n := 0
		show := func(found []Item) {
			n = len(found)
			l.group.Show(ctx, func() { l.show(found, query) })
		}
		l.search(ctx, query, show)
		return func() {
			l.taking = false
			if n == 0 {
				l.show(nil, query)
				l.said.SetText(l.nothing(query))
			}
		}
	})
}

// nothing returns the message if there are no items.
func (l *List) nothing(query string) string {
	if strings.TrimSpace(query) == "" {
		return l.blank
	}
	return "No matches"
}

// show displays the items found so far. The current item stays current.
func (l *List) show(found []Item, query string) {
	row := 0
	if at := l.table.Current(); at > 0 && at < len(l.items.all) && query == l.items.query {
		for i, it := range found {
			if was := l.items.all[at]; it.Name == was.Name && it.Where == was.Where && it.Note == was.Note {
				row = i
			}
		}
	}
	l.said.SetText("")
	l.items = items{found, query}
	l.table.SetData(&l.items)
	if len(found) > 0 {
		l.table.SetCurrent(row)
	}
	if l.taking && l.ready() {
		l.take(row)
	}
}

// ready reports whether the current item is a result for the text in the field, and can be chosen.
func (l *List) ready() bool {
	row := l.table.Current()
	return l.items.query == l.field.Text && row >= 0 && row < len(l.items.all) && l.items.all[row].On != nil
}

// Key moves in the list, chooses the current item, or closes the list.
func (l *List) Key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyDown, fyne.KeyUp, fyne.KeyPageDown, fyne.KeyPageUp:
		l.table.Key(ev)
	case fyne.KeyReturn, fyne.KeyEnter:
		if l.taking = !l.ready(); !l.taking {
			l.take(l.table.Current())
		}
	case fyne.KeyEscape:
		l.Close()
	default:
		return false
	}
	return true
}

func (l *List) take(row int) {
	if row < 0 || row >= len(l.items.all) {
		return
	}
	item := l.items.all[row]
	if item.On == nil {
		return
	}
	l.Close()
	item.On()
}

// items are the items of a query.
type items struct {
	all   []Item
	query string
}

// Len returns the number of items.
func (i *items) Len() int { return len(i.all) }

// Cell returns a cell of an item.
func (i *items) Cell(row, column int) rows.Cell {
	it := i.all[row]
	switch column {
	case 0:
		cell := rows.Cell{Text: it.Name, Ends: true}
		if it.Dim {
			cell.Tone = paint.Dim
		}
		return i.found(cell)
	case 1:
		return rows.Cell{Text: it.Note, Tone: paint.Dim}
	}
	cell := rows.Cell{Text: it.Where, Tone: paint.Dim, Ends: true}
	if lit(it.Name, i.query) != nil {
		return cell
	}
	return i.found(cell)
}

// found highlights the letters of a cell that match the query.
func (i *items) found(c rows.Cell) rows.Cell {
	if c.Pieces = lit(c.Text, i.query); c.Pieces != nil {
		c.Text, c.Ground = "", paint.Warning
	}
	return c
}

// Has reports whether texts contain all words of a query, ignoring case.
func Has(query string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)),
		func(word string) bool { return !strings.Contains(all, word) })
}

// lit returns a text in pieces in which the parts that match a query are highlighted: the query as a whole, its words,
// or its letters in order. It returns nil if the text does not match.
func lit(text, query string) []paint.Piece {
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
	return paint.Marked(text, marks)
}

// markWords marks words. It marks nothing and returns false if a word is missing.
func markWords(marks []bool, lower string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(lower, w) {
			return false
		}
	}
	for _, w := range words {
		mark(marks, strings.Index(lower, w), len(w))
	}
	return true
}

// markLetters marks the letters of a query in order. It marks nothing and returns false if a letter is missing.
func markLetters(marks []bool, lower, query string) bool {
	at := 0
	var places []int
	for _, r := range query {
		i := strings.IndexRune(lower[at:], r)
		if i < 0 {
			return false
		}
		places = append(places, at+i)
		at += i + utf8.RuneLen(r)
	}
	for _, place := range places {
		_, n := utf8.DecodeRuneInString(lower[place:])
		mark(marks, place, n)
	}
	return true
}

func mark(marks []bool, at, n int) {
	for i := at; i < min(at+n, len(marks)); i++ {
		marks[i] = true
	}
}
