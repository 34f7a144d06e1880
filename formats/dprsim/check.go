package dprsim

import (
	"context"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// validate reports missing required parts of a state, and undocumented parts with the assumption made.
func (r *chunkReader) validate() {
	root, span := r.c.Node(), model.Span{Offset: r.c.Pos()}
	if len(r.bodies) == 0 {
		root.Warnf(model.Error, span, "the file has no body chunk, so there are no catoms")
	}
	if len(r.modules) == 0 {
		root.Warnf(model.Error, span, "no module list, so catom values cannot be decoded")
		return
	}
	r.validateBodies()
	r.validateSimulator()
}

// validateBodies remarks on bodies after the first and before a module: the document has one, after all modules.
func (r *chunkReader) validateBodies() {
	for i, b := range r.bodies {
		span := model.Span{Offset: b.span.Offset}
		if i > 0 {
			b.content.Warnf(model.Warning, span,
				"body %d of %d: the specification allows one; reading the catoms of all with the same modules", i+1,
				len(r.bodies))
		}
		for k, m := range r.modules {
			if r.listingOf(k).Offset > b.span.Offset {
				b.content.Warnf(model.Warning, span,
					"the body precedes the listing of module %s; reading its catoms with all modules of the file",
					m.title())
				break
			}
		}
	}
}

// validateSimulator remarks unless there is one module _sim, of version 1.
func (r *chunkReader) validateSimulator() {
	found, complete := 0, true
	for i, m := range r.modules {
		complete = complete && m.isComplete
		if m.name != simulator {
			continue
		}
		if found++; found > 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span, "module _sim is listed %d times; positions are taken from the first",
				found)
		}
		if m.isComplete && m.version != 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span,
				"unknown version %d of module _sim; decoded using its own types and names", m.version)
		}
	}
	if found == 0 && complete {
		r.c.Node().Warnf(model.Warning, model.Span{Offset: r.c.Pos()},
			"no module _sim, so catom positions are unknown; catoms are listed but not drawn")
	}
}

// switches returns the switch between byte orders of native codes, which a file does not record, or nil if the file has
// no native codes.
func (r *chunkReader) switches(src *model.Source) []model.ReadOption {
	native := false
	for _, m := range r.modules {
		native = native || m.template.isNative()
	}
	if !native {
		return nil
	}
	s := model.ReadOption{Name: "Native byte order", Choices: []string{"little-endian", "big-endian"}}
	if r.options.bigEndian {
		s.Current = 1
	}
	s.Reopen = func(ctx context.Context, choice int) (*model.Document, error) {
		return openState(ctx, src, options{bigEndian: choice == 1})
	}
	return []model.ReadOption{s}
}

// The number of catoms, and of values of a code in each, that checkByteOrder examines.
const checkedCatoms, checkedValues = 64, 16

// checkByteOrder adds a note to a module if most of its native values are plausible only in the other byte order.
func (r *chunkReader) checkByteOrder(ctx context.Context) {
	read, swapped := make([]plausibility, len(r.modules)), make([]plausibility, len(r.modules))
	for _, b := range r.bodies {
		b.visitFirst(ctx, checkedCatoms, func(c *decode.Cursor, i int) {
			r.modules[i].template.runs(c, func(run run) {
				read[i].add(c, run, r.options.bigEndian)
				swapped[i].add(c, run, !r.options.bigEndian)
			})
		})
	}
	for i, m := range r.modules {
		asRead, other := read[i], swapped[i]
		if asRead.values > 0 && 2*asRead.plausible < asRead.values && 10*other.plausible >= 9*other.values {
			order := "big-endian"
			if r.options.bigEndian {
				order = "little-endian"
			}
			n := r.listingOf(i)
			n.Warnf(model.Note, n.Span,
				"module %s looks %s; you can switch its native byte order",
				m.title(), order)
		}
	}
}

// plausibility counts the values of native codes, and the values that are plausible sizes in a simulation.
type plausibility struct {
	values, plausible int
}

func (p *plausibility) add(c *decode.Cursor, r run, bigEndian bool) {
	if r.code.kind != number || !r.code.isNative || r.code.form.Size() < 4 {
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
