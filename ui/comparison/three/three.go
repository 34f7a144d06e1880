// Package three displays the changes of two versions of a file that were both made from a third one, and writes the
// merged file.
package three

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare/merge"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Versions lists the changes of two versions of a file and their conflicts. It is a tab of the window and does not
// change the compared files.
type Versions struct {
	compared.Deps
	target             Target
	sides              [3]compared.Side // base, mine, theirs
	merging            *merge.Merging   // nil: not compared yet
	changes            []merge.Row
	listed             []int    // indexes of the listed changes
	counts             [5]int64 // number of changes in each state
	listsConflictsOnly bool     // only conflicts are listed
	wrapper            compared.Wrapper
	undos              []undo
	savedAt            int // len(undos) at which nothing is unsaved; -1: none is
	rows               *rows.Rows
	summary            *widget.Label
	conflictsOnly      *control.Check
	decisions          *decisions
	pictures           *pictures
	merged             *mergedEditor
	lower              *fyne.Container // below the list: the pictures, for a hunk with the merged text
	withText           fyne.CanvasObject
	notices            *host.Bar
	content            fyne.CanvasObject

	compareLane, checkLane *work.Lane
}

// New returns a list of the changes of two versions, and starts to compare them.
func New(deps compared.Deps, sides [3]compared.Side, target Target) *Versions {
	v := &Versions{Deps: deps, sides: sides, target: target, notices: host.NewBar()}
	v.compareLane, v.checkLane = deps.Group.Lane(), deps.Group.Lane()
	v.rows = rows.New(v, deps.Style, (*mergeRows)(v),
		rows.Options{Header: true, MinSize: fyne.NewSize(200, 80)})
	names := compared.Names(sides[:])
	versionColumn := func(title string) rows.Column { return rows.Column{Title: title, Share: 1, Min: 80} }
	v.rows.SetColumns(rows.Column{Title: "State", Width: 130}, rows.Column{Title: "Where", Share: .6, Min: 80},
		versionColumn("Base: "+names[0]),
		versionColumn("Mine: "+names[1]), versionColumn("Theirs: "+names[2]), rows.Column{Title: "Take", Width: 64})
	v.rows.Events = rows.Events{OnActivate: func(int64) { v.open() }, OnCurrent: func(int64) { v.showCurrent() }}
	v.summary = widget.NewLabel("Comparing…")
	v.summary.Truncation = fyne.TextTruncateEllipsis
	v.conflictsOnly = control.NewCheck(v.Key, "Conflicts only", func(on bool) {
		v.listsConflictsOnly = on
		v.listChanges()
	})
	v.decisions, v.pictures = newDecisions(v), newPictures(v)
	v.merged = newMergedEditor(v)
	head := paint.NewHeader(container.NewBorder(nil, nil, nil, container.NewHBox(v.conflictsOnly, v.decisions.content),
		v.summary))
	withText := container.NewVSplit(v.pictures.content, v.merged.content)
	withText.Offset = .4
	v.withText, v.lower = withText, container.NewStack(v.pictures.content)
	split := container.NewVSplit(v.rows, v.lower)
	split.Offset = .4
	v.content = container.NewBorder(head, v.notices.Content(), nil, nil, split)
	v.Reload()
	return v
}

// Title returns the names of the three versions.
func (v *Versions) Title() string {
	names := compared.Names(v.sides[:])
	return model.OneLine(names[1], 60) + " : " + model.OneLine(names[2], 60) + " (from " +
		model.OneLine(names[0], 60) + ")"
}

// Hint returns the origins of the three versions.
func (v *Versions) Hint() string {
	return "base " + v.sides[0].Hint + ", mine " + v.sides[1].Hint + ", theirs " + v.sides[2].Hint
}

// Content returns the content of the tab.
func (v *Versions) Content() fyne.CanvasObject { return v.content }

// Focus moves the keyboard focus to the list.
func (v *Versions) Focus() { v.rows.Focus() }

// Close stops all work and closes the files.
func (v *Versions) Close() {
	m := v.merging
	v.Group.CloseThen(func() { closeAll(m) })
}

