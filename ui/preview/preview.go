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
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/render"
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
	finding      *work.Lane // finds the view
	finder       *content.ViewFinder
	current      content.FoundView // the displayed view
	viewDocument *model.Document   // the document of the displayed view; may be nil
	viewNode     *model.Node       // node of the displayed view; nil for a sheet of assets
	hiding       *work.Lane        // hides the previous view while the next loads slowly
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
	p := &Preview{host: h, group: group, finding: group.Lane(), hiding: group.Lane(),
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
	pictureView.OnDrag(p.drag)
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

// ShowPlaceholder displays a text until a node is selected.
func (p *Preview) ShowPlaceholder(text string) {
	p.reveal()
	p.Close()
	p.setOrigin(content.Origin{}, "")
	p.setCaption("")
	p.showMessage(text)
}

// Close releases the displayed asset, and its viewer's data: the toolkit may keep the objects of a closed tab for a
// while.
func (p *Preview) Close() {
	p.finding.Stop()
	p.hiding.Stop()
	p.clear()
	p.current.Close()
	p.document, p.node, p.viewDocument, p.viewNode, p.current = nil, nil, nil, nil, content.FoundView{}
}

// showMessage displays a text instead of a view.
func (p *Preview) showMessage(text string) {
	l := widget.NewLabelWithStyle(text, fyne.TextAlignCenter, fyne.TextStyle{})
	l.Importance, l.Wrapping = widget.LowImportance, fyne.TextWrapWord
	p.stage.Objects = []fyne.CanvasObject{container.NewVBox(layout.NewSpacer(), l, layout.NewSpacer())}
	p.stage.Refresh()
}

// ToggleMaximized expands the preview to the whole window, or restores it.
func (p *Preview) ToggleMaximized() { p.maximizer.Toggle() }

// viewerHost is the host of the viewers of a preview, with the keys of the preview.
type viewerHost struct {
	host.Host
	p *Preview
}

// Key enlarges, maximizes or restores the preview, or passes the key to the host.
func (h *viewerHost) Key(k *fyne.KeyEvent, shift bool) bool {
	shift = shift || command.IsHeld(fyne.KeyModifierShift)
	switch {
	case h.Keys().Has(command.LargePreview, command.KeyOf(k, shift)):
		h.p.SetLarge(!h.p.large)
		return true
	case h.p.maximizer.Key(k):
		return true
	case h.Keys().Has(command.FullWindow, command.KeyOf(k, shift)):
		h.p.maximizer.Toggle()
		return true
	}
	return h.Host.Key(k, shift)
}

// SetLarge enlarges or restores the preview.
func (p *Preview) SetLarge(large bool) {
	if p.OnLarge == nil || p.large == large {
		return
	}
	p.maximizer.Close()
	p.large = large
	p.showButtons()
	p.foot.Refresh()
	p.OnLarge(p.Kind(), large)
	if p.viewer == viewer(p.scenes) {
		p.scenes.viewport.Focus() // its keys work at once
	}
}

// IsLarge reports whether the preview is enlarged.
func (p *Preview) IsLarge() bool { return p.large }

// Kind returns the kind of the displayed view, or BytesView without one.
func (p *Preview) Kind() model.ViewKind {
	if p.current.View == nil {
		return model.BytesView
	}
	return p.current.View.ViewKind()
}

// showButtons sets the icons and labels of the buttons. A narrow preview has no space for labels.
func (p *Preview) showButtons() {
	isWide := p.foot.Layout.(*footerLayout).isWide
	set := func(b *control.Button, label string, icon fyne.Resource) {
		if !isWide {
			label = ""
		}
		if b.Text != label || b.Icon != icon {
			b.Text, b.Icon = label, icon
			b.Refresh()
		}
	}
	paint.SetVisible(p.enlargeButton, p.OnLarge != nil && !p.maximizer.IsMaximized())
	if p.maximizer.IsMaximized() {
		set(p.maximizeButton, "Restore", theme.ViewRestoreIcon())
	} else {
		set(p.maximizeButton, "Maximize", theme.ViewFullScreenIcon())
	}
	defer p.buttons.Refresh()
	if p.large {
		set(p.enlargeButton, "Move to Side", theme.MoveDownIcon())
	} else {
		set(p.enlargeButton, "Enlarge", theme.MoveUpIcon())
	}
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

// setViewer makes v the current viewer. The previous viewer covers a scene until its first frame is drawn.
func (p *Preview) setViewer(v viewer) {
	if v == p.viewer {
		return
	}
	p.removePrevious()
	previous := p.viewer
	p.viewer = v
	p.stage.Objects = []fyne.CanvasObject{v.Content()}
	if v == viewer(p.scenes) && previous != nil {
		p.previous = previous
		p.scenes.viewport.OnDrawn = p.removePrevious
		p.stage.Add(paint.NewBackdrop(theme.ColorNameBackground))
		p.stage.Add(previous.Content())
	} else if previous != nil {
		previous.Clear()
	}
	p.stage.Refresh()
}

// removePrevious removes the previous viewer.
func (p *Preview) removePrevious() {
	if p.previous == nil {
		return
	}
	p.previous.Clear()
	p.previous = nil
	p.stage.Objects = p.stage.Objects[:1]
	p.stage.Refresh()
}

func (p *Preview) clear() {
	p.removePrevious()
	if p.viewer != nil {
		p.viewer.Clear()
		p.viewer = nil
	}
}

// showNothing displays the reason why there is no view.
func (p *Preview) showNothing(err error) {
	p.clear()
	p.stage.Objects = nil
	p.stage.Refresh()
	text := "No preview available."
	if p.Empty != nil {
		text = cmp.Or(p.Empty(), text)
	}
	p.setCaption(text)
	if err != nil && !errors.Is(err, render.ErrNothing) {
		p.setCaption(host.Sentence(err))
	}
}
