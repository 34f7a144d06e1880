// Package noted displays user notes. List is the list of the notes of a document, and Editor the form for one note. The
// functions return flags, tooltips and marks for other views.
package noted

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/notes"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/details"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/text"
)

// Tone returns the tone of a color.
func Tone(c notes.Color) paint.Tone { return paint.Yellow + paint.Tone(c) }

// Flag returns the mark of a note.
func Flag(c notes.Color) rows.Mark { return rows.Mark{Paint: flag, Tone: Tone(c)} }

// flag paints a pole with a pennant.
func flag(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, "noted.flag", col, func(p paint.Pen) {
		p.Polygon(.1, 0, .26, 0, .26, 1, .1, 1)
		p.Polygon(.26, .04, 1, .04, .78, .33, 1, .62, .26, .62)
	})
}

// RowFlag returns the flag of the last note of a node, and the text of its notes.
func RowFlag(notes []notes.PlacedNote) (flag rows.Mark, tip string) {
	if len(notes) > 0 {
		flag = Flag(notes[len(notes)-1].Color)
	}
	return flag, sentences(notes)
}

// The maximum numbers of notes in a tooltip and in the details.
const (
	maxTipNotes    = 5
	maxDetailLines = 100
)

// sentences returns the texts of the first notes and the number of omitted ones, in one line.
func sentences(all []notes.PlacedNote) string {
	var texts []string
	for _, n := range all[:min(len(all), maxTipNotes)] {
		texts = append(texts, Sentence(n))
	}
	if omitted := len(all) - maxTipNotes; omitted > 0 {
		texts = append(texts, "and "+host.Count(int64(omitted), "more note"))
	}
	return strings.Join(texts, " · ")
}

// Sentence returns the text of a note in one line.
func Sentence(n notes.PlacedNote) string {
	if n.Text == "" {
		return "Bookmark (" + n.Color.String() + ")"
	}
	return model.OneLine(n.Text, notes.MaxText)
}

// Lines returns notes as lines of details. edit, if not nil, is called with a note that the user chose.
func Lines(noted []notes.PlacedNote, edit func(n notes.PlacedNote)) (lines []details.Line) {
	for _, n := range noted[:min(len(noted), maxDetailLines)] {
		l := details.Fact(n.Color.String(), rows.Cell{Text: Sentence(n)})
		l.Cells[0].Flag = Flag(n.Color)
		if edit != nil {
			l.On = func() { edit(n) }
		}
		lines = append(lines, l)
	}
	return lines
}

// InText returns the notes on parts of a text, for the view of the text.
func InText(p *notes.Placement, size int64) (all []text.Note) {
	for _, n := range p.InSpan(model.Span{Size: size}) {
		if n.Bytes.Size < size || n.OnBytes {
			all = append(all, text.Note{Span: n.Bytes, Sign: Flag(n.Color), Text: Sentence(n)})
		}
	}
	return all
}

// Marks returns the marks of the notes on bytes in a span, except of notes on a whole document of that size.
func Marks(p *notes.Placement, size int64, span model.Span) (marks []hex.Mark) {
	for _, n := range p.InSpan(span) {
		if n.Bytes.Size < size || n.OnBytes {
			marks = append(marks,
				hex.Mark{Offset: n.Bytes.Offset, Length: n.Bytes.Size, Kind: hex.Noted, Tone: Tone(n.Color)})
		}
	}
	return marks
}

// ByteTip returns the text of the notes on a byte, the shortest span first, or "" if it has no notes.
func ByteTip(p *notes.Placement, offset int64) string {
	noted := p.InSpan(model.Span{Offset: offset, Size: 1})
	slices.Reverse(noted)
	return sentences(noted)
}

// Placer finds notes.
type Placer interface {
	// PlaceNotes finds the notes of a document, as notes.Place does. It may be called on any goroutine.
	PlaceNotes(ctx context.Context, d *model.Document, old *notes.Placement) (*notes.Placement, error)
}

// Host is the host of a part that displays notes.
type Host interface {
	Placer
	// EditNote and DeleteNote are called with a note that the user chose.
	EditNote(n notes.PlacedNote)
	DeleteNote(n notes.PlacedNote)
	// CarryNotes copies the notes on an earlier version of the file to the current version.
	CarryNotes()
}

// Events are the callbacks of a list.
type Events struct {
	OnShow   func(n notes.PlacedNote) // the user selected a note
	OnEdit   func(n notes.PlacedNote)
	OnDelete func(n notes.PlacedNote)
	OnCarry  func() // carry over the notes of an earlier version
}

