package preview

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/sound"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Sound displays a sound as a wave, with a button to play it.
type Sound struct {
	group      *work.Group
	shape      *work.Lane
	player     *work.Lane
	setCaption func(text string)
	wave       *wave
	button     *control.Button
	time       *widget.Label
	tags       *widget.Label
	problem    *widget.Label // problem of the sound
	warning    *fyne.Container
	content    *fyne.Container

	sound   *sound.Sound
	playing bool
	from    int64 // the frame at which to start
}

var _ viewer = (*Sound)(nil)

// NewSound makes an empty view. Its work ends with the group. It calls setCaption with a description of the sound.
func NewSound(style *paint.Style, group *work.Group, setCaption func(text string)) *Sound {
	v := &Sound{group: group, shape: group.Lane(), player: group.Lane(), setCaption: setCaption}
	v.wave = &wave{view: v, frame: -1}
	v.wave.InitSurface(v.wave, style, v.wave.paint)
	v.button = control.NewButton(nil, "Play", theme.MediaPlayIcon(), v.toggle)
	v.time = widget.NewLabel("")
	v.tags = widget.NewLabel("")
	v.tags.Wrapping = fyne.TextWrapWord
	v.problem = widget.NewLabel("")
	v.problem.Wrapping = fyne.TextWrapWord
	sign := container.NewCenter(widget.NewIcon(theme.WarningIcon()))
	v.warning = container.NewStack(paint.NewTint(theme.ColorNameWarning, 0x2a),
		container.NewBorder(nil, nil, sign, nil, v.problem))
	v.warning.Hide()
	head := container.NewVBox(container.NewBorder(nil, nil, v.button, nil, v.time), v.warning)
	v.content = container.NewBorder(head, container.NewVScroll(v.tags), nil, nil, v.wave)
	return v
}

// Content returns the object for the panel.
func (v *Sound) Content() fyne.CanvasObject { return v.content }

// waveParts is the number of time intervals of a wave.
const waveParts = 2048

// Load prepares a sound.
func (v *Sound) Load(_ context.Context, view model.View) (show func(), err error) {
	return func() { v.Show(view.(*sound.Sound)) }, nil
}

// Show displays a sound.
func (v *Sound) Show(s *sound.Sound) {
	v.stop()
	v.sound, v.from = s, 0
	v.wave.set(sound.Waveform{}, -1)
	v.setCaption(DescribeSound(s))
	var tags []string
	for _, t := range s.Tags {
		tags = append(tags, t.Name+": "+t.Value)
	}
	v.tags.SetText(strings.Join(tags, "\n"))
	paint.SetVisible(v.tags, len(tags) > 0)
	v.enableButton()
	v.warn("")
	v.showTime(0)
	v.shape.Go(func(ctx context.Context) func() {
		err := s.ReadWaveform(ctx, waveParts, func(w sound.Waveform) { v.group.Do(ctx, func() { v.wave.set(w, -1) }) })
		return func() {
			frames := v.wave.wave.Frames
			if s.Frames < 0 {
				s.Frames = frames
				v.setCaption(DescribeSound(s))
				v.showTime(0)
			}
			v.warn(problemOf(s, frames, err))
			if frames == 0 {
				v.button.Disable()
			}
		}
	})
}

// toleratedLoss is the share of a sound that may be missing at its end without a warning, because lengths are rounded.
const toleratedLoss = 0.01

// problemOf returns the problem of a sound that was read up to a number of frames, until an error or the end; or "".
func problemOf(s *sound.Sound, frames int64, err error) string {
	missing := float64(s.Frames-frames) > toleratedLoss*float64(s.Frames)
	switch {
	case err != nil && frames == 0:
		return "This sound cannot be decoded. " + host.Sentence(err)
	case err != nil:
		return fmt.Sprintf("The sound is damaged after %s. %s", clockAt(s, frames), host.Sentence(err))
	case missing && frames == 0:
		return "Cannot read the sound: the file is truncated."
	case missing:
		return fmt.Sprintf("The sound ends after %s, before the recorded length.", clockAt(s, frames))
	}
	return ""
}

// warn displays a problem of the sound above its wave.
func (v *Sound) warn(text string) {
	v.problem.SetText(text)
	paint.SetVisible(v.warning, text != "")
}

// enableButton enables the button if sounds can be played.
func (v *Sound) enableButton() {
	if err := soundReady(); err != nil {
		v.button.SetText("No sound device")
		v.button.Disable()
		return
	}
	v.button.Enable()
	v.button.SetText("Play")
	v.button.SetIcon(theme.MediaPlayIcon())
}

// Clear stops and removes the sound.
func (v *Sound) Clear() {
	v.stop()
	v.shape.Stop()
	v.sound = nil
	v.warn("")
	v.wave.set(sound.Waveform{}, -1)
}

// DescribeSound returns a description of a sound.
func DescribeSound(s *sound.Sound) string {
	parts := []string{s.Format}
	if l := s.Length(); l >= 0 {
		parts = append(parts, clock(l))
	}
	channels := host.Count(int64(s.Channels), "channel")
	switch s.Channels {
	case 1:
		channels = "mono"
	case 2:
		channels = "stereo"
	}
	return strings.Join(append(parts, fmt.Sprintf("%s Hz", host.Number(s.Rate)), channels), " · ")
}

func clock(d time.Duration) string {
	return fmt.Sprintf("%d:%05.2f", int(d.Minutes()), (d % time.Minute).Seconds())
}

