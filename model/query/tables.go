package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assay/model"
)

// Order is row numbers in display order; nil means all rows in the order of the file.
type Order []uint32

// Len returns the number of rows that an order of t shows.
func (o Order) Len(t *model.Table) int64 {
	if o == nil {
		return t.Rows
	}
	return int64(len(o))
}

// Row returns the number of the i-th displayed row.
func (o Order) Row(i int64) int64 {
	if o == nil {
		return i
	}
	return int64(o[i])
}

var errTooMany = errors.New("a table of more than 4,294,967,295 rows cannot be sorted or filtered")

// checkColumns returns why the cells of some columns cannot be scanned, if so.
func checkColumns(t *model.Table, columns []int) error {
	if t.Rows > math.MaxUint32 {
		return errTooMany
	}
	for _, c := range columns {
		if c < 0 || c >= len(t.Columns) {
			return fmt.Errorf("the table has no column %d", c)
		}
	}
	return nil
}

// Scan calls each with the cells of some columns, which must exist, row by row until it returns an error.
func Scan(ctx context.Context, t *model.Table, columns []int, each func(row int64, cells []any) error) error {
	if t.Scan != nil {
		return t.Scan(ctx, columns, each)
	}
	cells := make([]any, len(columns))
	for row := range t.Rows {
		if row%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, c := range columns {
			cells[i] = t.Cell(row, c)
		}
		if err := each(row, cells); err != nil {
			return err
		}
	}
	return nil
}

