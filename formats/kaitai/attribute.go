package kaitai

// What is asked of an attribute, and by whom. Readings ask the most often for what prepare has in the plan.

// isParam reports whether the attribute is a parameter of its type.
func (a *Attribute) isParam() bool { return a.plan.slot < len(a.plan.owner.Params) }

// isInstance reports whether the attribute is an instance of its type.
func (a *Attribute) isInstance() bool {
	return a.plan.slot >= len(a.plan.owner.Params)+len(a.plan.owner.Seq)
}

// isBits reports whether the attribute is a bit field or a list of them.
func (a *Attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == Bits }

// isFlag reports whether the attribute is a bit that is true or false.
func (a *Attribute) isFlag() bool { return a.isBits() && a.Type.Value.Width == 1 && a.plan.enum == nil }

// isNested reports whether the attribute is an object, or a list of them, without a stream of its own.
func (a *Attribute) isNested() bool {
	return a.Type.On == nil && a.Type.Value.Kind == User && !a.hasEnd()
}

// isLeaf reports whether the attribute is one value, of which nothing more is said.
func (a *Attribute) isLeaf() bool {
	return a.If == nil && a.Repeat.Way == Once && a.Type.On == nil && a.Valid == nil && a.Type.Value.Kind != User
}

// isPlain reports whether nothing is said of single elements: a list of numbers or of bit fields is one leaf then.
func (a *Attribute) isPlain() bool {
	return a.Repeat.Way != Until && a.Type.On == nil && a.plan.enum == nil && a.Valid == nil
}

// isIdle reports whether the attribute takes so many bytes whatever is in them, and nothing asks for its value.
func (a *Attribute) isIdle() bool {
	if !a.plan.isLeaf || a.plan.used || a.plan.bits == dynamicSize || a.plan.bits%8 != 0 {
		return false
	}
	switch ref := &a.Type.Value; ref.Kind {
	case Bytes:
		return a.Contents == nil && a.Process == nil && a.Terminator == nil && a.PadRight == nil
	case Number:
		return ref.Order != nil || ref.Width == 1
	}
	return false
}

// isSmall reports whether the elements of the list that an attribute is are too small for a block of leastBytes. Lists
// of many small records are long: opening one of 200,000 took 162 ms when they were looked at, and takes less than 1.
func (a *Attribute) isSmall() bool {
	return a.plan.isBare && a.plan.each != dynamicSize && a.plan.each < 8*leastBytes
}
