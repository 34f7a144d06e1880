package query

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// ofCells returns a table with the cells of a column "v", and the numbers of the rows in a column "row".
func ofCells(cells ...any) *model.Table {
	return &model.Table{
		Columns: []model.Column{{Name: "v", Group: "m"}, {Name: "row", Group: "m"}},
		Rows:    int64(len(cells)),
		Cell: func(row int64, column int) any {
			if column == 1 {
				return uint64(row)
			}
			return cells[row]
		},
	}
}

func TestSortOrdersValuesOfEachType(t *testing.T) {
	long := strings.Repeat("same start ", 5)
	for name, test := range map[string]struct {
		cells    []any
		up, down Order
	}{
		"unsigned": {[]any{uint64(math.MaxUint64), uint64(0), uint64(1 << 63)}, Order{1, 2, 0}, Order{0, 2, 1}},
		"signed": {[]any{int64(3), int64(math.MinInt64), int64(-1), int64(0)}, Order{1, 2, 3, 0},
			Order{0, 3, 2, 1}},
		"floats": {[]any{float32(2), float32(-0.5), float32(-3), math.Inf(-1), math.Inf(1)},
			Order{3, 2, 1, 0, 4}, Order{4, 0, 1, 2, 3}},
		"NaN is last":     {[]any{math.NaN(), 1.0, -1.0}, Order{2, 1, 0}, Order{0, 1, 2}},
		"equal ones stay": {[]any{uint64(1), uint64(0), uint64(1), uint64(0)}, Order{1, 3, 0, 2}, Order{0, 2, 1, 3}},
		"zeros are equal": {[]any{0.0, math.Copysign(0, -1), 0.0}, Order{0, 1, 2}, Order{0, 1, 2}},
		"missing is last": {[]any{nil, uint64(7), nil, uint64(5)}, Order{3, 1, 0, 2}, Order{1, 3, 0, 2}},
		"texts":           {[]any{"b", "", "a\x00", "a", "ab"}, Order{1, 3, 2, 4, 0}, Order{0, 4, 2, 3, 1}},
		"long texts": {[]any{long + "b", long + "a", long, long + "a", long + "a" + long}, Order{2, 1, 3, 4, 0},
			Order{0, 4, 1, 3, 2}},
		"seven and eight": {[]any{"12345678", "1234567", "123456789", "1234567\x00"}, Order{1, 3, 0, 2},
			Order{2, 0, 3, 1}},
		"nothing": {nil, Order{}, Order{}},
	} {
		t.Run(name, func(t *testing.T) {
			up, err := Sort(context.Background(), ofCells(test.cells...), nil, 0, false)
			require.NoError(t, err)
			assert.Equal(t, test.up, up)
			down, err := Sort(context.Background(), ofCells(test.cells...), nil, 0, true)
			require.NoError(t, err)
			assert.Equal(t, test.down, down)
		})
	}
}

func TestVeryLongTextsAreSortedWithFewReads(t *testing.T) {
	long := strings.Repeat("the same ", 20_000)
	tb := ofCells(long+"b", long+"a", "short", long+"b", long)
	reads := 0
	cell := tb.Cell
	tb.Cell = func(row int64, column int) any { reads++; return cell(row, column) }
	up, err := Sort(t.Context(), tb, nil, 0, false)
	require.NoError(t, err)
	assert.Equal(t, Order{2, 4, 1, 0, 3}, up)
	down, err := Sort(t.Context(), tb, nil, 0, true)
	require.NoError(t, err)
	assert.Equal(t, Order{0, 3, 1, 4, 2}, down)
	assert.Less(t, reads, 500)
}

func TestSortKeepsTheRowsOfAnOrder(t *testing.T) {
	tb := ofCells(uint64(4), uint64(3), nil, uint64(2), uint64(1))
	got, err := Sort(context.Background(), tb, Order{4, 2, 0}, 0, false)
	require.NoError(t, err)
	assert.Equal(t, Order{4, 0, 2}, got)
	assert.Equal(t, int64(5), Order(nil).Len(tb))
	assert.Equal(t, int64(3), Order(nil).Row(3))
	assert.Equal(t, int64(4), got.Row(0))
}

func TestManyNumbersAreSortedStably(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, number := range map[string]func() any{
		"bytes":  func() any { return uint64(r.IntN(100)) },
		"signed": func() any { return r.Int64() - 1<<62 },
		"floats": func() any { return r.NormFloat64() },
		"holes": func() any {
			if r.IntN(3) == 0 {
				return nil
			}
			return uint64(r.IntN(1 << 20))
		},
	} {
		for _, descending := range []bool{false, true} {
			cells := make([]any, 20_000)
			var order, want Order
			for i := range cells {
				if cells[i] = number(); i%3 > 0 {
					order = append(order, uint32(i))
				}
			}
			want = slices.Clone(order)
			rank := func(row uint32) (bool, uint64) {
				k, ok := numberKey(cells[row])
				if descending {
					k = ^k
				}
				return !ok, k
			}
			slices.SortStableFunc(want, func(a, b uint32) int {
				am, ak := rank(a)
				bm, bk := rank(b)
				switch {
				case am != bm:
					if am {
						return 1
					}
					return -1
				case am:
					return 0
				}
				return cmp.Compare(ak, bk)
			})
			r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			got, err := Sort(context.Background(), ofCells(cells...), order, 0, descending)
			require.NoError(t, err)
			assert.Equal(t, want, got, "%s, descending %v", name, descending)
		}
	}
}

