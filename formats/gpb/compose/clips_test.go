package compose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

// TestClips has what the engine reads of clips (Animation::createClips): frames are whole numbers, and 0 where none is
// given. The animation of crates is 2 seconds long.
func TestClips(t *testing.T) {
	for clip, test := range map[string]struct {
		want *scene.Clip
		says []string
	}{
		"begin = 25\nend = 50":                           {&scene.Clip{Start: .5, End: 1, Repeat: 1, Speed: 1}, nil},
		"end = 50":                                       {&scene.Clip{End: 1, Repeat: 1, Speed: 1}, nil},
		"begin = 25.9\nend = 50.1\nspeed = 0.5":          {&scene.Clip{Start: .5, End: 1, Repeat: 1, Speed: .5}, nil},
		"begin = 0\nend = 100\nrepeatCount = 2.5":        {&scene.Clip{End: 2, Repeat: 2.5, Speed: 1}, nil},
		"end = 50\nspeed = -2\nrepeatCount = INDEFINITE": {&scene.Clip{End: 1, Speed: -2}, nil},
		"end = 50\nspeed = -1e9":                         {&scene.Clip{End: 1, Repeat: 1, Speed: -1}, nil},
		"begin = 25\nend = 101":                          {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
		"begin = 25":                                     {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "one"),
			"res/a.animation": []byte("animation a\n{\nframeCount = 100\nclip c\n{\n" + clip + "\n}\n}\n")})("res/a.gpb")
		require.Len(t, s.Animations, 1)
		require.InDelta(t, 2, s.Animations[0].Duration(), 1e-6)
		name := strings.ReplaceAll(clip, "\n", ", ")
		assert.Equal(t, test.says, s.Missing, name)
		if test.want == nil {
			assert.Empty(t, s.Animations[0].Clips, name)
			continue
		}
		test.want.Name = "c"
		assert.Equal(t, []*scene.Clip{test.want}, s.Animations[0].Clips, name)
	}
}
