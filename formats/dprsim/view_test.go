package dprsim

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/render"
	"assay/model/scene"
)

// viewedPoints returns the points of what there is to look at of a node.
func viewedPoints(t *testing.T, b []byte, path string) []*scene.Points {
	t.Helper()
	d := open(t, "a.world", b)
	v, err := d.View(context.Background(), find(t, d, path))
	require.NoError(t, err)
	if v == nil {
		return nil
	}
	var all []*scene.Points
	for _, n := range v.(*scene.Scene).Roots {
		all = append(all, n.Points)
	}
	return all
}

func TestCatomsAreCubes(t *testing.T) {
	for name, uneven := range map[string]bool{"of one size": false, "of different sizes": true} {
		t.Run(name, func(t *testing.T) {
			b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
				func(s *dprsimtest.StateWriter) {
					for i := range 300 {
						state := simBytes(byte(i % 100))
						if uneven && i%7 == 3 {
							state = append(state, 1, 2, 3)
						}
						if uneven && i == 5 {
							state = state[:2]
						}
						s.Catom(uint32(i), state)
					}
				})
			points := viewedPoints(t, b, "/")
			require.Len(t, points, 1)
			p := points[0]
			assert.Equal(t, 300, p.Count)
			assert.Equal(t, float32(1), p.Edge)
			all := make([]scene.Dot, 300)
			require.NoError(t, p.Read(0, all))
			assert.Equal(t, [3]float32{99, -2, 3}, all[199].Position)
			assert.Equal(t, [4]uint8{10, 20, 30, 0}, all[199].Color)
			assert.Equal(t, uneven, math.IsNaN(float64(all[5].Position[2])), "a catom without a place is at no place")
			var one [1]scene.Dot
			for _, i := range []int{299, 0, 64, 63, 200} {
				require.NoError(t, p.Read(i, one[:]))
				assert.Equal(t, all[i], one[0], "catom %d alone", i)
			}
		})
	}
}

func TestPartWithoutPositionsHasNoView(t *testing.T) {
	sim := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) })
	assert.Len(t, viewedPoints(t, sim, "/chunks/1/content"), 1)
	assert.Empty(t, viewedPoints(t, sim, "/chunks/0/content"), "a listing of modules has no view")
	other := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "other", Types: "c", Names: "x"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, []byte{1}) })
	assert.Empty(t, viewedPoints(t, other, "/"), "nor a body without positions")
}

// sceneOf returns what a file on disk looks like as a whole.
func sceneOf(t *testing.T, file string) *scene.Scene {
	t.Helper()
	src, err := model.OpenFile(file)
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	d, err := Open(t.Context(), src)
	require.NoError(t, err)
	v, err := d.View(t.Context(), d.Root())
	require.NoError(t, err)
	return v.(*scene.Scene)
}

func TestAnExperimentIsDrawnWithItsWorld(t *testing.T) {
	folder := t.TempDir()
	world, err := os.ReadFile(filepath.Join("..", "..", "assets", "samples", "ball.world"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "ball.world"), world, 0o600))
	file := filepath.Join(folder, "a.experiment")
	require.NoError(t, os.WriteFile(file, []byte("WORLD=ball.world\nTIMESTEPS=3\nCAMERA=0,5,20\nCAMERALOOK=0,5,0\n"+
		"OBJECT=SPHERE,1,2,3,0,0,0,0,255,0,0,100,5\nOBJECT=BOX,0,0,0,90,0,0,255,0,0,0,100,4,2,6\n"+
		"OBJECT=CCYL,0,0,0,0,0,0,0,0,255,0,100,1,10\nOBJECT=PLANE,1,2,3,0,0,0,255,0,64,0,100,0,2,0,0\n"+
		"OBJECT=PLANE,0,0,0,0,0,0,0,0,255,0,100,0,0,1,5\nOBJECT=PLANE,0,0,0,0,0,0,0,0,255,0,100,0,0,0,0\n"+
		"OBJECT=PLANE,0,0,0,0,0,0,0,0,255,0,100,0,0,1\nLATTICE=hex\n"), 0o600))
	s := sceneOf(t, file)
	require.Len(t, s.Roots, 6)
	assert.Equal(t, []string{"object 5, PLANE, is not drawn: the sign of d is not specified for planes",
		"object 6, PLANE, is not drawn: a, b, and c are all zero",
		"object 7, PLANE, is not drawn: the type or its arguments are not specified",
		"unknown lattice hex; catoms are drawn as for LATTICE=cube",
		"which axis of CAMERA and CAMERALOOK points up, and the field of view, are not documented: y and 45° " +
			"are assumed"}, s.Missing)
	sphere, plane, catoms, camera := s.Roots[0], s.Roots[3], s.Roots[4], s.Roots[5]
	assert.Equal(t, [3]float32{1, 3, -2}, [3]float32(sphere.Transform[12:15]), "z points up")
	ball := sphere.Children[0]
	assert.Equal(t, []float32{5, 5, 5}, []float32{ball.Transform[0], ball.Transform[5], ball.Transform[10]})
	assert.Equal(t, [4]float32{0, 1, 0, 1}, ball.Materials[0].Diffuse, "alpha 0 is seen")
	assert.Equal(t, [4]float32{1, 0, 64. / 255, 1}, plane.Children[0].Materials[0].Diffuse, "its second b is no blue")
	assert.Positive(t, catoms.Points.Count)
	assert.Equal(t, [3]float32{0, 5, 20}, [3]float32(camera.Transform[12:15]))
	assert.InDelta(t, 1, camera.Transform[10], 1e-6, "it looks along -z")
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.False(t, m.ZUp(), "the scene is upright already")
}

