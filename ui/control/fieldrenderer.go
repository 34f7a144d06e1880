package control

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// renderer is that of an entry without its scroll bar, which would be painted over a line of long text: what scrolls is
// made higher than what is seen of it.
type renderer struct {
	fyne.WidgetRenderer
	objects []fyne.CanvasObject
	scroll  fyne.CanvasObject
	clip    *container.Clip
}

// find finds what scrolls among the objects of the entry, and puts it where only its upper part is seen.
func (r *renderer) find() {
	for _, o := range r.WidgetRenderer.Objects() {
		if _, ok := o.(fyne.Scrollable); ok {
			r.scroll, r.clip = o, container.NewClip(container.NewWithoutLayout(o))
			o = r.clip
		}
		r.objects = append(r.objects, o)
	}
}

// Objects returns what is painted.
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout places what is shown.
func (r *renderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	if r.scroll == nil {
		return
	}
	seen := r.scroll.Size()
	r.clip.Move(r.scroll.Position())
	r.clip.Resize(seen)
	r.scroll.Move(fyne.Position{})
	r.scroll.Resize(seen.AddWidthHeight(0, 2*theme.ScrollBarSize()))
}
