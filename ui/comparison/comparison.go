// Package comparison compares two versions of a file side by side, in a tab of the window: their structure as a tree of
// pairs, their bytes as two aligned hex views, and the details of the selected pair. Series compares each state of a
// series with the one before. The packages below this one are the panels, the tab of three versions, and their common
// parts; none of them imports this package.
package comparison

import (
	"cmp"
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/notes"
	"assay/ui/comparison/bytes"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/contents"
	"assay/ui/comparison/tree"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/work"
)

// Comparison shows two sides next to each other. It is a tab of the window.
type Comparison struct {
	compared.Deps
	*tree.Steps
	*tree.Search
	input  *input
	result *compare.Comparison

	header       *header
	tree         *tree.Tree
	bytes        *bytes.Pane
	previews     *contents.Previews
	previewTexts *contents.TextsView // view of texts among the previews
	tables       *contents.TablesView
	texts        *contents.Pane
	hasText      bool               // both files are texts
	lowerWrapper compared.Wrapper   // ends of the changes in the panel below the tree
	lower        *fyne.Container    // the bytes, the previews, the table or the text
	cover        *control.Maximizer // maximizes lower
	lowerShown   lowerPanel         // panel that lower displays
	lowerChosen  bool               // the user chose it
	// sameAutomatic means that unchanged pairs are visible because nothing differs, and not because the user chose
	// them.
	sameAutomatic bool
	details       *tree.Panel
	strip         *bytes.Strip
	notices       *host.Bar
	body          *fyne.Container // the result, or the progress
	panes         *container.Split
	busyIndicator *control.BusyIndicator // nil until comparing takes long
	treeHeight    float64                // share of the tree in the height, unless the user chose another
	content       fyne.CanvasObject

	pathToSelect   string // the path to select after loading
	selected       model.Path
	pair           *compare.Pair
	changeNotified bool // the user was notified that a file changed on disk
	isStale        bool // result is not of the current sides

	notes [2]*notes.Placement // notes of both sides

	reading, collecting, finding, noting *work.Lane
}

// New returns a comparison of two sides, and starts to open them.
func New(deps compared.Deps, old, new compared.Side) *Comparison {
	c := &Comparison{Deps: deps, input: newInput(deps, old, new), reading: deps.Group.Lane(),
		collecting: deps.Group.Lane(), finding: deps.Group.Lane(), noting: deps.Group.Lane()}
	c.tree = tree.New(c, deps.Style, deps.Group)
	c.Search = tree.NewSearch(c, deps.Group, c.tree)
	c.Steps = tree.NewSteps(c, deps.Group, c.tree, func() model.Path { return c.selected }, c.goTo)
	c.bytes = bytes.NewPane(c, deps.Style, deps.Group)
	c.tables = contents.NewTables(c, deps.Style, deps.Group)
	c.texts = contents.NewPane(c, deps.Style, deps.Group)
	c.previewTexts = contents.NewTexts(c, deps.Style, deps.Group)
	c.previews = contents.NewPreviews(c, deps.Style, deps.Group, deps.OpenSource, c.previewTexts)
	c.details = tree.NewPanel(c, deps.Style)
	c.strip = bytes.NewStrip(c, deps.Style, deps.Group)
	c.notices = host.NewBar()
	c.header = newHeader(c)
	c.wire()
	c.layout()
	c.input.run(false)
	return c
}

// wire connects the widgets.
func (c *Comparison) wire() {
	c.input.onSlow, c.input.onResult, c.input.onFailed = c.showBusy, c.setResult, c.onFailed
	c.tree.OnSelect = c.selectPair
	c.tree.OnMenu = c.showPairMenu
	c.tree.OnActivate = func(p *compare.Pair) { c.details.Focus() }
	c.bytes.OnAligned = c.onAligned
	c.bytes.OnError = c.notifyError
	c.previews.OnReveal, c.previews.OnKind = c.Reveal, c.showLowerOfPair
	c.tables.OnError, c.tables.OnList = c.notifyError, c.onList
	c.tables.OnSelect = func(p *compare.Pair) {
		if c.tree.Shows(p) { // unchanged pairs stay out of the tree
			c.goTo(p.Path())
		}
	}
	c.strip.OnGo = c.goTo
	c.strip.OnOffset = c.bytes.ShowOffset
}

// Title returns the names of both sides.
func (c *Comparison) Title() string {
	names := compared.Names(c.input.sides[:])
	return model.OneLine(names[0], 100) + " : " + model.OneLine(names[1], 100)
}

// Hint returns the origins of both sides.
func (c *Comparison) Hint() string { return c.input.sides[0].Hint + "  →  " + c.input.sides[1].Hint }

// Content returns the content of the tab.
func (c *Comparison) Content() fyne.CanvasObject { return c.content }

// Focus moves the keyboard focus to the tree.
func (c *Comparison) Focus() { c.tree.View.Rows.Focus() }

// Sides returns the compared sides.
func (c *Comparison) Sides() (old, new compared.Side) { return c.input.sides[0], c.input.sides[1] }

