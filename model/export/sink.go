package export

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"
)

const (
	chunkSize = 256 << 10
	maxChunks = 8 // in flight for one large asset: some are read, some summed, some written
)

var chunkPool = sync.Pool{New: func() any { b := make([]byte, chunkSize); return &b }}

// errTooLong ends an asset that expands beyond its limit.
var errTooLong = errors.New("too long")

// sink receives the bytes of one asset: counts them, stops at the limit, sums, writes. A single chunk is written at
// once; for longer assets, reading, summing and writing run at the same time.
type sink struct {
	ctx     context.Context
	file    io.Writer
	sum     hash.Hash // nil unless requested
	limit   int64     // -1 without a limit
	onWrite func(n int64)
	// is called with the number of bytes read, and may end the reading; may be nil
	spend func(ctx context.Context, n int64) error

	n       int64
	buf     []byte // the chunk that is being filled
	length  int
	buffers []*[]byte

	filled chan []byte // to the writer; nil until there is more than one chunk
	empty  chan []byte
	done   sync.WaitGroup
	mu     sync.Mutex
	err    error
}

func newSink(ctx context.Context, file io.Writer, sum hash.Hash, limit int64, onWrite func(int64)) *sink {
	s := &sink{ctx: ctx, file: file, sum: sum, limit: limit, onWrite: onWrite}
	s.buf = s.newChunk()
	return s
}

func (s *sink) newChunk() []byte {
	b := chunkPool.Get().(*[]byte)
	s.buffers = append(s.buffers, b)
	return *b
}

func (s *sink) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if s.length == len(s.buf) {
			if err := s.swapChunk(); err != nil {
				return n, err
			}
		}
		k := copy(s.buf[s.length:], p[n:])
		s.length += k
		n += k
	}
	return n, nil
}

// ReadFrom implements io.ReaderFrom: it reads straight into the chunks.
func (s *sink) ReadFrom(r io.Reader) (int64, error) {
	start := s.n + int64(s.length)
	idle := 0
	for {
		if s.length == len(s.buf) {
			if err := s.swapChunk(); err != nil {
				return s.n - start, err
			}
		}
		n, err := r.Read(s.buf[s.length:])
		s.length += n
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			return s.n + int64(s.length) - start, nil
		}
		if err != nil {
			return s.n + int64(s.length) - start, err
		}
	}
}

// swapChunk hands the full chunk on and takes an empty one.
func (s *sink) swapChunk() error {
	if s.filled == nil {
		s.startPipeline()
	}
	if err := s.countBytes(); err != nil {
		return err
	}
	s.filled <- s.buf[:s.length]
	s.buf, s.length = (<-s.empty)[:chunkSize], 0
	return s.writeError()
}

func (s *sink) countBytes() error {
	s.n += int64(s.length)
	if s.limit >= 0 && s.n > s.limit {
		return errTooLong
	}
	if s.spend != nil {
		if err := s.spend(s.ctx, int64(s.length)); err != nil {
			return err
		}
	}
	return s.ctx.Err()
}

func (s *sink) startPipeline() {
	s.filled, s.empty = make(chan []byte, maxChunks), make(chan []byte, maxChunks)
	for range maxChunks - 1 {
		s.empty <- s.newChunk()
	}
	summedChunks := s.empty
	if s.sum != nil {
		summedChunks = make(chan []byte, maxChunks)
		s.done.Add(1)
		go func() {
			defer s.done.Done()
			for b := range summedChunks {
				s.sum.Write(b)
				s.empty <- b
			}
		}()
	}
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		for b := range s.filled {
			if s.writeError() == nil {
				s.write(b)
			}
			summedChunks <- b
		}
		if s.sum != nil {
			close(summedChunks)
		}
	}()
}

func (s *sink) write(b []byte) {
	if len(b) == 0 {
		return
	}
	n, err := s.file.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		s.mu.Lock()
		s.err = fmt.Errorf("writing: %w", err)
		s.mu.Unlock()
	}
	s.onWrite(int64(n))
}

func (s *sink) writeError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// finish writes the remaining bytes, waits for all of them, and returns the first error of writing. It is called in any
// case; err is the error that ended the reading.
func (s *sink) finish(err error) error {
	if err == nil {
		err = s.countBytes()
	}
	if s.filled != nil {
		if err == nil {
			s.filled <- s.buf[:s.length]
		}
		close(s.filled)
		s.done.Wait()
	} else if err == nil {
		if s.sum != nil {
			s.sum.Write(s.buf[:s.length])
		}
		s.write(s.buf[:s.length])
	}
	for _, b := range s.buffers {
		chunkPool.Put(b)
	}
	s.buffers, s.buf = nil, nil
	if e := s.writeError(); e != nil && err == nil {
		err = e
	}
	return err
}

// counter counts the written bytes, and returns errors of writing in plain words.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.n += int64(n); err != nil {
		err = errors.New(reason(err))
	}
	return n, err
}

// Progress is the progress of an export.
type Progress struct {
	Planning    bool // nothing is written yet: Done of Items have their names
	Done, Items int  // assets that are finished, of all
	// bytes written and expected; more are written than expected if sizes are not recorded
	Written, Bytes int64
	Name           string
}

const progressInterval = 50 * time.Millisecond

// meter reports the progress, not more often than users can see.
type meter struct {
	report func(Progress)

	mu         sync.Mutex
	now        Progress
	nextReport time.Time
}

func (m *meter) addWritten(n int64) { m.update(func(p *Progress) { p.Written += n }) }

func (m *meter) startItem(name string) { m.update(func(p *Progress) { p.Name = name }) }

func (m *meter) finishItem() { m.update(func(p *Progress) { p.Done++ }) }

func (m *meter) update(change func(p *Progress)) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.now)
	if t := time.Now(); t.After(m.nextReport) {
		m.nextReport = t.Add(progressInterval)
		m.report(m.now)
	}
}

func (m *meter) finish() {
	if m.report != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.report(m.now)
	}
}
