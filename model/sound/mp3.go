package sound

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/hajimehoshi/go-mp3"
)

// isMP3 recognizes the tag that most files begin with, or two frames of MPEG audio layer III.
func isMP3(h []byte) bool {
	if bytes.HasPrefix(h, []byte("ID3")) {
		return len(h) >= 10 && h[3] <= 4 && h[6]|h[7]|h[8]|h[9] < 0x80
	}
	size := frameSize(h)
	return size > 0 && size < len(h) && frameSize(h[size:]) > 0
}

// frameSize returns the size of a frame by its first bytes, or 0 if they do not begin a frame.
func frameSize(h []byte) int {
	if len(h) < 4 || h[0] != 0xff || h[1]&0xe6 != 0xe2 || h[1]>>3&3 == 1 || h[2]>>4 == 15 || h[2]>>4 == 0 ||
		h[2]>>2&3 == 3 {
		return 0
	}
	rate, slotSize, bitRates := []int{44100, 48000, 32000}[h[2]>>2&3], 144, bitRates1
	if version := h[1] >> 3 & 3; version != 3 { // of lower rates
		slotSize, bitRates = 72, bitRates2
		if rate /= 2; version == 0 {
			rate /= 2
		}
	}
	return slotSize*bitRates[h[2]>>4]*1000/rate + int(h[2]>>1&1)
}

// The bit rates of layer III in MPEG 1 and later, in kbit/s.
var (
	bitRates1 = []int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	bitRates2 = []int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
)

// mp3Samples is the samples of an MP3, which are always of two channels.
type mp3Samples struct {
	d         *mp3.Decoder
	buf       []byte
	remaining int64 // bytes; negative: all
}

func openMP3(r io.ReadSeeker, _ int64, s *Sound) (stream, error) {
	d, err := mp3.NewDecoder(r)
	if err != nil {
		return nil, err
	}
	s.Rate, s.Channels = d.SampleRate(), 2
	m := &mp3Samples{d: d, remaining: -1}
	if n := d.Length(); n >= 0 {
		s.Frames = n / mp3FrameBytes
		if delay, padding, ok := encoderDelay(r); ok && s.Frames > delay+padding {
			s.Frames -= delay + padding
			m.remaining = s.Frames * mp3FrameBytes
			if _, err := io.CopyN(io.Discard, d, delay*mp3FrameBytes); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

const (
	mp3FrameBytes = 4       // bytes of two decoded samples
	decoderDelay  = 528 + 1 // samples that every decoder adds
)

// encoderDelay returns the numbers of samples that an encoder added before and after the sound, from a frame without
// sound that records it. Other encoders write the same tag as LAME.
func encoderDelay(r io.ReadSeeker) (before, after int64, ok bool) {
	offset, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, 0, false
	}
	defer func() {
		if _, err := r.Seek(offset, io.SeekStart); err != nil {
			ok = false
		}
	}()
	start := tagSize(r)
	if _, err := r.Seek(start, io.SeekStart); err != nil {
		return 0, 0, false
	}
	b := make([]byte, 512) // the tag is within its first frame
	n, _ := io.ReadFull(r, b)
	if b = b[:n]; frameSize(b) == 0 {
		return 0, 0, false
	}
	sideBytes, samples := int64(32), int64(1152) // MPEG 1, stereo
	mono := b[3]>>6 == 3
	switch isVersion2 := b[1]>>3&3 != 3; {
	case isVersion2 && mono:
		sideBytes, samples = 9, 576
	case isVersion2:
		sideBytes, samples = 17, 576
	case mono:
		sideBytes = 17
	}
	tag := b[min(int64(len(b)), 4+sideBytes):]
	if len(tag) < lameDelayOffset+3 || !bytes.HasPrefix(tag, []byte("Xing")) && !bytes.HasPrefix(tag, []byte("Info")) {
		return 0, 0, false
	}
	d := tag[lameDelayOffset:]
	before, after = int64(d[0])<<4|int64(d[1])>>4, int64(d[1]&15)<<8|int64(d[2])
	if before == 0 && after == 0 { // only the number of frames is recorded
		return samples, 0, true
	}
	return samples + before + decoderDelay, max(0, after-decoderDelay), true
}

// lameDelayOffset is where the tag has 12 bits for each end.
const lameDelayOffset = 141

// tagSize returns the size of the ID3 tag that a file begins with.
func tagSize(r io.ReadSeeker) int64 {
	var h [10]byte
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 0
	}
	if _, err := io.ReadFull(r, h[:]); err != nil || string(h[:3]) != "ID3" {
		return 0
	}
	size := int64(len(h))
	for i, b := range h[6:] {
		size += int64(b&0x7f) << (7 * (3 - i))
	}
	return size
}

func (m *mp3Samples) read(p []float32) (int, error) {
	if len(m.buf) < 2*len(p) {
		m.buf = make([]byte, 2*len(p))
	}
	buffer := m.buf[:2*len(p)]
	if m.remaining >= 0 {
		buffer = buffer[:min(int64(len(buffer)), m.remaining)]
	}
	if len(buffer) == 0 {
		return 0, io.EOF
	}
	n, err := io.ReadFull(m.d, buffer)
	if m.remaining >= 0 {
		m.remaining -= int64(n)
	}
	for i := range n / 2 {
		p[i] = float32(int16(binary.LittleEndian.Uint16(m.buf[2*i:]))) / (1 << 15)
	}
	return n / 2, err
}
