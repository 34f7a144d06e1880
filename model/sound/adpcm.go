package sound

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ADPCM of WAV, as Microsoft's "New Multimedia Data Types and Data Techniques" (1994) describes it: blocks that begin
// with a state for each channel, and have 4 bits for each further sample.

const (
	formatMS  = 2
	formatIMA = 0x11
)

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
	if w.format == formatMS {
		head, name = 7*s.Channels, "MS"
		a.coefficients = coefficientsOf(w.formatExtra, w.order)
	}
	if w.bits != 4 || w.align < head || s.Channels > maxChannels {
		return nil, fmt.Errorf("blocks of %d bytes for %d channels of %d bits are not possible", w.align, s.Channels,
			w.bits)
	}
	s.Format = fmt.Sprintf("WAV, 4 bits, %s ADPCM", name)
	s.Frames = w.bytes/int64(w.align)*a.framesOf(w.align) + a.framesOf(int(w.bytes%int64(w.align)))
	if w.frames > 0 {
		s.Frames = min(s.Frames, w.frames)
	}
	a.remaining = s.Frames * int64(s.Channels)
	a.decoded = make([]float32, a.framesOf(w.align)*int64(s.Channels))
	_, err := r.Seek(w.data, io.SeekStart)
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
