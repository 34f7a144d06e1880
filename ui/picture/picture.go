// Package picture displays a picture: whole or pixel by pixel, all channels or one, over a checkerboard where it is
// transparent; and its mip levels, sides, layers or frames.
package picture

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/picture"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// View displays a picture with its tools.
type View struct {
	group        *work.Group
	lane         *work.Lane // another part, or the next frame
	retoning     *work.Lane
	setCaption   func(text string)
	board        *board
	toner        *toner
	tools        *fyne.Container
	partBar      *fyne.Container // the parts
	zoom         *widget.Label
	channel      *control.Select
	withoutAlpha bool // the picture is opaque: its channels have no alpha
	parts        *control.Select
	play         *control.Button
	boxes        *control.Check
	main         *fyne.Container // the picture with its tools
	content      *fyne.Container

	specimen *specimen
	picture  model.Picture
	part     int
	playing  bool
}

// New makes an empty view. Its work ends with the group. It calls setCaption with a description of the picture.
func New(h host.Host, style *paint.Style, group *work.Group, setCaption func(text string)) *View {
	v := &View{group: group, lane: group.Lane(), retoning: group.Lane(), setCaption: setCaption}
	v.board = newBoard(h, style)
	v.board.onChange = v.describe
	v.zoom = widget.NewLabel("")
	v.channel = control.NewSelect(h.Key, channelNames[:], func(string) {
		v.board.channel, v.withoutAlpha = v.chosenChannel(), false
		v.board.Refresh()
	})
	v.channel.Selected = channelNames[all]
	v.parts = control.NewSelect(h.Key, nil, func(string) {
		v.stop()
		v.loadPart(v.parts.SelectedIndex())
	})
	v.play = control.NewButton(h.Key, "", theme.MediaPlayIcon(), v.togglePlay)
	v.play.Importance = widget.LowImportance
	v.channel.PlaceHolder = channelNames[alpha] // the widest
	v.tools = container.NewHBox(
		control.NewIcon(h, theme.ZoomFitIcon(), "Fit to view", v.board.fit),
		control.NewIcon(h, theme.ZoomOutIcon(), "Zoom out", func() { v.board.step(-1) }),
		control.NewIcon(h, theme.ZoomInIcon(), "Zoom in", func() { v.board.step(1) }), v.channel)
	v.boxes = control.NewCheck(h.Key, "Outlines", func(on bool) {
		v.board.showsBoxes = on
		v.board.Refresh()
	})
	v.boxes.Hide()
	v.tools.Add(v.boxes)
	v.tools.Add(v.zoom)
	v.partBar = container.NewBorder(nil, nil, v.play, nil, v.parts)
	v.partBar.Hide()
	v.toner = newToner(h.Key, v.retone)
	v.specimen = newSpecimen(h, group, setCaption)
	tools := container.NewVBox(container.NewHScroll(v.tools), v.toner.content, v.partBar)
	v.main = container.NewBorder(tools, nil, nil, nil, v.board)
	v.content = container.NewStack(v.main)
	v.specimen.onSize = func() {
		v.content.Objects[0].Refresh()
		v.describe()
	}
	return v
}

// SetOnDrag sets the func that is called when the picture is dragged while all of it is visible; nil makes dragging
// pan.
func (v *View) SetOnDrag(drag func() rows.Drag) { v.board.tracker.Begin = drag }

// Content returns the object for the panel.
func (v *View) Content() fyne.CanvasObject { return v.content }

// Ready is a picture that is prepared for display.
type Ready struct {
	picture model.Picture
	pyramid *pyramid
	tone    picture.Tone
	opaque  bool // no pixel of it or of another part is transparent
}

// Load prepares a picture, off the UI thread.
func Load(ctx context.Context, p model.Picture) (*Ready, error) {
	tone := autoTone(p.Image)
	pyramid, err := newPyramid(ctx, p.Image, tone)
	if err != nil {
		return nil, err
	}
	return &Ready{p, pyramid, tone, len(p.Parts) < 2 && isOpaque(p.Image)}, nil
}

// Show displays a picture. One of the same size keeps the zoom and the position: it may be another channel or file.
func (v *View) Show(r *Ready) {
	v.stop()
	v.picture, v.part = r.picture, 0
	v.parts.Options, v.parts.Selected = nil, ""
	for _, p := range r.picture.Parts {
		v.parts.Options = append(v.parts.Options, p.Name)
	}
	if paint.SetVisible(v.parts, len(v.parts.Options) > 0); v.parts.Visible() {
		v.parts.Selected = v.parts.Options[0]
	}
	v.parts.Refresh()
	v.offerChannels(r.opaque)
	v.retoning.Stop()
	v.toner.show(r.picture.Image, r.tone)
	v.board.second = nil
	v.board.isFont = r.picture.Lines != nil
	v.board.set(r.pyramid, r.picture.Boxes)
	v.arrange()
	if paint.SetVisible(v.play, v.isAnimated()); v.isAnimated() {
		v.togglePlay()
	}
	v.content.Refresh()
}

