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

// The maximum numbers of completions: of values, and of columns. There are few of the latter, because a word is often
// plain text.
const (
	maxValues  = 8
	maxColumns = 2
)

// Filter is a filter field with completions.
type Filter struct {
	Field *Field

	list        func() *query.List
	focused     bool
	completions []query.Completion
	selected    int // index of the completion that the keyboard selected, or -1
	layer       *fyne.Container
	popup       *popup
	clear       *clearer
	mark        *canvas.Rectangle // below the wrong part of the text
	mistake     *query.Mistake    // may be nil
}

// NewFilter returns a filter field. list returns the columns to complete, or nil while they are not loaded; changed is
// called when the text changed.
func NewFilter(h host.Host, placeholder string, list func() *query.List, changed func()) *Filter {
	f := &Filter{Field: NewField(h, placeholder), list: list, selected: -1, popup: newPopup()}
	f.Field.Icon = theme.SearchIcon()
	f.clear = &clearer{field: f.Field}
	f.clear.ExtendBaseWidget(f.clear)
	f.clear.Hide()
	f.Field.ActionItem = f.clear
	f.Field.OnChanged = func(text string) {
		paint.SetVisible(f.clear, text != "")
		f.complete()
		changed()
	}
	f.Field.OnFocus = func(focused bool) {
		if f.focused = focused; len(f.completions) > 0 {
			f.hide()
		}
	}
	f.Field.UsesTab = func() bool { return len(f.completions) > 0 }
	f.mark = canvas.NewRectangle(color.Transparent)
	f.layer = container.New(&popupLayout{f})
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
	c.field.Refocus()
}

// Cursor implements desktop.Cursorable. The cursor of the field would be the one for text.
func (c *clearer) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// SetOnLeave sets the func that returns the focus to the list; see Field.FilterKeys. While completions of values are
// visible, Up and Down select one. Tab accepts the selected or first completion, and Enter only a selected one. Escape
// hides the completions; unless one is selected, it also leaves the filter.
func (f *Filter) SetOnLeave(leave func(toList bool)) {
	f.Field.FilterKeys(leave)
	leaveKeys := f.Field.OnKey
	f.Field.OnKey = func(key *fyne.KeyEvent, shift bool) bool { return f.key(key) || leaveKeys(key, shift) }
}

func (f *Filter) key(key *fyne.KeyEvent) bool {
	n := len(f.completions)
	if n == 0 {
		return false
	}
	if vertical := key.Name == fyne.KeyDown || key.Name == fyne.KeyUp; vertical && !f.completions[0].Value {
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
		wasSelected := f.selected >= 0
		f.hide()
		return wasSelected
	default:
		return false
	}
	f.popup.highlight(f.selected)
	return true
}

// WithPopup returns content, which contains the field and its list, with the popup of the field over it.
func (f *Filter) WithPopup(content fyne.CanvasObject) *fyne.Container {
	return container.NewStack(content, f.layer)
}

// Problem returns the error in the filter, or "".
func (f *Filter) Problem() string {
	if len(f.layer.Objects) == 0 || len(f.completions) > 0 {
		return ""
	}
	return f.popup.text.Text
}

// Completions returns the texts of the visible completions.
func (f *Filter) Completions() []string {
	var texts []string
	for _, o := range f.completions {
		texts = append(texts, o.Text)
	}
	return texts
}

// Parse returns the filter in the field. If it is invalid, Parse displays the error and returns false.
func (f *Filter) Parse() (filter *query.Filter, ok bool) {
	filter, err := query.Parse(f.Field.Text, f.list())
	f.ShowError(err)
	return filter, err == nil
}

// ShowError displays an error in the text; nil hides it.
func (f *Filter) ShowError(err error) {
	switch {
	case len(f.completions) > 0: // the completions already offer the missing part
	case err == nil:
		f.hide()
	default:
		f.popup.showMessage(host.Sentence(err))
		f.mistake = nil
		errors.As(err, &f.mistake)
		f.show()
		if f.mistake != nil {
			f.mark.FillColor = theme.Color(theme.ColorNameError)
			f.layer.Add(f.mark)
		}
	}
}

// complete offers the possible next words.
func (f *Filter) complete() {
	f.completions, f.selected = nil, -1
	if list := f.list(); list != nil && f.focused {
		text := f.Field.Text
		caret := len(string([]rune(text)[:min(f.Field.CursorColumn, utf8.RuneCountInString(text))]))
		f.completions = list.Complete(text, caret)
	}
	if len(f.completions) == 0 {
		f.hide()
		return
	}
	limit := maxColumns
	if f.completions[0].Value {
		limit = maxValues
	}
	f.completions = f.completions[:min(len(f.completions), limit)]
	f.popup.showCompletions(f.Completions(), f.insertCompletion)
	f.show()
}

func (f *Filter) insertCompletion(i int) {
	chosen, text := f.completions[i], f.Field.Text
	f.completions = nil
	text = text[:chosen.From] + chosen.Text + text[chosen.To:]
	f.Field.CursorColumn = utf8.RuneCountInString(text[:chosen.From+len(chosen.Text)])
	f.Field.SetText(text)
	f.Field.CursorColumn = utf8.RuneCountInString(text[:chosen.From+len(chosen.Text)])
	f.Field.Refresh()
	f.Field.Refocus()
}

