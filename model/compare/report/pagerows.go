package report

import (
	"cmp"
	"context"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

const (
	rowsOpen    = 60   // rows that are shown at once; more are folded
	rowsOnPage  = 3000 // rows that the page lists
	rowsOfThing = 100  // rows that it lists of one thing, such as a mesh, besides those of things in it
)

// rows writes the rows, and every range of bytes. Of a thing with many rows, and of many rows, the first are listed.
func (w *page) rows(ctx context.Context) error {
	c := w.c
	open := ""
	if c.Counts().Differences() <= rowsOpen {
		open = " open"
	}
	w.put("<details%s><summary>All changes: %s</summary>\n", open, escaped(Summary(c)))
	w.put("<table class=\"rows\"><thead><tr><th><th>Where<th>Old<th>New</thead><tbody>\n")
	listed := rowList{page: w}
	err := c.Changes(func(p *compare.Pair) error { listed.add(p); return ctx.Err() })
	listed.closeFrom(0)
	if err != nil {
		return err
	}
	for e := range changes.Ranges(c) {
		w.byteRange(changes.RangeLine(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)), changes.StatusOf(e))
	}
	w.put("</tbody></table>\n")
	if listed.omitted > 0 {
		w.put("<p class=\"note\">%s not listed. For all rows, save the report as text, Markdown, or JSON: "+
			"<code>assay diff --as text OLD NEW</code></p>\n", rowsAre(listed.omitted))
	}
	w.put("</details>\n")
	return nil
}

func rowsAre(n int64) string {
	if n == 1 {
		return "1 row is"
	}
	return humanize.Comma(n) + " rows are"
}

// rowList writes rows, and says of which things it left rows out.
type rowList struct {
	*page
	paths   compare.RowPaths
	within  []rowsOf // the things that the current row is in, the outermost first
	listed  int
	omitted int64
}

// rowsOf counts the rows of a thing.
type rowsOf struct {
	node    *model.Node
	name    string
	listed  int
	omitted int64
}

// add writes a row, or counts it if there are too many.
func (l *rowList) add(p *compare.Pair) {
	if l.listed == rowsOnPage {
		if !p.IsParent() {
			l.omitted++
		}
		return
	}
	for len(l.within) > 0 && !isIn(l.within[len(l.within)-1].node, p) {
		l.closeFrom(len(l.within) - 1)
	}
	if t, is := l.c.ThingOf(p); is {
		name := strings.TrimSpace(t.Kind + " " + changes.NameOf(p.Node()))
		l.within = append(l.within, rowsOf{node: p.Node(), name: name})
	}
	if p.IsParent() {
		l.row(p, l.paths.Of(p))
		return
	}
	if k := len(l.within) - 1; k >= 0 {
		if t := &l.within[k]; t.listed == rowsOfThing {
			t.omitted++
			l.omitted++
			return
		}
		l.within[k].listed++
	}
	l.listed++
	l.row(p, l.paths.Of(p))
}

// closeFrom ends the things but for the first, and says how many of their rows are not listed.
func (l *rowList) closeFrom(first int) {
	for _, t := range l.within[first:] {
		if t.omitted > 0 && l.listed < rowsOnPage {
			l.put("<tr class=more><td><td colspan=3>and %s more in %s\n", humanize.Comma(t.omitted), escaped(t.name))
		}
	}
	l.within = l.within[:first]
}

// isIn reports whether a pair is of a node or below one that is.
func isIn(n *model.Node, p *compare.Pair) bool {
	for ; p != nil; p = p.Parent() {
		if p.Node() == n {
			return true
		}
	}
	return false
}

// row writes a row of the report.
func (w *page) row(p *compare.Pair, path string) {
	l := changes.LineAt(p, path)
	status := p.Status.String()
	if p.IsParent() {
		status = ""
	}
	w.put("<tr class=%s><td>%s<td>%s <i>%s</i>", cmp.Or(status, "parent"), status, breakable(l.Path), escaped(l.What))
	if p.Status == compare.Moved || p.Relocated {
		w.put("<br>%s", breakable(changes.WhereFrom(p)))
	}
	w.values(p, l)
	w.put("\n")
}

// byteRange writes a range of bytes that differs.
func (w *page) byteRange(l changes.Line, st compare.Status) {
	w.put("<tr class=%s><td>%s<td>%s %s<td colspan=2>%s\n", st, st, escaped(l.Path), escaped(l.What), escaped(l.Change))
}

// values writes the old and the new value of a pair, with what differs lit.
func (w *page) values(p *compare.Pair, l changes.Line) {
	switch {
	case p.Status == compare.Added:
		w.put("<td><td>%s", breakable(l.Change))
	case p.Status == compare.Removed:
		w.put("<td>%s<td>", breakable(l.Change))
	case p.Status != compare.Changed || !p.Leaf():
		w.put("<td>%s<td>%s", breakable(l.Values.Old), breakable(l.Values.New))
	default:
		if parts := changes.Transform(p); parts != nil {
			w.transform(parts)
			return
		}
		old, new := changes.ValueText(p.Old), changes.ValueText(p.New)
		if old == new || longArray(p.Old) || longArray(p.New) {
			w.put("<td colspan=2>%s", breakable(changes.ValuesOf(p).String()))
			return
		}
		a, b := contents.Words(old, new)
		w.put("<td>%s<td>%s", marked(a, breakable), marked(b, breakable))
	}
}

// longArray reports whether a node's value does not fit in a line.
func longArray(n *model.Node) bool {
	a, ok := n.Value.(model.Array)
	return ok && a.Len() > 16
}

// transform writes the parts of a transform that differ.
func (w *page) transform(parts []contents.Part) {
	for side := range 2 {
		w.put("<td><dl>")
		for _, t := range parts {
			if t.Differs() {
				a, b := contents.Words(t.Old, t.New)
				w.put("<dt>%s<dd>%s", t.Field, marked([2][]contents.Piece{a, b}[side], breakable))
			}
		}
		w.put("</dl>")
	}
}
