package preview

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/render"
	"assay/ui/doc"
	"assay/ui/paint"
	"assay/ui/thumbnail"
)

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
	if s.Document == nil {
		return
	}
	document, node := s.Document, s.Node
	if node == nil {
		node = document.Root()
	}
	asset := -1
	if p.viewDocument == document && p.hasView() { // not the document selected last, which may not be displayed yet
		asset = p.current.Asset
	}
	var assets *archive.Shared
	if p.Assets != nil {
		assets = p.Assets()
	}
	substitute, otherText := p.Substitute, p.TextBeside
	p.finding.Open(func(ctx context.Context) (done, dropped func()) {
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
		found, show, err := p.load(ctx, node, found, err, substitute, otherText)
		if ctx.Err() != nil {
			return nil, found.Close
		}
		origin, title, name := p.namesOf(ctx, document, node, found)
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
func (p *Preview) load(ctx context.Context, n *model.Node, found content.FoundView, failure error,
	substitute func(ctx context.Context, n *model.Node, v model.View) model.View, otherText bool,
) (_ content.FoundView, show func(), err error) {
	if otherText && n.Parent == nil && isPlain(found.View) {
		if t := content.PropertiesOf(content.MainNode(n)); t != nil {
			found.Close()
			found = content.FoundView{View: t, Asset: -1}
		}
	}
	err = failure
	isSuppressed := false
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

// namesOf returns the origin of a view, the title of a picture that is saved of it, which may be empty, and its name.
func (p *Preview) namesOf(ctx context.Context, d *model.Document, n *model.Node,
	found content.FoundView) (origin content.Origin, title, name string) {
	if found.View != nil && found.View.ViewKind() != model.SheetView { // each asset of a sheet is dragged by itself
		origin = p.finder.Origin(ctx, d, n, found)
	}
	name = nameOf(d, n, found)
	switch {
	case found.View == nil || found.View.ViewKind() != model.SceneView:
	case found.Asset >= 0:
		title = origin.Name
	case isWhole(ctx, d, found.View): // also for a node without a view of its own
		name = path.Base(d.Source.Name())
		title = name
	}
	return origin, strings.TrimSuffix(title, path.Ext(title)), name
}

// hideIfSlow hides the previous view, which is of another node, if finding the next one takes long.
func (p *Preview) hideIfSlow(d *model.Document, n *model.Node) {
	p.hiding.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, hideDelay) {
			return nil
		}
		return func() {
			if p.viewDocument != d || p.viewNode != n {
				p.hide("Reading " + model.OneLine(nameOf(d, n, content.FoundView{Asset: -1}), 200) + "…")
			}
		}
	})
}

// hide displays a text instead of the view and its caption, until reveal.
func (p *Preview) hide(text string) {
	p.removePrevious()
	p.hidden = true
	p.caption.Hide()
	p.handle.Hide()
	p.showMessage(text)
}

// reveal ends hide.
func (p *Preview) reveal() {
	if !p.hidden {
		return
	}
	p.hidden = false
	p.caption.Show()
	paint.SetVisible(p.handle, p.handle.fullName != "")
	p.stage.Objects = nil
	if p.viewer != nil {
		p.stage.Objects = []fyne.CanvasObject{p.viewer.Content()}
	}
	p.stage.Refresh()
}

// hideDelay is how long the previous view stays visible while the next one loads.
const hideDelay = 200 * time.Millisecond

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

// isWhole reports whether v is the view of the whole file.
func isWhole(ctx context.Context, d *model.Document, v model.View) bool {
	if d.View == nil || d.Source == nil || v == nil {
		return false
	}
	view, err := d.View(ctx, d.Root())
	return err == nil && view == v
}

// ShowAssets displays some assets of a document as a sheet until a node is selected.
func (p *Preview) ShowAssets(d *model.Document, assets []int) {
	p.document, p.node = d, nil
	p.hiding.Stop()
	p.finding.Go(func(ctx context.Context) func() {
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

// find returns the view of a node. asset is the currently displayed one, or -1.
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
	if sheet == nil || failed != nil || !(&render.Painter{Size: thumbnail.Side, Open: p.finder.Open}).Draws(ctx, d) {
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
	p.hiding.Stop()
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
