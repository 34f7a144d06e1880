package preview

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/content"
	"assay/ui/look"
	"assay/ui/rows"
)

// grip is what a person takes hold of to drag what is seen out of the window: the icon and the name of a file.
type grip struct {
	widget.BaseWidget
	icon  *widget.Icon
	name  *widget.Label
	hover *look.Backdrop

	out  rows.Carrier
	tell func(text string)
	says string
	menu func(at fyne.Position)
}

var (
	_ fyne.Draggable         = (*grip)(nil)
	_ fyne.Tappable          = (*grip)(nil)
	_ fyne.SecondaryTappable = (*grip)(nil)
	_ desktop.Hoverable      = (*grip)(nil)
	_ desktop.Cursorable     = (*grip)(nil)
)

func newGrip(tell func(text string), begin func() rows.Drag, menu func(at fyne.Position)) *grip {
	g := &grip{icon: widget.NewIcon(theme.FileIcon()), name: widget.NewLabel(""), tell: tell, menu: menu,
		hover: look.NewBackdrop(theme.ColorNameHover)}
	g.out.Begin = begin
	g.name.SizeName = theme.SizeNameCaptionText
	g.name.Truncation = fyne.TextTruncateEllipsis
	g.hover.Hide()
	g.ExtendBaseWidget(g)
	g.Hide()
	return g
}

// CreateRenderer returns what paints the widget.
func (g *grip) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(g.hover, container.New(gripLayout{}, g.icon, g.name)))
}

// show names the file.
func (g *grip) show(name string, kind model.ViewKind) {
	icon := theme.FileIcon()
	switch kind {
	case model.PictureView:
		icon = theme.FileImageIcon()
	case model.SoundView:
		icon = theme.FileAudioIcon()
	case model.TextView:
		icon = theme.FileTextIcon()
	}
	g.icon.SetResource(icon)
	g.name.SetText(name)
	g.says = "Drag " + name + " to a folder or another program: it becomes a file there."
	if kind == model.PictureView {
		g.says += " When the whole picture is visible, the picture can be dragged, too."
	}
	g.Show()
	g.Refresh()
}

// wanted is the width with the whole name.
func (g *grip) wanted() float32 {
	size := fyne.MeasureText(g.name.Text, theme.CaptionTextSize(), fyne.TextStyle{})
	return g.MinSize().Width + size.Width + 2*theme.InnerPadding() + 1
}

// Dragged follows the pointer.
func (g *grip) Dragged(ev *fyne.DragEvent) { _ = g.out.Dragged(ev) }

// DragEnd ends a drag.
func (g *grip) DragEnd() { g.out.DragEnd() }

// Tapped says what the grip is for.
func (g *grip) Tapped(*fyne.PointEvent) { g.tell(g.says) }

// TappedSecondary opens the menu of what is seen.
func (g *grip) TappedSecondary(ev *fyne.PointEvent) { g.menu(ev.AbsolutePosition) }

// MouseIn shows what is under the pointer.
func (g *grip) MouseIn(*desktop.MouseEvent) {
	g.hover.Show()
	g.tell(g.says)
}

// MouseMoved does nothing.
func (g *grip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (g *grip) MouseOut() {
	g.hover.Hide()
	g.tell("")
}

// Cursor returns the shape of the pointer.
func (g *grip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// gripLayout lays out an icon and a name, of which the name is left out where there is no room for it.
type gripLayout struct{}

// gripName is the least width of a name that says something.
const gripName = 40

// Layout places what is shown.
func (gripLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	side, pad := theme.IconInlineSize(), theme.Padding()
	objects[0].Move(fyne.NewPos(pad, (s.Height-side)/2))
	objects[0].Resize(fyne.NewSquareSize(side))
	left := pad + side
	if s.Width-left < gripName {
		objects[1].Resize(fyne.Size{})
		objects[1].Hide()
		return
	}
	objects[1].Show()
	height := objects[1].MinSize().Height
	objects[1].Move(fyne.NewPos(left, (s.Height-height)/2))
	objects[1].Resize(fyne.NewSize(s.Width-left, height))
}

// MinSize returns the smallest size, that of the icon.
func (gripLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(theme.IconInlineSize()+2*theme.Padding(), objects[1].MinSize().Height)
}

// foot lays out what stands below a view: what is said of it at the left has the room that it needs, the grip beside
// it what is left.
type foot struct{ g *grip }

// Layout places what is shown.
func (f foot) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	caption, size := objects[0].(*widget.Label), objects[2]
	right := s.Width
	if size.Visible() {
		right -= size.MinSize().Width
		size.Move(fyne.NewPos(right, 0))
		size.Resize(fyne.NewSize(size.MinSize().Width, s.Height))
	}
	if f.g.Visible() {
		text := fyne.MeasureText(caption.Text, theme.CaptionTextSize(), fyne.TextStyle{}).Width
		room := right - text - 2*theme.InnerPadding() - 1
		width := max(f.g.MinSize().Width, min(f.g.wanted(), room))
		right -= width
		f.g.Move(fyne.NewPos(right, 0))
		f.g.Resize(fyne.NewSize(width, s.Height))
	}
	height := caption.MinSize().Height
	caption.Move(fyne.NewPos(0, (s.Height-height)/2))
	caption.Resize(fyne.NewSize(max(0, right+theme.InnerPadding()-1), height)) // its margin may be under what follows
}

// MinSize returns the smallest size.
func (foot) MinSize(objects []fyne.CanvasObject) (least fyne.Size) {
	for _, o := range objects {
		if o.Visible() {
			least = fyne.NewSize(least.Width+o.MinSize().Width, max(least.Height, o.MinSize().Height))
		}
	}
	return least
}

// say shows what there is to say of the view.
func (p *Preview) say(text string) {
	if text != p.caption.Text {
		p.caption.SetText(text)
		p.foot.Refresh()
	}
}

// takes shows what leaves the window when what is seen is dragged.
func (p *Preview) takes(o content.Origin) {
	if p.origin = o; p.OnDrag == nil || o.Node == nil || p.seen.View == nil {
		p.grip.Hide()
	} else {
		name := o.Name
		if name == "" {
			name = "All Assets"
		}
		p.grip.show(name, p.seen.View.ViewKind())
	}
	p.foot.Refresh()
}

// drag takes what is seen out of the window; nil if that cannot be.
func (p *Preview) drag() rows.Drag {
	if p.OnDrag == nil || p.origin.Node == nil {
		return nil
	}
	node := p.origin.Node
	return p.OnDrag(p.of, func(ctx context.Context) ([]*model.Node, bool, error) {
		return []*model.Node{node}, false, ctx.Err()
	})
}
