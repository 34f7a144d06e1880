//go:build unix

package preview_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"io"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/modeltest"
	"assay/model/scene"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// TestPreviousPictureStaysUntilTheSceneIsDrawn checks the stage after each func on the UI thread.
func TestPreviousPictureStaysUntilTheSceneIsDrawn(t *testing.T) {
	red := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	draw.Draw(red, red.Rect, image.NewUniform(color.NRGBA{R: 0xff, A: 0xff}), image.Point{}, draw.Src)
	d := document(func(n *model.Node) model.View {
		if n.Name == "b" {
			return triangle()
		}
		return model.Picture{Image: red}
	})
	p, s := onScreen(t)
	seen := false
	p.OnView = func(model.View) { seen = true }

	top := func() fyne.CanvasObject {
		on := nodeContent(p).Objects[0].(*fyne.Container).Objects
		return on[len(on)-1]
	}
	for _, at := range []int{0, 1, 0, 1} { // the viewport still has the state of the first scene
		seen = false
		p.Select(doc.Selection{Document: d, Node: d.Root().Child(at)})
		for !seen || stage(p) != top() {
			(<-s.done)()
			assert.True(t, painted(top()), "what is on the stage has something to show")
		}
		assert.True(t, painted(top()))
	}
}

// TestLatestSelectionIsDisplayed finds the views of three nodes in the other order, the first ones too late.
func TestLatestSelectionIsDisplayed(t *testing.T) {
	asked, found := make(chan string, 10), map[string]chan bool{}
	d := document(func(*model.Node) model.View { return nil })
	root := d.Root()
	root.SetChildren(model.List{root.Child(0), root.Child(1), {Name: "c", Type: "C"}})
	for _, name := range []string{"", "a", "b", "c"} {
		found[name] = make(chan bool, 1)
	}
	d.View = func(_ context.Context, n *model.Node) (model.View, error) {
		asked <- n.Name
		<-found[n.Name]
		return model.Picture{Image: image.NewNRGBA(image.Rect(0, 0, 1+n.Index, 1))}, nil
	}
	p, s := onScreen(t)
	choose := func(n *model.Node) {
		p.Select(doc.Selection{Document: d, Node: n})
		assert.Equal(t, n.Name, <-asked)
	}
	name := func() string {
		_, name := grip(t, p)
		return name
	}
	until := func(done func() bool) {
		for !done() {
			(<-s.done)()
		}
	}
	choose(root.Child(0))
	found["a"] <- true
	until(func() bool { return name() == "a" })
	assert.Equal(t, "1 × 1 pixels", caption(p))

	choose(root.Child(1))
	until(func() bool { return name() == "" })
	assert.Empty(t, caption(p), "what is shown is not of the selected node")
	choose(root.Child(2))
	found["c"] <- true
	until(func() bool { return name() == "c" })
	assert.Equal(t, "3 × 1 pixels", caption(p))
	found["b"] <- true
	choose(root.Child(0))
	choose(root.Child(2))
	found["c"] <- true
	found["a"] <- true
	until(func() bool { return name() == "c" })
	assert.Equal(t, "3 × 1 pixels", caption(p))
}

func TestAssetIsDisplayedBeforeItsFile(t *testing.T) {
	d := document(nil)
	a := d.Root().Child(0)
	d.Payloads = model.PayloadList{{Node: a, Name: "a.txt", MediaType: "text/plain", Size: 4, Stored: a.Span,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("text")), nil }}}
	begun := make(chan bool)
	d.View = func(ctx context.Context, n *model.Node) (model.View, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	p, s := onScreen(t)
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	<-begun
	p.Select(doc.Selection{Document: d, Node: a})
	for name := ""; name != "a.txt"; _, name = grip(t, p) { // the previous view is not that of the first asset
		(<-s.done)()
	}
	assert.NotNil(t, stage(p))
}

// onScreen returns a preview in a window; s.done receives the results of its tasks.
func onScreen(t *testing.T) (p *preview.Preview, s *screen) {
	t.Helper()
	s = &screen{App: test.NewTempApp(t), done: make(chan func(), 1000)}
	fyne.SetCurrentApp(s)
	group := work.New(t.Context())
	p = preview.New(host.None{}, paint.NewStyle(), group, thumbnail.Options{})
	w := s.NewWindow("t")
	w.SetContent(p.Content())
	w.Resize(fyne.NewSize(300, 300))
	t.Cleanup(func() {
		w.Close()
		group.Close()
		group.Wait()
	})
	return p, s
}

// TestPictureOfALargeSceneStaysUntilTheNextIsDrawn switches between two scenes that together would use too much memory.
func TestPictureOfALargeSceneStaysUntilTheNextIsDrawn(t *testing.T) {
	const many = 600_000 // vertices
	views := map[string]*scene.Scene{}
	for _, name := range []string{"", "a", "b"} {
		large := triangle()
		mesh := large.Roots[0].Mesh
		mesh.Count = many
		mesh.Vertices = append(mesh.Vertices.(modeltest.Floats), make([]float32, 3*many-9)...)
		views[name] = large
	}
	d := document(func(n *model.Node) model.View { return views[n.Name] })
	p, s := onScreen(t)
	for i, at := range []int{0, 1, 0} {
		n := d.Root().Child(at)
		drawn := false
		p.Viewport().OnDrawn = func() { drawn = p.Viewport().Scene() == views[n.Name] }
		p.Select(doc.Selection{Document: d, Node: n})
		for !drawn {
			(<-s.done)()
			assert.True(t, i == 0 || painted(p.Viewport().Content()), "there is a picture")
		}
	}
}
