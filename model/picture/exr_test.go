package picture

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEXRHoldsTheValuesAsTheyAre(t *testing.T) {
	const width, height = 3, 2
	for _, f := range []Format{RHalf, RGHalf, RGBHalf, RGBAHalf, RFloat, RGFloat, RGBFloat, RGBAFloat} {
		t.Run(f.String(), func(t *testing.T) {
			pix := make([]byte, f.Size(width, height))
			for i := range pix {
				pix[i] = byte(i)
			}
			img := decoded(t, f, width, height, pix).(*Deep)
			var out bytes.Buffer
			require.NoError(t, img.WriteEXR(context.Background(), &out))
			b := out.Bytes()
			assert.EqualValues(t, 0x01312f76, little.Uint32(b))

			size, channels := img.sample.bytes(), img.channels
			line := 8 + width*channels*size
			table := len(b) - height*line - 8*height
			for y := range height {
				at := int(little.Uint64(b[table+8*y:]))
				require.Equal(t, table+8*height+y*line, at)
				require.EqualValues(t, y, little.Uint32(b[at:]))
				require.EqualValues(t, line-8, little.Uint32(b[at+4:]))
				for c := range channels {
					for x := range width {
						in := at + 8 + ((channels-1-c)*width+x)*size // the alphabet turns RGBA round
						require.Equal(t, img.at(x, y, c)[:size], b[in:in+size])
					}
				}
			}
			assert.Equal(t, byte(0), b[table-1], "the end of the header")
		})
	}
}

func TestEXRThatCannotBeWritten(t *testing.T) {
	img := decoded(t, RHalf, 2, 2, make([]byte, 8)).(*Deep)
	full := errors.New("full")
	assert.ErrorIs(t, img.WriteEXR(context.Background(), failing{full}), full)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, img.WriteEXR(over, &bytes.Buffer{}), context.Canceled)
	assert.Error(t, decoded(t, R16, 2, 2, make([]byte, 8)).(*Deep).WriteEXR(context.Background(), &bytes.Buffer{}))
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
