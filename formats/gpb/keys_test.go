package gpb_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// moves returns a bundle of an animation with one channel, that moves a node along y.
func moves(t *testing.T, times ...uint32) []byte {
	ch := &gpb.Channel{Target: "n", Attribute: 11, Times: gpbtest.Uints(times...),
		Values: gpbtest.Floats(1, 2, 4), Interpolation: gpbtest.Uints(1)}
	return write(t, &gpb.File{Objects: []gpb.Object{sceneOf(&gpb.Node{ID: "n", Transform: identity}),
		&gpb.Animations{ID: "a", List: []*gpb.Animation{{Name: "up", Channels: []*gpb.Channel{ch}}}}}},
		gpbtest.V12, gpbtest.ByID)
}

func TestKeysOfAChannelAreATable(t *testing.T) {
	d, _ := open(t, moves(t, 0, 250, 1000))
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

func TestAByteOfAKeyTellsItsTime(t *testing.T) {
	d, _ := open(t, moves(t, 0, 250, 1000))
	f := read(t, moves(t, 0, 250, 1000))
	ch := f.Scene(f.Objects[0].(*gpb.Scene)).Animations[0].Channels[0]
	for path, want := range map[string]float32{"keyTimes": .25, "values": .25} {
		n, err := d.Find("/objects/1/animations/0/channels/0/" + path)
		require.NoError(t, err)
		got, ok := ch.KeyAt(n.Offset + 4 + 4 + 3) // the last byte of the second number
		assert.True(t, ok, path)
		assert.Equal(t, want, got, path)
		_, ok = ch.KeyAt(n.Offset)
		assert.False(t, ok, "the count is of no key")
	}
}

func TestAKeyThatIsNotAfterTheOneBeforeIsToldOfItsNode(t *testing.T) {
	_, r := open(t, moves(t, 0, 1000, 1000))
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "/objects/1/animations/0/channels/0/keyTimes", r.Problems[0].Path)
	assert.Equal(t, model.Note, r.Problems[0].Severity)
	assert.Contains(t, r.Problems[0].Message, "key 2")
}
