package scene_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/scene"
)

// moved returns the pose of a node with a child, and an animation that moves the node.
func moved(parts []scene.Component, times, values []float32) (*scene.Pose, *scene.Animation) {
	child := &scene.Node{Name: "child", Transform: scene.Identity}
	child.Transform[12] = 1
	node := &scene.Node{Name: "node", Transform: scene.Identity, Children: []*scene.Node{child}}
	a := &scene.Animation{Channels: []*scene.Channel{
		{Target: node, Components: parts,
			Read: func() ([]float32, []float32, error) { return times, values, nil }},
		{TargetName: "nobody", Components: parts,
			Read: func() ([]float32, []float32, error) { return times, values, nil }}}}
	return scene.NewPose(&scene.Scene{Roots: []*scene.Node{node}}), a
}

// place returns the position of the child.
func place(p *scene.Pose) [3]float32 {
	w := p.World[1]
	return [3]float32{w[12], w[13], w[14]}
}

func TestPlayerMovesInStraightLines(t *testing.T) {
	pose, a := moved([]scene.Component{scene.TranslateY}, []float32{1, 2, 4}, []float32{0, 10, 30})
	p, problems := scene.NewPlayer(pose, a)
	assert.Empty(t, problems)
	assert.Equal(t, [2]float32{1, 4}, [2]float32{p.Start, p.End})
	assert.Equal(t, []float32{1, 2, 4}, p.Keys())
	for at, y := range map[float32]float32{0: 0, 1: 0, 1.25: 2.5, 2: 10, 3: 20, 4: 30, 9: 30} {
		p.At(at)
		assert.Equal(t, [3]float32{1, y, 0}, place(pose), "at %v s", at)
	}
	pose.Reset()
	assert.Equal(t, [3]float32{1, 0, 0}, place(pose))
}

func TestPlayerTurnsTheShortWay(t *testing.T) {
	// From 0 to 90 degrees around z. The second quaternion has the opposite sign, and is not a unit quaternion.
	h := 3 * float32(math.Sqrt(.5))
	pose, a := moved(scene.Rotate, []float32{0, 3}, []float32{0, 0, 0, 1, 0, 0, -h, -h})
	p, _ := scene.NewPlayer(pose, a)
	p.At(1) // 30 degrees
	got := place(pose)
	assert.InDelta(t, math.Sqrt(3)/2, got[0], 1e-6)
	assert.InDelta(t, .5, got[1], 1e-6)
	p.At(3)
	assert.InDelta(t, 1, place(pose)[1], 1e-6)
}

func TestPlayerScalesAndKeepsUnanimatedNodes(t *testing.T) {
	pose, a := moved([]scene.Component{scene.ScaleX, scene.TranslateZ}, []float32{0, 2}, []float32{1, 0, 3, 8})
	p, _ := scene.NewPlayer(pose, a)
	p.At(1)
	assert.Equal(t, [3]float32{2, 0, 4}, place(pose))
}

func TestPlayerIgnoresInvalidChannels(t *testing.T) {
	nan := float32(math.NaN())
	pose, a := moved(scene.Translate, []float32{0, nan, 0, 1, 2},
		[]float32{1, 0, 0, 9, 9, 9, 9, 9, 9, nan, 2, 0, 7})
	p, problems := scene.NewPlayer(pose, a)
	assert.Equal(t, []string{`keys without values do not play (1)`,
		`keys out of time order are skipped (2)`}, problems)
	p.At(1)
	assert.Equal(t, [3]float32{1, 2, 0}, place(pose), "a NaN does not move the node")
	for _, q := range []float32{0, nan, float32(math.Inf(1))} {
		pose, a = moved(scene.Rotate, []float32{0, 1}, []float32{q, q, q, q, 0, 0, 0, 1})
		p, _ = scene.NewPlayer(pose, a)
		p.At(.5)
		assert.Equal(t, [3]float32{1, 0, 0}, place(pose))
	}
	pose, a = moved(scene.Translate, nil, nil)
	p, _ = scene.NewPlayer(pose, a)
	assert.Equal(t, [2]float32{0, 0}, [2]float32{p.Start, p.End})
	p.At(5)
	assert.Equal(t, [3]float32{1, 0, 0}, place(pose))
}

func TestPlayablesAreAnimationsAndClips(t *testing.T) {
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

func TestUnplayedChannelsAreReported(t *testing.T) {
	pose, a := moved(scene.Translate, []float32{1, 2}, []float32{0, 0, 0, 1, 0, 0})
	silent := &scene.Animation{Name: "silent", Channels: []*scene.Channel{{Target: pose.Nodes[0], TargetName: "node",
		Read: a.Channels[0].Read}}}
	s := &scene.Scene{Roots: pose.Nodes[:1], Animations: []*scene.Animation{a, silent}}
	assert.Equal(t, []string{`channels of missing nodes are not played (1, in "nobody")`,
		`channels with unknown properties are not played (1, in "node")`}, s.Unplayed())
	assert.Len(t, s.Playables(), 1, "an animation that moves nothing is not listed")
}
