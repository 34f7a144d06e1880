package viewport

import (
	"slices"

	"assay/model/render"
)

// hidden is what is not shown of both models of a viewport.
type hidden struct{ first, second hiding }

// hiding is what is not shown of a model: some pieces, and all that is not of one, unless that has no node.
type hiding struct {
	only   render.Piece
	pieces []render.Piece
}

func (h *hiding) some() bool { return h.only.Node != nil || len(h.pieces) > 0 }

// hide hides what is selected, here and in the viewports that this one is joined with.
func (v *Viewport) hide() { v.together((*Viewport).hideOwn) }

// isolate hides all but what is selected, in all of them.
func (v *Viewport) isolate() { v.together((*Viewport).isolateOwn) }

// showAll shows what was hidden, in all of them.
func (v *Viewport) showAll() {
	v.together(func(o *Viewport) {
		o.hidden = hidden{}
		o.showHidden()
	})
}

// together has something done to the viewport and to those that it is joined with.
func (v *Viewport) together(do func(v *Viewport)) {
	do(v)
	for _, o := range v.joins {
		do(o)
	}
}

// picked is what is selected in both models; without a node where it is not there.
func (v *Viewport) picked() (first, second render.Piece) {
	if v.Holds == nil || v.Holds() {
		first = v.SelectedPiece()
	}
	if v.second != nil {
		second.Node = v.second.selected
	}
	return first, second
}

// selectsAny reports whether something that is drawn is selected.
func (v *Viewport) selectsAny() bool {
	first, second := v.picked()
	return v.model != nil && v.model.Draws(first) || v.otherModel() != nil && v.otherModel().Draws(second)
}

// canHide reports whether something that is drawn is selected in one of the viewports.
func (v *Viewport) canHide() (can bool) {
	v.together(func(o *Viewport) { can = can || o.selectsAny() })
	return can
}

// hides reports whether something is hidden in one of the viewports.
func (v *Viewport) hides() (some bool) {
	v.together(func(o *Viewport) { some = some || o.hidden.first.some() || o.hidden.second.some() })
	return some
}

func (v *Viewport) hideOwn() {
	first, second := v.picked()
	if first.Node != nil {
		v.hidden.first.pieces = append(v.hidden.first.pieces, first)
		v.outline(render.Piece{})
	}
	if second.Node != nil {
		v.hidden.second.pieces = append(v.hidden.second.pieces, second)
		v.second.selected = nil
	}
	v.showHidden()
}

// isolateOwn shows what is selected only; of a model in which it is not, nothing.
func (v *Viewport) isolateOwn() {
	first, second := v.picked()
	v.hidden.first.isolate(v.model, first)
	v.hidden.second.isolate(v.otherModel(), second)
	v.showHidden()
}

func (h *hiding) isolate(m *render.Model, p render.Piece) {
	if h.only = p; p.Node == nil && m != nil {
		h.pieces = nil
		for _, n := range m.Scene().Roots {
			h.pieces = append(h.pieces, render.Piece{Node: n})
		}
	}
}

// showHidden shows both models but for what is hidden of them.
func (v *Viewport) showHidden() {
	v.freezeCamera()
	first, second := v.hidden.first, v.hidden.second
	first.pieces, second.pieces = slices.Clone(first.pieces), slices.Clone(second.pieces)
	other := v.otherModel()
	v.change(func(m *render.Model) {
		m.Show(first.only, first.pieces)
		if other != nil {
			other.Show(second.only, second.pieces)
		}
	})
}

// otherModel is the second model; nil if there is none.
func (v *Viewport) otherModel() *render.Model {
	if v.second == nil {
		return nil
	}
	return v.second.model
}
