package window

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
	"assay/ui/tabs"
)

// plainTab is an empty tab.
type plainTab struct {
	title   string
	path    string
	content *fyne.Container
	closed  int
}

func (t *plainTab) Title() string                       { return t.title }
func (t *plainTab) Hint() string                        { return t.path }
func (t *plainTab) Content() fyne.CanvasObject          { return t.content }
func (t *plainTab) Status() (way, facts []tabs.Segment) { return nil, nil }
func (t *plainTab) Focus()                              {}
func (t *plainTab) Close()                              { t.closed++ }

// TestTheStripAndTheContentAreOfOneTab opens, closes, replaces and selects tabs in any order. A selected tab may
// replace itself by another one, as a tab of the last session does.
func TestTheStripAndTheContentAreOfOneTab(t *testing.T) {
	test.NewTempApp(t)
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := newTabSet(paint.NewStyle())
		s.empty = container.NewStack()
		var all []*plainTab
		tab := func() *plainTab {
			one := &plainTab{title: fmt.Sprint("tab ", len(all)%3), content: container.NewStack()}
			all = append(all, one)
			return one
		}
		title, nested := "", 0
		s.onLeave, s.onTitle = func(Tab) {}, func(text string) { title = text }
		s.onShow = func(at Tab) {
			if at == nil || nested > 2 || r.IntN(4) > 0 {
				return
			}
			nested++
			if r.IntN(3) > 0 {
				s.replace(at, tab())
			} else {
				s.close(at)
			}
			nested--
		}
		s.show(-1)
		for range 60 {
			switch one := Tab(nil); r.IntN(6) {
			case 0, 1:
				s.add(tab(), nil)
			case 2:
				if len(all) > 0 {
					s.close(all[r.IntN(len(all))])
				}
			case 3:
				if len(all) > 0 {
					s.reveal(all[r.IntN(len(all))]) // the tab may be closed
				}
			case 4:
				s.selectBeside(1 - 2*r.IntN(2))
			default:
				if one = s.current(); one != nil {
					s.replace(one, tab())
				}
			}
			assert.Equal(t, s.selected, s.row.Selected())
			assert.Len(t, s.labels, len(s.all))
			for i, one := range s.all {
				assert.Equal(t, one.Title(), s.labels[i].Title)
				assert.Zero(t, one.(*plainTab).closed)
			}
			if len(s.all) == 0 {
				assert.Equal(t, []fyne.CanvasObject{s.empty}, s.body.Objects)
				assert.Empty(t, title)
				continue
			}
			if assert.GreaterOrEqual(t, s.selected, 0, "a tab is in view as long as there is one") {
				assert.Same(t, s.current().Content(), s.body.Objects[0])
				assert.Equal(t, s.current().Title(), title)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func TestTabsOfOneNameShowTheirFolders(t *testing.T) {
	s := newTabSet(paint.NewStyle())
	for _, path := range []string{"/p/one/x/duck.gpb", "/p/two/x/duck.gpb", "/p/three/duck.gpb", "/p/one/x/goose.gpb"} {
		path = filepath.FromSlash(path)
		if runtime.GOOS == "windows" {
			path = "C:" + path
		}
		s.all = append(s.all, &plainTab{title: filepath.Base(path), path: path})
	}
	var labels []string
	for _, tab := range s.all {
		labels = append(labels, s.label(tab))
	}
	assert.Equal(t, []string{"duck.gpb – one/x", "duck.gpb – two/x", "duck.gpb – three", "goose.gpb"}, labels)
}

func TestARememberedSizeFitsAScreen(t *testing.T) {
	p := preferences{test.NewTempApp(t).Preferences()}
	for _, c := range []struct{ saved, width, height float64 }{{3e9, maxWidth, maxHeight},
		{-5, minWidth, minHeight},
		{1000, 1000, 1000}} {
		p.SetFloat("window.width", c.saved)
		p.SetFloat("window.height", c.saved)
		assert.Equal(t, fyne.NewSize(float32(c.width), float32(c.height)), p.size())
	}
}

func TestAThemeReachesHiddenTabs(t *testing.T) {
	test.NewTempApp(t)
	s := newTabSet(paint.NewStyle())
	s.empty = container.NewStack()
	s.onLeave, s.onShow, s.onTitle = func(Tab) {}, func(Tab) {}, func(string) {}
	reached := func() (objects []fyne.CanvasObject) {
		s.withHiddenTabs(func() { objects = s.body.Objects })
		return objects
	}
	assert.Equal(t, []fyne.CanvasObject{}, append([]fyne.CanvasObject{}, reached()...))
	a, b := &plainTab{title: "a", content: container.NewStack()}, &plainTab{title: "b", content: container.NewVBox()}
	s.add(a, nil)
	s.add(b, nil)
	objects := reached()
	assert.Len(t, objects, 2)
	assert.Same(t, a.content, objects[1])
	assert.Len(t, s.body.Objects, 1)
	assert.Same(t, b.content, s.body.Objects[0])
}
