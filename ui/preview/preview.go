// Package preview displays the selected node. content.ViewFinder chooses the view: the format's own, else
// the content of the asset, else the bytes. Each kind of view (scene, picture, text, sound, bytes) has a viewer.
//
// An Overview displays a file of assets as a whole. A Profile displays bytes of an unknown type. A Sound is displayed
// as a wave, and played if there is a device.
package preview

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/picture"
	"assay/ui/rows"
	"assay/ui/text"
	"assay/ui/thumbnail"
	"assay/ui/viewport"
	"assay/ui/work"
)

type viewer interface {
	// Content returns the object for the panel.
	Content() fyne.CanvasObject
	// Load prepares a view of the kind, off the UI thread. show, which is called on it, displays the view; nil means
	// that there is no view.
	Load(ctx context.Context, v model.View) (show func(), err error)
	// Clear is called when another viewer replaces this one.
	Clear()
}

// Preview is the panel of a document's pane that displays the selected node.
type Preview struct {
	// Substitute replaces the view of a node before it is displayed, or returns it; it may be nil. It is called off the
	// UI thread.
	Substitute func(ctx context.Context, n *model.Node, v model.View) model.View
	// Empty returns the text for nodes without a view, or "" for the default. It may be nil.
	Empty func() string
	// TextBeside reports whether a text panel beside the preview displays the text of the document. The preview of the
	// file is then its fields.
	TextBeside bool
	// OnView is called after a view is displayed, or with nil if there is no view.
	OnView func(v model.View)
	// OnOffset is called when the user chooses a byte.
	OnOffset func(offset int64)
	// OnLarge is called when the preview of a kind of view is to be enlarged or restored. Without it, there is no
	// button.
	OnLarge func(kind model.ViewKind, large bool)
	// OnAsset is called when the user chooses one of several displayed assets.
	OnAsset func(d *model.Document, n *model.Node)
	// Assets returns the assets of the selected document, so that a file of several assets is displayed as an Overview.
	// If it is nil, the file is displayed as a sheet of tiles.
	Assets func() *archive.Shared
	// OnKind is called when the user chooses the assets of a type, OnProblem for a problem of the file, and OnProblems
	// for the list of all. At first they do nothing.
	OnKind     func(name string)
	OnProblem  func(p model.Problem)
	OnProblems func()
	// OnDrag starts a drag of assets; nil disables dragging.
	OnDrag func(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag
	// OnResources asks for the folder with the missing files of a scene of the document; it may be nil.
	OnResources func(d *model.Document)
	// OnMenu opens the menu of the asset that was chosen.
	OnMenu func(pos fyne.Position)

	group        *work.Group
	findingLane  *work.Lane // finds the view
	finder       *content.ViewFinder
	current      content.FoundView // the displayed view
	viewDocument *model.Document   // the document of the displayed view; may be nil
	viewNode     *model.Node       // node of the displayed view; nil for a sheet of assets
	hidingLane   *work.Lane        // hides the previous view while the next loads slowly
	hidden       bool              // the view is hidden
	host         host.Host
	options      thumbnail.Options

	viewers        map[model.ViewKind]viewer
	scenes         *scenes
	pictures       pictures
	overviews      *overviews
	viewer         viewer // may be nil
	previous       viewer // still displayed until viewer has drawn; may be nil
	stage          *fyne.Container
	caption        *control.Caption
	missing        *missingResources
	handle         *dragHandle
	enlargeButton  *control.Button // enlarges or restores
	maximizeButton *control.Button // maximizes
	buttons        *fyne.Container // container of enlargeButton and maximizeButton
	foot           *fyne.Container
	large          bool
	maximizer      *control.Maximizer
	origin         content.Origin // origin of the displayed view
	title          string         // title of a saved picture; empty if the view has its own

	document   *model.Document
	report     *model.Report // report on the document; nil until it is checked
	node       *model.Node
	offset     int64
	selectedAt time.Time // when the node was selected
}

var (
	_ doc.Panel    = (*Preview)(nil)
	_ doc.Selector = (*Preview)(nil)
)

// New makes a preview. Its work ends with the group.
func New(h host.Host, style *paint.Style, group *work.Group, o thumbnail.Options) *Preview {
	p := &Preview{host: h, group: group, findingLane: group.Lane(), hidingLane: group.Lane(),
		options: o, finder: &content.ViewFinder{Open: o.Open}, stage: container.NewStack()}
	h = &viewerHost{h, p}
	p.caption = control.NewCaption(h.ShowHint)
	p.caption.SizeName = theme.SizeNameCaptionText
	bytes := NewProfile(h, style, p.captionOf(model.BytesView))
	bytes.OnOffset = func(offset int64) {
		if p.OnOffset != nil && p.current.Asset < 0 {
			p.OnOffset(offset)
		}
	}
	pictureView := picture.New(h, style, group, p.captionOf(model.PictureView))
	pictureView.SetOnDrag(p.drag)
	p.scenes, p.pictures = newScenes(h, style, group, p), pictures{pictureView}
	p.overviews = newOverviews(h, style, group, o, p)
	p.viewers = map[model.ViewKind]viewer{
		model.SceneView:   p.scenes,
		model.PictureView: p.pictures,
		model.TextView:    texts{text.New(h, style, group, p.captionOf(model.TextView))},
		model.SoundView:   NewSound(style, group, p.captionOf(model.SoundView)),
		model.BytesView:   bytes,
		model.SheetView:   newSheets(h, style, group, o, p),

		model.PropertiesView: newProperties(h, style, p),
		model.OverviewView:   p.overviews,
	}
	p.Viewport().Title = func() string { return p.title }
	p.enlargeButton = control.NewTool(h, theme.MoveUpIcon(), h.Keys().HintOf(command.LargePreview),
		func() { p.SetLarge(!p.large) })
	p.maximizeButton = control.NewTool(h, theme.ViewFullScreenIcon(), h.Keys().HintOf(command.FullWindow),
		p.ToggleMaximized)
	p.handle = newDragHandle(h.ShowHint, p.drag, func(pos fyne.Position) {
		if p.OnMenu != nil {
			p.OnMenu(pos)
		}
	})
	p.buttons = container.NewHBox(p.enlargeButton, p.maximizeButton)
	p.foot = container.New(&footerLayout{onChange: func(bool) { p.showButtons() }}, p.handle, p.caption, p.buttons)
	p.missing = newMissing(h, func() { p.OnResources(p.viewDocument) })
	bottom := container.New(layout.NewCustomPaddedVBoxLayout(0), p.missing.bar, p.foot)
	p.maximizer = control.NewMaximizer(container.NewBorder(nil, bottom, nil, nil, p.stage), h.Keys())
	p.maximizer.OnChange = func() {
		p.showButtons()
		p.foot.Refresh()
		if p.viewer == viewer(p.scenes) && p.maximizer.IsMaximized() {
			p.scenes.viewport.Focus()
		}
	}
	p.showButtons()
	return p
}

// Viewport returns the viewport for scenes.
func (p *Preview) Viewport() *viewport.Viewport { return p.scenes.viewport }

// captionOf returns the func that sets the caption for the viewer of a kind. It ignores captions of viewers that are no
// longer displayed.
func (p *Preview) captionOf(k model.ViewKind) func(text string) {
	return func(text string) {
		if p.viewer != nil && p.viewer == p.viewers[k] {
			p.setCaption(text)
		}
	}
}

// SetWord sets the word for an asset of a document, instead of "asset".
func (p *Preview) SetWord(word func(d *model.Document) string) { p.overviews.Word = word }

// ExpectReload marks the next scene as a newly decoded one of the current scene, which keeps the camera.
func (p *Preview) ExpectReload() { p.scenes.expectsReload = true }

// Remarks returns messages about deviations of the view from the file, then those about guesses, which begin with
// model.Guessed; the caption has room for the first only.
func (p *Preview) Remarks() []string {
	if p.viewer != viewer(p.scenes) || p.scenes.model.Load() == nil {
		return nil
	}
	problems, guesses := p.Viewport().Remarks()
	return slices.Concat(problems, guesses)
}

// Close releases the displayed asset, and its viewer's data: the toolkit may keep the objects of a closed tab for a
// while.
func (p *Preview) Close() {
	p.findingLane.Stop()
	p.hidingLane.Stop()
	p.clear()
	p.current.Close()
	p.document, p.node, p.viewDocument, p.viewNode, p.current = nil, nil, nil, nil, content.FoundView{}
}

// Kind returns the kind of the displayed view, or BytesView without one.
func (p *Preview) Kind() model.ViewKind {
	if p.current.View == nil {
		return model.BytesView
	}
	return p.current.View.ViewKind()
}

// Title returns the title of the panel.
func (p *Preview) Title() string { return "Preview" }

// Content returns the object for the pane.
func (p *Preview) Content() fyne.CanvasObject {
	p.showButtons() // OnLarge may have been set
	return p.maximizer.Content()
}

// hasView reports whether the viewer still has the view: one of scenes may have made room for another scene.
func (p *Preview) hasView() bool {
	return p.viewer != viewer(p.scenes) || p.scenes.model.Load() != nil
}

// showSelection highlights the selection in the view.
func (p *Preview) showSelection() {
	if p.viewDocument != p.document {
		return
	}
	switch p.viewer {
	case p.scenes:
		p.scenes.Follow(p.document, p.node, p.offset)
	case p.pictures:
		var bytes model.Span
		if p.node != nil {
			bytes = p.node.Span
		}
		p.pictures.MarkBytes(bytes)
	}
}

// Reload displays the selected node again, because the result of Substitute has changed.
func (p *Preview) Reload() {
	s := doc.Selection{Document: p.document, Node: p.node}
	p.document, p.viewDocument = nil, nil
	p.Select(s)
}

// Select displays the view of the selected node.
func (p *Preview) Select(s doc.Selection) {
	p.overviews.SetReport(s.Report)
	p.report = s.Report
	p.showMissing()
	if s.Document == p.document && s.Node == p.node {
		if s.Offset != p.offset {
			p.offset = s.Offset
			p.showSelection()
		}
		return
	}
	isQuick := s.Document == p.document && time.Since(p.selectedAt) < quickSelection
	p.selectedAt = time.Now()
	p.document, p.node, p.offset = s.Document, s.Node, s.Offset
	if s.Document != nil {
		p.display(s.Document, cmp.Or(s.Node, s.Document.Root()), isQuick)
	}
}

// display finds and displays the view of a node. After a quick selection it waits for the next one first.
func (p *Preview) display(document *model.Document, node *model.Node, isQuick bool) {
	asset := -1
	if p.viewDocument == document && p.hasView() { // not the document selected last, which may not be displayed yet
		asset = p.current.Asset
	}
	var assets *archive.Shared
	if p.Assets != nil {
		assets = p.Assets()
	}
	substitute, textBeside := p.Substitute, p.TextBeside
	p.findingLane.Open(func(ctx context.Context) (done, dropped func()) {
		if isQuick && !p.group.Pause(ctx, settle) {
			return nil, nil
		}
		defer p.options.BeginDrawing()()
		found, err := p.find(ctx, document, node, asset, assets)
		if ctx.Err() != nil || err == errSame {
			found.Close()
			return func() {
				p.viewNode = node
				p.reveal()
				p.showSelection()
			}, nil
		}
		original := found.View
		found, show, err := p.load(ctx, node, found, err, substitute, textBeside)
		if ctx.Err() != nil {
			return nil, found.Close
		}
		origin, title, name := p.describe(ctx, document, node, found, original)
		return func() {
			p.viewDocument, p.viewNode, p.title = document, node, title
			p.show(found, show, err)
			p.setOrigin(origin, name)
		}, found.Close
	})
	p.hideIfSlow(document, node)
}

// load loads the view that was found for a node, or the fields of the node if that view is missing or plain. The
// returned func displays the view; it is nil if there is none.
func (p *Preview) load(ctx context.Context, n *model.Node, found content.FoundView, findErr error,
	substitute func(ctx context.Context, n *model.Node, v model.View) model.View, textBeside bool,
) (_ content.FoundView, show func(), err error) {
	if textBeside && n.Parent == nil && isPlain(found.View) {
		if t := content.PropertiesOf(content.MainNode(n)); t != nil {
			found.Close()
			found = content.FoundView{View: t, Asset: -1}
		}
	}
	isSuppressed := false
	err = findErr // unless a view is loaded
	if found.View != nil && substitute != nil {
		found.View = substitute(ctx, n, found.View)
		isSuppressed = found.View == nil
	}
	if found.View != nil {
		show, err = p.viewers[found.View.ViewKind()].Load(ctx, found.View)
	}
	if t := content.PropertiesOf(n); show == nil && t != nil && !isSuppressed && ctx.Err() == nil {
		found.Close()
		found = content.FoundView{View: t, Asset: -1}
		show, err = p.viewers[model.PropertiesView].Load(ctx, t)
	}
	return found, show, err
}

// describe returns the origin of a view, the title of a picture that is saved of it, which may be empty, and its name.
// original is the view before its substitution.
func (p *Preview) describe(ctx context.Context, d *model.Document, n *model.Node, found content.FoundView,
	original model.View) (origin content.Origin, title, name string) {
	if found.View != nil && found.View.ViewKind() != model.SheetView { // each asset of a sheet is dragged by itself
		origin = p.finder.Origin(ctx, d, n, found)
	}
	switch v := found.View.(type) {
	case *content.Properties:
		n = v.Node
	case *scene.Scene, model.Picture:
		n = drawnNode(ctx, d, n, origin.Node, original)
	}
	name = nameOf(d, n, found)
	switch {
	case found.View == nil || found.View.ViewKind() != model.SceneView:
	case found.Asset >= 0:
		title = origin.Name
	case n.Parent == nil && d.Source != nil: // also for a node without a view of its own
		title = name
	}
	return origin, strings.TrimSuffix(title, path.Ext(title)), name
}

// nameOf returns the name of the displayed view: the asset, else the node with its path.
func nameOf(d *model.Document, n *model.Node, found content.FoundView) string {
	switch {
	case found.Asset >= 0:
		return d.Payloads.At(found.Asset).Name
	case n.Parent == nil && d.Source != nil:
		return path.Base(d.Source.Name())
	}
	return n.TitlePath()
}

// drawnNode returns the node that v, the view of n, belongs to: for a scene the root, else the asset of n, else n.
func drawnNode(ctx context.Context, d *model.Document, n, asset *model.Node, v model.View) *model.Node {
	for _, drawn := range []*model.Node{d.Root(), asset} {
		switch {
		case drawn == n:
			return n
		case drawn == nil || d.View == nil || drawn.Parent == nil && v.ViewKind() != model.SceneView:
			continue // pictures of whole files are not decoded again
		}
		if view, err := d.View(ctx, drawn); err == nil && isSameView(view, v) {
			return drawn
		}
	}
	return n
}

// isSameView reports whether two views of a document are the same scene or, as far as their sizes tell, picture.
func isSameView(a, b model.View) bool {
	if p, ok := a.(model.Picture); ok {
		q, ok := b.(model.Picture)
		return ok && p.Bounds() == q.Bounds() && p.Format == q.Format && len(p.Parts) == len(q.Parts)
	}
	return a == b
}

// ShowAssets displays some assets of a document as a sheet until a node is selected.
func (p *Preview) ShowAssets(d *model.Document, assets []int) {
	p.document, p.node = d, nil
	p.hidingLane.Stop()
	p.findingLane.Go(func(ctx context.Context) func() {
		defer p.options.BeginDrawing()()
		sheet, err := content.SheetOfAssets(ctx, d, assets)
		if err != nil {
			return nil
		}
		show, err := p.viewers[model.SheetView].Load(ctx, sheet)
		return func() {
			p.viewDocument, p.viewNode = d, nil
			p.show(content.FoundView{View: sheet, Asset: -1}, show, err)
			p.setOrigin(content.Origin{}, "")
		}
	})
}

const (
	quickSelection = 150 * time.Millisecond // faster selections mean that the user is moving through a list
	settle         = 25 * time.Millisecond  // how long such a selection must last before its view is loaded
)

// errSame means that the view is already displayed.
var errSame = errors.New("this is already displayed")

// find returns the view of a node. asset is the currently displayed one, or -1. It returns errSame if the view is
// that of the displayed asset.
func (p *Preview) find(ctx context.Context, d *model.Document, n *model.Node, asset int,
	assets *archive.Shared) (content.FoundView, error) {
	found, err := p.finder.Find(ctx, d, n)
	switch {
	case found.View != nil && found.Asset >= 0 && found.Asset == asset:
		return found, errSame
	case ctx.Err() != nil:
		return found, err
	case n.Parent != nil && n.Type != model.Gap && found.Asset < 0 && err == nil && isPlain(found.View):
		if t := content.PropertiesOf(n); t != nil {
			found.View = t
		}
		return found, nil
	case found.View != nil && (found.View.ViewKind() != model.BytesView || n.Parent != nil):
		return found, err
	}
	if o, failed := overviewOf(ctx, d, assets); o != nil || failed != nil {
		found.Close()
		return content.FoundView{View: o, Asset: -1}, failed
	}
	sheet, failed := content.SheetOf(ctx, d)
	if sheet == nil || failed != nil ||
		!d.IsPackage && !(&render.Painter{Size: thumbnail.Side, Open: p.finder.Open}).Draws(ctx, d) {
		return found, cmp.Or(err, failed)
	}
	return content.FoundView{View: sheet, Asset: -1}, nil
}

// isPlain reports whether a view is only the bytes or the text of a node.
func isPlain(v model.View) bool {
	return v == nil || v.ViewKind() == model.BytesView || v.ViewKind() == model.TextView
}

// showMissing displays a notice if files are missing that the view needs.
func (p *Preview) showMissing() {
	if p.OnResources != nil && p.viewDocument != nil && p.viewDocument == p.document {
		p.missing.show(p.current.View, p.viewNode != nil && p.viewNode.Parent == nil, p.report)
	}
}

// show displays the result of find.
func (p *Preview) show(found content.FoundView, show func(), err error) {
	previous := p.current
	p.current = found
	defer previous.Close()
	p.hidingLane.Stop()
	p.reveal()
	p.showMissing()
	if p.OnView != nil {
		defer p.OnView(found.View)
	}
	if show == nil {
		p.showNothing(err)
		return
	}
	p.setViewer(p.viewers[found.View.ViewKind()])
	show()
	p.showSelection()
}
