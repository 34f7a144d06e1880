package doc

import (
	"context"
	"strings"
	"time"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
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
	if f.input.ShowError(err); err != nil || f.isEmpty() {
		f.lane.Stop()
		f.Busy("", 0, nil)
		f.annotated.setCaption("")
		if err == nil && f.tree.IsFiltered() { // after an error the last results stay
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
		isDisplayed := false
		show := func(found find.Filtered, all bool) {
			f.annotated.setCaption(matches(found, all))
			f.tree.NoMatches = all && found.Matches == 0
			if isDisplayed {
				f.tree.GrowFilter(&found)
			} else {
				f.tree.SetFilter(&found, query.Words()...)
			}
			isDisplayed = true
		}
		first := 0
		if d != nil {
			found, err := f.findAssets(ctx, d, assets, query)
			if err != nil {
				return nil
			}
			if first = found.Matches; first > 0 {
				f.group.Do(ctx, func() { show(found, false) })
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

// findAssets finds the assets whose names match, which takes less time than a search of all nodes.
func (f *filter) findAssets(ctx context.Context, d *model.Document, assets *archive.Shared,
	query *find.Query) (find.Filtered, error) {
	return find.Assets(ctx, d, assets, query, maxFiltered, func(n, _ int) {
		f.group.Do(ctx, func() { f.annotated.setCaption("Searching " + host.Number(n) + "…") })
	})
}

// matches returns the number of matching nodes for the caption. Without all, the filter still runs.
func matches(f find.Filtered, all bool) string {
	n := host.Number(f.Matches)
	switch {
	case !all:
		return n + "…"
	case f.Truncated:
		return n + "+"
	case f.Matches == 0:
		return "none"
	}
	return n
}
