// Package doc displays one document: its structure, bytes, details of the selected node, problems and notes.
//
// A model.Path is the only selection. The tree, the hex view, the lists and the panels report the user's choice to the
// Pane, which passes it to the others.
//
// Description displays the description (.ksy) that decoded a document, at the rule of the selected node. Sheet displays
// a long list of a document as a table that can be sorted and filtered.
package doc

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/ui/details"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tree"
	"assay/ui/work"
)

// Pane displays one document. Most of its methods come from its embedded parts.
type Pane struct {
	Host
	*structure
	*search
	host.History[model.Path] // the visited nodes

	// Center holds the bytes, Side the inspector, and Large, above the bytes, is empty at first. Callers can add panels
	// to the first two, and enlarge one.
	Center, Side, Large *Dock

	// ViewRemarks returns the problems of the view beside the document, as sentences. It may be nil.
	ViewRemarks func() []string

	// OnResources asks for the folder with the missing files of a document; it may be nil.
	OnResources func(d *model.Document)
	// OnPage is called to open the format reference at the selected node. It may be nil.
	OnPage func(m model.Meaning)

	// OnNotes is called after the notes of the document changed; it may be nil.
	OnNotes func()

	doc    *model.Document
	assets *archive.Shared // assets of the document
	group  *work.Group

	bytes     *bytesPanel
	text      *textPanel
	isText    bool // the document is a text file: its text is displayed beside the bytes
	goTo      *goToBar
	tints     *tints
	problems  *problems
	failure   *model.Problem // the first failed read, or nil
	hits      *hits
	notes     *noteList
	bottom    *bottomPanel
	details   *details.Details
	inspector *details.Inspector

	arrangement

	node           *model.Node
	offset         int64
	length         int64
	findingOwner   *work.Lane
	hovering       *work.Lane
	showsHoverHint bool // the hint for the byte under the pointer is displayed
	readingDetails *work.Lane
	findingProblem *work.Lane
	linking        *work.Lane // finds the targets of links
	opening        *work.Lane // the selected asset
}

// New returns a pane for a document. Its work ends with the group, which the pane owns from now on.
func New(h Host, d *model.Document, style *paint.Style, group *work.Group) *Pane {
	p := &Pane{Host: h, doc: d, group: group, findingOwner: group.Lane(), hovering: group.Lane(),
		readingDetails: group.Lane(), findingProblem: group.Lane(), linking: group.Lane(), opening: group.Lane()}
	p.structure = newStructure(p, style, group)
	p.bytes = newBytes(p, style, group)
	p.text = newTextPanel(p, style, group, p.textSelected)
	p.details = details.New(p, style)
	p.inspector = details.NewInspector(p, style)
	p.bottom = newBottomPanel(p, style, p.bytes.hex.Focus)
	p.problems = newProblems(p.bottom, style, group, p.ShowProblem)
	p.hits = newHits(p.bottom, style, group, p.ShowHit)
	p.notes = newNoteList(p, style, group)
	p.tints = &tints{lane: group.Lane(), hex: p.bytes.hex, problems: p.problems, hits: p.hits, notes: p.notes}
	p.search, p.goTo = newSearch(p), newGoToBar(p)
	p.connect()
	p.arrangement = newArrangement(p, style)
	p.setDocument(d)
	return p
}

