// Package casset reads CrystalEngine packages and bundles (.casset), in every layout that the engine published or
// wrote: Package 0.1 to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as the document "Bundle File Format
// Specification" has it, and Bundle 3.0 in the two revisions that the engine wrote. Both documents are in the engine's
// repository under Docs (CrystalEngine, Package and Bundle).
//
// The tables of the documents, in their order, are read in these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                             package_header.go
//	    Object Entry                         package_object.go
//	    Field List Entry                     package_field.go
//	    Field Data, Struct, Object           package_data.go
//	    Array Field Data                     package_array.go
//	"Bundle File Format Specification" (3.0)
//	    Basic Types                          basic.go
//	    File Structure                       bundle_header.go
//	    Schema Table                         bundle_schema.go
//	    Field Type                           bundle_types.go
//	    Serialized Data                      bundle_data.go
//	    Field Value                          bundle_value.go
//	its last part, which is of 2.0
//	    Object Entry                         map_object.go
//	    Field Value, Field Type, Field Data  map_value.go
//
// A value of any generation has a Type (type.go), which 1.x infers from the bytes (package_infer.go), 2.0 carries and
// 3.0 reads from the schema; one reader reads all of them (value.go).
//
// The layouts share an extension, magic numbers and often the version number: choose.go, frame3.go and dialect3.go
// choose by structure. Where the objects of a damaged file are is found in recovery12.go and recovery3.go. All numbers
// are little-endian, all strings end with a NUL, every checksum is 0 and means nothing.
//
// The list of objects is an index of offsets made in one pass; an object is decoded when it is looked at, and so are
// the elements of arrays (objects.go). The other files are about what objects mean: find.go, links.go and near.go lead
// from one to another, texture.go reads what a texture says of its picture, payload.go has what can leave the file.
//
// Meshes and materials are not drawn: neither the documents nor a file that is known say how the engine stores them.
//
// Not read: the text files and the CPAK prototype that came before Package 0.1.
package casset
