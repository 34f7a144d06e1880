package viewport

import (
	"slices"

	"assay/model/render"
	"assay/model/scene"
)

// hidden is what is not shown of both models of a viewport.
type hidden struct{ first, second []*scene.Node }

// hide hides what is selected, here and in the viewports that this one is joined with.
func (v *Viewport) hide() { v.together((*Viewport).hideOwn) }

// isolate hides all but what is selected, in all of them.
func (v *Viewport) isolate() {
	any := false
	v.together(func(o *Viewport) { any = any || o.selectsAny() })
	if any {
		v.together((*Viewport).isolateOwn)
	}
}

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

// picked is what is selected in both models; nil where it is not there.
func (v *Viewport) picked() (first, second *scene.Node) {
	if v.Holds == nil || v.Holds() {
		first = v.camera.Marks.Selected
	}
	if v.second != nil {
		second = v.second.selected
	}
	return first, second
}

func (v *Viewport) selectsAny() bool {
	first, second := v.picked()
	return first != nil || second != nil
}

func (v *Viewport) hideOwn() {
	first, second := v.picked()
	if first != nil {
		v.hidden.first = append(v.hidden.first, first)
		v.camera.Marks.Selected = nil
	}
	if second != nil {
		v.hidden.second = append(v.hidden.second, second)
		v.second.selected = nil
	}
	v.showHidden()
}

// showHidden shows both models but for what is hidden of them.
func (v *Viewport) showHidden() {
	h := hidden{slices.Clone(v.hidden.first), slices.Clone(v.hidden.second)}
	other := v.otherModel()
	v.change(func(m *render.Model) {
		m.Hide(h.first)
		if other != nil {
			other.Hide(h.second)
		}
	})
}

// isolateOwn shows what is selected only; of a model in which it is not, nothing.
func (v *Viewport) isolateOwn() {
	first, second := v.picked()
	other := v.otherModel()
	v.change(func(m *render.Model) {
		only(m, first)
		if other != nil {
			only(other, second)
		}
	})
}

func only(m *render.Model, n *scene.Node) {
	if n == nil {
		m.Hide(m.Scene().Roots)
		return
	}
	m.Isolate(n)
}

// otherModel is the second model; nil if there is none.
func (v *Viewport) otherModel() *render.Model {
	if v.second == nil {
		return nil
	}
	return v.second.model
}
