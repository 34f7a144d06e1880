package dprsim

import (
	"context"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// switches returns the switch between byte orders of native codes, which a file does not record; nil if the file has no
// native codes.
func (r *reader) switches(src *model.Source) []model.Switch {
	native := false
	for _, m := range r.modules {
		native = native || m.template.native()
	}
	if !native {
		return nil
	}
	s := model.Switch{Name: "Native byte order", Choices: []string{"little-endian", "big-endian"}}
	if r.o.bigEndian {
		s.Current = 1
	}
	s.Reopen = func(ctx context.Context, choice int) (*model.Document, error) {
		return openState(ctx, src, options{bigEndian: choice == 1})
	}
	return []model.Switch{s}
}

// The number of catoms, and of values of a code in each, that checkByteOrder looks at.
const checkedCatoms, checkedValues = 64, 16

// checkByteOrder adds a note to a module most of whose native values are plausible only in the other byte order.
func (r *reader) checkByteOrder(ctx context.Context) {
	read, swapped := make([]plausibility, len(r.modules)), make([]plausibility, len(r.modules))
	for _, b := range r.bodies {
		b.visitFirst(ctx, checkedCatoms, func(c *decode.Cursor, i int) {
			r.modules[i].template.runs(c, func(run run) {
				read[i].add(c, run, r.o.bigEndian)
				swapped[i].add(c, run, !r.o.bigEndian)
			})
		})
	}
	for i, m := range r.modules {
		is, other := read[i], swapped[i]
		if is.values > 0 && 2*is.plausible < is.values && 10*other.plausible >= 9*other.values {
			machine := "big-endian"
			if r.o.bigEndian {
				machine = "little-endian"
			}
			n := r.listingOf(i)
			n.Warn(model.Note, n.Span,
				"module %s looks %s; you can switch its native byte order",
				m.title(), machine)
		}
	}
}

// plausibility counts the values of native codes, and those of them whose size is plausible in a simulation.
type plausibility struct {
	values, plausible int
}

func (p *plausibility) add(c *decode.Cursor, r run, bigEndian bool) {
	if r.code.kind != number || !r.code.native || r.code.form.Size() < 4 {
		return
	}
	for k := range min(r.count, checkedValues) {
		v, _ := r.value(c, k, bigEndian)
		f, _ := model.Float(v)
		switch v.(type) {
		case int64, uint64:
			f /= 64 // integers count and address: they are larger
		}
		if f == 0 {
			continue // the same in both
		}
		p.values++
		if a := math.Abs(f); a > 1e-9 && a < 1<<20 {
			p.plausible++
		}
	}
}
