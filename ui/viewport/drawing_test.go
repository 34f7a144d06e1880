package viewport

import (
	"context"
	"image"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/work"
)

func TestAClipIsFinerUnlessTheCameraMoves(t *testing.T) {
	d := newDrawer(work.Inline(context.Background()), func(frame) {})
	r := &request{view: render.ThreeQuarter, size: image.Pt(90, 70), moving: true}
	assert.Equal(t, frameTime, d.budget(r))
	assert.Equal(t, frameTime, d.budget(r), "something else moves, such as a light")
	r.player = new(scene.Player)
	assert.Equal(t, clipTime, d.budget(r))
	r.time += .1
	assert.Equal(t, clipTime, d.budget(r))
	for _, move := range []func(v *render.View){func(v *render.View) { v.Yaw += .1 },
		func(v *render.View) { v.Distance++ }, func(v *render.View) { v.Shift[1]++ },
		func(v *render.View) { v.Target[2]++ }, func(v *render.View) { v.Camera = new(scene.Node) }} {
		move(&r.view)
		assert.Equal(t, frameTime, d.budget(r), "the camera follows the pointer")
		assert.Equal(t, clipTime, d.budget(r), "it has stopped")
	}
}
