package doc

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/tree"
	"assay/ui/work"
)

// structure is the tree of a document, in the order of the file or grouped.
type structure struct {
	Host
	group *work.Group
	lane  *work.Lane // runs the latest grouping or switch

	tree    *tree.Tree
	filter  *filter
	choices *fyne.Container // groups and switches
	head    *fyne.Container // above the tree: the filter and the choices
	content *fyne.Container // the head and the tree

	doc          *model.Document
	assets       *archive.Shared // assets of the document
	grouping     int             // 0: as in the file, else the index of the group + 1
	selectedPath model.Path      // path of the selected node
	inPanel      Nodes           // nodes selected in another panel; nil if selected in the tree

	onSelect func(n *model.Node)
	onReopen func(d *model.Document)
}

// minFilterWidth is the minimum width of the filter beside the choices, in device-independent pixels.
const minFilterWidth = 170

func newStructure(h Host, style *paint.Style, group *work.Group) *structure {
	s := &structure{Host: h, group: group, lane: group.Lane()}
	s.tree = tree.New(h, style, group)
	s.tree.OnSelect = func(n *model.Node) {
		if n = s.resolve(n); n != nil {
			s.onSelect(n)
		}
	}
	s.filter = newFilter(h, group, s.tree, func() (*model.Document, *archive.Shared) { return s.doc, s.assets })
	s.choices = container.NewHBox()
	s.head = newFieldRow(&fieldRow{main: s.filter.annotated.box, tail: s.choices, minWidth: minFilterWidth,
		height: func() float32 { return tabs.Height(style) }})
	s.content = s.filter.input.WithPopup(container.New(headerLayout{},
		container.NewStack(paint.NewBackdrop(theme.ColorNameHeaderBackground), s.head), s.tree))
	return s
}

func (s *structure) setDocument(d *model.Document, assets *archive.Shared) {
	s.doc, s.assets, s.grouping, s.filter.size = d, assets, 0, d.Source.Size()
	s.tree.SetSeverities(nil)
	s.tree.SetRoot(d.Source.Name(), d.Root(), nil)
	s.showChoices()
}

// checked displays the result of the check: a root with gaps, and the worst severity of each node.
func (s *structure) checked(root *model.Node, severities map[string]model.Severity) {
	s.tree.SetSeverities(severities)
	if s.grouping == 0 {
		s.tree.ReplaceRoot(root)
	}
	s.filter.reapply()
}

// reveal selects the node in the tree, or clears the selection of the tree if it is not there.
func (s *structure) reveal() {
	if !s.tree.Reveal(s.selectedPath) {
		s.tree.Deselect()
	}
}

// resolve returns the document's node for a node of the tree: the node itself, or the target of a group's leaf.
func (s *structure) resolve(n *model.Node) *model.Node { return s.resolver(n)() }

// resolver returns resolve(n) as a func that can be called on any goroutine.
func (s *structure) resolver(n *model.Node) func() *model.Node {
	if s.grouping == 0 || n.Root() != s.tree.Root() {
		return func() *model.Node { return n }
	}
	d := s.doc
	return func() *model.Node {
		if n.Link == nil || n.Link.Target == nil {
			return nil
		}
		path, ok := n.Link.Target()
		if !ok {
			return nil
		}
		return d.At(path)
	}
}

