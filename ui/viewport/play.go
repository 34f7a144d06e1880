package viewport

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/paint"
	"assay/ui/work"
)

// playback plays the clips of a scene.
type playback struct {
	viewport *Viewport
	lane     *work.Lane
	bar      *fyne.Container // the curves, and the row
	row      *fyne.Container // the buttons and the slider
	isShared bool            // the row is in another layout, for all that are synchronized
	button   *control.Button
	slider   *timeSlider
	clock    *widget.Label
	curves   *curves
	steps    *steps // nil unless it plays a series of scenes

	track
	synced     []*playback // synchronized playbacks
	keys       []float32
	time       float32
	speed      float32
	stopsAtEnd bool // stop at the end instead of repeating
	playing    bool
}

var speeds = []float32{.1, .25, .5, 1, 2, 4}

func newPlayback(v *Viewport, style *paint.Style) *playback {
	p := &playback{viewport: v, lane: v.group.Lane(), track: track{current: -1}, speed: 1}
	p.button = p.newButton("scene.play", theme.MediaPlayIcon())
	p.slider = newTimeSlider(v)
	p.slider.OnChanged = func(f float64) { p.scrub(float32(f)) }
	p.clock = widget.NewLabel("")
	p.clock.SizeName = theme.SizeNameCaptionText
	buttons := container.NewHBox(
		p.newButton("scene.previous-key", theme.MediaSkipPreviousIcon()), p.button,
		p.newButton("scene.next-key", theme.MediaSkipNextIcon()))
	p.curves = newCurves(style, func(t float32) {
		p.stop()
		p.goTo(t)
	})
	p.row = container.NewBorder(nil, nil, buttons, p.clock, p.slider)
	p.bar = container.NewBorder(p.curves, nil, nil, nil, p.row)
	p.bar.Hide()
	return p
}

// timeSlider is a slider that passes the keys it does not use to the viewport.
type timeSlider struct {
	control.Slider
	viewport *Viewport
}

func newTimeSlider(v *Viewport) *timeSlider {
	s := &timeSlider{viewport: v}
	s.Max = 1
	s.ExtendBaseWidget(s)
	return s
}

// setTime sets a time, without an event.
func (s *timeSlider) setTime(t float32) {
	s.Value = float64(t)
	s.Refresh()
}

func (s *timeSlider) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyLeft || k.Name == fyne.KeyRight {
		s.Slider.TypedKey(k)
		return
	}
	s.viewport.play.leader().viewport.key(k)
}

func (s *timeSlider) TypedRune(r rune) { s.viewport.play.leader().viewport.rune(r) }

// newButton makes a button of the row; a click returns the focus to the picture that plays.
func (p *playback) newButton(id command.ID, icon fyne.Resource) *control.Button {
	return control.NewTool((*toolHost)(p.viewport), icon, p.viewport.commands.Keys.HintOf(id), func() {
		p.leader().viewport.canvas.focus()
		p.viewport.commands.Run(id, p.viewport)
	})
}

// setScene lists the clips of another scene, and sets the pose of the file. If the camera is kept, so is the current
// clip and its time.
func (p *playback) setScene(m *render.Model) {
	previous, moment := track{}, p.time-p.start
	if p.viewport.Keep {
		previous = p.track
	}
	p.clips = m.Scene().Playables()
	p.plot(nil)
	if p.steps != nil {
		p.steps.end()
		p.steps = nil
	}
	if len(m.Scene().Steps) > 1 && len(p.clips) == 0 {
		p.setSteps(m)
		p.viewport.describe()
		p.viewport.redraw(false)
		return
	}
	p.viewport.tools.row.setHasItems(p.viewport.tools.animation, len(p.clips) > 0)
	first := -1
	if len(m.Joints()) > 0 && len(p.clips) > 0 { // the pose of the file is for binding joints only
		first = 0
	}
	if i := p.named(previous.name()); i >= 0 {
		p.selectClip(i)
		p.time = p.start + min(moment, p.longest())
	} else {
		p.selectClip(first)
	}
	p.showBars()
}

// choose makes a clip the current one, at its start; -1 is the pose of the file.
func (p *playback) choose(i int) {
	p.stop()
	p.selectClip(i)
	p.syncOthers()
	p.showBars()
}

// chooseAsUser makes a clip the current one for the user.
func (p *playback) chooseAsUser(i int) {
	p.viewport.freezeCamera()
	p.choose(i)
	if p.viewport.OnClip != nil {
		p.viewport.OnClip(p.track.name())
	}
}

// SetClip poses the scene by the start of a clip or, with an empty name, as the file does. An unknown name changes
// nothing. It does not call OnClip.
func (v *Viewport) SetClip(name string) {
	if i := v.play.named(name); (i >= 0 || name == "") && i != v.play.current && v.play.canPlay() && v.play.steps == nil {
		v.play.choose(i)
	}
}

