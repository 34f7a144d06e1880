package hex

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"assay/ui/work"
)

// Source is the data of a hex view.
type Source interface {
	io.ReaderAt
	Size() int64
}

// MemorySource is a Source that reports whether its bytes are in memory. If so, they are read while they are painted.
type MemorySource interface {
	InMemory() bool
}

// Mapped is a Source that consists of pieces of a file with gaps between them: one of two files that are aligned with
// each other.
type Mapped interface {
	Source
	// FileOffset returns the offset in the file of the byte at an offset of the view, and the number of bytes until the
	// piece or gap ends. exists is false in a gap.
	FileOffset(offset int64) (fileOffset, length int64, exists bool)
	// End returns the offset in the file of the end of the last piece.
	End() int64
}

// A page is the unit of reading. After an error it is read again in blocks, so that a bad block does not hide the bytes
// around it.
const (
	pageSize  = 16 << 10
	blockSize = 512
	maxPages  = 256
)

// state is the state of one byte.
type state uint8

const (
	pending state = iota
	loaded
	unreadable
	absent
)

// page is one page of the data; readable holds the number of readable bytes of each block.
type page struct {
	bytes    []byte
	readable [pageSize / blockSize]int16
	lastFill uint64
}

// pages reads data in the background and caches it.
type pages struct {
	group       *work.Group
	data        Source
	readsAtOnce bool
	onRead      func() // called on the reading goroutine after pages were read

	mu        sync.Mutex
	pages     map[int64]*page
	requested []int64
	current   int64 // number of the page that is being read
	fills     uint64
	reading   bool
	closed    bool
}

func newPages(group *work.Group, data Source, onRead func()) *pages {
	i, ok := data.(MemorySource)
	return &pages{group: group, data: data, onRead: onRead, pages: map[int64]*page{},
		readsAtOnce: group.IsInline() || ok && i.InMemory()}
}

// close stops reading after the current page.
func (p *pages) close() {
	p.mu.Lock()
	p.closed, p.requested = true, nil
	p.mu.Unlock()
}

// fill copies the cached bytes at an offset and requests the others. It cancels the requests of the previous call.
func (p *pages) fill(offset int64, bytes []byte, states []state) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requested = p.requested[:0]
	p.fills++
	for done := 0; done < len(bytes); {
		at := offset + int64(done)
		number := at / pageSize
		skip := int(at % pageSize)
		n := min(len(bytes)-done, pageSize-skip)
		page := p.pages[number]
		if page == nil && p.readsAtOnce {
			page = p.read(number)
			p.store(number, page)
		}
		if page == nil {
			clear(bytes[done : done+n])
			clear(states[done : done+n])
			if !p.closed && !(p.reading && p.current == number) {
				p.requested = append(p.requested, number)
			}
		} else {
			page.lastFill = p.fills
			page.copy(bytes[done:done+n], states[done:done+n], skip)
		}
		done += n
	}
	if len(p.requested) > 0 && !p.reading {
		p.reading = true
		p.group.Go(p.readRequested)
	}
}

func (p *page) copy(bytes []byte, states []state, skip int) {
	for i := range bytes {
		at := skip + i
		if at%blockSize < int(p.readable[at/blockSize]) {
			bytes[i], states[i] = p.bytes[at], loaded
		} else {
			bytes[i], states[i] = 0, unreadable
		}
	}
}

// readRequested reads the requested pages.
func (p *pages) readRequested(context.Context) func() {
	for {
		p.mu.Lock()
		if len(p.requested) == 0 || p.closed {
			p.reading = false
			p.mu.Unlock()
			return nil
		}
		number := p.requested[0]
		p.current = number
		p.requested = slices.Delete(p.requested, 0, 1)
		p.mu.Unlock()
		read := p.read(number)
		p.mu.Lock()
		p.store(number, read)
		last := len(p.requested) == 0
		p.mu.Unlock()
		if last {
			p.onRead()
		}
	}
}

func (p *pages) store(number int64, added *page) {
	if len(p.pages) >= maxPages {
		oldest, oldestNumber := uint64(1<<64-1), int64(-1)
		for n, cached := range p.pages {
			if cached.lastFill < oldest {
				oldest, oldestNumber = cached.lastFill, n
			}
		}
		delete(p.pages, oldestNumber)
	}
	added.lastFill = p.fills
	p.pages[number] = added
}

func (p *pages) read(number int64) *page {
	start := number * pageSize
	size := int(max(0, min(pageSize, p.data.Size()-start)))
	result := &page{bytes: make([]byte, size)}
	n, err := p.data.ReadAt(result.bytes, start)
	if n == size && (err == nil || errors.Is(err, io.EOF)) {
		for i := 0; i*blockSize < size; i++ {
			result.readable[i] = int16(min(blockSize, size-i*blockSize))
		}
		return result
	}
	for i := 0; i*blockSize < size; i++ {
		block := result.bytes[i*blockSize : min(size, (i+1)*blockSize)]
		n, _ := p.data.ReadAt(block, start+int64(i*blockSize))
		result.readable[i] = int16(n)
	}
	return result
}
