package comparison

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/paint"
)

// head is what stands above the panes: what was found in a sentence, and what can be done.
type head struct {
	c       *Comparison
	summary *compared.Title
	found   string         // what changed in things; empty while it is not known
	counts  compare.Counts // of things, once they are known; of rows, where there are none
	verify  *widget.Button
	chips   *compared.Chips
	layout  *compared.Tool

	beside   *fyne.Container // to the pairs before and after
	pictures *compared.Tool
	table    *compared.Tool
	rules    *compared.Tool
	report   *compared.Tool
	content  fyne.CanvasObject
}

func newHead(c *Comparison) *head {
	h := &head{c: c}
	h.summary = compared.NewTitle(c, c.Style)
	h.verify = widget.NewButton("Compare full contents", c.VerifyContents)
	h.verify.Hide()
	h.rules = compared.NewTool(c, "compare.rules", theme.SettingsIcon(), c.ShowRules)
	h.report = compared.NewNamedTool(c, "Report", theme.DocumentIcon(), "Copy or save a report of the differences",
		func() { c.showReportMenu(h.report.Button) })
	swap := compared.NewTool(c, "compare.swap", theme.MediaReplayIcon(), c.Swap)
	h.layout = compared.NewTool(c, "compare.split", theme.GridIcon(), c.ToggleLayout)
	h.pictures = compared.NewTool(c, "compare.pictures", theme.MediaPhotoIcon(), c.TogglePictures)
	h.table = compared.NewTool(c, "compare.table", theme.ListIcon(), c.ToggleTable)
	h.table.Disable()
	previous := compared.NewTool(c, "compare.previous-pair", theme.NavigateBackIcon(), func() { c.Step(-1) })
	next := compared.NewTool(c, "compare.next-pair", theme.NavigateNextIcon(), func() { c.Step(1) })
	h.beside = container.NewHBox(previous.Button, next.Button)
	paint.Show(h.beside, c.in.sides[1].Neighbor != nil)
	h.chips = compared.NewChips(c.Style, func(s compare.Status) { c.setStates(c.list.States() ^ 1<<s) })
	up := compared.NewTool(c, "compare.previous", theme.MoveUpIcon(), c.PreviousChange)
	down := compared.NewTool(c, "compare.next", theme.MoveDownIcon(), c.NextChange)

	buttons := container.NewHBox(h.verify, h.beside, swap.Button, h.rules.Button, h.report.Button, h.table.Button,
		h.pictures.Button, h.layout.Button)
	first := compared.NewToolLine(h.summary, buttons, next, swap, h.rules, h.report, h.table, h.pictures, h.layout)
	find := container.New(&noteLine{c.Search.Matches}, c.Search.Field, c.Search.Matches)
	c.Search.Matches.Truncation = fyne.TextTruncateEllipsis
	c.Search.OnSay = find.Refresh
	second := container.NewBorder(nil, nil, container.NewHBox(h.chips, up.Button, down.Button), nil, find)
	h.content = paint.Head(container.NewVBox(first, second))
	return h
}

// show says what was found.
func (h *head) show() {
	c := h.c.c
	names := compared.Names(h.c.in.sides[:])
	parts := compared.FromTo(names[0], names[1])
	parts = append(parts, compared.Part{Text: "    " + cmp.Or(h.found, report.Summary(c))})
	for _, s := range h.remarks() {
		parts = append(parts, compared.Part{Text: "  ·  " + s, Tone: paint.Dim})
	}
	h.summary.Set(parts)
	paint.Show(h.verify, c.ByChecksum)
	h.showChips()
	h.rules.Importance = widget.LowImportance
	if compared.AnyIn(h.c.in.options) {
		h.rules.Importance = widget.MediumImportance
	}
	h.rules.Refresh()
}

// showChips says how many things changed, and which rows are in view.
func (h *head) showChips() {
	h.chips.Set(h.counts, h.c.c.Counts(), h.c.list.States())
}

// showBelow has the tools say what they show instead of what stands below the list.
func (h *head) showBelow(what below) {
	if h.pictures.Rename([...]string{bytesBelow: "Bytes", picturesBelow: "Pictures", textBelow: "Text"}[h.c.next()]) {
		h.content.Refresh()
	}
	importance := widget.LowImportance
	if what == tableBelow {
		importance = widget.HighImportance
	}
	if h.table.Importance != importance {
		h.table.Importance = importance
		h.table.Refresh()
	}
	h.showTable()
}

// showTable lets the table be chosen if there is one.
func (h *head) showTable() { paint.Enable(h.table, h.c.tables.Has || h.c.shown == tableBelow) }

func (h *head) remarks() []string {
	c := h.c.c
	out := slices.Clone(c.Notes())
	if n := len(c.OneVersion); n > 0 {
		f := c.OneVersion[0]
		side := "old"
		if f.In == compare.Added {
			side = "new"
		}
		s := "only the " + side + " file has " + f.Name + " (" + host.Count(f.Count, "time") + ")"
		if n > 1 {
			s += " and " + host.Count(int64(n-1), "more field")
		}
		out = append(out, s)
	}
	out = append(out, compared.LeftOut(c)...)
	if n := len(h.c.in.options.Pairs); n > 0 {
		out = append(out, host.Count(int64(n), "manual pair"))
	}
	return out
}

// noteLine places a field and a short text after it, which has at most half of the room and then ends in dots.
type noteLine struct{ note *widget.Label }

// MinSize is that of the field.
func (l *noteLine) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout places what is shown.
func (l *noteLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wide := float32(0)
	if l.note.Visible() {
		wide = fyne.MeasureText(l.note.Text, theme.TextSize(), l.note.TextStyle).Width + 2*theme.InnerPadding() + 1
		wide = min(wide, size.Width/2)
	}
	objects[0].Resize(fyne.NewSize(size.Width-wide, size.Height))
	l.note.Move(fyne.NewPos(size.Width-wide, 0))
	l.note.Resize(fyne.NewSize(wide, size.Height))
}
