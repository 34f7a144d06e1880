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
	filterMax   = 100_000
	filterDelay = 120 * time.Millisecond // after the last letter, until more than the names of assets is looked at
)

// filter is the field that leaves only some nodes in a tree, and how many those are.
type filter struct {
	Host
	group  *work.Group
	lane   *work.Lane
	tree   *tree.Tree
	typing *control.Filter
	field  *control.Field // of that
	said   *annotatedField
	size   int64                                     // of the file
	of     func() (*model.Document, *archive.Shared) // the document, and its assets

	naming *work.Lane
	named  *model.Document // whose fields can be completed
	known  *query.List     // these
}

func newFilter(h Host, group *work.Group, t *tree.Tree,
	of func() (*model.Document, *archive.Shared)) *filter {
	f := &filter{Host: h, group: group, lane: group.Lane(), tree: t, of: of, naming: group.Lane()}
	f.typing = control.New(h, "Filter by name, type, or value", f.columns, f.apply)
	f.typing.Leave(func(bool) { f.tree.Focus() })
	f.field = f.typing.Field
	f.said = newAnnotatedField(h, f.field)
	return f
}

func (f *filter) empty() bool { return strings.TrimSpace(f.field.Text) == "" }

// columns are what can be completed: the names of fields as soon as they were looked for.
func (f *filter) columns() *query.List {
	if d, _ := f.of(); d != nil && d != f.named {
		f.named, f.known = d, find.Columns()
		f.naming.Go(func(context.Context) func() {
			known := find.ColumnsOf(d)
			return func() { f.known = known }
		})
	}
	return f.known
}

// again filters a tree that has changed.
func (f *filter) again() {
	if !f.empty() {
		f.apply()
	}
}

// apply shows what matches the text.
func (f *filter) apply() {
	query, err := find.NewQuery(f.field.Text)
	if f.typing.Wrong(err); err != nil {
		f.lane.Stop()
		f.said.say("")
		return
	}
	if f.empty() {
		f.lane.Stop()
		f.Busy("", 0, nil)
		f.said.say("")
		if f.tree.Filtered() {
			f.tree.SetFilter(nil)
		}
		return
	}
	root, size := f.tree.Root(), f.size
	d, assets := f.of()
	if d == nil || d.Root() != root {
		d = nil // another order
	}
	f.lane.Go(func(ctx context.Context) func() {
		grown := false
		show := func(found find.Filtered, all bool) {
			f.said.say(matches(found, all))
			if grown {
				f.tree.GrowFilter(&found)
			} else {
				f.tree.SetFilter(&found, query.Words()...)
			}
			grown = true
		}
		first := 0
		if d != nil {
			named, err := find.Assets(ctx, d, assets, query, filterMax, func(n, _ int) {
				f.group.Show(ctx, func() { f.said.say("Searching " + host.Number(n) + "…") })
			})
			if err != nil {
				return nil
			}
			if first = named.Matches; first > 0 {
				f.group.Show(ctx, func() { show(named, false) })
			}
		}
		if !f.group.Pause(ctx, filterDelay) {
			return nil
		}
		progress := f.group.Progress(ctx, func(done, total int64) {
			f.Busy("Filtering", float64(done)/float64(max(1, total)), func() { f.field.SetText("") })
		})
		found, err := find.Filter(ctx, root, query.Match, filterMax, find.Told{Size: size, Progress: progress,
			Found: func(found find.Filtered) {
				if found.Matches >= first {
					f.group.Show(ctx, func() { show(found, false) })
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

// matches says how many nodes match: of all, or so far.
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
