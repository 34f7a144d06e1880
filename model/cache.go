package model

import (
	"container/list"
	"io"
	"sync"
)

const (
	blockSize = 64 << 10
	blockMax  = 256           // blocks kept: 16 MiB a file
	streamed  = 2 * blockSize // a read of so many bytes goes past them
)

// blockCache reads r in blocks and keeps the ones used last. Long reads go past it: whoever streams a gigabyte must not
// push out what the window shows.
type blockCache struct {
	r    io.ReaderAt
	size int64

	mu     sync.Mutex
	blocks map[int64]*list.Element
	recent *list.List // of *block, the newest first
}

type block struct {
	number int64
	bytes  []byte
}

func newBlockCache(r io.ReaderAt, size int64) *blockCache {
	return &blockCache{r: r, size: size, blocks: make(map[int64]*list.Element), recent: list.New()}
}

func (c *blockCache) ReadAt(p []byte, off int64) (int, error) {
	if len(p) >= streamed {
		return c.r.ReadAt(p, off)
	}
	n := 0
	for n < len(p) {
		at := off + int64(n)
		b, err := c.block(at / blockSize)
		from := int(at % blockSize)
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

// block returns the bytes of one block: fewer than blockSize at the end of the file or, with an error, where reading
// failed. Blocks that failed are not kept.
func (c *blockCache) block(number int64) ([]byte, error) {
	c.mu.Lock()
	if e, ok := c.blocks[number]; ok {
		c.recent.MoveToFront(e)
		b := e.Value.(*block).bytes
		c.mu.Unlock()
		return b, nil
	}
	c.mu.Unlock()

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
		if c.recent.Len() > blockMax {
			old := c.recent.Back()
			c.recent.Remove(old)
			delete(c.blocks, old.Value.(*block).number)
		}
	}
	return b, nil
}
