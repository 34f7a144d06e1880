// Package sound reads sound files: WAV (also RIFX, RF64 and BW64, and ADPCM), Ogg Vorbis, MP3 and FLAC. It reads their
// length, rate, channels and tags, and returns their samples.
package sound

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
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

// RIFF WAVE, as Microsoft's multimedia programming interface describes it: chunks; "fmt " describes the samples of
// "data". RIFX has the opposite byte order; RF64 (EBU Tech 3306) and BW64 have sizes of 64 bits in a chunk "ds64".
// Encodings: mmreg.h.

const (
	wavePCM        = 1
	waveFloat      = 3
	waveALaw       = 6
	waveMuLaw      = 7
	waveExtensible = 0xfffe

	// unknownSize is the size of data if the writer did not fill it in, and in RF64 a reference to "ds64".
	unknownSize = 0xffffffff
	chunkHead   = 8
)

var waveMagics = []string{"RIFF", "RIFX", "RF64", "BW64"}

func isWAV(h []byte) bool {
	return len(h) > 12 && slices.Contains(waveMagics, string(h[:4])) && string(h[8:12]) == "WAVE"
}

type wavSamples struct {
	r            *bufio.Reader
	remaining    int64 // samples
	order        binary.ByteOrder
	format       uint16
	bits         int
	align        int // bytes of a frame
	sampleBuffer []byte
}

type waveChunks struct {
	wavSamples
	data, bytes int64  // where the samples are
	data64      int64  // bytes of data in "ds64"
	frames      int64  // in "fact", which compressed samples have
	formatExtra []byte // of the format
}

func openWAV(r io.ReadSeeker, size int64, s *Sound) (stream, error) {
	w, err := readWAV(r, size, s)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Channels <= 0 || s.Rate <= 0:
		return nil, errors.New("the fmt chunk is missing")
	case w.data == 0:
		return nil, errors.New("there are no samples")
	}
	if w.format == formatMS || w.format == formatIMA {
		return openADPCM(w, r, s)
	}
	kind, ok := w.encoding()
	if !ok {
		return nil, fmt.Errorf("samples of the encoding %d with %d bits cannot be read", w.format, w.bits)
	}
	frameBytes := s.Channels * w.sampleBytes()
	if w.align = max(w.align, frameBytes); w.align != frameBytes {
		return nil, fmt.Errorf("frames of %d bytes for %d channels of %d bits are not possible", w.align, s.Channels,
			w.bits)
	}
	s.Format = fmt.Sprintf("WAV, %d %s", w.bits, kind)
	s.Frames = w.bytes / int64(w.align)
	w.remaining = s.Frames * int64(s.Channels)
	w.sampleBuffer = make([]byte, w.sampleBytes())
	if _, err := r.Seek(w.data, io.SeekStart); err != nil {
		return nil, err
	}
	w.r = bufio.NewReaderSize(r, 64<<10)
	return &w.wavSamples, nil
}

// sampleBytes returns the number of bytes of a sample: 12 and 20 bits are in the upper ones of whole bytes.
func (w *wavSamples) sampleBytes() int { return (w.bits + 7) / 8 }

// encoding names how samples are stored, and reports whether they can be read.
func (w *wavSamples) encoding() (kind string, ok bool) {
	switch w.format {
	case wavePCM:
		return "bits", w.bits > 0 && w.bits <= 32
	case waveFloat:
		return "bits, floats", w.bits == 32 || w.bits == 64
	case waveALaw:
		return "bits, A-law", w.bits == 8
	case waveMuLaw:
		return "bits, mu-law", w.bits == 8
	}
	return "", false
}

func readWAV(r io.ReadSeeker, size int64, s *Sound) (w *waveChunks, err error) {
	var head [12]byte
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	w = &waveChunks{wavSamples: wavSamples{order: binary.LittleEndian}}
	if string(head[:4]) == "RIFX" {
		w.order = binary.BigEndian
	}
	for offset := int64(len(head)); offset+chunkHead <= size; {
		if _, err := io.ReadFull(r, head[:chunkHead]); err != nil {
			break
		}
		id, n := string(head[:4]), int64(w.order.Uint32(head[4:]))
		offset += chunkHead
		if id == "data" && w.data == 0 {
			n = w.dataSize(n, size-offset)
			w.data, w.bytes = offset, min(n, size-offset)
		} else if err := w.chunk(r, id, min(n, size-offset), s); err != nil {
			return nil, err
		}
		if offset, err = nextChunk(r, offset, n, size); err != nil {
			break
		}
	}
	return w, nil
}

// dataSize returns the size of the samples: of a stream that was not finished, all that is left.
func (w *waveChunks) dataSize(declared, remaining int64) int64 {
	switch {
	case declared == unknownSize && w.data64 > 0:
		return w.data64
	case declared == unknownSize || declared == 0:
		return remaining
	}
	return declared
}

const (
	maxFormat = 1024 // bytes of the description of the samples
	maxTags   = 1 << 16
)

