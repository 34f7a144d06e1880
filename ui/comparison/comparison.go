package comparison

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/ui/notice"
	"assay/ui/wording"
	"assay/ui/work"
)

// Comparison shows two sides next to each other. It is a tab of the window.
type Comparison struct {
	Deps
	sides   [2]Side
	docs    [2]*model.Document
	c       *compare.Comparison
	options compare.Options

	head    *head
	list    *list
	bytes   *bytesPane
	details *details
	strip   *strip
	notices *notice.Bar
	body    *fyne.Container // what is compared, or how far that is
	panes   fyne.CanvasObject
	content fyne.CanvasObject

	wish      string // the path of what is to be selected
	states    states
	selected  model.Path
	pair      *compare.Pair
	stale     bool // the user knows that a file on disk is another one
	comparing bool

	running, reading, searching, going, checking *work.Lane
}

// New makes a comparison of two sides, and begins to open them.
func New(deps Deps, old, new Side) *Comparison {
	c := build(deps, old, new)
	c.run(false)
	return c
}

// build makes a comparison that was not begun.
func build(deps Deps, old, new Side) *Comparison {
	c := &Comparison{Deps: deps, sides: [2]Side{old, new}, states: differences}
	for _, l := range []**work.Lane{&c.running, &c.reading, &c.searching, &c.going, &c.checking} {
		*l = deps.Group.Lane()
	}
	c.list = newList(c, deps.Style, deps.Group)
	c.bytes = newBytesPane(c, deps.Style, deps.Group)
	c.details = newDetails(c, deps.Style)
	c.strip = newStrip(c, deps.Style, deps.Group)
	c.notices = notice.NewBar()
	c.head = newHead(c)
	c.wire()
	c.layout()
	return c
}

// Shares of the space.
const (
	listShare  = 0.62 // of the height
	asideShare = 0.70 // of the width, left of the details
)

func (c *Comparison) layout() {
	above := container.NewHSplit(c.list.tree.Rows, c.details)
	above.SetOffset(asideShare)
	below := container.NewBorder(c.strip, nil, nil, nil, c.bytes.content)
	split := container.NewVSplit(above, below)
	split.SetOffset(listShare)
	c.panes = split
	c.body = container.NewStack()
	c.content = container.NewBorder(container.NewVBox(c.head.content, c.notices.Content()), nil, nil, nil, c.body)
}

// wire connects the widgets.
func (c *Comparison) wire() {
	l := c.list
	l.onSelect = func(p *compare.Pair) { c.choose(p) }
	l.onMenu = c.pairMenu
	l.onActivate = func(p *compare.Pair) { c.details.Focus() }
	c.bytes.onError = c.complain
	c.bytes.onAligned = func(a *alignment, whole bool) {
		if whole && c.c.BytesOnly {
			c.strip.setAlignment(a)
		}
		if p := c.pair; p != nil && !whole && p.Leaf() && long(p.Old) && long(p.New) || whole && c.c.BytesOnly {
			c.details.setRanges(ranges(a, c.bytes.showPlace))
		}
	}
	for _, h := range c.bytes.views {
		h.OnError = c.complain
	}
	c.strip.onGo = func(path model.Path) { c.goTo(path) }
	c.strip.onOffset = func(side int, offset int64) { c.bytes.showOffset(side, offset) }
}

// Title names both sides.
func (c *Comparison) Title() string {
	old, new := c.sides[0].Title, c.sides[1].Title
	return model.OneLine(old, 100) + " : " + model.OneLine(new, 100)
}

// Hint tells where both sides come from.
func (c *Comparison) Hint() string { return c.sides[0].Hint + "  →  " + c.sides[1].Hint }

// Content is what goes into the window.
func (c *Comparison) Content() fyne.CanvasObject { return c.content }

// Focus gives the tree the keyboard.
func (c *Comparison) Focus() { c.list.tree.Rows.Focus() }

// Sides are what is compared, the old one first.
func (c *Comparison) Sides() (old, new Side) { return c.sides[0], c.sides[1] }

// Result is what was found; nil while it is not known.
func (c *Comparison) Result() *compare.Comparison { return c.c }

// Close ends all work and lets go of the files.
func (c *Comparison) Close() {
	c.Group.Close()
	c.bytes.close()
	docs := c.docs
	go func() { // what still reads finishes first
		c.Group.Wait()
		release(docs)
	}()
}

// release lets go of documents.
func release(docs [2]*model.Document) {
	for _, d := range docs {
		if d != nil {
			d.Source.Close()
		}
	}
}

// slow is how long comparing takes before it is shown that it does.
const slow = 200 * time.Millisecond

// run opens what is not open, or everything anew, and compares.
func (c *Comparison) run(reopen bool) {
	docs, sides, options := c.docs, c.sides, c.options
	if reopen {
		docs = [2]*model.Document{}
	}
	before := c.docs
	c.comparing = true
	c.wait()
	c.running.Go(func(ctx context.Context) func() {
		opened, err := open(ctx, sides, docs)
		var found *compare.Comparison
		if err == nil {
			found, err = compare.Documents(ctx, opened[0], opened[1], options, c.Group.Progress(ctx, c.progress))
		}
		if err != nil || ctx.Err() != nil {
			for i, d := range opened {
				if d != nil && d != docs[i] {
					d.Source.Close()
				}
			}
			return func() { c.failed(err) }
		}
		first := firstChange(ctx, found)
		found.Root().Len() // of identical files nobody has looked inside
		return func() {
			c.comparing = false
			c.Busy("", 0, nil)
			c.docs = opened
			c.set(found, first)
			if reopen {
				c.Group.Go(func(context.Context) func() {
					release(before)
					return nil
				})
			}
		}
	})
}

