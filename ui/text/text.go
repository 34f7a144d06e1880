// Package text shows a text with the numbers of its lines and the colors of its language, wrapped or not, indented
// where it is JSON or XML, and finds words in it.
package text

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model/text"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/look"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
	"assay/ui/work"
)

// View is the widget with its tools.
type View struct {
	group   *work.Group
	lane    *work.Lane // colors, or the indented text
	say     func(text string)
	page    *page
	rows    *rows.Rows
	find    *control.Field
	found   *widget.Label
	wrap    *control.Check
	indent  *control.Check
	content fyne.CanvasObject

	text *text.Text
	hits []hit
	at   int // the hit that is shown; -1: none
}

// hit is where a search found something: a line, and the runes of it.
type hit struct{ line, from, to int }

// hitsMost is how many hits are found.
const hitsMost = 100_000

// New makes an empty view. Its work ends with the group; say is told what is shown.
func New(h host.Host, style *paint.Style, group *work.Group, say func(text string)) *View {
	v := &View{group: group, lane: group.Lane(), say: say, page: &page{wrap: true}, at: -1}
	v.page.view = v
	v.rows = rows.New(h, style, v.page, rows.Options{Multi: true, MinSize: fyne.NewSize(80, 60)})
	v.page.rows = v.rows
	v.find = control.NewField(h, "Find")
	v.find.OnChanged = func(string) { v.search() }
	v.find.OnKey = func(key *fyne.KeyEvent, shift bool) bool {
		if key.Name != fyne.KeyReturn && key.Name != fyne.KeyEnter {
			return false
		}
		if shift {
			v.next(-1)
		} else {
			v.next(1)
		}
		return true
	}
	v.found = widget.NewLabel("")
	v.found.Importance = widget.LowImportance
	v.wrap = control.NewCheck(h.Key, "Wrap", func(on bool) {
		v.page.setWrap(on)
		v.rows.Refresh()
	})
	v.wrap.Checked = true
	v.indent = control.NewCheck(h.Key, "Indent", func(bool) { v.restart() })
	v.indent.Hide()
	tools := container.NewBorder(nil, nil, nil, container.NewHBox(v.found, v.indent, v.wrap), v.find)
	v.content = container.NewBorder(tools, nil, nil, nil, v.rows)
	return v
}

// Content is what goes into a panel.
func (v *View) Content() fyne.CanvasObject { return v.content }

// Ready is a text that is ready to be shown.
type Ready struct {
	text    *text.Text
	colored [][]text.Piece // its first lines
}

// Load prepares a text, off the UI thread.
func Load(ctx context.Context, t *text.Text) *Ready {
	return &Ready{t, text.ColoredFirst(ctx, t.Language, t.Text)}
}

// Show shows a text from its beginning.
func (v *View) Show(r *Ready) {
	t := r.text
	v.text = t
	v.indent.Checked = false
	look.Show(v.indent, t.Language == text.JSON || t.Language == text.XML)
	v.indent.Refresh()
	v.set(t.Text)
	v.page.colored = r.colored
	v.say(Described(t))
	v.color(t.Text)
}

// Light lights a line, from 1, and brings it into view; 0 lights none. wrong says that it is the place of an error.
func (v *View) Light(line int, wrong bool) {
	v.page.lit, v.page.wrong = line, wrong
	if line > 0 && line <= len(v.page.lines) {
		v.rows.ScrollTo(v.page.rowOf(hit{line: line - 1}))
	}
	v.rows.Refresh()
}

// Clear shows nothing.
func (v *View) Clear() {
	v.lane.Stop()
	v.text = nil
	v.set("")
}

func (v *View) set(s string) {
	v.page.set(s)
	v.rows.SetSource(v.page)
	v.search()
}

// color colors the text that is shown.
func (v *View) color(s string) {
	language := v.text.Language
	v.lane.Go(func(ctx context.Context) func() {
		colored := text.Colored(ctx, language, s)
		return func() {
			v.page.colored = colored
			v.rows.Refresh()
		}
	})
}

// restart shows the text as it is, or indented.
func (v *View) restart() {
	t := v.text
	if t == nil {
		return
	}
	if !v.indent.Checked {
		v.set(t.Text)
		v.say(Described(t))
		v.color(t.Text)
		return
	}
	v.lane.Go(func(ctx context.Context) func() {
		s, err := t.Indented()
		if err != nil {
			return func() {
				v.indent.SetChecked(false)
				v.say(wording.Sentence(err))
			}
		}
		colored := text.Colored(ctx, t.Language, s)
		return func() {
			v.set(s)
			v.page.colored = colored
			v.rows.Refresh()
		}
	})
}

// Described says what a text is.
func Described(t *text.Text) string {
	said := []string{wording.Count(int64(strings.Count(t.Text, "\n")+1), "line")}
	encoding := t.Encoding
	if t.Guessed {
		encoding += " (guessed)"
	}
	said = append(said, encoding)
	if t.Ends != "" {
		said = append(said, t.Ends)
	}
	if t.Language != "" {
		said = append(said, t.Language)
	}
	if t.Left > 0 {
		said = append(said, fmt.Sprintf("%s more are not shown", wording.Count(t.Left, "byte")))
	}
	return strings.Join(said, " · ")
}

// search finds what is typed.
func (v *View) search() {
	word := strings.ToLower(v.find.Text)
	v.hits, v.at = nil, -1
	if word == "" {
		v.found.SetText("")
		v.rows.Refresh()
		return
	}
	wide := len([]rune(word))
	for line, s := range v.page.lines {
		lower := strings.ToLower(s)
		for from := 0; len(v.hits) < hitsMost; {
			i := strings.Index(lower[from:], word)
			if i < 0 {
				break
			}
			at := len([]rune(lower[:from+i]))
			v.hits = append(v.hits, hit{line, at, at + wide})
			from += i + len(word)
		}
	}
	v.next(1)
}

// next shows another hit.
func (v *View) next(by int) {
	if len(v.hits) == 0 {
		v.found.SetText("Not found")
		v.rows.Refresh()
		return
	}
	v.at = (v.at + by + len(v.hits)) % len(v.hits)
	if v.at < 0 {
		v.at = 0
	}
	v.found.SetText(fmt.Sprintf("%s of %s", wording.Number(v.at+1), wording.Number(len(v.hits))))
	row := v.page.rowOf(v.hits[v.at])
	v.rows.SetCurrent(row)
	v.rows.Refresh()
	v.rows.ScrollTo(row)
}
