package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"assay/model"
	"assay/model/scene"
)

type verifyCommand struct {
	resourcesFlag
	formatFlag
	Files []string `arg:"" name:"file" help:"The files; with --recursive also folders."`
	VerifyOptions
}

// VerifyOptions are the flags of verify.
type VerifyOptions struct {
	Recursive bool `short:"r" help:"Enter folders, and read the files in them that have a supported format."`
	Deep      bool `help:"Also check the contents of assets: supported formats, PNG images, ZIP archives."`
	Strict    bool `help:"Warn of bytes that a description (.ksy) leaves out, and exit with status 1."`
	JSON      bool `name:"json" help:"Print the reports as JSON."`
	Quiet     bool `short:"q" help:"Print only files with problems."`
}

func (c *verifyCommand) Run(s *session) error {
	if err := cmp.Or(c.formatFlag.apply(s), c.resourcesFlag.apply(s)); err != nil {
		return err
	}
	s.status = s.runner.Verify(s.ctx, c.Files, c.VerifyOptions)
	return nil
}

// fileResult is the result of verifying one file.
type fileResult struct {
	path      string // path in the command line
	doc       *model.Document
	report    *model.Report
	checksums [model.Unknown + 1]int
}

// totals holds the counts for the last line.
type totals struct{ files, bad, errors, warnings int }

// Verify checks the structure, the coverage and the recorded checksums of each file, expands compressed content, prints
// the results, and returns the exit status. As text, the last line is OK, unless Quiet is set, or the numbers of errors
// and warnings.
func (r *Runner) Verify(ctx context.Context, files []string, o VerifyOptions) int {
	ctx = model.Sharing(ctx)
	worst := ExitOK
	out := bufio.NewWriter(r.Out)
	var sum totals
	printResult := printText(out, o)
	if o.JSON {
		printResult = printJSON(out, &sum)
	}
	for _, file := range files {
		for path, err := range filePaths(ctx, file, o.Recursive) {
			status := ExitError
			if err == nil {
				status = r.verify(ctx, path, o, &sum, printResult)
			} else {
				r.reportError(err)
			}
			worst = max(worst, status)
		}
	}
	switch {
	case o.JSON && sum.files == 0:
		fmt.Fprint(out, "[]\n")
	case o.JSON:
		fmt.Fprint(out, "\n]\n")
	case worst != ExitOK || !o.Quiet:
		fmt.Fprintln(out, sum.line(worst, o.Recursive))
	}
	if err := out.Flush(); err != nil {
		return r.reportError(err)
	}
	return worst
}

// line returns the last line. With counted, OK is followed by the number of files.
func (t *totals) line(worst int, counted bool) string {
	if worst == ExitOK {
		if counted {
			return "OK, " + model.PlainCount(t.files, "file")
		}
		return "OK"
	}
	s := model.PlainCount(t.errors, "error") + ", " + model.PlainCount(t.warnings, "warning")
	if t.files > 1 {
		s += fmt.Sprintf(" in %d of %d files", t.bad, t.files)
	}
	if worst == ExitError {
		s += "; some files could not be read"
	}
	return s
}

// verify checks one file and prints the result.
func (r *Runner) verify(ctx context.Context, path string, o VerifyOptions, sum *totals,
	printResult func(*fileResult)) int {
	d, err := r.open(ctx, path, adviceRecursive)
	if err != nil {
		return r.reportError(err)
	}
	defer d.Source.Close()
	if o.Recursive && d.Format == model.UnknownFormat {
		return ExitOK // unrecognized files in folders are skipped
	}
	v := &fileResult{path: path, doc: d}
	if v.report, err = d.Check(ctx, nil); err == nil {
		if o.Strict && d.Description != nil {
			v.report.Strict()
		}
		err = addMissingFiles(ctx, d, v.report)
	}
	if err == nil {
		v.checksums, err = r.verifyPayloads(ctx, d, v.report, o.Deep)
	}
	if err != nil {
		return r.reportError(err)
	}
	printResult(v)
	sum.files++
	sum.errors += v.report.Count[model.Error]
	sum.warnings += v.report.Count[model.Warning]
	status := max(r.checkUnchanged(d, path), reportStatus(v.report))
	if status != ExitOK {
		sum.bad++
	}
	return status
}

// addMissingFiles adds a warning for each missing file that the view of the document needs, such as the textures of a
// scene.
func addMissingFiles(ctx context.Context, d *model.Document, report *model.Report) error {
	if d.View == nil {
		return nil
	}
	view, err := d.View(ctx, d.Root())
	s, ok := view.(*scene.Scene)
	if err != nil || !ok {
		return ctx.Err() // the report already has the problem
	}
	for _, file := range s.Absent {
		report.Add(model.Problem{Severity: model.Warning, Path: "/", Message: file})
	}
	return ctx.Err()
}

func printText(out *bufio.Writer, o VerifyOptions) func(*fileResult) {
	return func(v *fileResult) {
		if o.Quiet && !v.report.Bad() {
			return
		}
		size := v.doc.Source.Size()
		fmt.Fprintf(out, "%s: %s %s, %d bytes, %s\n", displayPath(v.path), v.doc.Format, v.doc.Variant, size,
			v.doc.CoverageText(v.report))
		for _, p := range v.report.Problems {
			fmt.Fprintf(out, "  %s %#x %s: %s\n", p.Severity, p.Span.Offset, model.OneLine(p.Path, 400),
				model.OneLine(p.Message, 400))
		}
		if v.report.Omitted > 0 {
			fmt.Fprintf(out, "  and %d more problems\n", v.report.Omitted)
		}
		if v.doc.Payloads != nil {
			fmt.Fprintf(out, "  checksums: %d valid, %d invalid, %d not recorded, %d not verifiable\n",
				v.checksums[model.Valid], v.checksums[model.Invalid],
				v.checksums[model.Unrecorded], v.checksums[model.Unknown])
		}
	}
}

