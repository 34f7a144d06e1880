package menu

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/uitest"
)

// shortcut is the shortcut of a menu item.
type shortcut struct{ desktop.CustomShortcut }

func (*shortcut) String() string { return "Ctrl+O" }

// rig is a window with a menu bar; chosen is the chosen item.
type rig struct {
	win    fyne.Window
	bar    *Bar
	chosen string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(paint.NewTheme(paint.Dark, paint.DefaultTextSize))
	r := &rig{win: test.NewTempWindow(t, widget.NewLabel(""))}
	r.bar = NewBar(host.None{}, r.win.Canvas())
	item := func(label string) *fyne.MenuItem { return fyne.NewMenuItem(label, func() { r.chosen = label }) }
	open, off, theme := item("Open"), item("Off"), fyne.NewMenuItem("Theme", nil)
	open.Shortcut, off.Disabled = &shortcut{}, true
	theme.ChildMenu = fyne.NewMenu("", item("Dark"), item("Light"))
	theme.ChildMenu.Items[1].Checked = true
	r.bar.SetMenus([]*fyne.Menu{
		fyne.NewMenu("File", off, open, fyne.NewMenuItemSeparator(), item("Quit")),
		fyne.NewMenu("View", item("Larger"), theme),
	})
	r.win.SetPadded(false)
	r.win.SetContent(container.NewBorder(r.bar, nil, nil, nil, widget.NewLabel("below")))
	r.win.Resize(fyne.NewSize(500, 300))
	return r
}

func (r *rig) layer(t *testing.T) *layer {
	t.Helper()
	l, ok := r.win.Canvas().Overlays().Top().(*layer)
	require.True(t, ok, "a menu is open")
	return l
}

func (r *rig) keys(names ...fyne.KeyName) {
	for _, name := range names {
		r.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (r *rig) isOpen() bool { return r.win.Canvas().Overlays().Top() != nil }

// middle returns the center of a title in the window.
func (r *rig) middle(title int) *desktop.MouseEvent {
	at := fyne.NewPos((r.bar.edges[title]+r.bar.edges[title+1])/2, r.bar.Size().Height/2)
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at, AbsolutePosition: at},
		Button: desktop.MouseButtonPrimary}
}

func TestUnderlinedLettersAreUnique(t *testing.T) {
	assert.Equal(t, []int{0, 5, 2, 0, -1, -1}, letters([]string{"Open", "Open Folder", "Often", "Quit", "O", ""}))
	assert.Equal(t, []int{0, 1}, letters([]string{"Über", "übel"}))
}

func TestKeysMoveInTheMenusAndChoose(t *testing.T) {
	r := newRig(t)
	r.bar.Open(0)
	assert.Equal(t, "Open", r.layer(t).last().active.item.Label, "what cannot be chosen is passed over")
	r.keys(fyne.KeyUp)
	assert.Equal(t, "Quit", r.layer(t).last().active.item.Label, "before the first item is the last")
	r.keys(fyne.KeyReturn)
	assert.Equal(t, "Quit", r.chosen)
	assert.False(t, r.isOpen())

	r.bar.Open(0)
	r.keys(fyne.KeyRight)
	assert.Equal(t, 1, r.bar.open)
	r.keys(fyne.KeyEnd, fyne.KeyRight)
	assert.Equal(t, "Dark", r.layer(t).last().active.item.Label)
	r.keys(fyne.KeyLeft)
	assert.Len(t, r.layer(t).columns, 1)
	r.keys(fyne.KeyReturn, fyne.KeyEscape)
	assert.Len(t, r.layer(t).columns, 1, "Escape closes the menu of an item first")
	r.keys(fyne.KeyLeft)
	assert.Equal(t, 0, r.bar.open)
	r.keys(fyne.KeyEscape)
	assert.False(t, r.isOpen())
	assert.Equal(t, -1, r.bar.open)
}

