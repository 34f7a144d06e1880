package preview

import (
	"cmp"
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/content"
	"assay/model/render"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// ShowPlaceholder displays a text until a node is selected.
func (p *Preview) ShowPlaceholder(text string) {
	p.reveal()
	p.Close()
	p.setOrigin(content.Origin{}, "")
	p.setCaption("")
	p.showMessage(text)
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

// hideIfSlow hides the previous view, which is of another node, if finding the next one takes long.
func (p *Preview) hideIfSlow(d *model.Document, n *model.Node) {
	p.hidingLane.Go(func(ctx context.Context) func() {
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
