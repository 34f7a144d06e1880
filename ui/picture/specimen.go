package picture

import (
	"context"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/work"
)

// sample is the text that fonts are shown with until another one is typed.
const sample = "The quick brown fox jumps over the lazy dog 0123456789"

// specimen sets a text in each size of a font.
type specimen struct {
	lane    *work.Lane
	say     func(text string)
	field   *control.Field
	lines   *fyne.Container
	content *fyne.Container
	set     func(ctx context.Context, text string) ([]model.Line, error)
}

func newSpecimen(h host.Host, group *work.Group, say func(text string)) *specimen {
	s := &specimen{lane: group.Lane(), say: say, field: control.NewField(h, "Sample text"), lines: container.NewVBox()}
	s.field.Text = sample
	s.field.OnChanged = func(string) { s.show() }
	s.content = container.NewBorder(s.field, nil, nil, nil, container.NewScroll(s.lines))
	return s
}

// setFont shows another font.
func (s *specimen) setFont(set func(ctx context.Context, text string) ([]model.Line, error)) {
	s.set = set
	s.show()
}

func (s *specimen) show() {
	set, text := s.set, s.field.Text
	if set == nil {
		s.lane.Stop()
		return
	}
	ink := color.NRGBAModel.Convert(theme.Color(theme.ColorNameForeground)).(color.NRGBA)
	s.lane.Go(func(ctx context.Context) func() {
		lines, err := set(ctx, text)
		var objects []fyne.CanvasObject
		for _, l := range lines {
			objects = append(objects, lineObject(l, ink))
		}
		return func() {
			if err != nil {
				s.say(host.Sentence(err))
				return
			}
			s.lines.Objects = objects
			s.lines.Refresh()
		}
	})
}

// lineObject is a line as it stands in the list: its size, and the text as large as it is.
func lineObject(l model.Line, ink color.NRGBA) fyne.CanvasObject {
	img := image.NewNRGBA(l.Rect)
	for i, a := range l.Pix {
		copy(img.Pix[4*i:], []uint8{ink.R, ink.G, ink.B, a})
	}
	picture := canvas.NewImageFromImage(img)
	picture.FillMode, picture.ScaleMode = canvas.ImageFillStretch, canvas.ImageScalePixels
	picture.SetMinSize(fyne.NewSize(float32(l.Rect.Dx()), float32(l.Rect.Dy())))
	name := widget.NewLabel(l.Name)
	name.Importance = widget.LowImportance
	name.SizeName = theme.SizeNameCaptionText
	return container.NewHBox(name, container.NewCenter(picture))
}
