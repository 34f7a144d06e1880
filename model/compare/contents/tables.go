package contents

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/query"
)

// Table is the tables of one list in both files as one table, with one row for matching rows. A cell is from the new
// file, or from the old file in removed rows.
type Table struct {
	*model.Table
	Old, New *model.Table
	// Counts are the rows by their status.
	Counts compare.Counts

	runs    []tableRun
	columns [][2]int // of the old and the new table; -1 if that has no such column
}

// tableRun is n consecutive rows of one status, starting at row, and at old and new in the two tables; -1 if that table
// has no such rows.
type tableRun struct {
	row, old, new, n int64
	status           compare.Status
}

// TableOf returns the lists that two paired nodes are, or are a part of, as one table; nil if they are of no list. It
// reads the lists, and stops with the context's error.
func TableOf(ctx context.Context, c *compare.Comparison, p *compare.Pair) (*Table, error) {
	list, old, new := listOf(c, p)
	if list == nil {
		return nil, nil
	}
	t := joinTables(old.tableOrEmpty(), new.tableOrEmpty())
	if old.hasElementRows() && new.hasElementRows() {
		t.takeElements(list)
		return t, ctx.Err()
	}
	return t, t.align(ctx)
}

// ListOf returns the pair of the lists that TableOf compares as a table, or nil.
func ListOf(c *compare.Comparison, p *compare.Pair) *compare.Pair {
	list, _, _ := listOf(c, p)
	return list
}

// listOf finds the list that a pair is, or is a part of, on both sides: the nearest with a table in both documents,
// else the nearest.
func listOf(c *compare.Comparison, p *compare.Pair) (pair *compare.Pair, old, new tableList) {
	if c.BytesOnly {
		return nil, old, new
	}
	for pair = p; pair != nil; pair = pair.Parent() {
		old, new = formatTable(c, c.Old, pair.Old), formatTable(c, c.New, pair.New)
		if old.node != nil && new.node != nil {
			return pair, old, new
		}
	}
	new, old = tableListOf(c.New, p.New), tableListOf(c.Old, p.Old)
	node := new.node
	if node == nil {
		node = old.node
	}
	if node == nil || new.node != nil && old.node != nil && new.node.Name != old.node.Name {
		return nil, old, new
	}
	depth := len(node.Path())
	for pair = p; pair != nil && len(pair.Node().Path()) > depth; pair = pair.Parent() {
	}
	if pair == nil || pair.Node().Span != node.Span {
		return nil, old, new
	}
	if pair.Old != nil && old.node == nil {
		old = tableListOf(c.Old, pair.Old)
	}
	if pair.New != nil && new.node == nil {
		new = tableListOf(c.New, pair.New)
	}
	return pair, old, new
}

// tableList is a list of a document, and its table if the format makes it.
type tableList struct {
	node   *model.Node // nil for a table without a node
	table  *model.Table
	ofKeys bool // the rows are not the elements of the list
}

// tableListOf finds the list that a node is, or is a part of.
func tableListOf(d *model.Document, n *model.Node) tableList {
	if n == nil {
		return tableList{}
	}
	if d.Keys != nil {
		if channel, keys := d.Keys(n); channel != nil {
			return tableList{channel, keys, true}
		}
	}
	return tableList{node: model.ListOf(n)}
}

// hasElementRows reports whether the rows are the elements of the list.
func (l tableList) hasElementRows() bool { return l.node != nil && !l.ofKeys && !l.node.Leaf() }

// tableOrEmpty returns the table; an empty one where there is no list.
func (l tableList) tableOrEmpty() *model.Table {
	switch {
	case l.node == nil:
		return &model.Table{}
	case l.table != nil:
		return l.table
	}
	return model.NodeTable(l.node)
}

// tablesMemo is the key of the tables of a document in the memo of a comparison.
type tablesMemo struct{ document *model.Document }

func formatTable(c *compare.Comparison, d *model.Document, n *model.Node) tableList {
	if n == nil || len(d.Tables) == 0 || n.ElementCount() == 0 {
		return tableList{}
	}
	path := n.Path()
	open, _ := c.Memo.LoadOrStore(tablesMemo{d}, sync.OnceValue(func() []*model.Table { return nodeTables(d) }))
	for _, t := range open.(func() []*model.Table)() {
		at := t.Path(0)
		if t.Rows == int64(n.ElementCount()) && len(at) == len(path)+1 && at[:len(path)].Equal(path) {
			return tableList{node: n, table: t}
		}
	}
	return tableList{}
}