func TestLettersChooseItems(t *testing.T) {
	r := newRig(t)
	r.bar.Open(1)
	letter := func(c rune) { r.win.Canvas().Focused().TypedRune(c) }
	letter('x')
	assert.True(t, r.isOpen())
	letter('T')
	letter('l')
	assert.Equal(t, "Light", r.chosen)
	assert.False(t, r.isOpen())

	r.bar.Open(0)
	letter('o')
	assert.True(t, r.isOpen(), "the item cannot be chosen")
}

func TestPointerOpensMenusAndChooses(t *testing.T) {
	r := newRig(t)
	r.bar.MouseMoved(r.middle(1))
	assert.Equal(t, 1, r.bar.Hovered)
	r.bar.MouseOut()
	r.bar.MouseDown(r.middle(0))
	require.Equal(t, 0, r.bar.open)
	assert.Nil(t, r.layer(t).last().active)
	r.layer(t).MouseMoved(r.middle(1))
	require.Equal(t, 1, r.bar.open, "the pointer opens the other menu")

	rows := r.layer(t).last().rows
	rows[1].MouseIn(nil)
	require.Len(t, r.layer(t).columns, 2)
	inside := r.layer(t).last()
	assert.Greater(t, inside.box.Position().X, r.layer(t).columns[0].box.Position().X)
	rows[1].MouseIn(nil)
	assert.Same(t, inside, r.layer(t).last(), "the pointer came back")
	inside.rows[1].Tapped(nil)
	assert.Equal(t, "Light", r.chosen)

	r.bar.MouseDown(r.middle(0))
	r.layer(t).last().rows[0].Tapped(nil)
	assert.True(t, r.isOpen(), "the item cannot be chosen")
	r.layer(t).Tapped(nil)
	assert.False(t, r.isOpen())
}

func TestMenusStayInTheWindow(t *testing.T) {
	r := newRig(t)
	var items []*fyne.MenuItem
	for range 60 {
		items = append(items, fyne.NewMenuItem("A rather long name of an item", nil))
	}
	Show(host.None{}, r.win.Canvas(), fyne.NewMenu("", items...), fyne.NewPos(480, 250))
	box := r.layer(t).last().box
	end := box.Position().AddXY(box.Size().Width, box.Size().Height)
	assert.Equal(t, fyne.NewPos(500, 300), end)
	r.keys(fyne.KeyEnd)
	assert.Positive(t, r.layer(t).last().scroll.Offset.Y, "the last item comes into view")
	assert.True(t, Close(r.win.Canvas()))
	assert.False(t, Close(r.win.Canvas()))
}

func TestMenusAreLegible(t *testing.T) {
	for _, mode := range []paint.Mode{paint.Dark, paint.Light} {
		r := newRig(t)
		fyne.CurrentApp().Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
		r.bar.Open(0)
		row := r.layer(t).last().rows[1]
		test.WidgetRenderer(row)
		ground := theme.Color(theme.ColorNameMenuBackground)
		lit := uitest.Over(theme.Color(theme.ColorNameFocus), ground)
		for _, below := range []color.Color{ground, lit} {
			for _, c := range []color.Color{row.keys.Color, row.label.text.Color} {
				assert.GreaterOrEqual(t, uitest.Contrast(uitest.Over(c, below), below), 4.5, mode)
			}
		}
	}
}

func TestTheTapThatOpensMenusLeavesThemOpen(t *testing.T) {
	r := newRig(t)
	Show(host.None{}, r.win.Canvas(), fyne.NewMenu("", fyne.NewMenuItem("Hide", func() {})), fyne.NewPos(100, 100))
	l := r.layer(t)
	l.TappedSecondary(&fyne.PointEvent{}) // the toolkit sends this when something covers the window
	assert.Same(t, l, r.layer(t))
	l.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonSecondary})
	l.TappedSecondary(&fyne.PointEvent{})
	assert.Nil(t, r.win.Canvas().Overlays().Top(), "a tap that begins beside the menus closes them")
}
