package comparison

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// header is the area above the panes: the changes in one sentence, and the buttons.
type header struct {
	comparison *Comparison
	summary    *compared.Title
	headline   string         // the changes of items; empty until collected
	counts     compare.Counts // counts of items, once collected; counts of rows if there are no items
	verify     *widget.Button
	chips      *compared.Chips
	layout     *compared.Tool

	neighbors *fyne.Container // buttons for the pairs before and after
	pictures  *compared.Tool
	table     *compared.Tool
	rules     *compared.Tool
	report    *compared.Tool
	content   fyne.CanvasObject
}

func newHeader(c *Comparison) *header {
	h := &header{comparison: c}
	h.summary = compared.NewTitle(c, c.Style)
	h.verify = widget.NewButton("Compare full contents", c.VerifyContents)
	h.verify.Hide()
	h.rules = compared.NewTool(c, "compare.rules", theme.SettingsIcon(), c.ShowRules)
	h.report = compared.NewNamedTool(c, "Report", theme.DocumentIcon(),
		func() string { return "Copy or save a report of the differences" }, func() { c.showReportMenu(h.report.Button) })
	swap := compared.NewTool(c, "compare.swap", theme.MediaReplayIcon(), c.Swap)
	h.layout = compared.NewTool(c, "compare.split", theme.GridIcon(), c.ToggleLayout)
	h.pictures = compared.NewTool(c, "compare.pictures", theme.MediaPhotoIcon(), c.TogglePictures)
	h.table = compared.NewTool(c, "compare.table", theme.ListIcon(), c.ToggleTable)
	h.table.Disable()
	previous := compared.NewTool(c, "compare.previous-pair", theme.NavigateBackIcon(), func() { c.StepPair(-1) })
	next := compared.NewTool(c, "compare.next-pair", theme.NavigateNextIcon(), func() { c.StepPair(1) })
	h.neighbors = container.NewHBox(previous.Button, next.Button)
	paint.SetVisible(h.neighbors, c.input.sides[1].Neighbor != nil)
	h.chips = compared.NewChips(c.Style, func(s compare.Status) { c.setStates(c.list.States() ^ 1<<s) })
	up := compared.NewTool(c, "compare.previous", theme.MoveUpIcon(), c.PreviousChange)
	down := compared.NewTool(c, "compare.next", theme.MoveDownIcon(), c.NextChange)

	buttons := container.NewHBox(h.verify, h.neighbors, swap.Button, h.rules.Button, h.report.Button, h.table.Button,
		h.pictures.Button, h.layout.Button)
	first := compared.NewToolLine(h.summary, buttons, next, swap, h.rules, h.report, h.table, h.pictures, h.layout)
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
	h.chips.Set(h.counts, h.comparison.list.Items().Counts(h.comparison.result.Root()), h.comparison.list.States())
}