// selectClip makes a clip the current one, at its start.
func (p *playback) selectClip(i int) {
	p.keys = nil
	if p.viewport.model != nil {
		p.track.selectClip(i, p.viewport.model.Pose())
		p.viewport.second.matchClip(&p.track)
	}
	if p.player != nil {
		p.keys = p.player.Keys()
	}
	p.time = p.startTime()
	p.spanCurves()
	p.viewport.describe()
}

// spanCurves sets the time range of the curves to the current clip.
func (p *playback) spanCurves() {
	if p.curves.setSpan(p.start, p.end) {
		p.viewport.content.Refresh() // the picture gets the remaining room
	}
}

// setSlider sets the range of the slider to the current clip.
func (p *playback) setSlider() {
	p.slider.Min, p.slider.Max = float64(p.start), float64(p.start+max(p.longest(), .001))
	p.slider.setTime(p.time)
}

// plotChannel plots a channel, and seeks to a time of it. The current clip only changes if it does not contain the
// channel.
func (p *playback) plotChannel(c *scene.Channel, k *scene.Curve, seconds float32, seek bool) {
	if p.current < 0 || !p.clips[p.current].Moves(c) || seek && !(seconds >= p.start && seconds <= p.end) {
		for i := range p.clips { // the last one with the channel is the whole animation
			if p.clips[i].Moves(c) {
				p.choose(i)
			}
		}
	}
	p.plot(k)
	p.spanCurves()
	if seek {
		p.stop()
		p.goTo(seconds)
	}
}

// plot plots a curve, or nothing for nil.
func (p *playback) plot(k *scene.Curve) {
	if k != p.curves.curve {
		p.curves.set(k, p.viewport.content.Size().Height)
		p.viewport.content.Refresh() // the picture gets the remaining room
	}
}

// chooseAnimation chooses the clip of an animation, unless it is the current one.
func (p *playback) chooseAnimation(a *scene.Animation) {
	if p.current >= 0 && p.clips[p.current].AnimationOrNil() == a {
		return
	}
	for i := range p.clips {
		if p.clips[i].AnimationOrNil() == a {
			p.choose(i)
			return
		}
	}
}

// goTo seeks to a time and moves the slider.
func (p *playback) goTo(t float32) {
	p.slider.setTime(t)
	p.seek(t)
}

// items returns the menu of the clips and of the settings for playing.
func (p *playback) items() []*fyne.MenuItem {
	const maxClips = 200
	var items []*fyne.MenuItem
	if p.steps != nil {
		items = append(items, checked(fyne.NewMenuItem("Interpolate between Files", p.toggleInterpolation),
			p.steps.blended))
	} else {
		items = append(items, checked(fyne.NewMenuItem("Stored Pose", func() { p.chooseAsUser(-1) }), p.current < 0))
	}
	for i, c := range p.clips[:min(len(p.clips), maxClips)] {
		items = append(items, checked(fyne.NewMenuItem(c.Name, func() { p.chooseAsUser(i) }), p.current == i))
	}
	return append(append(items, fyne.NewMenuItemSeparator()), p.viewport.itemsOf(command.AnimationTools)()...)
}

// setSpeed sets the speed of clips, and whether they stop at their end or repeat.
func (p *playback) setSpeed(speed float32, stopAtEnd bool) {
	p.speed, p.stopsAtEnd = speed, stopAtEnd
	p.showTime()
	p.syncOthers()
}

// canPlay reports whether there is a clip or a series to play.
func (p *playback) canPlay() bool {
	return p.viewport.model != nil && (len(p.clips) > 0 || p.steps != nil)
}

// name returns the name of the current clip, or "" for the pose of the file.
func (p *playback) name() string {
	if p.steps != nil {
		return p.steps.all[min(max(int(p.time+.5), 0), len(p.steps.all)-1)].Name
	}
	return p.track.name()
}

// posePlayer returns the player that poses the model, and its time.
func (p *playback) posePlayer() (*scene.Player, float32) { return p.track.at(p.time - p.start) }

// seek seeks to a time, in all synchronized viewports.
func (p *playback) seek(t float32) {
	p.viewport.freezeCamera()
	p.time = t
	p.showTime()
	if p.steps != nil {
		p.steps.show(t)
		return
	}
	p.viewport.redraw(false)
	p.syncOthers()
}

// showTime displays the time.
func (p *playback) showTime() {
	p.curves.setTime(p.time)
	text := fmt.Sprintf("%.2f / %.2f s", p.time-p.start, p.longest())
	switch {
	case p.steps != nil:
		text = fmt.Sprintf("%d / %d", int(p.time+.5)+1, len(p.steps.all))
	case p.current < 0 && !(p.longest() > 0):
		text = "stored pose"
	}
	if p.speed != 1 {
		text += fmt.Sprintf(" · %g×", p.speed)
	}
	if p.stopsAtEnd {
		text += " · no loop"
	}
	p.clock.SetText(text)
}

// stepKey seeks to the previous or next key.
func (p *playback) stepKey(delta int) {
	if l := p.leader(); l != p {
		l.stepKey(delta)
		return
	}
	p.stop()
	if key, ok := p.nextKey(delta); ok {
		p.goTo(key)
	}
}

