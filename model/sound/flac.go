package sound

import (
	"fmt"
	"io"

	"github.com/mewkiz/flac"
)

// lossless is the samples of a FLAC.
type lossless struct {
	f    *flac.Stream
	full float32
	left []float32 // of a frame that is not read to its end
}

func openFLAC(r io.ReadSeeker, _ int64, s *Sound) (stream, error) {
	f, err := flac.New(r)
	if err != nil {
		return nil, err
	}
	s.Rate, s.Channels = int(f.Info.SampleRate), int(f.Info.NChannels)
	s.Format = fmt.Sprintf("FLAC, %d bits", f.Info.BitsPerSample)
	if f.Info.NSamples > 0 && f.Info.NSamples < 1<<50 {
		s.Frames = int64(f.Info.NSamples)
	}
	return &lossless{f: f, full: float32(int64(1) << max(0, int(f.Info.BitsPerSample)-1))}, nil
}

func (l *lossless) read(p []float32) (n int, err error) {
	for n < len(p) {
		if len(l.left) == 0 {
			f, err := l.f.ParseNext()
			if err != nil {
				return n, err
			}
			if len(f.Subframes) != int(l.f.Info.NChannels) {
				return n, fmt.Errorf("a frame has %d channels", len(f.Subframes))
			}
			for i := range f.Subframes[0].Samples {
				for _, c := range f.Subframes {
					if i >= len(c.Samples) {
						return n, io.ErrUnexpectedEOF
					}
					l.left = append(l.left, float32(c.Samples[i])/l.full)
				}
			}
		}
		k := copy(p[n:], l.left)
		n, l.left = n+k, l.left[k:]
	}
	return n, nil
}
