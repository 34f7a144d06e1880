package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// FoldersPage writes what differs between two folders as one HTML page that needs no other file: a line for each file,
// which unfolds to the comparison of its versions.
type FoldersPage struct{ w *page }

// NewFoldersPage begins a page.
func NewFoldersPage(out io.Writer, old, new string) *FoldersPage {
	w := newPage(out)
	w.begin(old + " → " + new)
	w.put("<main class=\"folders\"><h1>%s → %s</h1>\n", breakable(old), breakable(new))
	return &FoldersPage{w}
}

// File writes a file that is not the same. c is the comparison of its versions; nil if there is none.
func (p *FoldersPage) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	w := p.w
	var facts []string
	if c != nil {
		facts = append(facts, fromToText(c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant))
	}
	for _, s := range []string{fromToText(dateText(f.OldTime), dateText(f.NewTime)),
		fromToText(sizeText(f.Old), sizeText(f.New))} {
		if s != "" {
			facts = append(facts, s)
		}
	}
	tag := "details"
	if c == nil {
		tag = "p"
	}
	w.put("<%s class=\"file %s\">", tag, f.Status)
	if c != nil {
		w.put("<summary>")
	}
	w.put("<span class=state>%s</span>%s", f.Status, breakable(f.Name))
	if f.OldName != "" {
		w.put(" <i>was %s</i>", breakable(f.OldName))
	}
	w.put(" <i>%s</i>", escaped(strings.Join(facts, " · ")))
	if f.Problem != "" {
		w.put("<br>%s", escaped(f.Problem))
	}
	if c == nil {
		w.put("</p>\n")
		return nil
	}
	if o, err := changes.Collect(ctx, c); err == nil {
		w.put("<br>%s", unbroken(Brief(c, o)))
	}
	w.put("</summary>\n")
	if err := w.comparison(ctx, c); err != nil {
		return err
	}
	w.put("</details>\n")
	return nil
}

// End writes how many files differ, and ends the page.
func (p *FoldersPage) End(n compare.Counts) error {
	p.w.put("<p class=\"headline total\">%s</p>\n", escaped("Files: "+n.String()))
	p.w.put("</main>")
	return p.w.end()
}

// FoldersMarkdown writes what differs between two folders in Markdown, a section for each file.
type FoldersMarkdown struct {
	w *bufio.Writer
	o Options
}

// NewFoldersMarkdown begins a report.
func NewFoldersMarkdown(out io.Writer, old, new string, o Options) *FoldersMarkdown {
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprintf(w, "# %s → %s\n", cell(old), cell(new))
	return &FoldersMarkdown{w, o}
}

// File writes a file that is not the same. c is the comparison of its versions; nil if there is none.
func (m *FoldersMarkdown) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	fmt.Fprintf(m.w, "\n## %s: %s\n\n", f.Status, cell(f.Name))
	if f.OldName != "" {
		fmt.Fprintf(m.w, "was %s\n\n", cell(f.OldName))
	}
	switch {
	case c != nil:
		return markdown(ctx, c, m.w, m.o)
	case f.Problem != "":
		fmt.Fprintf(m.w, "cannot be compared: %s\n", cell(f.Problem))
	default:
		fmt.Fprintln(m.w, model.Count(max(f.Old, f.New), "byte"))
	}
	return nil
}

// End writes how many files differ.
func (m *FoldersMarkdown) End(n compare.Counts) error {
	fmt.Fprintf(m.w, "\nFiles: %s\n", n)
	return m.w.Flush()
}

func fromToText(old, new string) string {
	switch {
	case old == new || old == "":
		return new
	case new == "":
		return old
	}
	return old + " → " + new
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02")
}

func sizeText(n int64) string {
	if n < 0 {
		return ""
	}
	return humanize.Comma(n)
}
