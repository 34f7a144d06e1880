// Package sound reads sound files: WAV (also RIFX, RF64 and BW64, and ADPCM), Ogg Vorbis, MP3 and FLAC. It reads their
// length, rate, channels and tags, and returns their samples.
package sound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dhowden/tag"

	"assay/model"
)

// Sound is the view of a sound.
type Sound struct {
	Format   string // "WAV, 16 bits"
	Rate     int    // frames a second
	Channels int
	Frames   int64 // samples of each channel; -1 if unknown until all are read
	Tags     []Tag

	src  *model.Source
	kind *kind
}

// Tag is a tag of a sound file: "Artist".
type Tag struct{ Name, Value string }

// ViewKind implements model.View.
func (*Sound) ViewKind() model.ViewKind { return model.SoundView }

// Length returns the duration of the sound; negative if unknown.
func (s *Sound) Length() time.Duration {
	if s.Frames < 0 || s.Rate <= 0 {
		return -1
	}
	return time.Duration(float64(s.Frames) / float64(s.Rate) * float64(time.Second))
}

// stream is the samples of a sound, from -1 to 1. The samples of a frame are adjacent.
type stream interface {
	// read fills p with whole frames, as many as are available; at the end it returns io.EOF.
	read(p []float32) (int, error)
}

// kind is a format of sounds.
type kind struct {
	name    string
	matches func(head []byte) bool
	open    func(r io.ReadSeeker, size int64, s *Sound) (stream, error)
}

var kinds = []kind{
	{"WAV", isWAV, openWAV},
	{"Ogg Vorbis", func(h []byte) bool {
		return bytes.HasPrefix(h, []byte("OggS")) && bytes.Contains(h[:min(len(h), 64)], []byte("\x01vorbis"))
	}, openOgg},
	{"FLAC", func(h []byte) bool { return bytes.HasPrefix(h, []byte("fLaC")) }, openFLAC},
	{"MP3", isMP3, openMP3},
}

// Recognize returns the name of the format of a sound file by its first bytes, or "".
func Recognize(head []byte) string {
	if k := recognize(head); k != nil {
		return k.name
	}
	return ""
}

func recognize(head []byte) *kind {
	for i := range kinds {
		if kinds[i].matches(head) {
			return &kinds[i]
		}
	}
	return nil
}

const headSize = 4096

// Limits of a sound; a larger one counts as damaged.
const (
	maxChannels = 64
	maxRate     = 1 << 20
)

// Open reads the header and the tags of a sound file.
func Open(ctx context.Context, src *model.Source) (s *Sound, err error) {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	k := recognize(head[:n])
	if k == nil {
		return nil, fmt.Errorf("%s has no supported sound format", src.Name())
	}
	s = &Sound{Format: k.name, Frames: -1, src: src, kind: k}
	if _, err = s.openStream(ctx, s); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	s.readTags()
	return s, ctx.Err()
}

// openStream opens the stream of samples and sets the properties of into. A panic of a third-party decoder becomes an
// error.
func (s *Sound) openStream(ctx context.Context, into *Sound) (st stream, err error) {
	defer model.Recover(&err, "the sound cannot be decoded")
	all := io.NewSectionReader(s.src, 0, s.src.Size())
	r := struct {
		io.Reader
		io.Seeker
	}{model.ContextReader(ctx, all), all}
	if st, err = s.kind.open(r, s.src.Size(), into); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && (into.Channels <= 0 || into.Channels > maxChannels || into.Rate <= 0 || into.Rate > maxRate) {
		return nil, fmt.Errorf("%d channels at %d Hz are not possible", into.Channels, into.Rate)
	}
	return st, err
}

// Samples calls each with the samples from a frame on, the samples of a frame side by side, until it returns false or
// the sound ends. The samples are valid until each returns.
func (s *Sound) Samples(ctx context.Context, from int64, each func(p []float32) bool) (err error) {
	defer model.Recover(&err, "the sound cannot be decoded")
	copied := *s
	st, err := s.openStream(ctx, &copied)
	if err != nil {
		return err
	}
	buf := make([]float32, 8192/s.Channels*s.Channels)
	skip := from * int64(s.Channels)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := st.read(buf)
		p := buf[:n]
		if skip > 0 {
			k := min(skip, int64(n))
			p, skip = p[k:], skip-k
		}
		if len(p) > 0 && !each(p) {
			return nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readTags reads the tags that the format's own reader did not.
func (s *Sound) readTags() {
	defer func() { _ = recover() }() // a broken tag is no tag
	if s.kind.name == "WAV" {
		return
	}
	m, err := tag.ReadFrom(io.NewSectionReader(s.src, 0, s.src.Size()))
	if err != nil {
		return
	}
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			s.Tags = append(s.Tags, Tag{name, model.OneLine(value, 300)})
		}
	}
	number := func(name string, i, n int) {
		switch {
		case i > 0 && n > 0:
			add(name, fmt.Sprintf("%d of %d", i, n))
		case i > 0:
			add(name, fmt.Sprint(i))
		}
	}
	add("Title", m.Title())
	add("Artist", m.Artist())
	add("Album", m.Album())
	add("Composer", m.Composer())
	if m.Year() > 0 {
		add("Year", fmt.Sprint(m.Year()))
	}
	add("Genre", m.Genre())
	track, tracks := m.Track()
	number("Track", track, tracks)
	add("Comment", m.Comment())
}

// Waveform has the lowest and the highest sample of each channel, for each of some equal parts of the time of a sound.
type Waveform struct {
	Low, High [][]float32 // by channel, then by part
	Parts     int         // that have been read
	Peak      float32
	Frames    int64 // that were read
}

// waveformInterval is the interval in which an incomplete Waveform is published.
const waveformInterval = 100 * time.Millisecond

// initialFrames is the assumed length of a sound of unknown length: parts are joined when there are more.
const initialFrames = 1 << 16

// ReadWaveform reads all samples and calls each with the waveform so far, from time to time and at the end. each may
// keep it.
func (s *Sound) ReadWaveform(ctx context.Context, parts int, each func(w Waveform)) error {
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
		if now := time.Now(); now.Sub(last) > waveformInterval {
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
