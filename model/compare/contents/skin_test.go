package contents

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// skeleton returns a skin whose joints are bound one unit apart.
func skeleton(names ...string) *scene.Skin {
	s := &scene.Skin{BindShape: scene.Identity}
	for i, n := range names {
		inverse := scene.Identity
		inverse[12] = float32(-i)
		s.Joints, s.Inverse = append(s.Joints, &scene.Node{Name: n}), append(s.Inverse, inverse)
	}
	return s
}

func TestJointsAreComparedByNameAndBindPose(t *testing.T) {
	change := func(do func(s *scene.Skin), names ...string) []string {
		s := skeleton(names...)
		do(s)
		got, err := Compare(t.Context(), skeleton("hip", "knee", "foot"), s, Options{})
		require.NoError(t, err)
		return got.Texts()
	}
	none := func(*scene.Skin) {}
	assert.Empty(t, change(none, "hip", "knee", "foot"))
	assert.Equal(t, []string{"1 joint added (toe)"}, change(none, "hip", "knee", "foot", "toe"))
	assert.Equal(t, []string{"1 joint removed (foot)"}, change(none, "hip", "knee"))
	assert.Equal(t, []string{"1 joint renamed (Knee, was knee)"}, change(none, "hip", "Knee", "foot"))
	assert.Equal(t, []string{"2 joints moved (knee by 1, hip by 1)", "joints in another order"},
		change(none, "knee", "hip", "foot"))
	assert.Equal(t, []string{"1 joint rotated or scaled (foot)"}, change(func(s *scene.Skin) {
		quarter := scene.TRS{Rotation: [4]float32{0, 0, 0.70710678, 0.70710678}, Scale: [3]float32{1, 1, 1}}
		s.Inverse[2] = quarter.Matrix().Times(s.Inverse[2])
	}, "hip", "knee", "foot"))
	assert.Empty(t, change(func(s *scene.Skin) { s.Inverse = s.Inverse[:1] }, "hip")[1:], "fewer matrices than joints")
}

// skinned returns a mesh whose vertices follow two joints each.
func skinned(s *scene.Skin, follows ...[4]float32) *scene.Node {
	m := &scene.Mesh{Count: len(follows), Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Joints, Size: 2}, {Usage: scene.Weights, Size: 2}}}
	var v modeltest.Floats
	for i, f := range follows {
		v = append(v, float32(i), 0, 0, f[0], f[1], f[2], f[3])
	}
	m.Vertices = v
	return &scene.Node{Mesh: m, Skin: s}
}

func TestWeightsAreComparedJointByJoint(t *testing.T) {
	old := skinned(skeleton("hip", "knee"), [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .5, .5}, [4]float32{1, 0, 1, 0})
	for name, c := range map[string]struct {
		new  *scene.Node
		want []string
	}{
		"the same": {skinned(skeleton("hip", "knee"), [4]float32{0, 0, .75, .25}, [4]float32{1, 0, .5, .5},
			[4]float32{1, 9, 1, 0}), nil},
		"joints in another order": {skinned(skeleton("knee", "hip"), [4]float32{1, 0, 1, 0}, [4]float32{1, 0, .5, .5},
			[4]float32{0, 1, 1, 0}), nil},
		"a renamed joint": {skinned(skeleton("hip", "Knee"), [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .5, .5},
			[4]float32{1, 0, 1, 0}), nil},
		"painted": {skinned(skeleton("hip", "knee"), [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .75, .25},
			[4]float32{1, 0, .5, .5}),
			[]string{"weights of 2 of 3 vertices changed (hip: 2 vertices by up to 0.5, knee: 2 vertices by up to 0.5)"}},
		"a joint more": {skinned(skeleton("hip", "knee", "toe"), [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .5, .5},
			[4]float32{1, 2, .25, .75}),
			[]string{"weights of 1 of 3 vertices changed (knee: 1 vertex by up to 0.75, toe: 1 vertex by up to 0.75)"}},
		"missing joints": {skinned(skeleton("hip", "knee"), [4]float32{0, 1, 1, 0},
			[4]float32{0, 1, .5, .5}, [4]float32{-1, 70000, .25, .75}),
			[]string{"weights of 1 of 3 vertices changed (knee: 1 vertex by up to 1)"}},
	} {
		got, err := Compare(t.Context(), old, c.new, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Texts(), name)
	}
	more := skinned(skeleton("hip", "knee"), [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .75, .25}, [4]float32{1, 0, 1, 0},
		[4]float32{1, 0, 1, 0})
	got, err := Compare(t.Context(), old, more, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"3 → 4 vertices", "3 of the positions are in both",
		"weights of 1 of 3 vertices changed (hip: 1 vertex by up to 0.25, knee: 1 vertex by up to 0.25)"}, got.Texts())
	old.Skin = nil
	got, err = Compare(t.Context(), old, skinned(nil, [4]float32{0, 1, 1, 0}, [4]float32{0, 1, .75, .25},
		[4]float32{1, 0, 1, 0}), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 of 3 weights changed"}, got.Texts(), "without skins")
}