func TestExperimentWithoutAnythingToDrawHasNoView(t *testing.T) {
	d := open(t, "a.experiment", []byte("TIMESTEPS=3\nOBJECT=SPHERE,x\nGRAVITY=1\n"))
	v, err := d.View(t.Context(), d.Root())
	require.NoError(t, err)
	assert.Nil(t, v)
}

// TestFileThatIsNoStateIsNoWorld opens experiments whose WORLD is not a file of catoms.
func TestFileThatIsNoStateIsNoWorld(t *testing.T) {
	const object = "OBJECT=SPHERE,1,2,3,0,0,0,0,255,0,0,100,5\n"
	folder := t.TempDir()
	for name, text := range map[string]string{
		"itself.experiment": "WORLD=itself.experiment\n" + object,
		"stem.experiment":   "WORLD=stem\n" + object,
		"first.experiment":  "WORLD=second.experiment\n" + object,
		"second.experiment": "WORLD=third.world\n" + object,
		"third.world":       "WORLD=first.experiment\nTIMESTEPS=1\n" + object,
		"chain.experiment":  "WORLD=third.world\n" + object,
		"folder.experiment": "WORLD=inner.world\n" + object,
		"gone.experiment":   "WORLD=gone.world\n" + object,
		"outer.experiment":  "WORLD=../a.world\n" + object,
		"empty.experiment":  "WORLD=empty.world\n" + object,
		"empty.world":       "",
		"magic.experiment":  "WORLD=magic.world\n" + object,
		"magic.world":       "CLAY",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "inner.world"), 0o700))
	for name, missing := range map[string]string{
		"itself": "the world itself.experiment cannot be drawn: no catom positions in this file",
		"stem":   "world file stem not found beside the experiment",
		"first":  "the world second.experiment cannot be drawn: no catom positions in this file",
		"chain":  "the world third.world cannot be drawn: no catom positions in this file",
		"folder": "world file inner.world not found beside the experiment",
		"gone":   "world file gone.world not found beside the experiment",
		"outer":  "world file ../a.world not found beside the experiment",
		"empty":  "the world empty.world cannot be drawn: no catom positions in this file",
		"magic":  "the world magic.world cannot be drawn: no catom positions in this file",
	} {
		t.Run(name, func(t *testing.T) {
			s := sceneOf(t, filepath.Join(folder, name+".experiment"))
			assert.Len(t, s.Roots, 1, "the sphere")
			assert.Equal(t, []string{missing}, s.Missing)
		})
	}
}

func TestStatesOfAFolderAreASeries(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"run_9.state", "run_10.state", "run_011.state", "run_a.state", "other_1.state",
		"run_1.world"} {
		b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
			func(s *dprsimtest.StateWriter) { s.Catom(42, simBytes(byte(10*i))) })
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), b, 0o644))
	}
	s := sceneOf(t, filepath.Join(folder, "run_10.state"))
	var names []string
	for _, step := range s.Steps {
		names = append(names, step.Name)
	}
	assert.Equal(t, []string{"run_9.state", "run_10.state", "run_011.state"}, names, "by the number")
	assert.Equal(t, 1, s.Step)
	last, err := s.Steps[2].Open(t.Context())
	require.NoError(t, err)
	dots := make([]scene.Dot, 1)
	require.NoError(t, last.Roots[0].Points.Read(0, dots))
	assert.EqualValues(t, 42, dots[0].ID)
	assert.Equal(t, float32(20), dots[0].Position[0])
	assert.Empty(t, sceneOf(t, filepath.Join(folder, "run_1.world")).Steps, "it is alone")
	require.NoError(t, os.Remove(filepath.Join(folder, "run_011.state")))
	_, err = s.Steps[2].Open(t.Context())
	assert.Error(t, err)
}