// open opens the sides that are not open yet.
func open(ctx context.Context, sides [2]Side, docs [2]*model.Document) ([2]*model.Document, error) {
	for i := range docs {
		if docs[i] != nil {
			continue
		}
		d, err := sides[i].Open(ctx)
		if err != nil {
			return docs, err
		}
		docs[i] = d
	}
	return docs, nil
}

// firstChange is the way to the only row that is no mere parent of others; to the root if there are more, where all of
// them are listed.
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

// wait shows after a moment that comparing takes long.
func (c *Comparison) wait() {
	c.Group.Go(func(ctx context.Context) func() {
		if !c.Group.Pause(ctx, slow) {
			return nil
		}
		return func() {
			if !c.comparing || c.c != nil {
				return
			}
			c.progress(0, 0)
			c.body.Objects = []fyne.CanvasObject{container.NewCenter(container.NewVBox(
				widget.NewLabelWithStyle("Comparing…", fyne.TextAlignCenter, fyne.TextStyle{}),
				container.NewGridWrap(fyne.NewSize(320, 8), widget.NewProgressBarInfinite()),
				container.NewCenter(widget.NewButton("Cancel", c.stop))))}
			c.body.Refresh()
		}
	})
}

func (c *Comparison) progress(done, total int64) {
	share := -1.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	c.Busy("Comparing", share, c.stop)
}

// stop ends the comparing.
func (c *Comparison) stop() {
	c.running.Stop()
	c.failed(context.Canceled)
}

// failed says why there is no comparison, or no new one.
func (c *Comparison) failed(err error) {
	c.comparing = false
	c.Busy("", 0, nil)
	text := "The comparison was cancelled."
	if err != nil && err != context.Canceled {
		text = wording.Sentence(err)
	}
	again := notice.Action{Label: "Compare again", On: c.Again}
	c.notices.Show(notice.Notice{ID: "failed", Level: notice.Error, Text: text, Actions: []notice.Action{again}})
	if c.c == nil {
		c.body.Objects = nil
		c.body.Refresh()
	}
	c.Changed()
}

// set shows what was found.
func (c *Comparison) set(found *compare.Comparison, first model.Path) {
	keep := c.selected
	had := c.wish
	c.wish = ""
	if c.pair != nil {
		had = c.pair.Node().PathText()
	}
	c.c, c.pair, c.stale = found, nil, false
	c.notices.Remove("failed")
	c.notices.Remove("stale")
	if len(c.body.Objects) != 1 || c.body.Objects[0] != c.panes {
		c.body.Objects = []fyne.CanvasObject{c.panes}
		c.body.Refresh()
	}
	if found.Same() || found.BytesOnly {
		c.states |= 1 << compare.Same
	}
	c.list.set(found, view{states: c.states})
	c.bytes.set(found)
	c.strip.set(found)
	c.head.show()
	if had != "" {
		if p := found.At(keep); p != nil && p.Node().PathText() == had && (p.Status != compare.Same || c.states.has(compare.Same)) {
			first = keep
		}
	}
	c.goTo(first)
	if found.BytesOnly {
		c.bytes.refresh()
	}
	c.Changed()
	c.list.tree.Rows.Focus()
}

// complain tells what could not be done.
func (c *Comparison) complain(err error) {
	c.notices.Show(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
}

// Again opens both sides anew and compares them.
func (c *Comparison) Again() {
	c.notices.Remove("failed")
	c.notices.Remove("stale")
	c.run(true)
}

// Swap exchanges old and new.
func (c *Comparison) Swap() {
	c.sides[0], c.sides[1] = c.sides[1], c.sides[0]
	c.docs[0], c.docs[1] = c.docs[1], c.docs[0]
	for i, m := range c.options.Pairs {
		c.options.Pairs[i] = compare.Match{Old: m.New, New: m.Old}
	}
	if c.states&differences != differences { // who looks for what was added looks for what was removed now
		added, removed := c.states.has(compare.Added), c.states.has(compare.Removed)
		c.states &^= 1<<compare.Added | 1<<compare.Removed
		if added {
			c.states |= 1 << compare.Removed
		}
		if removed {
			c.states |= 1 << compare.Added
		}
	}
	c.run(false)
	c.Changed()
}

// VerifyContents compares again and reads every content that was taken for the same by its recorded checksum.
func (c *Comparison) VerifyContents() {
	c.options.Contents = compare.Full
	c.run(false)
}

// setOptions compares again by other rules.
func (c *Comparison) setOptions(o compare.Options) {
	c.options = o
	c.run(false)
}

// Options are the rules that are in force.
func (c *Comparison) Options() compare.Options { return c.options }

// LookForChanges asks in the background whether the files on disk are still those that were compared.
func (c *Comparison) LookForChanges() {
	if c.c == nil || c.stale {
		return
	}
	docs := c.docs
	c.checking.Go(func(context.Context) func() {
		var err error
		for _, d := range docs {
			if e := d.Source.Changed(); e != nil {
				err = e
			}
		}
		return func() {
			if err == nil || docs != c.docs {
				return
			}
			c.stale = true
			c.notices.Show(notice.Notice{ID: "stale", Level: notice.Warning, Text: wording.Sentence(err) + " What is on the screen is what was read before.",
				Actions: []notice.Action{{Label: "Compare again", On: c.Again}}})
		}
	})
}
