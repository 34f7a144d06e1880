package compare

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"html"
	"image"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
)

//go:embed page.css
var pageStyle string

const (
	thingsOnPage = 200 // things that the page lists before its rows
	rowsOpen     = 400 // rows that are shown at once; more are folded
)

const picturesOnPage = 48 // of things, besides those of both files

// WriteHTML writes the report as one HTML page that needs no other file: who was compared, what changed in things, with
// pictures of both sides where there are any, then every row with what differs lit.
func (c *Comparison) WriteHTML(out io.Writer) error {
	w := newPage(out)
	w.begin(c.sideTitle(c.Old) + " → " + c.sideTitle(c.New))
	w.put("<h1>%s → %s</h1>\n", escaped(c.Old.Source.Name()), escaped(c.New.Source.Name()))
	if err := w.comparison(c); err != nil {
		return err
	}
	return w.end()
}

// comparison writes what differs between two files.
func (w *page) comparison(c *Comparison) error {
	o, err := c.Overview(context.Background())
	if err != nil {
		return err
	}
	w.c, w.found, w.pictures = c, nil, picturesOnPage
	both := w.scenes()
	w.put("<div class=\"sides\">")
	w.side("old", c.Old, both[0])
	w.side("new", c.New, both[1])
	w.put("</div>\n")
	w.legend()
	headline := o.Headline()
	if headline == "" {
		headline = c.Summary()
	}
	w.put("<p class=\"headline\">%s</p>\n", escaped(headline))
	w.overview(o)
	for _, s := range c.remarks() {
		w.put("<p class=\"note\">%s</p>\n", escaped(s))
	}
	if c.Same() || o.Whole && c.wholeTexts() != nil {
		return nil
	}
	return w.rows()
}

// rows writes every row, and every range of bytes.
func (w *page) rows() error {
	c := w.c
	open := ""
	if c.Counts().Differences() <= rowsOpen {
		open = " open"
	}
	w.put("<details%s><summary>All changes: %s</summary>\n", open, escaped(c.Summary()))
	w.put("<table><thead><tr><th></th><th>Where</th><th>Old</th><th>New</th></tr></thead><tbody>\n")
	var paths paths
	err := c.Rows(func(p *Pair) error { return w.row(p, paths.of(p)) })
	if err == nil {
		err = c.eachRange(func(e Edit) error { return w.bytes(c.rangeLine(e), e.status()) })
	}
	if err == nil {
		w.put("</tbody></table></details>\n")
	}
	return err
}

func newPage(out io.Writer) *page { return &page{Writer: bufio.NewWriterSize(out, 64<<10)} }

