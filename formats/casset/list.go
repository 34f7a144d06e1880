package casset

import (
	"context"
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// objectList is where the objects are, which is all that is kept of one until it is looked at.
type objectList struct {
	entries   []entry
	start     int64  // of the first object, in 3.0 of the data table; 0 if it is not known
	end       int64  // after the last object
	magic     int64  // the offset of the last magic that magicAfter found (before 3.0)
	announced uint32 // how many there are, as the data table says
	node      *model.Node

	problems []listProblem
	broken   int // how many there are, also those that are not kept
}

type entry struct {
	off, size int64
}

// listProblem is what is wrong with the list at an offset.
type listProblem struct {
	at   int64
	text string
}

// brokenMost is how many problems of the list are reported one by one.
const brokenMost = 1000

// add adds an object after those that are known.
func (x *objectList) add(off, size int64) {
	x.entries = append(x.entries, entry{off, size})
	x.end = off + size
}

// findObjects finds where the objects are that are not listed yet.
func (f *file) findObjects(ctx context.Context, q *decode.Cursor) {
	switch f.lay.generation {
	case package1, map2:
		f.findMarked(ctx, q)
	case bundle3:
		f.findSized(ctx, q)
	}
}

// walk runs next, which finds one object, until there are no more or ctx ends.
func (f *file) walk(ctx context.Context, next func() bool) {
	for len(f.objects.entries) < math.MaxInt32 && next() {
		if len(f.objects.entries)&0xFFFF == 0 && ctx.Err() != nil {
			return
		}
	}
}

// wrong adds a problem at an offset.
func (x *objectList) wrong(at int64, format string, args ...any) {
	if x.broken++; x.broken <= brokenMost {
		x.problems = append(x.problems, listProblem{at, fmt.Sprintf(format, args...)})
	}
}

func (x *objectList) span(i int) model.Span {
	return model.Span{Offset: x.entries[i].off, Size: x.entries[i].size}
}

// recordObjects records the list of objects, which is in 3.0 the table "Serialized Data". The objects are decoded when
// they are looked at.
func (f *file) recordObjects(c *decode.Cursor) {
	x := &f.objects
	x.node = c.Struct("objects", "Object[]", func() {
		if f.lay.tables.counted {
			f.dataCount(c)
		}
		for _, p := range x.problems {
			c.Remark(model.Error, model.Span{Offset: p.at}, "%s", p.text)
		}
		if n := x.broken - len(x.problems); n > 0 {
			c.Remark(model.Error, model.Span{Offset: x.start}, "%d more errors in the object list", n)
		}
		c.Elements("Object", len(x.entries), nil,
			decode.Located(x.span, func(e *decode.Cursor, _ int) { f.object(e, &reader{file: f}) }))
		if x.end >= c.Pos() {
			c.GoTo(x.end)
		}
		if !f.lay.tables.endOfData {
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Wrong("the data should end with 0, not with %#x", end)
		}
	})
	if x.shown() == nil { // the data end before them: no path leads to what may have been found
		x.entries = nil
	}
}

// dataCount reads what comes before the objects of 3.0: the size of the data table and the number of objects.
func (f *file) dataCount(c *decode.Cursor) {
	x, l := &f.objects, &f.lay.tables
	size, end := c.Size("size", model.U64), x.end
	if l.endOfData {
		end += 4
	}
	switch end -= x.start + l.uncounted; {
	case size == uint64(end):
	case size == 0 && !l.endOfData: // as the first file of that layout has it
		c.Symbol("not recorded")
	default:
		c.Wrong("the data's size is %d, its objects and its end take %d bytes", size, end)
	}
	c.U32("count")
	c.Role(model.RoleCount)
	if n := len(x.entries); int64(x.announced) != int64(n) {
		c.Wrong("the header says %d objects, but %d were found", x.announced, n)
	}
}

// shown returns the elements of the list of objects; nil if it could not be recorded.
func (x *objectList) shown() *model.Elements {
	if x.node == nil {
		return nil
	}
	e, _ := x.node.Children().(*model.Elements)
	return e
}

// objectPath returns the path of the i-th object in the document.
func (f *file) objectPath(i int) model.Path {
	return append(f.objects.node.Path(), len(f.objects.shown().First)+i)
}

// objectOf returns the object that a node is or is a part of; false if it is not part of one.
func (f *file) objectOf(n *model.Node) (int, bool) {
	x := &f.objects
	for n != nil && n.Parent != x.node {
		n = n.Parent
	}
	list := x.shown()
	if n == nil || list == nil {
		return 0, false
	}
	i := n.Index - len(list.First)
	return i, i >= 0 && i < list.Count && x.span(i) == n.Span
}
