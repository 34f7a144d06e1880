//go:build unix

package viewport

import (
	"context"
	"image"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/work"
)

// benched returns the scene of the benchmarks: that of the file SCENE, or as many triangles as the largest real one
// has.
func benched(b *testing.B) *scene.Scene {
	b.Helper()
	path := os.Getenv("SCENE")
	if path == "" {
		return modeltest.Torus(51_464)
	}
	d, err := formats.Opener{}.OpenFile(b.Context(), path)
	require.NoError(b, err)
	b.Cleanup(func() { d.Source.Close() })
	v, err := d.View(b.Context(), d.Root())
	require.NoError(b, err)
	return v.(*scene.Scene)
}

// BenchmarkMoving draws moving pictures of 900 x 700 pixels: while the camera turns, and while all clips play. It
// reports the best time and the least processor time of a picture, in milliseconds: on a machine that does other
// things as well, the mean says little. The last scale says how many pixels of the screen one of the picture covers.
func BenchmarkMoving(b *testing.B) {
	for _, what := range []string{"orbit", "playing"} {
		b.Run(what, func(b *testing.B) {
			m, err := render.Load(b.Context(), benched(b))
			require.NoError(b, err)
			d := newDrawWorker(work.Inline(context.Background()), func(drawnFrame) {})
			r := &drawRequest{model: m, view: render.ThreeQuarter, size: image.Pt(900, 700), moving: true}
			if what == "playing" {
				clips := m.Scene().Playables()
				if len(clips) == 0 {
					b.Skip("the scene has no clips")
				}
				r.player, _ = clips[0].Player(m.Pose())
			}
			wall, cpu := time.Hour, time.Hour
			for b.Loop() {
				start, used := time.Now(), cpuTime(b)
				if r.player != nil {
					r.time += 1. / 60
				} else {
					r.view.Yaw += .05
				}
				d.poseModels(r, nil)
				d.drawCoarse(b.Context(), r)
				wall, cpu = min(wall, time.Since(start)), min(cpu, cpuTime(b)-used)
			}
			b.ReportMetric(float64(wall.Microseconds())/1000, "best-ms")
			b.ReportMetric(float64(cpu.Microseconds())/1000, "cpu-ms")
			b.ReportMetric(d.shrink, "scale")
		})
	}
}

// cpuTime returns the processor time of the process.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
