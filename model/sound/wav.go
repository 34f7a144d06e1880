package sound

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// RIFF WAVE, as Microsoft's multimedia programming interface describes it: chunks, of which "fmt " says how the samples
// of "data" are stored. Pages of it: mmreg.h.

const (
	wavePCM        = 1
	waveFloat      = 3
	waveExtensible = 0xfffe
)

// wave is the samples of a WAV.
type wave struct {
	r      *bufio.Reader
	left   int64 // samples
	format uint16
	bits   int
	frame  []byte
}

func openWAV(r io.ReadSeeker, size int64, s *Sound) (stream, error) {
	var head [8]byte
	if _, err := r.Seek(12, io.SeekStart); err != nil {
		return nil, err
	}
	w := &wave{}
	var data, bytes int64
	align := 0
	for at := int64(12); at+8 <= size; {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			break
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		at += 8
		switch id := string(head[:4]); {
		case id == "fmt " && n >= 16 && n <= 1024:
			b := make([]byte, n)
			if _, err := io.ReadFull(r, b); err != nil {
				return nil, err
			}
			w.format = binary.LittleEndian.Uint16(b)
			s.Channels = int(binary.LittleEndian.Uint16(b[2:]))
			s.Rate = int(min(binary.LittleEndian.Uint32(b[4:]), 1<<30))
			align = int(binary.LittleEndian.Uint16(b[12:]))
			w.bits = int(binary.LittleEndian.Uint16(b[14:]))
			if w.format == waveExtensible && n >= 26 {
				w.format = binary.LittleEndian.Uint16(b[24:])
			}
		case id == "data" && data == 0:
			data, bytes = at, min(n, size-at)
		case id == "LIST" && n < 1<<16 && len(s.Tags) == 0:
			b := make([]byte, min(n, size-at))
			if _, err := io.ReadFull(r, b); err == nil {
				s.Tags = infoTags(b)
			}
		}
		at += n + n&1
		if _, err := r.Seek(at, io.SeekStart); err != nil {
			break
		}
	}
	switch {
	case s.Channels <= 0 || s.Rate <= 0:
		return nil, errors.New("nothing says how the samples are stored")
	case data == 0:
		return nil, errors.New("there are no samples")
	case w.format == wavePCM && (w.bits == 8 || w.bits == 16 || w.bits == 24 || w.bits == 32),
		w.format == waveFloat && (w.bits == 32 || w.bits == 64):
	default:
		return nil, fmt.Errorf("samples of the encoding %d with %d bits cannot be read", w.format, w.bits)
	}
	if each := s.Channels * w.bits / 8; align < each {
		align = each
	}
	if align != s.Channels*w.bits/8 {
		return nil, fmt.Errorf("frames of %d bytes for %d channels of %d bits are not possible", align, s.Channels,
			w.bits)
	}
	kind := "bits"
	if w.format == waveFloat {
		kind = "bits, floats"
	}
	s.Format = fmt.Sprintf("WAV, %d %s", w.bits, kind)
	s.Frames = bytes / int64(align)
	w.left = s.Frames * int64(s.Channels)
	w.frame = make([]byte, w.bits/8)
	if _, err := r.Seek(data, io.SeekStart); err != nil {
		return nil, err
	}
	w.r = bufio.NewReaderSize(r, 64<<10)
	return w, nil
}

func (w *wave) read(p []float32) (int, error) {
	for i := range p {
		if w.left == 0 {
			return i, io.EOF
		}
		b := w.frame
		if _, err := io.ReadFull(w.r, b); err != nil {
			return i, err
		}
		w.left--
		switch {
		case w.format == waveFloat && w.bits == 32:
			p[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case w.format == waveFloat:
			p[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case w.bits == 8:
			p[i] = (float32(b[0]) - 128) / 128
		case w.bits == 16:
			p[i] = float32(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
		case w.bits == 24:
			p[i] = float32(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)>>8) / (1 << 23)
		default:
			p[i] = float32(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
		}
	}
	return len(p), nil
}

// infoNames are the names of the facts of a LIST of the kind INFO.
var infoNames = map[string]string{"INAM": "Title", "IART": "Artist", "IPRD": "Album", "ICRD": "Year", "IGNR": "Genre",
	"ICMT": "Comment", "ISFT": "Software"}

func infoTags(b []byte) (tags []Tag) {
	if len(b) < 4 || string(b[:4]) != "INFO" {
		return nil
	}
	for b = b[4:]; len(b) >= 8; {
		n := int(min(binary.LittleEndian.Uint32(b[4:]), uint32(len(b)-8)))
		text := strings.TrimRight(strings.ToValidUTF8(string(b[8:8+n]), "\uFFFD"), "\x00 ")
		if name := infoNames[string(b[:4])]; name != "" && text != "" {
			tags = append(tags, Tag{name, text})
		}
		b = b[min(len(b), 8+n+n&1):]
	}
	return tags
}
