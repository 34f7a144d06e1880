package hex

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
)

// holed is data with a gap: 16 bytes of a file from 0x100, 20 bytes of nothing, then the bytes from 0x110.
type holed struct{ counting }

func (holed) End() int64 { return 0x120 }

func (holed) FileOffset(at int64) (int64, int64, bool) {
	switch {
	case at < 16:
		return 0x100 + at, 16 - at, true
	case at < 36:
		return 0, 36 - at, false
	}
	return 0x110 + at - 36, 52 - at, true
}

func TestGapsArePaintedAsNothingAndNotCopied(t *testing.T) {
	h, _ := show(t, holed{counting{52}}, 700, 200)
	h.SetBytesPerRow(16)
	assert.Equal(t, []string{
		"00000100  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f ................",
		"00000110             24 25 26 27 28 29 2a 2b 2c 2d 2e 2f    $%&'()*+,-./",
		"0000011c  30 31 32 33                                   0123",
	}, painted(t, h)[1:], "the second row is empty")
	assert.Equal(t, []state{loaded, absent, absent, loaded, loaded},
		[]state{h.states[15], h.states[16], h.states[35], h.states[36], h.states[51]})
	for row, want := range []int64{0x100, -1, 0x110, 0x11c} {
		at, ok := h.rowOffset(int64(row) * 16)
		assert.Equal(t, want >= 0, ok)
		if ok {
			assert.Equal(t, want, at, "row %d", row)
		}
	}
	h.SetRange(14, 24)
	text, err := h.Copy(AsHex)
	require.NoError(t, err)
	assert.Equal(t, "0e 0f 24 25", text)
	h.SetCaret(20)
	painted(t, h)
}

func TestFollowScrollsWithoutAnEvent(t *testing.T) {
	a, _ := show(t, fromBytes(make([]byte, 1<<16)), 700, 200)
	b := New(host.None{}, a.style, a.group, fromBytes(make([]byte, 1<<16)))
	b.Resize(a.Size())
	painted(t, a)
	scrolls := 0
	b.OnScroll = func() { scrolls++ }
	a.SetBytesPerRow(16)
	b.SetBytesPerRow(16)
	a.ScrollTo(40000)
	b.Follow(a)
	assert.Equal(t, a.rows.First(), b.rows.First())
	assert.Zero(t, scrolls)
}
