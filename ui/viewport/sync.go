package viewport

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"assay/model/render"
	"assay/ui/paint"
)

// Sync synchronizes viewports: choosing a clip, playing, scrubbing, hiding and isolating in one of them applies to all.
func Sync(all ...*Viewport) {
	for _, v := range all {
		for _, o := range all {
			if o != v {
				v.synced = append(v.synced, o)
				v.play.synced = append(v.play.synced, o.play)
			}
		}
	}
}

// TakeBar removes the playback bar from a viewport and returns it for another layout. The synchronized viewports hide
// theirs, because it controls all of them.
func (v *Viewport) TakeBar() fyne.CanvasObject {
	p := v.play
	p.bar.Remove(p.row)
	for _, o := range p.synced {
		o.row.Hide()
	}
	p.isShared = true
	paint.SetVisible(p.row, false)
	return p.row
}

// isSharedByAny reports whether one of the synchronized viewports has the bar of all.
func (p *playback) isSharedByAny() bool {
	return p.isShared || slices.ContainsFunc(p.synced, func(o *playback) bool { return o.isShared })
}

// PlayAs displays the moment that another viewport displays.
func (v *Viewport) PlayAs(o *Viewport) { v.play.playAs(o.play) }

// leader returns the playback in control of the synchronized ones: the playing one, or else one that can play.
func (p *playback) leader() *playback {
	best := p
	for _, o := range p.synced {
		if o.playing || !best.canPlay() && o.canPlay() {
			best = o
		}
	}
	return best
}

// longest returns the longest duration of the synchronized playbacks.
func (p *playback) longest() float32 {
	length := max(p.length(), p.viewport.second.length())
	for _, o := range p.synced {
		if o.canPlay() && p.steps == nil && o.steps == nil {
			length = max(length, o.length())
		}
	}
	return length
}

// syncOthers synchronizes the others with this playback.
func (p *playback) syncOthers() {
	if p.steps != nil {
		return
	}
	for _, o := range p.synced {
		o.playAs(p)
	}
}

// playAs takes the clip and the time of another playback.
func (p *playback) playAs(o *playback) {
	if p.steps != nil || o.steps != nil {
		return
	}
	p.speed, p.stopsAtEnd = o.speed, o.stopsAtEnd
	if i := p.matchingClip(&o.track); i != p.current && p.canPlay() {
		p.selectClip(i)
	}
	p.time = p.start + o.time - o.start
	icon := theme.MediaPlayIcon()
	if o.leader().playing {
		icon = theme.MediaPauseIcon()
	}
	if p.button.Icon != icon {
		p.button.SetIcon(icon)
	}
	p.refresh()
}

// showBars shows the bars of all synchronized viewports that need one, with their duration.
func (p *playback) showBars() {
	found := p.canPlay()
	for _, o := range p.synced {
		found = found || o.canPlay() && o.steps == nil
	}
	for _, o := range append([]*playback{p}, p.synced...) {
		if o.steps == nil {
			paint.SetVisible(o.bar, found)
			paint.SetVisible(o.row, found && (o.isShared || !o.isSharedByAny()))
			o.refresh()
		}
	}
}

// refresh displays the current moment.
func (p *playback) refresh() {
	p.setSlider()
	p.slider.Step = max(float64(p.longest())/2000, 1e-4)
	p.showTime()
	p.viewport.redraw(false)
}

// scrub seeks to a time of the slider.
func (p *playback) scrub(t float32) {
	l := p.leader()
	if l == p || l.playing && p.canPlay() {
		p.seek(t)
		return
	}
	l.goTo(l.start + t - p.start)
}

// hidden holds the hidden pieces of both models of a viewport.
type hidden struct{ first, second hiddenPieces }

// hiddenPieces describes the hidden pieces of a model: those in pieces and, if isolated has a node, everything outside
// of isolated.
type hiddenPieces struct {
	isolated render.Piece
	pieces   []render.Piece
}

func (h *hiddenPieces) hasHidden() bool { return h.isolated.Node != nil || len(h.pieces) > 0 }

// hide hides the selection, here and in all synchronized viewports.
func (v *Viewport) hide() { v.forSynced((*Viewport).hideOwn) }

// isolate hides everything but the selection, in all of them.
func (v *Viewport) isolate() { v.forSynced((*Viewport).isolateOwn) }

// showAll makes all pieces visible, in all of them.
func (v *Viewport) showAll() {
	v.forSynced(func(o *Viewport) {
		o.hidden = hidden{}
		o.applyHidden()
	})
}

// forSynced calls do for the viewport and the synchronized ones.
func (v *Viewport) forSynced(do func(v *Viewport)) {
	do(v)
	for _, o := range v.synced {
		do(o)
	}
}

// selections returns the selection in both models, without a node where it does not exist.
func (v *Viewport) selections() (first, second render.Piece) {
	if v.HasSelection == nil || v.HasSelection() {
		first = v.SelectedPiece()
	}
	if v.second != nil {
		second.Node = v.second.selected
	}
	return first, second
}

// drawsSelection reports whether the selection is drawn.
func (v *Viewport) drawsSelection() bool {
	first, second := v.selections()
	return v.model != nil && v.model.Draws(first) || v.otherModel() != nil && v.otherModel().Draws(second)
}

// canHide reports whether the selection is drawn in one of the viewports.
func (v *Viewport) canHide() (possible bool) {
	v.forSynced(func(o *Viewport) { possible = possible || o.drawsSelection() })
	return possible
}

// hasHiddenPieces reports whether there are hidden pieces in one of the viewports.
func (v *Viewport) hasHiddenPieces() (hidden bool) {
	v.forSynced(func(o *Viewport) { hidden = hidden || o.hidden.first.hasHidden() || o.hidden.second.hasHidden() })
	return hidden
}

func (v *Viewport) hideOwn() {
	first, second := v.selections()
	if first.Node != nil {
		v.hidden.first.pieces = append(v.hidden.first.pieces, first)
		v.outline(render.Piece{})
	}
	if second.Node != nil {
		v.hidden.second.pieces = append(v.hidden.second.pieces, second)
		v.second.selected = nil
	}
	v.applyHidden()
}

// isolateOwn shows and frames only the selection, and nothing of a model without it.
func (v *Viewport) isolateOwn() {
	first, second := v.selections()
	v.hidden.first.isolate(v.model, first)
	v.hidden.second.isolate(v.otherModel(), second)
	if v.applyHidden(); first.Node != nil {
		v.FrameSelection()
	}
}

func (h *hiddenPieces) isolate(m *render.Model, p render.Piece) {
	if h.isolated = p; p.Node == nil && m != nil {
		h.pieces = nil
		for _, n := range m.Scene().Roots {
			h.pieces = append(h.pieces, render.Piece{Node: n})
		}
	}
}

// applyHidden draws both models without their hidden pieces.
func (v *Viewport) applyHidden() {
	v.freezeCamera()
	first, second := v.hidden.first, v.hidden.second
	first.pieces, second.pieces = slices.Clone(first.pieces), slices.Clone(second.pieces)
	secondModel, undrawn := v.otherModel(), v.showsUndrawn
	v.change(func(m *render.Model) {
		m.ShowsUndrawn = undrawn
		m.Show(first.isolated, first.pieces)
		if secondModel != nil {
			secondModel.Show(second.isolated, second.pieces)
		}
	})
	v.describe()
}

// otherModel returns the second model, or nil.
func (v *Viewport) otherModel() *render.Model {
	if v.second == nil {
		return nil
	}
	return v.second.model
}
