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
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
)

//go:embed page.css
var pageStyle string

const (
	thingsOnPage   = 200 // things that the page lists before its rows
	picturesOnPage = 48  // of things, besides those of both files
)

// HTML writes the report as one HTML page that needs no other file: who was compared, what changed in things, with
// pictures of both sides where there are any, then every row with what differs lit.
func HTML(ctx context.Context, c *compare.Comparison, out io.Writer) error {
	w := newPage(out)
	w.begin(sideTitle(c.Old) + " → " + sideTitle(c.New))
	w.put("<h1>%s → %s</h1>\n", escaped(c.Old.Source.Name()), escaped(c.New.Source.Name()))
	if err := w.comparison(ctx, c); err != nil {
		return err
	}
	return w.end()
}

// comparison writes what differs between two files.
func (w *page) comparison(ctx context.Context, c *compare.Comparison) error {
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	w.c, w.found, w.pictures = c, nil, picturesOnPage
	both := w.scenes(ctx)
	for i, d := range []*model.Document{c.Old, c.New} {
		if both[i] == nil {
			both[i] = documentPicture(ctx, d)
		}
	}
	w.put("<div class=\"sides\">")
	w.fileFacts("old", c.Old, both[0])
	w.fileFacts("new", c.New, both[1])
	w.put("</div>\n")
	w.legend()
	if samePixels(both[0], both[1]) {
		w.put("<p class=\"legend\">The two previews are identical.</p>\n")
	}
	w.put("<p class=\"headline\">%s</p>\n", unbroken(cmp.Or(o.Headline(), o.Sentence(), Summary(c))))
	w.overview(ctx, o)
	for _, s := range remarks(c) {
		w.put("<p class=\"note\">%s</p>\n", unbroken(s))
	}
	if c.Same() || wholeTexts(ctx, c, o) != nil {
		return nil
	}
	return w.rows(ctx)
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
func sideTitle(d *model.Document) string {
	return d.Source.Name() + " (" + d.Kind() + ")"
}

// page writes HTML. Errors of writing stay until the end.
type page struct {
	*bufio.Writer
	c        *compare.Comparison
	pictures int              // that may still be embedded
	found    *contents.Marked // that the pictures of both sides are of
}

func (w *page) put(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// fileFacts writes what one of the files is, with a picture if there is one.
func (w *page) fileFacts(what string, d *model.Document, img image.Image) {
	w.put("<div><span>%s</span><b>%s</b><span>%s · %s bytes</span>", what, escaped(d.Source.Name()),
		escaped(d.Kind()), humanize.Comma(d.Source.Size()))
	w.image(d.Source.Name(), img)
	w.put("</div>")
}

func (w *page) overview(ctx context.Context, o *changes.Overview) {
	lines := o.Lines(thingsOnPage)
	if o.Whole {
		old, new, err := changes.WholeFileViews(ctx, w.c)
		if err == nil {
			w.contents(old, new)
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
		if l.Thing == nil {
			w.put("<li>%s\n", unbroken(strings.TrimLeft(l.Sign+" "+l.Text, " ")))
			continue
		}
		w.put("<li class=%s><span class=state>%s</span>%s", l.Thing.Status, word(*l.Thing), unbroken(l.Text))
		if w.pictures > 0 {
			old, new := changes.Contents(ctx, w.c, *l.Thing)
			w.contents(old, new)
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

// word returns how the thing changed, in a word.
func word(t changes.ThingChange) string {
	if t.Status == compare.Moved && t.OldName != "" {
		return "renamed"
	}
	return t.Status.String()
}

// marked is a text with what differs marked, each piece of it as show writes it.
func marked(pieces []contents.Piece, show func(string) string) string {
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
	parts := strings.SplitAfter(model.OneLine(s, 2000), "/")
	for i, p := range parts {
		parts[i] = unbroken(p)
	}
	return strings.Join(parts, "<wbr>")
}

// hyphened are words at whose hyphens browsers break lines, such as 1.2e-38.
var hyphened = regexp.MustCompile(`[^\s/]+-[^\s/]+`)

// unbrokenMost is how long a word may be that is not broken.
const unbrokenMost = 32

// unbroken returns a text whose words are not broken at their hyphens.
func unbroken(s string) string {
	s = model.OneLine(s, 2000)
	var out strings.Builder
	end := 0
	for _, at := range hyphened.FindAllStringIndex(s, -1) {
		if word := s[at[0]:at[1]]; utf8.RuneCountInString(word) <= unbrokenMost {
			out.WriteString(html.EscapeString(s[end:at[0]]) + "<span class=word>" + html.EscapeString(word) + "</span>")
			end = at[1]
		}
	}
	return out.String() + html.EscapeString(s[end:])
}

func escaped(s string) string { return html.EscapeString(model.OneLine(s, 2000)) }
