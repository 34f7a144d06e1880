package kaitai

import (
	"bytes"
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// Bounds on a description, so that one made to do harm is refused early.
const (
	maxFile    = model.DescriptionMost
	maxNesting = 100      // types within types
	maxNodes   = maxSigns // of YAML, with aliases followed: without aliases there are no more
	// Only aliases make more of a file of 1 MB. An attribute takes some 1 KB of memory.
	maxAttributes = 1 << 17
	maxTypes      = 20_000
	maxSigns      = 1 << 19 // that may begin a node of YAML: its nodes are larger than its text
)

// yamlReader reads the YAML of one description. The first error ends it.
type yamlReader struct {
	file        string
	description *Description
	known       map[reflect.Type][]knownKey
	nodes       int
	types       int
	attributes  int
	depth       int
}

// read returns the description in the text of a file; its names are not resolved yet.
func read(file string, text []byte) (*Description, error) {
	d := &Description{File: file, Imports: make(map[string]*Type), texts: map[string]string{file: string(text)}}
	r := &yamlReader{file: file, description: d, known: make(map[reflect.Type][]knownKey)}
	whole := place{file: file}
	if len(text) > maxFile {
		return nil, whole.fail("the description has %d bytes; %d are allowed", len(text), maxFile)
	}
	signs := 0
	for _, sign := range []string{"\n", ",", ":", "[", "{"} {
		signs += bytes.Count(text, []byte(sign))
	}
	if signs > maxSigns {
		return nil, whole.fail("the description has more than %d lines, commas, colons and brackets", maxSigns)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, whole.syntax(err)
	}
	if len(doc.Content) == 0 {
		return nil, whole.fail("the description is empty; it begins with `meta`")
	}
	top := doc.Content[0]
	d.Root = new(Type)
	if err := d.Root.read(r, entry{value: top, place: r.at(top, "")}); err != nil {
		return nil, err
	}
	meta := d.Root.Meta
	if meta.ID == "" {
		return nil, r.at(top, "/meta/id").fail("the id of the description is missing")
	}
	d.ID, d.Title, d.Extensions = meta.ID, cmp.Or(meta.Title, meta.ID), meta.Extensions
	return d, nil
}

// yamlLine is how the library says where something is.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax returns an error of the YAML with its line.
func (p place) syntax(err error) error {
	message := err.Error()
	if found := yamlLine.FindStringSubmatch(message); found != nil {
		p.line, _ = strconv.Atoi(found[1])
		message = strings.TrimPrefix(message, found[0])
	}
	return p.fail("this is not YAML: %s", message)
}

// reading reads objects of one stream with a cursor, in any of the cursor's ways, and evaluates their expressions. It
// is of one goroutine. What it passes on to the readings that it makes is what the functions below say.
type reading struct {
	stream *stream
	c      *decode.Cursor // on the stream; nil if only expressions are evaluated
	bits   bitsLeft       // of the byte before the cursor

	waiting

	deferred *deferred // nodes that are added when all is read; nil while nothing is recorded
	wanted   field     // what is read for its value, whether or not expressions mention it
	current  scope     // of the expression that is evaluated
	drops    bool      // the element that is read is dropped when its list goes on
}

// waiting is what waits for a reading, or is around it: each reading that is made of another has what that one has, but
// for what is said where it is made.
type waiting struct {
	active    *activation // what is evaluated or read now
	suspended *suspended  // the streams that are read no further meanwhile
	shown     *shownPath  // the objects whose instances are shown
}

// newReading returns a reading that nothing waits for.
func newReading(s *stream, c *decode.Cursor) *reading {
	return &reading{stream: s, c: c}
}

// reading returns what records an object with a cursor while its instances are shown.
func (s *shownPath) reading(c *decode.Cursor) *reading {
	r := newReading(s.o.stream, c)
	r.shown = s
	return r
}

// instanceReading returns what reads the instances of an object that is shown, which was read to its end.
func (s *shownPath) instanceReading() *reading {
	r := s.reading(nil)
	r.suspended = &suspended{stream: s.o.stream, at: s.o.end - s.o.stream.span.Offset}
	return r
}

// with returns a reading of the same stream with another cursor, which records nodes of its own, or with the same.
func (r *reading) with(c *decode.Cursor) *reading {
	in := &reading{stream: r.stream, c: c, waiting: r.waiting}
	if c == r.c {
		in.deferred = r.deferred
	}
	return in
}

// later returns a reading without a cursor: others are made of it when somebody looks.
func (r *reading) later() *reading {
	return r.with(nil)
}

// within returns what reads a stream within this one, which is taken to be read up to an offset meanwhile.
func (r *reading) within(s *stream, c *decode.Cursor, end int64) *reading {
	in := r.with(c)
	in.stream, in.suspended = s, &suspended{r.stream, end - r.stream.span.Offset, r.suspended}
	return in
}

// withinMade is within for a stream that a process made: its nodes are part of what this reading records.
func (r *reading) withinMade(s *stream, c *decode.Cursor, end int64) *reading {
	in := r.within(s, c, end)
	in.deferred = r.deferred
	return in
}

// elsewhere returns what reads an instance of an object with a cursor on the stream of the instance. It depends on the
// object alone, not on who asks.
func (r *reading) elsewhere(o *object, i *instance, c *decode.Cursor) *reading {
	in := r.with(c)
	in.stream, in.suspended = i.stream, &suspended{stream: o.stream, at: i.ownPos}
	return in
}

// evaluating returns what evaluates an instance of an object where this reading is.
func (r *reading) evaluating(o *object, a *Attribute) *reading {
	in := r.with(r.c)
	in.bits, in.active = r.bits, r.active.with(o.field(a))
	return in
}

// activation is an instance that is evaluated, or an element of a list that is read, with what waits for it. It does
// not change, but for the list and depends.
type activation struct {
	field                   // an element, or an instance as a whole
	read  *expression.Value // the element, once it is read
	list  *elements         // what is read of an instance that is a list
	outer *activation       // what needs the instance, or has the list
	needs int               // how many instances need one another
	// depends says that an instance may be another one, or not fail, when more is read or something else needs it.
	depends atomic.Bool
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

// dependOn notes that what is active within an outer activation depends on it; on nil, that all that is active depends
// on how much is read.
func (in *activation) dependOn(outer *activation) {
	for ; in != outer; in = in.outer {
		in.depends.Store(true)
	}
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
	for now := in; in != nil; in = in.outer {
		if in.evaluates(o, a) {
			now.dependOn(in)
			return in.list
		}
	}
	return nil
}

// suspended is a stream that is read no further while another one is.
type suspended struct {
	stream *stream
	at     int64 // how far it is read, relative to its span
	outer  *suspended
}

// position returns how far a stream is read: by what reads now or was suspended for it, else in all.
func (r *reading) position(s *stream) int64 {
	if r.stream == s && r.c != nil {
		return r.c.Pos() - s.span.Offset
	}
	for in := r.suspended; in != nil; in = in.outer {
		if in.stream == s {
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

// isNeeded reports whether the value of a field is of use.
func (r *reading) isNeeded(f field) bool {
	return f.a.plan.used || f.a.Valid != nil || f.a.Repeat.Way == Until || f == r.wanted
}

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
