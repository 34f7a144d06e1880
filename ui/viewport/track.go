package viewport

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model/scene"
	"assay/ui/paint"
)

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

// Join synchronizes viewports: choosing a clip, playing, scrubbing, hiding and isolating in one of them applies to all.
func Join(all ...*Viewport) {
	for _, v := range all {
		for _, o := range all {
			if o != v {
				v.joins = append(v.joins, o)
				v.play.synced = append(v.play.synced, o.play)
			}
		}
	}
}

// TakeBar removes the playback bar from a viewport and returns it for another layout. The joined viewports hide theirs,
// because it controls all of them.
func (v *Viewport) TakeBar() fyne.CanvasObject {
	p := v.play
	p.bar.Remove(p.row)
	for _, o := range p.synced {
		o.row.Hide()
	}
	p.isShared = true
	paint.SetVisible(p.row, false)
	return p.row
}

// isSharedByAny reports whether one of the synchronized viewports has the bar of all.
func (p *playback) isSharedByAny() bool {
	return p.isShared || slices.ContainsFunc(p.synced, func(o *playback) bool { return o.isShared })
}

// PlayAs displays the moment that another viewport displays.
func (v *Viewport) PlayAs(o *Viewport) { v.play.playAs(o.play) }

// canPlay reports whether there is a clip or a series to play.
func (p *playback) canPlay() bool { return p.view.model != nil && (len(p.clips) > 0 || p.steps != nil) }

// leader returns the playback in control of the synchronized ones: the playing one, or else one that can play.
func (p *playback) leader() *playback {
	best := p
	for _, o := range p.synced {
		if o.playing || !best.canPlay() && o.canPlay() {
			best = o
		}
	}
	return best
}

// longest returns the longest duration of the synchronized playbacks.
func (p *playback) longest() float32 {
	length := max(p.length(), p.view.second.length())
	for _, o := range p.synced {
		if o.canPlay() && p.steps == nil && o.steps == nil {
			length = max(length, o.length())
		}
	}
	return length
}

// syncOthers synchronizes the others with this playback.
func (p *playback) syncOthers() {
	if p.steps != nil {
		return
	}
	for _, o := range p.synced {
		o.playAs(p)
	}
}

// playAs takes the clip and the time of another playback.
func (p *playback) playAs(o *playback) {
	if p.steps != nil || o.steps != nil {
		return
	}
	p.speed, p.stopsAtEnd = o.speed, o.stopsAtEnd
	if i := p.matchingClip(&o.track); i != p.current && p.canPlay() {
		p.selectClip(i)
	}
	p.time = p.start + o.time - o.start
	icon := theme.MediaPlayIcon()
	if o.leader().playing {
		icon = theme.MediaPauseIcon()
	}
	if p.button.Icon != icon {
		p.button.SetIcon(icon)
	}
	p.refresh()
}

// showBars shows the bars of all synchronized viewports that need one, with their duration.
func (p *playback) showBars() {
	found := p.canPlay()
	for _, o := range p.synced {
		found = found || o.canPlay() && o.steps == nil
	}
	for _, o := range append([]*playback{p}, p.synced...) {
		if o.steps == nil {
			paint.SetVisible(o.bar, found)
			paint.SetVisible(o.row, found && (o.isShared || !o.isSharedByAny()))
			o.refresh()
		}
	}
}

// refresh displays the current moment.
func (p *playback) refresh() {
	p.setSlider()
	p.slider.Step = max(float64(p.longest())/2000, 1e-4)
	p.showTime()
	p.view.redraw(false)
}

// scrub seeks to a time of the slider.
func (p *playback) scrub(t float32) {
	l := p.leader()
	if l == p || l.playing && p.canPlay() {
		p.seek(t)
		return
	}
	l.goTo(l.start + t - p.start)
}
