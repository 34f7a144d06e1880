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
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/model/graph"
)

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
