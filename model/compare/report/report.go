package report

import (
	"bufio"
	"cmp"
	"context"
	"errors"
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

// RowsUsual is how many rows of a file a report in text or Markdown lists unless it is told otherwise.
const RowsUsual = 200

// Options are how long a report in text or Markdown is. The zero value lists the first RowsUsual rows.
type Options struct {
	Colour  bool // for a terminal; of text only
	Limit   int  // rows of a file; 0: RowsUsual
	All     bool // every row
	Summary bool // a line for each thing and no rows
}

func (o Options) most() int64 {
	switch {
	case o.All:
		return math.MaxInt64
	case o.Limit > 0:
		return int64(o.Limit)
	}
	return RowsUsual
}

// unlisted says how many rows a report leaves out, and what lists them.
func unlisted(n int64) string {
	return model.Count(n, "more row") + ": --all lists every row, --limit N the first N, --summary a line a thing"
}

// errEnough ends a walk through the rows.
var errEnough = errors.New("as many rows as are listed")

// eachLine calls do for each of the first rows of the report, and for each range of bytes, also of those in a row, in
// words. It returns how many rows it left out.
func eachLine(ctx context.Context, c *compare.Comparison, most int64,
	do func(st compare.Status, l changes.Line, inside bool) error) (left int64, err error) {
	paths := compare.NamedRowPaths()
	inside := changes.Blocks{Most: changes.BlocksRead}
	listed := int64(0)
	err = c.Changes(func(p *compare.Pair) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if listed++; listed > most {
			return errEnough
		}
		if err := do(p.Status, changes.LineAt(p, paths.Of(p)), false); err != nil {
			return err
		}
		return inside.Lines(p, func(st compare.Status, l changes.Line) error { return do(st, l, true) })
	})
	if err != nil && !errors.Is(err, errEnough) {
		return 0, err
	}
	left = max(0, c.Counts().Differences()-most)
	listed = 0
	err = changes.EachRange(c, func(e align.Edit) error {
		if listed++; listed > most {
			left++
			return nil
		}
		return do(changes.StatusOf(e), changes.RangeLine(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)), true)
	})
	return left, err
}

// thingsInText is how many things the text report lists before its rows.
const thingsInText = 50

// linesOfThing is how many lines of a text inside of a file are printed.
const linesOfThing = 40

// writeTexts prints what differs between two texts, as a unified diff does, and returns how many lines it left out; nil
// is none.
func writeTexts(w *bufio.Writer, t *texts.Diff, before string, most int64) (left int64) {
	if t == nil {
		return 0
	}
	_ = t.Hunks(textContext, func(r texts.Row, first bool) error {
		lines := textLines(r)
		if most -= int64(len(lines)); most < 0 {
			left += int64(len(lines))
			return nil
		}
		if first {
			fmt.Fprintf(w, "%s@@ -%d +%d @@\n", before, max(r.Old, 1), max(r.New, 1))
		}
		for _, l := range lines {
			fmt.Fprintf(w, "%s%s\n", before, l)
		}
		return nil
	})
	return left
}

// writeTextOf prints the first lines that differ of the text of a thing, if it is one.
func writeTextOf(ctx context.Context, w *bufio.Writer, c *compare.Comparison, t changes.ThingChange, before string) {
	old, new := changes.Contents(ctx, c, t)
	if left := writeTexts(w, contents.TextsOf(old, new), before, linesOfThing); left > 0 {
		fmt.Fprintf(w, "%s… %s\n", before, model.Count(left, "more line"))
	}
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
func Text(ctx context.Context, c *compare.Comparison, out io.Writer, o Options) error {
	w := bufio.NewWriterSize(out, 64<<10)
	for _, s := range remarks(c) {
		fmt.Fprintln(w, "# "+s)
	}
	found, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	if o.Summary {
		if err := writeSummary(ctx, w, c, o); err != nil {
			return err
		}
		if s := Brief(c, found); !c.Same() {
			fmt.Fprintln(w, "# "+s)
		}
		return w.Flush()
	}
	rows := ""
	if h := found.Headline(); h != "" { // else the rows say the same
		fmt.Fprintln(w, "# "+h)
		for i, l := range found.Lines(thingsInText) {
			fmt.Fprintln(w, "#   "+strings.TrimLeft(l.Sign+" "+l.Text, " "))
			if l.Sign == compare.Changed.Sign() && i < len(found.Things) {
				writeTextOf(ctx, w, c, found.Things[i], "#       ")
			}
		}
		rows = "rows: "
	}
	if found.Whole {
		if t := wholeTexts(ctx, c); t != nil {
			if left := writeTexts(w, t, "", o.most()); left > 0 {
				fmt.Fprintln(w, "# "+unlisted(left))
			}
			return w.Flush()
		}
	}
	left, err := eachLine(ctx, c, o.most(), func(st compare.Status, l changes.Line, _ bool) error {
		if o.Colour {
			w.WriteString(colours[st])
		}
		w.WriteString(l.Sign + " " + l.Path + " " + l.What)
		if l.Change != "" {
			w.WriteString(" " + l.Change)
		}
		if o.Colour {
			w.WriteString("\x1b[0m")
		}
		return w.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintln(w, "# "+unlisted(left))
	}
	if !c.Same() || c.Ignored > 0 {
		fmt.Fprintln(w, "# "+rows+Summary(c))
	}
	return w.Flush()
}

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
