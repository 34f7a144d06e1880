package kaitai

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMagic(t *testing.T) {
	for first, want := range map[string][][]byte{
		"{id: a, contents: PAK1}": {[]byte("PAK1")},
		"{id: a, contents: P}":    nil,
		`{id: a, type: str, size: 4, encoding: ASCII, valid: {any-of: ['"RIFF"', '"RIFX"']}}`: {[]byte("RIFF"),
			[]byte("RIFX")},
		`{id: a, type: str, size: 4, encoding: ASCII, valid: {any-of: ['"RIFF"', _io.size.to_s]}}`: nil,
		"{id: a, type: u4le, valid: {any-of: [1, 2]}}":                                             nil,
	} {
		d, err := (&Library{}).Read("x.ksy", []byte("meta: {id: x}\nseq: ["+first+"]"))
		require.NoError(t, err, first)
		assert.Equal(t, want, d.Magic(), first)
	}
}
