package viewport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheFrameRateIsSaidOnRequest(t *testing.T) {
	r := rate{}
	now := time.Unix(100, 0)
	f := frame{took: 12 * time.Millisecond, request: &request{moving: true}}
	assert.Empty(t, r.text(f, now))
	r.on = true
	assert.Equal(t, "12 ms per frame", r.text(f, now), "one tells no rate")
	text := ""
	for range 50 {
		now = now.Add(25 * time.Millisecond)
		text = r.text(f, now)
	}
	assert.Equal(t, "40 fps · 12 ms per frame", text)
	now = now.Add(time.Hour)
	assert.Equal(t, "12 ms per frame", r.text(f, now), "a new movement")

	v, _ := shown(t, moving())
	assert.Empty(t, v.canvas.rate.shown())
	v.commands.Run("scene.frame-rate", v)
	assert.Contains(t, v.canvas.rate.shown(), "ms a picture")
	v.commands.Run("scene.frame-rate", v)
	assert.Empty(t, v.canvas.rate.shown())
}
