package tabs_test

import (
	"fmt"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/tabs"
)

type statusShown struct {
	*tabs.Status
	window fyne.Window
	heard  []string
}

func statusShow(t *testing.T, width float32) *statusShown {
	test.NewTempApp(t)
	s := &statusShown{Status: tabs.NewStatus(paint.NewStyle())}
	s.window = test.NewTempWindow(t, s.Status)
	s.window.SetPadded(false)
	s.window.Resize(fyne.NewSize(width, s.MinSize().Height))
	return s
}

// segment returns a segment that reports its name when it is clicked.
func (s *statusShown) segment(name string) tabs.Segment {
	return tabs.Segment{Text: name, On: func() { s.say(name) }}
}

func (s *statusShown) say(name string) {
	if n := len(s.heard); n == 0 || s.heard[n-1] != name {
		s.heard = append(s.heard, name)
	}
}

func (s *statusShown) frame() image.Image { return s.window.Canvas().Capture() }

// sweep clicks from the left to the right, and returns the clicked segments.
func (s *statusShown) sweep() []string {
	s.frame()
	s.heard = nil
	for x := float32(0); x < s.Size().Width; x++ {
		s.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, s.Size().Height/2)})
	}
	return s.heard
}

func (s *statusShown) hover(x float32) {
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, s.Size().Height/2)}})
}

func TestSegmentsAreClicked(t *testing.T) {
	s := statusShow(t, 800)
	s.Set([]tabs.Segment{s.segment("root"), s.segment("node"), {Text: "here"}},
		[]tabs.Segment{s.segment("size"), {Text: "100%", Tone: paint.Success}, s.segment("problems")})
	assert.Equal(t, []string{"root", "node", "size", "problems"}, s.sweep())
}

func TestLongPathLosesItsBeginning(t *testing.T) {
	s := statusShow(t, 300)
	var way []tabs.Segment
	for i := range 30 {
		way = append(way, s.segment(fmt.Sprint("segment ", i)))
	}
	s.Set(way, nil)
	met := s.sweep()
	assert.Less(t, len(met), 8)
	assert.Equal(t, "segment 29", met[len(met)-1])
	assert.NotContains(t, met, "segment 0")
}

func TestFactsThatDoNotFitAreLeftOut(t *testing.T) {
	s := statusShow(t, 220)
	s.Set(nil, []tabs.Segment{s.segment("what matters little and is long"), s.segment("what matters")})
	assert.Equal(t, []string{"what matters"}, s.sweep())
}

func TestHintReplacesThePath(t *testing.T) {
	s := statusShow(t, 600)
	s.Set([]tabs.Segment{s.segment("root"), s.segment("node")}, []tabs.Segment{s.segment("size")})
	before := s.frame()
	s.SetHint("/models/duck.gpb")
	assert.Equal(t, []string{"size"}, s.sweep())
	s.SetHint("")
	assert.Equal(t, before, s.frame())
}

func TestPointerShapeAndHintFollowTheSegment(t *testing.T) {
	s := statusShow(t, 600)
	s.Set([]tabs.Segment{{Text: "here"}},
		[]tabs.Segment{{Text: "F8", Hint: "goes to the next change"}, s.segment("size")})
	before := s.frame()
	var met []string
	for x := float32(0); x < 600; x += 4 {
		s.hover(x)
		now := "nothing"
		if s.Cursor() == desktop.PointerCursor {
			now = "button"
		} else if !assert.ObjectsAreEqual(before, s.frame()) {
			now = "hint"
		}
		if n := len(met); n == 0 || met[n-1] != now {
			met = append(met, now)
		}
	}
	assert.Equal(t, []string{"nothing", "hint", "button"}, met)
	s.MouseOut()
	assert.Equal(t, before, s.frame())
	s.SetHint("Copied")
	copied := s.frame()
	s.hover(599)
	s.MouseOut()
	assert.Equal(t, copied, s.frame(), "what is said elsewhere stays")
}

func TestHintOfAFactHidesOtherFacts(t *testing.T) {
	s := statusShow(t, 420)
	last := s.segment("problems")
	last.Hint = "The structure of this file is valid."
	s.Set(nil, []tabs.Segment{s.segment("what matters little"), last})
	assert.Equal(t, []string{"what matters little", "problems"}, s.sweep())
	s.hover(410)
	assert.Equal(t, []string{"problems"}, s.sweep())
	s.MouseOut()
	assert.Equal(t, []string{"what matters little", "problems"}, s.sweep())
}

func TestRunningTaskIsDisplayedAndStopped(t *testing.T) {
	s := statusShow(t, 600)
	idle := s.frame()
	s.SetBusy("Comparing", 0.1, func() { s.say("stop") })
	little := s.frame()
	assert.NotEqual(t, idle, little)
	assert.Equal(t, []string{"stop"}, s.sweep())
	s.SetBusy("Comparing", 0.9, func() {})
	assert.NotEqual(t, little, s.frame(), "the bar grows")
	s.SetBusy("Comparing", -1, nil)
	assert.Empty(t, s.sweep(), "what cannot be stopped has no cross")
	s.SetBusy("", 0, nil)
	assert.Equal(t, idle, s.frame())
}

// TestTheHintOfAnotherTabDisappears displays other facts while the pointer rests on one.
func TestTheHintOfAnotherTabDisappears(t *testing.T) {
	s := statusShow(t, 800)
	facts := func(hint string) []tabs.Segment { return []tabs.Segment{{Text: "decoded", Hint: hint}} }
	s.Set([]tabs.Segment{{Text: "path"}}, facts("Every byte is decoded."))
	path := s.frame()
	s.hover(s.Size().Width - 20)
	hinted := s.frame()
	assert.NotEqual(t, path, hinted)
	s.Set([]tabs.Segment{{Text: "path"}}, facts("Every byte is decoded."))
	assert.Equal(t, hinted, s.frame())
	s.Set([]tabs.Segment{{Text: "path"}}, facts("7 bytes are not decoded."))
	assert.Equal(t, path, s.frame())
}