// connect sets the callbacks between the parts.
func (p *Pane) connect() {
	p.bytes.hex.OnHover = p.hover
	p.structure.onSelect = func(n *model.Node) { p.choose(n, fromTree) }
	p.structure.onReopen = p.ReplaceDocument
	p.tree.OnActivate = p.activate
	p.tree.OnRest = p.explainNode
	p.tree.OnMenu = func(n *model.Node, pos fyne.Position) {
		if p.resolve(n) != nil {
			p.NodeMenu(pos)
		}
	}
	p.tree.OnDrag = func(fyne.Position) rows.Drag { return p.Drag(p.doc, p.TopSelected()) }

	h := p.bytes.hex
	h.Marks = p.tints.marks
	h.OnSelect, h.OnRange = p.chooseByte, p.selectRange
	h.OnActivate = func(int64) {
		if p.node != nil && p.node.Link != nil {
			p.Follow()
		}
	}
	p.details.OnField = func(n *model.Node) { p.choose(n, fromElsewhere) }
	p.details.Report, p.details.OnProblem = p.Report, p.ShowProblem
	p.details.OnFollow = func(n *model.Node) { p.followLink(p.doc, n.Link) }
	p.details.OnOffset = p.GoTo
	p.details.OnURL = func(address string) {
		to, err := url.Parse(address)
		if err == nil {
			err = fyne.CurrentApp().OpenURL(to)
		}
		if err != nil {
			notifyError(p, fmt.Errorf("cannot open %s: %w", address, err))
		}
	}
	p.details.OnPage = func() {
		if p.OnPage != nil {
			p.OnPage(p.Meaning())
		}
	}
	p.details.Noted = func(n *model.Node) []details.Line { return noted.Lines(p.notes.placed.OnNode(n), p.EditNote) }
}

// Content returns the canvas object of the pane.
func (p *Pane) Content() fyne.CanvasObject { return p.fitted }

// Document returns the displayed document.
func (p *Pane) Document() *model.Document { return p.doc }

// Assets returns the assets of the document, which are read once for all panels.
func (p *Pane) Assets() *archive.Shared { return p.assets }

// setDocument displays a document without a saved state.
func (p *Pane) setDocument(d *model.Document) {
	p.doc = d
	p.assets = archive.NewShared(d, p.group.Run)
	p.node, p.offset, p.length = nil, 0, 0
	p.tree.FindPrefix = prefixSearch(p.assets)
	p.tints.setDocument(d)
	p.hits.setDocument(d)
	p.bytes.hex.SetData(d.Source)
	p.showText(d)
	p.tree.StoreColumns(d.Format)
	p.structure.setDocument(d, p.assets)
	p.problems.set(p.doc, nil)
	p.notes.placed, p.notes.last = nil, nil
	p.notes.rows.Set(nil)
	p.bottom.updateTitles()
	p.watchReads()
	p.choose(d.Root(), fromElsewhere)
	p.check()
	p.ReadNotes()
}

// ReplaceDocument replaces the document by a reloaded one, and keeps the selection and the scroll positions.
func (p *Pane) ReplaceDocument(d *model.Document) {
	s := p.State()
	old := p.doc
	p.setDocument(d)
	p.Restore(s)
	p.Replaced(old, d)
	if old.Source != d.Source {
		old.Source.Close()
	}
}

// Close ends the pane's work and releases the file.
func (p *Pane) Close() {
	p.bytes.hex.Close()
	src := p.doc.Source
	p.group.CloseThen(func() { src.Close() })
}

// Shortcut copies values in the tree, or passes the shortcut to the host.
func (p *Pane) Shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok && p.tree.IsFocused() {
		p.CopyValue()
		return true
	}
	return p.Host.Shortcut(s)
}

// Focus focuses the tree.
func (p *Pane) Focus() { p.tree.Focus() }

// FocusHex focuses the hex view.
func (p *Pane) FocusHex() {
	p.Center.Show(p.bytes)
	p.bytes.hex.Focus()
}

// FocusDetails focuses the details.
func (p *Pane) FocusDetails() {
	p.Side.Show(detailsPanel{p.details})
	p.details.Focus()
}

// BytesPerRow stores the number of bytes in a row of the hex view; 0 fits the width.
const BytesPerRow = host.Setting[int]("hex.columns")

// SetBytesPerRow sets the number of bytes in a row of the hex view; 0 fits the width.
func (p *Pane) SetBytesPerRow(n int) { p.bytes.hex.SetBytesPerRow(n) }

// Columns returns the number that SetColumns set.
func (p *Pane) Columns() int { return p.bytes.hex.Saved().BytesPerRow }

// ShowBytes displays the hex view.
func (p *Pane) ShowBytes() { p.Center.Show(p.bytes) }

// Find displays the bar for finding bytes, or focuses the search field of the visible text.
func (p *Pane) Find() {
	if p.Center.Panel() == Panel(p.text) {
		p.text.view.FocusFind()
		return
	}
	p.showTools(p.search.bar, p.search.field)
}

