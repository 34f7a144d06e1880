package doc

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tree"
	"assay/ui/work"
)

const (
	maxFiltered = 100_000
	filterDelay = 120 * time.Millisecond // after typing, before a search beyond asset names
)

// filter is the field that filters the tree, with the number of matches.
type filter struct {
	Host
	group     *work.Group
	lane      *work.Lane
	tree      *tree.Tree
	input     *control.Filter
	field     *control.Field // input field
	annotated *annotatedField
	size      int64                                     // size of the file
	document  func() (*model.Document, *archive.Shared) // returns the document and its assets

	completing        *work.Lane
	completedDocument *model.Document // document with the field names to complete
	completions       *query.List     // fields for completion
}

func newFilter(h Host, group *work.Group, t *tree.Tree,
	document func() (*model.Document, *archive.Shared)) *filter {
	f := &filter{Host: h, group: group, lane: group.Lane(), tree: t, document: document, completing: group.Lane()}
	f.input = control.NewFilter(h, "Filter by name, type, or value", f.columns, f.apply)
	f.input.OnLeave(func(into bool) {
		if into {
			f.tree.GoToMatch()
		}
		f.tree.Focus()
	})
	f.tree.OnEscape = func() bool {
		filtered := f.tree.IsFiltered()
		if filtered {
			f.field.SetText("")
		}
		return filtered
	}
	f.field = f.input.Field
	f.annotated = newAnnotatedField(h, f.field)
	return f
}

func (f *filter) isEmpty() bool { return strings.TrimSpace(f.field.Text) == "" }

// columns returns the columns for completion. It loads the field names in the background.
func (f *filter) columns() *query.List {
	if d, _ := f.document(); d != nil && d != f.completedDocument {
		f.completedDocument, f.completions = d, find.Columns()
		f.completing.Go(func(context.Context) func() {
			known := find.ColumnsOf(d)
			return func() { f.completions = known }
		})
	}
	return f.completions
}

// reapply filters a changed tree.
func (f *filter) reapply() {
	if !f.isEmpty() {
		f.apply()
	}
}

// apply filters the tree by the text.
func (f *filter) apply() {
	query, err := find.NewQuery(f.field.Text)
	if f.input.ShowError(err); err != nil {
		f.lane.Stop() // the last results stay
		f.Busy("", 0, nil)
		f.annotated.setCaption("")
		return
	}
	if f.isEmpty() {
		f.lane.Stop()
		f.Busy("", 0, nil)
		f.annotated.setCaption("")
		if f.tree.IsFiltered() {
			f.tree.SetFilter(nil)
		}
		return
	}
	root, size := f.tree.Root(), f.size
	d, assets := f.document()
	if d == nil || d.Root() != root {
		d = nil // the tree has another grouping
	}
	f.lane.Go(func(ctx context.Context) func() {
		grown := false
		show := func(found find.Filtered, all bool) {
			f.annotated.setCaption(matches(found, all))
			f.tree.NoMatches = all && found.Matches == 0
			if grown {
				f.tree.GrowFilter(&found)
			} else {
				f.tree.SetFilter(&found, query.Words()...)
			}
			grown = true
		}
		first := 0
		if d != nil {
			named, err := find.Assets(ctx, d, assets, query, maxFiltered, func(n, _ int) {
				f.group.Do(ctx, func() { f.annotated.setCaption("Searching " + host.Number(n) + "…") })
			})
			if err != nil {
				return nil
			}
			if first = named.Matches; first > 0 {
				f.group.Do(ctx, func() { show(named, false) })
			}
		}
		if !f.group.Pause(ctx, filterDelay) {
			return nil
		}
		progress := f.group.Progress(ctx, func(done, total int64) {
			f.Busy("Filtering", float64(done)/float64(max(1, total)), func() { f.field.SetText("") })
		})
		if d != nil {
			defer d.ReadUntil(ctx)()
		}
		found, err := find.Filter(ctx, root, query.Match, maxFiltered, find.FilterProgress{Size: size,
			Progress: progress, Found: func(found find.Filtered) {
				if found.Matches >= first {
					f.group.Do(ctx, func() { show(found, false) })
				}
			}})
		if err != nil {
			return nil
		}
		return func() {
			f.Busy("", 0, nil)
			show(found, true)
		}
	})
}

// matches returns the number of matching nodes for the caption. Without all, the filter still runs.
func matches(f find.Filtered, all bool) string {
	n := host.Number(f.Matches)
	switch {
	case !all:
		return n + "…"
	case f.More:
		return n + "+"
	case f.Matches == 0:
		return "none"
	}
	return n
}

// goToBar is the bar above the hex view for going to an offset.
type goToBar struct {
	pane      *Pane
	field     *control.Field
	annotated *annotatedField
	bar       fyne.CanvasObject
}

func newGoToBar(p *Pane) *goToBar {
	g := &goToBar{pane: p, field: control.NewField(p, "Offset: 0x1a4, 420, +16, -0x10, end-16, 50%")}
	g.annotated = newAnnotatedField(p, g.field)
	g.field.OnChanged = func(string) { g.preview() }
	g.field.OnKey = g.key
	closeButton := control.NewIcon(p, theme.CancelIcon(), "Close (Esc)", p.closeTools)
	g.bar = newBar(&fieldRow{lead: widget.NewLabel("Go to"), main: g.annotated.box, end: closeButton})
	return g
}

