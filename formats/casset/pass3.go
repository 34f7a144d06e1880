package casset

// dialect is what the layouts of Bundle 3.0 differ in inside of the values.
type dialect struct {
	prefix int64 // bytes of the size before every field, member and element: 0, 4 or 8
	fnBare bool  // elements of function arrays have none
}

// pass goes over values of Bundle 3.0 without recording them.
type pass struct {
	t      *schema
	d      dialect
	strict bool // look inside of values that say their size
}

// field goes behind a field, a member or an element, with its size if the dialect has one.
func (p pass) field(s *scanner, f *schemaField, depth int) {
	if p.d.prefix == 0 {
		p.value(s, f, depth)
		return
	}
	start, end := s.pos, s.end
	size, ok := fit(s.number(p.d.prefix), end-start)
	switch {
	case s.err != nil:
	case !ok || size < p.d.prefix:
		s.fail("a value's size does not fit")
	case !p.strict:
		if n, fixed := f.kind.fixed(); fixed && size != n+p.d.prefix {
			s.fail("the size of a %s is %d", f.kind, size)
		}
		s.skip(size - p.d.prefix)
	default:
		s.end = start + size
		p.value(s, f, depth)
		if s.err == nil && s.pos != s.end {
			s.fail("a value ends before its size")
		}
		s.end = end
	}
}

// value goes behind a value.
func (p pass) value(s *scanner, f *schemaField, depth int) {
	if depth > nestMost {
		s.fail("values nest deeper than %d levels", nestMost)
		return
	}
	switch f.kind {
	case kString:
		s.string(0)
	case kBinary:
		skipBlob(s, true)
	case kObject, kFunction:
		reference(s, f.kind)
	case kArray, kObjects, kStructs, kFunctions, kStore:
		p.elements(s, f, int64(s.u32()), depth)
	case kStruct:
		p.structure(s, f.index, depth+1)
	default:
		n, ok := f.kind.fixed()
		if !ok {
			s.fail("a value is of unknown type")
			return
		}
		s.skip(n)
	}
}

// reference goes behind a reference to an object or a function: 16 zero bytes, or more.
func reference(s *scanner, k kind) {
	if null(s.take(16)) {
		return
	}
	s.skip(16)
	if k == kFunction {
		s.string(0)
	}
}

func null(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// element gives the field that stands for the elements of an array.
func element(f *schemaField) (e schemaField) {
	switch f.kind {
	case kArray:
		e.kind = f.elem
		if !simple(e.kind) {
			e.kind = kBad
		}
	case kObjects, kStore:
		e.kind = kObject
	case kFunctions:
		e.kind = kFunction
	case kStructs:
		e.kind, e.index = kStruct, f.index
	}
	return e
}

// bare says that the elements of an array have no sizes.
func (d dialect) bare(k kind) bool {
	return d.prefix == 0 || k == kStore || k == kFunctions && d.fnBare
}

// elementLeast is the fewest bytes of an element, and whether all elements take as many.
func (p pass) elementLeast(f *schemaField) (n int64, fixed bool) {
	e := element(f)
	n, fixed = e.kind.fixed()
	switch {
	case f.kind == kStore:
		n, fixed = 32, true
	case e.kind == kStruct:
		in := p.t.plan(e.index, 0)
		n, fixed = in.least, in.fixed && !in.cyclic
		if p.d.prefix > 0 {
			n, fixed = 0, false
		}
	case !fixed:
		n = least(e.kind)
	}
	if !p.d.bare(f.kind) {
		n += p.d.prefix
		fixed = false
	}
	return n, fixed
}

func (p pass) elements(s *scanner, f *schemaField, n int64, depth int) {
	least, fixed := p.elementLeast(f)
	if least > 0 && n > s.left()/least {
		s.fail("%d elements do not fit in the %d bytes that are left", n, s.left())
		return
	}
	if fixed {
		s.skip(n * least)
		return
	}
	skip := p.element(f, depth)
	for ; n > 0 && s.err == nil; n-- {
		skip(s)
	}
}

// element gives what goes behind one element of an array.
func (p pass) element(f *schemaField, depth int) func(*scanner) {
	e := element(f)
	switch {
	case f.kind == kStore:
		return func(s *scanner) { s.skip(32) }
	case p.d.bare(f.kind):
		return func(s *scanner) { p.value(s, &e, depth) }
	}
	return func(s *scanner) { p.field(s, &e, depth) }
}

func (p pass) structure(s *scanner, index uint32, depth int) {
	if int64(index) >= int64(len(p.t.entries)) {
		s.fail("schema index %d is outside of the %d entries", index, len(p.t.entries))
		return
	}
	e := &p.t.entries[index]
	if e.plan.cyclic {
		s.fail("the struct %s contains itself", e.name)
		return
	}
	if p.d.prefix == 0 {
		for _, step := range e.plan.steps {
			if s.err != nil {
				return
			}
			if step.field < 0 {
				s.skip(step.bytes)
			} else {
				p.value(s, &e.fields[step.field], depth)
			}
		}
		return
	}
	for i := range e.fields {
		if s.err != nil {
			return
		}
		p.field(s, &e.fields[i], depth)
	}
}