func closeAll(m *merge.Merging) {
	if m != nil {
		model.CloseDocuments(m.Documents[:]...)
	}
}

// Status returns the segments of the status line.
func (v *Versions) Status() (path, facts []tabs.Segment) {
	path = []tabs.Segment{{Text: model.OneLine(v.Hint(), 300), Tone: paint.Dim}}
	if v.merging == nil {
		return path, nil
	}
	if c := v.current(); c != nil {
		path = []tabs.Segment{{Text: model.OneLine(c.Where, 300)}}
	}
	return path, []tabs.Segment{{Text: "Next conflict: " + v.Keys().Text("compare.next"), Tone: paint.Dim}}
}

// current returns the change of the current row, or nil.
func (v *Versions) current() *merge.Row {
	if i := v.rows.Current(); i >= 0 && i < int64(len(v.listed)) {
		return &v.changes[v.listed[i]]
	}
	return nil
}

// nodes returns the nodes of the current change in each version.
func (v *Versions) nodes() [3]*model.Node {
	if c := v.current(); c != nil {
		return c.Nodes
	}
	return [3]*model.Node{}
}

// showCurrent previews the current change.
func (v *Versions) showCurrent() {
	v.pictures.show(v.merging, v.current(), v.nodes())
	v.lower.Objects = []fyne.CanvasObject{v.pictures.content}
	if v.merged.show(v.current()) {
		v.lower.Objects = []fyne.CanvasObject{v.withText}
	}
	v.lower.Refresh()
	v.decisions.enable()
	v.Changed()
}

// open compares mine with theirs, at the current change.
func (v *Versions) open() {
	mine, theirs := v.sides[model.Mine], v.sides[model.Theirs]
	nodes := v.nodes()
	for _, n := range nodes[1:] {
		if n != nil {
			theirs.StartPath = n.PathText()
		}
	}
	v.Compare(mine, theirs)
}

// summaryText returns the number of changes by version, and of unresolved conflicts, as text.
func (v *Versions) summaryText() string {
	conflicts := host.Count(v.counts[merge.Conflict], "conflict")
	if n := v.merging.Undecided(); n > 0 && v.merging.WholeReason == "" {
		conflicts += fmt.Sprintf(" (%s unresolved)", host.Number(n))
	}
	return fmt.Sprintf("%s; changed in mine only: %s, in theirs only: %s, in both: %s", conflicts,
		host.Number(v.counts[merge.OnlyMine]), host.Number(v.counts[merge.OnlyTheirs]),
		host.Number(v.counts[merge.BothSame]+v.counts[merge.BothDifferent]))
}

// Reload opens the files and compares them.
func (v *Versions) Reload() {
	v.notices.Remove("failed")
	v.notices.Remove("stale")
	v.Watch(v.sides[0].Path, v.sides[1].Path, v.sides[2].Path)
	sides, previous, open := v.sides, v.merging, v.OpenSource
	v.Busy("Comparing", -1, func() {
		v.compareLane.Stop()
		v.Busy("", 0, nil)
		v.summary.SetText("The comparison was canceled.")
	})
	v.compareLane.Open(func(ctx context.Context) (done, dropped func()) {
		m, all, complete, err := openThree(ctx, sides, open)
		if err != nil {
			closeAll(m)
			return func() {
				v.Busy("", 0, nil)
				v.summary.SetText("The files could not be compared.")
				v.notices.Show(host.Notice{ID: "failed", Level: host.Error, Text: host.Sentence(err)})
			}, nil
		}
		return func() {
			v.Busy("", 0, nil)
			v.setResult(m, all)
			closeAll(previous)
			if !complete {
				v.notices.Show(host.Notice{ID: "failed", Level: host.Warning,
					Text: fmt.Sprintf("Only the first %s changes are listed.", host.Number(merge.MaxChanges))})
			}
		}, func() { closeAll(m) }
	})
}

