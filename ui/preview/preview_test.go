package preview_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"path"
	"runtime"
	"testing"
	"weak"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/modeltest"
	"assay/model/scene"
	"assay/model/text"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// document returns a document with the views of a func.
func document(view func(n *model.Node) model.View) *model.Document {
	root := &model.Node{Type: "Root", Span: model.Span{Size: 8}}
	root.SetChildren(model.List{{Name: "a", Type: "A", Span: model.Span{Size: 4}},
		{Name: "b", Type: "B", Span: model.Span{Offset: 4, Size: 4}}})
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, 8)), 8), "test", "1", root)
	d.View = func(_ context.Context, n *model.Node) (model.View, error) { return view(n), nil }
	return d
}

// triangle returns a scene of one triangle.
func triangle() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
		Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
		Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}}}}}}}
}

// shown returns the panel in a window, with a document's root selected.
func shown(t *testing.T, d *model.Document) *preview.Preview {
	t.Helper()
	app := test.NewTempApp(t)
	p := preview.New(host.None{}, paint.NewStyle(), work.Inline(context.Background()), thumbnail.Options{})
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(p.Content())
	w.Resize(fyne.NewSize(200, 230))
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	return p
}

// nodeContent returns the stage and the row below it, in their container.
func nodeContent(p *preview.Preview) *fyne.Container {
	return p.Content().(*fyne.Container).Objects[0].(*fyne.Container)
}

// caption returns the caption below the stage.
func caption(p *preview.Preview) string {
	for _, o := range below(p, 1) {
		if l, ok := o.(*control.Caption); ok && l.Visible() {
			return l.Text
		}
	}
	return ""
}

// below returns an object below the stage: 0 is the notice of missing files, 1 the row of the caption.
func below(p *preview.Preview, row int) []fyne.CanvasObject {
	rows := nodeContent(p).Objects[1].(*fyne.Container).Objects
	return rows[row].(*fyne.Container).Objects
}

// stage returns the displayed view, or nil.
func stage(p *preview.Preview) fyne.CanvasObject {
	if on := nodeContent(p).Objects[0].(*fyne.Container).Objects; len(on) > 0 {
		return on[0]
	}
	return nil
}

func TestASceneIsDrawn(t *testing.T) {
	p := shown(t, document(func(*model.Node) model.View { return triangle() }))
	assert.NotNil(t, stage(p))
	assert.Contains(t, caption(p), "1 triangle ·")
}

func TestPlaceholderStaysUntilSelection(t *testing.T) {
	test.NewTempApp(t)
	p := preview.New(host.None{}, paint.NewStyle(), work.Inline(context.Background()), thumbnail.Options{})
	p.ShowPlaceholder("Select a file.")
	before := stage(p)
	require.NotNil(t, before)
	d := document(func(*model.Node) model.View { return triangle() })
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	assert.NotEqual(t, before, stage(p))
}

func TestSelectedNodeIsDisplayed(t *testing.T) {
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

func TestPreviewIsMaximized(t *testing.T) {
	p := shown(t, document(func(*model.Node) model.View {
		return model.Picture{Image: image.NewNRGBA(image.Rect(0, 0, 3, 2))}
	}))
	c := fyne.CurrentApp().Driver().CanvasForObject(p.Content())
	p.ToggleMaximized()
	require.NotNil(t, c.Overlays().Top())
	assert.Equal(t, c.Size(), c.Overlays().Top().Size())
	assert.Empty(t, p.Content().(*fyne.Container).Objects)
	c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.Nil(t, c.Overlays().Top())
	assert.NotNil(t, stage(p))

	p = shown(t, document(func(*model.Node) model.View { return triangle() }))
	c = fyne.CurrentApp().Driver().CanvasForObject(p.Content())
	press := func() { c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF11}) }
	for _, o := range test.LaidOutObjects(p.Content()) {
		if f, ok := o.(fyne.Focusable); ok {
			c.Focus(f)
			break
		}
	}
	press()
	require.NotNil(t, c.Overlays().Top(), "what is focused in a preview leaves the key to it")
	press()
	assert.Nil(t, c.Overlays().Top())
}

func pictures(t *testing.T) *model.Document {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	root := &model.Node{Type: "Root", Span: model.Span{Size: 4}}
	var nodes model.List
	var all model.PayloadList
	for i, name := range []string{"a.txt", "b.lua", "art/duck.png", "art/pond.png"} {
		n := &model.Node{Name: model.IndexName(i), Type: "A", Span: model.Span{Offset: int64(i), Size: 1}}
		nodes = append(nodes, n)
		p := &model.Payload{Node: n, Name: name, MediaType: "text/plain", Size: 1, Stored: n.Span}
		if path.Ext(name) == ".png" {
			p.MediaType, p.Size = "image/png", int64(b.Len())
			p.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(b.Bytes())), nil
			}
		}
		all = append(all, p)
	}
	root.SetChildren(nodes)
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, 4)), 4), "test", "1", root)
	d.Payloads = all
	return d
}

