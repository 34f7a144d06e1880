package preview

import (
	"cmp"
	"context"
	"path"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/content"
	"assay/ui/paint"
	"assay/ui/rows"
)

// dragHandle displays the name of the view. Its icon and its name can be dragged out of the window if the view can be
// exported as a file.
type dragHandle struct {
	widget.BaseWidget
	icon  *widget.Icon
	name  *widget.Label
	hover *paint.Backdrop

	fullName string // untruncated name
	file     bool   // the content can be dragged as a file
	tracker  rows.DragTracker
	showHint func(text string)
	tooltip  string
	menu     func(pos fyne.Position)
}

var (
	_ fyne.Draggable         = (*dragHandle)(nil)
	_ fyne.Tappable          = (*dragHandle)(nil)
	_ fyne.SecondaryTappable = (*dragHandle)(nil)
	_ desktop.Hoverable      = (*dragHandle)(nil)
	_ desktop.Cursorable     = (*dragHandle)(nil)
)

func newDragHandle(showHint func(text string), begin func() rows.Drag, menu func(pos fyne.Position)) *dragHandle {
	h := &dragHandle{icon: widget.NewIcon(theme.FileIcon()), name: widget.NewLabel(""), showHint: showHint, menu: menu,
		hover: paint.NewBackdrop(theme.ColorNameHover)}
	h.tracker.Begin = begin
	h.name.SizeName = theme.SizeNameCaptionText
	h.name.Truncation = fyne.TextTruncateEllipsis
	h.hover.Hide()
	h.ExtendBaseWidget(h)
	h.Hide()
	return h
}

func (h *dragHandle) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(h.hover, container.New(handleLayout{}, h.icon, h.name)))
}

// show displays the name of the view, with its tooltip; file reports whether it can be dragged. An empty name
// hides the handle.
func (h *dragHandle) show(name, tooltip string, file bool, kind model.ViewKind) {
	icon := theme.FileIcon()
	switch kind {
	case model.PictureView:
		icon = theme.FileImageIcon()
	case model.SoundView:
		icon = theme.FileAudioIcon()
	case model.TextView:
		icon = theme.FileTextIcon()
	}
	h.icon.SetResource(icon)
	paint.SetVisible(h.icon, file)
	h.fullName, h.file, h.tooltip = name, file, tooltip
	paint.SetVisible(h, name != "")
	h.fit()
}

func (h *dragHandle) Resize(s fyne.Size) {
	h.BaseWidget.Resize(s)
	h.fit()
}

// fit displays as much of the name as fits: its beginning and its end.
func (h *dragHandle) fit() {
	available := h.Size().Width - h.MinSize().Width - 2*theme.InnerPadding()
	textWidth := func(text string) float32 {
		return fyne.MeasureText(text, theme.CaptionTextSize(), fyne.TextStyle{}).Width
	}
	text := h.fullName
	if letters := []rune(text); textWidth(text) > available {
		count := sort.Search(len(letters), func(n int) bool { return textWidth(shorten(letters, n+1)) > available })
		text = shorten(letters, count)
	}
	if text != h.name.Text {
		h.name.SetText(text)
	}
}

// shorten returns a text shortened to count letters: a third of them from its beginning, the others from its end.
func shorten(letters []rune, count int) string {
	head := count / 3
	return string(letters[:head]) + "…" + string(letters[len(letters)-(count-head):])
}

func (h *dragHandle) Dragged(ev *fyne.DragEvent) {
	if h.file {
		_ = h.tracker.Dragged(ev)
	}
}

func (h *dragHandle) DragEnd() { h.tracker.DragEnd() }

// Tapped shows the hint of the handle.
func (h *dragHandle) Tapped(*fyne.PointEvent) { h.showHint(h.tooltip) }

// TappedSecondary opens the menu of the view.
func (h *dragHandle) TappedSecondary(ev *fyne.PointEvent) {
	if h.file {
		h.menu(ev.AbsolutePosition)
	}
}

