package dprsim

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/scene"
)

// catomBody has two catoms: one with all values, and one without a place and with a text that is not UTF-8.
func catomBody() *Body {
	column := func(value int64, name string) Column {
		return Column{Column: model.Column{Name: name, Group: "_sim"}, Value: value}
	}
	columns := []Column{ID, column(0, "x"), column(1, "y"), column(2, "z"), column(3, "text"), column(4, "long")}
	cells := [][]any{{int64(1), int64(-2), 3.5, "a,b", model.Blob{}}, {int64(1), nil, nil, "\uFFFD", nil}}
	return &Body{List: &model.Node{}, Count: len(cells), Geometry: &Geometry{Columns: columns[1:4]},
		Columns: func(_ context.Context, module int) []Column {
			if module == AllModules {
				return columns
			}
			return columns[:2]
		},
		Read: func(_ context.Context, columns []Column, from, to int, visit Visit) error {
			for row := from; row < to; row++ {
				values, raw := make([]any, len(columns)), make([][]byte, len(columns))
				for i, c := range columns {
					if values[i] = uint64(7 + row); c.Module == 0 {
						values[i] = cells[row][c.Value]
					}
					if values[i] == "\uFFFD" {
						raw[i] = []byte{0xff}
					}
				}
				if err := visit(row, values, raw); err != nil {
					return err
				}
			}
			return nil
		}}
}

func TestTable(t *testing.T) {
	tb := catomBody().Table(t.Context())
	require.Len(t, tb.Columns, 6)
	assert.EqualValues(t, 2, tb.Rows)
	assert.Equal(t, "a,b", tb.Cell(0, 4))
	assert.Nil(t, tb.Cell(0, 5), "a block of bytes is not shown")
	assert.Nil(t, tb.Cell(2, 0))
	var scanned [][]any
	require.NoError(t, tb.Scan(t.Context(), []int{5, 0}, func(_ int64, values []any) error {
		scanned = append(scanned, values)
		return nil
	}))
	assert.Equal(t, [][]any{{nil, uint64(7)}, {nil, uint64(8)}}, scanned)
}

func TestCSV(t *testing.T) {
	for module, want := range map[int]string{
		AllModules: "id,x,y,z,text,long\n7,1,-2,3.5,\"a,b\",\n8,1,,,0xff,\n",
		0:          "id,x\n7,1\n8,1\n",
	} {
		var out bytes.Buffer
		require.NoError(t, catomBody().CSV(module)(t.Context(), &out))
		assert.Equal(t, want, out.String())
	}
}

func TestPlaces(t *testing.T) {
	b := catomBody()
	var out bytes.Buffer
	require.NoError(t, b.PLY(t.Context(), &out))
	header, points, _ := strings.Cut(out.String(), "end_header\n")
	assert.Contains(t, header, "element vertex 1\nproperty float x\n", "the other catom has no place")
	assert.Equal(t, "\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x60\x40\xff\xff\xff\xff", points)

	dots := make([]scene.Dot, 2)
	require.NoError(t, b.Cubes().Read(0, dots))
	assert.Equal(t, scene.Dot{ID: 7, Position: [3]float32{1, -2, 3.5}, Color: [4]uint8{255, 255, 255, 255}}, dots[0])
	assert.True(t, math.IsNaN(float64(dots[1].Position[0])))
	b.Geometry = nil
	assert.Nil(t, b.Cubes())
}
