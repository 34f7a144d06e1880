package document_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
)

func TestKeysOfAChannelAreATable(t *testing.T) {
	d, _ := gpbtest.Open(t, gpbtest.Moves(t, 0, 250, 1000))
	times, err := d.Find("/objects/1/animations/0/channels/0/keyTimes")
	require.NoError(t, err)
	channel, keys := d.Keys(times)
	require.NotNil(t, channel)
	assert.Equal(t, "AnimationChannel", channel.Type)
	assert.EqualValues(t, 3, keys.Rows)
	assert.Equal(t, []string{"time (s)", "translation y"}, []string{keys.Title(0), keys.Title(1)})
	var got [][2]any
	for row := range keys.Rows {
		got = append(got, [2]any{keys.Cell(row, 0), keys.Cell(row, 1)})
	}
	assert.Equal(t, [][2]any{{float32(0), float32(1)}, {float32(.25), float32(2)}, {float32(1), float32(4)}}, got)
	assert.Equal(t, times.Offset+4+2*4, keys.Offset(2), "after the count and two times")
	none, _ := d.Keys(d.Root())
	assert.Nil(t, none)
}
