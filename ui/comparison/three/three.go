// Package three lists what two versions of a file changed of the one that both were made from.
package three

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/merge"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// Versions lists what two versions of a file changed of the one that both were made from, and where they contradict
// each other. It is a tab of the window; it changes no file.
type Versions struct {
	compared.Deps
	sides     [3]compared.Side // base, mine, theirs
	docs      [3]*model.Document
	merges    []merge.Change
	shown     []int
	counts    [5]int64 // by state
	conflicts bool     // only those are shown
	done      bool
	rows      *rows.Rows
	summary   *widget.Label
	only      *control.Check
	notices   *notice.Bar
	content   fyne.CanvasObject

	running, checking *work.Lane
}

// New makes a list of what two versions changed, and begins to compare them.
func New(deps compared.Deps, base, mine, theirs compared.Side) *Versions {
	t := &Versions{Deps: deps, sides: [3]compared.Side{base, mine, theirs}, notices: notice.NewBar()}
	t.running, t.checking = deps.Group.Lane(), deps.Group.Lane()
	t.rows = rows.New(t, deps.Style, (*mergeRows)(t),
		rows.Options{Header: true, MinSize: fyne.NewSize(200, 80), Grow: 300})
	t.rows.SetColumns(rows.Column{Title: "State", Width: 90}, rows.Column{Title: "Where", Width: 220, Min: 80},
		rows.Column{Title: "Mine: " + mine.Title, Width: 480, Min: 80},
		rows.Column{Title: "Theirs: " + theirs.Title, Width: 480, Min: 80})
	t.rows.Events = rows.Events{OnActivate: func(int64) { t.Compare(t.sides[1], t.sides[2]) },
		OnCurrent: func(int64) { t.Changed() }}
	t.summary = widget.NewLabel("Comparing…")
	t.summary.Truncation = fyne.TextTruncateEllipsis
	t.only = control.NewCheck(t.Key, "Conflicts only", func(on bool) {
		t.conflicts = on
		t.list()
	})
	low := func(text string, do func()) *widget.Button {
		b := widget.NewButton(text, do)
		b.Importance = widget.LowImportance
		return b
	}
	again := widget.NewButtonWithIcon("Compare again", theme.ViewRefreshIcon(), t.Again)
	again.Importance = widget.LowImportance
	open := container.NewHBox(t.only, low("Base and mine", func() { t.Compare(t.sides[0], t.sides[1]) }),
		low("Base and theirs", func() { t.Compare(t.sides[0], t.sides[2]) }),
		low("Mine and theirs", func() { t.Compare(t.sides[1], t.sides[2]) }), again)
	head := look.Head(container.NewBorder(nil, nil, nil, open, t.summary))
	t.content = container.NewBorder(container.NewVBox(head, t.notices.Content()), nil, nil, nil, t.rows)
	t.Again()
	return t
}

// Title names the three versions.
func (t *Versions) Title() string {
	return model.OneLine(t.sides[1].Title, 60) + " : " + model.OneLine(t.sides[2].Title, 60) + " (from " +
		model.OneLine(t.sides[0].Title, 60) + ")"
}

// Hint tells where the three versions come from.
func (t *Versions) Hint() string {
	return "base " + t.sides[0].Hint + ", mine " + t.sides[1].Hint + ", theirs " + t.sides[2].Hint
}

// Content is what goes into the window.
func (t *Versions) Content() fyne.CanvasObject { return t.content }

// Focus returns the list the keyboard.
func (t *Versions) Focus() { t.rows.Focus() }

// Close ends all work and closes the files.
func (t *Versions) Close() {
	docs := t.docs
	t.Group.CloseThen(func() { closeAll(docs) })
}

func closeAll(docs [3]*model.Document) {
	for _, d := range docs {
		if d != nil {
			d.Source.Close()
		}
	}
}

// Status is what the status line says while the list is in view.
func (t *Versions) Status() (way, facts []status.Segment) {
	way = []status.Segment{{Text: model.OneLine(t.Hint(), 300), Tone: paint.Dim}}
	if i := t.rows.Current(); t.done && i >= 0 && i < int64(len(t.shown)) {
		way = []status.Segment{{Text: model.OneLine(t.merges[t.shown[i]].Path, 300)}}
	}
	if t.done {
		facts = []status.Segment{{Text: t.Keys().Text("compare.next") + " goes to the next conflict", Tone: paint.Dim}, {Text: t.found()}}
	}
	return way, facts
}

// found is how much was changed by whom.
func (t *Versions) found() string {
	return fmt.Sprintf("%s; %s changed by mine only, %s by theirs only, %s by both",
		wording.Count(t.counts[merge.Conflict], "conflict"),
		wording.Number(t.counts[merge.OnlyMine]), wording.Number(t.counts[merge.OnlyTheirs]),
		wording.Number(t.counts[merge.BothAlike]+t.counts[merge.BothApart]))
}

