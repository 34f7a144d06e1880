// Package report writes comparisons as text, Markdown, HTML and JSON.
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

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

// remarks returns the sentences that belong to every report.
func remarks(c *compare.Comparison) []string {
	out := append(slices.Clone(c.Notes()), versionRemarks(c)...)
	if s := changes.OmittedRanges(c); s != "" {
		out = append(out, s)
	}
	return out
}

// versionRemarks returns sentences about the fields that only one of two format versions has: one for each struct.
func versionRemarks(c *compare.Comparison) []string {
	type group struct {
		status compare.Status
		typ    string
		n      int64
	}
	fields := make(map[group][]string)
	var order []group
	for _, f := range c.OneVersion {
		g := group{f.Status, f.Type, f.Count}
		if fields[g] == nil {
			order = append(order, g)
		}
		fields[g] = append(fields[g], model.OneLine(f.Name, 200))
	}
	var out []string
	for _, g := range order {
		out = append(out, fmt.Sprintf("only the %s file has %s in [%s] (%s)", sideName(g.status),
			english.OxfordWordSeries(fields[g], "and"), model.OneLine(g.typ, 200), model.Count(g.n, "time")))
	}
	return out
}

// DefaultRows is the default number of rows of a file in a report as text or Markdown.
const DefaultRows = 200

// Options are the options of a report as text or Markdown. The zero value lists the first DefaultRows rows.
type Options struct {
	Color   bool // for a terminal; of text only
	Limit   int  // rows of a file; 0: DefaultRows
	All     bool // every row
	Summary bool // a line for each item and no rows
}

func (o Options) limit() int64 {
	switch {
	case o.All:
		return math.MaxInt64
	case o.Limit > 0:
		return int64(o.Limit)
	}
	return DefaultRows
}

// omittedText returns the number of omitted rows as text, with the options that list them.
func omittedText(n int64) string {
	return model.Count(n, "more row") + " not listed (--all lists all, --limit N the first N, --summary one line per item)"
}

// errEnough ends a walk through the rows.
var errEnough = errors.New("as many rows as are listed")

// writer writes a report of one comparison as text or Markdown. Flush returns its errors.
type writer struct {
	*bufio.Writer
	ctx      context.Context
	c        *compare.Comparison
	o        Options
	overview *changes.Overview
}

// newWriter collects the changes for a report.
func newWriter(ctx context.Context, c *compare.Comparison, out *bufio.Writer, o Options) (*writer, error) {
	found, err := changes.Collect(ctx, c)
	return &writer{out, ctx, c, o, found}, err
}

