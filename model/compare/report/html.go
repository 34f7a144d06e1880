package report

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html"
	"image"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

//go:embed page.css
var pageStyle string

const (
	maxPageItems = 200 // items that the page lists before its rows
	maxPictures  = 48  // of items, besides the pictures of both files
)

// HTML writes the report as one self-contained HTML page: both files, the changed items, with pictures of both sides if
// there are any, then the first rows with the differences highlighted.
func HTML(ctx context.Context, c *compare.Comparison, out io.Writer) error {
	w := newPage(out)
	w.begin(sideTitle(c.Old) + " → " + sideTitle(c.New))
	w.put("<h1>%s → %s</h1>\n", escape(c.Old.Source.Name()), escape(c.New.Source.Name()))
	if err := w.writeComparison(ctx, c); err != nil {
		return err
	}
	return w.end()
}

// writeComparison writes the differences between two files.
func (w *page) writeComparison(ctx context.Context, c *compare.Comparison) error {
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	w.c, w.marked, w.pictures, w.blocks = c, nil, maxPictures, changes.Blocks{MaxBytes: changes.MaxBlockBytes}
	both := w.drawScenes(ctx)
	for i, d := range []*model.Document{c.Old, c.New} {
		if both[i] == nil {
			both[i] = documentPicture(ctx, d)
		}
	}
	w.put("<div class=\"sides\">")
	w.writeFile("old", c.Old, both[0])
	w.writeFile("new", c.New, both[1])
	w.put("</div>\n")
	w.writeLegend()
	if samePixels(both[0], both[1]) {
		text := "The two previews are identical."
		if !c.Same() {
			text = "The two previews are identical: they do not display the changes, or at a size below a pixel."
		}
		w.put("<p class=\"legend\">%s</p>\n", text)
	}
	w.put("<p class=\"headline\">%s</p>\n", unbroken(cmp.Or(o.Headline(), o.Sentence(), changes.Summary(c))))
	w.writeOverview(ctx, o)
	for _, s := range remarks(c) {
		w.put("<p class=\"note\">%s</p>\n", unbroken(s))
	}
	if c.Same() || wholeDiff(ctx, c, o) != nil {
		return nil
	}
	return w.writeRows(ctx)
}

func newPage(out io.Writer) *page { return &page{Writer: bufio.NewWriterSize(out, 64<<10)} }

