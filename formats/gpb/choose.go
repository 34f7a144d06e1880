package gpb

import (
	"context"
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// candidate is a combination of layout and container.
type candidate struct {
	layout    *layout
	container Container
	known     bool // files of this version may have the layout
	likely    bool // and the container
}

// candidates returns the candidates, the likeliest first: in each of the containers the layouts of its version, then
// all others. A table that ends where the Scene begins is the exporter's.
func (h *header) candidates() []candidate {
	known := h.knownLayouts()
	if !h.hasVersion {
		return []candidate{{layout: known[0], known: true, likely: true}}
	}
	var all []candidate
	if h.endsAtScene {
		for _, l := range exporterLayouts {
			all = append(all, candidate{l, NoList, true, true})
		}
	}
	layouts := slices.Clone(known)
	for _, l := range allLayouts {
		if !slices.Contains(layouts, l) {
			layouts = append(layouts, l)
		}
	}
	for k, container := range h.containers() {
		for i, l := range layouts {
			all = append(all, candidate{l, container, i < len(known), i < len(known) && k == 0 && !h.endsAtScene})
		}
	}
	return all
}

// containers returns the possible containers of the objects, the likeliest first.
func (h *header) containers() [3]Container {
	if h.objectsStart == h.src.Size() || h.typeAt(h.objectsStart) != 0 {
		return [...]Container{NoList, TwoLists, OneList}
	}
	return [...]Container{TwoLists, OneList, NoList}
}

// choose tries all candidates and returns the first reader that explains the whole file. If there is no such reader,
// the file is damaged, and choose returns the reader that resolves the most references. The string is the reason for
// the choice.
func choose(ctx context.Context, src *model.Source) (*reader, string, error) {
	h := readHeader(decode.NewProbe(ctx, src, order, types))
	candidates := h.candidates()
	for _, k := range candidates {
		if !h.complete {
			break
		}
		r := newReader(ctx, h, k)
		r.read()
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		if r.explainsAll() {
			return r, r.reason(), nil
		}
	}
	if h.runsOver { // and not because of its count alone: the start of the objects is unknown
		h.complete = false
	}
	r, err := chooseDamaged(ctx, h, candidates)
	if err != nil {
		return nil, "", err
	}
	return r, r.reasonDamaged(), nil
}

// chooseDamaged tries the candidates, recovers referenced objects, and returns the reader that resolves the most
// references. It tries unlikely candidates only if the likely ones resolve less than half.
func chooseDamaged(ctx context.Context, h *header, candidates []candidate) (*reader, error) {
	var best *reader
	var most score
	met := 0 // references with objects that were read without recovery
	for _, k := range candidates {
		if !k.likely && 2*max(most.complete, met) >= len(h.refs) && best != nil {
			continue
		}
		r := newReader(ctx, h, k)
		r.read()
		met = max(met, r.resolved(begun))
		r.recoverObjects()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s := r.score(); best == nil || s.better(most) {
			best, most = r, s
		}
	}
	return best, nil
}

// score rates how well a reader explains a damaged file.
type score struct {
	complete  int   // references with objects that were read completely
	doubts    int   // see reader.doubts
	accounted int64 // bytes that exactly one field owns
}

func (s score) better(t score) bool {
	switch {
	case s.complete != t.complete:
		return s.complete > t.complete
	case s.doubts != t.doubts:
		return s.doubts < t.doubts
	}
	return s.accounted > t.accounted
}

func (r *reader) score() score {
	s := score{complete: r.resolved(complete), doubts: r.found.doubts, accounted: r.found.end}
	end := r.found.end
	for _, o := range r.recovered {
		if o.inside {
			continue // objects elsewhere are read in any case
		}
		s.accounted += max(0, o.span.End()-max(o.span.Offset, end)) - max(0, min(o.span.End(), end)-o.span.Offset)
		end = max(end, o.span.End())
	}
	return s
}

// reason returns the reason why the layout was chosen.
func (r *reader) reason() string {
	const all = "decodes every byte and resolves every reference"
	container := ""
	if r.container == OneList {
		container = " with the published document's single list of objects"
	}
	switch {
	case !r.isKnownVersion():
		return fmt.Sprintf("unknown version %s; the layout of %s%s %s", r.versionText(), r.layout.name, container, all)
	case !r.known:
		return fmt.Sprintf("no layout of version %s decodes every byte, but that of %s%s does", r.versionText(),
			r.layout.name, container)
	case r.layout == r.knownLayouts()[0] && container == "":
		return "the layout of this version " + all
	}
	return fmt.Sprintf("of the layouts of version %s, that of %s%s is the first that %s", r.versionText(),
		r.layout.name, container, all)
}

func (r *reader) reasonDamaged() string {
	if !r.hasVersion {
		return ""
	}
	all, good := len(r.refs), r.resolved(complete)
	if good == all && !r.found.stopped && r.found.end == r.src.Size() && len(r.recovered) == 0 {
		return "this layout decodes every byte and resolves every reference, but there are values that no encoder " +
			"writes"
	}
	return fmt.Sprintf("no layout fits the whole file; this one resolves %d of %d references", good,
		all)
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

// A file is read twice with the same functions: with the probe, and recording. The rest of this file is about the
// probe: its findings decide on the layout and are the content of the file.

// findings holds the results of the probe.
type findings struct {
	file        *File
	targets     []target     // the target of each reference
	doubts      int          // values that no encoder writes: they speak against the layout
	stopped     bool         // reading ended early
	end         int64        // where it ended
	objectCount int          // objects that were begun in the list of objects
	spans       []model.Span // those of them that were read to their ends
	tailAt      int64        // offset of the last members of a Scene at the end of the file, or 0
}

// target describes the object at the offset of a reference.
type target struct {
	progress progress
	typ      uint8 // a TypeID: the references of some writers name another
}

// progress is how much of an object was read.
type progress uint8

const (
	unread progress = iota
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
	if r.found.objectCount++; c.Err() == nil {
		f.Objects = append(f.Objects, o)
		r.found.spans = append(r.found.spans, model.Span{Offset: start, Size: c.Pos() - start})
	}
}

// setProgress stores, for the references to an object, how far the probe read it.
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

// spend counts the elements that the probe reads, and stops it at the limit.
func (r *reader) spend(c *decode.Cursor, n int64) {
	if !r.probing(c) {
		return
	}
	if r.attempt.left -= n; r.attempt.left < 0 {
		c.Fail("too many references lead into each other's objects")
	}
}

// doubt warns about the last recorded node, which has a value that no encoder writes. The probe counts such values,
// because they speak against the layout.
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
	return r.hasVersion && !r.found.stopped && !r.countTooLarge && r.found.doubts == 0 && r.found.end == r.src.Size() &&
		r.resolved(begun) == len(r.refs)
}

// resolved returns the number of references with at least this progress; references to objects that are not stored
// count.
func (r *reader) resolved(least progress) int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.found.targets[i].progress >= least {
			n++
		}
	}
	return n
}
