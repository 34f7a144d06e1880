package export

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/model"
)

// Outcome is the result of the export of an asset.
type Outcome uint8

// The outcomes.
const (
	Failed Outcome = iota
	Skipped
	Exported
)

// String returns the outcome in a word.
func (o Outcome) String() string { return [...]string{"failed", "skipped", "exported"}[o] }

// Row is the report of one item of the plan.
type Row struct {
	Item
	Result
}

// Result is the result of exporting an item.
type Result struct {
	Path    string // relative to the folder, with forward slashes; empty if it was not written
	Bytes   int64
	SHA256  string // in hex; empty unless requested
	Verdict model.Verdict
	Outcome Outcome
	Problem string // in a sentence; of several the first comes first

	// Doubtful reports whether the file was written with a problem that is more than a guess.
	Doubtful bool

	hasOtherName, replacedFile, isSame bool
}

// HasOtherName reports whether the name of the file differs from the template's name.
func (r *Row) HasOtherName() bool { return r.hasOtherName }

// ReplacedFile reports whether an earlier file was replaced.
func (r *Row) ReplacedFile() bool { return r.replacedFile }

// SameFile returns the path of the file that exists with the same content, so that no other was written, or "".
func (r *Row) SameFile() string {
	if !r.isSame {
		return ""
	}
	return strings.TrimPrefix(r.Problem, sameExistsPrefix)
}

const sameExistsPrefix = "the same file already exists: " // followed by its path

func (r *Result) addProblem(problem string) {
	r.Doubtful = r.Doubtful || problem != "" && !strings.HasPrefix(problem, model.Guessed)
	switch {
	case strings.Contains(r.Problem, problem): // it is included already, or there is no problem
	case r.Problem == "":
		r.Problem = problem
	default:
		r.Problem += "; " + problem
	}
}

// canceled is the result of an asset that was not reached.
var canceled = Result{Outcome: Skipped, Problem: "canceled"}

func (r Row) notWritten(o Outcome, why string) Row {
	return Row{r.Item, Result{Outcome: o, Problem: why}}
}

// skippedSame returns the row of a file that is there with the same content.
func (r Row) skippedSame(file string) Row {
	return Row{r.Item, Result{Outcome: Skipped, Problem: sameExistsPrefix + file, isSame: true}}
}

// Report is the result of an export: a row for each item of the plan, in the order of the plan.
type Report struct {
	plan     *Plan
	rows     []Result
	Exported int
	Renamed  int // exported, with another name than the template's
	Replaced int // exported, over an earlier file
	Skipped  int
	Same     int // skipped, because the file was there, with the same content
	Failed   int
	Doubtful int // exported, with a problem
	Bytes    int64
	Canceled bool
	Problem  string // of the whole export
}

func newReport(p *Plan) *Report { return &Report{plan: p, rows: make([]Result, p.Len())} }

// Row returns the i-th row.
func (r *Report) Row(i int) Row { return Row{r.plan.Item(i), r.rows[i]} }

// Rows returns all rows in their order.
func (r *Report) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := range r.rows {
			if !yield(r.Row(i)) {
				return
			}
		}
	}
}

// maxStamps is the maximum number of files with a stamp.
const maxStamps = 50_000

// Stamps returns the written files, for Options.Own. There are none if too many were written.
func (r *Report) Stamps() map[string]Stamp {
	if r.Exported > maxStamps {
		return nil
	}
	stamps := make(map[string]Stamp)
	for row := range r.Rows() {
		if row.Outcome != Exported {
			continue
		}
		if info, err := r.plan.folder.Stat(row.Path); err == nil {
			stamps[row.Path] = stampOf(info)
		}
	}
	return stamps
}

func (r *Report) count() {
	for i := range r.rows {
		switch row := &r.rows[i]; row.Outcome {
		case Exported:
			r.Exported++
			r.Bytes += row.Bytes
			addIf(&r.Renamed, row.hasOtherName)
			addIf(&r.Replaced, row.replacedFile)
			addIf(&r.Doubtful, row.Doubtful)
		case Skipped:
			r.Skipped++
			addIf(&r.Same, row.isSame)
		default:
			r.Failed++
		}
	}
}

// Order returns the rows in the order of their importance: failures first. remarkable is the number of rows that
// failed, were skipped for another reason than the same content, have a message, replaced a file, or have another name
// than the template's.
func (r *Report) Order() (order []int, remarkable int) {
	var byRank [plainRank + 1][]int
	for i := range r.rows {
		k := r.rows[i].rank()
		byRank[k] = append(byRank[k], i)
	}
	return slices.Concat(byRank[:]...), len(r.rows) - len(byRank[sameRank]) - len(byRank[plainRank])
}

// The ranks of a file that was there, and of one without any message.
const (
	sameRank = iota + 6
	plainRank
)

func (r *Result) rank() int {
	switch {
	case r.Outcome == Failed:
		return 0
	case r.isSame:
		return sameRank
	case r.Outcome == Skipped:
		return 1
	case r.Doubtful:
		return 2
	case r.Problem != "":
		return 3
	case r.replacedFile:
		return 4
	case r.hasOtherName:
		return 5
	}
	return plainRank
}

// FilePath returns the path of a row's file, written or not, or "".
func (r *Report) FilePath(row *Row) string {
	target := cmp.Or(row.Path, row.Target)
	if d, ok := r.plan.folder.(*Directory); ok && target != "" {
		return filepath.Join(d.path, filepath.FromSlash(target))
	}
	return target
}

