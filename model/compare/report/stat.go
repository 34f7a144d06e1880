package report

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// subject is what rows of a report are about, with their numbers.
type subject struct {
	changes.Subject
	counts compare.Counts
}

// subjects returns the first things that changed and the parts of the file in which other things did, in the order of
// the report, with their numbers of rows, and how many more there are. An asset and its entry in an index, which has
// its key, are one thing.
func subjects(ctx context.Context, c *compare.Comparison, o Options) (list []*subject, more int64, err error) {
	known := make(map[string]*subject) // by key; nil: it is one of those that are not listed
	parts := make(map[string]*subject) // by name
	add := func(of changes.Subject) *subject {
		if int64(len(list)) >= o.most() {
			more++
			return nil
		}
		s := &subject{Subject: of}
		list = append(list, s)
		return s
	}
	err = c.Changes(func(p *compare.Pair) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := changes.SubjectOf(p)
		in, id := parts, of.Name
		if of.Key != "" {
			in, id = known, of.Key
		}
		s, ok := in[id]
		if !ok {
			s = add(of)
			in[id] = s
		}
		if s == nil {
			return nil
		}
		if of.IsThing {
			s.Subject = of
		}
		s.counts.Count(p.Status)
		return nil
	})
	return joinParts(list), more, err
}

// joinParts makes one of what is in the same part of the file and turned out to be in no thing.
func joinParts(list []*subject) (out []*subject) {
	parts := make(map[string]*subject)
	for _, s := range list {
		if !s.IsThing {
			if first := parts[s.Name]; first != nil {
				first.counts.Add(s.counts)
				continue
			}
			parts[s.Name] = s
		}
		out = append(out, s)
	}
	return out
}

// writeSummary prints a line for each thing that changed, with its numbers of rows.
func writeSummary(ctx context.Context, w *bufio.Writer, c *compare.Comparison, o Options) error {
	list, more, err := subjects(ctx, c, o)
	if err != nil {
		return err
	}
	wide := 0
	for _, s := range list {
		wide = max(wide, utf8.RuneCountInString(s.Name))
	}
	for _, s := range list {
		pad := strings.Repeat(" ", wide-utf8.RuneCountInString(s.Name))
		fmt.Fprintf(w, "%s %s%s | %s\n", s.Status.Sign(), s.Name, pad, s.counts)
	}
	if more > 0 {
		fmt.Fprintf(w, "# and %s: --all lists them\n", model.Count(more, "more thing"))
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
		fmt.Fprintf(w, "| %s | %s | %s |\n", s.Status, cell(s.Name), s.counts)
	}
	if more > 0 {
		fmt.Fprintf(w, "\nand %s: --all lists them.\n", model.Count(more, "more thing"))
	}
	return nil
}
