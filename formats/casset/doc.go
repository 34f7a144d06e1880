// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The tables of the documents, in their order, are read in these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                                    header.go
//	    Object Entry                                object.go, package1.go
//	    Field List Entry, Field Data, Array,
//	    Struct, Object                              package1.go
//	"Bundle File Format Specification" (3.0)
//	    File Structure                              header.go
//	    Schema Table                                schema.go
//	    Field Type                                  type.go
//	    Serialized Data                             bundle3.go
//	    Field Value                                 value.go; Struct, Array: bundle3.go
//	its last part, which is of 2.0
//	    Object Entry                                object.go, map2.go
//	    Field Type                                  type.go
//	    Field Value, Map, Array                     map2.go
//
// From bytes to values an object is followed in three files: object.go, where all begin; the file of its generation,
// package1.go, map2.go or bundle3.go, which has what is before and after values and the values that are made of others;
// and value.go, whose one reader reads a value of any generation by its Type. The tables in type.go say the Types: 3.0
// has them in its schema, 2.0 before each value, and in 1.x they are inferred from the bytes (infer.go). Every header
// and every head of an object has one reader, which opening, recognising, recovery and the search for dependencies run
// alike.
//
// All numbers are little-endian, all strings end with a NUL, every checksum is 0 and means nothing. The layouts share
// an extension, magic numbers and often the version number. What is not in the documents:
//
//	casset.go        Open: the parts of a file in their order
//	choose.go        which layout a file has, by its structure
//	index.go         the list of objects: offsets found in one pass; objects, and the elements of arrays, are decoded
//	                 when they are looked at
//	row.go           the plain elements of an array, which are one leaf
//	recovery.go      where the objects are, also those of a damaged file
//	links.go         from a reference to its object
//	dependencies.go  the files of other packages
//	groupings.go     other orders of the objects
//	texture.go       the fields of a texture; pixelformats.go, the engine's numbers of pixel formats
//	textureforms.go  a texture as a picture, as PNG and as OpenEXR
//	view.go          what people see of objects
//	payload.go       what can leave the file
//	format.go        the entry of the table of formats
//
// Meshes and materials are not drawn: neither the documents nor a file that is known say how the engine stores them.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1.
package casset
