package model

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStreamsGoPastTheCache(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 4*streamed/16)
	c := newBlockCache(bytes.NewReader(content), int64(len(content)))
	short := make([]byte, 10)
	_, err := c.ReadAt(short, 5)
	require.NoError(t, err)
	assert.Equal(t, "56789abcde", string(short))
	require.Equal(t, 1, c.recent.Len())

	long := make([]byte, streamed)
	for at := 0; at < len(content); at += len(long) {
		_, err := c.ReadAt(long, int64(at))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(content[at:at+len(long)], long))
	}
	assert.Equal(t, 1, c.recent.Len(), "what the window shows is still there, and nothing else")
	_, err = c.ReadAt(long, int64(len(content))-1)
	assert.ErrorIs(t, err, io.EOF)
}
