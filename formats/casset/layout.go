package casset

import (
	"fmt"

	"assay/model"
)

// layout is a revision of the format, with the reason for the choice.
type layout struct {
	variant    string // its title
	why        string
	generation generation
	header     headerLayout
	objects    objectLayout
	tables     tableLayout
	values     valueLayout
}

// endSize is the bytes of the 0 that ends a file in most layouts.
const endSize = 8

// because returns the layout with the reason for the choice.
func (l layout) because(why string, args ...any) layout {
	l.why = fmt.Sprintf(why, args...)
	return l
}

// headerLayout lists the parts of the header.
type headerLayout struct {
	magic        []byte
	version      []model.NumberForm // the forms of the major, the minor and the patch number
	minor        uint64             // the minor number of the revision
	newest       uint64             // the newest supported minor number
	checksum     bool               // it precedes an unknown version, as in 3.0
	mustBeZero   bool               // the engine rejects a file with a checksum (3.0)
	gap          bool               // four bytes before the offsets, as the offsets in the document of 3.0 imply
	dependencies bool               // the names of other packages (1.1 to 2.0), or the UUIDs of bundles (3.0)
	primary      bool               // the name and the type of the primary object (1.2)
	cooked       bool               // a byte after all others (1.2, 2.0 and 3.0)
}

// objectLayout describes an object before and after its fields.
type objectLayout struct {
	idSize     uint8            // bytes of a UUID
	sourcePath bool             // every object has a source path (1.x)
	tail       int64            // bytes after the fields: the 0 that ends their list in 1.x, and the checksum
	size       model.NumberForm // the form of an entry's size (3.0)
	fieldsSize bool             // the size of the fields precedes them (3.0)
}

// tableLayout is how the schema table and the list of objects are counted and closed.
type tableLayout struct {
	types     *typeBytes // of the schema (3.0)
	counted   bool       // the size of the table and the number of objects precede them (3.0)
	uncounted int64      // bytes of the size itself, if it does not count them
	endOfData bool       // 0 after the data table of 3.0
	endOfFile bool       // 0 at the end of the file
}

// valueLayout describes values and the bytes before them.
type valueLayout struct {
	marker        bool             // the marker precedes each field (1.2)
	packageUUIDs  bool             // references have the UUID of the package (1.2)
	bareBlobs     bool             // an empty blob may have no length (Package 2.0)
	hasSizes      bool             // their sizes, which include themselves, precede them (3.0)
	size          model.NumberForm // the form of these sizes
	bareFunctions bool             // the elements of function arrays have no sizes
	readAs        string           // how values are read, in words (3.0)
}

var (
	shortVersion = []model.NumberForm{model.U16, model.U16}
	patchVersion = []model.NumberForm{model.U32, model.U16, model.U16}
	longVersion  = []model.NumberForm{model.U32, model.U32}
	fullVersion  = []model.NumberForm{model.U32, model.U32, model.U32}

	packageObjects   = objectLayout{idSize: 8, sourcePath: true, tail: 4 + 4}
	mapObjects       = objectLayout{idSize: 8, tail: 4}
	publishedObjects = objectLayout{idSize: 16, size: model.U32}
	writtenObjects   = objectLayout{idSize: 16, size: model.U64, fieldsSize: true}

	packageTables = tableLayout{endOfFile: true}
)

// The layouts of packages, and of bundles before 3.0.
var (
	package01 = layout{variant: "Package 0.1", generation: package1,
		header:  headerLayout{magic: packMagic, version: shortVersion, minor: 1, newest: 1},
		objects: objectLayout{idSize: 8, tail: 4 + 4},
		tables:  packageTables}
	package10 = layout{variant: "Package 1.0", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, newest: 2},
		objects: packageObjects, tables: packageTables}
	package11 = layout{variant: "Package 1.1", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, minor: 1, newest: 2, dependencies: true},
		objects: packageObjects, tables: packageTables}
	package12 = layout{variant: "Package 1.2", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, minor: 2, newest: 2, dependencies: true},
		objects: packageObjects, tables: packageTables, values: valueLayout{marker: true}}
	package20 = layout{variant: "Package 2.0", generation: map2,
		header:  headerLayout{magic: packMagic, version: longVersion, dependencies: true, cooked: true},
		objects: mapObjects, tables: packageTables, values: valueLayout{bareBlobs: true}}
	bundle20 = layout{variant: "Bundle 2.0", generation: map2,
		header:  headerLayout{magic: bundleMagic, version: longVersion, dependencies: true, cooked: true},
		objects: mapObjects, tables: packageTables}
)

// The layouts of Bundle 3.0.
var (
	publishedTables = tableLayout{types: publishedTypes, uncounted: 8, counted: true, endOfData: true}
	publishedHeader = headerLayout{magic: bundleMagic, version: fullVersion, dependencies: true, cooked: true}
	publishedGap    = headerLayout{magic: bundleMagic, version: fullVersion, dependencies: true, cooked: true,
		gap: true}
	writtenHeader = headerLayout{magic: bundleMagic, version: fullVersion, dependencies: true, cooked: true,
		mustBeZero: true}
	publishedValues = valueLayout{hasSizes: true, size: model.U32, readAs: "with a 4-byte size before each"}
	bareFunctions   = valueLayout{hasSizes: true, size: model.U32, bareFunctions: true,
		readAs: "with a 4-byte size before each, except in function lists"}

	bundle30Written = layout{variant: "Bundle 3.0 as the engine writes it", generation: bundle3,
		header: writtenHeader, objects: writtenObjects,
		tables: tableLayout{types: writtenTypes, counted: true, endOfData: true, endOfFile: true},
		values: valueLayout{readAs: "without sizes before them"}}
	bundle30First = layout{variant: "Bundle 3.0 as the engine first wrote it (r1118)", generation: bundle3,
		header: writtenHeader, objects: writtenObjects,
		tables: tableLayout{types: writtenTypes, counted: true, endOfFile: true},
		values: valueLayout{hasSizes: true, size: model.U64, bareFunctions: true,
			readAs: "with an 8-byte size before each"}}
	bundle30 = layout{variant: "Bundle 3.0 as published", generation: bundle3,
		header: publishedHeader, objects: publishedObjects, tables: publishedTables, values: publishedValues}
	bundle30Bare = layout{variant: "Bundle 3.0 as published, function lists without sizes", generation: bundle3,
		header: publishedHeader, objects: publishedObjects, tables: publishedTables, values: bareFunctions}
	bundle30Gap = layout{variant: "Bundle 3.0 as published, four bytes more in the header", generation: bundle3,
		header: publishedGap, objects: publishedObjects, tables: publishedTables, values: publishedValues}
	bundle30GapBare = layout{
		variant:    "Bundle 3.0 as published, four bytes more in the header, function lists without sizes",
		generation: bundle3,
		header:     publishedGap, objects: publishedObjects, tables: publishedTables, values: bareFunctions}

	// bundles30 has a row for each position of the tables. Only values distinguish the layouts in a row.
	bundles30 = [][]layout{{bundle30Written, bundle30First}, {bundle30, bundle30Bare}, {bundle30Gap, bundle30GapBare}}
)
