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
	c       *Comparison
	summary *compared.Title
	found   string         // the changes of items; empty until collected
	counts  compare.Counts // of items, once collected; of rows, if there are no items
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

func newHead(c *Comparison) *header {
	h := &header{c: c}
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
	h.content = paint.NewHeader(container.NewVBox(first, second))
	return h
}

// show displays the result.
func (h *header) show() {
	c := h.c.c
	names := compared.Names(h.c.in.sides[:])
	parts := compared.FromTo(names[0], names[1])
	parts = append(parts, compared.Part{Text: "    " + cmp.Or(h.found, changes.Summary(c))})
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

// showChips displays the numbers of changed items, and the selected statuses of rows.
func (h *header) showChips() {
	h.chips.Set(h.counts, h.c.list.Items().Counts(h.c.c.Root()), h.c.list.States())
}

// showBelow labels the buttons for the current panel below the tree.
func (h *header) showBelow(what lowerPanel) {
	if h.pictures.Rename([...]string{bytesBelow: "Bytes", picturesBelow: "Previews", textBelow: "Text"}[h.c.next()]) {
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

// showTable offers the table if there is one.
func (h *header) showTable() { paint.Enable(h.table, h.c.tables.Has || h.c.shown == tableBelow) }

func (h *header) remarks() []string {
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

// noteLine lays out a field and a short text after it, which takes at most half of the width and then ends in dots.
type noteLine struct{ note *widget.Label }

func (l *noteLine) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

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

// input has both sides and the rules. It opens the sides and compares them in the background.
type input struct {
	compared.Deps
	sides   [2]compared.Side
	docs    [2]*model.Document
	options compare.Options
	running bool
	failed  bool // it could not be done, and was not cancelled

	comparing, checking *work.Lane

	onSlow   func() // comparing takes long
	onFound  func(found *compare.Comparison, first model.Path)
	onFailed func(err error)
}

func newInput(deps compared.Deps, old, new compared.Side) *input {
	in := &input{Deps: deps, sides: [2]compared.Side{old, new}, options: compared.Kept(), comparing: deps.Group.Lane(),
		checking: deps.Group.Lane()}
	if new.Rules != nil {
		in.options = *new.Rules
	}
	return in
}

// slow is the time after which the busy indicator appears.
const slow = 200 * time.Millisecond

// run opens the sides, all or only the closed ones, and compares them.
func (in *input) run(reopen bool) {
	docs, sides, options := in.docs, in.sides, in.options
	if reopen {
		docs = [2]*model.Document{}
	}
	before := in.docs
	in.running, in.failed = true, false
	in.Watch(sides[0].Path, sides[1].Path)
	in.wait()
	in.comparing.Open(func(ctx context.Context) (done, dropped func()) {
		opened, err := compared.Open(ctx, sides, docs)
		var found *compare.Comparison
		if err == nil {
			found, err = changes.Documents(ctx, opened[0], opened[1], options, in.Group.Progress(ctx, in.progress))
		}
		fresh := opened
		for i, d := range docs {
			if d != nil {
				fresh[i] = nil // it was open before
			}
		}
		if err != nil {
			model.CloseDocuments(fresh[:]...)
			return func() { in.ended(err) }, nil
		}
		first := firstChange(ctx, found)
		found.Root().Len() // identical files were not decoded
		return func() {
			in.running = false
			in.Busy("", 0, nil)
			in.docs = opened
			in.onFound(found, first)
			if reopen {
				in.Group.Go(func(context.Context) func() {
					model.CloseDocuments(before[:]...)
					return nil
				})
			}
		}, func() { model.CloseDocuments(fresh[:]...) }
	})
}

// firstChange returns the path of the only row that is not a mere parent of others; the root's if there are more,
// where all of them are listed.
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

// wait shows the busy indicator after a moment.
func (in *input) wait() {
	in.Group.Go(func(ctx context.Context) func() {
		if !in.Group.Pause(ctx, slow) {
			return nil
		}
		return func() {
			if in.running {
				in.progress(0, 0)
				in.onSlow()
			}
		}
	})
}

func (in *input) progress(done, total int64) {
	share := -1.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	in.Busy("Comparing", share, in.stop)
}

// stop ends the comparing.
func (in *input) stop() {
	in.comparing.Stop()
	in.ended(context.Canceled)
}

func (in *input) ended(err error) {
	in.running, in.failed = false, err != nil && err != context.Canceled
	in.Busy("", 0, nil)
	in.onFailed(err)
}

// swap exchanges old and new.
func (in *input) swap() {
	in.sides[0], in.sides[1] = in.sides[1], in.sides[0]
	in.sides[0].Neighbor, in.sides[1].Neighbor = nil, in.sides[0].Neighbor
	in.docs[0], in.docs[1] = in.docs[1], in.docs[0]
	pairs := make([]compare.Match, len(in.options.Pairs)) // the running comparison reads the other slice
	for i, m := range in.options.Pairs {
		pairs[i] = compare.Match{Old: m.New, New: m.Old}
	}
	in.options.Pairs = pairs
	in.run(false)
}

// change compares again by other rules.
func (in *input) change(rule func(o *compare.Options)) {
	rule(&in.options)
	in.run(false)
}

// check checks in the background whether the compared files on disk have changed.
func (in *input) check(changed func(err error)) {
	docs := in.docs
	in.checking.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(docs[:])
		return func() {
			if err != nil && docs == in.docs {
				changed(err)
			}
		}
	})
}

// close ends all work and closes the files.
func (in *input) close() {
	docs := in.docs
	in.Group.CloseThen(func() { model.CloseDocuments(docs[:]...) })
}

type form struct {
	name, extension string
	write           func(ctx context.Context, c *compare.Comparison, w io.Writer) error
}

var forms = []form{
	{"Text", ".txt", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Text(ctx, c, w, report.Options{All: true})
	}},
	{"Markdown", ".md", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Markdown(ctx, c, w, report.Options{All: true})
	}},
	{"JSON", ".json", report.JSON},
	{"HTML", ".html", report.HTML},
}

// copiedMost is how large a report may be to be put on the clipboard.
const copiedMost = 16 << 20

// clip is a report for the clipboard; writing more than the maximum fails.
type clip struct{ bytes.Buffer }

// Write fails once the report is longer than a clipboard should hold.
func (b *clip) Write(p []byte) (int, error) {
	if b.Len()+len(p) > copiedMost {
		return 0, fmt.Errorf("the report is larger than %d MiB; save it to a file instead", copiedMost>>20)
	}
	return b.Buffer.Write(p)
}

// ReportForms are the names of the forms of a report.
func ReportForms() []string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// CopyReport puts the report on the clipboard, in one of ReportForms.
func (c *Comparison) CopyReport(i int) {
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	writing := c.Group.Lane()
	c.Busy(compared.WritingReport, -1, func() {
		writing.Stop()
		c.Busy("", 0, nil)
	})
	writing.Go(func(ctx context.Context) func() {
		var out clip
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
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	c.SaveWithStop("comparison"+f.extension, func(ctx context.Context, w io.Writer) error {
		return f.write(ctx, found, w)
	})
}

// showReportMenu offers the forms of the report below a button.
func (c *Comparison) showReportMenu(below fyne.CanvasObject) {
	var items []*fyne.MenuItem
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Copy as "+f.name, func() { c.CopyReport(i) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Save as "+f.name+"…", func() { c.SaveReport(i) }))
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(below)
	c.Menu(fyne.NewMenu("", items...), pos.AddXY(0, below.Size().Height))
}
