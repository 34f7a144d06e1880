package gpb

import (
	"assay/formats/decode"
	"assay/model"
)

// A file is read twice with the same functions: with the probe, and recording. What follows is the difference: what the
// probe finds out, which decides about the layout and is the content of the file.

// findings is what the probe finds out about a file.
type findings struct {
	file        *File
	targets     []target     // what each reference leads to
	doubts      int          // values that no encoder writes: they speak against the layout
	stopped     bool         // reading ended early
	end         int64        // where it ended
	objectCount int          // objects that were begun in the list of objects
	spans       []model.Span // those of them that were read to their ends
	tailAt      int64        // where a Scene's last members are that are at the end of the file; 0 if not
}

// target is what begins where a reference leads.
type target struct {
	progress progress
	typ      uint8 // a TypeID: the references of some writers name another
}

// progress is how far an object was read.
type progress uint8

const (
	unread progress = iota
	begun
	complete // to its end
)

// probing reports whether c is the probe, and not the cursor that records.
func (r *reader) probing(c *decode.Cursor) bool { return c == r.probe }

// noteListed keeps an object of the list of objects that begins at an offset.
func (r *reader) noteListed(c *decode.Cursor, f *File, o Object, start int64) {
	if !r.probing(c) {
		return
	}
	if r.found.objectCount++; c.Err() == nil {
		f.Objects = append(f.Objects, o)
		r.found.spans = append(r.found.spans, model.Span{Offset: start, Size: c.Pos() - start})
	}
}

// setProgress keeps, for the references that lead to an object, how far the probe read it.
func (r *reader) setProgress(c *decode.Cursor, o openObject, p progress) {
	if !r.probing(c) {
		return
	}
	for _, i := range o.refs {
		if r.canMean(r.refs[i].Type, o.typ) && r.found.targets[i].progress < p {
			r.attempt.replaced = append(r.attempt.replaced, replacedTarget{i, r.found.targets[i]})
			r.found.targets[i] = target{p, uint8(o.typ)}
		}
	}
}

// spend counts what the probe reads, and stops it when that is too much.
func (r *reader) spend(c *decode.Cursor, n int64) {
	if !r.probing(c) {
		return
	}
	if r.attempt.left -= n; r.attempt.left < 0 {
		c.Fail("too many references lead into each other's objects")
	}
}

// doubt warns about the last recorded node, whose value no encoder writes. Values are counted by the probe, for which
// they speak against the layout.
func (r *reader) doubt(c *decode.Cursor, format string, args ...any) {
	r.countDoubt(c)
	c.Warn(format, args...)
}

// countDoubt counts a value that no encoder writes, if the probe read it.
func (r *reader) countDoubt(c *decode.Cursor) {
	if r.probing(c) && c.Err() == nil {
		r.found.doubts++
	}
}

// explainsAll reports whether this reader explains the file: every byte, every reference, nothing doubtful.
func (r *reader) explainsAll() bool {
	return r.hasVersion && !r.found.stopped && !r.impossible && r.found.doubts == 0 && r.found.end == r.src.Size() &&
		r.resolved(begun) == len(r.refs)
}

// resolved returns the number of references whose objects were read that far; those to what is not stored count.
func (r *reader) resolved(least progress) int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.found.targets[i].progress >= least {
			n++
		}
	}
	return n
}
