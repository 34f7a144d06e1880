package decode

import "assay/model"

// As sets the type of the field that was just read.
func (c *Cursor) As(typ string) {
	if n := c.recorded(); n != nil {
		n.Type = typ
	}
}

// Type sets the type of the open struct.
func (c *Cursor) Type(typ string) {
	if n := c.Node(); n != nil && c.err == nil {
		n.Type = typ
	}
}

// Symbol names the value of the field that was just read.
func (c *Cursor) Symbol(s string) {
	if n := c.recorded(); n != nil {
		n.Symbols = model.Symbol(s)
	}
}

// Role sets what the value of the field that was just read means to the file as a whole.
func (c *Cursor) Role(r model.Role) {
	if n := c.recorded(); n != nil {
		n.Role = r
	}
}

// CopyValueUp sets the value of the open struct to that of the field that was just read, which remains its child.
func (c *Cursor) CopyValueUp() {
	c.noteValue()
	if leaf := c.recorded(); leaf != nil {
		n := c.rec.node
		n.Value, n.Symbols = leaf.Value, leaf.Symbols
		n.SetRaw(leaf.Raw())
	}
}

// CollapseStruct turns the open struct into a leaf with the value, symbol, link, role and problems of the field that
// was just read: for elements of a list that are plain values.
func (c *Cursor) CollapseStruct() {
	c.noteValue()
	leaf := c.recorded()
	if leaf == nil {
		return
	}
	n := c.rec.node
	n.Value, n.Symbols, n.Link, n.Role = leaf.Value, leaf.Symbols, leaf.Link, leaf.Role
	n.SetRaw(leaf.Raw())
	n.AddProblems(leaf.Problems()...)
	c.rec.children, c.rec.last = c.rec.children[:c.rec.from], nil
}

// noteValue notes that the line of the open struct has a value, which only a cursor that records has.
func (c *Cursor) noteValue() {
	if c.line != nil && c.depth == 1 {
		c.meets(Sound)
	}
}

// Key sets what identifies the open struct among its siblings.
func (c *Cursor) Key(key string) {
	if n := c.Node(); n != nil && c.err == nil {
		n.Key = key
	}
}
