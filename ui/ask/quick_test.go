package ask_test

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/ask"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

type shown struct {
	*ask.QuickList
	window fyne.Window
	taken  []string
}

// show opens a list of words over a window.
func show(t *testing.T, words ...string) *shown {
	test.NewTempApp(t)
	s := &shown{window: test.NewTempWindow(t, widget.NewLabel("below"))}
	s.window.Resize(fyne.NewSize(700, 500))
	search := func(_ context.Context, query string, show func([]ask.Item)) {
		var found []ask.Item
		for _, word := range words {
			if strings.Contains(word, query) {
				found = append(found, ask.Item{Name: word, Note: "word",
					On: func() { s.taken = append(s.taken, word) }})
			}
		}
		show(found)
	}
	s.QuickList = ask.ShowQuickList(s.window.Canvas(), paint.NewStyle(), work.Inline(context.Background()), "Go to",
		"Type", search)
	return s
}

func (s *shown) key(names ...fyne.KeyName) {
	for _, n := range names {
		s.Field().TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func (s *shown) open() bool { return s.window.Canvas().Overlays().Top() != nil }

func (s *shown) names() []string {
	var names []string
	for _, i := range s.Items() {
		names = append(names, i.Name)
	}
	return names
}

func TestTypingNarrowsTheList(t *testing.T) {
	s := show(t, "mesh", "material", "camera")
	require.True(t, s.open())
	assert.Same(t, s.Field(), s.window.Canvas().Focused(), "one may type at once")
	assert.Equal(t, []string{"mesh", "material", "camera"}, s.names())
	test.Type(s.Field(), "ma")
	assert.Equal(t, []string{"material"}, s.names())
	test.Type(s.Field(), "x")
	assert.Empty(t, s.names())
	s.key(fyne.KeyReturn)
	assert.True(t, s.open(), "there is nothing to take")
	assert.Empty(t, s.taken)
}

func TestAnItemStaysChosenWhileItIsNamed(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewLabel("below"))
	var taken string
	l := ask.ShowQuickList(w.Canvas(), paint.NewStyle(), work.Inline(context.Background()), "Name", "", func(
		_ context.Context, query string, show func([]ask.Item)) {
		var all []ask.Item
		for _, typ := range []string{"u4", "f4"} {
			all = append(all, ask.Item{Name: query + ": " + typ, ID: typ, On: func() { taken = query + typ }})
		}
		show(all)
	})
	l.Key(&fyne.KeyEvent{Name: fyne.KeyDown}, false)
	test.Type(l.Field(), "x")
	l.Key(&fyne.KeyEvent{Name: fyne.KeyReturn}, false)
	assert.Equal(t, "xf4", taken)
}

func TestListWithoutItemsHasAMessage(t *testing.T) {
	s := show(t)
	message := func() (all []string) {
		for _, o := range test.LaidOutObjects(s.window.Canvas().Overlays().Top()) {
			if l, ok := o.(*widget.Label); ok && l.Text != "" {
				all = append(all, l.Text)
			}
		}
		return all
	}
	assert.Equal(t, []string{"Type"}, message())
	test.Type(s.Field(), "m")
	assert.Equal(t, []string{"No matches"}, message())
}

func TestEnterRunsTheCurrentItem(t *testing.T) {
	s := show(t, "mesh", "material", "camera")
	s.window.Canvas().Capture()
	s.key(fyne.KeyReturn)
	assert.Equal(t, []string{"mesh"}, s.taken, "the first, without a key")
	assert.False(t, s.open())

	s = show(t, "mesh", "material", "camera")
	s.window.Canvas().Capture()
	s.key(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn)
	assert.Equal(t, []string{"material"}, s.taken)
}

func TestClickRunsAnItem(t *testing.T) {
	s := show(t, "mesh", "material", "camera")
	s.window.Canvas().Capture()
	for _, o := range test.LaidOutObjects(s.window.Canvas().Overlays().Top()) {
		if r, ok := o.(*rows.Rows); ok {
			at := fyne.PointEvent{Position: r.RowPosition(1).SubtractXY(0, 4)}
			press := &desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary}
			r.MouseDown(press)
			assert.Empty(t, s.taken, "the button is still down")
			r.MouseUp(press)
		}
	}
	assert.Equal(t, []string{"material"}, s.taken)
	assert.False(t, s.open())
}

func TestEscapeClosesTheList(t *testing.T) {
	s := show(t, "mesh")
	s.key(fyne.KeyEscape)
	assert.False(t, s.open())
	assert.Empty(t, s.taken)
}

func TestOutdatedSearchesAreCanceled(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewLabel("below"))
	w.Resize(fyne.NewSize(300, 200))
	var late func() error // returns the error of the latest search
	search := func(ctx context.Context, _ string, _ func([]ask.Item)) {
		late = ctx.Err
	}
	l := ask.ShowQuickList(w.Canvas(), paint.NewStyle(), work.Inline(context.Background()), "", "", search)
	first := late
	test.Type(l.Field(), "a")
	assert.Error(t, first(), "another is wanted")
	assert.NoError(t, late())
	l.Close()
	assert.Error(t, late())
}

func TestEnterWaitsForTheItems(t *testing.T) {
	test.NewTempApp(t)
	w := test.NewTempWindow(t, widget.NewLabel("below"))
	w.Resize(fyne.NewSize(700, 500))
	var shows func([]ask.Item)
	group := work.Inline(t.Context())
	var l *ask.QuickList
	taken := ""
	item := func(name string) ask.Item { return ask.Item{Name: name, On: func() { taken = name }} }
	search := func(_ context.Context, query string, show func([]ask.Item)) {
		shows = show
		show([]ask.Item{{Name: "Searching 1 of 9…", Dim: true}})
		if query == "du" {
			l.Field().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			assert.Empty(t, taken, "nothing has been found yet")
			show([]ask.Item{{Name: "Searching 5 of 9…", Dim: true}})
			assert.Empty(t, taken)
			show([]ask.Item{item("duck"), item("dune")})
		}
	}
	l = ask.ShowQuickList(w.Canvas(), paint.NewStyle(), group, "Go to", "Type", search)
	l.Field().Append("d")
	l.Field().Append("u")
	require.NotNil(t, shows)
	assert.Equal(t, "duck", taken)
	assert.Nil(t, w.Canvas().Overlays().Top())
}
