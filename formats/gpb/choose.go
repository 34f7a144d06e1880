package gpb

import (
	"context"
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

type candidate struct {
	layout       *layout
	container    Container
	isForVersion bool // files of this version may have the layout
	likely       bool // and the container
}

// candidates returns the candidates, the likeliest first: in each of the containers the layouts of its version, then
// all others. A table that ends where the Scene begins is the exporter's.
func (h *header) candidates() []candidate {
	known := h.knownLayouts()
	if !h.hasVersion {
		return []candidate{{layout: known[0], isForVersion: true, likely: true}}
	}
	var candidates []candidate
	if h.endsAtScene {
		for _, l := range exporterLayouts {
			candidates = append(candidates, candidate{layout: l, container: NoList, isForVersion: true,
				likely: true})
		}
	}
	layouts := slices.Clone(known)
	for _, l := range distinctLayouts {
		if !slices.Contains(layouts, l) {
			layouts = append(layouts, l)
		}
	}
	for k, container := range h.containers() {
		for i, l := range layouts {
			isKnown := i < len(known)
			candidates = append(candidates, candidate{l, container, isKnown, isKnown && k == 0 && !h.endsAtScene})
		}
	}
	return candidates
}

// containers returns the possible containers of the objects, the likeliest first.
func (h *header) containers() [3]Container {
	if h.objectsStart == h.src.Size() || h.typeAt(h.objectsStart) != 0 {
		return [...]Container{NoList, TwoLists, OneList}
	}
	return [...]Container{TwoLists, OneList, NoList}
}

// choose returns the first reader that explains the whole file, with the reason. If there is no such reader, the file
// is damaged: choose recovers referenced objects, and returns the reader that resolves the most references. It tries
// unlikely candidates then only if the likely ones resolve less than half.
func choose(ctx context.Context, src *model.Source) (*reader, string, error) {
	h := readHeader(decode.NewProbe(ctx, src, order, types))
	candidates := h.candidates()
	choice := decode.Choose(ctx, candidates, func(k candidate) (*reader, decode.Score) {
		if !h.complete {
			return nil, decode.Score{}
		}
		r := newReader(ctx, h, k)
		if r.read(); !r.explainsAll() {
			return nil, decode.Score{}
		}
		return r, decode.Score{Certain: true}
	})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case choice.Best != nil:
		return choice.Best, choice.Best.reason(), nil
	}
	if h.overlapsObject { // and not because of its count alone: the start of the objects is unknown
		h.complete = false
	}
	resolved := -1 // references, in the best reading so far
	choice = decode.Choose(ctx, candidates, func(k candidate) (*reader, decode.Score) {
		if !k.likely && 2*resolved >= len(h.refs) {
			return nil, decode.Score{}
		}
		r := newReader(ctx, h, k)
		r.read()
		resolved = max(resolved, r.countResolved(begun))
		r.recoverObjects()
		s := r.score()
		resolved = max(resolved, s.Complete)
		return r, s
	})
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	return choice.Best, choice.Best.reasonDamaged(choice.Score.Complete), nil
}

// score rates how well a reader explains a damaged file, by the references that it resolves and the bytes that exactly
// one field owns.
func (r *reader) score() decode.Score {
	s := decode.Score{Complete: r.countResolved(complete), Problems: r.findings.doubts, Accounted: r.findings.end}
	end := r.findings.end
	for _, o := range r.recovered {
		if o.isNested {
			continue // objects elsewhere are read in any case
		}
		s.Accounted += max(0, o.span.End()-max(o.span.Offset, end)) - max(0, min(o.span.End(), end)-o.span.Offset)
		end = max(end, o.span.End())
	}
	return s
}

// reason returns the reason why the layout was chosen.
func (r *reader) reason() string {
	const match = "decodes every byte and resolves every reference"
	container := ""
	if r.container == OneList {
		container = " with the published document's single list of objects"
	}
	switch {
	case !r.isKnownVersion():
		return fmt.Sprintf("unknown version %s; the layout of %s%s %s", r.versionText(), r.layout.name, container, match)
	case !r.isForVersion:
		return fmt.Sprintf("no layout of version %s decodes every byte, but that of %s%s does", r.versionText(),
			r.layout.name, container)
	case r.layout == r.knownLayouts()[0] && container == "":
		return "the layout of this version " + match
	}
	return fmt.Sprintf("of the layouts of version %s, that of %s%s is the first that %s", r.versionText(),
		r.layout.name, container, match)
}

func (r *reader) reasonDamaged(resolved int) string {
	if !r.hasVersion {
		return ""
	}
	count := len(r.refs)
	if resolved == count && !r.findings.endedEarly && r.findings.end == r.src.Size() && len(r.recovered) == 0 {
		return "this layout decodes every byte and resolves every reference, but there are values that no encoder " +
			"writes"
	}
	return fmt.Sprintf("no layout fits the whole file; this one resolves %d of %d references", resolved, count)
}

// variant names the version and the layout.
func (r *reader) variant() string {
	if !r.hasVersion {
		return "unknown version"
	}
	v := r.versionText()
	if r.layout.name != v {
		v += ", laid out as " + r.layout.name
	}
	return v
}

// A file is read twice with the same functions: with the probe, and recording. The findings of the probe decide on the
// layout and are the content of the file.

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

// isProbing reports whether c is the probe, and not the cursor that records.
func (r *reader) isProbing(c *decode.Cursor) bool { return c == r.probe }

// noteListed stores an object of the list of objects that begins at an offset.
func (r *reader) noteListed(c *decode.Cursor, f *File, o Object, start int64) {
	if !r.isProbing(c) {
		return
	}
	if r.findings.objectCount++; c.Err() == nil {
		f.Objects = append(f.Objects, o)
		r.findings.spans = append(r.findings.spans, model.Span{Offset: start, Size: c.Pos() - start})
	}
}

// setProgress stores, for the references to an object, how far the probe read it.
func (r *reader) setProgress(c *decode.Cursor, o openObject, p progress) {
	if !r.isProbing(c) {
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
	if !r.isProbing(c) {
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
	if r.isProbing(c) && c.Err() == nil {
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
