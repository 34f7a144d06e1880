package sound

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"github.com/jfreymuth/vorbis"
)

// Ogg, as RFC 3533 describes it: pages, each with a table of segments; a packet is segments up to the first that has
// less than 255 bytes. Only the first logical stream is read.

const (
	oggHead       = 27
	maxPacket     = 1 << 22
	maxPageSearch = 64 << 10 // distance from the end of a file within which the last page is searched, in bytes
)

// noComments is a comment header without a comment.
const noComments = "\x03vorbis\x00\x00\x00\x00\x00\x00\x00\x00\x01"

// oggPackets returns the packets of a stream.
type oggPackets struct {
	r         *bufio.Reader
	serial    uint32
	hasSerial bool
	sizes     []byte // segments of the present page that are not read
	partial   []byte
}

// next returns the next packet, which is good until the next call.
func (p *oggPackets) next() ([]byte, error) {
	p.partial = p.partial[:0]
	for {
		for len(p.sizes) > 0 {
			n := int(p.sizes[0])
			p.sizes = p.sizes[1:]
			offset := len(p.partial)
			if offset+n > maxPacket {
				return nil, errors.New("a packet is too large")
			}
			p.partial = append(p.partial, make([]byte, n)...)
			if _, err := io.ReadFull(p.r, p.partial[offset:]); err != nil {
				return nil, err
			}
			if n < 255 {
				return p.partial, nil
			}
		}
		if err := p.nextPage(); err != nil {
			return nil, err
		}
	}
}

// nextPage reads the head of the next page of the stream.
func (p *oggPackets) nextPage() error {
	var h [oggHead]byte
	for {
		if _, err := io.ReadFull(p.r, h[:]); err != nil {
			return err
		}
		if string(h[:4]) != "OggS" {
			return errors.New("a page does not begin with OggS")
		}
		sizes := make([]byte, h[26])
		if _, err := io.ReadFull(p.r, sizes); err != nil {
			return err
		}
		serial := binary.LittleEndian.Uint32(h[14:])
		if !p.hasSerial {
			p.serial, p.hasSerial = serial, true
		}
		if serial == p.serial {
			p.sizes = sizes
			return nil
		}
		skip := 0
		for _, n := range sizes {
			skip += int(n)
		}
		if _, err := p.r.Discard(skip); err != nil {
			return err
		}
	}
}

type vorbisSamples struct {
	pages  *oggPackets
	d      *vorbis.Decoder
	unread []float32
	limit  int64 // samples until the end of the last page; the last packet has more
}

