package viewport

import (
	"context"
	"math"
	"slices"
	"sync"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/host"
	"assay/ui/work"
)

const (
	stepsASecond   = 4 // while playing
	maxCachedSteps = 8 // maximum number of steps in memory

	sampledFiles  = 64      // maximum number of files whose bounds are computed to frame a series
	sampledPoints = 8 << 20 // maximum number of points in these files
)

// steps plays a series of scenes, a step a file. It starts at the step of the displayed scene.
type steps struct {
	viewport      *Viewport
	lane          *work.Lane
	all           []scene.Step
	first         *render.Model
	usedFraming   render.Framing  // used for every step, so that the camera stays in position
	seriesFraming *render.Framing // framing of the sampled steps; nil until it is computed
	zUp           bool            // up axis of seriesFraming
	framingLane   *work.Lane      // computes seriesFraming
	position      float32         // the current step, and the fraction to the next
	playedSteps   float32         // how long the current step has been played, in steps
	blended       bool            // positions between two steps are interpolated
	busy          bool            // a step is being read
	cache         stepCache
}

func newSteps(v *Viewport, m *render.Model) *steps {
	return &steps{viewport: v, lane: v.group.Lane(), framingLane: v.group.Lane(), all: m.Scene().Steps, first: m,
		usedFraming: m.Framing(), zUp: m.ZUp(), position: float32(m.Scene().Step)}
}

// startFraming computes the framing of up to sampledFiles steps in the background, and frames it. It opens no more
// steps after sampledPoints points.
func (s *steps) startFraming() {
	framing, z, first := s.usedFraming, s.zUp, s.first.Scene().Step
	s.framingLane.Go(func(ctx context.Context) func() {
		points := 0
		for _, i := range sampledSteps(len(s.all)) {
			if i == first || points > sampledPoints {
				continue
			}
			current, err := s.all[i].Open(ctx)
			if err != nil { // reported when the step is displayed
				continue
			}
			current.Walk(func(n *scene.Node, _ scene.Matrix) {
				if n.Points != nil {
					points += n.Points.Count
				}
			})
			m, err := render.Load(ctx, current)
			if err != nil || m.Empty() {
				continue
			}
			m.SetZUp(z)
			m.Update()
			m.Frame()
			framing = framing.Union(m.Framing())
		}
		return func() { s.frameSeries(framing) }
	})
}

// sampledSteps returns the steps whose bounds are computed: the last one, and others spread over the series.
func sampledSteps(count int) (all []int) {
	step := (count + sampledFiles - 1) / sampledFiles
	for i := count - 1; i >= 0; i -= step {
		all = append(all, i)
	}
	return all
}

// frameSeries stores the framing of the series, and frames it unless the camera was moved in the meantime.
func (s *steps) frameSeries(framing render.Framing) {
	s.seriesFraming = &framing
	if c := &s.viewport.view; c.Tight && c.Camera == nil {
		s.frameIfKnown()
	}
}

// frameIfKnown frames the whole series. It returns false if seriesFraming is not computed yet, or the up axis was
// changed.
func (s *steps) frameIfKnown() bool {
	if s.seriesFraming == nil || s.viewport.zUp != s.zUp {
		return false
	}
	f := *s.seriesFraming
	s.usedFraming = f
	s.viewport.change(func(m *render.Model) { m.SetFraming(f) })
	return true
}

// end stops reading.
func (s *steps) end() {
	s.lane.Stop()
	s.framingLane.Stop()
}

// show displays the series at a time, in steps from the first.
func (s *steps) show(t float32) {
	base, share := math.Modf(float64(t))
	if !s.blended {
		base, share = math.Round(float64(t)), 0
	}
	i, fraction, z := min(max(int(base), 0), len(s.all)-1), float32(share), s.viewport.zUp
	frame := s.usedFraming
	if s.position == float32(i)+fraction {
		return
	}
	s.position = float32(i) + fraction
	if i == s.first.Scene().Step && fraction == 0 {
		s.lane.Stop()
		s.busy = false
		s.viewport.swap(s.first)
		if z == s.zUp {
			s.viewport.change(func(m *render.Model) { m.SetFraming(frame) })
		}
		return
	}
	s.busy = true
	s.lane.Go(func(ctx context.Context) func() {
		m, err := s.model(ctx, i, fraction)
		if err == nil {
			m.SetZUp(z)
			m.Update()
			if m.Frame(); z == s.zUp {
				m.SetFraming(frame)
			}
		}
		return func() {
			s.busy = false
			if err != nil {
				s.viewport.play.stop()
				s.viewport.host.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
				return
			}
			s.viewport.swap(m)
		}
	})
}

