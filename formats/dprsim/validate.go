package dprsim

import "assay/model"

// validate remarks on what a state must have and does not, and on what it has that the document does not describe, with
// what was assumed.
func (r *reader) validate() {
	root, at := r.c.Node(), model.Span{Offset: r.c.Pos()}
	if len(r.bodies) == 0 {
		root.Warn(model.Error, at, "the file has no body chunk, so there are no catoms")
	}
	if len(r.modules) == 0 {
		root.Warn(model.Error, at, "no module list, so catom values cannot be decoded")
		return
	}
	r.validateBodies()
	r.validateSimulator()
}

// validateBodies remarks on bodies after the first and before a module: the document has one, after all modules.
func (r *reader) validateBodies() {
	for i, b := range r.bodies {
		span := model.Span{Offset: b.span.Offset}
		if i > 0 {
			b.content.Warn(model.Warning, span,
				"body %d of %d: the document has one; the catoms of all are read with the same modules", i+1,
				len(r.bodies))
		}
		for k, m := range r.modules {
			if r.listingOf(k).Offset > b.span.Offset {
				b.content.Warn(model.Warning, span,
					"the body comes before the listing of module %s; its catoms are read with all modules of the file",
					m.title())
				break
			}
		}
	}
}

// validateSimulator remarks unless there is one module _sim, of version 1.
func (r *reader) validateSimulator() {
	found, whole := 0, true
	for i, m := range r.modules {
		whole = whole && m.whole
		if m.name != simulator {
			continue
		}
		if found++; found > 1 {
			n := r.listingOf(i)
			n.Warn(model.Warning, n.Span, "module _sim is listed %d times; positions are taken from the first",
				found)
		}
		if m.whole && m.version != 1 {
			n := r.listingOf(i)
			n.Warn(model.Warning, n.Span,
				"unknown version %d of module _sim; decoded using its own types and names", m.version)
		}
	}
	if found == 0 && whole {
		r.c.Node().Warn(model.Warning, model.Span{Offset: r.c.Pos()},
			"no module _sim, so catom positions are unknown; catoms are listed but not drawn")
	}
}
