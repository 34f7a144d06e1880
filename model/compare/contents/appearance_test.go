package contents

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/scene"
)

func TestChangesWithoutAColorAreNamed(t *testing.T) {
	made := func(do func(s *scene.Scene, lamp *scene.Node, eye *scene.Node, start []float32)) *scene.Scene {
		lamp := &scene.Node{Name: "lamp", Transform: scene.Identity, Light: &scene.Light{Color: [3]float32{1, 1, 1}}}
		eye := &scene.Node{Name: "eye", Transform: scene.Identity, Camera: &scene.Camera{FieldOfView: 1}}
		start := []float32{0, 0, 0, 9, 9, 9}
		s := &scene.Scene{Roots: []*scene.Node{lamp, eye}, ActiveCamera: eye, Animations: []*scene.Animation{{Name: "a",
			Channels: []*scene.Channel{{Target: lamp, TargetName: "lamp",
				Components: []scene.Component{scene.TranslateX, scene.TranslateY, scene.TranslateZ},
				Read:       func() ([]float32, []float32, error) { return []float32{0, 1}, start, nil }}}}}}
		do(s, lamp, eye, start)
		return s
	}
	for name, c := range map[string]struct {
		do   func(s *scene.Scene, lamp *scene.Node, eye *scene.Node, start []float32)
		want []string
	}{
		"nothing":          {func(*scene.Scene, *scene.Node, *scene.Node, []float32) {}, nil},
		"a light's color":  {func(_ *scene.Scene, l, _ *scene.Node, _ []float32) { l.Light.Color[0] = 0 }, []string{"lights"}},
		"a light's place":  {func(_ *scene.Scene, l, _ *scene.Node, _ []float32) { l.Transform[12] = 4 }, []string{"lights"}},
		"a light less":     {func(_ *scene.Scene, l, _ *scene.Node, _ []float32) { l.Light = nil }, []string{"lights"}},
		"ambient light":    {func(s *scene.Scene, _, _ *scene.Node, _ []float32) { s.Ambient[1] = 1 }, []string{"lights"}},
		"a camera":         {func(_ *scene.Scene, _, e *scene.Node, _ []float32) { e.Camera.FieldOfView = 2 }, []string{"cameras"}},
		"no active camera": {func(s *scene.Scene, _, _ *scene.Node, _ []float32) { s.ActiveCamera = nil }, []string{"cameras"}},
		"an animation's start": {func(_ *scene.Scene, _, _ *scene.Node, v []float32) { v[1] = 2 },
			[]string{"animations at their start"}},
		"an animation's end": {func(_ *scene.Scene, _, _ *scene.Node, v []float32) { v[4] = 2 }, nil},
	} {
		old := made(func(*scene.Scene, *scene.Node, *scene.Node, []float32) {})
		got, err := compareScenes(t.Context(), new(compare.Comparison), old, made(c.do), nil)
		require.NoError(t, err)
		assert.Equal(t, c.want, got.OtherChanges, name)
		assert.Zero(t, got.Counts.Differences(), name)
	}
}
