package sound

import (
	"context"
	"math"
	"slices"
	"time"
)

// Waveform is the shape of a sound: for each of some equal parts of its time the lowest and the highest sample of each
// channel.
type Waveform struct {
	Low, High [][]float32 // by channel, then by part
	Parts     int         // that have been read
	Peak      float32
	Frames    int64 // that were read
}

// shapeInterval is the interval in which an incomplete Waveform is published.
const shapeInterval = 100 * time.Millisecond

// initialFrames is the assumed length of a sound of unknown length: parts are joined when there are more.
const initialFrames = 1 << 16

// Shape reads all samples and calls each with the shape so far, from time to time and at the end. each may keep the
// shape.
func (s *Sound) Shape(ctx context.Context, parts int, each func(w Waveform)) error {
	frames := s.Frames
	if frames <= 0 {
		frames = initialFrames
	}
	w := Waveform{Low: make([][]float32, s.Channels), High: make([][]float32, s.Channels)}
	for c := range s.Channels {
		w.Low[c], w.High[c] = make([]float32, parts), make([]float32, parts)
	}
	last := time.Now()
	err := s.Samples(ctx, 0, func(p []float32) bool {
		for i := 0; i+s.Channels <= len(p); i += s.Channels {
			if w.Frames >= frames {
				frames *= 2
				w.joinParts()
			}
			part := int(w.Frames * int64(parts) / frames)
			for c := range s.Channels {
				v := p[i+c]
				if !(math.Abs(float64(v)) < 1e6) { // NaN too
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
		if now := time.Now(); now.Sub(last) > shapeInterval {
			last = now
			each(w.copyRead())
		}
		return true
	})
	each(w.copyRead())
	return err
}

// joinParts makes one part of each two.
func (w *Waveform) joinParts() {
	half := (w.Parts + 1) / 2
	for c := range w.Low {
		for i := range half {
			j := min(2*i+1, w.Parts-1)
			w.Low[c][i], w.High[c][i] = min(w.Low[c][2*i], w.Low[c][j]), max(w.High[c][2*i], w.High[c][j])
		}
	}
	w.Parts = half
}

func (w *Waveform) copyRead() Waveform {
	c := *w
	c.Low, c.High = make([][]float32, len(w.Low)), make([][]float32, len(w.High))
	for i := range w.Low {
		c.Low[i], c.High[i] = slices.Clone(w.Low[i][:w.Parts]), slices.Clone(w.High[i][:w.Parts])
	}
	return c
}
