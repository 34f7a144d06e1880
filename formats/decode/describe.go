package decode

import "assay/model"

// As returns the node that was recorded last a type of its own.
func (c *Cursor) As(typ string) {
	if n := c.recorded(); n != nil {
		n.Type = typ
	}
}

// Type returns the open struct a type of its own.
func (c *Cursor) Type(typ string) {
	if n := c.titled(); n != nil {
		n.Type = typ
	}
}

// Symbol names the value that was recorded last.
func (c *Cursor) Symbol(s string) {
	if n := c.recorded(); n != nil {
		n.Symbols = model.Symbol(s)
	}
}

// Value sets the value of what was recorded last; it is made only where it is recorded.
func (c *Cursor) Value(v func() any) {
	if n := c.recorded(); n != nil {
		n.Value = v()
	}
}

// Link says where the value that was recorded last leads.
func (c *Cursor) Link(l *model.Link) {
	if n := c.recorded(); n != nil {
		n.Link = l
	}
}

// Role says what the value that was recorded last means to the file as a whole.
func (c *Cursor) Role(r model.Role) {
	if n := c.recorded(); n != nil {
		n.Role = r
	}
}

// titled is the node of the open struct if what stands in its line is of use.
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

// Describe sets the value of the open struct, and what names it; nil and an empty string leave what is there.
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

// CopyValueUp gives the open struct the value of the field that was just read, which stays below it.
func (c *Cursor) CopyValueUp() {
	c.fills()
	if leaf := c.recorded(); leaf != nil {
		n := c.rec.node
		n.Value, n.Symbols = leaf.Value, leaf.Symbols
		n.SetRaw(leaf.Raw())
	}
}

// CollapseStruct makes the open struct a leaf with everything of the field that was just read: for elements of a list
// that are plain values.
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

// Key is what identifies the open struct among its siblings.
func (c *Cursor) Key(key string) {
	if n := c.titled(); n != nil {
		n.Key = key
	}
}

// Label is what a person calls the open struct where that is not its key. It is asked when it is shown. Whoever calls
// this asks Recording first: a quiet reading makes no labels.
func (c *Cursor) Label(label func() string) {
	if c.rec != nil && c.err == nil {
		c.rec.node.SetLabel(label)
	}
}

// Whole makes the open struct, an element, a leaf of all its bytes, and goes on after them.
func (c *Cursor) Whole() model.Blob {
	b := model.Blob{Source: c.src, Span: model.Span{Offset: c.Pos(), Size: c.Left()}}
	if c.err != nil {
		return b
	}
	c.Describe(b, "")
	c.skip(b.Span.Size)
	return b
}
