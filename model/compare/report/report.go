package report

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/model/compare/texts"
)

// Summary is the counts in a sentence.
func Summary(c *compare.Comparison) string {
	if c.Identical {
		return "the files are identical"
	}
	n := c.Counts()
	if n.Differences() == 0 {
		if c.Ignored > 0 {
			return fmt.Sprintf("no differences but for %s that are ignored", humanize.Comma(c.Ignored))
		}
		return "no differences"
	}
	if c.Ignored > 0 {
		return fmt.Sprintf("%s, %s ignored", n, humanize.Comma(c.Ignored))
	}
	return n.String()
}

// Brief says in one sentence what changed, and what could not be compared.
func Brief(c *compare.Comparison, o *changes.Overview) string {
	if c.BytesOnly && !o.Whole {
		return cmp.Or(c.Note, Summary(c))
	}
	s := cmp.Or(o.Sentence(), Summary(c))
	if len(c.Damage) > 0 {
		s = c.Damage[0] + ": " + s
	}
	return s
}

// remarks are the sentences that belong to every report.
func remarks(c *compare.Comparison) []string {
	out := append(slices.Clone(c.Notes()), versionRemarks(c)...)
	if s := changes.OmittedRanges(c); s != "" {
		out = append(out, s)
	}
	return out
}

// versionRemarks says which fields only one of two versions of the format has: a sentence for all fields of a struct.
func versionRemarks(c *compare.Comparison) []string {
	type group struct {
		in  compare.Status
		typ string
		n   int64
	}
	fields := make(map[group][]string)
	var order []group
	for _, f := range c.OneVersion {
		g := group{f.In, f.Type, f.Count}
		if fields[g] == nil {
			order = append(order, g)
		}
		fields[g] = append(fields[g], model.OneLine(f.Name, 200))
	}
	var out []string
	for _, g := range order {
		out = append(out, fmt.Sprintf("only the %s version has %s in [%s] (%s ×)", sideName(g.in),
			english.OxfordWordSeries(fields[g], "and"), model.OneLine(g.typ, 200), humanize.Comma(g.n)))
	}
	return out
}

// eachLine calls do for each row of the report and for each range of bytes, also of those in a row, in words.
func eachLine(ctx context.Context, c *compare.Comparison,
	do func(st compare.Status, l changes.Line) error) error {
	var paths compare.RowPaths
	inside := changes.Blocks{Most: changes.BlocksRead}
	err := c.Changes(func(p *compare.Pair) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(p.Status, changes.LineAt(p, paths.Of(p))); err != nil {
			return err
		}
		return inside.Lines(p, do)
	})
	if err != nil {
		return err
	}
	return changes.EachRange(c, func(e align.Edit) error {
		return do(changes.StatusOf(e), changes.RangeLine(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)))
	})
}

// thingsInText is how many things the text report lists before its rows.
const thingsInText = 50

// linesOfThing is how many lines of a text inside of a file are printed.
const linesOfThing = 40

// writeTexts prints what differs between two texts, as a unified diff does; nil is none.
func writeTexts(w *bufio.Writer, t *texts.Diff, before string, most int) {
	if t == nil {
		return
	}
	left := most
	_ = t.Hunks(textContext, func(r texts.Row, first bool) error {
		lines := textLines(r)
		if left -= len(lines); left < 0 {
			fmt.Fprintf(w, "%s…\n", before)
			return io.EOF
		}
		if first {
			fmt.Fprintf(w, "%s@@ -%d +%d @@\n", before, max(r.Old, 1), max(r.New, 1))
		}
		for _, l := range lines {
			fmt.Fprintf(w, "%s%s\n", before, l)
		}
		return nil
	})
}

// textContext is how many lines that are the same stand around what differs.
const textContext = 3

// wholeTexts compares the lines of two files that are texts; nil if they are not.
func wholeTexts(ctx context.Context, c *compare.Comparison) *texts.Diff {
	old, new, err := changes.WholeFileViews(ctx, c)
	if err != nil {
		return nil
	}
	return contents.TextsOf(old, new)
}

var colours = map[compare.Status]string{compare.Changed: "\x1b[33m", compare.Moved: "\x1b[36m",
	compare.Added: "\x1b[32m", compare.Removed: "\x1b[31m"}

