package comparison

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/look"
	"assay/ui/wording"
)

// head is what stands above the panes: what was found in a sentence, and what can be done.
type head struct {
	c       *Comparison
	summary *widget.RichText
	found   string // what changed in things; empty while it is not known
	verify  *widget.Button
	chips   *chips
	layout  *widget.Button

	beside   *fyne.Container // to the pairs before and after
	pictures *widget.Button
	rules    *widget.Button
	report   *widget.Button
	content  fyne.CanvasObject
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
	h.report = low("Report", theme.DocumentIcon(), func() { c.report.showMenu(h.report) })
	swap := low("Swap", theme.MediaReplayIcon(), c.Swap)
	h.layout = low("Split view", theme.GridIcon(), c.ToggleLayout)
	h.pictures = low("Pictures", theme.MediaPhotoIcon(), c.TogglePictures)
	h.beside = container.NewHBox(low("", theme.NavigateBackIcon(), func() { c.Step(-1) }),
		low("Next pair", theme.NavigateNextIcon(), func() { c.Step(1) }))
	showIf(h.beside, c.in.sides[1].Beside != nil)
	h.chips = newChips(c.Style, func(s compare.Status) { c.setStates(c.list.view.states ^ 1<<s) })
	up, down := low("", theme.MoveUpIcon(), c.PreviousChange), low("", theme.MoveDownIcon(), c.NextChange)

	first := container.NewBorder(nil, nil, nil, container.NewHBox(h.verify, h.beside, swap, h.rules,
		h.report, h.pictures, h.layout), h.summary)
	find := container.NewBorder(nil, nil, nil, c.search.matches, c.search.field)
	second := container.NewBorder(nil, nil, container.NewHBox(h.chips, up, down), nil, find)
	h.content = look.Head(container.NewVBox(first, second))
	return h
}

// show says what was found.
func (h *head) show() {
	c := h.c.c
	segments := fromTo(h.c.in.sides[0].Title, h.c.in.sides[1].Title)
	segments = append(segments, say("    "+cmp.Or(h.found, c.Summary()), theme.ColorNameForeground, false))
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
	h.chips.set(c.Counts(), h.c.list.view.states)
	h.rules.Importance = widget.LowImportance
	if ruled(h.c.in.options) {
		h.rules.Importance = widget.MediumImportance
	}
	h.rules.Refresh()
}

func say(text string, color fyne.ThemeColorName, bold bool) *widget.TextSegment {
	style := widget.RichTextStyle{Inline: true, ColorName: color, TextStyle: fyne.TextStyle{Bold: bold}}
	return &widget.TextSegment{Text: text, Style: style}
}

// fromTo is two names with an arrow between them. The arrow is a piece of its own: its font has no spaces.
func fromTo(old, new string) []widget.RichTextSegment {
	name := func(title string) widget.RichTextSegment {
		return say(model.OneLine(title, 200), theme.ColorNameForeground, true)
	}
	gap := say("   ", theme.ColorNamePlaceHolder, false)
	return []widget.RichTextSegment{name(old), gap, say("→", theme.ColorNamePlaceHolder, false), gap, name(new)}
}

func (h *head) remarks() []string {
	c := h.c.c
	out := slices.Clone(c.Notes())
	if n := len(c.OneVersion); n > 0 {
		f := c.OneVersion[0]
		side := "old"
		if f.In == compare.Added {
			side = "new"
		}
		s := "only the " + side + " version has " + f.Name + " (" + wording.Number(f.Count) + " ×)"
		if n > 1 {
			s += " and " + wording.Count(int64(n-1), "more field")
		}
		out = append(out, s)
	}
	out = append(out, ruledOut(c)...)
	if n := len(h.c.in.options.Pairs); n > 0 {
		out = append(out, wording.Count(int64(n), "pair")+" made by hand")
	}
	return out
}