// nextKey returns the time of the previous or next key, or false.
func (p *playback) nextKey(step int) (best float32, found bool) {
	for _, k := range p.keys {
		if k < p.start || k > p.end {
			continue
		}
		if step > 0 && k > p.time+1e-5 && (!found || k < best) || step < 0 && k < p.time-1e-5 && (!found || k > best) {
			best, found = k, true
		}
	}
	return best, found
}

const (
	frameLength = 1. / 30 // seconds
	nearKey     = .05     // a key this close is the next frame: animations are often stored frame by frame
)

// stepFrame seeks to the previous or next frame.
func (p *playback) stepFrame(step int) {
	if l := p.leader(); l != p {
		l.stepFrame(step)
		return
	}
	p.stop()
	if p.player == nil && p.steps == nil {
		return
	}
	key, ok := p.nextKey(step)
	if p.steps != nil || ok && (key-p.time)*float32(step) <= nearKey {
		if ok {
			p.goTo(key)
		}
		return
	}
	p.goTo(min(max(p.time+float32(step)*frameLength, p.start), p.start+p.longest()))
}

func (p *playback) stop() {
	for _, o := range append([]*playback{p}, p.synced...) {
		o.playing = false
		o.lane.Stop()
		o.button.SetIcon(theme.MediaPlayIcon())
	}
}

// toggle starts or stops playing.
func (p *playback) toggle() {
	if l := p.leader(); l != p {
		l.toggle()
		return
	}
	if p.playing {
		p.stop()
		p.viewport.redraw(true)
		return
	}
	if p.player == nil && len(p.clips) > 0 {
		p.choose(0)
	}
	length := p.longest()
	if p.player == nil && p.steps == nil || !(length > 0) {
		return
	}
	if backwards := p.clipSpeed() < 0; backwards && p.time <= p.start || !backwards && p.time >= p.start+length {
		p.time = p.startTime()
	}
	p.playing = true
	if p.steps != nil {
		p.steps.playedSteps = 0
	}
	p.button.SetIcon(theme.MediaPauseIcon())
	p.syncOthers()
	p.viewport.eachFrame(p.lane, p.advance)
}

// advance advances the time while playing.
func (p *playback) advance(elapsed time.Duration) {
	passed := float32(elapsed.Seconds()) * p.speed * p.clipSpeed()
	if p.steps != nil {
		if p.steps.busy {
			return
		}
		if !p.steps.blended {
			p.stepOn(passed)
			return
		}
	}
	t, length := p.time+passed, p.longest()
	switch {
	case t >= p.start && t <= p.start+length:
	case p.stopsAtEnd:
		p.stop()
		t = min(max(t, p.start), p.start+length)
	default:
		t = p.start + float32(math.Mod(float64(t-p.start), float64(length)))
		if t < p.start {
			t += length
		}
	}
	p.goTo(t)
}

// startTime returns the start time: the end of a clip that plays backwards.
func (p *playback) startTime() float32 {
	if p.clipSpeed() < 0 {
		return p.start + p.longest()
	}
	return p.start
}

func (p *playback) clipSpeed() float32 {
	if p.steps != nil {
		return stepsASecond
	}
	if p.current < 0 {
		return 1
	}
	return p.clips[p.current].Speed
}

// track holds the clips of a scene, and the current one.
type track struct {
	clips      []scene.Playable
	current    int // -1 for the pose of the file
	player     *scene.Player
	unplayable []string // messages about parts that do not play
	start      float32
	end        float32
}

// selectClip makes a clip the current one; -1 is the pose of the file.
func (t *track) selectClip(i int, pose *scene.Pose) {
	*t = track{clips: t.clips, current: i}
	if i >= 0 && i < len(t.clips) {
		c := &t.clips[i]
		t.player, t.unplayable = c.Player(pose)
		t.start, t.end = c.Start, c.End
	}
}

// name returns the name of the current clip, or "" for the pose of the file.
func (t *track) name() string {
	if t.current < 0 || t.current >= len(t.clips) {
		return ""
	}
	return t.clips[t.current].Name
}

// length returns the duration, in seconds.
func (t *track) length() float32 { return t.end - t.start }

// at returns the player that poses the scene, and its time after a duration from the start. A shorter clip stays at its
// end.
func (t *track) at(after float32) (*scene.Player, float32) {
	return t.player, t.start + min(after, t.length())
}

// named returns the index of the clip with a name, or -1.
func (t *track) named(name string) int {
	return slices.IndexFunc(t.clips, func(c scene.Playable) bool { return c.Name == name && name != "" })
}

// matchingClip returns the index of the clip that corresponds to the clip of another track: by name, else by index.
func (t *track) matchingClip(o *track) int {
	if i := t.named(o.name()); i >= 0 || o.current < 0 {
		return i
	}
	if len(t.clips) == len(o.clips) {
		return o.current
	}
	return t.current
}
