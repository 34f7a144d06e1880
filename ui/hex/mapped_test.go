package hex

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
)

// holed is 16 bytes of a file from 0x100 on, nothing for 20 bytes, and the bytes from 0x110 on.
type holed struct{ counting }

func (holed) End() int64 { return 0x120 }

func (holed) Place(at int64) (int64, int64, bool) {
	switch {
	case at < 16:
		return 0x100 + at, 16 - at, true
	case at < 36:
		return 0, 36 - at, false
	}
	return 0x110 + at - 36, 52 - at, true
}

func TestPlacesWhereNothingIs(t *testing.T) {
	h, w := show(t, holed{counting{52}}, 700, 200)
	h.SetColumns(16)
	paintPage(h, w)
	assert.Equal(t, []state{known, absent, absent, known, known}, []state{h.states[15], h.states[16], h.states[35], h.states[36], h.states[51]})
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
	paintPage(h, w)
}

func TestFollow(t *testing.T) {
	a, w := show(t, fromBytes(make([]byte, 1<<16)), 700, 200)
	b := New(host.None{}, a.style, fromBytes(make([]byte, 1<<16)))
	b.Resize(a.Size())
	paintPage(a, w)
	scrolls := 0
	b.OnScroll = func() { scrolls++ }
	a.SetColumns(16)
	b.SetColumns(16)
	a.ScrollTo(40000)
	b.Follow(a)
	assert.Equal(t, a.rows.First(), b.rows.First())
	assert.Zero(t, scrolls)
}