func TestClosedPreviewReleasesItsPicture(t *testing.T) {
	d := pictures(t)
	var drawn weak.Pointer[image.NRGBA]
	d.View = func(context.Context, *model.Node) (model.View, error) {
		img := image.NewNRGBA(image.Rect(0, 0, 300, 200))
		drawn = weak.Make(img)
		return model.Picture{Image: img, Format: "made"}, nil
	}
	p := shown(t, d)
	require.Equal(t, model.PictureView, p.Kind())
	runtime.GC()
	require.NotNil(t, drawn.Value())
	p.Close()
	runtime.GC()
	assert.Nil(t, drawn.Value())
	runtime.KeepAlive(p)
}

func TestSheetSelectsItsAssets(t *testing.T) {
	d := pictures(t)
	p := shown(t, d)
	var went, dragged []string
	p.OnAsset = func(of *model.Document, n *model.Node) {
		assert.Same(t, d, of)
		went = append(went, n.Name)
	}
	p.OnDrag = func(of *model.Document, nodes doc.Nodes, _ ...string) rows.Drag {
		all, _, err := nodes(t.Context())
		assert.NoError(t, err)
		for _, n := range all {
			dragged = append(dragged, n.Name)
		}
		return nil
	}
	assert.Equal(t, "4 assets", caption(p))
	g := stage(p).(*rows.Grid)
	in := test.WidgetRenderer(g).Objects()[0].(*rows.Rows)
	click := func(x float32, m fyne.KeyModifier) {
		ev := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m}
		ev.Position = fyne.NewPos(x, 20)
		in.MouseDown(ev)
		in.MouseUp(ev)
	}
	click(20, 0)
	assert.Equal(t, []string{"2"}, went, "pictures come first")
	click(20, fyne.KeyModifierControl)
	click(20, fyne.KeyModifierControl)
	assert.Len(t, went, 1, "what is added to a selection is not gone to")
	g.OnActivate(3)
	assert.Equal(t, []string{"2", "1"}, went)
	selection := rows.Intervals{}
	selection.Add(0, 2)
	g.Select(0, selection)
	g.OnDrag(0, fyne.Position{})
	assert.Equal(t, []string{"2", "3"}, dragged)
}

// fielded returns a document of a struct of three fields and an empty scene.
func fielded() *model.Document {
	root := &model.Node{Type: "Root", Span: model.Span{Size: 12}}
	head := &model.Node{Name: "head", Type: "Head", Span: model.Span{Size: 8}}
	head.SetChildren(model.List{
		{Name: "count", Type: "u32", Value: uint64(7), Span: model.Span{Size: 4}},
		{Name: "name", Type: "string", Value: "duck", Span: model.Span{Offset: 4, Size: 2}},
		{Name: "data", Type: "byte[2]", Span: model.Span{Offset: 6, Size: 2}}})
	root.SetChildren(model.List{head, {Name: "scene", Type: "Scene", Value: uint64(1),
		Span: model.Span{Offset: 8, Size: 4}}})
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, 12)), 12), "test", "1", root)
	d.View = func(_ context.Context, n *model.Node) (model.View, error) {
		if n.Name == "scene" {
			return &scene.Scene{}, nil
		}
		return nil, nil
	}
	return d
}

func TestPropertiesWithoutAView(t *testing.T) {
	d := fielded()
	p := shown(t, d)
	head := d.Root().Child(0)
	choose := func(n *model.Node) { p.Select(doc.Selection{Document: d, Node: n}) }
	choose(head)
	assert.Equal(t, "3 fields · 8 bytes", caption(p))
	fields := stage(p).(*rows.Table)
	assert.Equal(t, -1, fields.Current())
	choose(head.Child(1))
	assert.Same(t, fields, stage(p), "a field stays among the others")
	assert.Equal(t, 1, fields.Current())
	var went *model.Node
	p.OnAsset = func(_ *model.Document, n *model.Node) { went = n }
	fields.OnActivate(0)
	assert.Same(t, head.Child(0), went)
	choose(head.Child(2))
	assert.Contains(t, caption(p), "entropy", "bytes have no properties")
	choose(d.Root().Child(1))
	assert.Equal(t, "2 fields · 12 bytes", caption(p), "a scene has nothing to draw")
	choose(d.Root())
	assert.Contains(t, caption(p), "entropy")
}