// showLower updates the buttons for the current panel below the tree.
func (h *header) showLower(panel lowerPanel) {
	if h.pictures.Rename([...]string{bytesBelow: "Bytes", picturesBelow: "Previews", textBelow: "Text"}[h.comparison.nextLower()]) {
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
	h.showTable()
}

// showTable shows the button for the table if there is one.
func (h *header) showTable() {
	paint.SetEnabled(h.table, h.comparison.tables.HasList || h.comparison.lowerShown == tableBelow)
}

func (h *header) remarks() []string {
	c := h.comparison.result
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
	out = append(out, compared.IgnoredText(c)...)
	if n := len(h.comparison.input.options.Pairs); n > 0 {
		out = append(out, host.Count(int64(n), "manual pair"))
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

// input has both sides and the rules. It opens the sides and compares them in the background.
type input struct {
	compared.Deps
	sides   [2]compared.Side
	docs    [2]*model.Document
	options compare.Options
	running bool
	failed  bool // the comparison failed, and was not canceled

	comparing, checking *work.Lane

	onSlow   func() // called when comparing takes long
	onFound  func(found *compare.Comparison, first model.Path)
	onFailed func(err error)
}

func newInput(deps compared.Deps, old, new compared.Side) *input {
	p := &input{Deps: deps, sides: [2]compared.Side{old, new}, options: compared.DefaultRules(),
		comparing: deps.Group.Lane(), checking: deps.Group.Lane()}
	if new.Rules != nil {
		p.options = *new.Rules
	}
	return p
}

// busyDelay is the time of comparing after which the busy indicator appears.
const busyDelay = 200 * time.Millisecond

// run opens the sides, all or only the closed ones, and compares them.
func (p *input) run(reopen bool) {
	docs, sides, options := p.docs, p.sides, p.options
	if reopen {
		docs = [2]*model.Document{}
	}
	previous := p.docs
	p.running, p.failed = true, false
	p.Watch(sides[0].Path, sides[1].Path)
	p.showBusyLater()
	p.comparing.Open(func(ctx context.Context) (done, dropped func()) {
		opened, err := compared.Open(ctx, sides, docs)
		var found *compare.Comparison
		if err == nil {
			found, err = changes.Documents(ctx, opened[0], opened[1], options, p.Group.Progress(ctx, p.progress))
		}
		newDocs := opened
		for i, d := range docs {
			if d != nil {
				newDocs[i] = nil // the document was open before
			}
		}
		if err != nil {
			model.CloseDocuments(newDocs[:]...)
			return func() { p.finish(err) }, nil
		}
		first := firstChange(ctx, found)
		found.Root().Len() // identical files were not decoded
		return func() {
			p.running = false
			p.Busy("", 0, nil)
			p.docs = opened
			p.onFound(found, first)
			if reopen {
				p.Group.Go(func(context.Context) func() {
					model.CloseDocuments(previous[:]...)
					return nil
				})
			}
		}, func() { model.CloseDocuments(newDocs[:]...) }
	})
}

// firstChange returns the path of the only changed row that is not a parent of others; if there are more, the root's,
// whose details list them all.
func firstChange(ctx context.Context, c *compare.Comparison) model.Path {
	var first model.Path
	for p := c.Root().Next(); p != nil && ctx.Err() == nil; p = p.Next() {
		if p.Leaf() || p.Status != compare.Changed {
			if first != nil {
				return model.Path{}
			}
			first = p.Path()
		}
	}
	return first
}

// showBusyLater shows the busy indicator after busyDelay.
func (p *input) showBusyLater() {
	p.Group.Go(func(ctx context.Context) func() {
		if !p.Group.Pause(ctx, busyDelay) {
			return nil
		}
		return func() {
			if p.running {
				p.progress(0, 0)
				p.onSlow()
			}
		}
	})
}

func (p *input) progress(done, total int64) {
	share := -1.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	p.Busy("Comparing", share, p.stop)
}

// stop cancels the comparison.
func (p *input) stop() {
	p.comparing.Stop()
	p.finish(context.Canceled)
}

func (p *input) finish(err error) {
	p.running, p.failed = false, err != nil && err != context.Canceled
	p.Busy("", 0, nil)
	p.onFailed(err)
}

// swap exchanges old and new.
func (p *input) swap() {
	p.sides[0], p.sides[1] = p.sides[1], p.sides[0]
	p.sides[0].Neighbor, p.sides[1].Neighbor = nil, p.sides[0].Neighbor
	p.docs[0], p.docs[1] = p.docs[1], p.docs[0]
	pairs := make([]compare.Match, len(p.options.Pairs)) // the running comparison reads the other slice
	for i, m := range p.options.Pairs {
		pairs[i] = compare.Match{Old: m.New, New: m.Old}
	}
	p.options.Pairs = pairs
	p.run(false)
}

// changeRules changes the rules and compares again.
func (p *input) changeRules(rule func(o *compare.Options)) {
	rule(&p.options)
	p.run(false)
}

// check checks in the background whether the compared files on disk have changed.
func (p *input) check(changed func(err error)) {
	docs := p.docs
	p.checking.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(docs[:])
		return func() {
			if err != nil && docs == p.docs {
				changed(err)
			}
		}
	})
}

// close stops all work and closes the files.
func (p *input) close() {
	docs := p.docs
	p.Group.CloseThen(func() { model.CloseDocuments(docs[:]...) })
}

type reportForm struct {
	name, extension string
	write           func(ctx context.Context, c *compare.Comparison, w io.Writer) error
}

var reportForms = []reportForm{
	{"Text", ".txt", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Text(ctx, c, w, report.Options{All: true})
	}},
	{"Markdown", ".md", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Markdown(ctx, c, w, report.Options{All: true})
	}},
	{"JSON", ".json", report.JSON},
	{"HTML", ".html", report.HTML},
}

// maxCopiedReport is the maximum size of a report on the clipboard, in bytes.
const maxCopiedReport = 16 << 20

// limitedBuffer is a buffer of at most maxCopiedReport bytes.
type limitedBuffer struct{ bytes.Buffer }

// Write implements io.Writer. It fails if the buffer would exceed its maximum.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxCopiedReport {
		return 0, fmt.Errorf("the report is larger than %d MiB; save it to a file instead", maxCopiedReport>>20)
	}
	return b.Buffer.Write(p)
}

// ReportForms are the names of the forms of a report.
func ReportForms() []string {
	var names []string
	for _, f := range reportForms {
		names = append(names, f.name)
	}
	return names
}

// CopyReport puts the report on the clipboard, in one of ReportForms.
func (c *Comparison) CopyReport(i int) {
	if c.result == nil {
		return
	}
	found, f := c.result, reportForms[i]
	writing := c.Group.Lane()
	c.Busy(compared.WritingReport, -1, func() {
		writing.Stop()
		c.Busy("", 0, nil)
	})
	writing.Go(func(ctx context.Context) func() {
		var out limitedBuffer
		err := f.write(ctx, found, &out)
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.notifyError(err)
				return
			}
			c.Copy(out.String())
			c.ShowHint("Copied the report as " + f.name + ".")
		}
	})
}

// SaveReport asks for a file and writes the report to it, in one of ReportForms.
func (c *Comparison) SaveReport(i int) {
	if c.result == nil {
		return
	}
	found, f := c.result, reportForms[i]
	c.SaveWithStop("comparison"+f.extension, func(ctx context.Context, w io.Writer) error {
		return f.write(ctx, found, w)
	})
}

// showReportMenu shows a menu with the forms of the report below a button.
func (c *Comparison) showReportMenu(anchor fyne.CanvasObject) {
	var items []*fyne.MenuItem
	for i, f := range reportForms {
		items = append(items, fyne.NewMenuItem("Copy as "+f.name, func() { c.CopyReport(i) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for i, f := range reportForms {
		items = append(items, fyne.NewMenuItem("Save as "+f.name+"…", func() { c.SaveReport(i) }))
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(anchor)
	c.Menu(fyne.NewMenu("", items...), pos.AddXY(0, anchor.Size().Height))
}
