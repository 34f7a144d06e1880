package model

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStreamsAreNotCached(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 4*minDirectRead/16)
	c := newBlockCache(bytes.NewReader(content), int64(len(content)))
	short := make([]byte, 10)
	var err error
	for range 2 {
		_, err = c.ReadAt(short, 5)
		require.NoError(t, err)
		assert.Equal(t, "56789abcde", string(short))
	}
	require.Equal(t, 1, c.recent.Len())

	long := make([]byte, minDirectRead)
	for at := 0; at < len(content); at += len(long) {
		_, err := c.ReadAt(long, int64(at))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(content[at:at+len(long)], long))
	}
	assert.Equal(t, 1, c.recent.Len(), "the cached block is kept, and no other is added")
	_, err = c.ReadAt(long, int64(len(content))-1)
	assert.ErrorIs(t, err, io.EOF)
}

func TestScatteredReadsAreNotCached(t *testing.T) {
	content := make([]byte, 4*maxMisses*blockSize)
	for at := 0; at < len(content); at += blockSize {
		content[at] = byte(at / blockSize)
	}
	asked := 0
	c := newBlockCache(countingReader{bytes.NewReader(content), &asked}, int64(len(content)))
	one := make([]byte, 1)
	read := func(block int) {
		_, err := c.ReadAt(one, int64(block)*blockSize)
		require.NoError(t, err)
		assert.Equal(t, byte(block), one[0])
	}
	for range 2 {
		for block := 0; block < 4*maxMisses; block += 2 {
			read(block)
		}
	}
	assert.Equal(t, 4*maxMisses, asked, "no block is near another, so none is read whole")
	asked = 0
	read(1)
	read(2)
	read(3)
	read(4)
	assert.Equal(t, 1+3*blockSize, asked, "adjacent blocks are read whole")
}

func TestClosingAFileDropsItsBlocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(path, make([]byte, 3*blockSize), 0o600))
	s, err := OpenFile(path)
	require.NoError(t, err)
	s.Hold()
	for at := int64(0); at < 3*blockSize; at += 100 {
		_, err := s.ReadAt(make([]byte, 100), at)
		require.True(t, err == nil || err == io.EOF)
	}
	c := s.r.(*blockCache)
	require.NoError(t, s.Close())
	assert.Equal(t, 3, c.recent.Len(), "it is still held")
	require.NoError(t, s.Close())
	assert.Empty(t, c.blocks)
	assert.Zero(t, c.recent.Len())
}

// countingReader counts the requested bytes.
type countingReader struct {
	r     io.ReaderAt
	asked *int
}

func (c countingReader) ReadAt(p []byte, off int64) (int, error) {
	*c.asked += len(p)
	return c.r.ReadAt(p, off)
}
