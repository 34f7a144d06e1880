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
	if n := c.titled(); n != nil {
		n.Type = typ
	}
}

// Symbol names the value of the field that was just read.
func (c *Cursor) Symbol(s string) {
	if n := c.recorded(); n != nil {
		n.Symbols = model.Symbol(s)
	}
}

// Value sets the value of the field that was just read to what v returns. v is called only if the cursor records.
func (c *Cursor) Value(v func() any) {
	if n := c.recorded(); n != nil {
		n.Value = v()
	}
}

// Link sets where the value of the field that was just read leads.
func (c *Cursor) Link(l *model.Link) {
	if n := c.recorded(); n != nil {
		n.Link = l
	}
}

// Role sets what the value of the field that was just read means to the file as a whole.
func (c *Cursor) Role(r model.Role) {
	if n := c.recorded(); n != nil {
		n.Role = r
	}
}

// titled returns the node of the open struct if its key, type and value are of use; else nil. A quiet cursor keeps those
// of the outermost struct for Reader.Line.
func (c *Cursor) titled() *model.Node {
	switch {
	case c.err != nil:
		return nil
	case c.rec != nil:
		return c.rec.node
	case c.depth == 1:
		return c.line
	}
	return nil
}

// Keyed reports whether the key of the open struct is of use: a function of the grammar may leave out what it does for
// a key only.
func (c *Cursor) Keyed() bool { return c.titled() != nil }

// Describe sets the value of the open struct and the symbol that names the value. nil and an empty string change
// nothing.
func (c *Cursor) Describe(value any, symbol string) {
	n := c.titled()
	if n == nil {
		return
	}
	if value != nil {
		n.Value = value
	}
	if symbol != "" {
		n.Symbols = model.Symbol(symbol)
	}
}

// CopyValueUp sets the value of the open struct to that of the field that was just read, which remains its child.
func (c *Cursor) CopyValueUp() {
	c.fills()
	if leaf := c.recorded(); leaf != nil {
		n := c.rec.node
		n.Value, n.Symbols = leaf.Value, leaf.Symbols
		n.SetRaw(leaf.Raw())
	}
}

// CollapseStruct turns the open struct into a leaf with the value, symbol, link, role and problems of the field that was
// just read: for elements of a list that are plain values.
func (c *Cursor) CollapseStruct() {
	c.fills()
	leaf := c.recorded()
	if leaf == nil {
		return
	}
	n := c.rec.node
	n.Value, n.Symbols, n.Link, n.Role = leaf.Value, leaf.Symbols, leaf.Link, leaf.Role
	n.SetRaw(leaf.Raw())
	n.AddProblems(leaf.Problems()...)
	c.rec.kids, c.rec.last = c.rec.kids[:c.rec.from], nil
}

// fills notes that the line of the open struct has a value, which only a cursor that records has.
func (c *Cursor) fills() {
	if c.line != nil && c.depth == 1 {
		c.faults = true
	}
}

// Key sets what identifies the open struct among its siblings.
func (c *Cursor) Key(key string) {
	if n := c.titled(); n != nil {
		n.Key = key
	}
}

// Label sets the function that returns what a person calls the open struct if that is not its key. It is called when
// the struct is shown. Callers ask Recording or Keyed first: a quiet reading must not allocate labels.
func (c *Cursor) Label(label func() string) {
	if c.rec != nil && c.err == nil {
		c.rec.node.SetLabel(label)
	}
}

// Whole turns the open struct, an element of a list, into a leaf with all of its bytes as its value.
func (c *Cursor) Whole() model.Blob {
	b := model.Blob{Source: c.src, Span: model.Span{Offset: c.Pos(), Size: c.Left()}}
	if c.err != nil {
		return b
	}
	c.Describe(b, "")
	c.skip(b.Span.Size)
	return b
}
