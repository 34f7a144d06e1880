package material

import (
	"cmp"
	"slices"
	"strings"

	"assay/model/scene"
)

// states sets how the surface is drawn over what was drawn before.
func (d *definition) states(m *scene.Material) {
	states := d.renderStates()
	if states.isOn("cullFace") {
		m.Cull = culled(states.word("cullFaceSide", "BACK"), states.word("frontFace", "CCW"))
	}
	if states.isOn("blend") {
		d.blending(m, states)
	}
	m.NoDepthTest = !states.isOn("depthTest")
	if !m.NoDepthTest {
		d.depthFunction(m, states.word("depthFunc", "LESS"))
	}
	if states.isOn("stencilTest") {
		d.remark("stencil test ignored")
	}
}

// renderStates are the words of the render states of each level, the innermost first. As in the engine
// (RenderState::StateBlock), an inner level does not set a state back to what the engine begins with, the usual word:
// it says nothing then of the state.
type renderStates []map[string]string

// renderStates returns the words of the render states, in capitals.
func (d *definition) renderStates() (all renderStates) {
	for _, level := range slices.Backward(d.levels) {
		words := make(map[string]string)
		for _, block := range level.Spaces() {
			if block.Name != "renderState" {
				continue
			}
			for _, name := range block.Names() {
				words[name] = strings.ToUpper(block.Last(name))
			}
		}
		all = append(all, words)
	}
	return all
}

// isOn reports whether a state that is usually off is on.
func (all renderStates) isOn(name string) bool {
	return slices.ContainsFunc(all, func(words map[string]string) bool { return words[name] == "TRUE" })
}

// word returns the word of a state.
func (all renderStates) word(name, usual string) string {
	for _, words := range all {
		if word := cmp.Or(words[name], usual); word != usual {
			return word
		}
	}
	return usual
}

// factors returns the words for what a color is multiplied with, and what is behind it: both are one state.
func (all renderStates) factors() (from, to string) {
	for _, words := range all {
		from, to = cmp.Or(words["blendSrc"], words["srcBlend"], "ONE"), cmp.Or(words["blendDst"], words["dstBlend"], "ZERO")
		if from != "ONE" || to != "ZERO" {
			break
		}
	}
	return from, to
}

// blend is how a color is mixed with what is behind it.
type blend struct {
	alpha    scene.AlphaMode
	additive bool
	unseen   bool
}

// blends are the ways to blend that are drawn as they are, by what the color is multiplied with (blendSrc), and what is
// behind it (blendDst), before both are added.
var blends = map[[2]string]blend{
	{"ONE", "ZERO"}:                      {},
	{"ZERO", "ONE"}:                      {unseen: true},
	{"SRC_ALPHA", "ONE_MINUS_SRC_ALPHA"}: {alpha: scene.AlphaBlend},
	{"SRC_ALPHA", "ONE"}:                 {alpha: scene.AlphaBlend, additive: true},
}

// blending sets how the color is mixed with what is behind it, with a remark if that is not as the game does.
func (d *definition) blending(m *scene.Material, states renderStates) {
	from, to := states.factors()
	b, exact := blends[[2]string{from, to}]
	switch {
	case exact:
	case to == "ONE":
		b = blend{alpha: scene.AlphaBlend, additive: true}
		d.remark("blending %s, %s is approximated by additive blending", from, to)
	default:
		b = blend{alpha: scene.AlphaBlend}
		d.remark("blending %s, %s is approximated by alpha blending", from, to)
	}
	if b.alpha != scene.Opaque {
		if m.Alpha == scene.AlphaDiscard {
			d.remark("alpha test ignored; drawn with blending only")
		}
		m.Alpha, m.Additive = b.alpha, b.additive
	}
	if b.unseen {
		m.Cull = scene.CullBoth
	}
}

// culled returns the sides that are not drawn: the back unless another is named, which is the front if the front is
// said to be clockwise.
func culled(side, front string) scene.Cull {
	switch clockwise := front == "CW"; {
	case side == "FRONT_AND_BACK":
		return scene.CullBoth
	case (side == "FRONT") != clockwise:
		return scene.CullFront
	}
	return scene.CullBack
}

// depthFunction sets what hides the surface, by the word for it.
func (d *definition) depthFunction(m *scene.Material, word string) {
	switch word {
	case "LESS", "LEQUAL":
	case "ALWAYS":
		m.NoDepthTest = true
	case "NEVER":
		m.Cull = scene.CullBoth
	default:
		d.remark("drawn with depth function LESS instead of %s", word)
	}
}
