package gpb

// layout is what differs between versions, and between the document and real files.
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
	fontFlag        bool // Font.unicode: a TrueType file may stand in the place of the sizes

	exporter bool // what the exporter of 2013 does differently: see exporter.go
	tail     tail
}

// tail is where the last members of a Scene are, activeCameraNode and ambientColor.
type tail uint8

const (
	tailInScene tail = iota
	noTail
	tailAtEnd // of the file
)

// The layouts, named after the versions that have them. 1.0 has three: that of November 2011, which is 1.1's, and
// two before it. "the published document" is what that describes. The exporter has three under the version 1.2, and a
// fork of the engine wrote fonts with a flag under the version 1.5.
var (
	layoutOctober2011 = layout{name: "1.0 of October 2011", rootJoint: true, attenuation: true, bareAnimation: true,
		floatTimes: true}
	layoutEarlyNovember2011 = layout{name: "1.0 of early November 2011", attenuation: true, floatTimes: true}
	layoutNovember2011      = layout{name: "1.0"}
	layout11                = layout{name: "1.1"}
	layoutPublished         = layout{name: "the published document", parentID: true, inlineMaterials: true,
		skinBounds: true}
	layout12 = layout{name: "1.2", parentID: true}
	layout13 = layout{name: "1.3", parentID: true, fontFormat: true}
	layout14 = layout{name: "1.4", parentID: true, fontFormat: true, fontSizes: true}
	layout15 = layout{name: "1.5", parentID: true, fontFormat: true, fontSizes: true, bearing: true}

	layoutFontFlag = layout{name: "1.5 with a flag in fonts", parentID: true, fontFormat: true, fontSizes: true,
		bearing: true, fontFlag: true}

	layoutExporterA = layout{name: "the Blender exporter of 2013 (a)", parentID: true, exporter: true}
	layoutExporterB = layout{name: "the Blender exporter of 2013 (b)", parentID: true, exporter: true, tail: noTail}
	layoutExporterC = layout{name: "the Blender exporter of 2013 (c)", parentID: true, exporter: true, tail: tailAtEnd}
)

// layoutsOf returns the layouts that files of a version are known to have, the likeliest first.
func layoutsOf(minor uint8) []*layout {
	switch minor {
	case 0:
		return []*layout{&layoutNovember2011, &layoutEarlyNovember2011, &layoutOctober2011, &layoutPublished}
	case 1:
		return []*layout{&layout11, &layoutPublished}
	case 2:
		return []*layout{&layout12, &layoutPublished}
	case 3:
		return []*layout{&layout13}
	case 4:
		return []*layout{&layout14}
	}
	return []*layout{&layout15, &layoutFontFlag}
}

var (
	allLayouts = []*layout{&layout15, &layoutFontFlag, &layout14, &layout13, &layout12, &layoutPublished, &layout11,
		&layoutEarlyNovember2011, &layoutOctober2011}
	exporterLayouts = []*layout{&layoutExporterA, &layoutExporterB, &layoutExporterC}
)