// Text writes the report like a unified outline: a line for each row with its sign, path, old -> new. It names no
// file and no time. Nothing is written if nothing differs.
func Text(ctx context.Context, c *compare.Comparison, out io.Writer, colour bool) error {
	w := bufio.NewWriterSize(out, 64<<10)
	for _, s := range remarks(c) {
		fmt.Fprintln(w, "# "+s)
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	rows := ""
	if h := o.Headline(); h != "" { // else the rows say the same
		fmt.Fprintln(w, "# "+h)
		for i, l := range o.Lines(thingsInText) {
			fmt.Fprintln(w, "#   "+strings.TrimLeft(l.Sign+" "+l.Text, " "))
			if l.Sign == compare.Changed.Sign() && i < len(o.Things) {
				old, new := changes.Contents(ctx, c, o.Things[i])
				writeTexts(w, contents.TextsOf(old, new), "#       ", linesOfThing)
			}
		}
		rows = "rows: "
	}
	if o.Whole {
		if t := wholeTexts(ctx, c); t != nil {
			writeTexts(w, t, "", math.MaxInt)
			return w.Flush()
		}
	}
	err = eachLine(ctx, c, func(st compare.Status, l changes.Line) error {
		if colour {
			w.WriteString(colours[st])
		}
		w.WriteString(l.Sign + " " + l.Path + " " + l.What)
		if l.Change != "" {
			w.WriteString(" " + l.Change)
		}
		if colour {
			w.WriteString("\x1b[0m")
		}
		return w.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	if !c.Same() || c.Ignored > 0 {
		fmt.Fprintln(w, "# "+rows+Summary(c))
	}
	return w.Flush()
}

// Markdown writes the report as a table in Markdown.
func Markdown(ctx context.Context, c *compare.Comparison, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprint(w, "# Comparison\n\n")
	return markdown(ctx, c, w)
}

// markdown writes what stands below the heading.
func markdown(ctx context.Context, c *compare.Comparison, w *bufio.Writer) error {
	fmt.Fprintf(w, "- old: %s, %s, %s %s\n- new: %s, %s, %s %s\n\n",
		cell(c.Old.Source.Name()), contents.Count(c.Old.Source.Size(), "byte"), c.Old.Format, cell(c.Old.Variant),
		cell(c.New.Source.Name()), contents.Count(c.New.Source.Size(), "byte"), c.New.Format, cell(c.New.Variant))
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	if h := cmp.Or(o.Headline(), o.Sentence()); h != "" {
		fmt.Fprintf(w, "%s.\n\n", cell(h))
		if len(o.Counts) > 0 {
			for _, l := range o.Lines(thingsOnPage) {
				fmt.Fprintf(w, "- %s\n", cell(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "Rows: ")
	}
	fmt.Fprintf(w, "%s.\n", Summary(c))
	for _, s := range remarks(c) {
		fmt.Fprintf(w, "\n%s.\n", cell(s))
	}
	if !c.Same() {
		fmt.Fprint(w, "\n| | path | type | change |\n|---|---|---|---|\n")
	}
	err = eachLine(ctx, c, func(st compare.Status, l changes.Line) error {
		_, err := fmt.Fprintf(w, "| %s | %s | %s | %s |\n", st, cell(l.Path), cell(l.What), cell(l.Change))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

var cellMarks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]",
	`\]`)

func cell(s string) string { return cellMarks.Replace(model.OneLine(s, 2000)) }

// textLines are a row of two texts as lines of a text report, each with the sign of its side.
func textLines(r texts.Row) []string {
	plain := func(sign string, pieces []texts.Piece) string {
		var b strings.Builder
		for _, p := range pieces {
			b.WriteString(p.Text)
		}
		return sign + " " + model.OneLine(b.String(), 400)
	}
	switch r.Status {
	case compare.Same:
		return []string{plain(" ", r.NewText)}
	case compare.Added:
		return []string{plain("+", r.NewText)}
	case compare.Removed:
		return []string{plain("-", r.OldText)}
	}
	return []string{plain("-", r.OldText), plain("+", r.NewText)}
}