// Sort returns the rows of order by the cells of one column. Rows with equal cells stay in the file's order, rows
// without the cell come last. It needs 16 bytes a row while it runs, 4 of them for the result.
func Sort(ctx context.Context, t *model.Table, order Order, column int, descending bool) (Order, error) {
	if err := checkColumns(t, []int{column}); err != nil {
		return nil, err
	}
	s := &sorter{ctx: ctx, t: t, column: column, keys: make([]uint64, t.Rows)}
	if descending {
		s.flip = math.MaxUint64
	}
	missing := newBits(t.Rows)
	texts := false
	err := Scan(ctx, t, []int{column}, func(row int64, cells []any) error {
		if v, ok := cells[0].(string); ok {
			texts = true
			s.keys[row] = textKey(v, 0) ^ s.flip
			return nil
		}
		key, ok := numberKey(cells[0])
		if !ok {
			missing.set(row)
		}
		s.keys[row] = key ^ s.flip
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows := make(Order, order.Len(t))
	for i := range rows {
		rows[i] = uint32(order.Row(int64(i)))
	}
	slices.Sort(rows) // quick where it is in order
	without := Order{}
	matching := rows[:0]
	for _, row := range rows {
		if missing.has(int64(row)) {
			without = append(without, row)
		} else {
			matching = append(matching, row)
		}
	}
	copy(rows[len(matching):], without)
	if err := s.sort(matching, texts); err != nil {
		return nil, err
	}
	return rows, nil
}

// bits is one bit a row.
type bits []uint64

func newBits(rows int64) bits { return make(bits, (rows+63)/64) }

func (b bits) set(row int64) { b[row/64] |= 1 << (row % 64) }

func (b bits) has(row int64) bool { return b[row/64]&(1<<(row%64)) != 0 }

type sorter struct {
	ctx      context.Context
	t        *model.Table
	column   int
	keys     []uint64 // of every row: the number, or eight bytes that stand for the part of the text that is compared
	flip     uint64   // all bits set for a descending order
	examined int      // cells read for later parts of texts
}

// sortByRadix orders rows, which are in the file's order, by their keys, byte by byte from the lowest. Bytes that are
// the same in all keys take no pass.
func (s *sorter) sortByRadix(rows []uint32) {
	var counts [8][256]int
	for _, row := range rows {
		key := s.keys[row]
		for b := range counts {
			counts[b][byte(key>>(8*b))]++
		}
	}
	from, to := rows, make([]uint32, len(rows))
	for b := range counts {
		shift := 8 * b
		if len(rows) == 0 || counts[b][byte(s.keys[rows[0]]>>shift)] == len(rows) {
			continue
		}
		index := 0
		for i, n := range counts[b] {
			counts[b][i], index = index, index+n
		}
		for _, row := range from {
			k := byte(s.keys[row] >> shift)
			to[counts[b][k]] = row
			counts[b][k]++
		}
		from, to = to, from
	}
	if len(rows) > 0 && &from[0] != &rows[0] {
		copy(rows, from)
	}
}

// minRadix is the minimum number of rows that is worth the memory of sortByRadix.
const minRadix = 4096

// compareKeys orders equal keys by row number, so that the order is unique.
func (s *sorter) compareKeys(a, b uint32) int {
	if c := cmp.Compare(s.keys[a], s.keys[b]); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// sort orders rows by their keys. Texts with equal first parts are compared by their next parts, part by part: a text
// is read once for each seven bytes, not once for each comparison. Long texts are compared as a whole.
func (s *sorter) sort(rows []uint32, texts bool) error {
	type run struct{ from, to, part int }
	todo := []run{{0, len(rows), 0}}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if r.part == maxParts {
			s.sortByWholeText(rows[r.from:r.to])
			continue
		}
		if r.part > 0 {
			for _, row := range rows[r.from:r.to] {
				v, _ := s.t.Cell(int64(row), s.column).(string)
				s.keys[row] = textKey(v, r.part) ^ s.flip
				if s.examined++; s.examined%4096 == 0 && s.ctx.Err() != nil {
					return s.ctx.Err()
				}
			}
		}
		if part := rows[r.from:r.to]; r.part == 0 && len(part) >= minRadix {
			s.sortByRadix(part)
		} else {
			slices.SortFunc(part, s.compareKeys)
		}
		if !texts {
			return s.ctx.Err()
		}
		for from := r.from; from < r.to; {
			key := s.keys[rows[from]]
			to := from + 1
			for to < r.to && s.keys[rows[to]] == key {
				to++
			}
			if to-from > 1 && (key^s.flip)&0xff == textContinues {
				todo = append(todo, run{from, to, r.part + 1})
			}
			from = to
		}
	}
	return s.ctx.Err()
}

// sortByWholeText orders rows, which are in the file's order, by texts with equal beginnings.
func (s *sorter) sortByWholeText(rows []uint32) {
	text := func(row uint32) string {
		v, _ := s.t.Cell(int64(row), s.column).(string)
		return v
	}
	slices.SortFunc(rows, func(a, b uint32) int {
		c := 0
		if s.ctx.Err() == nil {
			c = strings.Compare(text(a), text(b))
		}
		if s.flip != 0 {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a, b))
	})
}

const (
	textPart      = 7            // bytes of a text in a key
	textContinues = textPart + 1 // the last byte of the key of a text that continues
	maxParts      = 16           // parts of a text that are compared one by one: a text of a megabyte has too many
)

// textKey returns the part-th seven bytes of s, and in the last byte their number, or textContinues if more follow, so
// that "a" comes before "a\x00".
func textKey(s string, part int) uint64 {
	from := min(part*textPart, len(s))
	s = s[from:]
	n := min(len(s), textContinues)
	var key uint64
	for i := range textPart {
		key <<= 8
		if i < len(s) {
			key |= uint64(s[i])
		}
	}
	return key<<8 | uint64(n)
}

// numberKey maps numbers of one kind to unsigned ones in the same order. NaN comes after all numbers.
func numberKey(v any) (uint64, bool) {
	switch v := v.(type) {
	case uint64:
		return v, true
	case int64:
		return uint64(v) ^ 1<<63, true
	case float32:
		return floatKey(float64(v)), true
	case float64:
		return floatKey(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func floatKey(f float64) uint64 {
	switch {
	case math.IsNaN(f):
		return math.MaxUint64
	case f == 0: // -0 is 0
		f = 0
	}
	b := math.Float64bits(f)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// TableColumns returns the columns of a table as filters name them: with their group or without it.
func TableColumns(t *model.Table) *List {
	l := new(List)
	for i, c := range t.Columns {
		column := Column{Name: t.Title(i), Names: append([]string{c.Name}, c.Names...), Values: c.Values}
		if c.Group != "" {
			column.Names = append(column.Names, c.Group+"."+c.Name)
		}
		switch {
		case c.Numeric && c.Type == "bytes":
			column.Kind = Size
		case c.Numeric:
			column.Kind = Number
		case c.Type == "time" && c.OnlyByName:
			column.Kind = Time
		}
		l.Columns = append(l.Columns, column)
	}
	return l
}

// FilterTable returns the rows of order that match a filter of TableColumns. Words are searched in the columns
// searched; nil means all that are not measures. Without a filter it returns order itself.
func FilterTable(ctx context.Context, t *model.Table, order Order, f *Filter, searched []int) (Order, error) {
	if f.Empty() {
		return order, nil
	}
	r := &row{cellOf: make([]int, len(t.Columns))}
	columns := f.Columns()
	for k, c := range columns {
		r.cellOf[c] = k
	}
	isType := func(c int) bool { return c < len(t.Columns) && t.Columns[c].MatchesExtension }
	if slices.ContainsFunc(columns, isType) {
		r.isFileType, r.nameCell = isType, len(columns)
		columns = append(columns, 0)
	}
	if r.words = len(columns); f.HasWords() {
		if searched == nil {
			searched = SearchedColumns(t)
		}
		columns = append(columns, searched...)
	}
	if err := checkColumns(t, columns); err != nil {
		return nil, err
	}
	matching := newBits(t.Rows)
	matches := 0
	err := Scan(ctx, t, columns, func(n int64, cells []any) error {
		if r.cells = cells; f.Match(r) {
			matching.set(n)
			matches++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make(Order, 0, min(int64(matches), order.Len(t)))
	for i := range order.Len(t) {
		if n := order.Row(i); matching.has(n) {
			out = append(out, uint32(n))
		}
	}
	return out, nil
}

// SearchedColumns returns the columns of a table that are searched for words: all except measures.
func SearchedColumns(t *model.Table) []int {
	var columns []int
	for i := range t.Columns {
		if !t.Columns[i].OnlyByName {
			columns = append(columns, i)
		}
	}
	return columns
}

// maxWordRows is the number of rows that ColumnsWithWords searches.
const maxWordRows = 1000

// ColumnsWithWords returns the titles of the columns that have a word of a filter in the first of some rows.
func ColumnsWithWords(t *model.Table, rows Order, f *Filter) []string {
	var titles []string
	for _, column := range SearchedColumns(t) {
		has := func(row uint32) bool { return f.HasWordIn(t.Cell(int64(row), column)) }
		if slices.ContainsFunc(rows[:min(len(rows), maxWordRows)], has) {
			titles = append(titles, t.Title(column))
		}
	}
	return titles
}

// row is a row as an Item for a filter.
type row struct {
	cells  []any // of the columns with conditions, then of the searched columns
	cellOf []int // by column: the index of its cell, if it has a condition
	words  int   // start of the columns searched for words

	isFileType func(column int) bool // whether a column is a file type; nil: none is
	nameCell   int                   // where the cell of the file name is
}

func (r *row) Has(w *Word) bool {
	return slices.ContainsFunc(r.cells[r.words:], w.InCell)
}

func (r *row) MatchColumn(column int, t *Test) (matches, exists bool) {
	v := r.cells[r.cellOf[column]]
	if r.isFileType != nil && r.isFileType(column) && t.op == equal {
		name, _ := r.cells[r.nameCell].(string)
		if _, extension, ok := strings.Cut(path.Ext(name), "."); ok && t.Matches(extension) {
			return true, true
		}
	}
	return t.Matches(v), v != nil
}
