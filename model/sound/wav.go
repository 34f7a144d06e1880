package sound

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// RIFF WAVE, as Microsoft's multimedia programming interface describes it: chunks; "fmt " describes the samples of
// "data". RIFX has the opposite byte order; RF64 (EBU Tech 3306) and BW64 have sizes of 64 bits in a chunk "ds64".
// Encodings: mmreg.h.

const (
	wavPCM        = 1
	wavFloat      = 3
	wavALaw       = 6
	wavMuLaw      = 7
	wavExtensible = 0xfffe

	// unknownSize is the size of data if the writer did not fill it in, and in RF64 a reference to "ds64".
	unknownSize = 0xffffffff
	chunkHead   = 8
)

var wavMagics = []string{"RIFF", "RIFX", "RF64", "BW64"}

func isWAV(h []byte) bool {
	return len(h) > 12 && slices.Contains(wavMagics, string(h[:4])) && string(h[8:12]) == "WAVE"
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

type wavChunks struct {
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
	case wavPCM:
		return "bits", w.bits > 0 && w.bits <= 32
	case wavFloat:
		return "bits, floats", w.bits == 32 || w.bits == 64
	case wavALaw:
		return "bits, A-law", w.bits == 8
	case wavMuLaw:
		return "bits, mu-law", w.bits == 8
	}
	return "", false
}

func readWAV(r io.ReadSeeker, size int64, s *Sound) (w *wavChunks, err error) {
	var head [12]byte
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	w = &wavChunks{wavSamples: wavSamples{order: binary.LittleEndian}}
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
func (w *wavChunks) dataSize(declared, remaining int64) int64 {
	switch {
	case declared == unknownSize && w.data64 > 0:
		return w.data64
	case declared == unknownSize || declared == 0:
		return remaining
	}
	return declared
}

const (
	maxFormatBytes = 1024 // bytes of the description of the samples
	maxTagBytes    = 1 << 16
)

// chunk reads a chunk of n bytes that describes the samples.
func (w *wavChunks) chunk(r io.Reader, id string, n int64, s *Sound) error {
	switch {
	case id == "fmt " && n >= 16 && n <= maxFormatBytes:
	case id == "ds64" && n >= 16 && n <= maxFormatBytes:
	case id == "fact" && n >= 4 && n <= maxFormatBytes:
	case id == "LIST" && n < maxTagBytes && len(s.Tags) == 0:
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
		if w.format == wavExtensible && n >= 26 {
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
	case w.format == wavFloat && w.bits == 32:
		return math.Float32frombits(w.order.Uint32(b))
	case w.format == wavFloat:
		return float32(math.Float64frombits(w.order.Uint64(b)))
	case w.format == wavALaw:
		return aLaw(b[0])
	case w.format == wavMuLaw:
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
