package preview_test

import (
	"bytes"
	"context"
	"image"
	"io"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/scene"
	"assay/model/scene/scenetest"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/work"
)

// document has what view draws.
func document(view func(n *model.Node) model.View) *model.Document {
	root := &model.Node{Type: "Root", Span: model.Span{Size: 8}}
	root.SetChildren(model.List{{Name: "a", Type: "A", Span: model.Span{Size: 4}},
		{Name: "b", Type: "B", Span: model.Span{Offset: 4, Size: 4}}})
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, 8)), 8), "test", "1", root)
	d.View = func(_ context.Context, n *model.Node) (model.View, error) { return view(n), nil }
	return d
}

// triangle is a scene of one triangle.
func triangle() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
		Vertices: scenetest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
		Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: scenetest.Indices{0, 1, 2}}}}}}}
}

// shown returns the panel in a window, with a document's root selected.
func shown(t *testing.T, d *model.Document) *preview.Preview {
	t.Helper()
	app := test.NewTempApp(t)
	p := preview.New(host.None{}, paint.NewStyle(), work.Inline(context.Background()), nil)
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(p.Content())
	w.Resize(fyne.NewSize(200, 200))
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	return p
}

// caption returns what is said below the stage.
func caption(p *preview.Preview) string {
	for _, o := range p.Content().(*fyne.Container).Objects[1].(*fyne.Container).Objects {
		if l, ok := o.(*widget.Label); ok {
			return l.Text
		}
	}
	return ""
}

// stage returns what is shown; nil if nothing is.
func stage(p *preview.Preview) fyne.CanvasObject {
	if on := p.Content().(*fyne.Container).Objects[0].(*fyne.Container).Objects; len(on) > 0 {
		return on[0]
	}
	return nil
}

func TestASceneIsDrawn(t *testing.T) {
	p := shown(t, document(func(*model.Node) model.View { return triangle() }))
	assert.NotNil(t, stage(p))
	assert.Contains(t, caption(p), "1 triangle ·")
}

func TestWhatIsSelectedIsLookedAt(t *testing.T) {
	small := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	d := document(func(n *model.Node) model.View {
		switch n.Name {
		case "a":
			return model.Picture{Image: small}
		case "b":
			return nil
		}
		return triangle()
	})
	p := shown(t, d)
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(0)})
	assert.Equal(t, "3 × 2 pixels", caption(p))
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(1)})
	assert.Contains(t, caption(p), "4 bytes · entropy 0.00 of 8 bits", "what nothing is drawn of is bytes")
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	assert.Contains(t, caption(p), "1 triangle ·")
}

func TestADocumentWithNothingToLookAtSaysSoOnce(t *testing.T) {
	d, other := document(func(*model.Node) model.View { return nil }),
		document(func(*model.Node) model.View { return nil })
	p := shown(t, document(func(*model.Node) model.View { return triangle() }))
	times := 0
	p.OnNothing = func() { times++ }
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	p.Select(doc.Selection{Document: other, Node: other.Root()})
	assert.Equal(t, 1, times)
}

func TestAnAssetIsShownThoughItsFileWasNotYet(t *testing.T) {
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
	test.NewTempApp(t)
	group := work.New(t.Context())
	p := preview.New(host.None{}, paint.NewStyle(), group, nil)
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	<-begun
	p.Select(doc.Selection{Document: d, Node: a})
	group.Wait()
	assert.NotNil(t, stage(p), "what was shown before is not the first asset")
}