func addIf(n *int, condition bool) {
	if condition {
		*n++
	}
}

// Bad reports whether the export had problems: an asset failed, or was written with a problem, or the run was canceled.
func (r *Report) Bad() bool { return r.Failed > 0 || r.Doubtful > 0 || r.Canceled || r.Problem != "" }

// Summary returns the report in a line.
func (r *Report) Summary() string {
	s := fmt.Sprintf("%d exported (%d bytes), %d renamed, %d replaced, %d skipped, %d failed", r.Exported, r.Bytes,
		r.Renamed, r.Replaced, r.Skipped, r.Failed)
	if r.Doubtful > 0 {
		s += fmt.Sprintf(", %d with a problem", r.Doubtful)
	}
	if r.Canceled {
		s += ", canceled"
	}
	return s
}

// maxCanceledLines is the maximum number of lines for assets that were not reached: all of a large package may be.
const maxCanceledLines = 1000

// WriteText writes the report as text: a line for each asset, then the summary.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	canceledCount := 0
	for i := range r.rows {
		if r.rows[i] == canceled {
			if canceledCount++; canceledCount > maxCanceledLines {
				continue
			}
		}
		row := r.Row(i)
		switch {
		case row.Outcome != Exported:
			name := row.Target
			if row.Outcome == Failed {
				name = r.FilePath(&row)
			}
			if name == "" {
				name = r.plan.listedName(&row.Item)
			}
			fmt.Fprintf(w, "%-8s  %s  %s: %s\n", row.Outcome, row.Key, model.OneLine(name, 4096),
				model.OneLine(strings.TrimSuffix(row.Problem, ": "+name), 1000))
			continue
		case row.replacedFile:
			fmt.Fprintf(w, "replaced  %s  %s", row.Key, row.Path)
		default:
			fmt.Fprintf(w, "exported  %s  %s", row.Key, row.Path)
		}
		if row.hasOtherName {
			fmt.Fprintf(w, "  (original name: %s)", model.OneLine(row.Wanted, maxNameBytes))
		}
		if row.Verdict == model.Valid {
			w.WriteString("  verified")
		}
		switch {
		case row.Doubtful:
			w.WriteString("  problem: " + model.OneLine(row.Problem, 1000))
		case row.Problem != "":
			w.WriteString("  " + model.OneLine(row.Problem, 1000))
		}
		w.WriteByte('\n')
	}
	if canceledCount > maxCanceledLines {
		fmt.Fprintf(w, "%s canceled\n", model.Count(canceledCount-maxCanceledLines, "more asset"))
	}
	w.WriteString(r.Summary() + "\n")
	if r.Problem != "" {
		w.WriteString(r.Problem + "\n")
	}
	return w.Flush()
}

// jsonRow is a row of a report in JSON. An item that was not written has only its key, name, file and problem.
type jsonRow struct {
	Key      string          `json:"key"`
	Name     string          `json:"name"`
	File     string          `json:"file,omitempty"`
	Path     string          `json:"path,omitempty"`
	Bytes    json.RawMessage `json:"bytes,omitempty"`
	SHA256   json.RawMessage `json:"sha256,omitempty"`
	Form     string          `json:"form,omitempty"`
	Verified json.RawMessage `json:"verified,omitempty"`
	Problem  string          `json:"problem,omitempty"`

	MediaType *string  `json:"media_type,omitempty"` // these three in listings only
	Recorded  string   `json:"recorded_type,omitempty"`
	Forms     []string `json:"forms,omitempty"`
}

var jsonNull = json.RawMessage("null")

// WriteJSON writes the rows as JSON: [{key, name, path, bytes, sha256, form, verified: true, false or null, problem?}],
// path relative to the folder. Items that were not written have key, name and problem only. If assets come from several
// files, each row has its file, too.
func (r *Report) WriteJSON(w io.Writer) error {
	several := severalFiles(r.plan.picks)
	return writeRows(w, func(yield func(jsonRow) bool) {
		for row := range r.Rows() {
			if !yield(row.toJSON(several)) {
				return
			}
		}
	})
}

func severalFiles(picks []Pick) bool {
	return slices.ContainsFunc(picks, func(pick Pick) bool { return pick.File != picks[0].File })
}

func (r *Row) toJSON(several bool) jsonRow {
	row := jsonRow{Key: r.Key, Name: r.Name, Problem: r.Problem}
	if several {
		row.File = r.File
	}
	if r.Outcome != Exported {
		return row
	}
	row.Path, row.Form, row.Bytes = r.Path, r.Form, strconv.AppendInt(nil, r.Bytes, 10)
	row.SHA256, row.Verified = jsonNull, jsonNull
	if r.SHA256 != "" {
		row.SHA256 = strconv.AppendQuote(nil, r.SHA256)
	}
	switch r.Verdict {
	case model.Valid:
		row.Verified = json.RawMessage("true")
	case model.Invalid:
		row.Verified = json.RawMessage("false")
	}
	return row
}

// writeRows writes one row a line.
func writeRows(out io.Writer, rows iter.Seq[jsonRow]) error {
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_, _ = w.WriteString("[")
	between := ""
	for row := range rows {
		if _, err := w.WriteString(between); err != nil {
			return err
		}
		if err := e.Encode(row); err != nil {
			return err
		}
		between = ","
	}
	_, _ = w.WriteString("]\n")
	return w.Flush()
}
