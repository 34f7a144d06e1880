package kaitai

import "slices"

// mentioned returns the ids that expressions of a description mention, before or after a point.
func (d *Description) mentioned() map[string]bool {
	used := make(map[string]bool)
	for t := range d.types() {
		for _, e := range t.expressions() {
			for _, id := range append(e.Names(), e.Fields()...) {
				used[id] = true
			}
		}
		for _, part := range t.label {
			if part.value != nil {
				for _, id := range append(part.value.Names(), part.value.Fields()...) {
					used[id] = true
				}
			}
		}
	}
	return used
}

// keep marks the attributes whose values expressions mention, numbers them, and finds those that a quiet reading passes
// over.
func (d *Description) keep(t *Type, mentioned map[string]bool) {
	for _, a := range t.attributes() {
		d.exports = d.exports || a.Export != nil
		if a.used = mentioned[a.ID] || a.isParam(); a.used { // parameters are shown, too
			a.kept = t.kept
			t.kept++
		}
		a.isLeaf = a.If == nil && a.Repeat.Way == Once && a.Type.On == nil && a.Type.Value.Kind != User && a.Valid == nil
	}
	for i, a := range t.Seq {
		a.aligns = i > 0 && t.Seq[i-1].isBits() && !a.isBits()
	}
	t.findRuns()
}

// findRuns finds the attributes of an object that can be passed over together.
func (t *Type) findRuns() {
	next := run{}
	for _, a := range slices.Backward(t.Seq) {
		if !a.isIdle() {
			next = run{}
			continue
		}
		next = run{next.attributes + 1, next.bytes + a.bits/8}
		a.run = next
	}
}

// isIdle reports whether the attribute takes so many bytes whatever is in them, and nothing asks for its value.
func (a *Attribute) isIdle() bool {
	if !a.isLeaf || a.used || a.bits == dynamicSize || a.bits%8 != 0 {
		return false
	}
	switch a.Type.Value.Kind {
	case Bytes:
		return a.Contents == nil && a.Process == nil && a.Terminator == nil && a.PadRight == nil
	case Number:
		return a.Type.Value.Order != nil || a.Type.Value.Width == 1
	}
	return false
}