func TestSheetOfAssetsUntilSelection(t *testing.T) {
	d := pictures(t)
	p := shown(t, d)
	one := doc.Selection{Document: d, Node: d.Root().Child(2)}
	p.Select(one)
	assert.Equal(t, "2 × 2 pixels · PNG gray, 8 bits", caption(p))
	p.ShowAssets(d, []int{0, 2, 3})
	assert.Equal(t, "3 assets", caption(p))
	var went []string
	p.OnAsset = func(_ *model.Document, n *model.Node) { went = append(went, n.Name) }
	for i := range int64(3) {
		stage(p).(*rows.Grid).OnActivate(i)
	}
	assert.Equal(t, []string{"2", "3", "0"}, went, "pictures come first")
	p.Select(one)
	assert.Equal(t, "2 × 2 pixels · PNG gray, 8 bits", caption(p), "though it was selected before")
	p.ShowPlaceholder("Select a file.")
	assert.Empty(t, caption(p))
	p.Select(one)
	assert.Equal(t, "2 × 2 pixels · PNG gray, 8 bits", caption(p))
}

func TestNoSheetOfUndrawableAssets(t *testing.T) {
	d := pictures(t)
	d.Payloads = d.Payloads.(model.PayloadList)[:2]
	assert.Contains(t, caption(shown(t, d)), "bytes")
}

func TestTheKeyAtTheCaretPosesTheScene(t *testing.T) {
	s := triangle()
	n := s.Roots[0]
	s.Animations = []*scene.Animation{{Name: "up", Offset: 3, Channels: []*scene.Channel{{Target: n, Offset: 4,
		Components: []scene.Component{scene.TranslateY},
		Read:       func() ([]float32, []float32, error) { return []float32{0, 1, 2}, []float32{0, 1, 2}, nil },
		KeyAt: func(offset int64) (float32, bool) {
			return float32(offset - 5), offset >= 5
		}}}}}
	d := document(func(*model.Node) model.View { return s })
	p := shown(t, d)
	b := d.Root().Child(1) // at offset 4
	p.Select(doc.Selection{Document: d, Node: b, Offset: 4})
	assert.Contains(t, caption(p), "up · 1 triangle")
	height := func() float32 { return p.Viewport().Model().Pose().World[0][13] }
	assert.Equal(t, float32(0), height())
	p.Select(doc.Selection{Document: d, Node: b, Offset: 7})
	assert.Equal(t, float32(2), height(), "the same node, but another byte")
	p.Select(doc.Selection{Document: d, Node: b, Offset: 6})
	assert.Equal(t, float32(1), height())
}

func TestPackageHasAnOverview(t *testing.T) {
	d := document(func(*model.Node) model.View { return nil })
	d.Payloads = model.PayloadList{{Name: "a.bin", Type: "A", Size: 10, Node: d.Root().Child(0)},
		{Name: "b.bin", Type: "B", Size: 20, Node: d.Root().Child(1)}}
	p := shown(t, d)
	assert.NotContains(t, caption(p), "assets", "nobody reads them")
	p.Assets = func() *archive.Shared {
		return archive.NewShared(d, func(job func(ctx context.Context)) { job(context.Background()) })
	}
	var view model.View
	p.OnView = func(v model.View) { view = v }
	p.Reload()
	assert.Equal(t, "2 assets · 30 bytes", caption(p))
	require.IsType(t, &archive.Overview{}, view)
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(0)})
	assert.NotEqual(t, "2 assets · 30 bytes", caption(p))
	p.Select(doc.Selection{Document: d, Node: d.Root(), Report: &model.Report{}})
	assert.Equal(t, "2 assets · 30 bytes", caption(p))
}

func TestFieldsBesideATextPanel(t *testing.T) {
	b := []byte("first = 1\r\nsecond = 22\r\n")
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(len(b))}}
	root.SetChildren(model.List{{Name: "first", Type: "string", Value: "1", Span: model.Span{Size: 11}},
		{Name: "second", Type: "string", Value: "22", Span: model.Span{Offset: 11, Size: 13}}})
	d := model.NewDocument(model.NewSource("made.txt", bytes.NewReader(b), int64(len(b))), "made", "1", root)
	for _, view := range []model.View{nil, text.Decode(b, "made.txt")} {
		d.View = func(context.Context, *model.Node) (model.View, error) { return view, nil }
		p := shown(t, d)
		assert.NotContains(t, caption(p), "fields")
		p.TextBeside = true
		p.Reload()
		assert.Equal(t, "2 fields · 24 bytes", caption(p))
	}
}
