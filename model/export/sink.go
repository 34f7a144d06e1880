package export

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
)

const (
	chunkSize = 256 << 10
	chunks    = 8 // in flight for one large asset: some are read, some summed, some written
)

var chunkPool = sync.Pool{New: func() any { b := make([]byte, chunkSize); return &b }}

// errTooLong ends an asset that expands beyond its limit.
var errTooLong = errors.New("too long")

// sink takes the bytes of one asset: counts them, stops at the limit, sums, writes. What fits one chunk is written
// where it is; of what is longer, reading, summing and writing go on at the same time.
type sink struct {
	ctx   context.Context
	file  io.Writer
	sum   hash.Hash // nil if not asked for
	limit int64     // -1: none
	told  func(n int64)
	spend func(ctx context.Context, n int64) error // is told what is read, and may end it; may be nil

	n     int64
	buf   []byte // the chunk that is being filled
	fill  int
	spare []*[]byte

	lines chan []byte // to the writer; nil until there is more than one chunk
	free  chan []byte
	done  sync.WaitGroup
	mu    sync.Mutex
	err   error
}

func newSink(ctx context.Context, file io.Writer, sum hash.Hash, limit int64, told func(int64)) *sink {
	s := &sink{ctx: ctx, file: file, sum: sum, limit: limit, told: told}
	s.buf = s.chunk()
	return s
}

func (s *sink) chunk() []byte {
	b := chunkPool.Get().(*[]byte)
	s.spare = append(s.spare, b)
	return *b
}

func (s *sink) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if s.fill == len(s.buf) {
			if err := s.pass(); err != nil {
				return n, err
			}
		}
		k := copy(s.buf[s.fill:], p[n:])
		s.fill += k
		n += k
	}
	return n, nil
}

// ReadFrom implements io.ReaderFrom: it reads straight into the chunks.
func (s *sink) ReadFrom(r io.Reader) (int64, error) {
	start := s.n + int64(s.fill)
	idle := 0
	for {
		if s.fill == len(s.buf) {
			if err := s.pass(); err != nil {
				return s.n - start, err
			}
		}
		n, err := r.Read(s.buf[s.fill:])
		s.fill += n
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			return s.n + int64(s.fill) - start, nil
		}
		if err != nil {
			return s.n + int64(s.fill) - start, err
		}
	}
}

// pass hands the full chunk on and takes an empty one.
func (s *sink) pass() error {
	if s.lines == nil {
		s.start()
	}
	if err := s.count(); err != nil {
		return err
	}
	s.lines <- s.buf[:s.fill]
	s.buf, s.fill = (<-s.free)[:chunkSize], 0
	return s.failed()
}

func (s *sink) count() error {
	s.n += int64(s.fill)
	if s.limit >= 0 && s.n > s.limit {
		return errTooLong
	}
	if s.spend != nil {
		if err := s.spend(s.ctx, int64(s.fill)); err != nil {
			return err
		}
	}
	return s.ctx.Err()
}

func (s *sink) start() {
	s.lines, s.free = make(chan []byte, chunks), make(chan []byte, chunks)
	for range chunks - 1 {
		s.free <- s.chunk()
	}
	written := s.free
	if s.sum != nil {
		written = make(chan []byte, chunks)
		s.done.Add(1)
		go func() {
			defer s.done.Done()
			for b := range written {
				s.sum.Write(b)
				s.free <- b
			}
		}()
	}
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		for b := range s.lines {
			if s.failed() == nil {
				s.write(b)
			}
			written <- b
		}
		if s.sum != nil {
			close(written)
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
	s.told(int64(n))
}

func (s *sink) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// finish writes what is left, waits for all of it, and returns the first error of writing. It is called in any case;
// err is what ended the reading.
func (s *sink) finish(err error) error {
	if err == nil {
		err = s.count()
	}
	if s.lines != nil {
		if err == nil {
			s.lines <- s.buf[:s.fill]
		}
		close(s.lines)
		s.done.Wait()
	} else if err == nil {
		if s.sum != nil {
			s.sum.Write(s.buf[:s.fill])
		}
		s.write(s.buf[:s.fill])
	}
	for _, b := range s.spare {
		chunkPool.Put(b)
	}
	s.spare, s.buf = nil, nil
	if e := s.failed(); e != nil && err == nil {
		err = e
	}
	return err
}
