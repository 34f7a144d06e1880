package doc

import (
	"context"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	syntax "assay/model/text"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/text"
	"assay/ui/work"
)

// lineEditor is an entry of several lines with their numbers. The entry is as large as its text, and scrolls with them;
// the toolkit's own scrolling does not report its offset.
type lineEditor struct {
	host      host.Host
	entry     *control.Field
	numbers   *widget.Label
	errorMark *canvas.Rectangle // behind the number of the line with the error
	scroll    *container.Scroll
	content   fyne.CanvasObject
	colors    *coloredText
	middle    fyne.CanvasObject // the entry with its colors

	lines    int
	complete func(line int, prefix string) []string
	focus    func() // gives the entry the focus
}

func newLineEditor(h host.Host, lane *work.Lane) *lineEditor {
	l := &lineEditor{host: h, entry: control.NewField(h, ""), numbers: widget.NewLabel("")}
	l.entry.MultiLine, l.entry.TextStyle.Monospace, l.entry.Scroll = true, true, fyne.ScrollNone
	l.numbers.TextStyle.Monospace, l.numbers.Alignment = true, fyne.TextAlignTrailing
	l.numbers.Importance = widget.LowImportance
	l.errorMark = canvas.NewRectangle(color.Transparent)
	l.errorMark.Hide()
	gutter := container.NewStack(container.NewWithoutLayout(l.errorMark), l.numbers)
	l.colors, l.middle = newColoredText(l, lane)
	l.scroll = container.NewScroll(container.NewBorder(nil, nil, gutter, nil, l.middle))
	l.scroll.OnScrolled = func(fyne.Position) { l.colors.Refresh() }
	l.content = l.scroll
	l.entry.OnCursorChanged = l.reveal
	l.entry.OnKey = l.key
	l.entry.OnShortcut = l.shortcut
	return l
}

// textChanged updates the numbers of the lines and the colors of the text.
func (l *lineEditor) textChanged() {
	defer l.colors.recolor()
	n := 1 + strings.Count(l.entry.Text, "\n")
	if n == l.lines {
		return
	}
	l.lines = n
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i+1) + "\n")
	}
	l.numbers.SetText(strings.TrimSuffix(b.String(), "\n"))
}

func (l *lineEditor) lineHeight() float32 {
	return (l.numbers.MinSize().Height - 2*theme.InnerPadding()) / float32(max(l.lines, 1))
}

// markLine marks the line with the error, from 1; 0 marks none.
func (l *lineEditor) markLine(line int) {
	paint.SetVisible(l.errorMark, line > 0)
	red := color.NRGBAModel.Convert(theme.Color(theme.ColorNameError)).(color.NRGBA)
	red.A /= 2 // the number stays readable
	l.errorMark.FillColor = red
	l.errorMark.Move(fyne.NewPos(0, theme.InnerPadding()+l.lineHeight()*float32(line-1)))
	l.errorMark.Resize(fyne.NewSize(l.numbers.MinSize().Width, l.lineHeight()))
	l.errorMark.Refresh()
}

// reveal scrolls to the caret.
func (l *lineEditor) reveal() {
	caret, view := l.entry.CursorPosition(), l.scroll.Size()
	gutter := l.middle.Position().X
	caret.X += gutter
	offset := l.scroll.Offset
	margin := theme.InnerPadding()
	offset.X = max(min(offset.X, caret.X-margin-gutter), caret.X+2*margin-view.Width, 0)
	offset.Y = max(min(offset.Y, caret.Y-margin), caret.Y+l.lineHeight()+2*margin-view.Height, 0)
	if offset != l.scroll.Offset {
		l.scroll.ScrollToOffset(offset)
	}
}

