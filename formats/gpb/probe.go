package gpb

import (
	"assay/formats/decode"
	"assay/model"
)

// A file is read twice with the same functions: with the probe, and recording. This file is about the probe: its
// findings decide on the layout and are the content of the file.

// findings holds the results of the probe.
type findings struct {
	file        *File
	targets     []target     // the target of each reference
	doubts      int          // values that no encoder writes: they contradict the layout
	endedEarly  bool         // reading ended early
	end         int64        // where it ended
	objectCount int          // objects that were begun in the list of objects
	spans       []model.Span // of the objects that were read to their ends
	tailAt      int64        // offset of the last members of a Scene at the end of the file, or 0
}

// target describes the object at the offset of a reference.
type target struct {
	progress progress
	typ      uint8 // a TypeID: the references of some writers name another
}

// progress is the read part of an object.
type progress uint8

const (
	notReached progress = iota
	begun
	complete // to its end
)

// probing reports whether c is the probe, and not the cursor that records.
func (r *reader) probing(c *decode.Cursor) bool { return c == r.probe }

// noteListed stores an object of the list of objects that begins at an offset.
func (r *reader) noteListed(c *decode.Cursor, f *File, o Object, start int64) {
	if !r.probing(c) {
		return
	}
	if r.findings.objectCount++; c.Err() == nil {
		f.Objects = append(f.Objects, o)
		r.findings.spans = append(r.findings.spans, model.Span{Offset: start, Size: c.Pos() - start})
	}
}

// setProgress stores, for the references to an object, how far the probe read it.
func (r *reader) setProgress(c *decode.Cursor, o openObject, p progress) {
	if !r.probing(c) {
		return
	}
	for _, i := range o.refs {
		if r.canReferTo(r.refs[i].Type, o.typ) && r.findings.targets[i].progress < p {
			r.attempt.replacedTargets = append(r.attempt.replacedTargets, replacedTarget{i, r.findings.targets[i]})
			r.findings.targets[i] = target{p, uint8(o.typ)}
		}
	}
}

// spend counts the elements that the probe reads, and stops it at the limit.
func (r *reader) spend(c *decode.Cursor, n int64) {
	if !r.probing(c) {
		return
	}
	if r.attempt.remaining -= n; r.attempt.remaining < 0 {
		c.Fail("too many references lead into each other's objects")
	}
}

// doubt warns about the last recorded node, which has a value that no encoder writes. The probe counts such values,
// because they contradict the layout.
func (r *reader) doubt(c *decode.Cursor, format string, args ...any) {
	r.countDoubt(c)
	c.Warnf(format, args...)
}

// countDoubt counts a value that no encoder writes, if the probe read it.
func (r *reader) countDoubt(c *decode.Cursor) {
	if r.probing(c) && c.Err() == nil {
		r.findings.doubts++
	}
}

// explainsAll reports whether this reader explains the file: every byte, every reference, nothing doubtful.
func (r *reader) explainsAll() bool {
	return r.hasVersion && !r.countTooLarge && !r.findings.endedEarly && r.findings.end == r.src.Size() &&
		r.findings.doubts == 0 && r.countResolved(begun) == len(r.refs)
}

// countResolved returns the number of references with at least this progress; references to objects that are not stored
// count.
func (r *reader) countResolved(least progress) int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.findings.targets[i].progress >= least {
			n++
		}
	}
	return n
}
