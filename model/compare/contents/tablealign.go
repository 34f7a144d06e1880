package contents

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/query"
)

// rowsAligned is the largest number of rows of a table that are aligned by their cells; longer ones are by index.
const rowsAligned = 1 << 20

// align matches rows: the rows with the same cells, in the same order; between these, rows with the same first cell,
// such as the time of a key; then the remaining rows in order.
func (t *Table) align(ctx context.Context) error {
	a := &rowAligner{t: t}
	if max(t.Old.Rows, t.New.Rows) > rowsAligned {
		a.pairInOrder(0, t.Old.Rows, 0, t.New.Rows)
		return a.compareRows(ctx)
	}
	for i, side := range []*model.Table{t.Old, t.New} {
		var columns []int
		for _, c := range t.columns {
			if c[0] >= 0 && c[1] >= 0 {
				columns = append(columns, c[i])
			}
		}
		var err error
		if a.whole[i], a.first[i], err = rowSums(ctx, side, columns); err != nil {
			return err
		}
	}
	a.alignBetween(0, t.Old.Rows, 0, t.New.Rows, []*[2][]uint64{&a.whole, &a.first})
	return a.compareRows(ctx)
}

// rowAligner aligns the rows of two tables. The result is runs of rows, of one or both tables, in their order.
type rowAligner struct {
	t            *Table
	whole, first [2][]uint64 // hashes of the rows
	runs         []tableRun
}

// addRun appends a run, or extends the last one if the run continues it.
func (a *rowAligner) addRun(old, new, n int64) {
	if n == 0 {
		return
	}
	if k := len(a.runs); k > 0 {
		if l := &a.runs[k-1]; continues(l.old, l.n, old) && continues(l.new, l.n, new) {
			l.n += n
			return
		}
	}
	a.runs = append(a.runs, tableRun{old: old, new: new, n: n})
}

func continues(first, n, next int64) bool {
	if first < 0 || next < 0 {
		return first == next
	}
	return first+n == next
}

// alignBetween aligns the rows [i, iEnd) with [j, jEnd): by the first hashes, then by the others.
func (a *rowAligner) alignBetween(i, iEnd, j, jEnd int64, sums []*[2][]uint64) {
	if len(sums) == 0 || i == iEnd || j == jEnd {
		a.pairInOrder(i, iEnd, j, jEnd)
		return
	}
	x, y := sums[0][0], sums[0][1]
	first, last := align.CommonEnds(x[i:iEnd], y[j:jEnd])
	head, tail := int64(first), int64(last)
	a.addRun(i, j, head)
	i, j, iEnd, jEnd = i+head, j+head, iEnd-tail, jEnd-tail
	found := align.Uniques(int(jEnd-j), int(iEnd-i), func(k int) uint64 { return y[j+int64(k)] },
		func(k int) uint64 { return x[i+int64(k)] })
	oldAt, newAt := i, j
	for _, u := range found {
		if u.InOrder {
			a.alignBetween(oldAt, i+int64(u.B), newAt, j+int64(u.A), sums[1:])
			a.addRun(i+int64(u.B), j+int64(u.A), 1)
			oldAt, newAt = i+int64(u.B)+1, j+int64(u.A)+1
		}
	}
	a.alignBetween(oldAt, iEnd, newAt, jEnd, sums[1:])
	a.addRun(iEnd, jEnd, tail)
}

// pairInOrder pairs rows one by one.
func (a *rowAligner) pairInOrder(i, iEnd, j, jEnd int64) {
	n := min(iEnd-i, jEnd-j)
	a.addRun(i, j, n)
	a.addRun(i+n, -1, iEnd-i-n)
	a.addRun(-1, j+n, jEnd-j-n)
}

// compareRows compares the matching rows.
func (a *rowAligner) compareRows(ctx context.Context) error {
	for _, r := range a.runs {
		if r.old < 0 || r.new < 0 {
			if r.status = compare.Added; r.new < 0 {
				r.status = compare.Removed
			}
			a.t.add(r)
			continue
		}
		for from := int64(0); from < r.n; {
			if err := ctx.Err(); err != nil {
				return err
			}
			same, to := a.isSameRow(r, from), from+1
			for to < r.n && a.isSameRow(r, to) == same && (to%4096 != 0 || ctx.Err() == nil) {
				to++
			}
			part := tableRun{old: r.old + from, new: r.new + from, n: to - from, status: compare.Changed}
			if same {
				part.status = compare.Same
			}
			a.t.add(part)
			from = to
		}
	}
	return nil
}

// isSameRow reports whether both rows of a run's row have the same cells.
func (a *rowAligner) isSameRow(r tableRun, index int64) bool {
	i, j := r.old+index, r.new+index
	if a.whole[0] != nil && a.whole[1] != nil {
		return a.whole[0][i] == a.whole[1][j]
	}
	return !slices.ContainsFunc(a.t.columns, func(c [2]int) bool {
		return c[0] >= 0 && c[1] >= 0 && !sameCell(a.t.Old.Cell(i, c[0]), a.t.New.Cell(j, c[1]))
	})
}

// rowSums returns hashes of some cells of each row of a table, and of the first of these.
func rowSums(ctx context.Context, t *model.Table, columns []int) (whole, first []uint64, err error) {
	whole, first = make([]uint64, t.Rows), make([]uint64, t.Rows)
	var b []byte
	each := func(row int64, cells []any) error {
		b = b[:0]
		for i, v := range cells {
			b = appendCell(b, v)
			if i == 0 {
				first[row] = xxh3.Hash(b)
			}
		}
		whole[row] = xxh3.Hash(b)
		return nil
	}
	return whole, first, query.Scan(ctx, t, columns, each)
}

// appendCell appends the bytes that are hashed for a cell.
func appendCell(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 0)
	case uint64:
		return binary.LittleEndian.AppendUint64(append(b, 1), v)
	case int64:
		return binary.LittleEndian.AppendUint64(append(b, 2), uint64(v))
	case float32:
		return binary.LittleEndian.AppendUint32(append(b, 3), math.Float32bits(v))
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, 4), math.Float64bits(v))
	}
	s := model.FormatValue(v)
	return append(binary.LittleEndian.AppendUint32(append(b, 5), uint32(len(s))), s...)
}
