package control_test

import (
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/uitest"
)

func show(t *testing.T) (*control.Field, fyne.CanvasObject, fyne.Window) {
	test.NewTempApp(t)
	f := control.NewField(host.None{}, "a name")
	beside := widget.NewLabel("beside")
	return f, beside, test.NewTempWindow(t, container.NewVBox(f, beside))
}

func TestOwnerGetsKeysFirst(t *testing.T) {
	f, _, _ := show(t)
	f.SetText("ab")
	f.CursorColumn = 2
	var heard []string
	f.OnKey = func(k *fyne.KeyEvent, shift bool) bool {
		name := string(k.Name)
		if shift {
			name = "Shift+" + name
		}
		heard = append(heard, name)
		return k.Name != fyne.KeyBackspace
	}
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	f.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	f.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	assert.Equal(t, "ab", f.Text, "a key that is used does not come to the text")
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	assert.Equal(t, "a", f.Text)
	assert.Equal(t, []string{"F3", "Shift+F3", string(fyne.KeyDelete), string(fyne.KeyBackspace)}, heard)
}

func TestAPlaceholderFitsItsField(t *testing.T) {
	test.NewTempApp(t)
	const whole = "Part of a name, or a condition"
	f := control.NewField(host.None{}, whole)
	w := test.NewTempWindow(t, f)
	w.Resize(fyne.NewSize(400, 40))
	assert.Equal(t, whole, f.PlaceHolder)
	w.Resize(fyne.NewSize(120, 40))
	assert.Regexp(t, "^Part of.*[a-z]…$", f.PlaceHolder)
	f.SetPlaceHolder("Name")
	assert.Equal(t, "Name", f.PlaceHolder)
	f.SetPlaceHolder(whole)
	w.Resize(fyne.NewSize(400, 40))
	assert.Equal(t, whole, f.PlaceHolder)
}

func TestFunctionKeysReachTheHost(t *testing.T) {
	test.NewTempApp(t)
	var log uitest.Log
	f := control.NewField(&log, "a name")
	f.SetText("ab")
	for _, k := range []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape, fyne.KeyF, fyne.KeyHome} {
		f.TypedKey(&fyne.KeyEvent{Name: k})
	}
	assert.Equal(t, []string{"key F1", "key Escape"}, log.Take())
	assert.Zero(t, f.CursorColumn, "Home stays with the text")
}

func TestLongTextDoesNotWidenTheWindow(t *testing.T) {
	f, _, _ := show(t)
	before := f.MinSize()
	f.SetText(strings.Repeat("/a/long/folder", 20))
	assert.Equal(t, before, f.MinSize())
	assert.Less(t, before.Width, float32(120))
}

func TestShiftIsResetWhenTheFocusIsLost(t *testing.T) {
	f, _, _ := show(t)
	shifted := true
	f.OnKey = func(_ *fyne.KeyEvent, shift bool) bool { shifted = shift; return true }
	f.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftRight})
	f.FocusLost() // Shift is released elsewhere
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.False(t, shifted)
}

func TestShortcutsOfAnEntryStay(t *testing.T) {
	f, _, w := show(t)
	w.Canvas().Focus(f)
	f.SetText("one two")
	f.CursorColumn = 7
	f.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyBackspace, Modifier: fyne.KeyModifierShortcutDefault})
	assert.Equal(t, "one ", f.Text, "by words")
	f.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, "one ", f.SelectedText())
	f.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierControl})
	assert.Equal(t, "one ", f.Text)
}

func TestFocusSelectsTheText(t *testing.T) {
	f, beside, w := show(t)
	var told []bool
	f.OnFocus = func(focused bool) { told = append(told, focused) }
	f.SetText("before")
	f.Focus(beside)
	assert.Same(t, f, w.Canvas().Focused())
	assert.Equal(t, "before", f.SelectedText(), "typing replaces it")
	w.Canvas().Unfocus()
	assert.Equal(t, []bool{true, false}, told)
}

func TestEscapeClearsAFilter(t *testing.T) {
	f, _, _ := show(t)
	var left []bool
	f.FilterKeys(func(into bool) { left = append(left, into) })
	f.SetText("ab")
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.Empty(t, f.Text)
	assert.Equal(t, []bool{false}, left)
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnter})
	assert.Equal(t, []bool{false, true, true}, left)
}

func TestALongTextHasNoScrollBarOverIt(t *testing.T) {
	test.NewTempApp(t)
	f := control.NewField(host.None{}, "")
	w := test.NewTempWindow(t, f)
	w.Resize(fyne.NewSize(200, 60))
	bottom := func(text string) (colors []color.Color) {
		f.SetText(text)
		img := w.Canvas().Capture()
		y := int(f.Position().Y+f.Size().Height) - 4
		for x := 20; x < 180; x++ {
			colors = append(colors, img.At(x, y))
		}
		return colors
	}
	assert.Equal(t, bottom(""), bottom(strings.Repeat("a long text ", 20)))
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	e.Position = fyne.NewPos(100, 15)
	f.MouseDown(e)
	assert.Positive(t, f.CursorColumn, "the text can be clicked")
}