// List is the notes of a document, with a filter above them.
type List struct {
	host.Host
	Events
	*rows.List[notes.PlacedNote] // the notes that match the filter

	filter  *control.Filter
	carry   *control.Button
	message *widget.Label // displayed if there are no rows
	head    *fyne.Container
	content fyne.CanvasObject

	all   []notes.PlacedNote
	words []string // the words of the filter
}

// NewList returns an empty list.
func NewList(h host.Host, style *paint.Style, events Events) *List {
	l := &List{Host: h, Events: events, message: widget.NewLabel("")}
	l.message.Importance, l.message.Alignment = widget.LowImportance, fyne.TextAlignCenter
	l.message.Wrapping = fyne.TextWrapWord
	l.List = rows.NewList(l, style, rows.Options{Header: true, MinSize: fyne.NewSize(100, 60)}, l.columns()...)
	show := func(row int) { l.OnShow(l.Items[row]) }
	l.OnCurrent, l.OnClick = show, show // a click on the current note shows it again
	l.OnActivate = func(row int) { l.OnEdit(l.Items[row]) }
	l.OnMenu = func(row int, pos fyne.Position) { l.Menu(l.menu(l.Items[row]), pos) }
	l.filter = control.NewFilter(l, "Filter notes: text, color = red, size > 1 KB", l.Fields.List, l.show)
	l.filter.SetOnLeave(func(bool) { l.Table.Focus() })
	l.carry = control.NewButton(l.Key, "Carry Over", nil, func() { l.OnCarry() })
	l.head = container.NewBorder(nil, nil, nil, l.carry, l.filter.Field)
	l.content = l.filter.WithPopup(container.NewBorder(l.head, nil, nil, nil,
		container.NewStack(l.Table, container.NewVBox(layout.NewSpacer(), l.message, layout.NewSpacer()))))
	l.show()
	return l
}

// columns returns the columns. Flags and numbers have fixed widths.
func (l *List) columns() []rows.ListColumn[notes.PlacedNote] {
	const flag, number = 26, 84
	dim := func(text string) rows.Cell {
		c := rows.Cell{Text: text, Tone: paint.Dim}
		c.Highlight(l.words...)
		return c
	}
	return []rows.ListColumn[notes.PlacedNote]{
		{Width: flag, Cell: func(n notes.PlacedNote) rows.Cell { return rows.Cell{Flag: Flag(n.Color)} },
			Filter: query.Column{Name: "color", Values: colors()},
			Value:  func(n notes.PlacedNote) any { return n.Color.String() }},
		{Title: "Note", Share: 0.58, Filter: query.Column{Name: "note"},
			Value: func(n notes.PlacedNote) any { return n.Text },
			Cell: func(n notes.PlacedNote) rows.Cell {
				c := dim(Sentence(n))
				if !n.Earlier {
					c.Tone = paint.Normal
				}
				return c
			}},
		{Title: "Where", Share: 0.42, Filter: query.Column{Name: "where"},
			Value: func(n notes.PlacedNote) any { return n.Title },
			Cell: func(n notes.PlacedNote) rows.Cell {
				c := dim(locationOf(n))
				c.CutMiddle = !n.Earlier
				return c
			}},
		{Title: "Offset", Width: number, Align: paint.AlignRight,
			Filter: query.Column{Name: "offset", Kind: query.Number},
			Value:  func(n notes.PlacedNote) any { return n.Bytes.Offset },
			Cell: func(n notes.PlacedNote) rows.Cell {
				return rows.Cell{Text: fmt.Sprintf("%#x", n.Bytes.Offset), Mono: true, Tone: paint.Dim}
			}},
		{Title: "Size", Width: number, Align: paint.AlignRight, Filter: query.Column{Name: "size", Kind: query.Size},
			Value: func(n notes.PlacedNote) any { return n.Bytes.Size },
			Cell: func(n notes.PlacedNote) rows.Cell {
				return rows.Cell{Text: host.Number(n.Bytes.Size), Mono: true, Tone: paint.Dim}
			}},
	}
}

func colors() (names []string) {
	for _, c := range notes.Colors() {
		names = append(names, c.String())
	}
	return names
}

// Content returns the object to add to the window.
func (l *List) Content() fyne.CanvasObject { return l.content }

// Set displays other notes.
func (l *List) Set(all []notes.PlacedNote) {
	l.all = all
	l.show()
}

