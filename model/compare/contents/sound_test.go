package contents

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
)

// wav is a sound of 16 bits.
func wav(t *testing.T, samples ...int16) any {
	t.Helper()
	var b bytes.Buffer
	size := uint32(2 * len(samples))
	b.WriteString("RIFF")
	for _, v := range []any{36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(1000), uint32(2000),
		uint16(2), uint16(16), []byte("data"), size, samples} {
		require.NoError(t, binary.Write(&b, binary.LittleEndian, v))
	}
	v, err := content.View(t.Context(), model.NewSource("a.wav", bytes.NewReader(b.Bytes()), int64(b.Len())))
	require.NoError(t, err)
	return v
}

func TestSoundChange(t *testing.T) {
	got, err := Compare(t.Context(), wav(t, 0, 100, 200), wav(t, 0, 100, 200), Options{})
	require.NoError(t, err)
	assert.Empty(t, got)
	got, err = Compare(t.Context(), wav(t, 0, 100, 200), wav(t, 0, 16484, 200, 300), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"length 0.003 s → 0.004 s", "1 of 4 samples changed, maximum difference 0.5 of full scale"}, got.Texts())
}