// FindText displays the bar for finding bytes with a text.
func (p *Pane) FindText(text string) {
	p.showTools(p.search.bar, p.search.field)
	p.search.field.SetText(text)
}

// GoToOffset displays the bar for going to an offset.
func (p *Pane) GoToOffset() {
	p.showTools(p.goTo.bar, p.goTo.field)
	p.goTo.preview()
}

func (p *Pane) showTools(bar fyne.CanvasObject, f interface{ Focus(fyne.CanvasObject) }) {
	p.Center.Show(p.bytes)
	p.bytes.showTools(bar)
	f.Focus(p.tree)
}

func (p *Pane) closeTools() {
	p.search.stop()
	p.bytes.showTools()
	p.bytes.hex.Focus()
}

func notifyError(h Host, err error) {
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, model.ErrChanged):
		h.Stale()
	default:
		h.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
	}
}

// Host is the part of the tab that a pane uses.
type Host interface {
	host.Host
	noted.Host
	// Open opens another file and selects the node with a key.
	Open(path, key string)
	// OpenAsset opens the content of an asset as a document.
	OpenAsset(content *model.Source, asset *model.Payload)
	// NodeMenu and BytesMenu open the menus of the selected node and of the selected bytes.
	NodeMenu(pos fyne.Position)
	BytesMenu(pos fyne.Position)
	// Stale is called after a read detects that the file has changed on disk.
	Stale()
	// Replaced is called with the reloaded document, before the old one is closed.
	Replaced(old, current *model.Document)
	// Drag is called when nodes are about to be dragged. It may return nil, which ignores the drag.
	Drag(d *model.Document, nodes Nodes, folders ...string) rows.Drag
}

// Nodes returns nodes of the document in a background job, because links have to be resolved. truncated reports that
// a limit left further nodes out.
type Nodes func(ctx context.Context) (nodes []*model.Node, truncated bool, err error)

// AssetNode returns the node of the i-th asset of a document, or nil.
func AssetNode(d *model.Document, i int) *model.Node {
	if d.Payloads == nil || i >= d.Payloads.Len() {
		return nil
	}
	if a := d.Payloads.At(i); a != nil {
		return a.Node
	}
	return nil
}

// AssetNodes returns the nodes of assets of a document. truncated reports that a limit left further assets out.
func AssetNodes(d *model.Document, assets []int, truncated bool) Nodes {
	return func(ctx context.Context) (nodes []*model.Node, _ bool, _ error) {
		for _, i := range assets {
			if ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
			if n := AssetNode(d, i); n != nil {
				nodes = append(nodes, n)
			}
		}
		return nodes, truncated, nil
	}
}

// Panel is an additional part of a pane: beside the hex view, or below the details.
type Panel interface {
	Title() string
	Content() fyne.CanvasObject
}

// Selector is a Panel that follows the selection.
type Selector interface {
	Select(s Selection)
}

// Selection is the selection in a document.
type Selection struct {
	Document *model.Document
	Node     *model.Node   // nil if there is none
	Offset   int64         // offset of the caret
	Length   int64         // number of selected bytes; 0 without a selected range
	Report   *model.Report // report on the whole file; nil during the check
	// Nodes lists all selected nodes of the tree, at most limit of them.
	Nodes func(limit int) []*model.Node
}

// prefixSearch returns a search for the first child of a long list with a given prefix. It uses the names of the assets
// if each child has one asset, in the same order. The search runs off the UI thread.
func prefixSearch(assets *archive.Shared) tree.PrefixSearch {
	return func(ctx context.Context, list *model.Node, from, to int, prefix string) (int, bool) {
		a, err := assets.Read(ctx, func(*archive.Archive) {})
		if err != nil || a.Len() == 0 {
			return 0, false
		}
		index, err := a.Document.AssetIndex(ctx)
		if err != nil {
			return 0, false
		}
		first, err := index.First(ctx, list.Child(from), 2)
		if err != nil || len(first) != 1 {
			return 0, false
		}
		last, err := index.First(ctx, list.Child(to-1), 2)
		if err != nil || len(last) != 1 || last[0]-first[0] != to-1-from {
			return 0, false
		}
		i, err := a.FindPrefix(ctx, prefix, first[0], last[0]+1)
		if err != nil || i < 0 {
			return -1, err == nil && strings.Trim(prefix, "0123456789") != "" // a number can be the name of an element
		}
		return from + i - first[0], true
	}
}

