package noted

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/notes"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Events are the callbacks of a list.
type Events struct {
	OnShow   func(n notes.Placed) // the user selected a note
	OnEdit   func(n notes.Placed)
	OnDelete func(n notes.Placed)
	OnCarry  func() // carry over the notes of an earlier version
}

// List is the notes of a document, with a filter above them.
type List struct {
	host.Host
	Events
	Table *rows.Table

	filter  *control.Filter
	carry   *control.Button
	said    *widget.Label // instead of rows
	head    *fyne.Container
	content fyne.CanvasObject

	all   []notes.Placed
	shown []notes.Placed // the notes that match the filter
	lit   []string       // the words of the filter
}

// NewList returns an empty list.
func NewList(h host.Host, style *paint.Style, on Events) *List {
	l := &List{Host: h, Events: on, said: widget.NewLabel("")}
	l.said.Importance, l.said.Alignment = widget.LowImportance, fyne.TextAlignCenter
	l.said.Wrapping = fyne.TextWrapWord
	options := rows.TableOptions{Header: true, MinSize: fyne.NewSize(100, 60), Widths: widths}
	l.Table = rows.NewTable(l, style, l, options, rows.Column{}, rows.Column{Title: "Note"}, rows.Column{Title: "Where"},
		rows.Column{Title: "Offset", Align: paint.Trailing}, rows.Column{Title: "Size", Align: paint.Trailing})
	show := func(row int) { l.OnShow(l.shown[row]) }
	l.Table.OnCurrent, l.Table.OnClick = show, show // a click on the current note shows it again
	l.Table.OnActivate = func(row int) { l.OnEdit(l.shown[row]) }
	l.Table.OnMenu = func(row int, at fyne.Position) { l.Menu(l.menu(l.shown[row]), at) }
	l.filter = control.New(l, "Filter notes: text, color = red, size > 1 KB", func() *query.List { return &columns }, l.show)
	l.filter.Leave(func(bool) { l.Table.Focus() })
	l.carry = control.NewButton(l.Key, "Carry Over", nil, func() { l.OnCarry() })
	l.head = container.NewBorder(nil, nil, nil, l.carry, l.filter.Field)
	l.content = l.filter.Over(container.NewBorder(l.head, nil, nil, nil,
		container.NewStack(l.Table, container.NewVBox(layout.NewSpacer(), l.said, layout.NewSpacer()))))
	l.show()
	return l
}

// widths divides the width among the columns. Flags and numbers have fixed widths.
func widths(width float32) []float32 {
	const flag, number = 26, 84
	rest := max(0, width-flag-2*number)
	return []float32{flag, rest * 0.58, rest * 0.42, number, number}
}

// Content returns the object to add to the window.
func (l *List) Content() fyne.CanvasObject { return l.content }

// Set displays other notes.
func (l *List) Set(all []notes.Placed) {
	l.all = all
	l.show()
}

// show displays the notes that match the filter and keeps the current row, or makes the first one current.
func (l *List) show() {
	asked, err := query.Parse(l.filter.Field.Text, &columns)
	l.filter.Wrong(err)
	if err != nil {
		return
	}
	current, earlier := max(0, l.Table.Current()), 0
	l.shown, l.lit = nil, asked.RequiredWords()
	for _, n := range l.all {
		if n.Earlier {
			earlier++
		}
		if asked.Empty() || asked.Match(filtered(n)) {
			l.shown = append(l.shown, n)
		}
	}
	paint.Show(l.carry, earlier > 0)
	l.carry.SetText("Carry Over " + host.Count(int64(earlier), "Note"))
	l.head.Refresh()
	switch {
	case len(l.all) == 0:
		l.said.SetText("No notes yet. " + l.Keys().Text("note.edit") + " adds one to the selected node or bytes.")
	case len(l.shown) == 0:
		l.said.SetText("No matches")
	default:
		l.said.SetText("")
	}
	l.Table.SetData(l)
	l.Table.SetCurrent(min(current, len(l.shown)-1))
}

// menu returns the context menu of a note.
func (l *List) menu(n notes.Placed) *fyne.Menu {
	return fyne.NewMenu("", fyne.NewMenuItem("Show", func() { l.OnShow(n) }),
		fyne.NewMenuItem("Edit…", func() { l.OnEdit(n) }),
		fyne.NewMenuItem("Delete", func() { l.OnDelete(n) }),
		fyne.NewMenuItem("Copy Text", func() { l.Copy(n.Text) }))
}

// Key deletes the current note, or handles the key as the host does.
func (l *List) Key(k *fyne.KeyEvent, shift bool) bool {
	if row := l.Table.Current(); k.Name == fyne.KeyDelete && row >= 0 && row < len(l.shown) {
		l.OnDelete(l.shown[row])
		return true
	}
	return l.Host.Key(k, shift)
}

// Len returns the number of listed notes.
func (l *List) Len() int { return len(l.shown) }

// Cell returns a cell of a note.
func (l *List) Cell(row, column int) rows.Cell {
	n := l.shown[row]
	c := rows.Cell{Tone: paint.Dim}
	switch column {
	case colorColumn:
		return rows.Cell{Flag: Flag(n.Color)}
	case noteColumn:
		c.Text = Sentence(n)
		if !n.Earlier {
			c.Tone = paint.Normal
		}
	case whereColumn:
		c.Text, c.Ends = where(n), !n.Earlier
	case offsetColumn:
		c.Text, c.Mono = fmt.Sprintf("%#x", n.At.Offset), true
		return c
	default:
		c.Text, c.Mono = host.Number(n.At.Size), true
		return c
	}
	c.Light(l.lit...)
	return c
}

// where returns the location of a note for its row.
func where(n notes.Placed) string {
	at := model.OneLine(n.Where, 400)
	if n.Node == "/" {
		at = "the whole file"
	}
	switch {
	case n.Earlier && n.Node == "":
		return "from an earlier version; bytes no longer exist"
	case n.Earlier:
		return at + "  (earlier version)"
	case n.OnBytes:
		return at + "  (bytes)"
	}
	return at
}

// Editor is the fields of a note: its text and a color.
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
			e.choose(c)
			if in := fyne.CurrentApp().Driver().CanvasForObject(e.Text); in != nil {
				in.Focus(e.Text) // so that Enter saves
			}
		})
		e.colors = append(e.colors, b)
		row.Add(b)
	}
	e.choose(color)
	e.content = container.NewVBox(e.Text, row)
	return e
}

// Content returns the object to add to the window.
func (e *Editor) Content() fyne.CanvasObject { return e.content }

// choose selects a color.
func (e *Editor) choose(color notes.Color) {
	e.Color = color
	colors := paint.ThemeColors(e.Text)
	for i, c := range notes.Colors() {
		e.colors[i].SetIcon(disc(colors.Of(Tone(c)), colors.Background, c == color))
	}
}

// disc returns a disc of a color, with a tick if it is chosen.
func disc(col, tick paint.Color, isChosen bool) fyne.Resource {
	inside := ""
	if isChosen {
		inside = fmt.Sprintf(`<path d="M6 12.5l4 4 8-8.5" fill="none" stroke="%s" stroke-width="3"/>`, code(tick))
	}
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="%s"/>%s</svg>`,
		code(col), inside)
	return fyne.NewStaticResource(fmt.Sprintf("note-%s-%t.svg", code(col)[1:], isChosen), []byte(svg))
}

func code(c paint.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
