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
	wavMS         = 2
	wavFloat      = 3
	wavALaw       = 6
	wavMuLaw      = 7
	wavIMA        = 0x11
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
	dataOffset, dataBytes int64  // of the samples
	data64                int64  // bytes of data in "ds64"
	frames                int64  // in "fact", which compressed samples have
	formatExtra           []byte // of the format
}

func openWAV(r io.ReadSeeker, size int64, s *Sound) (stream, error) {
	w, err := readWAV(r, size, s)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Channels <= 0 || s.Rate <= 0:
		return nil, errors.New("the fmt chunk is missing")
	case w.dataOffset == 0:
		return nil, errors.New("there are no samples")
	}
	if w.format == wavMS || w.format == wavIMA {
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
	s.Frames = w.dataBytes / int64(w.align)
	w.remaining = s.Frames * int64(s.Channels)
	w.sampleBuffer = make([]byte, w.sampleBytes())
	if _, err := r.Seek(w.dataOffset, io.SeekStart); err != nil {
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
		if id == "data" && w.dataOffset == 0 {
			n = w.dataSize(n, size-offset)
			w.dataOffset, w.dataBytes = offset, min(n, size-offset)
		} else if err := w.readChunk(r, id, min(n, size-offset), s); err != nil {
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

// readChunk reads a chunk of n bytes if it describes the samples or has tags. Others it leaves unread.
func (w *wavChunks) readChunk(r io.Reader, id string, n int64, s *Sound) error {
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

// ADPCM of WAV, as Microsoft's "New Multimedia Data Types and Data Techniques" (1994) describes it: blocks that begin
// with a state for each channel, and have 4 bits for each further sample.

type adpcm struct {
	r            io.Reader
	order        binary.ByteOrder
	channels     int
	block        []byte
	decoded      []float32 // memory for the samples of the block
	unread       []float32 // the part of decoded that has not been read
	remaining    int64     // samples
	coefficients [][2]int  // of MS; nil for IMA
}

// openADPCM returns a stream of the samples of a WAV. The end of its format, formatExtra, has the coefficients of MS.
func openADPCM(w *wavChunks, r io.ReadSeeker, s *Sound) (stream, error) {
	a := &adpcm{r: r, order: w.order, channels: s.Channels, block: make([]byte, w.align)}
	head, name := 4*s.Channels, "IMA"
	if w.format == wavMS {
		head, name = 7*s.Channels, "MS"
		a.coefficients = coefficientsOf(w.formatExtra, w.order)
	}
	if w.bits != 4 || w.align < head || s.Channels > maxChannels {
		return nil, fmt.Errorf("blocks of %d bytes for %d channels of %d bits are not possible", w.align, s.Channels,
			w.bits)
	}
	s.Format = fmt.Sprintf("WAV, 4 bits, %s ADPCM", name)
	s.Frames = w.dataBytes/int64(w.align)*a.framesOf(w.align) + a.framesOf(int(w.dataBytes%int64(w.align)))
	if w.frames > 0 {
		s.Frames = min(s.Frames, w.frames)
	}
	a.remaining = s.Frames * int64(s.Channels)
	a.decoded = make([]float32, a.framesOf(w.align)*int64(s.Channels))
	_, err := r.Seek(w.dataOffset, io.SeekStart)
	return a, err
}

// coefficientsOf returns the coefficients that a format lists after the size of its end and the frames of a block, or
// the usual ones.
func coefficientsOf(b []byte, order binary.ByteOrder) [][2]int {
	const headSize = 6
	if len(b) < headSize {
		return [][2]int{{256, 0}, {512, -256}, {0, 0}, {192, 64}, {240, 0}, {460, -208}, {392, -232}}
	}
	pairs := make([][2]int, min(int(order.Uint16(b[4:])), (len(b)-headSize)/4))
	for i := range pairs {
		for k := range 2 {
			pairs[i][k] = int(int16(order.Uint16(b[headSize+4*i+2*k:])))
		}
	}
	return pairs
}

// framesOf returns the number of frames in a block of some bytes, which may be cut off.
func (a *adpcm) framesOf(size int) int64 {
	if a.coefficients == nil {
		if size -= 4 * a.channels; size < 0 {
			return 0
		}
		return 1 + 8*int64(size/(4*a.channels))
	}
	if size -= 7 * a.channels; size < 0 {
		return 0
	}
	return 2 + 2*int64(size)/int64(a.channels)
}

func (a *adpcm) read(p []float32) (n int, err error) {
	for n < len(p) && a.remaining > 0 {
		if len(a.unread) == 0 {
			size, err := io.ReadFull(a.r, a.block)
			a.unread = a.decoded[:a.framesOf(size)*int64(a.channels)]
			if len(a.unread) == 0 {
				return n, err
			}
			if a.coefficients == nil {
				a.decodeIMA()
			} else if err := a.decodeMS(); err != nil {
				return n, err
			}
		}
		k := copy(p[n:], a.unread[:min(int64(len(a.unread)), a.remaining)])
		n, a.unread, a.remaining = n+k, a.unread[k:], a.remaining-int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// imaSteps are the sizes of a step of IMA.
var imaSteps = [...]int{7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73,
	80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724,
	796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871,
	5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623,
	27086, 29794, 32767}

// decodeIMA decodes a block: 8 samples of each channel in turn, each in 4 bytes.
func (a *adpcm) decodeIMA() {
	for c := range a.channels {
		head := a.block[4*c:]
		v, step := int(int16(a.order.Uint16(head))), min(int(head[2]), len(imaSteps)-1)
		a.put(0, c, v)
		for i := 1; i*a.channels < len(a.unread); i++ {
			offset := (1+(i-1)/8)*4*a.channels + 4*c + (i-1)%8/2
			code := int(a.block[offset]) >> (4 * ((i - 1) % 2)) & 15
			size := imaSteps[step]
			change := size>>3 + code>>2&1*size + code>>1&1*size>>1 + code&1*size>>2
			if code&8 != 0 {
				change = -change
			}
			v = clamp(v+change, -1<<15, 1<<15-1)
			step = clamp(step+[8]int{-1, -1, -1, -1, 2, 4, 6, 8}[code&7], 0, len(imaSteps)-1)
			a.put(i, c, v)
		}
	}
}

// msGrowth is how the difference of MS changes with a code, in 256ths.
var msGrowth = [16]int{230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230}

var errCoefficients = errors.New("a block names coefficients that do not exist")

// decodeMS decodes a block: 4 bits of each channel in turn.
func (a *adpcm) decodeMS() error {
	n := a.channels
	number := func(i int) int { return int(int16(a.order.Uint16(a.block[n+2*i:]))) }
	for c := range n {
		if int(a.block[c]) >= len(a.coefficients) {
			return errCoefficients
		}
		pair, delta, last, previous := a.coefficients[a.block[c]], number(c), number(n+c), number(2*n+c)
		a.put(0, c, previous)
		a.put(1, c, last)
		for i := 2; i*n < len(a.unread); i++ {
			offset := (i-2)*n + c
			code := int(a.block[7*n+offset/2]) >> (4 * (1 - offset%2)) & 15
			v := (last*pair[0]+previous*pair[1])>>8 + (code^8-8)*delta // rounded down, as sox and libsndfile do
			previous, last = last, clamp(v, -1<<15, 1<<15-1)
			delta = max(msGrowth[code]*delta>>8, 16)
			a.put(i, c, last)
		}
	}
	return nil
}

func clamp(v, low, high int) int { return min(max(v, low), high) }

// put sets a sample of the block.
func (a *adpcm) put(frame, channel, v int) {
	a.unread[frame*a.channels+channel] = float32(v) / (1 << 15)
}
