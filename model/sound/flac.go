package sound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mewkiz/flac"
)

type flacSamples struct {
	f        *flac.Stream
	maxValue float32
	unread   []float32 // of a frame that is not read to its end
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
	return &flacSamples{f: f, maxValue: float32(int64(1) << max(0, int(f.Info.BitsPerSample)-1))}, nil
}

// maxFLACBits is the maximum number of bits of a sample that the library decodes.
const maxFLACBits = 24

func (s *flacSamples) read(p []float32) (n int, err error) {
	if bits := s.f.Info.BitsPerSample; bits > maxFLACBits {
		return 0, fmt.Errorf("samples of %d bits are not supported, only those of up to %d", bits, maxFLACBits)
	}
	for n < len(p) {
		if len(s.unread) == 0 {
			f, err := s.f.ParseNext()
			if err != nil {
				return n, withoutFunction(err)
			}
			if len(f.Subframes) != int(s.f.Info.NChannels) {
				return n, fmt.Errorf("a frame has %d channels", len(f.Subframes))
			}
			for i := range f.Subframes[0].Samples {
				for _, c := range f.Subframes {
					if i >= len(c.Samples) {
						return n, io.ErrUnexpectedEOF
					}
					s.unread = append(s.unread, float32(c.Samples[i])/s.maxValue)
				}
			}
		}
		k := copy(p[n:], s.unread)
		n, s.unread = n+k, s.unread[k:]
	}
	return n, nil
}

// withoutFunction returns an error of the library without the name of the function: "frame.Frame.Parse: ".
func withoutFunction(err error) error {
	function, problem, ok := strings.Cut(err.Error(), ": ")
	if !ok || strings.Contains(function, " ") || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) {
		return err
	}
	return errors.New(problem)
}
