package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

func TestPlayables(t *testing.T) {
	pose, a := moved(scene.Translate, []float32{1, 2}, []float32{0, 0, 0, 1, 0, 0})
	b := &scene.Animation{Name: "b", Channels: a.Channels,
		Clips: []*scene.Clip{{Name: "walk", Start: 1.25, End: 1.5, Speed: 2}}}
	s := &scene.Scene{Roots: pose.Nodes[:1], Animations: []*scene.Animation{a, {Name: "still"}, b}}
	all := s.Playables()
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
		_, _ = all[i].Player(pose)
	}
	assert.Equal(t, []string{"All Animations", "Animation 1", "walk", "b"}, names)
	assert.Equal(t, [3]float32{1, 2, 1}, [3]float32{all[0].Start, all[0].End, all[0].Speed})
	assert.Equal(t, [3]float32{1.25, 1.5, 2}, [3]float32{all[2].Start, all[2].End, all[2].Speed})
}

func TestUnplayedChannelsAreTold(t *testing.T) {
	pose, a := moved(scene.Translate, []float32{1, 2}, []float32{0, 0, 0, 1, 0, 0})
	silent := &scene.Animation{Name: "silent", Channels: []*scene.Channel{{Target: pose.Nodes[0], TargetName: "node",
		Read: a.Channels[0].Read}}}
	s := &scene.Scene{Roots: pose.Nodes[:1], Animations: []*scene.Animation{a, silent}}
	assert.Equal(t, []string{`channels of missing nodes are not played (1, in "nobody")`,
		`channels with unknown properties are not played (1, in "node")`}, s.Unplayed())
	assert.Len(t, s.Playables(), 1, "what moves nothing is not offered")
}

func TestStandPosesWhatHasASkin(t *testing.T) {
	pose, a := moved(scene.Translate, []float32{1, 2}, []float32{0, 7, 0, 1, 0, 0})
	s := &scene.Scene{Roots: pose.Nodes[:1], Animations: []*scene.Animation{a}}
	pose.Stand(s)
	assert.Equal(t, [3]float32{1, 0, 0}, place(pose), "without a skin it stays as the file has it")
	pose.Nodes[0].Skin, pose.Nodes[0].Mesh = &scene.Skin{}, &scene.Mesh{}
	pose.Stand(s)
	require.Equal(t, [3]float32{1, 7, 0}, place(pose), "as the animation begins")
}