// chunk reads a chunk of n bytes that describes the samples.
func (w *waveChunks) chunk(r io.Reader, id string, n int64, s *Sound) error {
	switch {
	case id == "fmt " && n >= 16 && n <= maxFormat:
	case id == "ds64" && n >= 16 && n <= maxFormat:
	case id == "fact" && n >= 4 && n <= maxFormat:
	case id == "LIST" && n < maxTags && len(s.Tags) == 0:
	default:
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	switch id {
	case "LIST":
		s.Tags = infoTags(b, w.order)
	case "ds64":
		w.data64 = int64(min(w.order.Uint64(b[8:]), math.MaxInt64))
	case "fact":
		w.frames = int64(w.order.Uint32(b))
	default:
		w.format, w.formatExtra = w.order.Uint16(b), b[16:]
		s.Channels = int(w.order.Uint16(b[2:]))
		s.Rate = int(min(w.order.Uint32(b[4:]), 1<<30))
		w.align = int(w.order.Uint16(b[12:]))
		w.bits = int(w.order.Uint16(b[14:]))
		if w.format == waveExtensible && n >= 26 {
			w.format = w.order.Uint16(b[24:])
		}
	}
	return nil
}

// nextChunk seeks to the end of a chunk of n bytes and the byte that pads an odd one. Some writers leave that byte out:
// then the name of a chunk begins there.
func nextChunk(r io.ReadSeeker, offset, n, size int64) (int64, error) {
	if offset += n; offset < 0 || offset > size {
		return size, nil
	}
	if n%2 == 1 {
		var pad [1]byte
		if _, err := r.Seek(offset, io.SeekStart); err != nil {
			return offset, err
		}
		if _, err := io.ReadFull(r, pad[:]); err != nil {
			return offset, err
		}
		if pad[0] < ' ' || pad[0] > '~' {
			offset++
		}
	}
	_, err := r.Seek(offset, io.SeekStart)
	return offset, err
}

func (w *wavSamples) read(p []float32) (int, error) {
	for i := range p {
		if w.remaining == 0 {
			return i, io.EOF
		}
		if _, err := io.ReadFull(w.r, w.sampleBuffer); err != nil {
			return i, err
		}
		w.remaining--
		p[i] = w.sample(w.sampleBuffer)
	}
	return len(p), nil
}

func (w *wavSamples) sample(b []byte) float32 {
	switch {
	case w.format == waveFloat && w.bits == 32:
		return math.Float32frombits(w.order.Uint32(b))
	case w.format == waveFloat:
		return float32(math.Float64frombits(w.order.Uint64(b)))
	case w.format == waveALaw:
		return aLaw(b[0])
	case w.format == waveMuLaw:
		return muLaw(b[0])
	case len(b) == 1:
		return (float32(b[0]) - 128) / 128
	}
	v := uint32(0)
	for i, c := range b { // into the upper bytes
		if w.order == binary.BigEndian {
			i = len(b) - 1 - i
		}
		v |= uint32(c) << (8 * (4 - len(b) + i))
	}
	return float32(int32(v)) / (1 << 31)
}

// aLaw and muLaw expand samples to 13 and 14 bits, by ITU-T G.711.
func aLaw(b byte) float32 {
	b ^= 0x55
	exponent, v := b>>4&7, float32(b&15)*2+1
	if exponent > 0 {
		v = (v + 32) * float32(int(1)<<(exponent-1))
	}
	if b&0x80 == 0 {
		v = -v
	}
	return v / 4096
}

func muLaw(b byte) float32 {
	b = ^b
	v := (float32(b&15)*2+33)*float32(int(1)<<(b>>4&7)) - 33
	if b&0x80 != 0 {
		v = -v
	}
	return v / 8192
}

// infoNames are the names of the facts of a LIST of the kind INFO.
var infoNames = map[string]string{"INAM": "Title", "IART": "Artist", "IPRD": "Album", "ICRD": "Year", "IGNR": "Genre",
	"ICMT": "Comment", "ISFT": "Software"}

func infoTags(b []byte, order binary.ByteOrder) (tags []Tag) {
	if len(b) < 4 || string(b[:4]) != "INFO" {
		return nil
	}
	for b = b[4:]; len(b) >= 8; {
		n := int(min(order.Uint32(b[4:]), uint32(len(b)-8)))
		text := strings.TrimRight(strings.ToValidUTF8(string(b[8:8+n]), "\uFFFD"), "\x00 ")
		if name := infoNames[string(b[:4])]; name != "" && text != "" {
			tags = append(tags, Tag{name, text})
		}
		b = b[min(len(b), 8+n+n&1):]
	}
	return tags
}

// Wave is the shape of a sound: for each of some equal parts of its time the lowest and the highest sample of each
// channel.
type Wave struct {
	Low, High [][]float32 // by channel, then by part
	Parts     int         // that have been read
	Peak      float32
	Frames    int64 // that were read
}

// shapeInterval is the interval in which an incomplete Wave is published.
const shapeInterval = 100 * time.Millisecond

// initialFrames is the assumed length of a sound of unknown length: parts are joined when there are more.
const initialFrames = 1 << 16

// Shape reads all samples and calls each with the shape so far, from time to time and at the end. each may keep the
// shape.
func (s *Sound) Shape(ctx context.Context, parts int, each func(w Wave)) error {
	frames := s.Frames
	if frames <= 0 {
		frames = initialFrames
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
func (w *Wave) joinParts() {
	half := (w.Parts + 1) / 2
	for c := range w.Low {
		for i := range half {
			j := min(2*i+1, w.Parts-1)
			w.Low[c][i], w.High[c][i] = min(w.Low[c][2*i], w.Low[c][j]), max(w.High[c][2*i], w.High[c][j])
		}
	}
	w.Parts = half
}

func (w *Wave) copyRead() Wave {
	c := *w
	c.Low, c.High = make([][]float32, len(w.Low)), make([][]float32, len(w.High))
	for i := range w.Low {
		c.Low[i], c.High[i] = slices.Clone(w.Low[i][:w.Parts]), slices.Clone(w.High[i][:w.Parts])
	}
	return c
}
