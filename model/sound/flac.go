package sound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

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

// bitsMost is how many bits a sample has at the most that the library decodes.
const bitsMost = 24

func (l *lossless) read(p []float32) (n int, err error) {
	if bits := l.f.Info.BitsPerSample; bits > bitsMost {
		return 0, fmt.Errorf("samples of %d bits are not supported, only those of up to %d", bits, bitsMost)
	}
	for n < len(p) {
		if len(l.left) == 0 {
			f, err := l.f.ParseNext()
			if err != nil {
				return n, plain(err)
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

// plain is an error of the library without the names of its functions: "frame.Frame.Parse: ".
func plain(err error) error {
	function, what, ok := strings.Cut(err.Error(), ": ")
	if !ok || strings.Contains(function, " ") || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) {
		return err
	}
	return errors.New(what)
}
