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
	const all = "decodes every byte and resolves every reference"
	container := ""
	if r.container == OneList {
		container = " with the published document's single list of objects"
	}
	switch {
	case !r.isKnownVersion():
		return fmt.Sprintf("unknown version %s; the layout of %s%s %s", r.versionText(), r.layout.name, container, all)
	case !r.isForVersion:
		return fmt.Sprintf("no layout of version %s decodes every byte, but that of %s%s does", r.versionText(),
			r.layout.name, container)
	case r.layout == r.knownLayouts()[0] && container == "":
		return "the layout of this version " + all
	}
	return fmt.Sprintf("of the layouts of version %s, that of %s%s is the first that %s", r.versionText(),
		r.layout.name, container, all)
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
