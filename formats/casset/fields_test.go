package casset

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

// TestUUIDsAreWrittenInGroups has the bytes of the facts, and what the engine prints for them.
func TestUUIDsAreWrittenInGroups(t *testing.T) {
	for value, want := range map[any]string{
		"0500c1d591c72d42ed800f36e6fa31a1": "422dc791-d5c1-0005-a131-fae6360f80ed",
		uint64(0x60ef5b406fc652b5):         "60ef-5b40-6fc6-52b5",
		"no digits":                        "",
		nil:                                "",
	} {
		assert.Equal(t, want, writtenUUID(&model.Node{Type: "uuid", Value: value}), value)
	}
	assert.Empty(t, writtenUUID(&model.Node{Type: "u64", Value: uint64(1)}))
}

func TestTypeBytesAreAnEnumeration(t *testing.T) {
	assert.Contains(t, writtenTypes.All(), model.NamedNumber{Number: 0x1B, Name: "uuid"})
	assert.Contains(t, writtenTypes.All(), model.NamedNumber{Number: 0x13, Name: "object array"})
	assert.NotContains(t, publishedTypes.All(), model.NamedNumber{Number: 0x1B, Name: "uuid"})
	assert.True(t, writtenTypes.Has(uint64(3), 3))
	assert.False(t, writtenTypes.Has(uint64(3), 4))
	assert.Empty(t, writtenTypes.Of(uint64(0x1D)))
	assert.Empty(t, writtenTypes.Of("text"))
	assert.Empty(t, writtenTypes.Of(uint64(256)))
}
