package compose_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

const animated = `scene
{
    path = crates.gpb
    node lid
    {
        url = one
    }
    animations
    {
        animation open
        {
            target = lid
            url = moves.animation#open
        }
        animation blink
        {
            target = two
            url = moves.animation#parts/blink
        }
        animation curved
        {
            target = two
            url = moves.animation#curved
        }
        animation lost
        {
            target = three
            url = moves.animation#open
        }
        animation empty
        {
            target = two
            url = moves.animation#empty
        }
        animation nowhere
        {
            target = two
        }
    }
}`

const moves = `animation open
{
    property = ANIMATE_ROTATE
    keyCount = 2
    keyTimes = 500 1500
    keyValues = 0 0 0 1 0 1 0 0
    curve = LINEAR
    frameCount = 100
    clip half
    {
        begin = 0
        end = 50
        repeatCount = INDEFINITE
        speed = 2
    }
}
parts parts
{
    animation blink
    {
        property = ANIMATE_SCALE_Y
        keyCount = 3
        keyTimes = 0 1000 2000 3000
        keyValues = 1 5 1 9
        curve = STEP
    }
}
animation curved
{
    property = ANIMATE_TRANSLATE_XZ
    keyCount = 2
    keyTimes = 0, 1000
    keyValues = 0 0 4 8
    curve = QUADRATIC_IN
}
animation empty
{
    property = ANIMATE_UNIFORM
    keyCount = 1
    keyTimes = 0
    keyValues = 1
    curve = LINEAR
}
`

// TestAnimationsOfAScene plays what a .scene names in files: of a node that the .scene gave its name, a nested
// animation, a curve that is not drawn; and has what cannot play.
func TestAnimationsOfAScene(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte(animated), "moves.animation": []byte(moves),
		"crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	require.Len(t, s.Animations, 4, "that of the bundle, too")
	n := gpbtest.NodesByName(s)
	at := func(animation int, seconds float32, node string) scene.TRS {
		p := scene.NewPose(s)
		player, problems := scene.NewPlayer(p, s.Animations[animation])
		assert.Empty(t, problems)
		player.At(seconds)
		place, _ := p.World[p.Index(n[node])].Parts()
		return place
	}
	rest := at(1, 0, "two")
	assert.InDelta(t, .7071, at(1, .5, "lid").Rotation[1], 1e-4, "half a turn in a second: times begin with the first")
	assert.Equal(t, []*scene.Clip{{Name: "half", End: .5, Speed: 2}}, s.Animations[1].Clips)
	for seconds, size := range map[float32]float32{.9: 1, 1: 5, 1.9: 5, 2: 1, 2.9: 1} {
		assert.InDelta(t, size, at(2, seconds, "two").Scale[1], 1e-5, "after %v s: a fourth key is not counted", seconds)
	}
	moved := at(3, .5, "two")
	assert.InDelta(t, 2, moved.Translation[0], 1e-5)
	assert.InDelta(t, rest.Translation[1], moved.Translation[1], 1e-5)
	assert.InDelta(t, 4, moved.Translation[2], 1e-5)
	assert.Equal(t, []string{
		"the animation curved is played with linear interpolation instead of QUADRATIC_IN",
		"the animation lost does not play: there is no node three",
		"the animation empty does not play: moves.animation#empty needs a property to move, keyCount, keyTimes, " +
			"keyValues and curve",
		"the animation nowhere does not play: it needs an id, a target and a url"}, s.Missing)

	s = gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte("scene\n{\nnode a\n{\nurl = crates.gpb#two\n}\n" +
		"node b\n{\nurl = crates.gpb#one\n}\n}\n"), "crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	require.Len(t, s.Animations, 1, "that of the node that moves, not of all that have its bundle")
	assert.Equal(t, "b", s.Animations[0].Channels[0].Target.Name)
}

func TestAnimationsOfASceneInGLB(t *testing.T) {
	s := gpbtest.SceneIn(t, map[string][]byte{"level.scene": []byte(animated), "moves.animation": []byte(moves),
		"crates.gpb": gpbtest.Crates(t, "one", "two")})("level.scene")
	var out bytes.Buffer
	lost, err := s.WriteGLB(t.Context(), &out, scene.GLBOptions{})
	require.NoError(t, err)
	assert.Subset(t, lost, s.Missing)
	for _, name := range []string{"open", "half", "blink", "curved"} {
		assert.Contains(t, out.String(), `{"name":"`+name+`","channels":`)
	}
}
