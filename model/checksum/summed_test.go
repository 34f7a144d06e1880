package checksum_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/checksum"
)

func TestWriteSummed(t *testing.T) {
	for _, size := range []int{0, 5, 1 << 20} {
		b, h := bytes.Repeat([]byte{7}, size), sha256.New()
		var out bytes.Buffer
		require.NoError(t, checksum.WriteSummed(&out, b, h))
		require.NoError(t, checksum.WriteSummed(&out, b, nil))
		assert.Equal(t, 2*size, out.Len())
		want := sha256.Sum256(b)
		assert.Equal(t, want[:], h.Sum(nil))
	}
}