func (w *writer) put(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// eachLine calls do for each of the first rows of the report, and for each range of bytes, also in a row. It returns
// the number of omitted rows.
func (w *writer) eachLine(do func(st compare.Status, l changes.Line, inside bool)) (omitted int64, err error) {
	paths := compare.NamedRowPaths()
	blocks := changes.Blocks{MaxBytes: changes.MaxBlockBytes}
	limit, listed := w.o.limit(), int64(0)
	err = w.c.Changes(func(p *compare.Pair) error {
		if p.IsParent() {
			return nil // its path begins the paths of the next rows
		}
		if listed++; listed > limit {
			return errEnough
		}
		do(p.Status, changes.LineWithPath(p, paths.PathOf(p), &blocks), false)
		blocks.Lines(p, func(st compare.Status, l changes.Line) { do(st, l, true) })
		return w.ctx.Err()
	})
	if err != nil && !errors.Is(err, errEnough) {
		return 0, err
	}
	omitted = max(0, w.c.Counts().Differences()-w.c.Counts().Parents-limit)
	listed = 0
	for e := range changes.Ranges(w.c) {
		if listed++; listed > limit {
			omitted++
			continue
		}
		do(changes.StatusOfRange(e), changes.RangeLine(e, changes.BlockOf(w.c.Old), changes.BlockOf(w.c.New)), true)
	}
	return omitted, nil
}

// maxTextItems is the number of items that the text report lists before its rows.
const maxTextItems = 50

// maxItemLines is the maximum number of printed lines of a text in a file.
const maxItemLines = 40

// writeTexts prints the differences between two texts as a unified diff, and returns the number of omitted lines. t may
// be nil.
func (w *writer) writeTexts(t *contents.Diff, prefix string, limit int64) (omitted int64) {
	if t == nil {
		return 0
	}
	_ = t.Hunks(textContext, func(r contents.Row, first bool) error {
		lines := textLines(r)
		if limit -= int64(len(lines)); limit < 0 {
			omitted += int64(len(lines))
			return nil
		}
		if first {
			w.put("%s@@ -%d +%d @@\n", prefix, max(r.Old, 1), max(r.New, 1))
		}
		for _, l := range lines {
			w.put("%s%s\n", prefix, l)
		}
		return nil
	})
	return omitted
}

// itemDiff compares the text of a changed item line by line, or returns nil if it is not a text.
func (w *writer) itemDiff(l changes.OverviewLine) *contents.Diff {
	if l.Sign != compare.Changed.Sign() || l.Item == nil {
		return nil
	}
	old, new := changes.Contents(w.ctx, w.c, *l.Item)
	return contents.DiffOf(old, new, w.c.Options.Texts)
}

// textContext is the number of unchanged lines around differences.
const textContext = 3

// wholeDiff compares the lines of two files that are texts; nil if they are not.
func wholeDiff(ctx context.Context, c *compare.Comparison, o *changes.Overview) *contents.Diff {
	if !o.Whole {
		return nil
	}
	old, new, err := changes.WholeFileViews(ctx, c)
	if err != nil {
		return nil
	}
	return contents.DiffOf(old, new, c.Options.Texts)
}

var colors = map[compare.Status]string{compare.Changed: "\x1b[33m", compare.Moved: "\x1b[36m",
	compare.Added: "\x1b[32m", compare.Removed: "\x1b[31m"}

// Text writes the report like a unified outline: a line for each row with its sign, path, old -> new. It names no
// file and no time. Without differences only the remarks and the number of ignored differences are written.
func Text(ctx context.Context, c *compare.Comparison, out io.Writer, o Options) error {
	w, err := newWriter(ctx, c, bufio.NewWriterSize(out, 64<<10), o)
	if err != nil {
		return err
	}
	for _, s := range remarks(c) {
		w.put("# %s\n", s)
	}
	if o.Summary {
		for _, l := range w.summary() {
			w.put("%s%s %s\n", strings.Repeat("  ", l.Depth), l.Sign, l.Text)
		}
		if s := cmp.Or(w.overview.Headline(), changes.Brief(c, w.overview)); !c.Same() {
			w.put("# %s\n", s)
		}
		return w.Flush()
	}
	rows := ""
	if h := w.overview.Headline(); h != "" { // else it repeats the rows
		w.put("# %s\n", h)
		for _, l := range w.overview.Lines(maxTextItems) {
			w.put("#   %s%s\n", strings.Repeat("  ", l.Depth), strings.TrimLeft(l.Sign+" "+l.Text, " "))
			if left := w.writeTexts(w.itemDiff(l), "#       ", maxItemLines); left > 0 {
				w.put("#       … %s\n", model.Count(left, "more line"))
			}
		}
		rows = "rows: "
	}
	var left int64
	texts := wholeDiff(ctx, c, w.overview)
	if texts != nil {
		left = w.writeTexts(texts, "", o.limit())
	} else if left, err = w.eachLine(w.writeLine); err != nil {
		return err
	}
	if left > 0 {
		w.put("# %s\n", omittedText(left))
	}
	if texts == nil && (!c.Same() || c.Ignored > 0) {
		w.put("# %s\n", rows+changes.Summary(c))
	}
	return w.Flush()
}

// writeLine prints a row.
func (w *writer) writeLine(st compare.Status, l changes.Line, _ bool) {
	s := l.Sign + " " + l.Path + " " + l.What
	if l.Change != "" {
		s += " " + l.Change
	}
	if w.o.Color {
		s = colors[st] + s + "\x1b[0m"
	}
	w.WriteString(s + "\n")
}

// textLines returns a row of two texts as lines of a text report, each with the sign of its side.
func textLines(r contents.Row) []string {
	plain := func(sign string, pieces []contents.Piece) string {
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

// summary returns the lines of the overview: one for each changed item, or value outside of items.
func (w *writer) summary() []changes.OverviewLine {
	if w.c.BytesOnly && !w.overview.Whole && !w.c.Same() {
		p := w.c.Root()
		return []changes.OverviewLine{{Sign: p.Status.Sign(), Text: changes.LineOf(p, nil).Change}}
	}
	lines := w.overview.Lines(int(min(w.o.limit(), math.MaxInt32)))
	for i := range lines {
		lines[i].Sign = cmp.Or(lines[i].Sign, "#")
	}
	return lines
}