func (h *dragHandle) MouseIn(*desktop.MouseEvent) {
	paint.SetVisible(h.hover, h.file)
	h.showHint(h.tooltip)
}

func (h *dragHandle) MouseMoved(*desktop.MouseEvent) {}

func (h *dragHandle) MouseOut() {
	h.hover.Hide()
	h.showHint("")
}

func (h *dragHandle) Cursor() desktop.Cursor {
	if h.file {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// handleLayout lays out a name after a visible icon.
type handleLayout struct{}

func (handleLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	x := float32(0)
	if icon := objects[0]; icon.Visible() {
		side, pad := theme.IconInlineSize(), theme.Padding()
		icon.Move(fyne.NewPos(pad, (s.Height-side)/2))
		icon.Resize(fyne.NewSquareSize(side))
		x = pad + side
	}
	height := objects[1].MinSize().Height
	objects[1].Move(fyne.NewPos(x, (s.Height-height)/2))
	objects[1].Resize(fyne.NewSize(max(0, s.Width-x), height))
}

func (handleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(theme.IconInlineSize()+theme.Padding(), objects[1].MinSize().Height)
}

// footerLayout lays out the area below a view: its name, below that the caption, and buttons at the right, with labels
// if there is enough space.
type footerLayout struct {
	isWide   bool
	onChange func(wide bool) // called after isWide changed
}

// minLabeledWidth is the minimum width of buttons with labels, in sizes of letters.
const minLabeledWidth = 34

func (l *footerLayout) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	name, caption, buttons := objects[0], objects[1], objects[2]
	if isWide := s.Width >= minLabeledWidth*theme.TextSize(); isWide != l.isWide {
		l.isWide = isWide
		l.onChange(isWide)
	}
	minSize := buttons.MinSize()
	width := s.Width - minSize.Width
	buttons.Move(fyne.NewPos(width, (s.Height-minSize.Height)/2))
	buttons.Resize(minSize)
	top := float32(0)
	for _, o := range []fyne.CanvasObject{name, caption} {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(0, top))
		o.Resize(fyne.NewSize(width, height))
		top += height - theme.InnerPadding() // the margins of the two lines overlap
	}
}

// MinSize implements fyne.Layout. It is that without labels.
func (l *footerLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	minSize := fyne.NewSize(0, -theme.InnerPadding())
	for _, o := range objects[:2] {
		minSize = fyne.NewSize(max(minSize.Width, o.MinSize().Width), minSize.Height+o.MinSize().Height)
	}
	buttons := objects[2].MinSize()
	if l.isWide {
		buttons.Width = 3 * buttons.Height
	}
	return fyne.NewSize(minSize.Width+buttons.Width, max(minSize.Height, buttons.Height))
}

// setCaption sets the caption of the view.
func (p *Preview) setCaption(text string) {
	if text != p.caption.Text {
		p.caption.SetText(text)
		p.foot.Refresh()
		p.host.Changed()
	}
}

// setOrigin sets the name of the view, and the origin that is exported when it is dragged.
func (p *Preview) setOrigin(o content.Origin, name string) {
	p.origin = o
	kind, file := model.BytesView, false
	if v := p.current.View; v != nil {
		kind, file = v.ViewKind(), p.OnDrag != nil && o.Node != nil
	}
	tooltip := name
	if p.current.Asset >= 0 && name != "" {
		name = path.Base(name)
	}
	if file {
		tooltip = "Drag " + cmp.Or(o.Name, "All Assets") + " to a folder or another app to export it."
		if kind == model.PictureView {
			tooltip += " You can also drag the image when all of it is visible."
		}
	}
	p.handle.show(name, tooltip, file, kind)
	p.foot.Refresh()
}

// drag exports the view by dragging; it returns nil if that is impossible.
func (p *Preview) drag() rows.Drag {
	if p.OnDrag == nil || p.origin.Node == nil {
		return nil
	}
	node := p.origin.Node
	return p.OnDrag(p.viewDocument, func(ctx context.Context) ([]*model.Node, bool, error) {
		return []*model.Node{node}, false, ctx.Err()
	})
}