// key moves the caret by the visible lines; in the toolkit, these keys move it to the ends of the text. It keeps the
// indentation in a new line, and Backspace removes a step of it.
func (l *lineEditor) key(key *fyne.KeyEvent, _ bool) bool {
	switch _, prefix := l.caret(); key.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		l.entry.Entry.TypedKey(key)
		for range indentAfter(prefix) {
			l.entry.TypedRune(' ')
		}
		return true
	case fyne.KeyBackspace:
		if l.entry.SelectedText() == "" && len(prefix) > 1 && strings.Trim(prefix, " ") == "" {
			l.entry.Entry.TypedKey(key)
		}
	}
	step := max(1, int(l.scroll.Size().Height/l.lineHeight())-1)
	move := fyne.KeyDown
	switch key.Name {
	case fyne.KeyPageUp:
		move = fyne.KeyUp
	case fyne.KeyPageDown:
	default:
		return false
	}
	for range step {
		l.entry.Entry.TypedKey(&fyne.KeyEvent{Name: move})
	}
	return true
}

// shortcut moves the caret to an end of the text, or lists the completions.
func (l *lineEditor) shortcut(s *desktop.CustomShortcut) bool {
	if s.Modifier != fyne.KeyModifierShortcutDefault && s.Modifier != fyne.KeyModifierControl {
		return false
	}
	switch s.KeyName {
	case fyne.KeyHome:
		l.entry.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
	case fyne.KeyEnd:
		l.entry.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	case fyne.KeySpace:
		l.listCompletions()
	default:
		return false
	}
	return true
}

// listCompletions lists the words that may be at the caret in a menu. The chosen one is typed, so that it can be
// undone.
func (l *lineEditor) listCompletions() {
	row, prefix := l.caret()
	menu := fyne.NewMenu("")
	for _, word := range l.complete(row, prefix) {
		menu.Items = append(menu.Items, fyne.NewMenuItem(word, func() {
			for _, r := range completionOf(prefix, word) {
				l.entry.TypedRune(r)
			}
			l.focus()
		}))
	}
	if len(menu.Items) == 0 {
		l.host.ShowHint("Nothing in the description completes this word.")
		return
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(l.entry).Add(l.entry.CursorPosition())
	l.host.Menu(menu, pos.AddXY(0, l.lineHeight()))
}

// caret returns the line of the caret, from 0, and the line up to it.
func (l *lineEditor) caret() (row int, prefix string) {
	lines := strings.Split(l.entry.Text, "\n")
	row = min(l.entry.CursorRow, len(lines)-1)
	line := []rune(lines[row])
	return row, string(line[:min(l.entry.CursorColumn, len(line))])
}

// indentAfter returns the indentation of the line after a line of YAML: the keys of an element are below its first one,
// and the value of a key is indented further.
func indentAfter(line string) int {
	inner := strings.TrimLeft(line, " ")
	n := len(line) - len(inner)
	if strings.HasPrefix(inner, "- ") && !strings.HasPrefix(inner, "- {") {
		n += 2
	}
	if strings.HasSuffix(inner, ":") {
		n += 2
	}
	return n
}

// completionOf returns the part of word that is missing after prefix, which may end with the beginning of word.
func completionOf(prefix, word string) string {
	for n := min(len(prefix), len(word)); n > 0; n-- {
		if strings.HasSuffix(prefix, word[:n]) {
			return word[n:]
		}
	}
	return word
}

const (
	// maxColoredAtOnce is the size in bytes of an edit that is colored before it is displayed; a longer one has its
	// colors a moment later.
	maxColoredAtOnce = 2 << 10
	// coloredMargin is the height, in device-independent pixels, that is colored below the view, for when it grows.
	coloredMargin = 600
)

// coloredText has the colored words of a description, over an entry whose own text is transparent: the toolkit's entry
// has one color.
type coloredText struct {
	widget.BaseWidget
	lineEditor *lineEditor
	lane       *work.Lane
	lines      []string
	pieces     [][]syntax.Piece // pieces of each line
}

// transparentText is the current theme with transparent text.
type transparentText struct{}

func (transparentText) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameForeground {
		return color.Transparent
	}
	return fyne.CurrentApp().Settings().Theme().Color(name, v)
}

