package casset

import (
	"fmt"

	"assay/model"
)

// layout is what differs between the revisions of the format, with the reason why a file is read as one of them.
type layout struct {
	variant    string // as people call it
	why        string
	generation generation
	header     headerLayout
	objects    objectLayout
	tables     tableLayout
	values     valueLayout
}

// endOfFile is the bytes of the 0 that ends a file in most layouts.
const endOfFile = 8

// because returns the layout with the reason why a file is read in it.
func (l layout) because(why string, args ...any) layout {
	l.why = fmt.Sprintf(why, args...)
	return l
}

// headerLayout is what the header has.
type headerLayout struct {
	magic        []byte
	version      []model.Number // the forms of the major, the minor and the patch number
	minor        uint64         // the minor number of the revision
	last         uint64         // the last minor number that is known
	checksum     bool           // it comes before a version that is not known, as in 3.0
	refused      bool           // the engine refuses a file with a checksum (3.0)
	gap          bool           // four bytes before the offsets, as the offsets in the document of 3.0 imply
	dependencies bool           // the names of other packages (1.1 to 2.0)
	primary      bool           // the name and the type of the primary object (1.2)
	cooked       bool           // a byte after all others (1.2 and 2.0)
}

// objectLayout is what an object has before and after its fields.
type objectLayout struct {
	idSize     uint8        // bytes of a UUID
	sourcePath bool         // every object has a source path (1.x)
	tail       int64        // bytes after the fields: 0 after the list of 1.x, the checksum
	size       model.Number // the form of an entry's size (3.0)
	fieldsSize bool         // the size of the fields comes before them (3.0)
}

// tableLayout is how the schema table and the list of objects are counted and closed.
type tableLayout struct {
	types     *typeBytes // of the schema (3.0)
	counted   bool       // the size of the table and the number of objects come before them (3.0)
	uncounted int64      // bytes of a table's size that it leaves out: its own
	endOfData bool       // 0 after the data table of 3.0
	endOfFile bool       // 0 at the end of the file
}

// valueLayout is what values have before them and in them.
type valueLayout struct {
	marker        bool         // the marker comes before each field (1.x)
	packageUUIDs  bool         // references have the UUID of the package (1.2)
	bareBlobs     bool         // an empty blob may have no length (Package 2.0)
	sized         bool         // their sizes, which count themselves, come before them (3.0)
	size          model.Number // the form of these sizes
	bareFunctions bool         // the elements of function arrays have none
	tried         string       // how values are read, in words (3.0)
}

var (
	shortVersion = []model.Number{model.U16, model.U16}
	patchVersion = []model.Number{model.U32, model.U16, model.U16}
	longVersion  = []model.Number{model.U32, model.U32}
	fullVersion  = []model.Number{model.U32, model.U32, model.U32}

	packageObjects   = objectLayout{idSize: 8, sourcePath: true, tail: 4 + 4}
	mapObjects       = objectLayout{idSize: 8, tail: 4}
	publishedObjects = objectLayout{idSize: 16, size: model.U32}
	writtenObjects   = objectLayout{idSize: 16, size: model.U64, fieldsSize: true}

	packageTables = tableLayout{endOfFile: true}
)

// The layouts of packages, and of bundles before 3.0.
var (
	package01 = layout{variant: "Package 0.1", generation: package1,
		header:  headerLayout{magic: packMagic, version: shortVersion, minor: 1, last: 1},
		objects: objectLayout{idSize: 8, tail: 4 + 4},
		tables:  packageTables}
	package10 = layout{variant: "Package 1.0", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, last: 2},
		objects: packageObjects, tables: packageTables}
	package11 = layout{variant: "Package 1.1", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, minor: 1, last: 2, dependencies: true},
		objects: packageObjects, tables: packageTables}
	package12 = layout{variant: "Package 1.2", generation: package1,
		header:  headerLayout{magic: packMagic, version: patchVersion, minor: 2, last: 2, dependencies: true},
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
	publishedHeader = headerLayout{magic: bundleMagic, version: fullVersion}
	publishedGap    = headerLayout{magic: bundleMagic, version: fullVersion, gap: true}
	writtenHeader   = headerLayout{magic: bundleMagic, version: fullVersion, refused: true}
	publishedValues = valueLayout{sized: true, size: model.U32, tried: "with a 4-byte size before each"}
	bareFunctions   = valueLayout{sized: true, size: model.U32, bareFunctions: true,
		tried: "with a 4-byte size before each, but none in function lists"}

	bundle30Written = layout{variant: "Bundle 3.0 as the engine writes it", generation: bundle3,
		header: writtenHeader, objects: writtenObjects,
		tables: tableLayout{types: writtenTypes, counted: true, endOfData: true, endOfFile: true},
		values: valueLayout{tried: "without sizes before them"}}
	bundle30First = layout{variant: "Bundle 3.0 as the engine first wrote it (r1118)", generation: bundle3,
		header: writtenHeader, objects: writtenObjects,
		tables: tableLayout{types: writtenTypes, counted: true, endOfFile: true},
		values: valueLayout{sized: true, size: model.U64, bareFunctions: true,
			tried: "with an 8-byte size before each"}}
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

	// bundles30 has a row for each place where the tables can be, in which only values tell one layout from the other.
	bundles30 = [][]layout{{bundle30Written, bundle30First}, {bundle30, bundle30Bare}, {bundle30Gap, bundle30GapBare}}
)
