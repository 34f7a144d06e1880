package noted_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/notes"
	"assay/ui/control"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/uitest"
)

func placed(id, text, where string, color notes.Color, at int64) notes.PlacedNote {
	return notes.PlacedNote{Note: notes.Note{ID: id, Text: text, Color: color}, Title: where, Node: "/" + where,
		Bytes: model.Span{Offset: at, Size: 4}}
}

var three = []notes.PlacedNote{placed("1", "check the bounds", "meshes", notes.Red, 4),
	placed("2", "", "objects", notes.Blue, 8), placed("3", "it was here", "fonts", notes.Green, 12)}

func TestAListIsFilteredAndDeletes(t *testing.T) {
	test.NewTempApp(t)
	var did string
	on := func(what string) func(n notes.PlacedNote) { return func(n notes.PlacedNote) { did += what + n.ID } }
	all := append([]notes.PlacedNote(nil), three...)
	all[2].Earlier = true
	l := noted.NewList(new(uitest.Log), paint.NewStyle(), noted.Events{OnShow: on("show"), OnEdit: on("edit"),
		OnDelete: on("delete"), OnCarry: func() { did += "carry" }})
	w := test.NewTempWindow(t, l.Content())
	w.Resize(fyne.NewSize(600, 300))
	l.Set(all)
	require.Equal(t, 3, l.Len())
	assert.Equal(t, "Bookmark (blue)", l.Cell(1, 1).Text)
	assert.Contains(t, l.Cell(2, 2).Text, "(earlier version)")

	var filter *control.Field
	for _, o := range test.LaidOutObjects(l.Content()) {
		switch o := o.(type) {
		case *control.Field:
			filter = o
		case *control.Button:
			assert.Equal(t, "Carry Over 1 Note", o.Text)
			o.Tapped(nil)
		}
	}
	require.NotNil(t, filter)
	for text, want := range map[string]int{"bounds": 1, "blue": 1, "fonts here": 1, "nothing": 0,
		"color = blue": 1, "offset >= 8": 2, "size > 4": 0, "where = meshes or note ~ here": 2} {
		filter.SetText(text)
		assert.Equal(t, want, l.Len(), text)
	}
	filter.SetText("")
	assert.Zero(t, l.Table.Current(), "a key acts on the first at once")
	l.Key(&fyne.KeyEvent{Name: fyne.KeyDelete}, false)
	l.Table.OnActivate(1)
	l.Table.OnCurrent(2)
	l.Table.OnClick(0)
	assert.Equal(t, "carrydelete1edit2show3show1", did)
}

func TestAColorIsChosen(t *testing.T) {
	test.NewTempApp(t)
	e := noted.NewEditor(new(uitest.Log), notes.Red, "a sentence")
	entered := 0
	e.OnEnter = func() { entered++ }
	w := test.NewTempWindow(t, e.Content())
	assert.Equal(t, "a sentence", e.Text.Text)
	var buttons []*control.Button
	for _, o := range test.LaidOutObjects(e.Content()) {
		if b, ok := o.(*control.Button); ok {
			buttons = append(buttons, b)
		}
	}
	require.Len(t, buttons, len(notes.Colors()))
	test.Tap(buttons[4])
	assert.Equal(t, notes.Colors()[4], e.Color)
	assert.Equal(t, fyne.Focusable(e.Text), w.Canvas().Focused(), "Enter saves")
	e.Text.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, 1, entered)
}

// A flag has enough contrast on each background, as WCAG 2 requires of graphics.
func TestFlagsArePainted(t *testing.T) {
	for _, mode := range []paint.Mode{paint.Light, paint.Dark} {
		app := test.NewTempApp(t)
		app.Settings().SetTheme(paint.NewTheme(mode, 0))
		colors := paint.ThemeColors(noted.NewEditor(new(uitest.Log), 0, "").Text)
		for _, c := range notes.Colors() {
			for _, ground := range []paint.Color{colors.Background, colors.Alternate, colors.Hover} {
				assert.GreaterOrEqual(t, uitest.Contrast(colors.ForTone(noted.Tone(c)), ground), 3., "%v %v", mode, c)
			}
		}
	}
}
