package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"assay/formats"
	"assay/model/find"
	"assay/model/search"
)

type findCommand struct {
	formatFlag
	What  string   `arg:"" help:"Text to find; with --in names or --in values, a filter such as *.png or 'class ~ texture'."`
	Files []string `arg:"" optional:"" name:"file" help:"Files and folders to search, including packages in them. Default: the current folder."`
	FindOptions
}

// FindOptions are the flags of find.
type FindOptions struct {
	In         search.Kind `enum:"names,values,text,bytes" default:"text" help:"Where to search: text, bytes, names (of files, assets, and objects), or values (of fields). Default: text."`
	As         string      `placeholder:"TYPE" help:"How to interpret the search text. For text: text (any encoding), utf-8, utf-16le, utf-16be, regexp (Go's syntax, in UTF-8; a match has at most 4096 bytes). For bytes: hex, integer, int8 to int64, float, float32, float64."`
	Order      string      `enum:"any,little,big" default:"any" help:"Byte order of numbers: any, little, or big."`
	IgnoreCase bool        `short:"i" help:"Ignore case."`
	Only       string      `placeholder:"FILTER" help:"Search only matching files and assets, such as '*.png' or 'size > 1 MB'."`
	Most       int         `placeholder:"N" help:"Maximum number of matches per file."`
	JSON       bool        `name:"json" xor:"form" help:"Print one JSON object per match."`
	CSV        bool        `name:"csv" xor:"form" help:"Print the matches as CSV."`
	Paths      bool        `short:"l" name:"files" xor:"form" help:"Print only names of files with matches."`
	Count      bool        `short:"c" xor:"form" help:"Print only the number of matches per file."`
}

func (c *findCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	if len(c.Files) == 0 {
		c.Files = []string{"."}
	}
	s.status = s.runner.Find(s.ctx, c.What, c.Files, c.FindOptions)
	return nil
}

// searchFormats returns predicates for the file names of assets that are searched as files of their own.
func searchFormats() search.Formats {
	var opened, packed []string
	for _, f := range formats.All() {
		opened = append(opened, f.Extensions()...)
		if f.Packer != nil {
			packed = append(packed, f.Extensions()...)
		}
	}
	hasExtension := func(all []string) func(name string) bool {
		return func(name string) bool { return slices.Contains(all, strings.ToLower(path.Ext(name))) }
	}
	return search.Formats{Opens: hasExtension(opened), Packs: hasExtension(packed)}
}

// Find searches files and folders, and prints the matches. The status is ExitOK if there is a match, ExitProblems if
// there is no match, and ExitError if a file could not be searched.
func (r *Runner) Find(ctx context.Context, text string, files []string, o FindOptions) int {
	terms := search.Terms{Kind: o.In, Text: text, Interpretation: o.As, MatchCase: !o.IgnoreCase, Only: o.Only,
		Order: map[string]find.Order{"little": find.LittleEndian, "big": find.BigEndian}[o.Order]}
	q, err := terms.Parse()
	if err != nil {
		return r.reportError(err)
	}
	s := &search.Search{Query: q, OpenFile: r.openAny, Open: r.OpenSource, Formats: searchFormats(), MaxHits: o.Most}
	s.OmitText = o.Paths || o.Count
	if o.Paths {
		s.MaxHits = 1
	}
	out := bufio.NewWriterSize(r.Out, 64<<10)
	w := o.writer(out)
	hits, status := 0, ExitOK
	err = s.Run(ctx, files, func(f search.FileResults) error {
		hits += len(f.Hits)
		if f.Problem != "" {
			status = ExitError
			fmt.Fprintf(r.Err, "assay: %s: %s\n", displayPath(f.Path), f.Problem)
		}
		if f.Truncated && o.Most > 0 {
			fmt.Fprintf(r.Err, "assay: %s: more matches than --most %d\n", displayPath(f.Path), o.Most)
		}
		if err := w.Write(displayPath(f.Path), f); err != nil {
			return err
		}
		return out.Flush() // display the first hits at once
	})
	if err == nil {
		err = w.End()
	}
	if err == nil {
		err = out.Flush()
	}
	switch {
	case err != nil:
		return r.reportError(err)
	case status != ExitOK:
		return status
	case hits == 0:
		return ExitProblems
	}
	return ExitOK
}

func (o FindOptions) writer(out io.Writer) search.Writer {
	switch {
	case o.JSON:
		return search.NewJSON(out)
	case o.CSV:
		return search.NewCSV(out)
	case o.Paths, o.Count:
		return &fileWriter{out: out, count: o.Count}
	}
	return search.NewText(out)
}

// fileWriter prints the names of the files with hits, or the number of hits in each.
type fileWriter struct {
	out   io.Writer
	count bool
	path  string
	hits  int
}

// Write implements search.Writer.
func (w *fileWriter) Write(path string, f search.FileResults) error {
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
