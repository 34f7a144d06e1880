package casset

import "assay/model"

// layout is what differs between the revisions of the format, with the reason why a file is read as one of them.
type layout struct {
	variant    string // as people call it
	why        string
	generation int // 1: fields that say what they are; 2: typed maps; 3: fields as a schema has them; 0: not known
	header     headerLayout
	objects    objectLayout
	tables     tableLayout
	values     valueLayout
	rival      *layout // the layout that only values tell from this one (3.0)
}

// headerLayout is what the header has.
type headerLayout struct {
	magic        []byte
	version      []model.Number // the forms of the major, the minor and the patch number
	minor        uint64         // the minor number of the revision
	last         uint64         // the last minor number that is known
	anyMinor     bool           // the engine does not look at the minor number
	refused      bool           // the engine refuses a file with a checksum
	gap          bool           // four bytes before the offsets, as the offsets in the document of 3.0 imply
	dependencies bool
	primary      bool // the name and the type of the primary object
	cooked       bool
}

// objectLayout is what an object has before and after its fields.
type objectLayout struct {
	idSize     uint8        // bytes of a UUID
	size       model.Number // the form of an entry's size (3.0)
	fieldsSize bool         // the size of the fields comes before them (3.0)
	sourcePath bool         // there is a source path, in 1.x of every object and in 2.0 of assets
	tail       int64        // bytes after the fields: 0 after the list of 1.x, the checksum
}

// tableLayout is how the schema table and the list of objects are counted and closed.
type tableLayout struct {
	types     *typeBytes // of the schema
	uncounted int64      // bytes of a table's size that it leaves out: its own
	endOfData bool       // 0 after the data table of 3.0
	endOfFile bool       // 0 at the end of the file
	counted   bool       // the size of the table and the number of objects come before them (3.0)
}

// valueLayout is what values have before them and in them.
type valueLayout struct {
	before        before
	size          model.Number // the form of the size before a value, which counts itself
	bareFunctions bool         // the elements of function arrays have no size before them
	marker        bool         // the marker comes before each field (1.x)
	packageUUIDs  bool         // references have the UUID of the package (1.2)
	bareBlobs     bool         // an empty blob may have no length (Package 2.0)
	tried         string       // how values are read, in words
}

// before is what comes before a value.
type before uint8

const (
	nothing  before = iota // the schema says what the values are (3.0 as the engine writes it)
	itsSize                // (3.0 as published, and as first written)
	itsType                // and its name if it is in a map (2.0)
	itsEntry               // name, type and size of a field; nothing before the elements of an array (1.x)
)

var (
	shortVersion = []model.Number{model.U16, model.U16}
	patchVersion = []model.Number{model.U32, model.U16, model.U16}
	longVersion  = []model.Number{model.U32, model.U32}
	fullVersion  = []model.Number{model.U32, model.U32, model.U32}

	packageObjects   = objectLayout{idSize: 8, sourcePath: true, tail: 4 + 4}
	mapObjects       = objectLayout{idSize: 8, sourcePath: true, tail: 4}
	publishedObjects = objectLayout{idSize: 16, size: model.U32}
	writtenObjects   = objectLayout{idSize: 16, size: model.U64, fieldsSize: true}

	packageTables = tableLayout{endOfFile: true}
)

// The layouts of packages, and of bundles before 3.0.
var (
	package01 = layout{variant: "Package 0.1", generation: 1,
		header:  headerLayout{magic: packMagic, version: shortVersion, minor: 1, last: 1},
		objects: objectLayout{idSize: 8, tail: 4 + 4},
		tables:  packageTables, values: valueLayout{before: itsEntry}}
	package10 = layout{variant: "Package 1.0", generation: 1,
		header:  headerLayout{magic: packMagic, version: patchVersion, last: 2},
		objects: packageObjects, tables: packageTables, values: package01.values}
	package11 = layout{variant: "Package 1.1", generation: 1,
		header:  headerLayout{magic: packMagic, version: longVersion, minor: 1, last: 2, dependencies: true},
		objects: packageObjects, tables: packageTables, values: package01.values}
	package12 = layout{variant: "Package 1.2", generation: 1,
		header:  headerLayout{magic: packMagic, version: longVersion, minor: 2, last: 2, dependencies: true},
		objects: packageObjects, tables: packageTables, values: valueLayout{before: itsEntry, marker: true}}
	package20 = layout{variant: "Package 2.0", generation: 2,
		header:  headerLayout{magic: packMagic, version: longVersion, dependencies: true, cooked: true},
		objects: mapObjects, tables: packageTables, values: valueLayout{before: itsType, bareBlobs: true}}
	bundle20 = layout{variant: "Bundle 2.0", generation: 2,
		header:  headerLayout{magic: bundleMagic, version: longVersion, dependencies: true, cooked: true},
		objects: mapObjects, tables: packageTables, values: valueLayout{before: itsType}}
)

// The layouts of Bundle 3.0. Those that have the same tables are told apart by their values: each names its rival.
var (
	publishedTables = tableLayout{types: publishedTypes, uncounted: 8, counted: true, endOfData: true}
	publishedHeader = headerLayout{magic: bundleMagic, version: fullVersion, anyMinor: true, dependencies: true,
		cooked: true}
	publishedGap = headerLayout{magic: bundleMagic, version: fullVersion, anyMinor: true, dependencies: true,
		cooked: true, gap: true}
	writtenHeader = headerLayout{magic: bundleMagic, version: fullVersion, anyMinor: true, dependencies: true,
		cooked: true, refused: true}
	publishedValues = valueLayout{before: itsSize, size: model.U32, tried: "with a 4-byte size before each"}
	bareFunctions   = valueLayout{before: itsSize, size: model.U32, bareFunctions: true,
		tried: "with a 4-byte size before each, but none in function lists"}

	bundles30 = []layout{
		{variant: "Bundle 3.0 as the engine writes it", generation: 3, header: writtenHeader, objects: writtenObjects,
			tables: tableLayout{types: writtenTypes, counted: true, endOfData: true, endOfFile: true},
			values: valueLayout{tried: "without sizes before them"}, rival: &bundle30First},
		{variant: "Bundle 3.0 as published", generation: 3, header: publishedHeader, objects: publishedObjects,
			tables: publishedTables, values: publishedValues, rival: &bundle30Bare},
		{variant: "Bundle 3.0 as published, four bytes more in the header", generation: 3, header: publishedGap,
			objects: publishedObjects, tables: publishedTables, values: publishedValues, rival: &bundle30GapBare},
	}
	bundle30First = layout{variant: "Bundle 3.0 as the engine first wrote it (r1118)", generation: 3,
		header: writtenHeader, objects: writtenObjects,
		tables: tableLayout{types: writtenTypes, counted: true, endOfFile: true},
		values: valueLayout{before: itsSize, size: model.U64, bareFunctions: true,
			tried: "with an 8-byte size before each"}}
	bundle30Bare = layout{variant: "Bundle 3.0 as published, function lists without sizes", generation: 3,
		header: publishedHeader, objects: publishedObjects, tables: publishedTables, values: bareFunctions}
	bundle30GapBare = layout{
		variant:    "Bundle 3.0 as published, four bytes more in the header, function lists without sizes",
		generation: 3, header: publishedGap, objects: publishedObjects, tables: publishedTables, values: bareFunctions}
)
