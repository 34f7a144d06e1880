package kaitai

import (
	"context"
	"slices"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// machine reads one file with one description. It may be used from several goroutines: what it keeps does not change
// once an object is read, and what is found later is set once.
type machine struct {
	ctx         context.Context
	description *Description
	recent      recent
}

// environment is what a reading shares with the readings of parts of what it reads.
type environment struct {
	*machine
	s           *stream
	active      *activation  // what is evaluated or read now
	shown       *shownPath   // the objects whose instances are shown
	interrupted *interrupted // the streams that are read no further meanwhile
}

// interrupted is a stream that is read no further while another one is.
type interrupted struct {
	s     *stream
	at    int64 // how far it is read, relative to its span
	outer *interrupted
}

// reading reads objects of a stream with a cursor, in any of the cursor's ways. It is of one goroutine.
type reading struct {
	environment
	c          *decode.Cursor
	bits       bitsLeft
	needsValue bool      // the value of the attribute is needed, whether or not expressions mention it
	deferred   *deferred // nil while nothing is recorded
	current    scope     // of the expression that is evaluated
}

// with returns a reading of the same stream with another cursor.
func (r *reading) with(c *decode.Cursor) *reading {
	in := &reading{environment: r.environment, c: c}
	if c == r.c {
		in.deferred = r.deferred
	}
	return in
}

// inside returns what reads an object in a stream of its own, whose attribute ends at an offset of the stream around
// it.
func (r *reading) inside(inner *object, c *decode.Cursor, end int64) *reading {
	in := r.with(c)
	in.s, in.interrupted = inner.s, &interrupted{r.s, end - r.s.span.Offset, r.interrupted}
	return in
}

// elsewhere returns what reads an instance of an object with a cursor.
func (r *reading) elsewhere(o *object, i *instance, c *decode.Cursor) *reading {
	in := r.with(c)
	in.s, in.interrupted = i.s, &interrupted{s: o.s, at: i.now}
	return in
}

// activation is an instance that is evaluated, or an element of a list that is read.
type activation struct {
	field             // an element, or an instance as a whole
	list  *elements   // what is read of an instance that is a list
	outer *activation // what needs the instance, or has the list
	needs int         // how many instances need one another
}

// with returns what is active while an instance or an element of a list is, within what is already.
func (in *activation) with(f field) *activation {
	now := &activation{field: f, outer: in}
	if in != nil {
		now.needs = in.needs
	}
	if f.i == noIndex {
		now.needs++
	}
	return now
}

// evaluates reports whether an instance is what is evaluated or read.
func (in *activation) evaluates(o *object, a *Attribute) bool {
	return in != nil && in.field == o.field(a)
}

// reads returns the list that is read of an instance; nil if none is.
func (in *activation) reads(o *object, a *Attribute) *elements {
	if a.Repeat.Way == Once {
		return nil
	}
	for ; in != nil; in = in.outer {
		if in.evaluates(o, a) {
			return in.list
		}
	}
	return nil
}

// position returns how far a stream is read: by what reads now or was interrupted for it, else in all.
func (r *reading) position(s *stream) int64 {
	if r.s == s && r.c != nil {
		return r.c.Pos() - s.span.Offset
	}
	for in := r.interrupted; in != nil; in = in.outer {
		if in.s == s {
			return in.at
		}
	}
	return s.ended.Load()
}

// deferred is nodes that are made when the outermost object is read: what they show may need attributes of any object.
type deferred struct{ todo []func() }

// add adds the nodes that a function returns to the struct that a cursor has open now.
func (d *deferred) add(c *decode.Cursor, nodes func() []*model.Node) {
	n := c.Node()
	d.todo = append(d.todo, func() {
		if n != c.Node() { // it is closed by now
			children, _ := n.Children().(model.List)
			n.SetChildren(append(slices.Clip(children), nodes()...))
			return
		}
		at := c.Pos()
		for _, child := range nodes() {
			c.Add(child)
			c.GoTo(at)
		}
	})
}

// outermost calls read, and adds the deferred nodes when what is recorded is read whole.
func (r *reading) outermost(read func()) {
	if !r.c.Recording() || r.deferred != nil {
		read()
		return
	}
	r.deferred = new(deferred)
	read()
	for _, add := range r.deferred.todo {
		add()
	}
	r.deferred = nil
}

// isNeeded reports whether the value of an attribute is of use.
func (r *reading) isNeeded(a *Attribute) bool { return r.needsValue || a.used || a.Valid != nil }

// eval evaluates an expression of a field; false after an error, which stops the cursor.
func (r *reading) eval(f field, key string, e *expression.Expression) (expression.Value, bool) {
	if r.c.Err() != nil {
		return expression.Value{}, false
	}
	v, err := e.Eval(r.scope(f))
	if err != nil {
		r.fail(f.a, key, err)
	}
	return v, err == nil
}

// whole evaluates an expression that must be a whole number.
func (r *reading) whole(f field, key string, e *expression.Expression) (int64, bool) {
	v, ok := r.eval(f, key, e)
	if !ok {
		return 0, false
	}
	n, err := v.Int()
	if err != nil {
		r.fail(f.a, key, err)
	}
	return n, err == nil
}

// fail stops the cursor with what is wrong with a key of an attribute.
func (r *reading) fail(a *Attribute, key string, err error) {
	if r.c.Err() == nil {
		r.c.Fail("%s: %v", a.keyName(key), err)
	}
}

// keyName names an attribute, or one of its keys, in a sentence.
func (a *Attribute) keyName(key string) string {
	if key == "" {
		return a.ID
	}
	return key + " of " + a.ID
}
