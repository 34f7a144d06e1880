package decode

import (
	"fmt"

	"assay/model"
)

// fault is what stopped a cursor. Its text is made when it is asked for: quiet cursors try what may well fail.
type fault struct {
	format string
	args   []any
}

func (f *fault) Error() string { return fmt.Sprintf(f.format, f.args...) }

// Err is what went wrong first, without its offset, or the context's error; nil if nothing did.
func (c *Cursor) Err() error { return c.err }

// Fail records what went wrong on the open struct, at the present offset, and stops the cursor.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	c.stop(&fault{format, args})
	if c.rec != nil {
		n := c.rec.node
		n.Warn(model.Error, model.Span{Offset: c.Pos()}, format, args...)
	}
}

// Stop stops the cursor without a problem: who calls it reports the error elsewhere.
func (c *Cursor) Stop(err error) {
	if c.err == nil {
		c.stop(err)
	}
}

func (c *Cursor) stop(err error) {
	c.err = err
	c.allow()
}

// Warn adds a warning about the node that was recorded last; decoding goes on.
func (c *Cursor) Warn(format string, args ...any) { c.remark(model.Warning, format, args) }

// Note adds a remark about the node that was recorded last.
func (c *Cursor) Note(format string, args ...any) { c.remark(model.Note, format, args) }

// Wrong adds an error about the node that was recorded last; decoding goes on.
func (c *Cursor) Wrong(format string, args ...any) { c.remark(model.Error, format, args) }

func (c *Cursor) remark(s model.Severity, format string, args []any) {
	c.Remark(s, c.Last(), format, args...)
}

// Outcome is what a quiet cursor met from its start to its present offset.
type Outcome uint8

// The outcomes. Clean: no error, no remark, and every byte is a field's. Sound: no error. Broken: an error that stopped
// the cursor, that Try or Frame caught, or that was remarked.
const (
	Clean Outcome = iota
	Sound
	Broken
)

// Outcome returns what a quiet cursor met.
func (c *Cursor) Outcome() Outcome {
	if c.err != nil {
		return Broken
	}
	return c.met
}

// meets notes that a cursor met what is not better than o.
func (c *Cursor) meets(o Outcome) { c.met = max(c.met, o) }

// Subject is what a problem is about: a node that the cursor recorded, a field or the open struct, nil where it records
// nothing; or a span, which is a part of the open struct.
type Subject interface{ Contains(off int64) bool }

var (
	_ Subject = (*model.Node)(nil)
	_ Subject = model.Span{}
)

// Remark adds a problem about a node or about a part of the open struct; decoding goes on.
func (c *Cursor) Remark(s model.Severity, about Subject, format string, args ...any) {
	if c.err != nil {
		return
	}
	n, _ := about.(*model.Node)
	part, isPart := about.(model.Span)
	switch {
	case c.rec != nil && n == nil && !isPart:
	case c.rec == nil && s == model.Error:
		c.meets(Broken)
	case c.rec == nil:
		c.meets(Sound)
	case isPart:
		c.rec.node.Warn(s, part, format, args...)
	case n == c.rec.node && n.Size == 0:
		n.Warn(s, model.Span{Offset: n.Offset, Size: c.Pos() - n.Offset}, format, args...)
	default:
		n.Warn(s, n.Span, format, args...)
	}
}

// Try runs fields and reports whether they were read without an error. After an error, which stays on the node where
// it happened, the cursor can go on: the decoder says where with GoTo.
func (c *Cursor) Try(fields func()) bool {
	if c.err != nil {
		return false
	}
	fields()
	if c.err == nil {
		return true
	}
	c.meets(Broken)
	if c.ctx.Err() == nil {
		c.err = nil
		c.allow()
	}
	return false
}
