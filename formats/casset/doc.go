// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The tables of the documents, in their order, are read in these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                                    header.go
//	    Object Entry                                object.go
//	    Field List Entry, Array Field Data          infer.go
//	    Field Data, Struct, Object                  value.go
//	"Bundle File Format Specification" (3.0)
//	    File Structure                              header.go
//	    Schema Table                                schema.go
//	    Field Type                                  type.go
//	    Serialized Data                             object.go
//	    Field Value                                 value.go
//	its last part, which is of 2.0
//	    Object Entry                                object.go
//	    Field Type                                  type.go
//	    Field Value, Field Data                     value.go
//
// From bytes to values an object is followed in object.go, which has what comes before and after its fields, and in
// value.go, whose one reader reads the values of all generations by their Types (type.go). 3.0 has the types in its
// schema, 2.0 before each value, and in 1.x they are inferred from the bytes (infer.go). Every header and every head of
// an object has one reader, which opening, recognising, recovery and the search for dependencies run alike.
//
// The layouts share an extension, magic numbers and often the version number: choose.go tells them apart by structure.
// Where the objects of a damaged file are is found in recovery.go. All numbers are little-endian, all strings end with
// a NUL, every checksum is 0 and means nothing.
//
// The list of objects is an index of offsets made in one pass (index.go); an object is decoded when it is looked at,
// and so are the elements of arrays. The other files are about what objects mean: links.go and dependencies.go lead
// from one to another and to other files, groupings.go has other orders of them, texture.go reads what a texture says
// of its picture, view.go and describe.go show it, payload.go has what can leave the file.
//
// Meshes and materials are not drawn: neither the documents nor a file that is known say how the engine stores them.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1.
package casset