func TestManyTextsAreSortedStably(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 9000)
	cells := make([]any, len(words))
	for i := range words {
		b := make([]byte, r.IntN(20))
		for j := range b {
			b[j] = "ab\x00"[r.IntN(3)]
		}
		words[i] = string(b)
		cells[i] = words[i]
	}
	got, err := Sort(context.Background(), ofCells(cells...), nil, 0, false)
	require.NoError(t, err)
	want := make(Order, len(words))
	for i := range want {
		want[i] = uint32(i)
	}
	slices.SortStableFunc(want, func(a, b uint32) int { return strings.Compare(words[a], words[b]) })
	assert.Equal(t, want, got)
}

func TestFiltersSelectRowsOfATable(t *testing.T) {
	cells := []any{uint64(5), int64(-5), float32(0.2), "Leg five", nil, uint64(math.MaxUint64), math.NaN(),
		float64(1 << 63)}
	for filter, want := range map[string]Order{
		"":                            nil,
		"v = 5":                       {0},
		"v==5":                        {0},
		"m.v >= 5":                    {0, 3, 5, 7}, // texts are compared as texts
		"V < 0":                       {1},
		"v = 0.2":                     {2},
		"v != 5":                      {1, 2, 3, 5, 6, 7},
		"v > 18446744073709551614":    {3, 5},
		"v >= 18446744073709551615":   {3, 5},
		"v = 9223372036854775808":     {7},
		"v ~ LEG":                     {3},
		"five":                        {3},
		"v <= 5 and row > 0":          {1, 2},
		"v ~ 5":                       {0, 1, 5, 7}, // 9.223372036854775808e+18
		"v = Leg five":                {3},
		"v < -5.5":                    {},
		"v > -5.5 and v < 5.5 and 0.": {2},
	} {
		t.Run(filter, func(t *testing.T) {
			tb := ofCells(cells...)
			f, err := Parse(filter, TableColumns(tb))
			require.NoError(t, err)
			got, err := FilterTable(context.Background(), tb, nil, f, nil)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	tb := ofCells(cells...)
	f, err := Parse("v > 0", TableColumns(tb))
	require.NoError(t, err)
	got, err := FilterTable(context.Background(), tb, Order{5, 1, 0}, f, nil)
	require.NoError(t, err)
	assert.Equal(t, Order{5, 0}, got, "a filter keeps the order")
	f, err = Parse("5", TableColumns(tb))
	require.NoError(t, err)
	got, err = FilterTable(context.Background(), tb, nil, f, []int{1})
	require.NoError(t, err)
	assert.Equal(t, Order{5}, got, "a word in one column")
	_, err = FilterTable(context.Background(), tb, nil, f, []int{7})
	assert.Error(t, err)
}

func TestSortAndFilterStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tb := ofCells(uint64(1), uint64(2))
	_, err := Sort(ctx, tb, nil, 0, false)
	assert.ErrorIs(t, err, context.Canceled)
	f, err := Parse("1", TableColumns(tb))
	require.NoError(t, err)
	_, err = FilterTable(ctx, tb, nil, f, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestColumnsHaveTheNamesAndKindsOfATable(t *testing.T) {
	tb := &model.Table{Columns: []model.Column{{Name: "x", Group: "_sim", Numeric: true}, {Name: "x", Group: "Flicker"},
		{Name: "size", Type: "bytes", Numeric: true}, {Name: "modified", Type: "time", OnlyByName: true},
		{Name: "checksum", Names: []string{"crc32"}, IsGroupable: true, Values: []string{"valid"}}}}
	assert.Equal(t, []Column{{Name: "_sim.x", Names: []string{"x", "_sim.x"}, Kind: Number},
		{Name: "Flicker.x", Names: []string{"x", "Flicker.x"}}, {Name: "size", Names: []string{"size"}, Kind: Size},
		{Name: "modified", Names: []string{"modified"}, Kind: Time},
		{Name: "checksum", Names: []string{"checksum", "crc32"}, Values: []string{"valid"}}}, TableColumns(tb).Columns)
}

func TestColumnsCanBeNamedByTitle(t *testing.T) {
	tb := &model.Table{Columns: []model.Column{{Name: "id"}, {Name: "x", Group: "_sim"}, {Name: "y", Group: "_sim"},
		{Name: "x", Group: "Flicker"}}}
	for i, want := range []string{"id", "_sim.x", "y", "Flicker.x"} {
		assert.Equal(t, want, tb.Title(i))
	}
}

func TestAFileTypeIsAlsoItsExtension(t *testing.T) {
	files := [][2]string{{"art/a.PNG", "PNG image"}, {"b.gpb", "gameplay bundle"}, {"png", "File"}, {"c.png.gz", "GZ file"}}
	tb := &model.Table{Columns: []model.Column{{Name: "name"}, {Name: "type", MatchesExtension: true}, {Name: "note"}},
		Rows: int64(len(files)), Cell: func(row int64, column int) any {
			if column < 2 {
				return files[row][column]
			}
			return nil
		}}
	for text, want := range map[string]Order{
		"type = png":             {0},
		`type = "png image"`:     {0},
		"type = gpb":             {1},
		"type = gameplay*":       {1},
		"type != png":            {1, 2, 3},
		"type = g*":              {1, 3},
		"name = a* and type=png": {0},
		"type ~ bundle":          {1},
		"note = png":             {},
	} {
		f, err := Parse(text, TableColumns(tb))
		require.NoError(t, err, text)
		got, err := FilterTable(context.Background(), tb, nil, f, nil)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}
