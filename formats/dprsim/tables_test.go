package dprsim

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/query"
)

// mixedDocument is a state with catoms that lack values, in bodies with catoms of one and of several sizes.
func mixedDocument(t testing.TB, even bool) *model.Document {
	modules := []dprsimtest.Listing{dprsimtest.SimpleCubic,
		{Name: "Label", Version: 1, Types: "xn2a*", Names: "ticks:x:text"}}
	return open(t, "mixed.state", writeState(t, dprsimtest.Layout{}, modules, func(s *dprsimtest.StateWriter) {
		for i := range 150 {
			label := dprsimtest.Values(uint8(0), uint16(i), uint16(1000-i), strings.Repeat("l", i%5))
			switch {
			case even:
				label = dprsimtest.Values(uint8(0), uint16(i), uint16(1000-i), "four")
			case i%10 == 3:
				label = label[:3]
			case i == 77:
				label = append(label, 0xff)
			}
			s.Catom(uint32(1000-i), simBytes(byte(i)), label)
		}
	}))
}

func TestTheTableShowsWhatTheTreeShows(t *testing.T) {
	for _, even := range []bool{true, false} {
		d := mixedDocument(t, even)
		tb, err := d.Tables[0].Open(context.Background())
		require.NoError(t, err)
		var titles []string
		for i, c := range tb.Columns {
			titles = append(titles, tb.Title(i)+" "+c.Type)
		}
		assert.Equal(t, "id u32, _sim.x c, y c, z c, r C, g C, b C, a C, bat C, ticks n, Label.x n, text a*",
			strings.Join(titles, ", "))
		require.EqualValues(t, 150, tb.Rows)
		want := make([][]any, tb.Rows)
		for row := range tb.Rows {
			n := d.At(tb.Path(row))
			require.Equal(t, "Catom", n.Type)
			cells := []any{n.ChildNamed("id").Value}
			for m, names := range [][]string{{"x", "y", "z", "r", "g", "b", "a", "bat"}, {"ticks", "x", "text"}} {
				for _, name := range names {
					var v any
					if c := n.ChildNamed("states").Child(m).ChildNamed(name); c != nil {
						v = c.Value
					}
					cells = append(cells, v)
				}
			}
			want[row] = cells
			for c := range tb.Columns {
				assert.Equal(t, cells[c], tb.Cell(row, c), "row %d column %d", row, c)
			}
		}
		all := []int{11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		require.NoError(t, tb.Scan(context.Background(), all, func(row int64, cells []any) error {
			for i, c := range all {
				assert.Equal(t, want[row][c], cells[i], "row %d column %d", row, c)
			}
			return nil
		}))
		require.NoError(t, tb.Scan(context.Background(), []int{0}, func(row int64, cells []any) error {
			assert.Equal(t, want[row][0], cells[0])
			return nil
		}))
		assert.Nil(t, tb.Cell(150, 0))
		order, err := query.Sort(context.Background(), tb, nil, 0, false)
		require.NoError(t, err)
		assert.EqualValues(t, 149, order[0])
		filter, err := query.Parse("ticks >= 148 and text ~ o", query.TableColumns(tb))
		require.NoError(t, err)
		order, err = query.FilterTable(context.Background(), tb, nil, filter, nil)
		require.NoError(t, err)
		if even {
			assert.Equal(t, query.Order{148, 149}, order)
		} else {
			assert.Empty(t, order)
		}
	}
}

func TestSummariesTellCatomsApart(t *testing.T) {
	sums := func(d *model.Document, first int) []model.Summary {
		list := catomList(d)
		s := list.Children().(*model.Elements).Sums
		require.True(t, s.Keyed)
		out := make([]model.Summary, list.Len()-first)
		require.NoError(t, s.Fill(t.Context(), first, out))
		for i, v := range out {
			n := list.Child(first + i)
			assert.Equal(t, n.Span, v.Span)
			assert.Equal(t, n.Key, model.FormatValue(v.Key))
		}
		return out
	}
	d := mixedDocument(t, false)
	a := sums(d, 0)
	assert.Equal(t, a[70:], sums(d, 70))
	assert.NotEqual(t, a[0].Digest, a[1].Digest)
	other := open(t, "b.state", writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "other", Types: "C"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, []byte{1}) }))
	same := open(t, "c.state", writeState(t, dprsimtest.Layout{Together: true, Prose: true},
		[]dprsimtest.Listing{{Name: "other", Types: "C"}}, func(s *dprsimtest.StateWriter) { s.Catom(2, []byte{1}) }))
	signed := open(t, "d.state", writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "other", Types: "c"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, []byte{1}) }))
	assert.Equal(t, sums(other, 0)[0].Digest, sums(same, 0)[0].Digest)
	assert.NotEqual(t, sums(other, 0)[0].Digest, sums(signed, 0)[0].Digest, "the same bytes of another type")
}

// TestUnknownBytesOfDifferingSizesDoNotMoveLaterValues has templates that end at an unknown code.
func TestUnknownBytesOfDifferingSizesDoNotMoveLaterValues(t *testing.T) {
	modules := []dprsimtest.Listing{{Name: "One", Types: "C@1", Names: "a:-"}, {Name: "Two", Types: "C", Names: "b"},
		{Name: "Last", Types: "C@1", Names: "c:-"}}
	d := open(t, "a.state", writeState(t, dprsimtest.Layout{}, modules, func(s *dprsimtest.StateWriter) {
		s.Catom(1, []byte{1}, []byte{66}, []byte{4, 0, 0, 0})
		s.Catom(2, []byte{2, 0, 0}, []byte{67}, []byte{5, 0})
		s.Catom(3, []byte{3, 0}, []byte{68}, []byte{6, 0, 0})
	}))
	tb, err := d.Tables[0].Open(t.Context())
	require.NoError(t, err)
	checkCells(t, tb)
	assert.Equal(t, "id,a,b,c\n1,1,66,4\n2,2,67,5\n3,3,68,6\n", payload(t, d, 0, "csv"))
}

