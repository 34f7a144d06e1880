package kaitai

// What is asked of an attribute, and by whom.

// isParam reports whether the attribute is a parameter of its type: resolving asks, of what no file has.
func (a *Attribute) isParam() bool { return a.plan.slot < len(a.plan.owner.Params) }

// isInstance reports whether the attribute is an instance of its type: scopes and lists ask, whose value is elsewhere.
func (a *Attribute) isInstance() bool {
	return a.plan.slot >= len(a.plan.owner.Params)+len(a.plan.owner.Seq)
}

// isBits reports whether the attribute is a bit field or a list of them: lists ask, and the plan of sizes.
func (a *Attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == Bits }

// isFlag reports whether the attribute is a bit that is true or false: labels ask, which have the names of flags.
func (a *Attribute) isFlag() bool { return a.isBits() && a.Type.Value.Width == 1 && a.plan.enum == nil }

// isNested reports whether the attribute is an object, or a list of them, without a stream of its own: the plan of
// sizes asks, because such an object may begin within a byte.
func (a *Attribute) isNested() bool {
	return a.Type.On == nil && a.Type.Value.Kind == User && !a.hasEnd()
}

// isSingle reports whether the attribute is one value that is always there, and anything will do: objects ask, which
// read it with nothing else. The plan has the answer.
func (a *Attribute) isSingle() bool {
	return a.If == nil && a.Repeat.Way == Once && a.Type.On == nil && a.Valid == nil && a.Type.Value.Kind != User
}

// isRow reports whether a list is one leaf: of numbers or bit fields, of which nothing is said one by one. Lists ask.
func (a *Attribute) isRow() bool {
	return a.Repeat.Way != Until && a.Type.On == nil && a.plan.enum == nil && a.Valid == nil &&
		(a.Type.Value.Kind == Number || a.Type.Value.Kind == Bits)
}

// isIdle reports whether the attribute takes so many bytes whatever is in them, and nothing asks for its value: the
// plan of what a quiet reading passes over asks.
func (a *Attribute) isIdle() bool {
	if !a.plan.isSingle || a.plan.used || a.plan.bits == dynamicSize || a.plan.bits%8 != 0 {
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

// isSmall reports whether the elements of the list that an attribute is are too small for a block of leastBytes: the
// look for blocks asks. Lists of many small records are long: opening one of 200,000 took 162 ms when they were looked
// at, and takes less than 1.
func (a *Attribute) isSmall() bool {
	return !a.plan.hasOther && a.plan.each != dynamicSize && a.plan.each < 8*leastBytes
}
