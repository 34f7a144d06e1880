package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/model/find"
	"assay/model/graph"
)

type diffCommand struct {
	formatFlag
	Old string `arg:"" help:"The old file or folder."`
	New string `arg:"" help:"The new file or folder."`
	DiffOptions
}

// DiffOptions are the flags of diff.
type DiffOptions struct {
	JSON      bool     `name:"json" help:"Print JSON; the same as --as json."`
	Form      DiffForm `name:"as" enum:"text,json,markdown,html" default:"text" help:"Report format: ${enum}."`
	Summary   bool     `help:"Print one line per changed item instead of all rows."`
	Limit     int      `xor:"rows" placeholder:"N" help:"Maximum number of rows per file in text or Markdown. Default: 200."`
	All       bool     `xor:"rows" help:"List all rows."`
	Tolerance float64  `help:"Float tolerance, absolute or relative to the larger value."`
	Ignore    []string `predictor:"field" placeholder:"FIELD" help:"Names of fields to ignore; in texts also indentation, blank, eol, comments, and order (of properties)."`
	Times     bool     `help:"Ignore timestamps."`
	Contents  string   `enum:"automatic,recorded,full" default:"automatic" help:"How to compare contents that have a recorded checksum: ${enum}."`
}

// textRules are the words of --ignore that are rules for texts.
var textRules = []string{"indentation", "blank", "eol", "comments", "order"}

// Validate rejects a negative limit.
func (c *diffCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit must be 1 or more, not %d", c.Limit)
	}
	return nil
}

// Run compares two files or folders and prints the changes.
func (c *diffCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	// Nodes nested 50,000 deep in both files take 270 MB: without a limit, garbage would double that.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(340 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // 15 % less CPU time; the memory limit still holds
	s.status = s.runner.Diff(s.ctx, c.Old, c.New, c.DiffOptions)
	return nil
}

// compareOptions returns the options of a comparison.
func (o *DiffOptions) compareOptions() compare.Options {
	ignores := func(rule string) bool { return slices.Contains(o.Ignore, rule) }
	return compare.Options{Tolerance: o.Tolerance, Names: o.Ignore, Times: o.Times,
		Texts: compare.TextRules{Indentation: ignores("indentation"), BlankLines: ignores("blank"),
			LineEnds: ignores("eol"), Comments: ignores("comments"), Order: ignores("order")},
		Contents: map[string]compare.Reading{"recorded": compare.Recorded, "full": compare.Full}[o.Contents]}
}

// reportOptions returns the options of reports as text and Markdown.
func (r *Runner) reportOptions(o *DiffOptions) report.Options {
	return report.Options{Color: r.color, Limit: o.Limit, All: o.All, Summary: o.Summary}
}

// DiffForm is the format of a printed comparison.
type DiffForm string

// The formats of a printed comparison.
const (
	DiffText     DiffForm = "text"
	DiffJSON     DiffForm = "json"
	DiffMarkdown DiffForm = "markdown"
	DiffHTML     DiffForm = "html"
)

// Diff compares two files or two folders, and prints the changes. The status is as for diff and cmp: 0 without
// differences, 1 with differences, 2 if the comparison failed.
func (r *Runner) Diff(ctx context.Context, old, new string, o DiffOptions) int {
	if o.JSON {
		o.Form = DiffJSON
	}
	folders := isFolder(old)
	if folders != isFolder(new) {
		return r.reportError(r.mixedKindsError(ctx, old, new))
	}
	var same bool
	var err error
	if folders {
		same, err = r.diffFolders(ctx, old, new, &o)
	} else {
		same, err = r.diffFiles(ctx, old, new, func(c *compare.Comparison) error {
			r.warnUnknownFields(c, o.Ignore)
			for _, s := range c.Notes() {
				fmt.Fprintf(r.Err, "assay: %s\n", s)
			}
			return r.writeComparison(ctx, c, &o)
		}, o.compareOptions())
	}
	switch {
	case err != nil:
		return r.reportError(err)
	case same:
		return ExitOK
	}
	return ExitProblems
}

// mixedKindsError returns the error of comparing a folder with a file.
func (r *Runner) mixedKindsError(ctx context.Context, old, new string) error {
	file, folder := old, new
	if isFolder(old) {
		file, folder = new, old
	}
	d, err := r.open(ctx, file, adviceFile)
	if err != nil {
		return err
	}
	d.Source.Close()
	return fmt.Errorf("cannot compare a folder (%s) with a file (%s)", displayPath(folder), displayPath(file))
}

func isFolder(path string) bool {
	return path != Dash && model.IsFolder(path)
}

