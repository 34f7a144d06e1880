package model_test

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestColors(t *testing.T) {
	for _, c := range []struct {
		value any
		want  color.NRGBA
		ok    bool
	}{
		{model.Scalars{float32(1), float32(.5), float32(0)}, color.NRGBA{R: 255, G: 128, A: 255}, true},
		{model.Scalars{float32(7), float32(-1), float32(math.NaN()), float32(.2)}, color.NRGBA{R: 255, A: 51}, true},
		{"1, 0.5 ,0", color.NRGBA{R: 255, G: 128, A: 255}, true},
		{"0,0,1,0", color.NRGBA{B: 255}, true},
		{"SCENE_AMBIENT_COLOR", color.NRGBA{}, false},
		{"1, 2", color.NRGBA{}, false},
		{model.Scalars{uint64(1), uint64(1), uint64(1)}, color.NRGBA{}, false},
		{make(model.Scalars, 1000), color.NRGBA{}, false},
		{nil, color.NRGBA{}, false},
	} {
		n := &model.Node{Role: model.RoleColor, Value: c.value}
		got, ok := n.Color()
		assert.Equal(t, c.ok, ok, "%v", c.value)
		assert.Equal(t, c.want, got, "%v", c.value)
		n.Role = model.RoleNone
		_, ok = n.Color()
		assert.False(t, ok, "only a decoder knows it")
	}
}