// verifiedJSON is the report of a file.
type verifiedJSON struct {
	File      string         `json:"file"`
	Format    string         `json:"format"`
	Variant   string         `json:"variant"`
	Size      int64          `json:"size"`
	Accounted int64          `json:"accounted"`
	Checksums map[string]int `json:"checksums,omitempty"`
	Errors    int            `json:"errors"`
	Warnings  int            `json:"warnings"`
	Problems  []problemJSON  `json:"problems"`
}

type problemJSON struct {
	Severity string `json:"severity"`
	Offset   int64  `json:"offset"`
	Size     int64  `json:"size"`
	Path     string `json:"path"`
	Message  string `json:"message"`
}

// printJSON returns a func that prints the report of a file as an element of an array.
func printJSON(out *bufio.Writer, sum *totals) func(*fileResult) {
	return func(v *fileResult) {
		j := verifiedJSON{File: displayPath(v.path), Format: v.doc.Format, Variant: v.doc.Variant,
			Size:      v.doc.Source.Size(),
			Accounted: v.report.Accounted,
			Errors:    v.report.Count[model.Error], Warnings: v.report.Count[model.Warning], Problems: []problemJSON{}}
		if v.doc.Payloads != nil {
			j.Checksums = map[string]int{"valid": v.checksums[model.Valid], "invalid": v.checksums[model.Invalid],
				"unrecorded": v.checksums[model.Unrecorded], "unknown": v.checksums[model.Unknown]}
		}
		for _, p := range v.report.Problems {
			j.Problems = append(j.Problems,
				problemJSON{p.Severity.String(), p.Span.Offset, p.Span.Size, p.Path, p.Message})
		}
		b, err := json.Marshal(j)
		if err != nil {
			return // cannot fail: the object has only strings and numbers
		}
		if sum.files == 0 {
			fmt.Fprint(out, "[\n")
		} else {
			fmt.Fprint(out, ",\n")
		}
		_, _ = out.Write(b)
	}
}

// mismatch is an asset whose checksum does not match, or that could not be read.
type mismatch struct {
	index  int
	reason string
}

// rangeResult holds the results for a range of assets.
type rangeResult struct {
	counts     [model.Unknown + 1]int
	mismatches []mismatch
	deep       []model.Problem
}

// verifyPayloads compares every payload with its checksum, on all cores, counts the verdicts and adds the problems to
// the report in the order of the payloads.
func (r *Runner) verifyPayloads(ctx context.Context, d *model.Document, report *model.Report,
	deep bool) (counts [model.Unknown + 1]int, err error) {
	if d.Payloads == nil {
		return counts, nil
	}
	reported := make(map[model.Span]bool) // spans of reported errors, so that a damaged asset is counted once
	for _, p := range report.Problems {
		if p.Severity == model.Error {
			reported[p.Span] = true
		}
	}
	var checks *contentChecks
	if deep {
		checks = &contentChecks{r: r, d: d, cache: make(map[contentKey][]model.Problem)}
	}
	if err := d.FindPayloads(ctx); err != nil {
		return counts, err
	}
	cores := runtime.NumCPU()
	n := d.Payloads.Len()
	size := min(max(n/(16*cores), 1), 4096)
	for first := 0; first < n; first += 4 * cores * size { // in steps: a million assets may mismatch
		results := make([]rangeResult, min(4*cores, (n-first+size-1)/size))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(cores)
		for k := range results {
			g.Go(func() error {
				lo := first + k*size
				return r.verifyRange(gctx, d, lo, min(lo+size, n), &results[k], checks)
			})
		}
		if err := g.Wait(); err != nil {
			return counts, err
		}
		for _, checked := range results {
			for v, count := range checked.counts {
				counts[v] += count
			}
			for _, m := range checked.mismatches {
				if p := problemOf(d.Payloads.At(m.index), m.reason); !reported[p.Span] {
					report.Add(p)
				}
			}
			for _, p := range checked.deep {
				report.Add(p)
			}
		}
	}
	return counts, nil
}

// verifyRange verifies the payloads from lo to before hi.
func (r *Runner) verifyRange(ctx context.Context, d *model.Document, lo, hi int, result *rangeResult,
	checks *contentChecks) error {
	each := func(i int, v model.Verdict, reason string, err error) {
		if err != nil {
			v, reason = model.Unknown, err.Error()
		}
		result.counts[v]++
		if err != nil || v == model.Invalid {
			result.mismatches = append(result.mismatches, mismatch{i, reason})
		}
	}
	if verifier, ok := d.Payloads.(model.Verifier); ok {
		if err := verifier.VerifyEach(ctx, lo, hi, each); err != nil {
			return err
		}
	} else {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			p := d.Payloads.At(i)
			if p.Verify == nil {
				result.counts[model.Unrecorded]++
				continue
			}
			if v, reason, err := p.Verify(ctx); ctx.Err() == nil {
				each(i, v, reason, err)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i := lo; checks != nil && i < hi; i++ {
		found, err := checks.check(ctx, d.Payloads.At(i))
		if err != nil {
			return err
		}
		result.deep = append(result.deep, found...)
	}
	return nil
}

func problemOf(p *model.Payload, reason string) model.Problem {
	path := "/"
	if p.Node != nil {
		path = p.Node.PathText()
	}
	return model.Problem{Severity: model.Error, Span: p.Stored, Path: path, Message: reason}
}
