package dprsim

import (
	"slices"

	"assay/model"
)

// geometry is where the module _sim keeps a catom's place and color: x y z, then r g b, then a.
type geometry struct {
	columns []column
	wide    bool // places do not fit a float32 exactly
}

// geometry returns nil if the world has no module _sim with places.
func (b *body) geometry() *geometry {
	i := slices.IndexFunc(b.modules, func(m *module) bool { return m.name == simulator && m.whole })
	if i < 0 {
		return nil
	}
	m, g := b.modules[i], new(geometry)
	for k, name := range []string{"x", "y", "z", "r", "g", "b", "a"} {
		var code *code
		value := int64(slices.Index(m.names, name))
		if value >= 0 {
			code = m.template.codeOf(value)
		}
		switch {
		case code != nil:
			g.columns = append(g.columns, column{i, value})
			g.wide = g.wide || k < 3 && !code.fitsFloat32()
		case k < 3:
			return nil
		case k < 6: // there is no color without all of r, g, b
			g.columns = g.columns[:3]
			return g
		}
	}
	return g
}

// point returns a catom's place and color from the values of a geometry's columns: r, g, b, a as they are in the file,
// white and solid where a world has none. ok is false if the catom has no place.
func point(values []any) (at [3]float64, color [4]uint8, ok bool) {
	color = [4]uint8{255, 255, 255, 255}
	for i, v := range values {
		f, ok := model.Float(v)
		switch {
		case i < 3 && !ok:
			return at, color, false
		case i < 3:
			at[i] = f
		case ok:
			color[i-3] = uint8(min(max(f, 0), 255))
		}
	}
	return at, color, true
}
