package sound

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/jfreymuth/vorbis"
)

// Ogg, as RFC 3533 describes it: pages, each with a table of segments; a packet is segments up to the first that has
// less than 255 bytes. Only the first logical stream is read.

const (
	oggHead    = 27
	packetMost = 1 << 22
	lastPage   = 64 << 10 // how far from the end of a file the last page is looked for
)

// noComments is a comment header without a comment.
const noComments = "\x03vorbis\x00\x00\x00\x00\x00\x00\x00\x00\x01"

// pages returns the packets of a stream.
type pages struct {
	r       *bufio.Reader
	serial  uint32
	known   bool
	sizes   []byte // segments of the present page that are not read
	partial []byte
}

// next returns the next packet, which is good until the next call.
func (p *pages) next() ([]byte, error) {
	p.partial = p.partial[:0]
	for {
		for len(p.sizes) > 0 {
			n := int(p.sizes[0])
			p.sizes = p.sizes[1:]
			at := len(p.partial)
			if at+n > packetMost {
				return nil, errors.New("a packet is too large")
			}
			p.partial = append(p.partial, make([]byte, n)...)
			if _, err := io.ReadFull(p.r, p.partial[at:]); err != nil {
				return nil, err
			}
			if n < 255 {
				return p.partial, nil
			}
		}
		if err := p.page(); err != nil {
			return nil, err
		}
	}
}

// page reads the head of the next page of the stream.
func (p *pages) page() error {
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
		if !p.known {
			p.serial, p.known = serial, true
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

// vorbisSamples is the samples of a Vorbis stream.
type vorbisSamples struct {
	pages *pages
	d     *vorbis.Decoder
	left  []float32
	most  int64 // samples until the end of the last page; the last packet has more
}

func openOgg(r io.ReadSeeker, size int64, s *Sound) (stream, error) {
	if end := lastGranule(r, size); end > 0 {
		s.Frames = end
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	v := &vorbisSamples{pages: &pages{r: bufio.NewReader(r)}, d: new(vorbis.Decoder), most: -1}
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
		v.most = s.Frames * int64(s.Channels)
	}
	return v, nil
}

// lastGranule is the number of frames that the last page says the stream has until there; 0 if there is none.
func lastGranule(r io.ReadSeeker, size int64) int64 {
	b := make([]byte, min(size, lastPage))
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
		if v.most == 0 {
			return n, io.EOF
		}
		if len(v.left) == 0 {
			packet, err := v.pages.next()
			if err != nil {
				return n, err
			}
			if v.left, err = v.d.Decode(packet); err != nil {
				return n, err
			}
			continue
		}
		k := copy(p[n:], v.left)
		if v.most > 0 {
			k = int(min(int64(k), v.most))
			v.most -= int64(k)
		}
		n, v.left = n+k, v.left[k:]
	}
	return n, nil
}