// offerChannels offers the channels of a picture: an opaque one has no alpha. The chosen one stays if it is there.
func (v *View) offerChannels(opaque bool) {
	v.channel.Options = channelNames[:]
	switch selected := v.channel.Selected; {
	case opaque && selected == channelNames[all], opaque && selected == channelNames[alpha]:
		v.channel.Selected, v.withoutAlpha = channelNames[colors], true
	case !opaque && selected == channelNames[colors] && v.withoutAlpha:
		v.channel.Selected, v.withoutAlpha = channelNames[all], false
	}
	if opaque {
		v.channel.Options = channelNames[colors:alpha]
	}
	v.board.channel = v.chosenChannel()
	v.channel.Refresh()
}

func (v *View) chosenChannel() channel {
	return channel(max(0, slices.Index(channelNames[:], v.channel.Selected)))
}

// ShowTwo displays two pictures on top of each other: control.Swipe or control.Overlay. share, from 0 to 1, is the
// position of the line or the opacity of the second; onShare is called with the position while the user drags the line.
func (v *View) ShowTwo(first, secondPicture *Ready, mode control.ViewMode, share float64, onShare func(share float64)) {
	v.Show(first)
	v.board.second = &overlay{board: v.board, pyramid: secondPicture.pyramid, swipe: mode == control.Swipe,
		onShare: onShare}
	v.board.second.set(share)
}

// SetShare moves the line between two pictures, or sets the opacity of the second.
func (v *View) SetShare(share float64) {
	if s := v.board.second; s != nil && s.share != share {
		s.set(share)
	}
}

// ShowOutlines switches the outlines of the boxes of a picture on.
func (v *View) ShowOutlines() { v.boxes.SetChecked(true) }

// Reveal centers a part of the picture and outlines it.
func (v *View) Reveal(part image.Rectangle) { v.board.reveal(part) }

// MarkBytes outlines the box with these bytes of the file, or nothing for an empty span.
func (v *View) MarkBytes(bytes model.Span) {
	if v.board.markedSpan != bytes {
		v.board.markedSpan = bytes
		v.board.Refresh()
	}
}

// Link synchronizes the position and the zoom of two views.
func (v *View) Link(o *View) { v.board.linked, o.board.linked = o.board, v.board }

// Clear removes the picture.
func (v *View) Clear() {
	v.stop()
	v.picture = model.Picture{}
	v.board.second = nil
	v.board.set(nil, nil)
	v.specimen.setFont(nil)
}

// arrange displays a font's text above its glyphs.
func (v *View) arrange() {
	paint.SetVisible(v.boxes, len(v.picture.Boxes) > 0)
	paint.SetVisible(v.partBar, len(v.picture.Parts) > 0)
	v.specimen.setFont(v.picture.Lines)
	if isFont := v.picture.Lines != nil; isFont != (v.content.Objects[0] != v.main) {
		v.content.Objects = []fyne.CanvasObject{v.main}
		if isFont {
			v.content.Objects = []fyne.CanvasObject{container.New(v.specimen, v.specimen.content, v.main)}
		}
	}
}

func (v *View) isAnimated() bool {
	return len(v.picture.Parts) > 1 && v.picture.Parts[0].Delay > 0
}

func (v *View) stop() {
	v.playing = false
	v.lane.Stop()
	v.play.SetIcon(theme.MediaPlayIcon())
}

func (v *View) togglePlay() {
	if v.playing {
		v.stop()
		return
	}
	v.playing = true
	v.play.SetIcon(theme.MediaPauseIcon())
	parts, from, tone := v.picture.Parts, v.part, v.toner.tone
	v.lane.Go(func(ctx context.Context) func() {
		for i := from; v.group.Tick(ctx, parts[i].Delay); {
			i = (i + 1) % len(parts)
			img, err := parts[i].Load(ctx)
			if err != nil {
				break
			}
			part, err := newPyramid(ctx, img, tone)
			if err != nil {
				break
			}
			v.group.Do(ctx, func() { v.showPart(i, part) })
		}
		return nil
	})
}

// loadPart loads a part and displays it.
func (v *View) loadPart(i int) {
	if i < 0 || i >= len(v.picture.Parts) {
		return
	}
	part, tone := v.picture.Parts[i], v.toner.tone
	v.lane.Go(func(ctx context.Context) func() {
		img, err := part.Load(ctx)
		var pyr *pyramid
		if err == nil {
			pyr, err = newPyramid(ctx, img, tone)
		}
		return func() {
			if err != nil {
				v.setCaption(host.Sentence(err))
				return
			}
			v.showPart(i, pyr)
		}
	})
}

