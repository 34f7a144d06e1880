package sound

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/hajimehoshi/go-mp3"
)

// isMP3 recognises the tag that most files begin with, or two frames of MPEG audio layer III.
func isMP3(h []byte) bool {
	if bytes.HasPrefix(h, []byte("ID3")) {
		return true
	}
	return len(h) > 4 && h[0] == 0xff && h[1]&0xe6 == 0xe2 && h[2]>>4 != 15 && h[2]>>4 != 0 && h[2]>>2&3 != 3
}

// mpeg is the samples of an MP3, which are always of two channels.
type mpeg struct {
	d   *mp3.Decoder
	buf []byte
}

func openMP3(r io.ReadSeeker, _ int64, s *Sound) (stream, error) {
	d, err := mp3.NewDecoder(r)
	if err != nil {
		return nil, err
	}
	s.Rate, s.Channels = d.SampleRate(), 2
	if n := d.Length(); n >= 0 {
		s.Frames = n / 4
	}
	return &mpeg{d: d}, nil
}

func (m *mpeg) read(p []float32) (int, error) {
	if len(m.buf) < 2*len(p) {
		m.buf = make([]byte, 2*len(p))
	}
	n, err := io.ReadFull(m.d, m.buf[:2*len(p)])
	for i := range n / 2 {
		p[i] = float32(int16(binary.LittleEndian.Uint16(m.buf[2*i:]))) / (1 << 15)
	}
	return n / 2, err
}
