package comparison

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/field"
	"assay/ui/look"
	"assay/ui/paint"
)

// head is what stands above the panes: what was found in a sentence, and what can be done.
type head struct {
	c       *Comparison
	summary *widget.RichText
	verify  *widget.Button
	chips   *chips
	search  *field.Field
	matches *widget.Label
	layout  *widget.Button
	rules   *widget.Button
	report  *widget.Button
	content fyne.CanvasObject
}

func newHead(c *Comparison) *head {
	h := &head{c: c}
	h.summary = widget.NewRichText()
	h.summary.Truncation = fyne.TextTruncateEllipsis
	low := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, do)
		b.Importance = widget.LowImportance
		return b
	}
	h.verify = widget.NewButton("Verify contents", c.VerifyContents)
	h.verify.Hide()
	h.rules = low("Rules", theme.SettingsIcon(), c.ShowRules)
	h.report = low("Report", theme.DocumentIcon(), c.showReportMenu)
	swap := low("Swap", theme.MediaReplayIcon(), c.Swap)
	h.layout = low("Two trees", theme.GridIcon(), c.ToggleLayout)
	h.chips = newChips(c.Style, func(s compare.Status) { c.SetStates(c.states ^ 1<<s) })
	h.search = field.New("Find in both: name, key, value")
	h.search.Icon = theme.SearchIcon()
	h.search.OnChanged = func(string) { c.refind() }
	h.search.OnKey = c.searchKey
	h.matches = widget.NewLabel("")
	h.matches.Importance = widget.LowImportance
	h.matches.Hide()
	up, down := low("", theme.MoveUpIcon(), c.PreviousChange), low("", theme.MoveDownIcon(), c.NextChange)

	first := container.NewBorder(nil, nil, nil, container.NewHBox(h.verify, swap, h.rules, h.report), h.summary)
	find := container.NewBorder(nil, nil, nil, h.matches, h.search)
	second := container.NewBorder(nil, nil, container.NewHBox(h.chips, up, down), h.layout, find)
	h.content = container.NewStack(look.NewBackdrop(theme.ColorNameHeaderBackground), container.NewVBox(first, second))
	return h
}

// show says what was found.
func (h *head) show() {
	c := h.c.c
	segments := append(fromTo(h.c.sides[0].Title, h.c.sides[1].Title), say("    "+c.Summary(), theme.ColorNameForeground, false))
	for _, s := range h.remarks() {
		segments = append(segments, say("  ·  "+s, theme.ColorNamePlaceHolder, false))
	}
	h.summary.Segments = segments
	h.summary.Refresh()
	if c.ByChecksum {
		h.verify.Show()
	} else {
		h.verify.Hide()
	}
	h.chips.set(c.Counts(), h.c.states)
	h.rules.Importance = widget.LowImportance
	if h.c.ruled() {
		h.rules.Importance = widget.MediumImportance
	}
	h.rules.Refresh()
}

func say(text string, color fyne.ThemeColorName, bold bool) *widget.TextSegment {
	return &widget.TextSegment{Text: text, Style: widget.RichTextStyle{Inline: true, ColorName: color, TextStyle: fyne.TextStyle{Bold: bold}}}
}

// fromTo is two names with an arrow between them. The arrow is a piece of its own: its font has no spaces.
func fromTo(old, new string) []widget.RichTextSegment {
	gap := say("   ", theme.ColorNamePlaceHolder, false)
	return []widget.RichTextSegment{say(model.OneLine(old, 200), theme.ColorNameForeground, true), gap, say("→", theme.ColorNamePlaceHolder, false), gap,
		say(model.OneLine(new, 200), theme.ColorNameForeground, true)}
}

func (h *head) remarks() []string {
	c := h.c.c
	var out []string
	if c.Note != "" {
		out = append(out, c.Note)
	}
	if n := len(c.OneVersion); n > 0 {
		f := c.OneVersion[0]
		side := "old"
		if f.In == compare.Added {
			side = "new"
		}
		s := "only the " + side + " version has " + f.Name + " (" + grouped(f.Count) + " ×)"
		if n > 1 {
			s += " and " + count(int64(n-1), "more field")
		}
		out = append(out, s)
	}
	if n := len(h.c.options.Pairs); n > 0 {
		out = append(out, count(int64(n), "pair")+" made by hand")
	}
	return out
}

// SetStates shows the pairs in some states only.
func (c *Comparison) SetStates(s states) {
	c.states = s
	if c.c == nil {
		return
	}
	c.head.chips.set(c.c.Counts(), s)
	if c.head.search.Text != "" {
		c.refind()
		return
	}
	c.list.setView(view{states: s})
}

// ToggleLayout shows one merged tree, or two.
func (c *Comparison) ToggleLayout() {
	to := twoTrees
	if c.list.layout == twoTrees {
		to = merged
	}
	c.list.setLayout(to)
	c.head.layout.SetText([]string{"Two trees", "One tree"}[to])
	c.list.focus()
}

