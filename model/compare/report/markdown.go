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
)

// Markdown writes the report in Markdown: the headline, the changed items with the changed lines of their texts, then a
// table of the rows, or for two texts their changed lines.
func Markdown(ctx context.Context, c *compare.Comparison, out io.Writer, o Options) error {
	w := bufio.NewWriterSize(out, 64<<10)
	w.WriteString("# Comparison\n\n")
	return writeMarkdown(ctx, c, w, o)
}

// writeMarkdown writes the report below the heading.
func writeMarkdown(ctx context.Context, c *compare.Comparison, out *bufio.Writer, o Options) error {
	w, err := newWriter(ctx, c, out, o)
	if err != nil {
		return err
	}
	for i, d := range []*model.Document{c.Old, c.New} {
		w.put("- %s: %s, %s, %s\n", []string{"old", "new"}[i], escapeCell(d.Source.Name()),
			model.Count(d.Source.Size(), "byte"), escapeCell(d.Kind()))
	}
	w.put("\n")
	if h := cmp.Or(w.overview.Headline(), w.overview.Sentence()); h != "" {
		w.put("%s.\n\n", escapeCell(h))
	}
	if len(w.overview.Counts) > 0 && !o.Summary {
		w.writeItems(w.overview.Lines(maxPageItems))
	}
	for _, s := range remarks(c) {
		w.put("%s.\n\n", escapeCell(s))
	}
	texts := wholeDiff(ctx, c, w.overview)
	switch {
	case c.Same():
		w.put("%s.\n", changes.Summary(c))
	case o.Summary:
		w.writeItems(w.summary())
	case texts != nil:
		w.writeFenced(texts, o.limit())
	default:
		err = w.writeTable()
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

// writeItems lists the changed items, each text with its lines.
func (w *writer) writeItems(lines []changes.OverviewLine) {
	for _, l := range lines {
		w.put("%s- %s\n", strings.Repeat("  ", l.Depth), escapeCell(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
		if t := w.itemDiff(l); t != nil && !w.o.Summary {
			w.writeFenced(t, maxItemLines)
		}
	}
	w.put("\n")
}

// writeFenced writes the first changed lines of two texts between fences that do not occur in them.
func (w *writer) writeFenced(t *contents.Diff, limit int64) {
	var lines bytes.Buffer
	to := &writer{Writer: bufio.NewWriter(&lines)}
	left := to.writeTexts(t, "", limit)
	_ = to.Flush() // into memory
	if lines.Len() == 0 && left == 0 {
		return // only the stored form differs
	}
	fence := "```"
	for bytes.Contains(lines.Bytes(), []byte(fence)) {
		fence += "`"
	}
	w.put("\n%sdiff\n%s%s\n\n", fence, lines.Bytes(), fence)
	if left > 0 {
		w.put("… %s\n\n", model.Count(left, "more line"))
	}
}

// writeTable writes the rows. Ranges inside a block of bytes are only in the text report.
func (w *writer) writeTable() error {
	w.put("Rows: %s.\n\n| | path | type | change |\n|---|---|---|---|\n", changes.Summary(w.c))
	left, err := w.eachLine(func(st compare.Status, l changes.Line, inside bool) {
		if !inside || w.c.BytesOnly {
			w.put("| %s | %s | %s | %s |\n", st, escapeCell(l.Path), escapeCell(l.What), escapeCell(l.Change))
		}
	})
	if err == nil && left > 0 {
		w.put("\n%s.\n", escapeCell(omittedText(left)))
	}
	return err
}

var cellEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]",
	`\]`)

func escapeCell(s string) string { return cellEscapes.Replace(model.OneLine(s, 2000)) }

// FoldersMarkdown writes the differences between two folders in Markdown, a section for each file.
type FoldersMarkdown struct {
	w *bufio.Writer
	o Options
}

// NewFoldersMarkdown begins a report.
func NewFoldersMarkdown(out io.Writer, old, new string, o Options) *FoldersMarkdown {
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprintf(w, "# %s → %s\n", escapeCell(old), escapeCell(new))
	return &FoldersMarkdown{w, o}
}

// File writes a file that differs. c is the comparison of its versions and may be nil.
func (m *FoldersMarkdown) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	fmt.Fprintf(m.w, "\n## %s: %s\n\n", f.Status, escapeCell(f.Name))
	if f.OldName != "" {
		fmt.Fprintf(m.w, "was %s\n\n", escapeCell(f.OldName))
	}
	switch {
	case c != nil:
		return writeMarkdown(ctx, c, m.w, m.o)
	case f.Problem != "":
		fmt.Fprintf(m.w, "cannot be compared: %s\n", escapeCell(f.Problem))
	case f.Uses != nil:
		fmt.Fprintln(m.w, escapeCell(f.Change("")))
	default:
		fmt.Fprintln(m.w, model.Count(max(f.OldSize, f.NewSize), "byte"))
	}
	return nil
}

// End writes the number of different files.
func (m *FoldersMarkdown) End(n compare.Counts) error {
	fmt.Fprintf(m.w, "\nFiles: %s\n", n)
	return m.w.Flush()
}