// Result returns the comparison, or nil until it is available.
func (c *Comparison) Result() *compare.Comparison { return c.result }

// Close stops all work and closes the files.
func (c *Comparison) Close() {
	c.busyIndicator.End()
	c.bytes.Close()
	c.input.close()
	c.Group.CloseThen(c.previews.Close)
}

// showBusy shows the busy indicator unless a result is displayed.
func (c *Comparison) showBusy() {
	if c.result != nil && !c.isStale {
		return
	}
	c.busyIndicator.End()
	c.busyIndicator = control.NewBusyIndicator("Comparing…", c.input.stop)
	c.body.Objects = []fyne.CanvasObject{c.busyIndicator.Content()}
	c.body.Refresh()
}

// onFailed shows the reason why there is no comparison, or no new one.
func (c *Comparison) onFailed(err error) {
	c.busyIndicator.End()
	text := "Comparison canceled."
	if err != nil && err != context.Canceled {
		text = host.Sentence(err)
	}
	action := host.Action{Label: "Compare Again", On: c.Reload}
	c.notices.Show(host.Notice{ID: "failed", Level: host.Error, Text: text, Actions: []host.Action{action}})
	if c.result == nil || c.isStale {
		c.body.Objects = nil
		c.body.Refresh()
	}
	c.Changed()
}

func (c *Comparison) notifyError(err error) {
	c.notices.Show(host.Notice{Level: host.Error, Text: host.Sentence(err)})
}

func (c *Comparison) setResult(result *compare.Comparison, first model.Path) {
	c.busyIndicator.End()
	path := c.selected
	keptPath := c.pathToSelect
	c.pathToSelect = ""
	if c.pair != nil {
		keptPath = c.pair.Node().PathText()
	}
	c.result, c.pair, c.changeNotified, c.isStale = result, nil, false, false
	c.notices.Remove("failed")
	c.notices.Remove("stale")
	if len(c.body.Objects) != 1 || c.body.Objects[0] != c.panes {
		c.body.Objects = []fyne.CanvasObject{c.panes}
		c.body.Refresh()
	}
	c.showUnchanged(result.Same() || result.BytesOnly)
	c.hasText = contents.Texts(result)
	c.previewTexts.SetRules(result.Options.Texts)
	c.previews.Set(result)
	c.tables.Set(result)
	c.texts.Set(result)
	if !c.lowerChosen {
		c.openLower(c.defaultLower())
	}
	c.tree.Set(result)
	c.bytes.Set(result)
	c.strip.Set(result)
	c.header.headline, c.header.counts = "", result.Counts()
	c.header.show()
	c.collectChanges()
	c.notes = [2]*notes.Placement{}
	c.ReadNotes()
	if p := result.At(path); keptPath != "" && p != nil && p.Node().PathText() == keptPath &&
		c.tree.Shows(p) {
		first = path
	}
	c.goTo(first)
	if path := c.input.sides[1].StartPath; path != "" {
		c.input.sides[1].StartPath = ""
		if n, err := result.New.Find(path); err == nil {
			c.Reveal(result.New, n)
		}
	}
	if result.BytesOnly {
		c.bytes.Refresh()
	}
	c.Changed()
	c.Focus()
}

// showUnchanged makes unchanged pairs visible if nothing differs, and hides them again for the next pair of a folder.
func (c *Comparison) showUnchanged(isSame bool) {
	switch {
	case isSame && !c.tree.Statuses().Has(compare.Same):
		c.tree.SetStatuses(c.tree.Statuses() | 1<<compare.Same)
		c.sameAutomatic = true
	case !isSame && c.sameAutomatic:
		c.tree.SetStatuses(c.tree.Statuses() &^ (1 << compare.Same))
		c.sameAutomatic = false
	}
}

// maxValuesInHeader is the maximum number of changed values that the header names if no items changed.
const maxValuesInHeader = 2

// collectChanges collects the changed items in the background, and displays them in the header.
func (c *Comparison) collectChanges() {
	result := c.result
	c.collecting.Go(func(ctx context.Context) func() {
		o, err := changes.Collect(ctx, result)
		var items *compared.Items
		if err == nil {
			items = compared.ItemsOf(result, o)
		}
		return func() {
			if err != nil || c.result != result {
				return
			}
			c.header.headline = o.Headline()
			c.header.counts = o.Total(result.Counts())
			if len(o.Items) == 1 || len(o.Values) <= maxValuesInHeader && o.Others == 0 {
				c.header.headline = o.Sentence()
			}
			c.tree.SetItems(items)
			c.tables.SetItems(items)
			c.header.show()
			c.Changed()
		}
	})
}

// goTo selects the pair at a path, and clears the filters that hide it.
func (c *Comparison) goTo(path model.Path) {
	if c.result == nil {
		return
	}
	view := c.tree.View
	if !view.Reveal(path) && c.Search.Field.Text != "" {
		c.Search.Clear() // the search hides it
		view.Reveal(path)
	}
	if !view.CurrentPath().Equal(path) {
		if p := c.result.At(path); p != nil && p.Status == compare.Same {
			c.setStatuses(c.tree.Statuses() | 1<<compare.Same)
			view.Reveal(path)
		}
	}
	if p := c.tree.Current(); p != nil {
		c.selectPair(p)
	}
}

