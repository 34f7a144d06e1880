package dprsim

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/scene"
)

// catomBody has two catoms: one with all values, and one without a place and with a text that is not UTF-8.
func catomBody(t *testing.T) *body {
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "_sim", Version: 1, Types: "Z4 C c f<",
		Names: "text:x:y:z"}}, func(s *dprsimtest.StateWriter) {
		s.Catom(7, append([]byte("a,b\x00\x01\xfe"), dprsimtest.Little(float32(3.5))...))
		s.Catom(8, []byte("\xff\x00\x00\x00\x01"))
	})
	r, err := readState(t.Context(), source("a.state", b), options{})
	require.NoError(t, err)
	require.Len(t, r.bodies, 1)
	return r.bodies[0]
}

func TestTableHasACellForEachValue(t *testing.T) {
	tb := catomBody(t).table(t.Context())
	require.Len(t, tb.Columns, 5)
	assert.EqualValues(t, 2, tb.Rows)
	assert.Equal(t, "a,b", tb.Cell(0, 1))
	assert.Nil(t, tb.Cell(1, 4))
	assert.Nil(t, cellValue(model.Blob{}), "a block of bytes is not shown")
	assert.Nil(t, tb.Cell(2, 0))
	var scanned [][]any
	require.NoError(t, tb.Scan(t.Context(), []int{4, 0}, func(_ int64, values []any) error {
		scanned = append(scanned, slices.Clone(values))
		return nil
	}))
	assert.Equal(t, [][]any{{float32(3.5), uint64(7)}, {nil, uint64(8)}}, scanned)
}

func TestCSVQuotesTextsAndPrintsInvalidUTF8AsHex(t *testing.T) {
	for module, want := range map[int]string{
		allModules: "id,text,x,y,z\n7,\"a,b\",1,-2,3.5\n8,0xff,1,,\n",
		0:          "id,text,x,y,z\n7,\"a,b\",1,-2,3.5\n8,0xff,1,,\n",
	} {
		var out bytes.Buffer
		require.NoError(t, catomBody(t).csv(module)(t.Context(), &out))
		assert.Equal(t, want, out.String())
	}
}

func TestPLYAndCubesHaveThePositions(t *testing.T) {
	b := catomBody(t)
	var out bytes.Buffer
	require.NoError(t, b.ply(t.Context(), &out))
	header, points, _ := strings.Cut(out.String(), "end_header\n")
	assert.Contains(t, header, "element vertex 1\nproperty float x\n", "the other catom has no place")
	assert.Equal(t, "\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x60\x40\xff\xff\xff\xff", points)

	dots := make([]scene.Dot, 2)
	require.NoError(t, b.cubes().Read(0, dots))
	assert.Equal(t, scene.Dot{ID: 7, Position: [3]float32{1, -2, 3.5}, Color: [4]uint8{255, 255, 255, 255}}, dots[0])
	assert.True(t, math.IsNaN(float64(dots[1].Position[0])))
	b.geometry = nil
	assert.Nil(t, b.cubes())
}