func (f *Filter) show() {
	f.layer.Objects = []fyne.CanvasObject{f.popup.content}
	f.layer.Refresh()
}

func (f *Filter) hide() {
	f.completions, f.selected = nil, -1
	if f.layer.Objects != nil {
		f.layer.Objects = nil
		f.layer.Refresh()
	}
}

// popupLayout is the layout of the box beneath the field.
type popupLayout struct{ f *Filter }

func (l *popupLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	driver := fyne.CurrentApp().Driver()
	field := l.f.Field
	pos := driver.AbsolutePositionForObject(field).Subtract(driver.AbsolutePositionForObject(l.f.layer))
	for _, o := range objects {
		if o == fyne.CanvasObject(l.f.mark) {
			l.f.placeMark(pos)
			continue
		}
		width := min(max(field.Size().Width, minPopupWidth), size.Width)
		o.Resize(fyne.NewSize(width, 0)) // the height of a wrapped text depends on its width
		minSize := o.MinSize()
		o.Resize(fyne.NewSize(width, minSize.Height))
		o.Move(fyne.NewPos(max(0, min(pos.X, size.Width-width)), pos.Y+field.Size().Height))
	}
}

// markHeight is the height of the mark below a wrong part.
const markHeight = 2

// placeMark puts the mark below the wrong part of the text; pos is the position of the field. A part that is scrolled
// out of view has no mark.
func (f *Filter) placeMark(pos fyne.Position) {
	text := f.Field.Text
	left := theme.IconInlineSize() + 2*theme.InnerPadding()
	to := min(left+TextWidth(text[:min(f.mistake.To, len(text))]), f.Field.Size().Width)
	left += TextWidth(text[:min(f.mistake.From, len(text))])
	f.mark.Move(pos.AddXY(left, f.Field.Size().Height-3*markHeight))
	f.mark.Resize(fyne.NewSize(max(0, to-left), markHeight))
}

// minPopupWidth is the minimum width of a completion or an error, if the field is narrower.
const minPopupWidth = 260

// MinSize returns zero: the layer covers the list.
func (l *popupLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// popup is the box under the field: completions, or an error.
type popup struct {
	content    *fyne.Container
	background *canvas.Rectangle
	lines      *fyne.Container
	text       *widget.Label
}

func newPopup() *popup {
	p := &popup{background: canvas.NewRectangle(color.Transparent), text: widget.NewLabel(""),
		lines: container.New(layout.NewCustomPaddedVBoxLayout(0))}
	p.text.Wrapping, p.text.Importance = fyne.TextWrapWord, widget.WarningImportance
	p.content = container.NewStack(p.background, p.lines)
	return p
}

// showCompletions displays texts, and calls accept with the index of a clicked one.
func (p *popup) showCompletions(texts []string, accept func(i int)) {
	p.lines.RemoveAll()
	for i, text := range texts {
		p.lines.Add(newCompletion(text, func() { accept(i) }))
	}
	p.paint()
}

func (p *popup) showMessage(text string) {
	p.text.SetText(text)
	p.lines.Objects = []fyne.CanvasObject{p.text}
	p.paint()
}

// highlight highlights the completion with that index, or none if index is -1.
func (p *popup) highlight(index int) {
	for i, o := range p.lines.Objects {
		if o, ok := o.(*completion); ok {
			o.setMarked(i == index)
		}
	}
}

// paint applies the colors of the theme.
func (p *popup) paint() {
	p.background.FillColor = theme.Color(theme.ColorNameMenuBackground)
	p.background.StrokeColor, p.background.StrokeWidth = theme.Color(theme.ColorNameSeparator), 1
	p.background.Refresh()
	p.lines.Refresh()
}

// completion is a line of the popup with a completion.
type completion struct {
	widget.BaseWidget
	accept     func()
	text       *widget.Label
	background *canvas.Rectangle
	marked     bool
}

var (
	_ desktop.Mouseable = (*completion)(nil)
	_ desktop.Hoverable = (*completion)(nil)
)

func newCompletion(text string, accept func()) *completion {
	o := &completion{accept: accept, text: widget.NewLabel(text), background: canvas.NewRectangle(color.Transparent)}
	o.ExtendBaseWidget(o)
	return o
}

func (c *completion) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(c.background, c.text))
}

// MouseDown accepts the completion: the field has lost the focus by then, and a click would be too late.
func (c *completion) MouseDown(*desktop.MouseEvent) { c.accept() }

// MouseUp does nothing.
func (c *completion) MouseUp(*desktop.MouseEvent) {}

func (c *completion) MouseIn(*desktop.MouseEvent) { c.paint(true) }

// MouseMoved does nothing.
func (c *completion) MouseMoved(*desktop.MouseEvent) {}

func (c *completion) MouseOut() { c.paint(c.marked) }

func (c *completion) setMarked(on bool) {
	c.marked = on
	c.paint(on)
}

func (c *completion) paint(highlighted bool) {
	c.background.FillColor = color.Transparent
	if highlighted {
		c.background.FillColor = theme.Color(theme.ColorNameSelection)
	}
	c.background.Refresh()
}
