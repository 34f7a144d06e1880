package model

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"
)

const (
	blockSize     = 64 << 10
	maxBlocks     = 256           // blocks kept: 16 MiB a file
	minDirectRead = 2 * blockSize // reads of this size bypass them
	maxMisses     = 16            // blocks that were not cached at the last request
)

// blockCache reads r in blocks and keeps the ones used last. Long reads bypass it: streaming a gigabyte must not evict
// the blocks that the window displays. Scattered reads bypass it, too: a block is read once a second read comes close
// to a first, as reading 64 KiB for each of a million assets in mixed order takes ten times as long as reading the
// assets.
type blockCache struct {
	r    io.ReaderAt
	size int64

	mu     sync.Mutex
	blocks map[int64]*list.Element
	recent *list.List // of *block, the newest first

	misses     [maxMisses]int64 // the numbers, plus one, of the blocks that were missed last
	nextMissed int              // index of the next entry to write
}

type block struct {
	number int64
	bytes  []byte
}

func newBlockCache(r io.ReaderAt, size int64) *blockCache {
	return &blockCache{r: r, size: size, blocks: make(map[int64]*list.Element), recent: list.New()}
}

func (c *blockCache) ReadAt(p []byte, off int64) (int, error) {
	if len(p) >= minDirectRead {
		return c.r.ReadAt(p, off)
	}
	n := 0
	for n < len(p) {
		offset := off + int64(n)
		b, from, err := c.cached(offset/blockSize), int(offset%blockSize), error(nil)
		if b == nil {
			if !c.recordMiss(offset / blockSize) {
				got, err := c.r.ReadAt(p[n:], offset)
				return n + got, err
			}
			b, err = c.load(offset / blockSize)
		}
		if from < len(b) {
			n += copy(p[n:], b[from:])
		}
		if err != nil || from >= len(b) || len(b) < blockSize {
			if n < len(p) && err == nil {
				err = io.EOF
			}
			return n, err
		}
	}
	return n, nil
}

// cached returns the bytes of a block that is kept; nil of another.
func (c *blockCache) cached(number int64) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.blocks[number]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*block).bytes
}

// recordMiss records the miss of a block. It reports whether the block or the one before it was missed recently,
// or the source has only one block.
func (c *blockCache) recordMiss(number int64) bool {
	if c.size <= blockSize {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	nearby := slices.Contains(c.misses[:], number+1) || number > 0 && slices.Contains(c.misses[:], number)
	c.misses[c.nextMissed] = number + 1
	c.nextMissed = (c.nextMissed + 1) % maxMisses
	return nearby
}

// load reads one block and keeps it: fewer bytes than blockSize at the end of the file or, with an error, where reading
// failed. Blocks that failed are not kept.
func (c *blockCache) load(number int64) ([]byte, error) {
	start := number * blockSize
	b := make([]byte, min(blockSize, c.size-start))
	n, err := c.r.ReadAt(b, start)
	if n < len(b) {
		return b[:n], err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.blocks[number]; !ok {
		c.blocks[number] = c.recent.PushFront(&block{number, b})
		if c.recent.Len() > maxBlocks {
			old := c.recent.Back()
			c.recent.Remove(old)
			delete(c.blocks, old.Value.(*block).number)
		}
	}
	return b, nil
}

// discard forgets all blocks: their file was closed, but something may still refer to the source.
func (c *blockCache) discard() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.blocks)
	c.recent.Init()
}

// maxInMemory is the number of bytes of a stream that stay in memory; a longer stream is written to a temporary file.
const maxInMemory = 16 << 20

var errTooLong = errors.New("more bytes than the limit")

// Spool reads a stream to its end and returns its bytes as a Source, which keeps them in memory or beyond 16 MiB in a
// temporary file that Close removes. Only the space on the disk bounds it.
func Spool(ctx context.Context, name string, r io.Reader) (*Source, error) {
	s, err := spool(ctx, name, r, math.MaxInt64-1)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return s, nil
}

// spool reads at most limit bytes; it returns errTooLong if there are more.
func spool(ctx context.Context, name string, r io.Reader, limit int64) (*Source, error) {
	r = io.LimitReader(ContextReader(ctx, r), limit+1)
	var head bytes.Buffer
	n, err := io.CopyN(&head, r, maxInMemory)
	if err == io.EOF {
		if n > limit {
			return nil, errTooLong
		}
		return NewSource(name, bytes.NewReader(head.Bytes()), n), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := temporarySource(name)
	if err != nil {
		return nil, err
	}
	n, err = io.Copy(s.file, io.MultiReader(&head, r))
	if err == nil && n > limit {
		err = errTooLong
	}
	if err != nil {
		s.Close()
		return nil, plainTemporaryError(err)
	}
	s.size, s.r = n, newBlockCache(s.file, n)
	return s, nil
}

// temporarySource makes a temporary file. Where the system permits it, the file has no name from the beginning, so that
// nothing is left of it if the program is killed.
func temporarySource(name string) (*Source, error) {
	f, err := os.CreateTemp("", "assay-*")
	if err != nil {
		return nil, plainTemporaryError(err)
	}
	s := &Source{name: name, file: f}
	if os.Remove(f.Name()) != nil {
		s.remove = f.Name()
	}
	return s, nil
}

// plainTemporaryError names the folder of temporary files, which the user can change, instead of the file.
func plainTemporaryError(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("cannot write a temporary file in %s: %w (set TMPDIR to use another folder)", os.TempDir(), p.Err)
}

// Recover is deferred by a function that calls a third-party decoder, which may panic at a damaged file: the panic
// becomes an error, what with its message.
func Recover(err *error, what string) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: %v", what, p)
	}
}

// ContextReader returns a reader of the same bytes that returns the error of ctx once ctx is done.
func ContextReader(ctx context.Context, r io.Reader) io.Reader { return &contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
