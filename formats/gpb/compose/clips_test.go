package compose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
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
		"begin = 25\nend = 50":                  {&scene.Clip{Start: .5, End: 1, Speed: 1}, nil},
		"end = 50":                              {&scene.Clip{End: 1, Speed: 1}, nil},
		"begin = 25.9\nend = 50.1\nspeed = 0.5": {&scene.Clip{Start: .5, End: 1, Speed: .5}, nil},
		"end = 50\nspeed = -2":                  {&scene.Clip{End: 1, Speed: -2}, nil},
		"end = 50\nspeed = -1e9":                {&scene.Clip{End: 1, Speed: -1}, nil},
		"begin = 25\nend = 101":                 {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
		"begin = 25":                            {nil, []string{"the clip c of res/a.animation is not a range of its 100 frames"}},
	} {
		s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "one"),
			"res/a.animation": []byte("animation a\n{\nframeCount = 100\nclip c\n{\n" + clip + "\n}\n}\n")})("res/a.gpb")
		require.Len(t, s.Animations, 1)
		first, last := s.Animations[0].Span()
		require.InDeltaSlice(t, []float32{0, 2}, []float32{first, last}, 1e-6)
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

// TestClipsAreCountedFromTheFirstKey: the engine subtracts its time (Animation::createChannel).
func TestClipsAreCountedFromTheFirstKey(t *testing.T) {
	moves := gpbtest.Channel("n", 9)
	moves.Times = gpbtest.Uints(1000, 1500, 3000)
	f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")}, Objects: []gpb.Object{
		gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#m"}}),
		&gpb.Animations{ID: "all", List: []*gpb.Animation{{ID: "a", Channels: []*gpb.Channel{moves}}}}}}
	s := gpbtest.SceneIn(t, map[string][]byte{"a.gpb": gpbtest.Encode(t, f, gpbtest.V15, gpbtest.ByID),
		"a.scene":     []byte("scene\n{\npath = a.gpb\n}\n"),
		"a.animation": []byte("animation a\n{\nframeCount = 100\nclip c\n{\nbegin = 25\nend = 100\n}\n}\n")})("a.scene")
	require.Len(t, s.Animations, 1)
	assert.Equal(t, []*scene.Clip{{Name: "c", Start: 1.5, End: 3, Speed: 1}}, s.Animations[0].Clips)
}
