package kaitai

import (
	"assay/model"
)

// isParam reports whether the attribute is a parameter of its type, which has no bytes in a file.
func (a *Attribute) isParam() bool { return a.plan.slot < len(a.plan.owner.Params) }

// isInstance reports whether the attribute is an instance of its type, with a value outside the sequence.
func (a *Attribute) isInstance() bool {
	return a.plan.slot >= len(a.plan.owner.Params)+len(a.plan.owner.Seq)
}

// isBits reports whether the attribute is a bit field or a list of bit fields.
func (a *Attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == Bits }

// beginsWithBits reports whether the attribute begins at any bit of a byte.
func (a *Attribute) beginsWithBits() bool {
	return a.isBits() || a.isNested() && a.Type.Value.User.beginsWithBits()
}

// beginsWithBits reports whether objects of the type begin at any bit of a byte.
func (t *Type) beginsWithBits() bool { return len(t.Seq) > 0 && !t.plan.isAligned }

// isFlag reports whether the attribute is a single bit without an enumeration, as used in labels with names of flags.
func (a *Attribute) isFlag() bool { return a.isBits() && a.Type.Value.Width == 1 && a.plan.enum == nil }

// isNested reports whether the attribute is an object, or a list of objects, without a stream of its own. Such an
// object may begin within a byte.
func (a *Attribute) isNested() bool {
	return a.Type.On == nil && a.Type.Value.Kind == User && !a.hasEnd()
}

// isSingle reports whether the attribute is one value that is always present and unconstrained, so that an object can
// read it without further checks. The plan stores the result.
func (a *Attribute) isSingle() bool {
	return a.If == nil && a.Repeat.Kind == Once && a.Type.On == nil && a.Valid == nil && a.Type.Value.Kind != User
}

// isOneLeaf reports whether a list of numbers or bit fields is one leaf, because its elements need no nodes of their
// own.
func (a *Attribute) isOneLeaf() bool {
	return a.Repeat.Kind != Until && a.Type.On == nil && a.plan.enum == nil && a.plan.link == nil && a.Valid == nil &&
		(a.Type.Value.Kind == Number || a.Type.Value.Kind == Bits)
}

// isSkippable reports whether the attribute always takes the same number of bytes and its value is unused, so that a
// quiet reading can skip it.
func (a *Attribute) isSkippable() bool {
	if !a.plan.isSingle || a.plan.isUsed || a.plan.bits == dynamicSize || a.plan.bits%8 != 0 {
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

// attributeOf returns the attribute that reads a node. It is nil for the file as a whole, for a part of an attribute,
// such as the padding of its size, and for gaps. The node of an object stores its type, and the node of a list its
// attribute; other nodes in an object have the names of their attributes.
func attributeOf(n *model.Node) *Attribute {
	if n.Parent == nil || isGaps(n) {
		return nil
	}
	switch rule := n.Parent.ReadAs().(type) {
	case *Attribute:
		return rule
	case *Type:
		return rule.names.attributes[n.Name]
	}
	return nil
}

// isGaps reports whether a node is the list of the bytes that the description does not cover. It is the only node with
// children that no rule reads.
func isGaps(n *model.Node) bool { return n.ReadAs() == nil && !n.Leaf() }

// ruleOf returns the attribute that reads a node, or the nearest enclosing one. It is nil for the file as a whole, and
// false for bytes that the description does not cover.
func ruleOf(n *model.Node) (*Attribute, bool) {
	for ; n.Parent != nil; n = n.Parent {
		if a := attributeOf(n); a != nil || isGaps(n) {
			return a, a != nil
		}
	}
	return nil, true
}

// rule returns the location of the rule in the description that reads a node.
func (d *Description) rule(n *model.Node) (file string, line int, ok bool) {
	place := d.Root.location
	a, ok := ruleOf(n)
	switch {
	case !ok:
		return "", 0, false
	case a != nil:
		place = a.location
	}
	return place.file, place.line, true
}