func payload(t testing.TB, d *model.Document, i int, form string) string {
	t.Helper()
	p := d.Payloads.At(i)
	for _, f := range p.Forms {
		if f.Name == form {
			var out bytes.Buffer
			require.NoError(t, f.Write(context.Background(), &out))
			return out.String()
		}
	}
	t.Fatalf("%s has no form %s", p.Name, form)
	return ""
}

func TestWorldsAreExportedAsTables(t *testing.T) {
	modules := []dprsimtest.Listing{dprsimtest.SimpleCubic, {Name: "Label", Version: 1, Types: "fa*", Names: "x:text"}}
	d := open(t, "small.tower.state", writeState(t, dprsimtest.Layout{}, modules, func(s *dprsimtest.StateWriter) {
		s.Catom(7, simBytes(1), append([]byte{0, 0, 0, 0x3f}, `say "hi", you`...))
		s.Catom(8, simBytes(2)[:7], []byte{0, 0, 0xc0, 0x7f, 0xff})
		s.Catom(9, simBytes(3))
	}))
	assert.Equal(t, "id,_sim.x,y,z,r,g,b,a,bat,Label.x,text\n"+
		"7,1,-2,3,10,20,30,0,7,0.5,\"say \"\"hi\"\", you\"\n8,2,-2,3,10,20,30,0,,NaN,0xff\n9,3,-2,3,10,20,30,0,7,,\n",
		payload(t, d, 0, "csv"))
	var names []string
	for i := range d.Payloads.Len() {
		names = append(names, d.Payloads.At(i).Name)
	}
	assert.Equal(t, []string{"small.tower.csv", "small.tower._sim.csv", "small.tower.Label.csv"}, names)
	assert.Equal(t, "id,x,text\n7,0.5,\"say \"\"hi\"\", you\"\n8,NaN,0xff\n9,,\n", payload(t, d, 2, "csv"))
	r, err := d.Payloads.At(2).Open(context.Background())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, payload(t, d, 2, "csv"), string(b))
	require.NoError(t, r.Close())
}

func TestWorldsAreExportedAsPoints(t *testing.T) {
	header := func(n, place string) string {
		return "ply\nformat binary_little_endian 1.0\ncomment catoms of a DPRSim world\nelement vertex " + n + "\n" +
			"property " + place + " x\nproperty " + place + " y\nproperty " + place + " z\n" +
			"property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\nend_header\n"
	}
	floats := func(v ...float32) (b []byte) {
		for _, f := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	modules := []dprsimtest.Listing{dprsimtest.SimpleCubic}
	d := open(t, "a.world", writeState(t, dprsimtest.Layout{}, modules, func(s *dprsimtest.StateWriter) {
		s.Catom(1, simBytes(1))
		s.Catom(2, simBytes(2)[:2]) // no place
		s.Catom(3, simBytes(200))
	}))
	assert.Equal(t, header("2", "float")+string(floats(1, -2, 3))+"\x0a\x14\x1e\x00"+string(floats(-56, -2,
		3))+"\x0a\x14\x1e\x00", payload(t, d, 0, "ply"))

	d = open(t, "b.world", writeState(t, dprsimtest.Layout{},
		[]dprsimtest.Listing{{Name: simulator, Version: 9, Types: "ddd", Names: "z:y:x"}},
		func(s *dprsimtest.StateWriter) {
			s.Catom(1, dprsimtest.Little(0.1, 0.2, 0.3))
		}))
	var want []byte
	for _, f := range []float64{0.3, 0.2, 0.1} {
		want = binary.LittleEndian.AppendUint64(want, math.Float64bits(f))
	}
	assert.Equal(t, header("1", "double")+string(want)+"\xff\xff\xff\xff", payload(t, d, 0, "ply"),
		"without colors they are white")

	for types, color := range map[string]string{"c*": "\xff\xff\xff\xff", "Uc2": "\xff\xff\xff\xff",
		"c3C*": "\x0a\x14\x1e\xff", "c3CU2": "\x0a\x14\x1e\xff"} {
		names := "x:y:z:r:g:b"
		if color == "\xff\xff\xff\xff" {
			names = "x:y:z"
		}
		d = open(t, "open.world", writeState(t, dprsimtest.Layout{},
			[]dprsimtest.Listing{{Name: simulator, Version: 9, Types: types, Names: names}},
			func(s *dprsimtest.StateWriter) { s.Catom(1, []byte{1, 2, 3, 10, 20, 30}[:len(names)/2+1]) }))
		assert.Equal(t, header("1", "float")+string(floats(1, 2, 3))+color, payload(t, d, 0, "ply"), types)
	}

	d = open(t, "c.state", writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{flicker},
		func(s *dprsimtest.StateWriter) { s.Catom(1, flickerBytes(1)) }))
	assert.Len(t, d.Payloads.At(0).Forms, 1, "without _sim the places of the catoms are not known")
}
