package export

import (
	"bufio"
	"fmt"
	"io"

	"assay/model"
)

// Outcome is what became of an asset.
type Outcome uint8

// The outcomes.
const (
	Failed Outcome = iota
	Skipped
	Exported
)

// String is the outcome in a word.
func (o Outcome) String() string { return [...]string{"failed", "skipped", "exported"}[o] }

// Row is what a report says about one item of the plan.
type Row struct {
	*Item
	Path    string // relative to the folder, with forward slashes; empty if it was not written
	Bytes   int64
	SHA256  string // in hex; empty if not asked for
	Verdict model.Verdict
	Outcome Outcome
	Problem string // in a sentence; of several the first comes first

	renamed, numbered, replaced bool
}

// Renamed reports whether the file has another name than the template gave.
func (r *Row) Renamed() bool { return r.renamed }

// Replaced reports whether a file of that name was there before.
func (r *Row) Replaced() bool { return r.replaced }

func (r *Row) note(problem string) {
	switch {
	case problem == "":
	case r.Problem == "":
		r.Problem = problem
	default:
		r.Problem += "; " + problem
	}
}

// left is the row of an asset that was not written.
func (r Row) left(o Outcome, why string) Row {
	return Row{Item: r.Item, Outcome: o, Problem: why}
}

// Report is what became of an export.
type Report struct {
	Rows      []Row // in the order of the plan
	Exported  int
	Renamed   int // of the exported ones: the name is another than the template gave
	Numbered  int // of the renamed ones: a file in the folder had the name
	Replaced  int // of the exported ones: a file of that name was replaced
	Asked     int // questions that were asked
	Skipped   int
	Failed    int
	Doubtful  int // of the exported ones: with a problem
	Bytes     int64
	Cancelled bool
	Problem   string // of the whole
}

func (r *Report) count() {
	for i := range r.Rows {
		switch row := &r.Rows[i]; row.Outcome {
		case Exported:
			r.Exported++
			r.Bytes += row.Bytes
			add(&r.Renamed, row.renamed)
			add(&r.Numbered, row.numbered)
			add(&r.Replaced, row.replaced)
			add(&r.Doubtful, row.Problem != "")
		case Skipped:
			r.Skipped++
		default:
			r.Failed++
		}
	}
}

func add(n *int, one bool) {
	if one {
		*n++
	}
}

// Bad reports whether anything went wrong: an asset failed, or was written with a problem, or the run was cancelled.
func (r *Report) Bad() bool { return r.Failed > 0 || r.Doubtful > 0 || r.Cancelled || r.Problem != "" }

// Summary is the report in a line.
func (r *Report) Summary() string {
	s := fmt.Sprintf("%d exported (%d bytes), %d renamed, %d replaced, %d skipped, %d failed", r.Exported, r.Bytes,
		r.Renamed, r.Replaced, r.Skipped, r.Failed)
	if r.Doubtful > 0 {
		s += fmt.Sprintf(", %d with a problem", r.Doubtful)
	}
	if r.Cancelled {
		s += ", cancelled"
	}
	return s
}

// WriteText writes the report for people: a line for each asset, then the summary.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	for i := range r.Rows {
		row := &r.Rows[i]
		switch {
		case row.Outcome != Exported:
			fmt.Fprintf(w, "%-8s  %s  %s: %s\n", row.Outcome, row.Key, model.OneLine(row.Name, nameMax),
				model.OneLine(row.Problem, 1000))
			continue
		case row.replaced:
			fmt.Fprintf(w, "replaced  %s  %s", row.Key, row.Path)
		default:
			fmt.Fprintf(w, "exported  %s  %s", row.Key, row.Path)
		}
		if row.renamed {
			fmt.Fprintf(w, "  (its name: %s)", model.OneLine(row.Name, nameMax))
		}
		if row.Verdict == model.Valid {
			w.WriteString("  verified")
		}
		if row.Problem != "" {
			w.WriteString("  problem: " + model.OneLine(row.Problem, 1000))
		}
		w.WriteByte('\n')
	}
	w.WriteString(r.Summary() + "\n")
	if r.Problem != "" {
		w.WriteString(r.Problem + "\n")
	}
	return w.Flush()
}