// nodeTables opens the tables of a document with nodes as rows.
func nodeTables(d *model.Document) (tables []*model.Table) {
	for _, source := range d.Tables {
		if source.Assets {
			continue
		}
		if t, err := source.Open(context.Background()); err == nil && t.Path != nil && t.Rows > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// joinTables joins the columns of two tables by their names; columns of only the old table are last.
func joinTables(old, new *model.Table) *Table {
	joined := &model.Table{Columns: slices.Clone(new.Columns)}
	t := &Table{Table: joined, Old: old, New: new}
	for i := range new.Columns {
		t.columns = append(t.columns, [2]int{columnOf(old, new.Columns[i]), i})
	}
	for i, c := range old.Columns {
		if columnOf(new, c) < 0 {
			joined.Columns = append(joined.Columns, c)
			t.columns = append(t.columns, [2]int{i, -1})
		}
	}
	joined.Cell = func(row int64, column int) any {
		was, is, _ := t.Cells(row, column)
		if is == nil {
			return was
		}
		return is
	}
	return t
}

func columnOf(t *model.Table, c model.Column) int {
	return slices.IndexFunc(t.Columns, func(o model.Column) bool { return o.Name == c.Name && o.Group == c.Group })
}

// takeElements makes the rows from the matched elements of two lists.
func (t *Table) takeElements(list *compare.Pair) {
	var before [2]int
	for i, n := range []*model.Node{list.Old, list.New} {
		if n != nil {
			before[i] = n.FirstElementIndex()
		}
	}
	var first []int // the pair of the first row of each run
	list.Runs(func(r compare.Run) bool {
		skip := 0 // children before the elements are not rows
		for side, index := range []int{r.Old, r.New} {
			if index >= 0 {
				skip = max(skip, before[side]-index)
			}
		}
		run := tableRun{old: -1, new: -1, n: int64(r.N - skip), status: r.Status}
		if r.Old >= 0 {
			run.old = int64(r.Old + skip - before[0])
			run.n = min(run.n, t.Old.Rows-run.old)
		}
		if r.New >= 0 {
			run.new = int64(r.New + skip - before[1])
			run.n = min(run.n, t.New.Rows-run.new)
		}
		if run.n <= 0 {
			return true
		}
		if r.Uncounted {
			run.status = compare.Same
		}
		t.add(run)
		first = append(first, r.First+skip)
		return true
	})
	path := list.Path()
	t.Path = func(row int64) model.Path {
		i, index := t.find(row)
		return append(append(model.Path(nil), path...), first[i]+int(index))
	}
}

// add adds a run after the others.
func (t *Table) add(r tableRun) {
	r.row = t.Rows
	t.Rows += r.n
	*t.Counts.At(r.status) += r.n
	t.runs = append(t.runs, r)
}

// find returns the index of the run that contains a row, and the index of the row in it.
func (t *Table) find(row int64) (i int, index int64) {
	i = sort.Search(len(t.runs), func(i int) bool { return t.runs[i].row > row }) - 1
	return i, row - t.runs[i].row
}

// Status returns the status of a row.
func (t *Table) Status(row int64) compare.Status {
	i, _ := t.find(row)
	return t.runs[i].status
}

// SideRows returns the rows of the old and the new table that a row consists of; -1 if that table has no such row.
func (t *Table) SideRows(row int64) (old, new int64) {
	i, index := t.find(row)
	r := t.runs[i]
	if old = r.old; old >= 0 {
		old += index
	}
	if new = r.new; new >= 0 {
		new += index
	}
	return old, new
}

// Cells returns the old and the new value of a cell, nil if missing, and whether they differ.
func (t *Table) Cells(row int64, column int) (old, new any, differ bool) {
	i, j := t.SideRows(row)
	c := t.columns[column]
	if i >= 0 && c[0] >= 0 {
		old = t.Old.Cell(i, c[0])
	}
	if j >= 0 && c[1] >= 0 {
		new = t.New.Cell(j, c[1])
	}
	if i < 0 || j < 0 || t.Status(row) == compare.Same {
		return old, new, false
	}
	return old, new, !sameCell(old, new)
}

// sameCell reports whether two cells have the same text.
func sameCell(a, b any) bool {
	return model.FormatValue(a) == model.FormatValue(b)
}

// DifferingRows returns the rows that are not the same in both files.
func (t *Table) DifferingRows() (rows []uint32) {
	rows = make([]uint32, 0, t.Counts.Differences())
	for _, r := range t.runs {
		for k := range r.n {
			if r.status != compare.Same {
				rows = append(rows, uint32(r.row+k))
			}
		}
	}
	return rows
}

// RowOf returns the row of a pair at a path; false if it is not in the table.
func (t *Table) RowOf(list *compare.Pair, path model.Path) (row int64, ok bool) {
	depth := len(list.Path())
	if t.Path == nil || len(path) <= depth {
		return 0, false
	}
	i := sort.Search(len(t.runs), func(i int) bool { return t.Path(t.runs[i].row)[depth] > path[depth] }) - 1
	if i < 0 {
		return 0, false
	}
	index := int64(path[depth] - t.Path(t.runs[i].row)[depth])
	return t.runs[i].row + index, index < t.runs[i].n
}

// maxAlignedRows is the maximum number of rows of a table that are aligned by their cells; those of longer tables are
// paired in order.
const maxAlignedRows = 1 << 20

// align matches rows: the rows with the same cells, in the same order; between these, rows with the same first cell,
// such as the time of a key; then the remaining rows in order.
func (t *Table) align(ctx context.Context) error {
	a := &rowAligner{t: t}
	if max(t.Old.Rows, t.New.Rows) > maxAlignedRows {
		a.pairInOrder(0, t.Old.Rows, 0, t.New.Rows)
		return a.addRows(ctx)
	}
	for i, side := range []*model.Table{t.Old, t.New} {
		var columns []int
		for _, c := range t.columns {
			if c[0] >= 0 && c[1] >= 0 {
				columns = append(columns, c[i])
			}
		}
		var err error
		if a.whole[i], a.first[i], err = rowHashes(ctx, side, columns); err != nil {
			return err
		}
	}
	a.alignBetween(0, t.Old.Rows, 0, t.New.Rows, []*[2][]uint64{&a.whole, &a.first})
	return a.addRows(ctx)
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
func (a *rowAligner) alignBetween(i, iEnd, j, jEnd int64, hashes []*[2][]uint64) {
	if len(hashes) == 0 || i == iEnd || j == jEnd {
		a.pairInOrder(i, iEnd, j, jEnd)
		return
	}
	x, y := hashes[0][0], hashes[0][1]
	first, last := align.CommonEnds(x[i:iEnd], y[j:jEnd])
	head, tail := int64(first), int64(last)
	a.addRun(i, j, head)
	i, j, iEnd, jEnd = i+head, j+head, iEnd-tail, jEnd-tail
	found := align.Uniques(int(jEnd-j), int(iEnd-i), func(k int) uint64 { return y[j+int64(k)] },
		func(k int) uint64 { return x[i+int64(k)] })
	oldAt, newAt := i, j
	for _, u := range found {
		if u.InOrder {
			a.alignBetween(oldAt, i+int64(u.B), newAt, j+int64(u.A), hashes[1:])
			a.addRun(i+int64(u.B), j+int64(u.A), 1)
			oldAt, newAt = i+int64(u.B)+1, j+int64(u.A)+1
		}
	}
	a.alignBetween(oldAt, iEnd, newAt, jEnd, hashes[1:])
	a.addRun(iEnd, jEnd, tail)
}

// pairInOrder pairs rows one by one.
func (a *rowAligner) pairInOrder(i, iEnd, j, jEnd int64) {
	n := min(iEnd-i, jEnd-j)
	a.addRun(i, j, n)
	a.addRun(i+n, -1, iEnd-i-n)
	a.addRun(-1, j+n, jEnd-j-n)
}

// addRows adds the runs to the table, and compares the rows that both tables have.
func (a *rowAligner) addRows(ctx context.Context) error {
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

// rowHashes returns hashes of some cells of each row of a table, and of the first of these.
func rowHashes(ctx context.Context, t *model.Table, columns []int) (whole, first []uint64, err error) {
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