func (transparentText) Font(s fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(s)
}

func (transparentText) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(name)
}

func (transparentText) Size(name fyne.ThemeSizeName) float32 {
	return fyne.CurrentApp().Settings().Theme().Size(name)
}

// newColoredText returns the colored words of an entry, and the entry with them.
func newColoredText(l *lineEditor, lane *work.Lane) (*coloredText, fyne.CanvasObject) {
	c := &coloredText{lineEditor: l, lane: lane}
	c.ExtendBaseWidget(c)
	return c, container.NewStack(container.NewThemeOverride(l.entry, transparentText{}), c)
}

// recolor divides the lines that changed into pieces of one color at once, and all lines off the UI thread: a line may
// be a part of a longer text.
func (c *coloredText) recolor() {
	text := c.lineEditor.entry.Text
	old, lines := c.lines, strings.Split(text, "\n")
	head := 0
	for head < min(len(old), len(lines)) && old[head] == lines[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(lines))-head && old[len(old)-1-tail] == lines[len(lines)-1-tail] {
		tail++
	}
	pieces := slices.Concat(c.pieces[:head], colored(lines[head:len(lines)-tail]), c.pieces[len(old)-tail:])
	c.lines, c.pieces = lines, pieces
	c.Refresh()
	c.lane.Go(func(ctx context.Context) func() {
		pieces := syntax.Colored(ctx, syntax.YAML, text)
		return func() {
			if len(pieces) >= len(lines) {
				c.pieces = pieces[:len(lines)]
				c.Refresh()
			}
		}
	})
}

// colored returns the pieces of each line. If the text is long, each line is one piece.
func colored(lines []string) [][]syntax.Piece {
	if text := strings.Join(lines, "\n"); len(text) <= maxColoredAtOnce {
		pieces := syntax.Colored(context.Background(), syntax.YAML, text)
		if len(pieces) >= len(lines) {
			return pieces[:len(lines)]
		}
	}
	var pieces [][]syntax.Piece
	for _, line := range lines {
		pieces = append(pieces, []syntax.Piece{{Text: line}})
	}
	return pieces
}

func (c *coloredText) CreateRenderer() fyne.WidgetRenderer { return &colorsRenderer{c: c} }

// MinSize is zero: the entry has the size.
func (c *coloredText) MinSize() fyne.Size { return fyne.Size{} }

type colorsRenderer struct {
	c     *coloredText
	words []fyne.CanvasObject
}

func (r *colorsRenderer) Destroy()                     {}
func (r *colorsRenderer) Layout(fyne.Size)             {}
func (r *colorsRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *colorsRenderer) Objects() []fyne.CanvasObject { return r.words }

// Refresh makes the words of the visible lines.
func (r *colorsRenderer) Refresh() {
	r.words = nil
	l := r.c.lineEditor
	height, view := l.lineHeight(), l.scroll.Size().Height+coloredMargin
	first := max(0, int(l.scroll.Offset.Y/height)-1)
	last := min(len(r.c.pieces), int((l.scroll.Offset.Y+view)/height))
	colors, size := paint.ThemeColors(r.c), theme.TextSize()
	for line := first; line < last; line++ {
		leading := ""
		for _, p := range r.c.pieces[line] {
			word := strings.TrimLeft(p.Text, " ")
			leading += p.Text[:len(p.Text)-len(word)]
			if word == "" {
				continue
			}
			t := canvas.NewText(word, colors.ForTone(text.Tone(p.Kind)))
			t.TextStyle.Monospace, t.TextSize = true, size
			x := theme.InnerPadding()
			if leading != "" {
				x += fyne.MeasureText(leading, size, t.TextStyle).Width
			}
			t.Move(fyne.NewPos(x, theme.InnerPadding()+height*float32(line)))
			t.Resize(t.MinSize())
			r.words = append(r.words, t)
			leading += word
		}
	}
	canvas.Refresh(r.c)
}
