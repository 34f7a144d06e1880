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

// The layouts, named after the versions that have them. 1.0 has three: b like 1.1, m (early November 2011), a
// (October 2011). "document" is what the published document describes.
var (
	layout10b = layout{name: "1.0"}
	layout10m = layout{name: "1.0 of early November 2011", attenuation: true, floatTimes: true}
	layout10a = layout{name: "1.0 of October 2011", rootJoint: true, attenuation: true, bareAnimation: true, floatTimes: true}
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
// file; if none does, the one that explains most. The string says how that was decided.
func choose(ctx context.Context, src *model.Source) (*reader, string, error) {
	minor := versionOf(src)
	own := layoutsOf(minor)
	candidates := slices.Clone(own)
	for _, l := range allLayouts {
		if !slices.Contains(candidates, l) {
			candidates = append(candidates, l)
		}
	}
	var best *reader
	for _, single := range []bool{false, true} {
		for i, l := range candidates {
			r := newReader(ctx, src, l, single)
			r.read()
			if err := ctx.Err(); err != nil {
				return nil, "", err
			}
			if r.exact() {
				return r, r.explain(i, len(own), single), nil
			}
			if best == nil || r.score() > best.score() {
				best = r
			}
			if !r.headerRead {
				return best, "", nil
			}
		}
	}
	best.recover()
	return best, fmt.Sprintf("no layout accounts for every byte; this one meets %d of %d references", best.met(), len(best.refs)), nil
}

// explain says why the i-th layout was taken, and warns when it is not one of the own layouts of the file's version.
func (r *reader) explain(i, own int, single bool) string {
	container := ""
	if single {
		container = ", with one array of objects as the document words it,"
	}
	switch {
	case i == 0 && !single:
		return "the layout of this version accounts for every byte and meets every reference"
	case i < own:
		return fmt.Sprintf("of the layouts of 1.%d, this%s is the first that accounts for every byte and meets every reference", r.minor, container)
	}
	r.versionNode.Warn(model.Warning, r.versionNode.Span, fmt.Sprintf(
		"gpb: the version says %d.%d, but the content is laid out as %s (at 0x9)", r.major, r.minor, r.layout.name))
	return fmt.Sprintf("no layout of version %d.%d accounts for the bytes, that of %s%s does", r.major, r.minor, r.layout.name, container)
}

// versionOf is the minor version that src claims; 1 if it cannot be read.
func versionOf(src *model.Source) uint8 {
	var b [2]byte
	if n, _ := src.ReadAt(b[:], int64(len(magic))); n < len(b) || b[0] != 1 {
		return 1
	}
	return b[1]
}
