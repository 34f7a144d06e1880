//go:build unix

package formats_test

import (
	"bufio"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/dprsim/dprsimtest"
	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// The benchmarks in this file draw scenes of files as the window does, at 800x600. They report the best time and the
// least processor time of all runs, in milliseconds: on a machine that does other things as well the mean says little.

// fastest runs work as often as the benchmark asks.
func fastest(b *testing.B, work func()) {
	wall, cpu := time.Hour, time.Hour
	for b.Loop() {
		start, used := time.Now(), cpuTime(b)
		work()
		wall, cpu = min(wall, time.Since(start)), min(cpu, cpuTime(b)-used)
	}
	b.ReportMetric(float64(wall.Microseconds())/1000, "best-ms")
	b.ReportMetric(float64(cpu.Microseconds())/1000, "cpu-ms")
}

// sceneFile is a scene to be measured, which SCENE names.
func sceneFile(b *testing.B) string {
	path := os.Getenv("SCENE")
	if path == "" {
		b.Skip("SCENE names no file with a scene")
	}
	return path
}

// sceneOf opens a file and reads its scene for drawing.
func sceneOf(b *testing.B, path string) *render.Model {
	d, err := formats.Opener{}.OpenFile(b.Context(), path)
	require.NoError(b, err)
	defer d.Source.Close()
	v, err := d.View(b.Context(), d.Root())
	require.NoError(b, err)
	m, err := render.Load(b.Context(), v.(*scene.Scene))
	require.NoError(b, err)
	return m
}

// orbit draws a model from one side after another.
func orbit(b *testing.B, m *render.Model, pose func()) {
	img := image.NewNRGBA(image.Rect(0, 0, 800, 600))
	v := m.UnlockCamera(render.ThreeQuarter, 800, 600)
	var r render.Renderer
	fastest(b, func() {
		v.Yaw += .05
		pose()
		require.NoError(b, r.Draw(b.Context(), img, m, v))
	})
}

func first(b *testing.B, path string) {
	fastest(b, func() {
		img := image.NewNRGBA(image.Rect(0, 0, 800, 600))
		var r render.Renderer
		require.NoError(b, r.Draw(b.Context(), img, sceneOf(b, path), render.ThreeQuarter))
	})
}

func BenchmarkSceneFirstPicture(b *testing.B) { first(b, sceneFile(b)) }

func BenchmarkSceneOrbit(b *testing.B) { orbit(b, sceneOf(b, sceneFile(b)), func() {}) }

func BenchmarkScenePlay(b *testing.B) {
	m := sceneOf(b, sceneFile(b))
	if len(m.Scene().Animations) == 0 {
		b.Skip("nothing moves")
	}
	p, _ := scene.NewPlayer(m.Pose(), m.Scene().Animations[0])
	at := p.Start
	orbit(b, m, func() {
		at += 1. / 60
		p.At(at)
		m.Update()
	})
}

func BenchmarkTrianglesOrbit(b *testing.B) {
	m, err := render.Load(b.Context(), modeltest.Torus(200_000))
	require.NoError(b, err)
	orbit(b, m, func() {})
}

// BenchmarkSceneThumbnailAgainstF3D makes a thumbnail of a scene and has f3d make one of its GLB.
func BenchmarkSceneThumbnailAgainstF3D(b *testing.B) {
	path, out := sceneFile(b), b.TempDir()
	glb := filepath.Join(out, "scene.glb")
	d, err := formats.Opener{}.OpenFile(b.Context(), path)
	require.NoError(b, err)
	v, err := d.View(b.Context(), d.Root())
	require.NoError(b, err)
	writeFile(b, glb, func(f *os.File) {
		_, err := v.(*scene.Scene).WriteGLB(b.Context(), f, scene.GLBOptions{})
		require.NoError(b, err)
	})
	require.NoError(b, d.Source.Close())
	peer := command(b, "f3d", "--resolution", "256,256", "--output", filepath.Join(out, "f3d.png"), glb)
	compareWithPeer(b, peer, assay(b, "thumbnail", "-s", "256", path, filepath.Join(out, "assay.png")), func() {})
}

// catoms writes a world of a million cubes.
func catoms(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "million.world")
	return writeFile(b, path, func(f *os.File) {
		w := bufio.NewWriterSize(f, 1<<20)
		require.NoError(b, dprsimtest.Cube(w, 100))
		require.NoError(b, w.Flush())
	})
}

func BenchmarkMillionCatomsFirstPicture(b *testing.B) { first(b, catoms(b)) }

func BenchmarkMillionCatomsOrbit(b *testing.B) { orbit(b, sceneOf(b, catoms(b)), func() {}) }
