package material

import (
	"strings"

	"assay/model/scene"
)

// states sets how the surface is drawn over what was drawn before.
func (d *definition) states(m *scene.Material) {
	if d.isOn("blend") {
		d.blending(m)
	}
	if d.isOn("cullFace") {
		m.Cull = culled(d.renderState("cullFaceSide"), d.renderState("frontFace"))
	}
	m.NoDepthTest = !d.isOn("depthTest")
	if !m.NoDepthTest {
		d.depthFunction(m)
	}
	if d.isOn("stencilTest") {
		d.remark("it is drawn without its stencil test")
	}
}

// renderState returns the word of a render state in capitals, under the first of its names that is set; empty if none
// is.
func (d *definition) renderState(names ...string) string {
	for _, name := range names {
		if v := innermost(d.stateBlocks, name); v != "" {
			return strings.ToUpper(v)
		}
	}
	return ""
}

func (d *definition) isOn(state string) bool { return d.renderState(state) == "TRUE" }

// blending sets how the color is mixed with what is behind it: source times blendSrc, plus what is there times
// blendDst.
func (d *definition) blending(m *scene.Material) {
	from, to := d.renderState("blendSrc", "srcBlend"), d.renderState("blendDst", "dstBlend")
	if from == "" {
		from = "ONE"
	}
	if to == "" {
		to = "ZERO"
	}
	switch {
	case from == "ONE" && to == "ZERO":
	case from == "ZERO" && to == "ONE":
		m.Cull = scene.CullBoth
	case to == "ONE":
		m.Alpha, m.Additive = scene.AlphaBlend, true
	default:
		m.Alpha = scene.AlphaBlend
		if to != "ONE_MINUS_SRC_ALPHA" || from != "SRC_ALPHA" && from != "ONE" {
			d.remark("it blends with %s and %s, and is drawn as transparent by its alpha", from,
				to)
		}
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
