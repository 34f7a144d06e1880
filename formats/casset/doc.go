// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The tables of the documents, in their order, are read in these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                                    header.go
//	    Object Entry                                object.go: packageObject
//	    Field List Entry, Field Data, Array,
//	    Struct, Object                              package1.go
//	"Bundle File Format Specification" (3.0)
//	    File Structure                              header.go
//	    Schema Table                                schema.go
//	    Field Type                                  type.go
//	    Serialized Data                             list.go; its entries, object.go: schemaObject
//	    Field Value to Array                        value.go
//	its last part, which is of 2.0
//	    Object Entry                                object.go: mapObject
//	    Field Value, Map, Array                     value.go
//	    Field Type                                  type.go
//
// To follow an object from its bytes to its values, begin with object.go, which has the three tables of objects, each
// from the first byte to the last. The fields of 1.x are read in package1.go, which infers their types from their
// bytes; those of 2.0 and 3.0 in value.go, which also has the values that all have in common. type.go has the types: a
// byte before each value names its type in 2.0; in 3.0 the schema does, which schema.go reads. An array of numbers or
// texts is one leaf, whose elements row.go reads when they are asked for.
//
// What differs between the revisions is data: layouts.go has a row for each. Every header and every object has one
// reader, which opening, recognising, recovery and the search for dependencies run alike.
//
// All numbers are little-endian, all strings end with a NUL, every checksum is 0 and means nothing. The layouts share
// an extension, magic numbers and often the version number. What is not in the documents:
//
//	casset.go        Open: the parts of a file in their order
//	choose.go        which layout a file has, by its structure
//	find.go          where the objects are, also those of a damaged file
//	row.go           the plain elements of an array, which are one leaf
//	visitor.go       the values of an object with the names of their fields, without nodes
//	links.go         from a reference or a key to its object
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
