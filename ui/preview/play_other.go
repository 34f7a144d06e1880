//go:build windows || darwin

package preview

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/ebitengine/oto/v3"
)

// device is the sound device, which a program opens once, at the rate of the first sound that is played.
var device struct {
	once    sync.Once
	context *oto.Context
	rate    int
	err     error
}

const deviceChannels = 2

// soundReady returns nil if there may be a device: the first sound opens it.
func soundReady() error { return device.err }

// playSound plays samples until they end or the context does.
func playSound(ctx context.Context, rate, channels int, samples Samples) error {
	device.once.Do(func() {
		var ready chan struct{}
		device.rate = rate
		device.context, ready, device.err = oto.NewContext(&oto.NewContextOptions{SampleRate: rate,
			ChannelCount: deviceChannels,
			Format:       oto.FormatSignedInt16LE})
		if device.err == nil {
			<-ready
		}
	})
	if device.err != nil {
		return device.err
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(writePCM(ctx, fitting(samples, rate, channels), w)) }()
	p := device.context.NewPlayer(r)
	defer p.Close()
	defer r.CloseWithError(context.Canceled)
	p.Play()
	for p.IsPlaying() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err := p.Err(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// fitting converts samples to the rate and the number of channels of the device, by repeating or omitting frames.
func fitting(samples Samples, rate, channels int) Samples {
	return func(ctx context.Context, each func(p []float32) bool) error {
		step := float64(rate) / float64(device.rate)
		at, read := 0.0, 0
		var out []float32
		return samples(ctx, func(p []float32) bool {
			out = out[:0]
			for i := 0; i+channels <= len(p); i += channels {
				for ; at < float64(read+1); at += step {
					out = append(out, p[i], p[i+min(1, channels-1)])
				}
				read++
			}
			return each(out)
		})
	}
}
