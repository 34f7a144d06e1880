package report

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

// subject is what rows of a report are about: a thing, or a part of the file that is in none.
type subject struct {
	name   string
	status compare.Status // of the thing
	counts compare.Counts
}

// subjects returns the first things that changed, in the order of the report, with their numbers of rows, and how many
// more there are.
func subjects(ctx context.Context, c *compare.Comparison, o Options) (list []*subject, more int64, err error) {
	known := make(map[string]*subject)
	var last changes.Subject
	err = c.Changes(func(p *compare.Pair) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := changes.SubjectOf(p)
		s := known[of.ID]
		if s == nil && int64(len(list)) < o.most() {
			s = &subject{name: of.Name, status: of.Status}
			known[of.ID] = s
			list = append(list, s)
		}
		if s != nil {
			s.counts.Count(p.Status)
		} else if of.ID != last.ID { // the rows of a thing follow one another
			more++
		}
		last = of
		return nil
	})
	return list, more, err
}

// writeSummary prints a line for each thing that changed, with its numbers of rows.
func writeSummary(ctx context.Context, w *bufio.Writer, c *compare.Comparison, o Options) error {
	list, more, err := subjects(ctx, c, o)
	if err != nil {
		return err
	}
	wide := 0
	for _, s := range list {
		wide = max(wide, utf8.RuneCountInString(s.name))
	}
	for _, s := range list {
		pad := strings.Repeat(" ", wide-utf8.RuneCountInString(s.name))
		fmt.Fprintf(w, "%s %s%s | %s\n", s.status.Sign(), s.name, pad, s.counts)
	}
	if more > 0 {
		fmt.Fprintf(w, "# and %s: --all lists them\n", contents.Count(more, "more thing"))
	}
	return nil
}

// writeSummaryTable writes the same as a table in Markdown.
func writeSummaryTable(ctx context.Context, w *bufio.Writer, c *compare.Comparison, o Options) error {
	list, more, err := subjects(ctx, c, o)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "| | thing | rows |\n|---|---|---|\n")
	for _, s := range list {
		fmt.Fprintf(w, "| %s | %s | %s |\n", s.status, cell(s.name), s.counts)
	}
	if more > 0 {
		fmt.Fprintf(w, "\nand %s: --all lists them.\n", contents.Count(more, "more thing"))
	}
	return nil
}
