package preview_test

import (
	"context"
	"image"
	"path"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/doc"
	"assay/ui/preview"
	"assay/ui/rows"
)

// grip returns the drag handle below the stage, with its name.
func grip(t *testing.T, p *preview.Preview) (g fyne.Draggable, name string) {
	for _, o := range below(p, 1) {
		if d, ok := o.(fyne.Draggable); ok && o.Visible() {
			for _, in := range test.LaidOutObjects(o) {
				if l, ok := in.(*widget.Label); ok {
					name = l.Text
				}
			}
			return d, name
		}
	}
	return nil, ""
}

// heard counts its calls.
type heard struct{ moved, ended int }

func (c *heard) Dragged(fyne.Position) { c.moved++ }
func (c *heard) DragEnd()              { c.ended++ }

func TestViewIsDraggedByItsHandle(t *testing.T) {
	d := pictures(t)
	p := shown(t, d)
	var nodes []*model.Node
	var h heard
	p.OnDrag = func(of *model.Document, get doc.Nodes, _ ...string) (out rows.Drag) {
		var err error
		nodes, _, err = get(t.Context())
		assert.NoError(t, err)
		return &h
	}
	g, name := grip(t, p)
	assert.Equal(t, "t", name, "the file")
	g.Dragged(&fyne.DragEvent{})
	assert.Nil(t, nodes, "each asset of a sheet is dragged by itself")
	asset := d.Payloads.At(2)
	p.Select(doc.Selection{Document: d, Node: asset.Node})
	g, name = grip(t, p)
	assert.Equal(t, path.Base(asset.Name), name)
	g.Dragged(&fyne.DragEvent{})
	g.Dragged(&fyne.DragEvent{})
	g.DragEnd()
	assert.Equal(t, []*model.Node{asset.Node}, nodes)
	assert.Equal(t, heard{2, 1}, h)
}

func TestCaptionNamesTheFileAndNotItsExport(t *testing.T) {
	d := document(func(*model.Node) model.View { return triangle() })
	d.Payloads = model.PayloadList{{Name: "export.csv", Size: 8, Node: d.Root()}}
	p := shown(t, document(func(*model.Node) model.View { return nil }))
	p.OnDrag = func(*model.Document, doc.Nodes, ...string) rows.Drag { return new(heard) }
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	g, name := grip(t, p)
	assert.NotNil(t, g)
	assert.Equal(t, "t", name)
}

func TestCaptionNamesTheFileOfAWholeView(t *testing.T) {
	whole, part := triangle(), triangle()
	var d *model.Document
	d = document(func(n *model.Node) model.View {
		if n == d.Root().Child(1) {
			return part
		}
		return whole
	})
	p := shown(t, d)
	for _, substitute := range []func(context.Context, *model.Node, model.View) model.View{
		nil, func(context.Context, *model.Node, model.View) model.View { return triangle() },
	} {
		p.Substitute = substitute
		for i, want := range []string{"t", d.Root().Child(1).TitlePath()} {
			p.Select(doc.Selection{Document: d, Node: d.Root().Child(i)})
			_, name := grip(t, p)
			assert.Equal(t, want, name)
		}
	}
}

func TestCaptionNamesTheAssetThatIsDrawn(t *testing.T) {
	for _, asset := range []model.View{triangle(), model.Picture{Image: image.NewNRGBA(image.Rect(0, 0, 2, 2))}} {
		whole := triangle()
		d := document(nil)
		b := d.Root().Child(1)
		b.SetChildren(model.List{{Name: "width", Type: "u8", Value: uint64(1), Span: model.Span{Offset: 4, Size: 1}}})
		d.View = func(_ context.Context, n *model.Node) (model.View, error) {
			if n.Parent == nil {
				return whole, nil
			}
			return asset, nil
		}
		d.Payloads = model.PayloadList{{Name: "export.glb", Size: 4, Node: b}}
		p := shown(t, d)
		p.Select(doc.Selection{Document: d, Node: b.Child(0)})
		_, name := grip(t, p)
		assert.Equal(t, "b", name)
	}
}

func TestCaptionNamesTheFileThatIsOnlyItsAsset(t *testing.T) {
	whole := triangle()
	d := document(func(*model.Node) model.View { return whole })
	d.Payloads = model.PayloadList{{Name: "export.glb", Size: 4, Node: d.Root().Child(1)}}
	_, name := grip(t, shown(t, d))
	assert.Equal(t, "t", name)
}

func TestCaptionNamesTheNodeWhoseFieldsAreListed(t *testing.T) {
	d := document(func(*model.Node) model.View { return nil })
	b := d.Root().Child(1)
	b.SetChildren(model.List{{Name: "width", Type: "u8", Value: uint64(1), Span: model.Span{Offset: 4, Size: 1}}})
	p := shown(t, d)
	for field, want := range map[*model.Node]string{b.Child(0): "b", b: "b"} {
		p.Select(doc.Selection{Document: d, Node: field})
		_, name := grip(t, p)
		assert.Equal(t, want, name)
		assert.Equal(t, "1 field · 4 bytes", caption(p))
	}
}

func TestLongNameKeepsItsEnds(t *testing.T) {
	d := document(func(*model.Node) model.View { return nil })
	d.Root().Child(0).Name = "a name of which there is not room for all of it, that ends with 0001-0002"
	p := shown(t, d)
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(0)})
	_, name := grip(t, p)
	assert.Regexp(t, `^a name.*….*0001-0002$`, name)
}
