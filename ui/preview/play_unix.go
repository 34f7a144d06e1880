//go:build !windows && !darwin

package preview

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// players are the programs that take samples; the first existing one is used. A library for this would need the
// development files of ALSA on every machine that builds Assay.
var players = []struct {
	name    string
	options func(rate, channels string) []string
}{
	{"pw-cat", func(rate, channels string) []string {
		return []string{"--playback", "--raw", "--format=s16", "--rate=" + rate, "--channels=" + channels, "-"}
	}},
	{"paplay", func(rate, channels string) []string {
		return []string{"--raw", "--format=s16le", "--rate=" + rate, "--channels=" + channels}
	}},
	{"aplay", func(rate, channels string) []string {
		return []string{"-q", "-t", "raw", "-f", "S16_LE", "-r", rate, "-c", channels}
	}},
}

// ErrNoDevice means that sounds cannot be played; its text names the requirements.
var ErrNoDevice = errors.New("no sound device found, or pw-cat, paplay, and aplay are missing")

// player returns the program that plays, or an error if there is no program, or neither a sound server nor a device.
func player() (path string, options func(rate, channels string) []string, err error) {
	devices, _ := filepath.Glob("/dev/snd/pcm*p")
	run := os.Getenv("XDG_RUNTIME_DIR")
	for _, p := range players {
		path, err := exec.LookPath(p.name)
		if err != nil {
			continue
		}
		served := os.Getenv("PULSE_SERVER") != "" && p.name == "paplay"
		for _, socket := range map[string][]string{"pw-cat": {"pipewire-0"}, "paplay": {"pulse/native"}}[p.name] {
			if _, err := os.Stat(filepath.Join(run, socket)); err == nil && run != "" {
				served = true
			}
		}
		if served || p.name == "aplay" && len(devices) > 0 {
			return path, p.options, nil
		}
	}
	return "", nil, ErrNoDevice
}

// soundReady returns nil if there is a device, else the reason why sounds cannot be played.
func soundReady() error {
	_, _, err := player()
	return err
}

// playSound plays samples until they end or the context does.
func playSound(ctx context.Context, rate, channels int, samples Samples) error {
	path, options, err := player()
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, path, options(strconv.Itoa(rate), strconv.Itoa(channels))...)
	stdin, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	failed := writePCM(ctx, samples, stdin)
	stdin.Close()
	err = c.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case errors.Is(failed, io.ErrClosedPipe):
		return nil
	}
	return failed
}
