package dprsim

import (
	"context"

	"assay/model"
)

// Body is a body of catoms, in the order of the file.
type Body struct {
	List     *model.Node // whose elements the catoms are
	Count    int
	Whole    bool      // every catom has all values
	Geometry *Geometry // nil if nothing says where the catoms are

	// Columns returns the id and the values of a module, or of all modules with AllModules.
	Columns func(ctx context.Context, module int) []Column
	// Read calls visit with the values of the columns for each catom from one to another. A value that the catom does
	// not have is nil. raw has the bytes of a string that is not UTF-8, else nil. Both are good until the next catom.
	Read func(ctx context.Context, columns []Column, from, to int, visit Visit) error
}

// Visit is called with the values of columns of one catom.
type Visit func(row int, values []any, raw [][]byte) error

// AllModules stands for the number of a module.
const AllModules = -1

// Column is where a catom has a value: in the state of a module.
type Column struct {
	model.Column
	Module int   // of the modules of the file; negative: the column is the catom's id
	Value  int64 // of the values of the module
}

// ID is the column of the ids.
var ID = Column{Column: model.Column{Name: "id", Type: "u32", Numeric: true}, Module: -1}

// Geometry is where a catom's place and color are.
type Geometry struct {
	Columns []Column // x y z, then r g b, then a; there may be no color, or no a
	Wide    bool     // places do not fit a float32 exactly
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
