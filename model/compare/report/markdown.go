package report

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

// Markdown writes the report as a table in Markdown; what differs in texts stands line by line before it.
func Markdown(ctx context.Context, c *compare.Comparison, out io.Writer, o Options) error {
	w := bufio.NewWriterSize(out, 64<<10)
	w.WriteString("# Comparison\n\n")
	return markdown(ctx, c, w, o)
}

// markdown writes what stands below the heading.
func markdown(ctx context.Context, c *compare.Comparison, out *bufio.Writer, o Options) error {
	w, err := newWriter(ctx, c, out, o)
	if err != nil {
		return err
	}
	for i, d := range []*model.Document{c.Old, c.New} {
		w.put("- %s: %s, %s, %s %s\n", []string{"old", "new"}[i], cell(d.Source.Name()),
			model.Count(d.Source.Size(), "byte"), d.Format, cell(d.Variant))
	}
	w.put("\n")
	if h := cmp.Or(w.found.Headline(), w.found.Sentence()); h != "" {
		w.put("%s.\n\n", cell(h))
	}
	if len(w.found.Counts) > 0 && !o.Summary {
		w.things()
	}
	for _, s := range remarks(c) {
		w.put("%s.\n\n", cell(s))
	}
	whole := wholeTexts(ctx, c, w.found)
	switch {
	case c.Same():
		w.put("%s.\n", Summary(c))
	case o.Summary:
		err = w.summaryTable()
	case whole != nil:
		w.fenced(whole, o.most())
	default:
		err = w.table()
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

// things lists the things that changed, each text with its lines.
func (w *writer) things() {
	for _, l := range w.found.Lines(thingsOnPage) {
		w.put("%s- %s\n", strings.Repeat("  ", l.Depth), cell(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
		if t := w.textOf(l); t != nil {
			w.fenced(t, linesOfThing)
		}
	}
	w.put("\n")
}

// fenced writes the first lines that differ of two texts as they are, between fences that none of them has.
func (w *writer) fenced(t *contents.Diff, most int64) {
	var lines bytes.Buffer
	to := &writer{Writer: bufio.NewWriter(&lines)}
	left := to.texts(t, "", most)
	_ = to.Flush() // into memory
	fence := "```"
	for bytes.Contains(lines.Bytes(), []byte(fence)) {
		fence += "`"
	}
	w.put("\n%sdiff\n%s%s\n\n", fence, lines.Bytes(), fence)
	if left > 0 {
		w.put("… %s\n\n", model.Count(left, "more line"))
	}
}

// table writes the rows. What differs inside of a block of bytes is left to the text report.
func (w *writer) table() error {
	w.put("Rows: %s.\n\n| | path | type | change |\n|---|---|---|---|\n", Summary(w.c))
	left, err := w.eachLine(func(st compare.Status, l changes.Line, inside bool) {
		if !inside || w.c.BytesOnly {
			w.put("| %s | %s | %s | %s |\n", st, cell(l.Path), cell(l.What), cell(l.Change))
		}
	})
	if err == nil && left > 0 {
		w.put("\n%s.\n", cell(unlisted(left)))
	}
	return err
}

var cellMarks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]",
	`\]`)

func cell(s string) string { return cellMarks.Replace(model.OneLine(s, 2000)) }
