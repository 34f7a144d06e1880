package gpb

import (
	"context"
	"fmt"
	"slices"

	"assay/model"
)

// layout is one reading of the format: what differs between versions, and between the document and real files.
type layout struct {
	name string

	parentID        bool // Node.parent_id
	inlineMaterials bool // Model.materials are Material objects, not names
	skinBounds      bool // MeshSkin ends with bounds
	rootJoint       bool // MeshSkin.rootJoint
	attenuation     bool // lights have attenuation instead of range and angles
	bareAnimation   bool // type 3 is one Animation, without a container and without an id
	floatTimes      bool // key times are floats
	fontFormat      bool // Font.format
	fontSizes       bool // several sizes a Font
	bearing         bool // Glyph has bearingX and advance
}

// The layouts, named after the versions that have them. 1.0 has three: that of November 2011, which is 1.1's, and
// two before it. "the published document" is what that describes.
var (
	layout10a = layout{name: "1.0 of October 2011", rootJoint: true, attenuation: true, bareAnimation: true, floatTimes: true}
	layout10m = layout{name: "1.0 of early November 2011", attenuation: true, floatTimes: true}
	layout10b = layout{name: "1.0"}
	layout11  = layout{name: "1.1"}
	layoutDoc = layout{name: "the published document", parentID: true, inlineMaterials: true, skinBounds: true}
	layout12  = layout{name: "1.2", parentID: true}
	layout13  = layout{name: "1.3", parentID: true, fontFormat: true}
	layout14  = layout{name: "1.4", parentID: true, fontFormat: true, fontSizes: true}
	layout15  = layout{name: "1.5", parentID: true, fontFormat: true, fontSizes: true, bearing: true}
)

// layoutsOf gives the layouts that files of a version are known to have, the likeliest first.
func layoutsOf(minor uint8) []*layout {
	switch minor {
	case 0:
		return []*layout{&layout10b, &layout10m, &layout10a, &layoutDoc}
	case 1:
		return []*layout{&layout11, &layoutDoc}
	case 2:
		return []*layout{&layout12, &layoutDoc}
	case 3:
		return []*layout{&layout13}
	case 4:
		return []*layout{&layout14}
	}
	return []*layout{&layout15}
}

var allLayouts = []*layout{&layout15, &layout14, &layout13, &layout12, &layoutDoc, &layout11, &layout10m, &layout10a}

// choose reads src in the layouts of its version, then in all others, and takes the first that explains the whole
// file. If none does the file is damaged: it takes the one that makes most of what the references lead to. The string
// says how that was decided.
func choose(ctx context.Context, src *model.Source) (*reader, string, error) {
	h := readHeader(ctx, src)
	own := layoutsOf(h.version())
	candidates := slices.Clone(own)
	for _, l := range allLayouts {
		if !slices.Contains(candidates, l) {
			candidates = append(candidates, l)
		}
	}
	if h.versionNode == nil {
		candidates = candidates[:1]
	}
	for choice := 0; choice < 3 && h.table; choice++ {
		for i, l := range candidates {
			r := newReader(ctx, src, h, l, choice)
			r.read()
			if err := ctx.Err(); err != nil {
				return nil, "", err
			}
			if r.exact() {
				why := r.explain(i, len(own))
				r.take()
				return r, why, nil
			}
		}
	}
	r, err := chooseDamaged(ctx, src, h, candidates, len(own))
	if err != nil {
		return nil, "", err
	}
	r.take()
	return r, r.explainDamaged(), nil
}

// chooseDamaged reads src in the layouts, recovers what the references lead to, and takes the reading that makes most
// of it. Less likely containers, and layouts of other versions, are for files of which the likely ones make less than half.
func chooseDamaged(ctx context.Context, src *model.Source, h *header, candidates []*layout, own int) (*reader, error) {
	var best *reader
	var most score
	for choice := range 3 {
		for i, l := range candidates {
			if (i >= own || choice > 0) && 2*most.sound >= len(best.refs) {
				continue
			}
			r := newReader(ctx, src, h, l, choice)
			r.read()
			r.recover()
			s, err := r.score()
			if err != nil {
				return nil, err
			}
			if best == nil || s.more(most) {
				best, most = r, s
			}
		}
	}
	return best, nil
}

// score says how well a reading explains a damaged file.
type score struct {
	sound     int   // references whose objects were read to their ends
	doubts    int   // see reader.doubts
	accounted int64 // bytes that one leaf, and not two, owns
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

func (r *reader) score() (score, error) {
	report, err := model.NewDocument(r.c.Source(), "gpb", "", r.root).Check(r.ctx, nil)
	if err != nil {
		return score{}, err
	}
	s := score{sound: r.met(r.sound), doubts: r.doubts, accounted: report.Accounted}
	for _, o := range report.Overlaps {
		s.accounted -= o.Size
	}
	return s, nil
}

// explain says why the i-th layout was taken, and warns when it is not one of the own layouts of the file's version.
func (r *reader) explain(i, own int) string {
	container := ""
	if r.file.Container == OneList {
		container = ", with one list of objects as the document words it,"
	}
	switch {
	case i == 0 && container == "":
		return "the layout of this version accounts for every byte and meets every reference"
	case i < own:
		return fmt.Sprintf("of the layouts of 1.%d, that of %s%s is the first that accounts for every byte and meets every reference",
			r.minor, r.layout.name, container)
	}
	r.warn(r.versionNode, model.Warning, "the version says %d.%d, but the content is laid out as %s", r.major, r.minor, r.layout.name)
	return fmt.Sprintf("no layout of version %d.%d accounts for the bytes, that of %s%s does", r.major, r.minor, r.layout.name, container)
}

func (r *reader) explainDamaged() string {
	if r.versionNode == nil {
		return ""
	}
	all, good := len(r.refs), r.met(r.sound)
	if good == all && !r.stopped && r.c.Left() == 0 {
		return "this layout accounts for every byte and meets every reference, but there are values that no encoder writes"
	}
	return fmt.Sprintf("no layout accounts for every byte; this one reads the objects of %d of %d references", good, all)
}

// variant names the version and the layout.
func (r *reader) variant() string {
	if r.versionNode == nil {
		return "unknown version"
	}
	v := r.versionNode.Symbol
	if r.layout.name != v {
		v += ", laid out as " + r.layout.name
	}
	return v
}

// version is the minor version that the file claims; 1 if there is none to be read.
func (h *header) version() uint8 {
	if h.major != 1 {
		return 1
	}
	return h.minor
}
