package hex

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"assay/ui/work"
)

// Data is what a hex view shows.
type Data interface {
	io.ReaderAt
	Size() int64
}

// Instant is Data that answers at once (memory); it is read where it is painted.
type Instant interface {
	Instant() bool
}

// Mapped is Data that is put together of pieces of a file, with places where nothing is: one of two files that are
// aligned with each other.
type Mapped interface {
	Data
	// Place returns the offset in the file of what is shown at an offset, and how many bytes it goes on for; there is
	// false for a place where nothing is.
	Place(offset int64) (at, length int64, there bool)
	// End is where the last piece ends in the file.
	End() int64
}

// A page is what is read at once. After an error it is read again in blocks, so that a bad one takes no sound
// bytes with it.
const (
	pageSize  = 16 << 10
	blockSize = 512
	maxPages  = 256
)

// state is what is known of one byte.
type state uint8

const (
	pending state = iota
	known
	unreadable
	absent
)

// page is one page of the data; good holds for each block how many of its bytes could be read.
type page struct {
	bytes []byte
	good  [pageSize / blockSize]int16
	used  uint64
}

// pages reads data in the background and keeps what was read last.
type pages struct {
	group   *work.Group
	data    Data
	instant bool
	arrived func() // called on the reading goroutine

	lock    sync.Mutex
	held    map[int64]*page
	wanted  []int64
	current int64 // being read now
	clock   uint64
	reading bool
	closed  bool
}

func newPages(group *work.Group, data Data, arrived func()) *pages {
	i, ok := data.(Instant)
	return &pages{group: group, data: data, arrived: arrived, held: map[int64]*page{},
		instant: group.AtOnce() || ok && i.Instant()}
}

// close ends the reading after the page that is being read.
func (p *pages) close() {
	p.lock.Lock()
	p.closed, p.wanted = true, nil
	p.lock.Unlock()
}

// get copies the bytes at an offset as far as they are known, and has the others read. What was wanted before and is
// not wanted now is not read any more.
func (p *pages) get(offset int64, bytes []byte, states []state) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.wanted = p.wanted[:0]
	p.clock++
	for done := 0; done < len(bytes); {
		at := offset + int64(done)
		number := at / pageSize
		skip := int(at % pageSize)
		n := min(len(bytes)-done, pageSize-skip)
		held := p.held[number]
		if held == nil && p.instant {
			held = p.read(number)
			p.keep(number, held)
		}
		if held == nil {
			clear(bytes[done : done+n])
			clear(states[done : done+n])
			if !p.closed && !(p.reading && p.current == number) {
				p.wanted = append(p.wanted, number)
			}
		} else {
			held.used = p.clock
			held.copy(bytes[done:done+n], states[done:done+n], skip)
		}
		done += n
	}
	if len(p.wanted) > 0 && !p.reading {
		p.reading = true
		p.group.Go(p.run)
	}
}

func (g *page) copy(bytes []byte, states []state, skip int) {
	for i := range bytes {
		at := skip + i
		if at%blockSize < int(g.good[at/blockSize]) {
			bytes[i], states[i] = g.bytes[at], known
		} else {
			bytes[i], states[i] = 0, unreadable
		}
	}
}

// run reads pages until none is wanted.
func (p *pages) run(context.Context) func() {
	for {
		p.lock.Lock()
		if len(p.wanted) == 0 || p.closed {
			p.reading = false
			p.lock.Unlock()
			return nil
		}
		number := p.wanted[0]
		p.current = number
		p.wanted = slices.Delete(p.wanted, 0, 1)
		p.lock.Unlock()
		g := p.read(number)
		p.lock.Lock()
		p.keep(number, g)
		last := len(p.wanted) == 0
		p.lock.Unlock()
		if last {
			p.arrived()
		}
	}
}

func (p *pages) keep(number int64, g *page) {
	if len(p.held) >= maxPages {
		oldest, at := uint64(1<<64-1), int64(-1)
		for n, h := range p.held {
			if h.used < oldest {
				oldest, at = h.used, n
			}
		}
		delete(p.held, at)
	}
	g.used = p.clock
	p.held[number] = g
}

func (p *pages) read(number int64) *page {
	start := number * pageSize
	size := int(max(0, min(pageSize, p.data.Size()-start)))
	g := &page{bytes: make([]byte, size)}
	n, err := p.data.ReadAt(g.bytes, start)
	if n == size && (err == nil || errors.Is(err, io.EOF)) {
		for i := 0; i*blockSize < size; i++ {
			g.good[i] = int16(min(blockSize, size-i*blockSize))
		}
		return g
	}
	for i := 0; i*blockSize < size; i++ {
		block := g.bytes[i*blockSize : min(size, (i+1)*blockSize)]
		n, _ := p.data.ReadAt(block, start+int64(i*blockSize))
		g.good[i] = int16(n)
	}
	return g
}
