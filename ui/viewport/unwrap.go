package viewport

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/host"
	"assay/ui/work"
)

// unwrapEdge is the edge of the picture of a UV layout, in pixels.
const unwrapEdge = 1024

// unwrap displays the texture coordinates of the selected mesh beside the scene, a part at a time.
type unwrap struct {
	viewport   *Viewport
	lane       *work.Lane
	picture    *canvas.Image
	caption    *widget.Label
	otherParts *fyne.Container // buttons for the other parts
	content    fyne.CanvasObject
	enabled    bool
	node       *scene.Node
	part       int
}

func newUnwrap(v *Viewport) *unwrap {
	u := &unwrap{viewport: v, lane: v.group.Lane(), picture: canvas.NewImageFromImage(emptyPicture())}
	u.picture.FillMode = canvas.ImageFillContain
	u.caption = widget.NewLabel("")
	u.caption.SizeName = theme.SizeNameCaptionText
	u.caption.Truncation = fyne.TextTruncateEllipsis
	u.otherParts = container.NewHBox(v.button("scene.previous-slot", theme.NavigateBackIcon()),
		v.button("scene.next-slot", theme.NavigateNextIcon()))
	u.content = container.NewBorder(nil, container.NewBorder(nil, nil, nil, u.otherParts, u.caption), nil, nil,
		u.picture)
	return u
}

// toggle shows or hides the layout.
func (u *unwrap) toggle() {
	u.enabled = !u.enabled
	u.viewport.middle.Objects = []fyne.CanvasObject{u.viewport.picture}
	if u.enabled {
		split := container.NewHSplit(u.viewport.picture, u.content)
		split.SetOffset(.55)
		u.viewport.middle.Objects[0] = split
	}
	u.viewport.middle.Refresh()
	u.viewport.tools.row.updateStates()
	u.update()
}

// choose displays the layout of a piece.
func (u *unwrap) choose(p render.Piece) {
	if part := u.viewport.model.SlotOf(p); u.node != p.Node || p.Part != nil && u.part != part {
		u.node, u.part = p.Node, part
		u.update()
	}
}

// open displays the layout of a part of a node.
func (u *unwrap) open(n *scene.Node, part int) {
	if u.node, u.part = n, part; !u.enabled {
		u.toggle()
		return
	}
	u.update()
}

// stepPart displays the next or the previous part.
func (u *unwrap) stepPart(step int) {
	u.part += step
	u.update()
}

// update draws the texture coordinates of the current selection.
func (u *unwrap) update() {
	if u.lane.Stop(); !u.enabled || u.viewport.model == nil {
		return
	}
	m, n, part := u.viewport.model, u.node, u.part
	u.lane.Go(func(ctx context.Context) func() {
		found := m.Unwrap(ctx, n, part, unwrapEdge)
		return func() { u.show(found) }
	})
}

func (u *unwrap) show(found *render.Unwrapped) {
	u.otherParts.Hide()
	u.picture.Image = emptyPicture()
	text := "No mesh selected."
	if found != nil {
		var words []string
		for _, name := range []string{found.Node.Name, found.Material, found.Texture} {
			if name != "" {
				words = append(words, model.OneLine(name, maxName))
			}
		}
		if found.Parts > 1 {
			u.otherParts.Show()
			words = append(words, fmt.Sprintf("slot %d of %d", found.Part, found.Parts))
		}
		if found.Picture == nil {
			words = append(words, "no texture coordinates")
		} else {
			u.picture.Image = found.Picture
			words = append(words, host.Count(found.Triangles, "triangle"))
		}
		text = strings.Join(words, " · ")
	}
	u.caption.SetText(text)
	u.picture.Refresh()
}
