package control

import (
	"errors"
	"image/color"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
)

// The maximum numbers of completions: of values, and of columns, which a plain word may not mean.
const (
	offersMost  = 8
	columnsMost = 2
)

// Filter is a filter field with completions.
type Filter struct {
	Field *Field

	list     func() *query.List
	focused  bool
	offers   []query.Completion
	selected int // index of the completion that the keyboard selected, or -1
	layer    *fyne.Container
	beneath  *beneath
	clear    *clearer
	mark     *canvas.Rectangle // below the wrong part of the text
	wrong    *query.Mistake    // may be nil
}

// New returns a field. list returns the columns to complete, or nil while they are not loaded; changed is called when
// the text changed.
func New(h host.Host, placeholder string, list func() *query.List, changed func()) *Filter {
	f := &Filter{Field: NewField(h, placeholder), list: list, selected: -1, beneath: newBeneath()}
	f.Field.Icon = theme.SearchIcon()
	f.clear = &clearer{field: f.Field}
	f.clear.ExtendBaseWidget(f.clear)
	f.clear.Hide()
	f.Field.ActionItem = f.clear
	f.Field.OnChanged = func(text string) {
		paint.Show(f.clear, text != "")
		f.complete()
		changed()
	}
	f.Field.OnFocus = func(focused bool) {
		if f.focused = focused; len(f.offers) > 0 {
			f.hide()
		}
	}
	f.Field.TakesTab = func() bool { return len(f.offers) > 0 }
	f.mark = canvas.NewRectangle(color.Transparent)
	f.layer = container.New(&popLayout{f})
	return f
}

// clearer is the icon in a field that clears it.
type clearer struct {
	widget.Icon
	field *Field
}

var _ desktop.Cursorable = (*clearer)(nil)

func (c *clearer) CreateRenderer() fyne.WidgetRenderer {
	c.Resource = theme.CancelIcon()
	return c.Icon.CreateRenderer()
}

// Tapped clears the field, and returns the focus to it.
func (c *clearer) Tapped(*fyne.PointEvent) {
	c.field.SetText("")
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(c.field); canvas != nil {
		canvas.Focus(c.field)
	}
}

// Cursor implements desktop.Cursorable: the field's is for text.
func (c *clearer) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// Leave sets the func that returns the focus to the list; see Field.Filters. While values are offered, Up and Down
// move in them. Tab accepts the selected or first completion, Enter only a selected one, and Escape hides them; unless
// one is selected, it leaves the filter as well.
func (f *Filter) Leave(leave func(toItems bool)) {
	f.Field.Filters(leave)
	toList := f.Field.OnKey
	f.Field.OnKey = func(key *fyne.KeyEvent, shift bool) bool { return f.key(key) || toList(key, shift) }
}

func (f *Filter) key(key *fyne.KeyEvent) bool {
	n := len(f.offers)
	if n == 0 {
		return false
	}
	if vertical := key.Name == fyne.KeyDown || key.Name == fyne.KeyUp; vertical && !f.offers[0].Value {
		f.hide()
		return false
	}
	switch key.Name {
	case fyne.KeyDown:
		f.selected = (f.selected + 1) % n
	case fyne.KeyUp:
		f.selected = (max(f.selected, 0) + n - 1) % n
	case fyne.KeyTab:
		f.insertCompletion(max(f.selected, 0))
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if f.selected < 0 {
			return false
		}
		f.insertCompletion(f.selected)
		return true
	case fyne.KeyEscape:
		declined := f.selected >= 0
		f.hide()
		return declined
	default:
		return false
	}
	f.beneath.light(f.selected)
	return true
}

// Over returns the list, which contains the field, with the field's completions over it.
func (f *Filter) Over(content fyne.CanvasObject) *fyne.Container {
	return container.NewStack(content, f.layer)
}

// Problem returns the error in the filter, or "".
func (f *Filter) Problem() string {
	if len(f.layer.Objects) == 0 || len(f.offers) > 0 {
		return ""
	}
	return f.beneath.text.Text
}

// Offers returns the visible completions, as they are typed.
func (f *Filter) Offers() []string {
	var texts []string
	for _, o := range f.offers {
		texts = append(texts, o.Text)
	}
	return texts
}

// Parse returns the filter in the field. If it is invalid, Parse displays the error and returns false.
func (f *Filter) Parse() (filter *query.Filter, ok bool) {
	filter, err := query.Parse(f.Field.Text, f.list())
	f.Wrong(err)
	return filter, err == nil
}

// Wrong displays an error in the text; nil hides it.
func (f *Filter) Wrong(err error) {
	switch {
	case len(f.offers) > 0: // the completions already offer the missing part
	case err == nil:
		f.hide()
	default:
		f.beneath.showMessage(host.Sentence(err))
		f.wrong = nil
		errors.As(err, &f.wrong)
		f.show()
		if f.wrong != nil {
			f.mark.FillColor = theme.Color(theme.ColorNameError)
			f.layer.Add(f.mark)
		}
	}
}

// complete offers the possible next words.
func (f *Filter) complete() {
	f.offers, f.selected = nil, -1
	if list := f.list(); list != nil && f.focused {
		text := f.Field.Text
		caret := len(string([]rune(text)[:min(f.Field.CursorColumn, utf8.RuneCountInString(text))]))
		f.offers = list.Complete(text, caret)
	}
	if len(f.offers) == 0 {
		f.hide()
		return
	}
	limit := columnsMost
	if f.offers[0].Value {
		limit = offersMost
	}
	f.offers = f.offers[:min(len(f.offers), limit)]
	f.beneath.offer(f.Offers(), f.insertCompletion)
	f.show()
}

