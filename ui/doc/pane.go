package doc

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/archive"
	"assay/ui/details"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/work"
)

// Pane shows one document. What it can do with it is that of its parts.
type Pane struct {
	Host
	*structure
	*search
	history

	// Centre has the bytes, Side the inspector, and each what others add.
	Centre, Side *Dock

	// InView says what is wrong with what is shown of the document beside it, in sentences; nil: nothing is.
	InView func() []string

	// OnPage is told when the user asks for the page of the format about the selected node; nil: nobody is.
	OnPage func(m model.Meaning)

	// OnNotes is called after the notes of the document changed; it may be nil.
	OnNotes func()

	doc    *model.Document
	assets *archive.Shared // of the document
	group  *work.Group

	bytes     *bytesPanel
	text      *textPanel
	isText    bool // the file is a text: it is beside the bytes
	goTo      *goTo
	tints     *tints
	problems  *problems
	failure   *model.Problem // the first read that failed; nil if none did
	hits      *hits
	notes     *noteList
	drawer    *drawer
	details   *details.Details
	inspector *details.Inspector

	left, main *container.Split // tree | rest, centre | details
	right      *container.Split // details over side
	content    fyne.CanvasObject
	narrow     bool // there is not the room that all parts want

	node     *model.Node
	offset   int64
	length   int64
	owning   *work.Lane
	hovering *work.Lane
	hovered  bool // the field under the pointer is told
	reading  *work.Lane
	going    *work.Lane
	linking  *work.Lane // finds where a link leads
	opening  *work.Lane // the selected asset
}

// New makes a pane for a document. Its work ends with the group, which the pane owns from now on.
func New(h Host, d *model.Document, style *paint.Style, group *work.Group) *Pane {
	p := &Pane{Host: h, doc: d, group: group, owning: group.Lane(), hovering: group.Lane(), reading: group.Lane(),
		going: group.Lane(), linking: group.Lane(), opening: group.Lane()}
	p.history.show = func(path model.Path) { p.choose(p.doc.At(path), fromHistory) }
	p.structure = newStructure(p, style, group)
	p.bytes = newBytes(p, style, group)
	p.text = newTextPanel(p, style, group, p.textSelected)
	p.details = details.New(p, style)
	p.inspector = details.NewInspector(p, style)
	p.drawer = newDrawer(p, style, p.bytes.hex.Focus)
	p.problems = newProblems(p.drawer, style, group, p.ShowProblem)
	p.hits = newHits(p.drawer, style, group, p.ShowHit)
	p.notes = newNoteList(p, style, group)
	p.tints = &tints{lane: group.Lane(), hex: p.bytes.hex, problems: p.problems, hits: p.hits, notes: p.notes}
	p.search, p.goTo = newSearch(p), newGoTo(p)
	p.wire()
	p.layout(style)
	p.setDocument(d)
	return p
}

// wire connects the parts.
func (p *Pane) wire() {
	p.bytes.hex.OnHover = p.hover
	p.structure.onSelect = func(n *model.Node) { p.choose(n, fromTree) }
	p.structure.onReread = p.SetDocument
	p.tree.OnActivate = p.activate
	p.tree.OnRest = p.explainNode
	p.tree.OnMenu = func(n *model.Node, at fyne.Position) {
		if p.resolve(n) != nil {
			p.NodeMenu(at)
		}
	}
	p.tree.OnDrag = func(fyne.Position) rows.Drag { return p.Drag(p.doc, p.Chosen()) }

	h := p.bytes.hex
	h.Tint = p.tints.marks
	h.OnSelect, h.OnRange = p.chooseByte, p.selectRange
	h.OnActivate = func(int64) {
		if p.node != nil && p.node.Link != nil {
			p.Follow()
		}
	}
	p.details.OnGo = func(n *model.Node) { p.choose(n, fromElsewhere) }
	p.details.Report, p.details.OnProblem = p.Report, p.ShowProblem
	p.details.OnFollow = func(n *model.Node) { p.followLink(p.doc, n.Link) }
	p.details.OnOffset = p.GoTo
	p.details.OnPage = func() {
		if p.OnPage != nil {
			p.OnPage(p.Meaning())
		}
	}
	p.details.Noted = func(n *model.Node) []details.Line { return noted.Lines(p.notes.placed.On(n), p.EditNote) }
}

// Widths in device-independent pixels: what eight bytes want in the hex view, what they get where there is less room,
// and the most that is kept for the panels below the details. With the tree they fit into 800, or into 600, whatever
// the size of the text.
const (
	centreLeast  = 345
	centreNarrow = 150
	sideMost     = 272
)

// fitting is the layout of a pane: it keeps the width that the bytes want where there is room for that.
type fitting struct{ p *Pane }

// Layout decides whether the pane is narrow.
func (f fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	before := f.p.narrow
	f.p.narrow = false
	f.p.narrow = size.Width < objects[0].MinSize().Width
	if size != objects[0].Size() {
		objects[0].Resize(size)
	} else if f.p.narrow != before {
		objects[0].Refresh()
	}
}

