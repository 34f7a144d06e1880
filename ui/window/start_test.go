package window_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/window"
)

type shown struct {
	*window.StartPage
	window fyne.Window
	heard  []string
}

func show(t *testing.T, o ui.Options) *shown {
	test.NewTempApp(t)
	s := new(shown)
	s.StartPage = window.NewStartPage(o, command.Default(), window.StartEvents{
		OnOpen:   func() { s.heard = append(s.heard, "open") },
		OnSample: func(a ui.Sample) { s.heard = append(s.heard, "sample "+a.Name) },
		OnRecent: func(path string) { s.heard = append(s.heard, "recent "+path) },
		OnClear:  func() { s.heard = append(s.heard, "clear") },
	})
	s.window = test.NewTempWindow(t, s.Content())
	s.window.Resize(fyne.NewSize(1000, 700))
	return s
}

// button returns the button of the page with a label.
func (s *shown) button(text string) *control.Button {
	for _, o := range test.LaidOutObjects(s.Content()) {
		if b, ok := o.(*control.Button); ok && b.Text == text {
			return b
		}
	}
	return nil
}

func (s *shown) tap(t *testing.T, text string) {
	t.Helper()
	b := s.button(text)
	require.NotNil(t, b, "there is no button "+text)
	test.Tap(b)
}

// says returns all text of the page.
func (s *shown) says() string {
	var all []string
	for _, o := range test.LaidOutObjects(s.Content()) {
		switch o := o.(type) {
		case *widget.Label:
			all = append(all, o.Text)
		case *widget.RichText:
			all = append(all, o.String())
		}
	}
	return strings.Join(all, "\n")
}

var options = ui.Options{
	Samples: []ui.Sample{{Name: "duck.gpb", Title: "a duck"}, {Name: "world.ppac", Title: "a world"}},
	Kinds: []ui.Kind{{Title: "gameplay bundle", Extensions: []string{".gpb", ".bundle"}},
		{Title: "description", Extensions: []string{".ksy"}}},
}

func TestStartPageExplainsHowToBegin(t *testing.T) {
	s := show(t, options)
	s.tap(t, "Open File…")
	s.tap(t, "world.ppac")
	assert.Equal(t, []string{"open", "sample world.ppac"}, s.heard)
	for _, want := range []string{"Assay", "a duck", "Ctrl+O",
		"gameplay bundle\ndescription", ".gpb  .bundle\n.ksy"} {
		assert.Contains(t, s.says(), want)
	}
	assert.Nil(t, s.button("Clear"), "nothing was open yet")
}

func TestRecentFilesAreOpenedAndForgotten(t *testing.T) {
	s := show(t, options)
	s.SetRecent([]window.Recent{
		{Name: "a.gpb", Folder: "/models", Format: "gpb 1.2", Path: "/models/a.gpb"},
		{Name: "gone.gpb", Folder: "/models", Missing: true, Path: "/models/gone.gpb"},
	})
	s.tap(t, "a.gpb")
	s.tap(t, "gone.gpb")
	s.tap(t, "Clear")
	assert.Equal(t, []string{"recent /models/a.gpb", "clear"}, s.heard, "what is missing is not opened")
	assert.Contains(t, s.says(), "gpb 1.2   /models")
	assert.Contains(t, s.says(), "missing   /models")
	assert.NotNil(t, s.button("duck.gpb"), "the samples stay")
	s.SetRecent([]window.Recent{{Name: "art", Folder: "/game", Format: "folder", IsFolder: true, Path: "/game/art"}})
	s.tap(t, "art")
	assert.Equal(t, "recent /game/art", s.heard[len(s.heard)-1])
	assert.Contains(t, s.says(), "Recent folders")
	assert.NotContains(t, s.says(), "Recent files")
	s.SetRecent(nil)
	assert.Nil(t, s.button("a.gpb"))
}

func TestRecentFilesFitTheWidth(t *testing.T) {
	s := show(t, options)
	s.SetRecent([]window.Recent{{Name: "a.gpb", Folder: "/a/folder/with/a/name/of/some/length", Path: "/a.gpb"}})
	place := func(text string) fyne.Position {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(s.button(text))
	}
	assert.Less(t, place("a.gpb").X, place("duck.gpb").X-200, "beside the samples")
	s.window.Resize(fyne.NewSize(420, 500))
	assert.Less(t, place("a.gpb").Y, place("duck.gpb").Y, "above them")
	assert.Less(t, place("duck.gpb").X, float32(200))
}

func TestOnlySomeRecentFilesAreShown(t *testing.T) {
	s := show(t, ui.Options{})
	var many []window.Recent
	for i := range 30 {
		many = append(many, window.Recent{Name: fmt.Sprint(i), Path: fmt.Sprint("/", i)})
	}
	s.SetRecent(many)
	assert.Len(t, s.Recent(), 8)
	assert.NotNil(t, s.button("7"))
	assert.Nil(t, s.button("8"))
	assert.NotContains(t, s.says(), "sample", "there is none")
}

func TestTheEndOfALongFolderIsShown(t *testing.T) {
	assert.Equal(t, "/short", window.Tail("/short", 6))
	assert.Equal(t, "…ältnis", window.Tail("/langes/verhältnis", 6))
}