// show displays the notes that match the filter and keeps the current row, or makes the first one current.
func (l *List) show() {
	filter, ok := l.filter.Parse()
	if !ok {
		return
	}
	current, earlier := max(0, l.Current()), 0
	var listed []notes.PlacedNote
	l.words = filter.RequiredWords()
	for _, n := range l.all {
		if n.Earlier {
			earlier++
		}
		if l.Fields.Match(filter, n) {
			listed = append(listed, n)
		}
	}
	paint.SetVisible(l.carry, earlier > 0)
	l.carry.SetText("Carry Over " + host.Count(int64(earlier), "Note"))
	l.head.Refresh()
	switch {
	case len(l.all) == 0:
		l.message.SetText("No notes yet. " + l.Keys().Text("note.edit") + " adds one to the selected node or bytes.")
	case len(listed) == 0:
		l.message.SetText("No matches")
	default:
		l.message.SetText("")
	}
	l.List.Set(listed)
	l.SetCurrent(min(current, len(listed)-1))
}

func (l *List) menu(n notes.PlacedNote) *fyne.Menu {
	return fyne.NewMenu("", fyne.NewMenuItem("Show", func() { l.OnShow(n) }),
		fyne.NewMenuItem("Edit…", func() { l.OnEdit(n) }),
		fyne.NewMenuItem("Delete", func() { l.OnDelete(n) }),
		fyne.NewMenuItem("Copy Text", func() { l.Copy(n.Text) }))
}

// Key deletes the current note, or handles the key as the host does.
func (l *List) Key(k *fyne.KeyEvent, shift bool) bool {
	if n, ok := l.Item(l.Current()); ok && k.Name == fyne.KeyDelete {
		l.OnDelete(n)
		return true
	}
	return l.Host.Key(k, shift)
}

// locationOf returns the location of a note for its row.
func locationOf(n notes.PlacedNote) string {
	location := model.OneLine(n.Title, 400)
	if n.Node == "/" {
		location = "the whole file"
	}
	switch {
	case n.Earlier && n.Node == "":
		return "from an earlier version; bytes no longer exist"
	case n.Earlier:
		return location + "  (earlier version)"
	case n.OnBytes:
		return location + "  (bytes)"
	}
	return location
}

// Editor is the form for the text and the color of a note.
type Editor struct {
	Text  *control.Field
	Color notes.Color
	// OnEnter is called when Enter is pressed in the text.
	OnEnter func()

	colors  []*control.Button
	content fyne.CanvasObject
}

// NewEditor returns the fields to edit a note.
func NewEditor(h host.Host, color notes.Color, text string) *Editor {
	e := &Editor{Text: control.NewField(h, "Note text (leave empty for a bookmark)"), Color: color}
	e.Text.SetText(text)
	e.Text.ShowEnd()
	e.Text.OnKey = func(ev *fyne.KeyEvent, _ bool) bool {
		enter := ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter
		if enter {
			e.OnEnter()
		}
		return enter
	}
	row := container.NewHBox(widget.NewLabel("Color"))
	for _, c := range notes.Colors() {
		b := control.NewIcon(h, nil, c.String(), func() {
			e.selectColor(c)
			e.Text.Refocus() // so that Enter saves
		})
		e.colors = append(e.colors, b)
		row.Add(b)
	}
	e.selectColor(color)
	e.content = container.NewVBox(e.Text, row)
	return e
}

// Content returns the object to add to the window.
func (e *Editor) Content() fyne.CanvasObject { return e.content }

// selectColor selects a color.
func (e *Editor) selectColor(color notes.Color) {
	e.Color = color
	colors := paint.ThemeColors(e.Text)
	for i, c := range notes.Colors() {
		e.colors[i].SetIcon(colorIcon(colors.ForTone(Tone(c)), colors.Background, c == color))
	}
}

// colorIcon returns a disc of a color, with a tick if it is chosen.
func colorIcon(col, tick paint.Color, isChosen bool) fyne.Resource {
	part := ""
	if isChosen {
		part = fmt.Sprintf(`<path d="M6 12.5l4 4 8-8.5" fill="none" stroke="%s" stroke-width="3"/>`, hexColor(tick))
	}
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="%s"/>%s</svg>`,
		hexColor(col), part)
	return fyne.NewStaticResource(fmt.Sprintf("note-%s-%t.svg", hexColor(col)[1:], isChosen), []byte(svg))
}

func hexColor(c paint.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
