package tabs_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/tabs"
)

// shown is a row of tabs in a window, with its reported events.
type shown struct {
	*tabs.Tabs
	window           fyne.Window
	selected, closed []int
	menus            []int
	hints            []string
}

func show(t *testing.T, width float32, all ...tabs.Tab) *shown {
	test.NewTempApp(t)
	s := &shown{Tabs: tabs.New(paint.NewStyle())}
	s.Closable = true
	s.OnSelect = func(i int) { s.selected = append(s.selected, i) }
	s.OnClose = func(i int) { s.closed = append(s.closed, i) }
	s.OnMenu = func(i int, _ fyne.Position) { s.menus = append(s.menus, i) }
	s.OnHint = func(hint string) { s.hints = append(s.hints, hint) }
	s.SetTabs(all)
	s.window = test.NewTempWindow(t, s.Tabs)
	s.window.SetPadded(false)
	s.window.Resize(fyne.NewSize(width, s.MinSize().Height))
	s.frame()
	return s
}

func (s *shown) frame() { s.window.Canvas().Capture() }

// at returns a position at half the height of the row.
func (s *shown) at(x float32) fyne.PointEvent {
	return fyne.PointEvent{Position: fyne.NewPos(x, s.Size().Height/2)}
}

// sweep taps from the left to the right.
func (s *shown) sweep() {
	for x := float32(0); x < s.Size().Width; x++ {
		ev := s.at(x)
		s.Tapped(&ev)
	}
}

func (s *shown) hover(x float32) { s.MouseMoved(&desktop.MouseEvent{PointEvent: s.at(x)}) }

// runs removes consecutive duplicates.
func runs(all []int) []int {
	var out []int
	for i, n := range all {
		if i == 0 || n != all[i-1] {
			out = append(out, n)
		}
	}
	return out
}

var three = []tabs.Tab{{Title: "duck.gpb", Hint: "/models/duck.gpb"}, {Title: "a", Badge: "12"},
	{Title: "world.ppac", Hint: "/world.ppac", Dim: true}}

func TestEachTabIsSelectedAndClosedByItsCross(t *testing.T) {
	s := show(t, 600, three...)
	s.sweep()
	assert.Equal(t, []int{0, 1, 2}, runs(s.selected))
	assert.Equal(t, []int{0, 1, 2}, runs(s.closed))
	assert.Greater(t, len(s.selected), 2*len(s.closed), "a cross is smaller than what it closes")
	assert.Equal(t, -1, s.Selected(), "the owner selects")
	s.SetSelected(1)
	assert.Equal(t, 1, s.Selected())
}

func TestTabsThatStayHaveNoCross(t *testing.T) {
	s := show(t, 600, three...)
	s.Closable = false
	s.Refresh()
	s.frame()
	s.sweep()
	assert.Empty(t, s.closed)
	s.MouseUp(&desktop.MouseEvent{PointEvent: s.at(20), Button: desktop.MouseButtonTertiary})
	assert.Empty(t, s.closed)
	assert.Equal(t, []int{0, 1, 2}, runs(s.selected))
}

func TestMiddleButtonClosesAndSecondaryOpensTheMenu(t *testing.T) {
	s := show(t, 600, three...)
	s.MouseUp(&desktop.MouseEvent{PointEvent: s.at(20), Button: desktop.MouseButtonPrimary})
	assert.Empty(t, s.closed)
	s.MouseUp(&desktop.MouseEvent{PointEvent: s.at(20), Button: desktop.MouseButtonTertiary})
	assert.Equal(t, []int{0}, s.closed, "the middle button closes")
	ev := s.at(20)
	s.TappedSecondary(&ev)
	ev = s.at(590)
	s.TappedSecondary(&ev)
	assert.Equal(t, []int{0}, s.menus, "beside the tabs there is no menu")
}

func TestHintFollowsThePointer(t *testing.T) {
	s := show(t, 600, three...)
	s.hover(20)
	s.hover(21)
	s.hover(590)
	s.MouseOut()
	assert.Equal(t, []string{"/models/duck.gpb", "", ""}, s.hints, "once a tab")
}

func TestTheSelectedTabIsInView(t *testing.T) {
	many := make([]tabs.Tab, 20)
	for i := range many {
		many[i].Title = "a document of some length.gpb"
	}
	s := show(t, 300, many...)
	s.SetSelected(19)
	s.frame()
	s.sweep()
	assert.Equal(t, 19, s.selected[len(s.selected)-1])

	s.selected = nil
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1e6)})
	s.frame()
	s.sweep()
	assert.Equal(t, []int{0, 1}, runs(s.selected), "scrolled to the beginning, not beyond")

	s.selected = nil
	s.SetTabs(many[:1])
	s.frame()
	s.sweep()
	assert.Equal(t, []int{0}, runs(s.selected))
}

func TestTabsBeyondTheEdgeAreReached(t *testing.T) {
	var all []tabs.Tab
	for range 12 {
		all = append(all, tabs.Tab{Title: "a long title of a tab"})
	}
	s := show(t, 400, all...)
	lists := 0
	s.OnList = func(fyne.Position) { lists++ }
	s.SetSelected(0)
	s.frame()
	tap := func(x float32) {
		s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, 10)})
		s.frame()
	}
	tap(20)
	assert.Equal(t, []int{0}, s.selected)
	tap(400 - 24 - 12)
	tap(20)
	assert.Positive(t, s.selected[1], "scrolled to the right")
	tap(400 - 2*24 - 12)
	tap(20)
	assert.Equal(t, 0, s.selected[2], "and back")
	tap(390)
	assert.Equal(t, 1, lists)
	s.SetSelected(11)
	s.frame()
	tap(400 - 3*24 - 30)
	assert.Equal(t, 11, s.selected[3], "the selected tab is in view beside the arrows")
}

func TestHoverIsForgottenWithItsTab(t *testing.T) {
	a, b := tabs.Tab{Title: "one.gpb", Hint: "one"}, tabs.Tab{Title: "two.gpb", Hint: "two"}
	s := show(t, 600, a, b)
	s.hover(20)
	s.SetTabs([]tabs.Tab{b})
	s.frame()
	s.hover(21)
	assert.Equal(t, []string{"one", "two"}, s.hints, "it is the other tab now")
	s.SetTabs([]tabs.Tab{{Title: b.Title, Hint: b.Hint, Badge: "changed"}})
	s.hover(22)
	assert.Equal(t, []string{"one", "two"}, s.hints)
}
