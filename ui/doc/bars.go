package doc

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
)

// fieldRow is a layout of controls around a field: in one row if the field keeps its minimum width, else lead and tail
// in a second row.
type fieldRow struct {
	lead, main, tail, end fyne.CanvasObject // lead, tail and end may be nil
	minWidth              float32           // minimum width of the field in one row
	height                func() float32    // height of a row; nil: the largest of its objects
	narrow                bool
}

// newFieldRow returns a container with the layout l.
func newFieldRow(l *fieldRow) *fyne.Container {
	c := container.New(l)
	for _, o := range []fyne.CanvasObject{l.lead, l.main, l.tail, l.end} { // the order of the focus
		if o != nil {
			c.Add(o)
		}
	}
	return c
}

// newBar returns a container with the layout l and a separator below it.
func newBar(l *fieldRow) *fyne.Container {
	return container.New(headerLayout{}, newFieldRow(l), widget.NewSeparator())
}

// widthWithGap returns the minimum width of an object and the gap beside it, or 0 without one.
func widthWithGap(o fyne.CanvasObject) float32 {
	if o == nil || o.MinSize().Width == 0 {
		return 0
	}
	return o.MinSize().Width + theme.Padding()
}

// rowHeight returns the height of one row.
func (r *fieldRow) rowHeight(objects []fyne.CanvasObject) float32 {
	if r.height != nil {
		return r.height()
	}
	h := float32(0)
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	return h
}

func (r *fieldRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	lead, tail, end := widthWithGap(r.lead), widthWithGap(r.tail), widthWithGap(r.end)
	r.narrow = lead+tail > 0 && lead+r.minWidth+tail+end > size.Width
	h := r.rowHeight(objects)
	place := func(o fyne.CanvasObject, x, y, width float32) {
		if o != nil {
			height := min(h, o.MinSize().Height)
			o.Move(fyne.NewPos(x, y+(h-height)/2))
			o.Resize(fyne.NewSize(width, height))
		}
	}
	width := func(e float32) float32 { return max(0, e-theme.Padding()) }
	place(r.end, size.Width-width(end), 0, width(end))
	if r.narrow {
		place(r.main, 0, 0, size.Width-end)
		place(r.lead, 0, h, width(lead))
		place(r.tail, lead, h, width(tail))
		return
	}
	place(r.lead, 0, 0, width(lead))
	place(r.main, lead, 0, size.Width-lead-tail-end)
	place(r.tail, size.Width-end-width(tail), 0, width(tail))
}

func (r *fieldRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	first, second := r.main.MinSize().Width+widthWithGap(r.end), widthWithGap(r.lead)+widthWithGap(r.tail)
	size := fyne.NewSize(max(first, second), r.rowHeight(objects))
	if r.narrow {
		size.Height *= 2
	}
	return size
}

// headerLayout is a layout of a header above the rest. The header contains a line, so its height depends on its width.
type headerLayout struct{}

func (headerLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top, body := objects[0], objects[1]
	top.Resize(fyne.NewSize(size.Width, top.MinSize().Height))
	h := top.MinSize().Height
	top.Resize(fyne.NewSize(size.Width, h))
	body.Move(fyne.NewPos(0, h))
	body.Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
}

func (headerLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	top, body := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(top.Width, body.Width), top.Height+body.Height)
}

// annotatedField is a field with a caption, which takes a limited part of the width.
type annotatedField struct {
	box     *fyne.Container
	field   fyne.CanvasObject
	caption *control.Caption
}

// newAnnotatedField returns a field with a caption.
func newAnnotatedField(h Host, field fyne.CanvasObject) *annotatedField {
	a := &annotatedField{field: field, caption: control.NewCaption(h.ShowHint)}
	a.box = container.New(a, field, a.caption)
	return a
}

// setCaption sets the caption. Without text the field has the full width.
func (a *annotatedField) setCaption(text string) {
	a.caption.SetText(text)
	a.box.Refresh()
}

func (a *annotatedField) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := float32(0)
	if a.caption.Text != "" {
		w = fyne.MeasureText(a.caption.Text, theme.TextSize(), a.caption.TextStyle).Width + 2*theme.InnerPadding() +
			theme.Padding()
	}
	w = min(w, size.Width*2/5)
	h := min(size.Height, a.caption.MinSize().Height)
	a.field.Resize(fyne.NewSize(size.Width-w, size.Height))
	a.caption.Move(fyne.NewPos(size.Width-w, (size.Height-h)/2))
	a.caption.Resize(fyne.NewSize(w, h))
}

func (a *annotatedField) MinSize([]fyne.CanvasObject) fyne.Size { return a.field.MinSize() }
