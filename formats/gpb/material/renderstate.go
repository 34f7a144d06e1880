package material

import (
	"cmp"
	"strings"

	"assay/model/scene"
)

// states sets how the surface is drawn over what was drawn before.
func (d *definition) states(m *scene.Material) {
	if d.isOn("cullFace") {
		m.Cull = culled(d.renderState("cullFaceSide"), d.renderState("frontFace"))
	}
	if d.isOn("blend") {
		d.blending(m)
	}
	m.NoDepthTest = !d.isOn("depthTest")
	if !m.NoDepthTest {
		d.depthFunction(m)
	}
	if d.isOn("stencilTest") {
		d.remark("it is drawn without its stencil test")
	}
}

// renderState returns the innermost word of a render state in capitals, under any of its names; empty if none is set.
func (d *definition) renderState(names ...string) string {
	for block := range d.innermost("renderState") {
		for _, name := range names {
			if v := block.Last(name); v != "" {
				return strings.ToUpper(v)
			}
		}
	}
	return ""
}

func (d *definition) isOn(state string) bool { return d.renderState(state) == "TRUE" }

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
func (d *definition) blending(m *scene.Material) {
	from, to := cmp.Or(d.renderState("blendSrc", "srcBlend"), "ONE"), cmp.Or(d.renderState("blendDst", "dstBlend"), "ZERO")
	b, exact := blends[[2]string{from, to}]
	switch {
	case exact:
	case to == "ONE":
		b = blend{alpha: scene.AlphaBlend, additive: true}
		d.remark("it blends with %s and %s, and is drawn as added by its alpha", from, to)
	default:
		b = blend{alpha: scene.AlphaBlend}
		d.remark("it blends with %s and %s, and is drawn as transparent by its alpha", from, to)
	}
	if b.alpha != scene.Opaque {
		if m.Alpha == scene.AlphaDiscard {
			d.remark("it discards by alpha and blends, and is drawn as transparent only")
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

// depthFunction sets what hides the surface.
func (d *definition) depthFunction(m *scene.Material) {
	switch word := d.renderState("depthFunc"); word {
	case "", "LESS", "LEQUAL":
	case "ALWAYS":
		m.NoDepthTest = true
	case "NEVER":
		m.Cull = scene.CullBoth
	default:
		d.remark("it is drawn in front of what is farther, not where the depth is %s", word)
	}
}