// diffFiles compares two files, and calls do with the comparison while they are open. It reports whether they have no
// differences.
func (r *Runner) diffFiles(ctx context.Context, old, new string, do func(*compare.Comparison) error,
	options compare.Options) (bool, error) {
	docs, err := r.openEach(ctx, adviceFile, old, new)
	if err != nil {
		return false, err
	}
	defer model.CloseDocuments(docs...)
	c, err := changes.CompareDocuments(ctx, docs[0], docs[1], options, nil)
	if err == nil {
		err = c.FindRanges(ctx, nil)
	}
	if err == nil {
		err = do(c)
	}
	if err != nil {
		return false, err
	}
	if !c.Identical {
		err = errors.Join(incompleteError(docs[0]), incompleteError(docs[1]))
	}
	return c.Same(), errors.Join(err, sourceError(docs[0]), sourceError(docs[1]))
}

// incompleteError returns an error if a file was read only in part, so that the rest of it was not compared.
func incompleteError(d *model.Document) error {
	if p := d.Stopped(); p != nil {
		return fmt.Errorf("%s was not compared whole: %s: %s", displayPath(d.Source.Path()), model.OneLine(p.Path, 200), p.Message)
	}
	return nil
}

func (r *Runner) writeComparison(ctx context.Context, c *compare.Comparison, o *DiffOptions) error {
	switch o.Form {
	case DiffJSON:
		return report.JSON(ctx, c, r.Out)
	case DiffMarkdown:
		return report.Markdown(ctx, c, r.Out, r.reportOptions(o))
	case DiffHTML:
		return report.HTML(ctx, c, r.Out)
	}
	return report.Text(ctx, c, r.Out, r.reportOptions(o))
}

// warnUnknownFields prints a warning for each name after --ignore that is not a field of either file.
func (r *Runner) warnUnknownFields(c *compare.Comparison, ignored []string) {
	if len(ignored) == 0 {
		return
	}
	names := append(find.FieldNames(c.Old), find.FieldNames(c.New)...)
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range ignored {
		if slices.Contains(names, name) || slices.Contains(textRules, name) {
			continue
		}
		suggestion := ""
		if similar := model.SimilarNames(name, names); len(similar) > 0 {
			suggestion = "; did you mean " + strings.Join(similar, " or ") + "?"
		}
		fmt.Fprintf(r.Err, "assay: --ignore: no field named %s%s\n", model.OneLine(name, 100), suggestion)
	}
}

// errNotCompared is the error if some files of two folders could not be compared.
var errNotCompared = errors.New("some files could not be compared")

// folderReport writes a report on two folders, file by file.
type folderReport interface {
	// File prints the change of a file; c is the comparison of a changed file, or nil.
	File(ctx context.Context, f *compare.File, c *compare.Comparison) error
	End(compare.Counts) error
}

// diffFolders compares the files of two folders, and prints the changes.
func (r *Runner) diffFolders(ctx context.Context, old, new string, o *DiffOptions) (same bool, err error) {
	ctx = model.Sharing(ctx)
	out := bufio.NewWriterSize(r.Out, 64<<10)
	var w folderReport
	switch o.Form {
	case DiffText, "":
		w = &folderText{out: out, o: r.reportOptions(o)}
	case DiffJSON:
		w = &folderJSON{out: out}
	case DiffHTML:
		w = report.NewFoldersPage(out, filepath.Base(old), filepath.Base(new))
	case DiffMarkdown:
		w = report.NewFoldersMarkdown(out, filepath.Base(old), filepath.Base(new), r.reportOptions(o))
	}
	files, err := compare.Folders(ctx, old, new, nil, nil)
	if err != nil {
		return false, err
	}
	var n compare.Counts
	complete := true
	byRules := slices.Clone(files) // with the statuses that the options give
	for i := range byRules {
		f := &byRules[i]
		if err := r.diffFile(ctx, old, new, f, w, o); err != nil {
			return false, err
		}
		complete = complete && (f.Problem == "" || f.Link != "")
		n.Count(f.Status)
	}
	b := graph.Builder{OpenFile: r.openAny, Open: r.OpenSource, Opens: searchFormats().Refers}
	err = compare.FindUses(ctx, b, [2]string{old, new}, files, func(i int) compare.Status { return byRules[i].Status })
	for i := range files {
		if err == nil && files[i].Uses != nil {
			err = w.File(ctx, &files[i], nil)
		}
	}
	if err == nil {
		err = w.End(n)
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil && !complete {
		err = errNotCompared
	}
	return n.Differences() == 0, err
}

// diffFile compares one file of two folders and prints it. The changes that the options do not ignore determine its
// status.
func (r *Runner) diffFile(ctx context.Context, old, new string, f *compare.File, w folderReport,
	o *DiffOptions) error {
	switch {
	case f.Problem != "":
		fmt.Fprintf(r.Err, "assay: %s: %s\n", displayPath(f.Name), f.Problem)
		return w.File(ctx, f, nil)
	case f.Status == compare.Same:
		return nil
	case f.Status != compare.Changed:
		return w.File(ctx, f, nil)
	}
	var failed error // error of writing the output
	_, err := r.diffFiles(ctx, filepath.Join(old, f.OldPath()), filepath.Join(new, f.Name),
		func(c *compare.Comparison) error {
			if c.Same() {
				f.Status = compare.Same
				return nil
			}
			failed = w.File(ctx, f, c)
			return failed
		}, o.compareOptions())
	if failed != nil || ctx.Err() != nil {
		return errors.Join(failed, ctx.Err())
	}
	if err != nil {
		f.Problem = err.Error()
		fmt.Fprintf(r.Err, "assay: %v\n", err)
	}
	return nil
}

// folderText prints a line for each file, and below it the rows of its comparison.
type folderText struct {
	out     *bufio.Writer
	o       report.Options
	renamed int64 // number of files renamed without a change
}

func (t *folderText) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	suffix := ""
	switch f.Status {
	case compare.Added:
		suffix = " (" + model.Count(f.NewSize, "byte") + ")"
	case compare.Removed:
		suffix = " (" + model.Count(f.OldSize, "byte") + ")"
	case compare.Moved:
		if compare.IsRename(f.OldName, f.Name) {
			t.renamed++
		}
	}
	if f.OldName != "" {
		suffix = ", was " + displayPath(f.OldName)
	}
	if f.Uses != nil {
		suffix = ": " + displayPath(f.Change(""))
	}
	if f.Problem != "" {
		suffix = ": cannot be compared: " + f.Problem
	}
	fmt.Fprintf(t.out, "%s %s%s\n", f.Status.Sign(), displayPath(f.Name), suffix)
	if c == nil {
		return nil
	}
	return report.Text(ctx, c, &indented{out: t.out, atLineStart: true}, t.o)
}