// FailedNotice is the ID of the notice about a failed read.
const FailedNotice = "failed"

// watchReads reports failed reads of the document from now on.
func (p *Pane) watchReads() {
	d := p.doc
	p.failure = nil
	d.Source.OnFailed(func(err *model.ReadError) {
		p.group.Go(func(context.Context) func() {
			return func() {
				if d == p.doc {
					p.readFailed(err)
				}
			}
		})
	})
}

// readFailed reports a failed read: decoded values may be wrong although the file is intact.
func (p *Pane) readFailed(err *model.ReadError) {
	if errors.Is(err, model.ErrChanged) {
		p.Stale()
		return
	}
	p.failure = &model.Problem{Severity: model.Error, Span: err.Span, Path: "/",
		Message: err.Error() + "; values decoded after this may be wrong or missing"}
	if r := p.problems.report; r != nil {
		p.showReport(r)
	}
	p.Notify(host.Notice{ID: FailedNotice, Level: host.Error, Text: p.doc.Source.Name() + ": " + err.Error() +
		". The displayed data may be wrong. Check the disk or network, then press " +
		p.Keys().Text("file.reload") + " to reload the file."})
}

// showReport displays the problems of the document, after the failed read if there was one.
func (p *Pane) showReport(r *model.Report) {
	if p.failure != nil && !slices.Contains(r.Problems, *p.failure) {
		all := *r
		all.Problems = append([]model.Problem{*p.failure}, r.Problems...)
		all.Count[model.Error]++
		all.Worst = model.Error
		r = &all
	}
	p.problems.set(p.doc, r)
	p.problems.chooseFolder.OnTapped = func() { p.OnResources(p.doc) }
	paint.SetVisible(p.problems.chooseFolder, p.OnResources != nil && p.doc.Project != "" && p.doc.Source.Home() != "" &&
		slices.ContainsFunc(r.Problems, func(problem model.Problem) bool { return problem.Absent }))
	p.bottom.updateTitles()
	p.Changed()
}

// verdict returns the message for a file without problems.
func verdict(r *model.Report, size int64) string {
	text := "No problems found: " + host.Number(r.Accounted) + " of " + host.Count(size, "byte") + " decoded"
	if n := len(r.Gaps); n > 0 {
		text += "; the rest is in " + host.Count(n, "gap")
	}
	return text + "."
}

// State is the state of a pane that survives a reload and is saved between sessions.
type State struct {
	Tree     tree.State
	Hex      hex.Saved
	Selected model.Path
	Key      string // key of the selected node; may be empty
	Text     string // path of the selected node, in names
	Grouping int
	Filter   string
}

// State returns the current state of the pane.
func (p *Pane) State() State {
	s := State{Tree: p.tree.State(), Hex: p.bytes.hex.Saved(), Grouping: p.grouping, Filter: p.filter.field.Text}
	if p.node != nil {
		s.Selected, s.Key, s.Text = p.node.Path(), p.node.Key, p.node.PathText()
	}
	return s
}

// Restore applies a state as far as the document allows. It finds the selection by path, else by key, else by names.
func (p *Pane) Restore(s State) {
	if s.Grouping == p.grouping {
		p.tree.Restore(s.Tree)
	} else {
		p.SetGrouping(s.Grouping)
	}
	n := p.doc.At(s.Selected)
	if n == nil || n.Key != s.Key || n.PathText() != s.Text {
		n = nil
		if path, ok := findKey(p.doc, s.Key); ok {
			n = p.doc.At(path)
		}
		if n == nil {
			n, _ = p.doc.Find(s.Text)
		}
	}
	if n != nil {
		p.choose(n, fromElsewhere)
	}
	p.bytes.hex.Restore(s.Hex)
	if n != nil {
		p.bytes.highlight(n, fromHex)
	}
	p.offset = p.bytes.hex.Caret()
	p.selectionChanged()
	if s.Filter != p.filter.field.Text {
		p.filter.field.SetText(s.Filter)
	}
}
