package decode

import (
	"fmt"

	"assay/model"
)

// fault is the error that stopped a cursor. It is formatted on demand: quiet cursors often fail on purpose.
type fault struct {
	format string
	args   []any
}

func (f *fault) Error() string { return fmt.Sprintf(f.format, f.args...) }

// Err returns the first error, without its offset, or the error of the context. It is nil if there is none.
func (c *Cursor) Err() error { return c.err }

// Fail records an error on the open struct, at the current offset, and stops the cursor.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	c.Stop(&fault{format, args})
	if c.rec != nil {
		n := c.rec.node
		n.Warnf(model.Error, model.Span{Offset: c.Pos()}, format, args...)
	}
}

// Stop stops the cursor without a problem. The caller reports the error.
func (c *Cursor) Stop(err error) {
	if c.err == nil {
		c.err = err
		c.updateLimit()
	}
}

// Warnf adds a warning about the last recorded node. Decoding continues.
func (c *Cursor) Warnf(format string, args ...any) {
	c.Remark(model.Warning, c.Last(), format, args...)
}

// Notef adds a note about the last recorded node. Decoding continues.
func (c *Cursor) Notef(format string, args ...any) {
	c.Remark(model.Note, c.Last(), format, args...)
}

// Errorf adds an error about the last recorded node. Decoding continues.
func (c *Cursor) Errorf(format string, args ...any) {
	c.Remark(model.Error, c.Last(), format, args...)
}

// Outcome is the result of a quiet cursor from its start to its current offset.
type Outcome uint8

// The outcomes. Clean: no error, no remark, every byte is a field's, and no value of a line. Sound: no error. Broken:
// an error that stopped the cursor, that Try or Frame caught, or that was remarked.
const (
	Clean Outcome = iota
	Sound
	Broken
)

// Outcome returns the result of a quiet cursor so far.
func (c *Cursor) Outcome() Outcome {
	if c.err != nil {
		return Broken
	}
	return c.outcome
}

// raise sets the outcome to o if o is worse.
func (c *Cursor) raise(o Outcome) { c.outcome = max(c.outcome, o) }

// Target is the target of a problem: a recorded node, which is nil if the cursor does not record, or a span within the
// open struct.
type Target interface{ Contains(off int64) bool }

var (
	_ Target = (*model.Node)(nil)
	_ Target = model.Span{}
)

// Remark adds a problem about a node or about a part of the open struct. Decoding continues.
func (c *Cursor) Remark(s model.Severity, about Target, format string, args ...any) {
	if c.err != nil {
		return
	}
	n, _ := about.(*model.Node)
	part, isPart := about.(model.Span)
	switch {
	case c.rec != nil && n == nil && !isPart:
	case c.rec == nil && s == model.Error:
		c.raise(Broken)
	case c.rec == nil:
		c.raise(Sound)
	case isPart:
		c.rec.node.Warnf(s, part, format, args...)
	case n == c.rec.node && n.Size == 0:
		n.Warnf(s, model.Span{Offset: n.Offset, Size: c.Pos() - n.Offset}, format, args...)
	default:
		n.Warnf(s, n.Span, format, args...)
	}
}

// Try runs fields and reports whether they were read without an error. After an error, which stays on the node where it
// happened, the cursor can continue: the decoder calls GoTo.
func (c *Cursor) Try(fields func()) bool {
	if c.err != nil {
		return false
	}
	fields()
	if c.err == nil {
		return true
	}
	c.raise(Broken)
	if c.ctx.Err() == nil {
		c.err = nil
		c.updateLimit()
	}
	return false
}