// begin writes the head of a page.
func (w *page) begin(title string) {
	w.put("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
	w.put("<meta name=\"viewport\" content=\"width=device-width\">\n")
	w.put("<title>%s</title>\n<style>\n%s</style></head><body>\n", escape(title), pageStyle)
}

func (w *page) end() error {
	w.put("</body></html>\n")
	return w.Flush()
}

// sideTitle returns a file's name with the version of its format.
func sideTitle(d *model.Document) string {
	return d.Source.Name() + " (" + d.Kind() + ")"
}

// page writes HTML. Errors of writing stay until the end.
type page struct {
	*bufio.Writer
	c        *compare.Comparison
	pictures int              // that may still be embedded
	marked   *contents.Marked // that the pictures of both sides are of
	blocks   changes.Blocks   // of the rows
}

func (w *page) put(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// writeFile writes the name and format of a file, with a picture if there is one.
func (w *page) writeFile(caption string, d *model.Document, img image.Image) {
	w.put("<div><span>%s</span><b>%s</b><span>%s · %s bytes</span>", caption, escape(d.Source.Name()),
		escape(d.Kind()), model.FormatCount(d.Source.Size()))
	w.writeImage(d.Source.Name(), img)
	w.put("</div>")
}

func (w *page) writeOverview(ctx context.Context, o *changes.Overview) {
	lines := o.Lines(maxPageItems)
	if o.Whole {
		old, new, err := changes.WholeFileViews(ctx, w.c)
		if err == nil {
			w.writeContents(old, new)
		}
	}
	if len(o.Counts) == 0 || len(lines) == 0 {
		return
	}
	w.put("<ul>\n")
	depth := 0
	for _, l := range lines {
		w.nest(depth, l.Depth)
		depth = l.Depth
		if l.Item == nil {
			w.put("<li>%s\n", unbroken(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
			continue
		}
		w.put("<li class=%s><span class=state>%s</span>%s", l.Item.Status, changeWord(*l.Item), unbroken(l.Text))
		if w.pictures > 0 {
			old, new := changes.Contents(ctx, w.c, *l.Item)
			w.writeContents(old, new)
		}
		w.put("\n")
	}
	w.nest(depth, 0)
	w.put("</ul>\n")
}

// nest opens or closes lists inside of lists.
func (w *page) nest(from, to int) {
	w.WriteString(strings.Repeat("<ul>\n", max(0, to-from)) + strings.Repeat("</ul>\n", max(0, from-to)))
}

// changeWord returns the kind of change of an item as one word.
func changeWord(t changes.ItemChange) string {
	if t.Status == compare.Moved && t.OldName != "" {
		return "renamed"
	}
	return t.Status.String()
}

// withMarks returns a text with the differences marked; format formats each piece.
func withMarks(pieces []contents.Piece, format func(string) string) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Highlighted {
			b.WriteString("<mark>" + format(p.Text) + "</mark>")
		} else {
			b.WriteString(format(p.Text))
		}
	}
	return b.String()
}

// breakable returns a text that may break after a slash, but not within a word.
func breakable(s string) string {
	parts := strings.SplitAfter(model.OneLine(s, 2000), "/")
	for i, p := range parts {
		parts[i] = unbroken(p)
	}
	return strings.Join(parts, "<wbr>")
}

// hyphened matches words with hyphens at which browsers break lines, such as 1.2e-38.
var hyphened = regexp.MustCompile(`[^\s/]+-[^\s/]+`)

// maxUnbrokenWord is the maximum length of words that are not broken, in characters.
const maxUnbrokenWord = 32

// unbroken returns a text with words that do not break at hyphens.
func unbroken(s string) string {
	s = model.OneLine(s, 2000)
	var out strings.Builder
	end := 0
	for _, match := range hyphened.FindAllStringIndex(s, -1) {
		if word := s[match[0]:match[1]]; utf8.RuneCountInString(word) <= maxUnbrokenWord {
			out.WriteString(html.EscapeString(s[end:match[0]]) + "<span class=word>" + html.EscapeString(word) + "</span>")
			end = match[1]
		}
	}
	return out.String() + html.EscapeString(s[end:])
}

func escape(s string) string { return html.EscapeString(model.OneLine(s, 2000)) }

// FoldersPage writes the differences between two folders as one self-contained HTML page: a line for each file, which
// unfolds to the comparison of its versions.
type FoldersPage struct{ w *page }

// NewFoldersPage begins a page.
func NewFoldersPage(out io.Writer, old, new string) *FoldersPage {
	w := newPage(out)
	w.begin(old + " → " + new)
	w.put("<main class=\"folders\"><h1>%s → %s</h1>\n", breakable(old), breakable(new))
	return &FoldersPage{w}
}

// File writes a file that differs. c is the comparison of its versions and may be nil.
func (p *FoldersPage) File(ctx context.Context, f *compare.File, c *compare.Comparison) error {
	w := p.w
	var facts []string
	if c != nil {
		facts = append(facts, fromToText(c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant))
	}
	for _, s := range []string{fromToText(dateText(f.OldTime), dateText(f.NewTime)),
		fromToText(sizeText(f.OldSize), sizeText(f.NewSize))} {
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
	w.put(" <i>%s</i>", escape(strings.Join(facts, " · ")))
	if f.Problem != "" || f.Uses != nil {
		w.put("<br>%s", escape(f.Change("")))
	}
	if c == nil {
		w.put("</p>\n")
		return nil
	}
	if o, err := changes.Collect(ctx, c); err == nil {
		w.put("<br>%s", unbroken(changes.Brief(c, o)))
	}
	w.put("</summary>\n")
	if err := w.writeComparison(ctx, c); err != nil {
		return err
	}
	w.put("</details>\n")
	return nil
}

// End writes the number of different files, and ends the page.
func (p *FoldersPage) End(n compare.Counts) error {
	p.w.put("<p class=\"headline total\">%s</p>\n", escape("Files: "+n.String()))
	p.w.put("</main>")
	return p.w.end()
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
	return model.FormatCount(n)
}
