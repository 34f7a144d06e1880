package report

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/model/compare/texts"
)

// Markdown writes the report as a table in Markdown; what differs in texts stands line by line before it.
func Markdown(ctx context.Context, c *compare.Comparison, out io.Writer, o Options) error {
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprint(w, "# Comparison\n\n")
	return markdown(ctx, c, w, o)
}

// markdown writes what stands below the heading.
func markdown(ctx context.Context, c *compare.Comparison, w *bufio.Writer, o Options) error {
	fmt.Fprintf(w, "- old: %s, %s, %s %s\n- new: %s, %s, %s %s\n\n",
		cell(c.Old.Source.Name()), model.Count(c.Old.Source.Size(), "byte"), c.Old.Format, cell(c.Old.Variant),
		cell(c.New.Source.Name()), model.Count(c.New.Source.Size(), "byte"), c.New.Format, cell(c.New.Variant))
	found, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	if h := cmp.Or(found.Headline(), found.Sentence()); h != "" {
		fmt.Fprintf(w, "%s.\n\n", cell(h))
	}
	if len(found.Counts) > 0 && !o.Summary {
		writeThings(ctx, w, c, found)
	}
	for _, s := range remarks(c) {
		fmt.Fprintf(w, "%s.\n\n", cell(s))
	}
	var whole *texts.Diff
	if found.Whole {
		whole = wholeTexts(ctx, c)
	}
	switch {
	case c.Same():
		fmt.Fprintf(w, "%s.\n", Summary(c))
	case o.Summary:
		if err := writeSummaryTable(ctx, w, c, o); err != nil {
			return err
		}
	case whole != nil:
		fenced(w, whole, o.most())
	default:
		if err := writeTable(ctx, w, c, o); err != nil {
			return err
		}
	}
	return w.Flush()
}

// writeThings lists the things that changed, each text with its lines.
func writeThings(ctx context.Context, w *bufio.Writer, c *compare.Comparison, found *changes.Overview) {
	for i, l := range found.Lines(thingsOnPage) {
		fmt.Fprintf(w, "- %s\n", cell(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
		if l.Sign != compare.Changed.Sign() || i >= min(len(found.Things), thingsInText) {
			continue
		}
		if t := contents.TextsOf(changes.Contents(ctx, c, found.Things[i])); t != nil {
			fenced(w, t, linesOfThing)
		}
	}
	fmt.Fprintln(w)
}

// fenced writes the first lines that differ of two texts as they are, between fences that none of them has.
func fenced(w *bufio.Writer, t *texts.Diff, most int64) {
	var lines bytes.Buffer
	to := bufio.NewWriter(&lines)
	left := writeTexts(to, t, "", most)
	_ = to.Flush() // into memory
	fence := "```"
	for bytes.Contains(lines.Bytes(), []byte(fence)) {
		fence += "`"
	}
	fmt.Fprintf(w, "\n%sdiff\n%s%s\n\n", fence, lines.Bytes(), fence)
	if left > 0 {
		fmt.Fprintf(w, "… %s\n\n", model.Count(left, "more line"))
	}
}

// writeTable writes the rows. What differs inside of a block of bytes is left to the text report.
func writeTable(ctx context.Context, w *bufio.Writer, c *compare.Comparison, o Options) error {
	fmt.Fprintf(w, "Rows: %s.\n\n| | path | type | change |\n|---|---|---|---|\n", Summary(c))
	left, err := eachLine(ctx, c, o.most(), func(st compare.Status, l changes.Line, inside bool) error {
		if inside && !c.BytesOnly {
			return nil
		}
		_, err := fmt.Fprintf(w, "| %s | %s | %s | %s |\n", st, cell(l.Path), cell(l.What), cell(l.Change))
		return err
	})
	if err == nil && left > 0 {
		fmt.Fprintf(w, "\n%s.\n", cell(unlisted(left)))
	}
	return err
}

var cellMarks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]",
	`\]`)

func cell(s string) string { return cellMarks.Replace(model.OneLine(s, 2000)) }