// clockAt returns the time of a frame of a sound.
func clockAt(s *sound.Sound, frame int64) string {
	return clock(time.Duration(float64(frame) / float64(s.Rate) * float64(time.Second)))
}

func (v *Sound) showTime(frame int64) {
	position := clockAt(v.sound, frame)
	if l := v.sound.Length(); l >= 0 {
		position += " of " + clock(l)
	}
	v.time.SetText(position)
}

func (v *Sound) toggle() {
	if v.playing {
		v.stop()
		return
	}
	s, from := v.sound, v.from
	if s == nil {
		return
	}
	v.playing = true
	v.button.SetText("Stop")
	v.button.SetIcon(theme.MediaStopIcon())
	started := time.Now()
	v.player.Go(func(ctx context.Context) func() {
		moving, end := context.WithCancel(ctx)
		defer end()
		v.group.Run(func(context.Context) {
			for v.group.Pause(moving, 50*time.Millisecond) {
				frame := from + int64(time.Since(started).Seconds()*float64(s.Rate))
				v.group.Do(moving, func() { v.move(frame) })
			}
		})
		err := playSound(ctx, s.Rate, s.Channels, func(ctx context.Context, yield func(p []float32) bool) error {
			return s.Samples(ctx, from, yield)
		})
		return func() {
			v.stop()
			v.from = 0
			v.move(0)
			if err != nil && !errors.Is(err, context.Canceled) {
				v.warn("Playing stopped. " + host.Sentence(err))
			}
		}
	})
}

// move shows the current position of the sound.
func (v *Sound) move(frame int64) {
	if v.sound != nil {
		v.wave.set(v.wave.wave, frame)
		v.showTime(frame)
	}
}

func (v *Sound) stop() {
	v.player.Stop()
	if v.playing {
		v.playing = false
		v.enableButton()
	}
}

// wave is the picture of the wave.
type wave struct {
	paint.Surface
	view  *Sound
	wave  sound.Waveform
	frame int64 // the current frame, or -1
}

var (
	_ fyne.Tappable      = (*wave)(nil)
	_ desktop.Cursorable = (*wave)(nil)
)

func (w *wave) set(shape sound.Waveform, frame int64) {
	w.wave, w.frame = shape, frame
	w.Refresh()
}

func (w *wave) MinSize() fyne.Size { return fyne.NewSize(60, 60) }

func (w *wave) Cursor() desktop.Cursor { return desktop.PointerCursor }

// Tapped sets the start position.
func (w *wave) Tapped(e *fyne.PointEvent) {
	v := w.view
	if v.sound == nil || v.sound.Frames <= 0 {
		return
	}
	wasPlaying := v.playing
	v.stop()
	v.from = int64(float64(e.Position.X) / float64(w.Size().Width) * float64(v.sound.Frames))
	v.move(v.from)
	if wasPlaying {
		v.toggle()
	}
}

func (w *wave) paint(c *paint.Canvas) {
	c.Fill(c.Img.Rect, c.Colors.Background)
	v := w.view
	if v.sound == nil {
		return
	}
	area := c.Img.Rect.Inset(c.Px(4))
	n := max(1, len(w.wave.Low))
	for ch := range n {
		lane := image.Rect(area.Min.X, area.Min.Y+ch*area.Dy()/n, area.Max.X, area.Min.Y+(ch+1)*area.Dy()/n-c.Px(2))
		middle := (lane.Min.Y + lane.Max.Y) / 2
		c.Fill(lane, c.Colors.Bar)
		c.Line(lane.Min.X, middle, lane.Max.X, middle, c.Colors.Separator)
		if ch < len(w.wave.Low) {
			w.channel(c, lane, middle, w.wave.Low[ch], w.wave.High[ch])
		}
	}
	if w.frame >= 0 && v.sound.Frames > 0 {
		x := area.Min.X + int(float64(area.Dx())*float64(w.frame)/float64(v.sound.Frames))
		c.Line(x, area.Min.Y, x, area.Max.Y, c.Colors.Warning)
	}
}

// channel paints the wave of a channel, a column of pixels for the parts of its time.
func (w *wave) channel(c *paint.Canvas, lane image.Rectangle, middle int, low, high []float32) {
	intervals := waveParts
	if w.view.sound.Frames < 0 {
		intervals = max(1, len(low))
	}
	y := func(v float32) int { return middle - int(max(-1, min(v, 1))*float32(lane.Dy()/2)) }
	for x := range lane.Dx() {
		from := x * intervals / lane.Dx()
		to := max(from+1, (x+1)*intervals/lane.Dx())
		if from >= len(low) {
			return
		}
		l, h := low[from], high[from]
		for i := from; i < min(to, len(low)); i++ {
			l, h = min(l, low[i]), max(h, high[i])
		}
		c.Fill(image.Rect(lane.Min.X+x, y(h), lane.Min.X+x+1, max(y(l), y(h)+1)), c.Colors.Primary)
	}
}

// Samples passes the samples of a sound from its beginning to yield, in blocks of interleaved frames, until yield
// returns false.
type Samples func(ctx context.Context, yield func(p []float32) bool) error

// writePCM converts samples to the 16-bit integers of sound devices.
func writePCM(ctx context.Context, samples Samples, w io.Writer) error {
	var buf []byte
	var failed error
	err := samples(ctx, func(p []float32) bool {
		buf = buf[:0]
		for _, v := range p {
			buf = binary.LittleEndian.AppendUint16(buf, uint16(int16(max(-1, min(v, 1))*32767)))
		}
		_, failed = w.Write(buf)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}