func (f *Filter) insertCompletion(i int) {
	o, text := f.offers[i], f.Field.Text
	f.offers = nil
	text = text[:o.From] + o.Text + text[o.To:]
	f.Field.CursorColumn = utf8.RuneCountInString(text[:o.From+len(o.Text)])
	f.Field.SetText(text)
	f.Field.CursorColumn = utf8.RuneCountInString(text[:o.From+len(o.Text)])
	f.Field.Refresh()
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.Field); c != nil {
		c.Focus(f.Field)
	}
}

func (f *Filter) show() {
	f.layer.Objects = []fyne.CanvasObject{f.beneath.content}
	f.layer.Refresh()
}

func (f *Filter) hide() {
	f.offers, f.selected = nil, -1
	if f.layer.Objects != nil {
		f.layer.Objects = nil
		f.layer.Refresh()
	}
}

// popLayout is the layout of the box beneath the field.
type popLayout struct{ f *Filter }

func (b *popLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	driver := fyne.CurrentApp().Driver()
	field := b.f.Field
	pos := driver.AbsolutePositionForObject(field).Subtract(driver.AbsolutePositionForObject(b.f.layer))
	for _, o := range objects {
		if o == fyne.CanvasObject(b.f.mark) {
			b.f.placeMark(pos)
			continue
		}
		width := min(max(field.Size().Width, leastWidth), size.Width)
		o.Resize(fyne.NewSize(width, 0)) // the height of a wrapped text depends on its width
		minSize := o.MinSize()
		o.Resize(fyne.NewSize(width, minSize.Height))
		o.Move(fyne.NewPos(max(0, min(pos.X, size.Width-width)), pos.Y+field.Size().Height))
	}
}

// markHeight is the height of the mark below a wrong part.
const markHeight = 2

// placeMark puts the mark below the wrong part of the text, in a field at a position. A part that is scrolled out has
// no mark.
func (f *Filter) placeMark(pos fyne.Position) {
	text := f.Field.Text
	left := theme.IconInlineSize() + 2*theme.InnerPadding()
	to := min(left+TextWidth(text[:min(f.wrong.To, len(text))]), f.Field.Size().Width)
	left += TextWidth(text[:min(f.wrong.From, len(text))])
	f.mark.Move(pos.AddXY(left, f.Field.Size().Height-3*markHeight))
	f.mark.Resize(fyne.NewSize(max(0, to-left), markHeight))
}

// leastWidth is the minimum width of a completion or an error, if the field is narrower.
const leastWidth = 260

// MinSize returns zero: the layer covers the list.
func (b *popLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// beneath is the box under the field: completions, or an error.
type beneath struct {
	content *fyne.Container
	ground  *canvas.Rectangle
	lines   *fyne.Container
	text    *widget.Label
}

func newBeneath() *beneath {
	b := &beneath{ground: canvas.NewRectangle(color.Transparent), text: widget.NewLabel(""),
		lines: container.New(layout.NewCustomPaddedVBoxLayout(0))}
	b.text.Wrapping, b.text.Importance = fyne.TextWrapWord, widget.WarningImportance
	b.content = container.NewStack(b.ground, b.lines)
	return b
}

// offer displays texts; take is called for a click on one.
func (b *beneath) offer(texts []string, take func(i int)) {
	b.lines.RemoveAll()
	for i, text := range texts {
		b.lines.Add(newOffer(text, func() { take(i) }))
	}
	b.paint()
}

func (b *beneath) showMessage(text string) {
	b.text.SetText(text)
	b.lines.Objects = []fyne.CanvasObject{b.text}
	b.paint()
}

// light highlights a completion, or no completion if at is -1.
func (b *beneath) light(at int) {
	for i, o := range b.lines.Objects {
		if o, ok := o.(*offer); ok {
			o.setMarked(i == at)
		}
	}
}

// paint applies the colors of the theme.
func (b *beneath) paint() {
	b.ground.FillColor = theme.Color(theme.ColorNameMenuBackground)
	b.ground.StrokeColor, b.ground.StrokeWidth = theme.Color(theme.ColorNameSeparator), 1
	b.ground.Refresh()
	b.lines.Refresh()
}

// offer is a completion.
type offer struct {
	widget.BaseWidget
	take   func()
	text   *widget.Label
	ground *canvas.Rectangle
	marked bool
}

var (
	_ desktop.Mouseable = (*offer)(nil)
	_ desktop.Hoverable = (*offer)(nil)
)

func newOffer(text string, take func()) *offer {
	o := &offer{take: take, text: widget.NewLabel(text), ground: canvas.NewRectangle(color.Transparent)}
	o.ExtendBaseWidget(o)
	return o
}

func (o *offer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(o.ground, o.text))
}

// MouseDown accepts the completion: the field has lost the focus by then, and a click would be too late.
func (o *offer) MouseDown(*desktop.MouseEvent) { o.take() }

// MouseUp does nothing.
func (o *offer) MouseUp(*desktop.MouseEvent) {}

func (o *offer) MouseIn(*desktop.MouseEvent) { o.paint(true) }

// MouseMoved does nothing.
func (o *offer) MouseMoved(*desktop.MouseEvent) {}

func (o *offer) MouseOut() { o.paint(o.marked) }

func (o *offer) setMarked(on bool) {
	o.marked = on
	o.paint(on)
}

func (o *offer) paint(highlighted bool) {
	o.ground.FillColor = color.Transparent
	if highlighted {
		o.ground.FillColor = theme.Color(theme.ColorNameSelection)
	}
	o.ground.Refresh()
}