// chips are the states with their numbers, to be shown or not.
type chips struct {
	widget.BaseWidget
	style  *paint.Style
	raster *canvas.Raster
	img    *image.RGBA
	scale  float32
	counts compare.Counts
	states states
	edges  []int
	hover  int
	toggle func(s compare.Status)
}

var (
	_ fyne.Tappable      = (*chips)(nil)
	_ desktop.Hoverable  = (*chips)(nil)
	_ desktop.Cursorable = (*chips)(nil)
)

// chipOrder is the order of the states: what there is most of comes last.
var chipOrder = []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed, compare.Same}

func newChips(style *paint.Style, toggle func(s compare.Status)) *chips {
	c := &chips{style: style, scale: 1, hover: -1, toggle: toggle}
	c.raster = canvas.NewRaster(c.generate)
	c.raster.ScaleMode = canvas.ImageScalePixels
	c.ExtendBaseWidget(c)
	return c
}

func (h *chips) set(counts compare.Counts, s states) {
	h.counts, h.states = counts, s
	h.Refresh()
}

// CreateRenderer is called by Fyne.
func (h *chips) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.raster) }

// Refresh paints again.
func (h *chips) Refresh() {
	h.BaseWidget.Refresh()
	h.raster.Refresh()
}

// MinSize returns the size that all chips need.
func (h *chips) MinSize() fyne.Size {
	c := h.style.NewCanvas(nil, 1, paint.Colors{})
	edges := h.layout(c)
	return fyne.NewSize(float32(edges[len(edges)-1]), float32(c.Px(h.style.Size()*1.54))+10)
}

func (h *chips) text(s compare.Status) string {
	return signOf(s) + "  " + grouped(h.counts.Of(s)) + " " + s.String()
}

func (h *chips) layout(c *paint.Canvas) []int {
	edges := []int{c.Px(4)}
	for _, s := range chipOrder {
		edges = append(edges, edges[len(edges)-1]+c.Measure(h.text(s), paint.Regular)+c.Px(18)+c.Px(5))
	}
	return edges
}

func (h *chips) generate(w, hh int) image.Image {
	if w <= 0 || hh <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	if size := h.raster.Size(); size.Width > 1 {
		h.scale = float32(w) / size.Width
	}
	if h.img == nil || h.img.Rect.Dx() != w || h.img.Rect.Dy() != hh {
		h.img = image.NewRGBA(image.Rect(0, 0, w, hh))
	}
	h.style.Atlas.ThemeChanged()
	c := h.style.NewCanvas(h.img, h.scale, paint.ThemeColors(h))
	ground := theme.ColorForWidget(theme.ColorNameHeaderBackground, h)
	r, g, b, _ := ground.RGBA()
	c.Fill(h.img.Rect, paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff})
	h.edges = h.layout(c)
	for i, s := range chipOrder {
		box := image.Rect(h.edges[i], c.Px(4), h.edges[i+1]-c.Px(5), hh-c.Px(4))
		col := colorOf(c.Colors, s)
		on := h.states.has(s) && h.counts.Of(s) > 0
		back, text := c.Colors.Background, c.Colors.Dim
		if on {
			back, text = paint.Mix(col, c.Colors.Background, 0.24), c.Colors.Foreground
		}
		if h.counts.Of(s) == 0 {
			text = c.Colors.Faint
		}
		if i == h.hover {
			back = paint.Mix(c.Colors.Foreground, back, 0.08)
		}
		edge := c.Colors.Separator
		if on {
			edge = paint.Mix(col, c.Colors.Background, 0.6)
		}
		c.Round(box, c.Px(4), edge)
		c.Round(box.Inset(c.Px(1)), c.Px(3), back)
		inner := box
		inner.Min.X += c.Px(9)
		sign := signOf(s)
		if h.counts.Of(s) == 0 {
			col = text
		}
		x := c.Label(inner, sign, paint.Bold, col, paint.Left)
		inner.Min.X += x
		c.Label(inner, h.text(s)[len(sign):], paint.Regular, text, paint.Left)
	}
	return h.img
}

func (h *chips) at(p fyne.Position) int {
	x := int(p.X * h.scale)
	for i := range len(h.edges) - 1 {
		if x >= h.edges[i] && x < h.edges[i+1] {
			return i
		}
	}
	return -1
}

// Tapped is called by Fyne.
func (h *chips) Tapped(ev *fyne.PointEvent) {
	if i := h.at(ev.Position); i >= 0 && h.toggle != nil {
		h.toggle(chipOrder[i])
	}
}

// MouseIn is called by Fyne.
func (h *chips) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved is called by Fyne.
func (h *chips) MouseMoved(ev *desktop.MouseEvent) {
	if i := h.at(ev.Position); i != h.hover {
		h.hover = i
		h.raster.Refresh()
	}
}

// MouseOut is called by Fyne.
func (h *chips) MouseOut() {
	h.hover = -1
	h.raster.Refresh()
}

// Cursor is called by Fyne.
func (h *chips) Cursor() desktop.Cursor { return desktop.PointerCursor }
