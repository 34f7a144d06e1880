package comparison

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// header is the area above the panes: the changes in one sentence, and the buttons.
type header struct {
	comparison *Comparison
	summary    *compared.Title
	headline   string         // the changes of items; empty until collected
	counts     compare.Counts // counts of items, once collected; counts of rows if there are no items
	verify     *control.Button
	chips      *compared.Chips
	layout     *compared.Tool

	neighbors *fyne.Container // buttons for the pairs before and after
	previews  *compared.Tool
	table     *compared.Tool
	rules     *compared.Tool
	report    *compared.Tool
	content   fyne.CanvasObject
}

func newHeader(c *Comparison) *header {
	h := &header{comparison: c}
	h.summary = compared.NewTitle(c, c.Style)
	h.verify = control.NewButton(c.Key, "Compare full contents", nil, c.VerifyContents)
	h.verify.Hide()
	h.rules = compared.NewTool(c, "compare.rules", theme.SettingsIcon(), c.ShowRules)
	h.report = compared.NewNamedTool(c, "Report", theme.DocumentIcon(),
		func() string { return "Copy or save a report of the differences" }, func() { c.showReportMenu(h.report.Button) })
	swap := compared.NewTool(c, "compare.swap", theme.MediaReplayIcon(), c.Swap)
	h.layout = compared.NewTool(c, "compare.split", theme.GridIcon(), c.ToggleLayout)
	h.previews = compared.NewTool(c, "compare.pictures", theme.MediaPhotoIcon(), c.TogglePreviews)
	h.table = compared.NewTool(c, "compare.table", theme.ListIcon(), c.ToggleTable)
	h.table.Disable()
	previous := compared.NewTool(c, "compare.previous-pair", theme.NavigateBackIcon(), func() { c.StepPair(-1) })
	next := compared.NewTool(c, "compare.next-pair", theme.NavigateNextIcon(), func() { c.StepPair(1) })
	h.neighbors = container.NewHBox(previous.Button, next.Button)
	paint.SetVisible(h.neighbors, c.input.sides[1].Neighbor != nil)
	h.chips = compared.NewChips(c.Style, func(s compare.Status) { c.setStatuses(c.tree.Statuses() ^ 1<<s) })
	up := compared.NewTool(c, "compare.previous", theme.MoveUpIcon(), c.PreviousChange)
	down := compared.NewTool(c, "compare.next", theme.MoveDownIcon(), c.NextChange)

	buttons := container.NewHBox(h.verify, h.neighbors, swap.Button, h.rules.Button, h.report.Button, h.table.Button,
		h.previews.Button, h.layout.Button)
	first := compared.NewToolLine(h.summary, buttons, next, swap, h.rules, h.report, h.table, h.previews, h.layout)
	find := container.New(&noteLine{c.Search.Matches}, c.Search.Field, c.Search.Matches)
	c.Search.Matches.Truncation = fyne.TextTruncateEllipsis
	c.Search.OnResult = find.Refresh
	second := container.NewBorder(nil, nil, container.NewHBox(h.chips, up.Button, down.Button), nil, find)
	h.content = paint.NewHeader(container.NewVBox(first, second))
	return h
}

// show displays the result.
func (h *header) show() {
	c := h.comparison.result
	names := compared.Names(h.comparison.input.sides[:])
	parts := compared.FromTo(names[0], names[1])
	parts = append(parts, compared.Part{Text: "    " + cmp.Or(h.headline, changes.Summary(c))})
	for _, s := range h.remarks() {
		parts = append(parts, compared.Part{Text: "  ·  " + s, Tone: paint.Dim})
	}
	h.summary.Set(parts)
	paint.SetVisible(h.verify, c.ByChecksum)
	h.showChips()
	h.rules.Importance = widget.LowImportance
	if compared.HasRules(h.comparison.input.options) {
		h.rules.Importance = widget.MediumImportance
	}
	h.rules.Refresh()
}

// showChips displays the numbers of changed items, and the selected statuses of rows.
func (h *header) showChips() {
	h.chips.Set(h.counts, h.comparison.tree.Items().Counts(h.comparison.result.Root()), h.comparison.tree.Statuses())
}

// updateLower updates the buttons for the current panel below the tree.
func (h *header) updateLower(panel lowerPanel) {
	labels := [...]string{bytesBelow: "Bytes", previewsBelow: "Previews", textBelow: "Text"}
	if h.previews.Rename(labels[h.comparison.nextLower()]) {
		h.content.Refresh()
	}
	importance := widget.LowImportance
	if panel == tableBelow {
		importance = widget.HighImportance
	}
	if h.table.Importance != importance {
		h.table.Importance = importance
		h.table.Refresh()
	}
	h.enableTable()
}

// enableTable enables the button for the table if the selection has one, or the table is displayed.
func (h *header) enableTable() {
	paint.SetEnabled(h.table, h.comparison.tables.HasList || h.comparison.lowerShown == tableBelow)
}

func (h *header) remarks() []string {
	c := h.comparison.result
	out := slices.Clone(c.Notes())
	if n := len(c.OneVersion); n > 0 {
		f := c.OneVersion[0]
		side := "old"
		if f.Status == compare.Added {
			side = "new"
		}
		s := "only the " + side + " file has " + f.Name + " (" + host.Count(f.Count, "time") + ")"
		if n > 1 {
			s += " and " + host.Count(n-1, "more field")
		}
		out = append(out, s)
	}
	out = append(out, compared.IgnoredText(c)...)
	if n := len(h.comparison.input.options.Pairs); n > 0 {
		out = append(out, host.Count(n, "manual pair"))
	}
	return out
}

// noteLine lays out a field and a short text after it. The text takes at most half of the width; a longer one ends in
// dots.
type noteLine struct{ note *widget.Label }

func (l *noteLine) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

func (l *noteLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	noteWidth := float32(0)
	if l.note.Visible() {
		noteWidth = fyne.MeasureText(l.note.Text, theme.TextSize(), l.note.TextStyle).Width + 2*theme.InnerPadding() + 1
		noteWidth = min(noteWidth, size.Width/2)
	}
	objects[0].Resize(fyne.NewSize(size.Width-noteWidth, size.Height))
	l.note.Move(fyne.NewPos(size.Width-noteWidth, 0))
	l.note.Resize(fyne.NewSize(noteWidth, size.Height))
}
