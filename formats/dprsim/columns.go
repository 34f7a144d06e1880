package dprsim

import (
	"context"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// columnsMax bounds the columns of a table: a template can have a thousand million values.
const columnsMax = 1024

// firstCatoms is how many catoms are looked at for the columns of values of which there may be any number.
const firstCatoms = 64

// rows returns the catoms as package catoms takes them.
func (b *body) rows() *Body {
	return &Body{List: b.list, Count: b.count(), Whole: b.clean, Geometry: b.geometry(), Columns: b.columns,
		Read: b.read}
}

// columns returns the id and the values of a module, or of catoms.AllModules.
func (b *body) columns(ctx context.Context, module int) []Column {
	all := []Column{ID}
	for i, m := range b.modules {
		if module >= 0 && i != module || len(all) >= columnsMax {
			continue
		}
		value := int64(0)
		for k := range m.template.codes {
			c := &m.template.codes[k]
			n := c.values()
			if n == toTheEnd { // as many as the longest of the first catoms has, and as have a name
				n = max(b.mostValues(ctx, i)-value, int64(len(m.names))-value, 0)
			}
			for ; n > 0 && len(all) < columnsMax; n-- {
				all = append(all, Column{Module: i, Value: value, Column: model.Column{Name: m.valueName(value),
					Group: m.key, Type: c.typ, Numeric: c.kind != text}})
				value++
			}
		}
	}
	return all
}

// mostValues returns the highest number of values that a module has in one of the first catoms.
func (b *body) mostValues(ctx context.Context, module int) (most int64) {
	b.visitFirst(ctx, firstCatoms, func(c *decode.Cursor, i int) {
		if i == module {
			b.modules[i].template.runs(c, func(r run) { most = max(most, r.first+r.count) })
		}
	})
	return most
}

// geometry returns where the module _sim keeps places and colors; nil if the world has none with places.
func (b *body) geometry() *Geometry {
	i := slices.IndexFunc(b.modules, func(m *module) bool { return m.name == simulator && m.whole })
	if i < 0 {
		return nil
	}
	m, g := b.modules[i], new(Geometry)
	for k, name := range []string{"x", "y", "z", "r", "g", "b", "a"} {
		var code *code
		value := int64(slices.Index(m.names, name))
		if value >= 0 {
			code = m.template.codeOf(value)
		}
		switch {
		case code != nil:
			g.Columns = append(g.Columns, Column{Module: i, Value: value})
			g.Wide = g.Wide || k < 3 && !code.fitsFloat32()
		case k < 3:
			return nil
		case k < 6: // there is no color without all of r, g, b
			g.Columns = g.Columns[:3]
			return g
		}
	}
	return g
}
