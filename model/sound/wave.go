package sound

import (
	"context"
	"math"
	"slices"
	"time"
)

// Wave is the shape of a sound: for each of some equal parts of its time the lowest and the highest sample of each
// channel.
type Wave struct {
	Low, High [][]float32 // by channel, then by part
	Parts     int         // that are known
	Peak      float32
	Frames    int64 // that were read
}

// shapeEvery is how often a Wave is shown while it is made.
const shapeEvery = 100 * time.Millisecond

// guessedFrames is taken for the length of a sound that does not say it: parts are joined when there are more.
const guessedFrames = 1 << 16

// Shape reads all samples and calls each with the shape as far as it is known, now and then and at the end. The shape
// is each's own.
func (s *Sound) Shape(ctx context.Context, parts int, each func(w Wave)) error {
	frames := s.Frames
	if frames <= 0 {
		frames = guessedFrames
	}
	w := Wave{Low: make([][]float32, s.Channels), High: make([][]float32, s.Channels)}
	for c := range s.Channels {
		w.Low[c], w.High[c] = make([]float32, parts), make([]float32, parts)
	}
	last := time.Now()
	err := s.Samples(ctx, 0, func(p []float32) bool {
		for i := 0; i+s.Channels <= len(p); i += s.Channels {
			if w.Frames >= frames {
				frames *= 2
				w.join()
			}
			part := int(w.Frames * int64(parts) / frames)
			for c := range s.Channels {
				v := p[i+c]
				if !(math.Abs(float64(v)) < 1e6) { // no number
					v = 0
				}
				if part >= w.Parts {
					w.Low[c][part], w.High[c][part] = v, v
				}
				w.Low[c][part], w.High[c][part] = min(w.Low[c][part], v), max(w.High[c][part], v)
				w.Peak = max(w.Peak, v, -v)
			}
			w.Parts = max(w.Parts, part+1)
			w.Frames++
		}
		if now := time.Now(); now.Sub(last) > shapeEvery {
			last = now
			each(w.clone())
		}
		return true
	})
	each(w.clone())
	return err
}

// join makes one part of each two.
func (w *Wave) join() {
	half := (w.Parts + 1) / 2
	for c := range w.Low {
		for i := range half {
			j := min(2*i+1, w.Parts-1)
			w.Low[c][i], w.High[c][i] = min(w.Low[c][2*i], w.Low[c][j]), max(w.High[c][2*i], w.High[c][j])
		}
	}
	w.Parts = half
}

func (w *Wave) clone() Wave {
	c := *w
	c.Low, c.High = make([][]float32, len(w.Low)), make([][]float32, len(w.High))
	for i := range w.Low {
		c.Low[i], c.High[i] = slices.Clone(w.Low[i][:w.Parts]), slices.Clone(w.High[i][:w.Parts])
	}
	return c
}