func openOgg(r io.ReadSeeker, size int64, s *Sound) (stream, error) {
	if end := lastGranule(r, size); end > 0 {
		s.Frames = end
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	v := &vorbisSamples{pages: &oggPackets{r: bufio.NewReader(r)}, d: new(vorbis.Decoder), limit: -1}
	for !v.d.HeadersRead() {
		packet, err := v.pages.next()
		if err != nil {
			return nil, err
		}
		switch {
		case bytes.HasPrefix(packet, []byte("\x03vorbis")): // the decoder takes the number of comments to the letter
			packet = []byte(noComments)
		case bytes.HasPrefix(packet, []byte("\x05vorbis")):
			if err := checkCodebooks(packet); err != nil {
				return nil, err
			}
		}
		if err := v.d.ReadHeader(packet); err != nil {
			return nil, err
		}
	}
	s.Rate, s.Channels = v.d.SampleRate(), v.d.Channels()
	if s.Frames > 0 {
		v.limit = s.Frames * int64(s.Channels)
	}
	return v, nil
}

// lastGranule returns the position of the last page in frames, or 0 without a page.
func lastGranule(r io.ReadSeeker, size int64) int64 {
	b := make([]byte, min(size, maxPageSearch))
	if _, err := r.Seek(size-int64(len(b)), io.SeekStart); err != nil {
		return 0
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return 0
	}
	i := bytes.LastIndex(b, []byte("OggS"))
	if i < 0 || len(b)-i < oggHead {
		return 0
	}
	if n := binary.LittleEndian.Uint64(b[i+6:]); n < 1<<50 {
		return int64(n)
	}
	return 0
}

func (v *vorbisSamples) read(p []float32) (n int, err error) {
	for n < len(p) {
		if v.limit == 0 {
			return n, io.EOF
		}
		if len(v.unread) == 0 {
			packet, err := v.pages.next()
			if err != nil {
				return n, err
			}
			if v.unread, err = v.d.Decode(packet); err != nil {
				return n, err
			}
			continue
		}
		k := copy(p[n:], v.unread)
		if v.limit > 0 {
			k = int(min(int64(k), v.limit))
			v.limit -= int64(k)
		}
		n, v.unread = n+k, v.unread[k:]
	}
	return n, nil
}

// The decoder allocates the sizes in the codebooks of a Vorbis stream before it reads their data. So these are checked
// first (Vorbis I specification, section 3.2.1).

const (
	maxCodebookEntries = 1 << 20 // of a codebook
	maxCodebookValues  = 1 << 22 // of all
)

var errCodebooks = errors.New("invalid Vorbis codebooks")

// bitReader reads numbers of any width, the lowest bit first. Past the end it reads zeros.
type bitReader struct {
	b      []byte
	offset int
}

func (r *bitReader) read(n int) (v uint32) {
	for i := range n {
		if k := r.offset / 8; k < len(r.b) {
			v |= uint32(r.b[k]>>(r.offset%8)&1) << i
		}
		r.offset++
	}
	return v
}

func (r *bitReader) atEnd() bool { return r.offset > 8*len(r.b) }

// checkCodebooks checks the codebooks of a setup header.
func checkCodebooks(setup []byte) error {
	const head = 7 // "\x05vorbis"
	if len(setup) < head+1 {
		return errCodebooks
	}
	r := &bitReader{b: setup[head:]}
	total := 0
	for range int(r.read(8)) + 1 {
		n, ok := checkCodebook(r)
		if total += n; !ok || total > maxCodebookValues || r.atEnd() {
			return errCodebooks
		}
	}
	return nil
}

// checkCodebook reads a codebook and returns the number of values that it claims.
func checkCodebook(r *bitReader) (values int, ok bool) {
	if r.read(24) != 0x564342 {
		return 0, false
	}
	dimensions, entries := int(r.read(16)), int(r.read(24))
	if entries == 0 || entries > maxCodebookEntries || dimensions*entries > maxCodebookValues {
		return 0, false
	}
	if r.read(1) == 1 { // ordered
		r.read(5)
		for n := 0; n < entries; {
			k := int(r.read(bits.Len(uint(entries - n))))
			if n += k; n > entries || r.atEnd() {
				return 0, false
			}
		}
	} else {
		sparse := r.read(1) == 1
		for range entries {
			if !sparse || r.read(1) == 1 {
				r.read(5)
			}
			if r.atEnd() {
				return 0, false
			}
		}
	}
	lookup := r.read(4)
	if lookup == 0 {
		return entries, true
	}
	if lookup > 2 || dimensions == 0 {
		return 0, false
	}
	r.read(32)
	r.read(32)
	width := int(r.read(4)) + 1
	r.read(1)
	count := dimensions * entries
	if lookup == 1 {
		count = largestRoot(entries, dimensions)
	}
	r.offset += count * width
	return dimensions*entries + entries, !r.atEnd()
}

// largestRoot returns the largest number v with v^dimensions at most entries.
func largestRoot(entries, dimensions int) int {
	fits := func(v int) bool {
		power := 1
		for range dimensions {
			if power *= v; power > entries {
				return false
			}
			if v == 1 {
				break
			}
		}
		return true
	}
	n := 1
	for fits(n + 1) {
		n++
	}
	return n
}