func (t *folderText) End(n compare.Counts) error {
	if n.Differences() == 0 {
		return nil
	}
	var parts []string
	for status, k := range n.Each() {
		if status == compare.Moved && t.renamed > 0 {
			parts = append(parts, model.FormatCount(t.renamed)+" renamed")
			k -= t.renamed
		}
		if k > 0 {
			parts = append(parts, model.FormatCount(k)+" "+status.String())
		}
	}
	fmt.Fprintf(t.out, "# files: %s\n", strings.Join(parts, ", "))
	return nil
}

// indented indents each line by two spaces.
type indented struct {
	out         io.Writer
	atLineStart bool
}

func (w *indented) Write(b []byte) (int, error) {
	written := 0
	for len(b) > written {
		if w.atLineStart {
			if _, err := io.WriteString(w.out, "  "); err != nil {
				return written, err
			}
		}
		line := b[written:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		n, err := w.out.Write(line)
		if written += n; err != nil {
			return written, err
		}
		w.atLineStart = line[len(line)-1] == '\n'
	}
	return written, nil
}

// folderJSON prints one JSON object: {files: [{status, name, ...}], same, changed, moved, added, removed}. Unchanged
// files are listed only if they use files that changed.
type folderJSON struct {
	out   *bufio.Writer
	files int
}

// fileJSON is a file in the report. For a changed file, folderJSON adds the member comparison.
type fileJSON struct {
	Status  string   `json:"status"`
	Name    string   `json:"name"`
	OldName string   `json:"old_name,omitempty"`
	OldSize *int64   `json:"old_size,omitempty"`
	NewSize *int64   `json:"new_size,omitempty"`
	Problem string   `json:"problem,omitempty"`
	Uses    []string `json:"uses,omitempty"`
}

func (j *folderJSON) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	entry := fileJSON{Status: f.Status.String(), Name: displayPath(f.Name), Problem: f.Problem, Uses: f.Uses}
	if f.OldName != "" {
		entry.OldName = displayPath(f.OldName)
	}
	if f.OldSize >= 0 {
		entry.OldSize = &f.OldSize
	}
	if f.NewSize >= 0 {
		entry.NewSize = &f.NewSize
	}
	b, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	separator := ",\n"
	if j.files == 0 {
		separator = "{\"files\":[\n"
	}
	j.files++
	j.out.WriteString(separator)
	if c == nil {
		_, err = j.out.Write(b)
		return err
	}
	j.out.WriteString(strings.TrimSuffix(string(b), "}") + `,"comparison":`)
	if err := report.JSON(ctx, c, j.out); err != nil {
		return err
	}
	return j.out.WriteByte('}')
}

func (j *folderJSON) End(n compare.Counts) error {
	if j.files == 0 {
		j.out.WriteString(`{"files":[`)
	}
	_, err := fmt.Fprintf(j.out, "],\n\"same\":%d,\"changed\":%d,\"moved\":%d,\"added\":%d,\"removed\":%d}\n", n.Same,
		n.Changed, n.Moved, n.Added, n.Removed)
	return err
}
