package control_test

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
)

// filterWindow is a filter in a window that records its events.
type filterWindow struct {
	*control.Filter
	window  fyne.Window
	changes int
	left    []bool
}

func newFilterWindow(t *testing.T) *filterWindow {
	test.NewTempApp(t)
	s := new(filterWindow)
	list := &query.List{Columns: []query.Column{{Name: "name"}, {Name: "type", Values: []string{"Texture", "Text"}},
		{Name: "size", Kind: query.Size}}}
	s.Filter = control.NewFilter(host.None{}, "Filter", func() *query.List { return list }, func() { s.changes++ })
	s.SetOnLeave(func(into bool) { s.left = append(s.left, into) })
	body := canvas.NewRectangle(nil)
	s.window = test.NewTempWindow(t, s.WithPopup(container.NewBorder(s.Field, nil, nil, nil, body)))
	s.window.Resize(fyne.NewSize(400, 300))
	s.window.Canvas().Focus(s.Field)
	return s
}

func (s *filterWindow) press(keys ...fyne.KeyName) {
	for _, k := range keys {
		s.Field.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func TestTabAcceptsACompletion(t *testing.T) {
	s := newFilterWindow(t)
	assert.False(t, s.Field.AcceptsTab())
	test.Type(s.Field, "*.png si")
	assert.Equal(t, []string{"size > "}, s.Completions())
	assert.True(t, s.Field.AcceptsTab())
	s.press(fyne.KeyTab)
	assert.Equal(t, "*.png size > ", s.Field.Text)
	assert.Empty(t, s.Completions())
	test.Type(s.Field, "3 type = T")
	assert.Equal(t, "*.png size > 3 type = T", s.Field.Text, "the caret is behind what was taken")
	assert.Equal(t, []string{"Texture ", "Text "}, s.Completions())
	s.press(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn)
	assert.Equal(t, "*.png size > 3 type = Text ", s.Field.Text)
	assert.Empty(t, s.left)
	s.press(fyne.KeyDown)
	assert.Equal(t, []bool{true}, s.left, "with nothing offered, Down leads into the list")
}

func TestEnterAndEscapeIgnoreUnselectedCompletions(t *testing.T) {
	s := newFilterWindow(t)
	test.Type(s.Field, "siz")
	s.press(fyne.KeyReturn)
	assert.Equal(t, []bool{true}, s.left)
	s.window.Canvas().Focus(s.Field)
	test.Type(s.Field, "e")
	assert.NotEmpty(t, s.Completions())
	s.press(fyne.KeyDown, fyne.KeyReturn)
	assert.Equal(t, "size", s.Field.Text, "Down leads into the list past the columns")
	assert.Equal(t, []bool{true, true, true}, s.left)
	s.window.Canvas().Focus(s.Field)
	test.Type(s.Field, " type = ")
	s.press(fyne.KeyDown, fyne.KeyEscape)
	assert.Empty(t, s.Completions())
	assert.Equal(t, "size type = ", s.Field.Text, "the first Escape declines the selected completion")
	s.press(fyne.KeyEscape)
	assert.Empty(t, s.Field.Text)
	test.Type(s.Field, "na")
	s.window.Canvas().Unfocus()
	assert.Empty(t, s.Completions())
	s.Field.SetText("siz")
	assert.Empty(t, s.Completions(), "only what is typed is completed")
}

func TestFilterErrorIsDisplayed(t *testing.T) {
	s := newFilterWindow(t)
	s.ShowError(errors.New("size is a number"))
	assert.Equal(t, "Size is a number.", s.Problem())
	s.ShowError(nil)
	assert.Empty(t, s.Problem())
	test.Type(s.Field, "type =")
	s.ShowError(errors.New("write what type is compared with"))
	assert.Empty(t, s.Problem(), "it is offered")
}

func TestTheWrongPartIsMarked(t *testing.T) {
	s := newFilterWindow(t)
	s.Field.SetText("duck size > big x")
	_, ok := s.Parse()
	assert.False(t, ok)
	_, err := query.Parse(s.Field.Text, &query.List{Columns: []query.Column{{Name: "size", Kind: query.Size}}})
	var m *query.Mistake
	assert.ErrorAs(t, err, &m)
	assert.Equal(t, "size > big", s.Field.Text[m.From:m.To])
	var mark fyne.CanvasObject
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if r, is := o.(*canvas.Rectangle); is && r.Size().Height == 2 {
			mark = r
		}
	}
	assert.InDelta(t, control.TextWidth("size > big"), mark.Size().Width, 1)
	s.Field.SetText("duck")
	_, ok = s.Parse()
	assert.True(t, ok)
	assert.Empty(t, s.Problem())
}

func TestAnIconClearsTheFilter(t *testing.T) {
	s := newFilterWindow(t)
	icon := s.Field.ActionItem
	assert.False(t, icon.Visible())
	s.Field.SetText("duck")
	assert.True(t, icon.Visible())
	test.Tap(icon.(fyne.Tappable))
	assert.Empty(t, s.Field.Text)
	assert.False(t, icon.Visible())
	assert.Equal(t, s.Field, s.window.Canvas().Focused())
}