// openThree opens three versions and compares the first with each of the others. After an error, the opened documents
// are in m. complete is false if there are more than merge.MaxChanges changes.
func openThree(ctx context.Context, sides [3]compared.Side, open model.Opener) (m *merge.Merging,
	all []merge.Row, complete bool, err error) {
	opened := &merge.Merging{}
	for i, s := range sides {
		if opened.Documents[i], err = s.Open(ctx); err != nil {
			return opened, nil, false, err
		}
	}
	d := opened.Documents
	if m, err = merge.New(ctx, d[0], d[1], d[2]); err != nil {
		return opened, nil, false, err
	}
	complete, err = m.Rows(ctx, open, func(r merge.Row) { all = append(all, r) })
	return m, all, complete, err
}

// FilesChanged is called when a file changed on disk. If nothing was compared yet, it compares again.
func (v *Versions) FilesChanged() {
	m := v.merging
	if m == nil {
		v.Reload()
		return
	}
	v.checkLane.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(m.Documents[:])
		return func() {
			if err != nil && m == v.merging {
				v.notices.Show(compared.StaleNotice(err, v.Reload))
			}
		}
	})
}

func (v *Versions) setResult(m *merge.Merging, all []merge.Row) {
	v.merging, v.changes, v.counts = m, all, [5]int64{}
	v.undos, v.savedAt = nil, 0
	for _, c := range all {
		v.counts[c.State]++
	}
	v.summary.SetText(host.SentenceOf(v.summaryText()))
	if m.WholeReason != "" {
		v.notices.Show(host.Notice{ID: "whole", Text: host.SentenceOf(m.WholeReason)})
	}
	v.listChanges()
	v.showCurrent()
	if c := v.current(); c != nil && c.State != merge.Conflict {
		v.NextChange()
	}
}

// listChanges lists all changes, or only the conflicts.
func (v *Versions) listChanges() {
	v.listed = v.listed[:0]
	for i, c := range v.changes {
		if !v.listsConflictsOnly || c.State == merge.Conflict {
			v.listed = append(v.listed, i)
		}
	}
	v.rows.SetSource((*mergeRows)(v))
	v.rows.SetCurrent(0)
}

// NextChange moves to the next conflict.
func (v *Versions) NextChange() { v.step(1) }

// PreviousChange moves to the previous conflict.
func (v *Versions) PreviousChange() { v.step(-1) }

// step moves to the next conflict. After the last one it reports the end, and the next step wraps around.
func (v *Versions) step(delta int) {
	isConflict := func(row int) bool { return v.changes[v.listed[row]].State == merge.Conflict }
	v.wrapper.Step(v, "conflict", delta, func(wrap bool) bool {
		from := int(v.rows.Current()) + delta
		if wrap && delta > 0 {
			from = 0
		} else if wrap {
			from = len(v.listed) - 1
		}
		for row := from; row >= 0 && row < len(v.listed); row += delta {
			if isConflict(row) {
				v.goTo(row)
				return true
			}
		}
		return false
	})
}

// goTo makes a row of the list current.
func (v *Versions) goTo(row int) {
	v.rows.GoTo(int64(row))
	v.showCurrent()
}

// mergeRows adapts Versions to rows.Cells.
type mergeRows Versions

func (m *mergeRows) Len() int64 { return int64(len(m.listed)) }

var mergeTones = [...]paint.Tone{merge.OnlyMine: paint.Normal, merge.OnlyTheirs: paint.Normal,
	merge.BothSame: paint.Dim, merge.BothDifferent: paint.Normal, merge.Conflict: paint.Removed}

// Cell implements rows.Cells.
func (m *mergeRows) Cell(row int64, column int) rows.Cell {
	c := &m.changes[m.listed[row]]
	tone, state := mergeTones[c.State], c.State.String()
	isConflict := c.State == merge.Conflict
	if isConflict && m.merging.Pieces[c.Piece].Resolution != merge.Undecided {
		tone, state, isConflict = paint.Normal, "conflict, resolved", false
	}
	switch column {
	case 0:
		return rows.Cell{Text: state, Tone: tone, Bold: isConflict}
	case 1:
		return rows.Cell{Text: model.OneLine(c.Where, 400), Tone: tone, CutMiddle: true}
	case 5:
		p := &m.merging.Pieces[c.Piece]
		if p.Resolution == merge.Undecided {
			return rows.Cell{Text: "?", Tone: paint.Removed, Bold: true}
		}
		return rows.Cell{Text: p.Resolution.String()}
	}
	cell := rows.Cell{Text: c.Texts[column-2]}
	switch {
	case cell.Text == "" || cell.Text == merge.Unchanged:
		cell.Text, cell.Tone = cmp.Or(cell.Text, "nothing"), paint.Dim
	case m.merging.WholeReason == "":
		cell.Text, cell.Pieces, cell.HighlightTone = "", markDifferences(c.Texts)[column-2], paint.Changed
	}
	return cell
}