// selected returns the document's nodes for the selected nodes of the tree.
func (s *structure) selected(limit int) []*model.Node {
	var nodes []*model.Node
	for _, n := range s.tree.Selected(limit) {
		if n = s.resolve(n); n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// maxChosen is the maximum number of selected or filtered nodes that an action processes.
const maxChosen = 100_000

// TopSelected returns the selected nodes without the descendants of other selected ones.
func (s *structure) TopSelected() Nodes {
	if s.inPanel != nil {
		return s.inPanel
	}
	nodes, truncated := s.tree.TopSelected(maxChosen)
	if n := s.doc.At(s.selectedPath); len(nodes) == 0 && n != nil {
		return func(context.Context) ([]*model.Node, bool, error) { return []*model.Node{n}, false, nil }
	}
	return s.documentNodes(nodes, truncated)
}

// FilteredNodes returns the filtered nodes, or all nodes without a filter.
func (s *structure) FilteredNodes() Nodes { return s.documentNodes(s.tree.MatchedNodes(maxChosen)) }

// IsFiltered reports whether a filter is active.
func (s *structure) IsFiltered() bool { return s.tree.IsFiltered() }

// documentNodes returns the document's nodes for nodes of the tree. A group counts as all nodes in it.
func (s *structure) documentNodes(nodes []*model.Node, truncated bool) Nodes {
	if s.grouping == 0 {
		return func(ctx context.Context) ([]*model.Node, bool, error) { return nodes, truncated, ctx.Err() }
	}
	d, root := s.doc, s.tree.Root()
	return func(ctx context.Context) ([]*model.Node, bool, error) {
		var all []*model.Node
		for _, n := range nodes {
			if n.Root() != root { // below a leaf of the groups are nodes of the document itself
				all = append(all, n)
				continue
			}
			err := model.Walk(n, func(n *model.Node) (bool, error) {
				if n.Link == nil || n.Link.Target == nil {
					return true, ctx.Err()
				}
				path, ok := n.Link.Target()
				if m := d.At(path); ok && m != nil && len(all) < maxChosen {
					all = append(all, m)
				}
				return false, ctx.Err()
			}, nil)
			if err != nil {
				return nil, false, err
			}
		}
		return all, truncated || len(all) == maxChosen, nil
	}
}

// FocusFilter focuses the filter.
func (s *structure) FocusFilter() { s.filter.field.Focus(s.tree) }

// FilterNames filters the tree by the name of a node, and focuses it.
func (s *structure) FilterNames(name string) {
	s.filter.field.SetText("name = " + query.Quote(name))
	s.tree.Focus()
}

// ExpandAll expands all descendants of the current row of the tree.
func (s *structure) ExpandAll() { s.tree.ExpandCurrent() }

// CollapseAll collapses all nodes except the root.
func (s *structure) CollapseAll() { s.tree.CollapseAll() }

// Groupings returns the names of the groupings. The first one is the order of the file.
func (s *structure) Groupings() []string {
	names := []string{"File order"}
	for _, g := range s.doc.Groups {
		names = append(names, g.Name)
	}
	return names
}

// Grouping returns the current grouping, as an index into Groupings.
func (s *structure) Grouping() int { return s.grouping }

// SetGrouping changes the grouping.
func (s *structure) SetGrouping(i int) {
	if i == s.grouping || i < 0 || i > len(s.doc.Groups) {
		return
	}
	if i == 0 {
		s.regroup(0, s.doc.Source.Name(), s.doc.Root(), nil)
		return
	}
	g := s.doc.Groups[i-1]
	s.inBackground("Grouping", func(ctx context.Context) (done, dropped func(), err error) {
		root, err := g.Build(ctx)
		return func() {
			s.regroup(i, g.Name, root, func(n *model.Node) *model.Node {
				if n.Link == nil || !n.Leaf() {
					return nil
				}
				return s.resolve(n)
			})
		}, nil, err
	})
}

func (s *structure) regroup(i int, title string, root *model.Node, link func(n *model.Node) *model.Node) {
	s.grouping = i
	s.tree.SetRoot(title, root, link)
	s.showChoices()
	s.Changed()
	if i == 0 {
		s.tree.Reveal(s.selectedPath)
	}
	s.filter.reapply()
}

// inBackground runs do in the background and cancels the previous call. It calls done for the latest one, and dropped,
// which may be nil, for the others. On failure it notifies the user and updates the choices.
func (s *structure) inBackground(task string, do func(ctx context.Context) (done, dropped func(), err error)) {
	s.Busy(task, -1, s.lane.Stop)
	s.lane.Open(func(ctx context.Context) (func(), func()) {
		done, dropped, err := do(ctx)
		return func() {
			s.Busy("", 0, nil)
			if err != nil {
				notifyError(s, err)
				s.showChoices()
				return
			}
			done()
		}, dropped
	})
}

// showChoices displays the selectors above the tree: the grouping and the switches of the document.
func (s *structure) showChoices() {
	s.choices.RemoveAll()
	if len(s.doc.Groups) > 0 {
		c := control.NewSelect(s.Key, s.Groupings(), nil)
		c.SetSelectedIndex(s.grouping)
		c.OnChanged = func(string) {
			s.SetGrouping(c.SelectedIndex())
			s.tree.Focus()
		}
		s.choices.Add(c)
	}
	for _, w := range s.doc.Switches {
		c := control.NewSelect(s.Key, w.Choices, nil)
		c.SetSelectedIndex(w.Current)
		c.OnChanged = func(string) { s.reopenWith(w, c.SelectedIndex()) }
		label := widget.NewLabel(w.Name)
		label.Importance = widget.LowImportance
		s.choices.Add(label)
		s.choices.Add(c)
	}
	s.head.Refresh() // first, because its height depends on its content
	s.content.Refresh()
}

// reopenWith decodes the file with another choice of a switch.
func (s *structure) reopenWith(w model.ReadOption, choice int) {
	if choice == w.Current {
		return
	}
	current := s.doc.Source
	s.inBackground("Reading", func(ctx context.Context) (done, dropped func(), err error) {
		d, err := w.Reopen(ctx, choice)
		return func() { s.onReopen(d) }, func() {
			if d != nil && d.Source != current {
				d.Source.Close()
			}
		}, err
	})
}

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
	f.input.SetOnLeave(func(into bool) {
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
	parsed, err := find.NewQuery(f.field.Text)
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
	show := f.display(parsed.Words())
	f.lane.Go(func(ctx context.Context) func() {
		first := 0
		if d != nil {
			found, err := f.findAssets(ctx, d, assets, parsed)
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
		found, err := find.Filter(ctx, root, parsed.Match, maxFiltered, find.FilterProgress{Size: size,
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

// display returns the func that displays the nodes found so far, or all of them, and highlights the words.
func (f *filter) display(words []string) func(found find.Filtered, all bool) {
	isDisplayed := false
	return func(found find.Filtered, all bool) {
		f.annotated.setCaption(matches(found, all))
		f.tree.NoMatches = all && found.Matches == 0
		if isDisplayed {
			f.tree.GrowFilter(&found)
		} else {
			f.tree.SetFilter(&found, words...)
		}
		isDisplayed = true
	}
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