func (g *goToBar) offset() (int64, error) {
	return find.Offset(g.field.Text, g.pane.bytes.hex.Caret(), g.pane.doc.Source.Size())
}

// goToNotice is the ID of the notice about a wrong offset.
const goToNotice = "go to offset"

// preview displays the offset that the text means.
func (g *goToBar) preview() {
	g.pane.Notify(host.Notice{ID: goToNotice})
	text := ""
	if strings.TrimSpace(g.field.Text) != "" {
		if offset, err := g.offset(); err == nil {
			text = fmt.Sprintf("%#x", offset)
		}
	}
	g.annotated.setCaption(text)
}

func (g *goToBar) key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		g.pane.Notify(host.Notice{ID: goToNotice})
		g.pane.closeTools()
	case fyne.KeyReturn, fyne.KeyEnter:
		offset, err := g.offset()
		if err != nil {
			g.pane.Notify(host.Notice{ID: goToNotice, Level: host.Error, Text: host.Sentence(err)})
			return true
		}
		g.pane.closeTools()
		g.pane.GoTo(offset)
	default:
		return false
	}
	return true
}

type problems struct {
	list
	rows         *rows.List[model.Problem]
	doc          *model.Document
	report       *model.Report                // nil during the check
	titles       *work.Lookup[string, string] // titles of the paths of problems
	message      *widget.Label                // replaces an empty list
	chooseFolder *control.Button              // chooses the folder of files that may be missing
}

// maxMessageWidth is the maximum width of the column of messages, in device-independent pixels. Messages are not cut to
// the visible width.
const maxMessageWidth = 2400

// listOptions are the options of the lists in the drawer.
var listOptions = rows.Options{Header: true, MinSize: fyne.NewSize(100, 60), Grow: 560}

func newProblems(h host.Host, style *paint.Style, group *work.Group, show func(problem model.Problem)) *problems {
	p := &problems{message: widget.NewLabel("")}
	p.message.Importance = widget.LowImportance
	p.message.Wrapping = fyne.TextWrapWord
	p.message.Alignment = fyne.TextAlignCenter
	options := listOptions
	options.Grow = maxMessageWidth
	p.rows = rows.NewList(h, style, options, p.columns()...)
	table := p.rows.Table
	table.OnCurrent = func(row int) { show(p.rows.Items[row]) }
	table.OnActivate = table.OnCurrent
	p.titles = work.NewLookup[string, string](group, table.Refresh)
	table.OnMenu = func(row int, pos fyne.Position) {
		h.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Problem", func() { h.Copy(p.rows.Items[row].Message) })), pos)
	}
	p.chooseFolder = control.NewButton(h.Key, "Choose Resource Folder…", theme.FolderOpenIcon(), nil)
	p.chooseFolder.Hide()
	content := container.NewBorder(nil, nil, nil, container.NewVBox(p.chooseFolder),
		container.NewStack(table, container.NewVBox(layout.NewSpacer(), p.message, layout.NewSpacer())))
	p.list = list{"Problems", table, content, p.count}
	return p
}

func (p *problems) count() string {
	if p.report == nil {
		return ""
	}
	return host.Number(len(p.report.Problems) + p.report.Omitted)
}

func (p *problems) set(d *model.Document, r *model.Report) {
	p.doc, p.report = d, r
	p.titles.Forget()
	p.rows.Set(nil)
	switch {
	case r == nil:
		p.message.SetText("Checking the file…")
		return
	case len(r.Problems) == 0:
		p.message.SetText(verdict(r, d.Source.Size()))
	default:
		p.message.SetText("")
	}
	p.rows.Set(r.Problems)
}

func (p *problems) columns() []rows.ListColumn[model.Problem] {
	return []rows.ListColumn[model.Problem]{
		{Title: "Severity", Width: 76,
			Value: func(problem model.Problem) any { return int(model.Error - problem.Severity) },
			Cell: func(problem model.Problem) rows.Cell {
				text := problem.Severity.String()
				if problem.Severity == model.Note {
					text = "minor" // notes are the user's
				}
				return rows.Cell{Text: text, Tone: paint.SeverityTone(problem.Severity)}
			}},
		{Title: "Offset", Width: 90, Align: paint.Trailing,
			Value: func(problem model.Problem) any { return problem.Span.Offset },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: fmt.Sprintf("%#x", problem.Span.Offset), Mono: true, Tone: paint.Dim}
			}},
		{Title: "Problem", Width: 420, Value: func(problem model.Problem) any { return problem.Message },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: model.OneLine(problem.Message, 600)}
			}},
		{Title: "Where", Width: 200, Value: func(problem model.Problem) any { return problem.Path },
			Cell: func(problem model.Problem) rows.Cell {
				text := model.OneLine(cmp.Or(p.titleOf(problem.Path), problem.Path), 400)
				return rows.Cell{Text: text, Tone: paint.Dim, CutMiddle: true}
			}},
	}
}

// titleOf returns the title of the path of a problem, or "" until it is known.
func (p *problems) titleOf(path string) string {
	d := p.doc
	return p.titles.Of(path, func() string {
		if n, err := d.Find(path); err == nil {
			return cmp.Or(n.TitlePath(), "the whole file")
		}
		return ""
	})
}
