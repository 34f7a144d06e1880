package scene_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/scene"
)

// moved is a node with a child, and an animation of one channel that moves the node.
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

// place is where the child's origin is.
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
	// From 0 to 90 degrees around z; the second quaternion is stored with the other sign, and is not of length 1.
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

func TestPlayerScalesAndKeepsWhatIsNotMoved(t *testing.T) {
	pose, a := moved([]scene.Component{scene.ScaleX, scene.TranslateZ}, []float32{0, 2}, []float32{1, 0, 3, 8})
	p, _ := scene.NewPlayer(pose, a)
	p.At(1)
	assert.Equal(t, [3]float32{2, 0, 4}, place(pose))
}

func TestPlayerPassesOverGarbage(t *testing.T) {
	nan := float32(math.NaN())
	pose, a := moved(scene.Translate, []float32{0, nan, 0, 1, 2},
		[]float32{1, 0, 0, 9, 9, 9, 9, 9, 9, nan, 2, 0, 7})
	p, problems := scene.NewPlayer(pose, a)
	assert.Equal(t, []string{`keys without values do not play (1, in "")`,
		`keys out of time order are skipped (2, in "")`}, problems)
	p.At(1)
	assert.Equal(t, [3]float32{1, 2, 0}, place(pose), "what is not a number does not move")
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

func TestPoseOfNodesThatMakeALoop(t *testing.T) {
	a := &scene.Node{Transform: scene.Identity}
	a.Transform[0] = float32(math.Inf(1))
	b := &scene.Node{Transform: scene.Identity, Children: []*scene.Node{a, nil}}
	a.Children = []*scene.Node{b}
	p := scene.NewPose(&scene.Scene{Roots: []*scene.Node{a}})
	assert.Equal(t, []int{-1, 0}, p.Parent)
	assert.Equal(t, scene.Identity, p.World[1], "what is not finite does not move")
	assert.Equal(t, -1, p.Index(&scene.Node{}))
}
