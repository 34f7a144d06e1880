//go:build unix

package preview_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// TestThePictureBeforeStaysUntilTheSceneIsDrawn looks at what is on the stage after everything that happens on the UI
// thread.
func TestThePictureBeforeStaysUntilTheSceneIsDrawn(t *testing.T) {
	red := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	draw.Draw(red, red.Rect, image.NewUniform(color.NRGBA{R: 0xff, A: 0xff}), image.Point{}, draw.Src)
	d := document(func(n *model.Node) model.View {
		if n.Name == "b" {
			return triangle()
		}
		return model.Picture{Image: red}
	})
	s := &screen{App: test.NewTempApp(t), done: make(chan func(), 1000)}
	fyne.SetCurrentApp(s)
	group := work.New(t.Context())
	defer group.Wait()
	defer group.Close()
	p := preview.New(host.None{}, paint.NewStyle(), group, thumbnail.Options{})
	seen := false
	p.OnView = func(model.View) { seen = true }
	w := s.NewWindow("t")
	defer w.Close()
	w.SetContent(p.Content())
	w.Resize(fyne.NewSize(300, 300))

	top := func() fyne.CanvasObject {
		on := content(p).Objects[0].(*fyne.Container).Objects
		return on[len(on)-1]
	}
	for _, at := range []int{0, 1, 0, 1} { // the second scene finds the viewport as the first one left it
		seen = false
		p.Select(doc.Selection{Document: d, Node: d.Root().Child(at)})
		for !seen || stage(p) != top() {
			(<-s.done)()
			assert.True(t, painted(top()), "what is on the stage has something to show")
		}
		assert.True(t, painted(top()))
	}
}
