package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"assay/model/search"
)

// FindOptions are how find goes.
type FindOptions struct {
	Terms   search.Terms
	Formats search.Formats
	Most    int // hits of a file; 0: all of them
	// What is printed instead of a line for each hit: a JSON object for each, a table, only the files with hits, or how
	// many each has.
	JSON, CSV, Files, Count bool
}

// Find searches files and folders, and prints what it finds. The status is Fine if there is something, Bad if nothing
// is found, and Trouble if a file could not be searched.
func (r *Runner) Find(ctx context.Context, files []string, o FindOptions) int {
	q, err := o.Terms.Parse()
	if err != nil {
		return r.trouble(err)
	}
	s := &search.Search{Query: q, OpenFile: r.openAny, Open: r.OpenSource, Formats: o.Formats, Most: o.Most}
	s.Bare = o.Files || o.Count
	if o.Files {
		s.Most = 1
	}
	out := bufio.NewWriterSize(r.Out, 64<<10)
	into := o.writer(out)
	hits, status := 0, Fine
	err = s.Run(ctx, files, func(f search.Found) error {
		hits += len(f.Hits)
		if f.Problem != "" {
			status = Trouble
			fmt.Fprintf(r.Err, "assay: %s: %s\n", given(f.Path), f.Problem)
		}
		if f.More && o.Most > 0 {
			fmt.Fprintf(r.Err, "assay: %s: there are more hits than --most %d\n", given(f.Path), o.Most)
		}
		if err := into.Write(given(f.Path), f); err != nil {
			return err
		}
		return out.Flush() // whoever waits for the first hits sees them
	})
	if err == nil {
		err = into.End()
	}
	if err == nil {
		err = out.Flush()
	}
	switch {
	case err != nil:
		return r.trouble(err)
	case status != Fine:
		return status
	case hits == 0:
		return Bad
	}
	return Fine
}

func (o FindOptions) writer(out io.Writer) search.Writer {
	switch {
	case o.JSON:
		return search.NewJSON(out)
	case o.CSV:
		return search.NewCSV(out)
	case o.Files, o.Count:
		return &fileWriter{out: out, count: o.Count}
	}
	return search.NewText(out)
}

// fileWriter prints the files that have hits, or how many each has.
type fileWriter struct {
	out   io.Writer
	count bool
	path  string
	hits  int
}

// Write implements search.Writer.
func (w *fileWriter) Write(path string, f search.Found) error {
	if path != w.path {
		if err := w.End(); err != nil {
			return err
		}
		w.path = path
	}
	w.hits += len(f.Hits)
	return nil
}

// End prints the line of the last file.
func (w *fileWriter) End() error {
	if w.hits == 0 {
		return nil
	}
	var err error
	if w.count {
		_, err = fmt.Fprintf(w.out, "%s: %d\n", w.path, w.hits)
	} else {
		_, err = fmt.Fprintln(w.out, w.path)
	}
	w.hits = 0
	return err
}