// A common prefix of more than longPrefix bytes is shortened to its last keptPrefix bytes.
const (
	longPrefix = 20
	keptPrefix = 7
)

// markDifferences marks the differences of mine and theirs from the base, and in the base those from mine, or those
// from theirs if mine is the same or empty. Nothing is marked beside an empty text. A long common prefix is shortened,
// so that narrow columns show the differences.
func markDifferences(texts [3]string) (out [3][]paint.Piece) {
	common := -1
	for _, text := range texts {
		if text != "" && (common < 0 || len(text) < common) {
			common = len(text)
		}
	}
	for _, text := range texts {
		for _, second := range texts {
			for n := 0; text != "" && second != "" && n < common; n++ {
				if text[n] != second[n] {
					common = n
				}
			}
		}
	}
	for v, text := range texts {
		if cut := common - keptPrefix; common > longPrefix && common < len(text) {
			for !utf8.RuneStart(text[cut]) {
				cut++
			}
			texts[v] = "… " + text[cut:]
		}
	}
	base := texts[model.Base]
	out[model.Base] = paint.PlainPieces(base)
	for _, v := range []model.Version{model.Theirs, model.Mine} {
		if out[v] = paint.PlainPieces(texts[v]); base == "" || texts[v] == "" || texts[v] == base {
			continue
		}
		out[model.Base], out[v] = compared.MarkDifferences(base, texts[v], false)
	}
	return out
}

// pictures are the previews of the current change in all three versions, or its lines of text, in columns.
type pictures struct {
	previews [3]*preview.Preview
	lines    [3]*widget.Label // the lines of a hunk
	texts    [3]*container.Scroll
	content  *fyne.Container
}

func newPictures(t *Versions) *pictures {
	l := &pictures{content: container.NewGridWithColumns(3)}
	for v := range l.previews {
		p := preview.New(t, t.Style, t.Group, thumbnail.Options{Open: t.OpenSource})
		p.OnAsset = func(d *model.Document, n *model.Node) { t.Reveal(d, n) }
		l.previews[v] = p
		l.lines[v] = widget.NewLabel("")
		l.lines[v].TextStyle.Monospace, l.lines[v].Wrapping = true, fyne.TextWrapWord
		l.texts[v] = container.NewVScroll(l.lines[v])
		title := widget.NewLabelWithStyle([]string{"Base", "Mine", "Theirs"}[v], fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		l.content.Add(container.NewBorder(title, nil, nil, nil, container.NewStack(p.Content(), l.texts[v])))
	}
	return l
}

// show previews a change with its node in each version. Without a comparison or a change it does nothing.
func (l *pictures) show(m *merge.Merging, c *merge.Row, nodes [3]*model.Node) {
	if m == nil || c == nil {
		return
	}
	lines := c.Lines
	for v, p := range l.previews {
		d, n := m.Documents[v], nodes[v]
		if n == nil && c.Texts[v] == merge.Unchanged { // it looks as in the base
			d, n = m.Documents[model.Base], nodes[model.Base]
		}
		paint.SetVisible(p.Content(), lines == nil && n != nil)
		paint.SetVisible(l.texts[v], lines != nil || n == nil)
		switch {
		case lines != nil:
			l.lines[v].SetText(lines[v])
		case n == nil:
			l.lines[v].SetText("Not in this version.")
		default:
			p.Select(doc.Selection{Document: d, Node: n})
		}
	}
}