// model makes the model of a step, or of an interpolation between it and the next.
func (s *steps) model(ctx context.Context, i int, share float32) (*render.Model, error) {
	current, err := s.cache.get(ctx, s.all, i)
	if err != nil {
		return nil, err
	}
	if share > 0 && i+1 < len(s.all) {
		next, err := s.cache.get(ctx, s.all, i+1)
		if err != nil {
			return nil, err
		}
		if current, err = scene.Interpolate(current, next, share); err != nil {
			return nil, err
		}
	}
	return render.Load(ctx, current)
}

// stepCache caches the steps that were read last. Concurrent callers wait for each other.
type stepCache struct {
	mu      sync.Mutex
	numbers []int
	scenes  []*scene.Scene
}

func (c *stepCache) get(ctx context.Context, all []scene.Step, i int) (*scene.Scene, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := slices.Index(c.numbers, i); k >= 0 {
		return c.scenes[k], nil
	}
	s, err := all[i].Open(ctx)
	if err != nil {
		return nil, err
	}
	if len(c.numbers) == maxCachedSteps {
		c.numbers, c.scenes = c.numbers[1:], c.scenes[1:]
	}
	c.numbers, c.scenes = append(c.numbers, i), append(c.scenes, s)
	return s, nil
}

// swap displays another moment of the same scene and keeps the camera and the other settings.
func (v *Viewport) swap(m *render.Model) {
	if v.model == m {
		return
	}
	if v.view.Camera != nil {
		v.unlockCamera()
	}
	v.freezeCamera() // a tight camera would jump from step to step
	v.model, v.hidden = m, hidden{}
	v.contentText = countText(m)
	v.outline(render.Piece{})
	v.view.Camera = nil
	if z := v.zUp; m.ZUp() != z {
		v.zUp = !z
		v.SetUp(z)
	}
	v.describe()
	v.redraw(false)
}

// setSteps prepares a series for playing.
func (p *playback) setSteps(m *render.Model) {
	p.steps = newSteps(p.viewport, m)
	p.row.Show()
	p.bar.Show()
	p.viewport.tools.row.setHasItems(p.viewport.tools.animation, true)
	p.stop()
	p.current, p.player, p.unplayable, p.keys = -1, nil, nil, nil
	for i := range p.steps.all {
		p.keys = append(p.keys, float32(i))
	}
	p.start, p.end, p.time = 0, float32(len(p.keys)-1), float32(m.Scene().Step)
	p.setSlider()
	p.slider.Step = 1
	p.showTime()
	p.steps.startFraming()
}

// toggleInterpolation switches interpolation between steps on or off.
func (p *playback) toggleInterpolation() {
	p.steps.blended = !p.steps.blended
	p.steps.position = -1
	if p.slider.Step = 1; p.steps.blended {
		p.slider.Step = .05
	}
	p.seek(p.time)
}

// stepOn advances a series by a number of steps. Each step is displayed equally long, including the first and the last.
func (p *playback) stepOn(passed float32) {
	s := p.steps
	s.playedSteps += passed
	steps := float32(math.Floor(float64(s.playedSteps)))
	if !(steps >= 1) {
		return
	}
	s.playedSteps -= steps
	t := float32(math.Round(float64(p.time))) + steps
	if t > p.end {
		if p.stopsAtEnd {
			p.stop()
			t = p.end
		} else {
			t = float32(math.Mod(float64(t), float64(p.end+1)))
		}
	}
	p.goTo(t)
}
