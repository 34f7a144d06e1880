package dprsim

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model/scene"
)

// viewed returns the points of what there is to look at of a node.
func viewed(t *testing.T, b []byte, path string) []*scene.Points {
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
			b := written(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
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
			points := viewed(t, b, "/")
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

func TestViewOfAPart(t *testing.T) {
	sim := written(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) })
	assert.Len(t, viewed(t, sim, "/chunks/1/content"), 1)
	assert.Empty(t, viewed(t, sim, "/chunks/0/content"), "there is nothing to see of a listing of modules")
	other := written(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "other", Types: "c", Names: "x"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, []byte{1}) })
	assert.Empty(t, viewed(t, other, "/"), "and nothing where the places of the catoms are not known")
}