// Reveal selects the pair of a node that is displayed in a picture.
func (c *Comparison) Reveal(d *model.Document, n *model.Node) {
	result := c.result
	if result == nil || d != result.Old && d != result.New {
		c.Host.Reveal(d, n)
		return
	}
	c.finding.Go(func(context.Context) func() {
		path := result.PairOf(n, d == result.Old).Path()
		return func() {
			if c.result == result {
				c.goTo(path)
			}
		}
	})
}

// setStatuses sets the visible statuses.
func (c *Comparison) setStatuses(s compared.Statuses) {
	c.tree.SetStatuses(s)
	c.sameAutomatic = false
	if c.result == nil {
		return
	}
	c.header.showChips()
	c.Search.Rerun()
}

// ToggleLayout shows one merged tree, or two.
func (c *Comparison) ToggleLayout() {
	layout := tree.TwoTrees
	if c.tree.Layout == tree.TwoTrees {
		layout = tree.Merged
	}
	c.tree.SetLayout(layout)
	c.header.layout.Rename([]string{"Split view", "Merged view"}[layout])
	c.Focus()
}

// Reload opens both sides again and compares them.
func (c *Comparison) Reload() {
	c.notices.Remove("failed")
	c.notices.Remove("stale")
	c.input.run(true)
}

// StepPair replaces the comparison with another pair of its list of files.
func (c *Comparison) StepPair(step int) {
	neighbor := c.input.sides[1].Neighbor
	if neighbor == nil {
		c.ShowHint("This comparison is not part of a folder comparison.")
		return
	}
	old, new, ok := neighbor(step)
	if !ok {
		c.ShowHint("No more file pairs.")
		return
	}
	c.setSides(old, new)
}

// setSides replaces both sides and compares them. The selection stays if they have it.
func (c *Comparison) setSides(old, new compared.Side) {
	if c.pair != nil {
		c.pathToSelect = c.pair.Node().PathText()
	}
	c.pair, c.isStale = nil, true
	c.input.sides = [2]compared.Side{old, new}
	c.input.options.Pairs = nil
	c.Reload()
	c.Changed()
}

// Swap exchanges old and new.
func (c *Comparison) Swap() {
	c.tree.SetStatuses(c.tree.Statuses().Swapped())
	c.input.swap()
	c.Changed()
}

// VerifyContents compares again and reads the contents that were assumed to be the same because of their checksums.
func (c *Comparison) VerifyContents() {
	c.input.changeRules(func(o *compare.Options) { o.Contents = compare.Full })
}

// ShowRules opens the dialog for the rules.
func (c *Comparison) ShowRules() {
	compared.AskRules(c, c.content, c.input.options, func(o compare.Options) {
		c.input.changeRules(func(rules *compare.Options) { *rules = o })
	})
}

// LookForChanges checks in the background whether the compared files on disk have changed.
func (c *Comparison) LookForChanges() {
	if c.result == nil || c.changeNotified {
		return
	}
	c.input.check(func(err error) {
		c.changeNotified = true
		c.notices.Show(compared.StaleNotice(err, c.Reload))
	})
}

// FilesChanged is called when a compared file changed on disk. If comparing failed before, it is repeated.
func (c *Comparison) FilesChanged() {
	if c.input.failed {
		c.Reload()
		return
	}
	c.changeNotified = false // the user was not notified of this change
	c.LookForChanges()
}

// Shortcut copies the selection, or runs the shortcut of the window.
func (c *Comparison) Shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		c.copyLines()
		return true
	}
	return c.Host.Shortcut(s)
}

// Status returns the segments of the status line.
func (c *Comparison) Status() (path, facts []tabs.Segment) {
	if c.result == nil || c.isStale {
		return []tabs.Segment{{Text: c.Title(), Tone: paint.Dim}}, nil
	}
	for p := c.pair; p != nil; p = p.Parent() {
		name := p.Node().Name
		if p.Parent() == nil {
			name = c.result.New.Source.Name()
		}
		target := p.Path()
		path = append([]tabs.Segment{{Text: model.OneLine(name, 80), On: func() { c.goTo(target) }}}, path...)
	}
	if n := len(path); n > 0 {
		path[n-1].On = nil
	}
	tone := paint.Success
	if !c.result.Same() {
		tone = paint.Warning
	}
	next, previous := c.Keys().Text("compare.next"), c.Keys().Text("compare.previous")
	keys := "Next change: " + next + ", previous change: " + previous
	segments := []tabs.Segment{{Text: previous + "  " + next, Hint: keys, Tone: paint.Dim}}
	headline := cmp.Or(c.header.headline, changes.Summary(c.result))
	if formats := compared.Formats(c.result); !strings.Contains(headline, formats) {
		segments = append(segments, tabs.Segment{Text: formats, Tone: paint.Dim})
	}
	return path, append(segments, tabs.Segment{Text: headline, Tone: tone})
}