// MinSize returns the size of a narrow pane.
func (f fitting) MinSize(objects []fyne.CanvasObject) fyne.Size {
	before := f.p.narrow
	f.p.narrow = true
	least := objects[0].MinSize()
	f.p.narrow = before
	return least
}

// atLeast is a layout that keeps a width.
func atLeast(width func() float32) paint.Sized {
	return func(least fyne.Size) fyne.Size { return least.Max(fyne.NewSize(width(), 0)) }
}

// layout puts the parts in their places.
func (p *Pane) layout(style *paint.Style) {
	p.Centre, p.Side = newDock(style, p.Selection, p.bytes), newDock(style, p.Selection, p.inspector)
	centre := container.New(atLeast(func() float32 {
		if p.narrow {
			return centreNarrow
		}
		return centreLeast
	}),
		container.NewBorder(p.Centre.row, nil, nil, nil, p.Centre.at))
	title := tabs.New(style)
	title.SetTabs([]tabs.Tab{{Title: "Details"}})
	title.SetSelected(0)
	side := container.New(atLeast(func() float32 { return min(p.Side.width(), sideMost) }),
		container.NewBorder(p.Side.row, nil, nil, nil, p.Side.at))
	p.right = container.NewVSplit(container.NewBorder(title, nil, nil, nil, p.details), side)
	p.right.SetOffset(0.42)
	p.main = container.NewHSplit(centre, p.right)
	p.main.SetOffset(0.64)
	p.left = container.NewHSplit(p.structure.content, p.main)
	p.left.SetOffset(0.3)
	p.drawer.put(p.left, &p.problems.list, &p.hits.list, &p.notes.list)
	p.content = container.New(fitting{p}, p.drawer.content)
}

// Content is what goes into the window.
func (p *Pane) Content() fyne.CanvasObject { return p.content }

// Document is what is shown.
func (p *Pane) Document() *model.Document { return p.doc }

// Assets are those of the document, read once for all parts.
func (p *Pane) Assets() *archive.Shared { return p.assets }

// setDocument shows a document from its beginning.
func (p *Pane) setDocument(d *model.Document) {
	p.doc = d
	p.assets = archive.NewShared(d, func(job func(ctx context.Context)) {
		p.group.Go(func(ctx context.Context) func() {
			job(ctx)
			return nil
		})
	})
	p.node, p.offset, p.length = nil, 0, 0
	p.tree.Ahead = ahead(p.assets)
	p.tints.setDocument(d)
	p.hits.setDocument(d)
	p.bytes.hex.SetData(d.Source)
	p.showText(d)
	p.tree.Remember(d.Format)
	p.structure.setDocument(d, p.assets)
	p.problems.set(p.doc, nil)
	p.notes.placed, p.notes.last = nil, nil
	p.notes.rows.Set(nil)
	p.drawer.retitle()
	p.listen()
	p.choose(d.Root(), fromElsewhere)
	p.check()
	p.ReadNotes()
}

// SetDocument shows another reading of the file and keeps the place.
func (p *Pane) SetDocument(d *model.Document) {
	s := p.State()
	old := p.doc
	p.setDocument(d)
	p.Restore(s)
	p.Replaced(old, d)
	if old.Source != d.Source {
		old.Source.Close()
	}
}

// Close ends the pane's work and lets go of the file.
func (p *Pane) Close() {
	p.bytes.hex.Close()
	src := p.doc.Source
	p.group.CloseThen(func() { src.Close() })
}

// Shortcut copies values in the tree, or does what the shortcut means in the window.
func (p *Pane) Shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok && p.tree.Focused() {
		p.CopyValue()
		return true
	}
	return p.Host.Shortcut(s)
}

// Focus returns the tree the keyboard.
func (p *Pane) Focus() { p.tree.Focus() }

// FocusHex returns the hex view the keyboard.
func (p *Pane) FocusHex() {
	p.Centre.Show(p.bytes)
	p.bytes.hex.Focus()
}

// FocusDetails returns the details the keyboard.
func (p *Pane) FocusDetails() { p.details.Focus() }

// SetColumns sets how many bytes a row of the hex view has; 0 is as many as fit.
func (p *Pane) SetColumns(n int) {
	p.Centre.Show(p.bytes)
	p.bytes.hex.SetColumns(n)
}

// Find shows the bar for finding bytes, or goes to the field of the text in view.
func (p *Pane) Find() {
	if p.Centre.Panel() == Panel(p.text) {
		p.text.view.FocusFind()
		return
	}
	p.showTools(p.search.bar, p.search.field)
}

// GoToOffset shows the bar for going to an offset.
func (p *Pane) GoToOffset() {
	p.showTools(p.goTo.bar, p.goTo.field)
	p.goTo.preview()
}

func (p *Pane) showTools(bar fyne.CanvasObject, f interface{ Focus(fyne.CanvasObject) }) {
	p.Centre.Show(p.bytes)
	p.bytes.showTools(bar)
	f.Focus(p.tree)
}

func (p *Pane) closeTools() {
	p.search.stop()
	p.bytes.showTools()
	p.bytes.hex.Focus()
}

// complain shows an error.
func complain(h Host, err error) {
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, model.ErrChanged):
		h.Stale()
	default:
		h.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
	}
}