func (v *View) showPart(i int, p *pyramid) {
	v.part = i
	v.parts.Selected = v.parts.Options[i]
	v.parts.Refresh()
	v.board.set(p, v.picture.Parts[i].Boxes)
}

// describe displays a description of the pixel under the pointer, else of the picture. There is not always room for
// both.
func (v *View) describe() {
	v.zoom.SetText(v.board.zoomText())
	if v.board.pyramid == nil {
		return
	}
	text := v.board.pixelText()
	if text == "" {
		text = Describe(v.picture, v.board.pyramid.source)
		if v.specimen.missing != "" {
			text = v.specimen.missing + " · " + text
		}
	}
	v.setCaption(text)
}

// Describe returns the damage, the size and the format of a picture, and the number of its parts; img is the displayed
// part.
func Describe(p model.Picture, img image.Image) string {
	b := img.Bounds()
	var parts []string
	if p.Broken != nil {
		parts = append(parts, strings.TrimSuffix(host.Sentence(p.Broken), "."))
	}
	if !p.Drawn {
		parts = append(parts, fmt.Sprintf("%d × %d pixels", b.Dx(), b.Dy()))
	}
	if p.Format != "" {
		parts = append(parts, p.Format)
	}
	if n := len(p.Parts); n > 1 {
		parts = append(parts, host.Count(int64(n), "picture"))
		total := time.Duration(0)
		for _, part := range p.Parts {
			total += part.Delay
		}
		if total > 0 {
			parts[len(parts)-1] = fmt.Sprintf("%s, %.1f s", host.Count(int64(n), "frame"), total.Seconds())
		}
	}
	return strings.Join(parts, " · ")
}

// toner holds the tools that set the exposure of a picture of floats and the tone mapping of its bright parts.
type toner struct {
	tone     picture.Tone
	auto     picture.Tone // the automatic one for the picture
	onChange func()

	stops      *control.Slider
	text       *widget.Label
	curve      *control.Select
	autoButton *control.Button
	content    *container.Scroll
}

// sliderWidth is the width of the exposure slider, in device-independent pixels.
const sliderWidth = 110

func newToner(keys control.Keys, onChange func()) *toner {
	t := &toner{onChange: onChange, stops: control.NewSlider(keys, -picture.MaxStops, picture.MaxStops),
		text: widget.NewLabel("")}
	t.stops.Step = picture.StopsStep
	t.stops.OnChanged = func(stops float64) { t.change(picture.Tone{Stops: stops, Curve: t.tone.Curve}) }
	t.curve = control.NewSelect(keys, picture.CurveNames[:], func(string) {
		t.change(picture.Tone{Stops: t.tone.Stops, Curve: picture.Curve(t.curve.SelectedIndex())})
	})
	t.autoButton = control.NewButton(keys, "Auto", nil, func() {
		t.set(t.auto)
		t.onChange()
	})
	t.autoButton.Importance = widget.LowImportance
	slider := container.NewGridWrap(fyne.NewSize(sliderWidth, t.stops.MinSize().Height), t.stops)
	t.content = container.NewHScroll(container.NewHBox(widget.NewLabel("Exposure"), container.NewCenter(slider), t.text,
		t.curve, t.autoButton))
	t.content.Hide()
	return t
}

// change applies a change of the user.
func (t *toner) change(tone picture.Tone) {
	if tone == t.tone {
		return
	}
	t.set(tone)
	t.onChange()
}

// show displays the tools for a picture of floats, with its tone.
func (t *toner) show(img image.Image, tone picture.Tone) {
	t.auto = tone
	t.set(tone)
	d, ok := img.(*picture.Deep)
	paint.SetVisible(t.content, ok && d.HasFloats())
}

func (t *toner) set(tone picture.Tone) {
	t.tone = tone
	t.stops.Value = tone.Stops
	t.stops.Refresh()
	t.curve.SetSelectedIndex(int(tone.Curve))
	t.text.SetText(fmt.Sprintf("%+.2f EV", tone.Stops))
}

// autoTone returns the automatic tone of a picture.
func autoTone(img image.Image) picture.Tone {
	if d, ok := img.(*picture.Deep); ok {
		return d.AutoTone()
	}
	return picture.Tone{}
}

// retone displays the current picture in another tone.
func (v *View) retone() {
	y, tone := v.board.pyramid, v.toner.tone
	if y == nil {
		return
	}
	v.retoning.Go(func(ctx context.Context) func() {
		toned, err := newPyramid(ctx, y.source, tone)
		if err != nil {
			return nil
		}
		return func() {
			if v.board.pyramid == y || v.board.pyramid != nil && v.board.pyramid.source == y.source {
				v.board.set(toned, v.board.boxes)
			}
		}
	})
}