// Again opens the files and compares them.
func (t *Versions) Again() {
	t.notices.Remove("failed")
	t.notices.Remove("stale")
	t.Watch(t.sides[0].Path, t.sides[1].Path, t.sides[2].Path)
	sides, before := t.sides, t.docs
	t.Busy("Comparing", -1, func() {
		t.running.Stop()
		t.Busy("", 0, nil)
		t.summary.SetText("The comparison was cancelled.")
	})
	t.running.Open(func(ctx context.Context) (done, dropped func()) {
		docs, merges, whole, err := threeWays(ctx, sides)
		if err != nil {
			closeAll(docs)
			return func() {
				t.Busy("", 0, nil)
				t.summary.SetText("There is no comparison.")
				t.notices.Show(notice.Notice{ID: "failed", Level: notice.Error, Text: wording.Sentence(err)})
			}, nil
		}
		return func() {
			t.Busy("", 0, nil)
			closeAll(before)
			t.docs = docs
			t.set(merges)
			if !whole {
				t.notices.Show(notice.Notice{ID: "failed", Level: notice.Warning,
					Text: fmt.Sprintf("Only the first %s changes are listed.", wording.Number(merge.Most))})
			}
		}, func() { closeAll(docs) }
	})
}

// threeWays opens three versions and compares the first with each of the others.
func threeWays(ctx context.Context, sides [3]compared.Side) (docs [3]*model.Document, merges []merge.Change, whole bool,
	err error) {
	for i, s := range sides {
		if docs[i], err = s.Open(ctx); err != nil {
			return docs, nil, false, err
		}
	}
	var both [2]*compare.Comparison
	for i := range both {
		if both[i], err = compare.Documents(ctx, docs[0], docs[i+1], compare.Options{}, nil); err != nil {
			return docs, nil, false, err
		}
	}
	merges, whole, err = merge.Things(ctx, both[0], both[1])
	return docs, merges, whole, err
}

// FilesChanged is called when one of the files changed on disk. What could not be compared before is compared again.
func (t *Versions) FilesChanged() {
	if !t.done {
		t.Again()
		return
	}
	docs := t.docs
	t.checking.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(docs[:])
		return func() {
			if err != nil && docs == t.docs {
				t.notices.Show(compared.StaleNotice(err, t.Again))
			}
		}
	})
}

func (t *Versions) set(merges []merge.Change) {
	t.merges, t.done, t.counts = merges, true, [5]int64{}
	for _, m := range merges {
		t.counts[m.State]++
	}
	t.summary.SetText(wording.SentenceOf(t.found()))
	t.list()
	t.Changed()
}

// list shows the changes that are wanted.
func (t *Versions) list() {
	t.shown = t.shown[:0]
	for i, m := range t.merges {
		if !t.conflicts || m.State == merge.Conflict {
			t.shown = append(t.shown, i)
		}
	}
	t.rows.SetSource((*mergeRows)(t))
	t.rows.SetCurrent(0)
}

// NextChange goes to the next conflict.
func (t *Versions) NextChange() { t.step(1) }

// PreviousChange goes to the conflict before.
func (t *Versions) PreviousChange() { t.step(-1) }

// step goes to the next conflict.
func (t *Versions) step(by int) {
	for row := int(t.rows.Current()) + by; row >= 0 && row < len(t.shown); row += by {
		if t.merges[t.shown[row]].State == merge.Conflict {
			t.rows.SetCurrent(int64(row))
			t.rows.ScrollTo(int64(row))
			t.Changed()
			return
		}
	}
}

// mergeRows is the list as the rows see it.
type mergeRows Versions

// Len is the number of rows.
func (t *mergeRows) Len() int64 { return int64(len(t.shown)) }

var mergeTones = [...]paint.Tone{merge.OnlyMine: paint.Normal, merge.OnlyTheirs: paint.Normal,
	merge.BothAlike: paint.Dim,
	merge.BothApart: paint.Normal, merge.Conflict: paint.Removed}

// Cell is what stands in a column of a row.
func (t *mergeRows) Cell(row int64, column int) rows.Cell {
	m := t.merges[t.shown[row]]
	tone := mergeTones[m.State]
	switch column {
	case 0:
		return rows.Cell{Text: m.State.String(), Tone: tone, Bold: m.State == merge.Conflict}
	case 1:
		where := m.Path
		if m.Key != "" {
			where = strings.TrimSpace(m.Type + " " + m.Key)
		}
		return rows.Cell{Text: model.OneLine(where, 400), Tone: tone, Ends: true}
	case 2:
		return mergeCell(m.Mine)
	}
	return mergeCell(m.Theirs)
}

// mergeCell is what one version did.
func mergeCell(l *changes.Line) rows.Cell {
	if l == nil {
		return rows.Cell{Text: "unchanged", Tone: paint.Dim}
	}
	return rows.Cell{Text: l.Sign + " " + l.Change}
}
