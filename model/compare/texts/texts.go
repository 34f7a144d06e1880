package texts

import (
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"

	"assay/model/compare"
	"assay/model/text"
)

// Diff is two texts that were compared line by line.
type Diff struct {
	Counts   compare.Counts // of lines
	old, new []string
	runs     []run
}

// run is rows of one state: lines from old and from new on; of changed ones, line by line.
type run struct {
	row, n   int
	old, new int
	status   compare.Status
}

// Row is a line of two texts beside each other.
type Row struct {
	Status           compare.Status
	Old, New         int // numbers of the lines, from 1; 0 where a side has none
	OldText, NewText []Piece
}

// Compare compares two texts.
func Compare(old, new string) *Diff {
	t := &Diff{old: text.Lines(old), new: text.Lines(new)}
	a, b := 0, 0
	for _, d := range lcs.DiffLines(t.old, t.new) {
		t.add(a, b, d.Start-a, compare.Same)
		n, m := d.End-d.Start, d.ReplEnd-d.ReplStart
		both := min(n, m)
		t.add(d.Start, d.ReplStart, both, compare.Changed)
		t.add(d.Start+both, d.ReplStart+both, n-both, compare.Removed)
		t.add(d.Start+both, d.ReplStart+both, m-both, compare.Added)
		a, b = d.End, d.ReplEnd
	}
	t.add(a, b, len(t.old)-a, compare.Same)
	return t
}

func (t *Diff) add(old, new, n int, status compare.Status) {
	if n > 0 {
		t.runs = append(t.runs, run{t.Len(), n, old, new, status})
		*t.Counts.At(status) += int64(n)
	}
}

// Len is the number of rows.
func (t *Diff) Len() int {
	if len(t.runs) == 0 {
		return 0
	}
	last := t.runs[len(t.runs)-1]
	return last.row + last.n
}

// Row returns a row.
func (t *Diff) Row(i int) (r Row) {
	run := t.runs[sort.Search(len(t.runs), func(k int) bool { return t.runs[k].row > i })-1]
	at := i - run.row
	r.Status = run.status
	if run.status != compare.Added {
		r.Old = run.old + at + 1
		r.OldText = []Piece{{Text: t.old[r.Old-1]}}
	}
	if run.status != compare.Removed {
		r.New = run.new + at + 1
		r.NewText = []Piece{{Text: t.new[r.New-1]}}
	}
	if run.status == compare.Changed {
		r.OldText, r.NewText = Words(t.old[r.Old-1], t.new[r.New-1])
	}
	return r
}

// Next returns the first row after a run of rows that differ, which the given one may be in, that differs; -1: there is
// none. Before the first row is -1.
func (t *Diff) Next(row int) int {
	apart := row < 0
	for _, r := range t.runs {
		switch {
		case r.row+r.n <= row:
		case r.status == compare.Same:
			apart = true
		case apart:
			return r.row
		}
	}
	return -1
}

// NewLines is the number of lines of the new text.
func (t *Diff) NewLines() int { return len(t.new) }

// Hunks calls do for the rows around what differs: context rows before and after. first is the first row of each hunk.
func (t *Diff) Hunks(context int, do func(r Row, first bool) error) error {
	done := -1 // the rows before it were passed to do, or left out
	for _, run := range t.runs {
		if run.status == compare.Same {
			continue
		}
		from, to := max(done, run.row-context, 0), min(run.row+run.n+context, t.Len())
		for row := from; row < to; row++ {
			if err := do(t.Row(row), row == from && from != done); err != nil {
				return err
			}
		}
		done = to
	}
	return nil
}
