package dprsim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/query"
	"assay/model/render"
	"assay/model/scene"
)

// checkFuzzed opens what came, looks at it as a window does, and holds it to what is true of every document.
func checkFuzzed(t *testing.T, name string, b []byte) {
	if len(b) > 1<<16 {
		return
	}
	d := open(t, name, b)
	r := checkSound(t, d)
	require.NoError(t, d.Outline(context.Background(), io.Discard, r, model.OutlineOptions{Depth: -1}))
	if v, err := d.View(context.Background(), d.Root()); v != nil {
		require.NoError(t, err)
		_, err = render.Load(context.Background(), v.(*scene.Scene))
		require.NoError(t, err)
	}
	for _, s := range d.Tables {
		tb, err := s.Open(context.Background())
		require.NoError(t, err)
		_, err = query.Sort(context.Background(), tb, nil, len(tb.Columns)-1, true)
		require.NoError(t, err)
		for row := range tb.Rows {
			require.Equal(t, "Catom", d.At(tb.Path(row)).Type)
		}
		checkCells(t, tb)
	}
	for i := 0; d.Payloads != nil && i < d.Payloads.Len(); i++ {
		for _, f := range d.Payloads.At(i).Forms {
			if err := f.Write(context.Background(), io.Discard); !errors.As(err, new(model.Loss)) {
				require.NoError(t, err)
			}
		}
	}
	for _, s := range d.Switches {
		again, err := s.Reopen(context.Background(), 1)
		require.NoError(t, err)
		checkSound(t, again)
	}
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Key != "" && (n.Type == "Catom" && n.Name != "incomplete" || n.Type == "Entry") {
			_, ok := d.FindKey(n.Key)
			require.True(t, ok, "%s is found by its key", n.PathText())
		}
		return n.Type != "Catom" && n.Type != "Entry", nil
	}, nil))
}

// checkCells holds the rows that are read one after the other to the cells that are read alone.
func checkCells(t *testing.T, tb *model.Table) {
	t.Helper()
	all := make([]int, len(tb.Columns))
	for i := range all {
		all[i] = i
	}
	require.NoError(t, tb.Scan(context.Background(), all, func(row int64, cells []any) error {
		for i, cell := range cells {
			require.Equal(t, fmt.Sprint(tb.Cell(row, i)), fmt.Sprint(cell), "row %d column %d", row, i)
		}
		return nil
	}))
}

func FuzzState(f *testing.F) {
	all := dprsimtest.Listing{Name: "All", Version: 7, Types: "cCnNvVs>S<lLqQfda3A3Z3xU2Z*a*", Names: "a:b::c"}
	for i := range 16 {
		l := dprsimtest.Layout{Prose: i&1 > 0, Together: i&2 > 0, Inclusive: i&4 > 0, Short: i&8 > 0}
		f.Add(writeState(f, l, []dprsimtest.Listing{dprsimtest.SimpleCubic, flicker, all},
			func(s *dprsimtest.StateWriter) {
				for i := range 3 {
					s.Catom(uint32(i), simBytes(byte(i)), flickerBytes(i), bytes.Repeat([]byte{byte(i), 'x'}, 40))
				}
				s.Catom(9, simBytes(1))
			}))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkFuzzed(t, "a.state", b) })
}

func FuzzExperiment(f *testing.F) {
	f.Add([]byte("WORLD=small.dpr\nOBJECT=SPHERE,0,0,5,0,0,0,0,255,0,0,100,5\n# comment\n\nprose\n"))
	f.Add([]byte("\xEF\xBB\xBF WORLD = a \r\n\r\nOBJECT= ,1,, ,\rSAVE=\xff\n=\n"))
	f.Fuzz(func(t *testing.T, b []byte) { checkFuzzed(t, "a.experiment", b) })
}
