package window

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
)

// controls lists the controls of a type in a tree of objects.
func controls[C any](o fyne.CanvasObject) (all []C) {
	if c, ok := o.(C); ok {
		return append(all, c)
	}
	switch o := o.(type) {
	case *fyne.Container:
		for _, below := range o.Objects {
			all = append(all, controls[C](below)...)
		}
	case *container.Scroll:
		all = controls[C](o.Content)
	}
	return all
}

func TestSettingsTakeEffectAndCanBeReset(t *testing.T) {
	w := makeWindow(t)
	t.Cleanup(func() { model.SetSeparator(",") })
	w.commands.Run("edit.settings", nil)
	s := w.tabs.current().(*settingsTab)
	lists := controls[*control.Select](s.content)
	require.Len(t, lists, 3)
	lists[0].SetSelected("Light")
	assert.Equal(t, paint.Light, w.prefs.mode())
	lists[2].SetSelected("1’234’567")
	assert.Equal(t, "12’345", host.Number(12345))
	controls[*control.Select](s.content)[1].SetSelected("20")
	assert.EqualValues(t, 20, w.style.TextSize)

	opening.Resources.Set("/project", "/textures")
	s.show(3)
	folders := controls[*control.Button](s.content)
	require.Len(t, folders, 1)
	folders[0].Tapped(nil)
	assert.Empty(t, controls[*control.Button](s.content), "forgotten")

	w.showSettings(0)
	assert.Equal(t, s, w.tabs.current(), "there is one tab of settings")
	all := controls[*control.Button](s.content)
	all[len(all)-1].Tapped(nil)
	test.Tap(w.win.Canvas().Focused().(*control.Button))
	assert.Equal(t, paint.System, w.prefs.mode())
	assert.Equal(t, "12,345", host.Number(12345))
	assert.EqualValues(t, paint.DefaultTextSize, w.style.TextSize)
}

func TestSettingsOfViewsApplyToOpenAndLaterTabs(t *testing.T) {
	w := makeWindow(t)
	w.openFile(write(t, t.TempDir(), "a.bin", "12"))
	first := w.tabs.current()
	w.showSettings(1)
	lists := controls[*control.Select](w.tabs.current().(*settingsTab).content)
	require.Len(t, lists, 2)
	lists[0].SetSelected("24")
	lists[1].SetSelected("White")
	assert.Equal(t, 24, paneOf(first).Columns())
	w.openFile(write(t, t.TempDir(), "b.bin", "12"))
	assert.Equal(t, 24, paneOf(w.tabs.current()).Columns())
	w.showSettings(1)
	assert.Equal(t, "White", controls[*control.Select](w.tabs.current().(*settingsTab).content)[1].Selected)
	w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false)
	assert.Len(t, w.tabs.all, 2, "Escape closes the settings")
	w.manual()
	w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false)
	assert.Len(t, w.tabs.all, 2, "and the format reference")
	w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false)
	assert.Len(t, w.tabs.all, 2, "but no file")
}

func TestShortcutsAreChangedByPressingKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "assay", "keys.txt")
	w := windowWith(t, test.NewTempApp(t), ui.Options{Keys: file})
	w.openFile(write(t, t.TempDir(), "a.bin", "12"))
	w.showSettings(len(settingsPages) - 1)
	l := w.tabs.current().(*settingsTab).shortcuts
	l.search.SetText("go to offset")
	require.Len(t, l.table.Items, 1)
	l.askKey()
	k := w.win.Canvas().Focused().(*keyCatcher)
	k.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyO, Modifier: fyne.KeyModifierShortcutDefault})
	assert.Contains(t, k.message.Text, "already used by “Open…”")
	assert.NotContains(t, k.message.Text, "file.open")
	k.TypedRune('x')
	assert.Contains(t, k.message.Text, "types a character")
	assert.NoFileExists(t, file)
	k.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF9})
	assert.Equal(t, "F9", w.Keys().Text("go.offset"), "at once")
	assert.Equal(t, "F9", l.table.Cell(0, 2).Text)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "go.offset = F9\n", string(b))
	test.Tap(l.reset)
	assert.Equal(t, "Ctrl+G", w.Keys().Text("go.offset"))
	test.Tap(l.remove)
	assert.Empty(t, w.Keys().Text("go.offset"))
	l.resetAll()
	assert.Equal(t, command.Default().Text("go.offset"), w.Keys().Text("go.offset"))
	assert.NoFileExists(t, file)
}

func TestTakenShortcutIsTakenOverWhenPressedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.txt")
	w := windowWith(t, test.NewTempApp(t), ui.Options{Keys: file})
	w.showSettings(len(settingsPages) - 1)
	l := w.tabs.current().(*settingsTab).shortcuts
	l.search.SetText("go to offset")
	hint := w.Keys().HintOf("go.offset")
	l.askKey()
	k := w.win.Canvas().Focused().(*keyCatcher)
	taken := &desktop.CustomShortcut{KeyName: fyne.KeyO, Modifier: fyne.KeyModifierShortcutDefault}
	k.TypedShortcut(taken)
	assert.Equal(t, "Ctrl+O", w.Keys().Text("file.open"), "once only asks")
	k.TypedShortcut(taken)
	assert.Equal(t, "Ctrl+O", w.Keys().Text("go.offset"))
	assert.Contains(t, hint(), "(Ctrl+O)", "a hint made before the change")
	assert.Empty(t, w.Keys().Text("file.open"))
	keys, problems := command.ReadKeysFile(file)
	assert.Empty(t, problems)
	assert.Equal(t, "Ctrl+O", keys.Text("go.offset"), "after a restart")

	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	l.search.SetText("open…")
	for row, c := range l.table.Items {
		if c.ID == "file.open" {
			l.table.SetCurrent(row)
		}
	}
	require.Equal(t, command.ID("file.open"), l.current().ID)
	l.reset.OnTapped()
	keys, problems = command.ReadKeysFile(file)
	assert.Empty(t, problems, "no key is there twice")
	assert.Equal(t, "Ctrl+O", keys.Text("file.open"))
	assert.NotEqual(t, "Ctrl+O", keys.Text("go.offset"))
}

func TestFirstStepsAreOneTab(t *testing.T) {
	w := makeWindow(t)
	w.options.Steps = []ui.Step{{Title: "Open", Text: "Press Ctrl+O.",
		Picture: func(bool) []byte { return w.options.Icon }}}
	w.showSteps()
	w.showSteps()
	assert.Equal(t, []string{"First Steps"}, titles(w))
}

func TestOnlyQuitQuits(t *testing.T) {
	w := makeWindow(t)
	w.openFile(write(t, t.TempDir(), "a.bin", "12"))
	w.commands.Run("tab.close", w.tabs.current())
	w.commands.Run("tab.close", w.tabs.current())
	assert.False(t, w.workEnded)
	assert.Equal(t, []fyne.CanvasObject{w.startPage.Content()}, w.tabs.body.Objects)
}
