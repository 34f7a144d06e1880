package gpb

import (
	"context"
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// trial is one way to read a file.
type trial struct {
	layout    *layout
	container Container
	own       bool // the version of the file is known to have the layout
	likely    bool // as are both
}

// trials returns the ways to read a file, the likeliest first: in each of the containers the layouts of its version,
// then all others. A table that ends where the Scene begins is the exporter's.
func (h *header) trials() []trial {
	own := h.layouts()
	if !h.versioned {
		return []trial{{layout: own[0], own: true, likely: true}}
	}
	var all []trial
	if h.toScene {
		for _, l := range exporterLayouts {
			all = append(all, trial{l, NoList, true, true})
		}
	}
	candidates := slices.Clone(own)
	for _, l := range allLayouts {
		if !slices.Contains(candidates, l) {
			candidates = append(candidates, l)
		}
	}
	for k, container := range h.containers() {
		for i, l := range candidates {
			all = append(all, trial{l, container, i < len(own), i < len(own) && k == 0 && !h.toScene})
		}
	}
	return all
}

// containers returns the ways in which objects may follow the table, the likeliest first.
func (h *header) containers() [3]Container {
	if h.first == h.src.Size() || h.typeAt(h.first) != 0 {
		return [...]Container{NoList, TwoLists, OneList}
	}
	return [...]Container{TwoLists, OneList, NoList}
}

// choose reads src in all ways and takes the first that explains the whole file. If none does the file is damaged: it
// takes the one that makes most of what the references lead to. The string says how that was decided.
func choose(ctx context.Context, src *model.Source) (*reader, string, error) {
	h := readHeader(decode.NewProbe(ctx, src, order, types))
	trials := h.trials()
	for _, t := range trials {
		if !h.whole {
			break
		}
		r := newReader(ctx, h, t)
		r.read()
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		if r.exact() {
			r.foreign = !t.own
			return r, r.explain(), nil
		}
	}
	r, err := chooseDamaged(ctx, h, trials)
	if err != nil {
		return nil, "", err
	}
	return r, r.explainDamaged(), nil
}

// chooseDamaged reads in the ways there are, recovers what the references lead to, and takes the reading that makes
// most of it. Unlikely ways are for files of which the likely ones make less than half.
func chooseDamaged(ctx context.Context, h *header, trials []trial) (*reader, error) {
	var best *reader
	var most score
	met := 0 // in what is not recovered
	for _, t := range trials {
		if !t.likely && 2*max(most.sound, met) >= len(h.refs) && best != nil {
			continue
		}
		r := newReader(ctx, h, t)
		r.read()
		met = max(met, r.met(begun))
		r.recover()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s := r.score(); best == nil || s.more(most) {
			best, most = r, s
		}
	}
	return best, nil
}

// score says how well a reading explains a damaged file.
type score struct {
	sound     int   // references whose objects were read to their ends
	doubts    int   // see reader.doubts
	accounted int64 // bytes that one field, and not two, owns
}

func (s score) more(t score) bool {
	switch {
	case s.sound != t.sound:
		return s.sound > t.sound
	case s.doubts != t.doubts:
		return s.doubts < t.doubts
	}
	return s.accounted > t.accounted
}

func (r *reader) score() score {
	s := score{sound: r.met(sound), doubts: r.doubts, accounted: r.end}
	end := r.end
	for _, o := range r.recovered {
		if o.inside {
			continue // what is elsewhere is read in any case
		}
		s.accounted += max(0, o.span.End()-max(o.span.Offset, end)) - max(0, min(o.span.End(), end)-o.span.Offset)
		end = max(end, o.span.End())
	}
	return s
}

// explain says why the layout was taken.
func (r *reader) explain() string {
	const all = "accounts for every byte and resolves every reference"
	container := ""
	if r.container == OneList {
		container = ", with one list of objects as the document words it,"
	}
	switch {
	case r.foreign:
		return fmt.Sprintf("no layout of version %s accounts for the bytes, that of %s%s does", r.versionText(),
			r.layout.name, container)
	case r.layout == r.layouts()[0] && container == "":
		return "the layout of this version " + all
	}
	return fmt.Sprintf("of the layouts of %s, that of %s%s is the first that %s", r.versionText(), r.layout.name,
		container, all)
}

func (r *reader) explainDamaged() string {
	if !r.versioned {
		return ""
	}
	all, good := len(r.refs), r.met(sound)
	if good == all && !r.stopped && r.c.Left() == 0 {
		return "this layout accounts for every byte and resolves every reference, but there are values that no encoder writes"
	}
	return fmt.Sprintf("no layout accounts for every byte; this one reads the objects of %d of %d references", good,
		all)
}

// variant names the version and the layout.
func (r *reader) variant() string {
	if !r.versioned {
		return "unknown version"
	}
	v := r.versionText()
	if r.layout.name != v {
		v += ", laid out as " + r.layout.name
	}
	return v
}
