package compose

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/model/scene"
)

// countedAnimation returns an animation of one channel, and the number of times that its keys were read.
func countedAnimation(name string) (*scene.Animation, *int) {
	reads := new(int)
	return &scene.Animation{Name: name, Channels: []*scene.Channel{{Read: func() ([]float32, []float32, error) {
		*reads++
		return []float32{0, 2}, nil, nil
	}}}}, reads
}

// TestClipsAreLimited has thousands of namespaces for one animation, and more clips than a scene may have.
func TestClipsAreLimited(t *testing.T) {
	var text strings.Builder
	for i := range maxClips + 500 {
		fmt.Fprintf(&text, "animation walk\n{\nframeCount = 10\nclip c%d\n{\nbegin = 0\nend = 5\n}\n}\n", i)
	}
	p := project.New(fstest.MapFS{"a.animation": {Data: []byte(text.String())}}, "a.gpb")
	walk, reads := countedAnimation("walk")
	other, otherReads := countedAnimation("other")
	out := &scene.Scene{Animations: []*scene.Animation{walk, other}}
	addClips(material.NewResources(t.Context(), p, out), out)
	assert.Equal(t, 1, *reads)
	assert.Zero(t, *otherReads)
	require.Len(t, walk.Clips, maxClips)
	assert.Equal(t, scene.Clip{Name: "c0", End: 1, Speed: 1}, *walk.Clips[0])
	assert.Equal(t, []string{"there are more than 10000 clips; the rest is ignored"}, out.Missing)
}

func TestClipsWithAnyIDAreOfTheOnlyAnimation(t *testing.T) {
	const text = "animation x\n{\nframeCount = 2\nclip c\n{\nbegin = 1\nend = 2\n}\n}\n"
	p := project.New(fstest.MapFS{"a.animation": {Data: []byte(text)}}, "a.gpb")
	walk, _ := countedAnimation("walk")
	out := &scene.Scene{Animations: []*scene.Animation{walk}}
	addClips(material.NewResources(t.Context(), p, out), out)
	require.Len(t, walk.Clips, 1)
	assert.Equal(t, scene.Clip{Name: "c", Start: 1, End: 2, Speed: 1}, *walk.Clips[0])
}
