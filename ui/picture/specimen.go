package picture

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"slices"
	"unicode"

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

// sample is the default text for fonts.
const sample = "The quick brown fox jumps over the lazy dog 0123456789"

// specimen sets a text in each size of a font. It is the layout of the text above the glyphs.
type specimen struct {
	lane       *work.Lane
	setCaption func(text string)
	field      *control.Field
	zoom       *control.Select
	lines      *fyne.Container
	content    *fyne.Container
	onSize     func() // called when the text has another size
	missing    string // a sentence about the characters of the text that the font does not have, or ""
	typeset    func(ctx context.Context, text string) ([]model.Line, error)
}

// textShare is the largest share of the height that the text of a font gets.
const textShare = 0.6

var _ fyne.Layout = (*specimen)(nil)

// Layout gives the text the height that it needs.
func (s *specimen) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	height := s.zoom.MinSize().Height + s.lines.MinSize().Height + 2*theme.Padding()
	textHeight := min(height, textShare*size.Height)
	objects[0].Resize(fyne.NewSize(size.Width, textHeight))
	objects[1].Move(fyne.NewPos(0, textHeight))
	objects[1].Resize(fyne.NewSize(size.Width, size.Height-textHeight))
}

// MinSize implements fyne.Layout.
func (s *specimen) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, glyphs := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(text.Width, glyphs.Width), text.Height+glyphs.Height)
}

// zooms are the scales of a specimen.
var zooms = []string{"100%", "200%", "400%"}

func newSpecimen(h host.Host, group *work.Group, setCaption func(text string)) *specimen {
	s := &specimen{lane: group.Lane(), setCaption: setCaption, field: control.NewField(h, "Sample text"), lines: container.NewVBox()}
	s.field.Text = sample
	s.field.OnChanged = func(string) { s.show() }
	s.zoom = control.NewSelect(h.Key, zooms, nil)
	s.zoom.SetSelectedIndex(0)
	s.zoom.OnChanged = func(string) { s.show() }
	s.content = container.NewBorder(container.NewBorder(nil, nil, nil, s.zoom, s.field), nil, nil, nil,
		container.NewScroll(s.lines))
	return s
}

// setFont sets the func that typesets text in another font.
func (s *specimen) setFont(typeset func(ctx context.Context, text string) ([]model.Line, error)) {
	s.typeset, s.missing = typeset, ""
	s.show()
}

func (s *specimen) show() {
	typeset, text, zoom := s.typeset, s.field.Text, 1<<s.zoom.SelectedIndex()
	if typeset == nil {
		s.lane.Stop()
		return
	}
	ink := color.NRGBAModel.Convert(theme.Color(theme.ColorNameForeground)).(color.NRGBA)
	s.lane.Go(func(ctx context.Context) func() {
		lines, err := typeset(ctx, text)
		var objects []fyne.CanvasObject
		for _, l := range lines {
			objects = append(objects, lineObject(l, ink, float32(zoom)))
		}
		return func() {
			if err != nil {
				s.setCaption(host.Sentence(err))
				return
			}
			s.lines.Objects = objects
			s.lines.Refresh()
			s.missing = missing(lines)
			s.onSize()
		}
	})
}

// lineObject returns a line for the list: its size, and the text at that size times zoom.
func lineObject(l model.Line, ink color.NRGBA, zoom float32) fyne.CanvasObject {
	img := image.NewNRGBA(l.Rect)
	for i, a := range l.Pix {
		copy(img.Pix[4*i:], []uint8{ink.R, ink.G, ink.B, a})
	}
	picture := canvas.NewImageFromImage(img)
	picture.FillMode, picture.ScaleMode = canvas.ImageFillStretch, canvas.ImageScalePixels
	picture.SetMinSize(fyne.NewSize(zoom*float32(l.Rect.Dx()), zoom*float32(l.Rect.Dy())))
	name := widget.NewLabel(l.Name)
	name.Importance = widget.LowImportance
	name.SizeName = theme.SizeNameCaptionText
	return container.NewHBox(name, container.NewCenter(picture))
}

// maxListedMissing is the maximum number of missing characters that are named.
const maxListedMissing = 12

// missing returns a sentence about the characters that a font does not have, in all of its sizes or in some, or "".
func missing(lines []model.Line) string {
	var all []rune
	everywhere := true
	for i, l := range lines {
		everywhere = everywhere && slices.Equal(l.Missing, lines[0].Missing)
		for _, r := range lines[i].Missing {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	text := host.Count(len(all), "character") + " not in this font:"
	if !everywhere {
		text = host.Count(len(all), "character") + " not in every size of this font:"
	}
	for i, r := range all {
		switch {
		case i == maxListedMissing:
			return text + " …"
		case unicode.IsGraphic(r) && !unicode.IsMark(r):
			text += " " + string(r)
		default:
			text += fmt.Sprintf(" U+%04X", r)
		}
	}
	return text
}