// begin writes what stands before the content of a page.
func (w *page) begin(title string) {
	w.put("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
	w.put("<meta name=\"viewport\" content=\"width=device-width\">\n")
	w.put("<title>%s</title>\n<style>\n%s</style></head><body>\n", escaped(title), pageStyle)
}

func (w *page) end() error {
	w.put("</body></html>\n")
	return w.Flush()
}

// sideTitle is a file's name with the version of its format.
func (c *Comparison) sideTitle(d *model.Document) string {
	return d.Source.Name() + " (" + d.Format + " " + d.Variant + ")"
}

// page writes HTML. Errors of writing stay until the end.
type page struct {
	*bufio.Writer
	c        *Comparison
	pictures int     // that may still be embedded
	found    *Scenes // that the pictures of both sides are of
}

func (w *page) put(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// side says what one of the files is, with a picture if there is one.
func (w *page) side(what string, d *model.Document, img image.Image) {
	w.put("<div><span>%s</span><b>%s</b><span>%s · %s bytes</span>", what, escaped(d.Source.Name()),
		escaped(d.Format+" "+d.Variant), humanize.Comma(d.Source.Size()))
	if img == nil {
		img = picture(d)
	}
	w.picture(d.Source.Name(), img)
	w.put("</div>")
}

func (w *page) overview(o *Overview) {
	lines := o.Lines(thingsOnPage)
	if o.Whole {
		old, new, err := w.c.wholes(context.Background())
		if err == nil {
			w.looks(old, new)
		}
	}
	if len(o.Counts) == 0 || len(lines) == 0 {
		return
	}
	w.put("<ul>\n")
	for i, l := range lines {
		w.put("<li class=\"%s\"><span class=\"sign\">%s</span>%s", signClasses[l.Sign], escaped(l.Sign),
			escaped(l.Text))
		if l.Sign != "" && i < len(o.Things) && w.pictures > 0 {
			old, new := w.c.contents(context.Background(), o.Things[i])
			w.looks(old, new)
		}
		w.put("</li>\n")
	}
	w.put("</ul>\n")
}

var signClasses = map[string]string{"~": "changed", ">": "moved", "+": "added", "-": "removed"}

// row writes a row of the report.
func (w *page) row(p *Pair, path string) error {
	l := p.line(path)
	w.put("<tr class=\"%s\"><td class=\"state\"><span class=\"sign\">%s</span>%s</td><td class=\"where\">%s <i>%s</i>",
		p.Status, escaped(l.Sign), p.Status,
		breakable(l.Path), escaped(l.What))
	if p.Status == Moved || p.Relocated {
		w.put("<br>%s", breakable(p.whereFrom()))
	}
	w.put("</td>")
	w.values(p, l)
	_, err := w.WriteString("</tr>\n")
	return err
}

// bytes writes a range of bytes that differs.
func (w *page) bytes(l Line, st Status) error {
	w.put("<tr class=\"%s\"><td class=\"state\"><span class=\"sign\">%s</span>%s</td>", st, escaped(l.Sign), st)
	_, err := fmt.Fprintf(w, "<td class=\"where\">%s %s</td><td class=\"value\" colspan=\"2\">%s</td></tr>\n",
		escaped(l.Path), escaped(l.What), escaped(l.Change))
	return err
}

// values writes the old and the new value of a pair, with what differs lit.
func (w *page) values(p *Pair, l Line) {
	switch {
	case p.Status == Added:
		w.put("<td></td><td class=\"value\">%s</td>", breakable(l.Change))
	case p.Status == Removed:
		w.put("<td class=\"value\">%s</td><td></td>", breakable(l.Change))
	case p.Status != Changed || !p.Leaf():
		old, new, _ := strings.Cut(l.Change, " -> ")
		if p.Relocated || new == "" {
			old = ""
		}
		w.put("<td class=\"value\">%s</td><td class=\"value\">%s</td>", breakable(old), breakable(new))
	default:
		if parts := p.Transform(); parts != nil {
			w.transform(parts)
			return
		}
		old, new := valueText(p.Old), valueText(p.New)
		if old == new || longArray(p.Old) || longArray(p.New) {
			w.put("<td class=\"value\" colspan=\"2\">%s</td>", breakable(p.change()))
			return
		}
		a, b := Words(old, new)
		w.put("<td class=\"value\">%s</td><td class=\"value\">%s</td>", lit(a, breakable),
			lit(b, breakable))
	}
}

// longArray reports whether a node's value does not fit in a line.
func longArray(n *model.Node) bool {
	a, ok := n.Value.(model.Array)
	return ok && a.Len() > 16
}

// transform writes the parts of a transform that differ.
func (w *page) transform(parts []TransformPart) {
	for side := range 2 {
		w.put("<td class=\"value\"><dl>")
		for _, t := range parts {
			if t.Differs() {
				a, b := Words(t.Old, t.New)
				w.put("<dt>%s</dt><dd>%s</dd>", t.Name, lit([2][]Piece{a, b}[side], breakable))
			}
		}
		w.put("</dl></td>")
	}
}

// lit is a text with what differs marked, each piece of it as show writes it.
func lit(pieces []Piece, show func(string) string) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Lit {
			b.WriteString("<mark>" + show(p.Text) + "</mark>")
		} else {
			b.WriteString(show(p.Text))
		}
	}
	return b.String()
}

// breakable is a text whose lines may break after a slash, so that no word must.
func breakable(s string) string {
	return strings.ReplaceAll(escaped(s), "/", "/<wbr>")
}

func escaped(s string) string { return html.EscapeString(model.OneLine(s, 2000)) }
